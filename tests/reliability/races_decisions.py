"""What many people may decide at the same moment: a tie, the list of finalists, a correction, an answer about a place.

Each is decided by eight at once over connections of their own. Exactly one effect and one audit entry; everybody else
has the same answer back where they said the same, and the right refusal where they did not. The control decides without
the locks.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet

from tests.finalists.invited import answered, holders, invited
from tests.guards_lifted import lifted
from tests.reliability.figures import Figure
from tests.reliability.races import at_once
from tests.reliability.world import FIXTURES, PASSWORD
from tests.sheets.correcting import crossing, locked, typed_anew
from tests.sheets.sheets import mirrored_tables
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists
from tournament.finalists.services.release_places import record_place_answer
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer
from tournament.scoresheets.services import corrections
from tournament.setup.services import setup
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet
from tournament.stages.services.decisions import decide_tie
from tournament.tables.models import Table

PEOPLE = 8
LOG = ("tournament.audit.services", "tournament.core.models.written")
TITLE = "{what}, by eight at once: rounds without exactly one effect, one entry and the right answer to everybody"
Press = Callable[[], Any]
Judge = Callable[[list[Any]], bool]


@dataclass
class Decision:
    """One kind of decision: what each round sends, what may be answered beside what was done, and how it is undone.

    `done` says whether everything decided exactly once is there; `undo` brings back what was before the round.
    """

    what: str
    action: str
    presses: Callable[[], Sequence[Press]]
    refusals: frozenset[str]
    done: Callable[[], bool]
    undo: Callable[[], None]
    careless: Callable[[], Any]
    answers: Counter[str] = field(default_factory=Counter)

    def round(self) -> bool:
        """Whether one round went as it must."""
        last = AuditEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]
        answers = at_once(self.presses())
        self.answers.update(said(one) for one in answers)
        refused = [one for one in answers if isinstance(one, Exception)]
        right = all(isinstance(one, Refused) and one.code in self.refusals for one in refused)
        entries = AuditEntry.objects.filter(pk__gt=last, action=self.action).count()
        kept = right and len(refused) < PEOPLE and entries == 1 and self.done()
        self.undo()
        return kept


def said(answer: Any) -> str:
    """The code of a refusal, the name of an error; else that it was answered."""
    if isinstance(answer, Refused):
        return answer.code
    return type(answer).__name__ if isinstance(answer, Exception) else "answered"


def erase(*rows: QuerySet[Any, Any]) -> None:
    """Take rows away as if the round had not been, which only the owner of the database can."""
    with lifted(), connection.cursor() as cursor:
        for one in rows:
            if keys := list(one.values_list("pk", flat=True)):
                places = ", ".join(["%s"] * len(keys))
                cursor.execute(f"DELETE FROM {one.model._meta.db_table} WHERE id IN ({places})", keys)


# --- A tie ----------------------------------------------------------------------------------------------
def tie(event: Event, judges: Sequence[User]) -> Decision:
    """0002 and 0006 are tied for one place; half of the judges choose the one, half the other."""
    session = Session.objects.select_related("stage__event").get(stage__event=event, number=1)
    mirrored_tables(session, judges[0])

    def press(judge: int) -> TieBreak:
        chosen = ("0002", "0006")[judge % 2]
        given = {"tied": ["0002", "0006"], "places": 1, "method": "pick", "admitted": [chosen], "reason": "It was so."}
        return decide_tie(session.stage, of="line", by=judges[judge], **given)  # type: ignore[return-value]

    made = TieBreak.objects.filter(stage=session.stage)
    return Decision(
        "a tie across the line decided",
        "decide_tie",
        lambda: [partial(press, judge) for judge in range(PEOPLE)],
        frozenset({"already_decided"}),
        lambda: made.count() == 1,
        lambda: erase(made.all()),
        without_locks,
    )


# --- An answer about a place ----------------------------------------------------------------------------
def place(event: Event, organisers: Sequence[User]) -> Decision:
    """A finalist's place: half write down that it is taken, half that it is declined; nobody has seen an answer."""
    preliminary, _final = invited(first_session(event), organisers[0])
    number = holders(preliminary)[0]

    def press(one: int) -> PlaceAnswer:
        answer = ("accepted", "declined")[one % 2]
        given = {"number": number, "answer": answer, "reason": "by telephone", "seen": 0}
        return record_place_answer(preliminary, by=organisers[one], **given)

    made = PlaceAnswer.objects.filter(stage=preliminary)
    return Decision(
        "a place answered",
        "record_answer",
        lambda: [partial(press, one) for one in range(PEOPLE)],
        frozenset({"answer_changed"}),
        lambda: made.count() == 1,
        lambda: erase(made.all()),
        without_locks,
    )


# --- The list of finalists ------------------------------------------------------------------------------
def freezing(event: Event, organisers: Sequence[User]) -> Decision:
    """All have answered, and the list is fixed: who comes second is answered with the list as it is."""
    preliminary, final = accepted_by_all(event, organisers[0])
    seen = finalists.finalists_seen_digest(live_places(preliminary))

    def undo() -> None:
        erase(Finalist.objects.filter(stage=final))
        with lifted():
            Stage._base_manager.filter(pk=final.pk).update(frozen_at=None, frozen_by=None)

    return Decision(
        "the list of finalists fixed",
        "freeze_finalists",
        lambda: [partial(finalists.freeze_finalists, final, seen=seen, by=one) for one in organisers],
        frozenset(),
        lambda: len(listed(final)) == len(holders(preliminary)),
        undo,
        without_locks,
    )


def exchange(event: Event, organisers: Sequence[User]) -> Decision:
    """Each takes another finalist off the list and puts the next reserve on it."""
    preliminary, final = accepted_by_all(event, organisers[0])
    seen = finalists.finalists_seen_digest(live_places(preliminary))
    finalists.freeze_finalists(final, seen=seen, by=organisers[0])
    before, reserve = listed(final), int(live_places(preliminary).places.waiting[0])
    rows, last = list(Finalist.objects.filter(stage=final)), PlaceAnswer.objects.latest("pk").pk

    def presses() -> list[Press]:
        shown = finalists.finalists_seen_digest(live_places(preliminary), before)
        given = {"seen": shown, "reserve": reserve, "reason": "ill"}
        return [
            partial(finalists.exchange_finalist, final, number=before[one % len(before)], by=by, **given)
            for one, by in enumerate(organisers)
        ]

    def undo() -> None:
        erase(Finalist.objects.filter(stage=final), PlaceAnswer.objects.filter(stage=preliminary, pk__gt=last))
        with lifted():
            Finalist._base_manager.bulk_create([Finalist(stage=final, entrant=r.entrant, rank=r.rank) for r in rows])

    return Decision(
        "a finalist exchanged",
        "thaw_finalists",
        presses,
        frozenset({"places_changed"}),
        lambda: len(set(listed(final)) - set(before)) == 1 and len(listed(final)) == len(before),
        undo,
        without_locks,
    )


def accepted_by_all(event: Event, by: User) -> tuple[Stage, Stage]:
    """Preliminary and final; everybody who holds a place has accepted it."""
    preliminary, final = invited(first_session(event), by)
    for number in holders(preliminary):
        answered(preliminary, by, number)
    return preliminary, final


def listed(final: Stage) -> list[int]:
    """The numbers on the list."""
    return sorted(Finalist.objects.filter(stage=final).values_list("entrant__number", flat=True))


# --- A correction ---------------------------------------------------------------------------------------
def correction(event: Event, organisers: Sequence[User], tables: int) -> Decision:
    """A correction that the chief judge has proposed; each round has a table of its own, since none is undone."""
    people = {role: account(event, role) for role in (Role.CHIEF_JUDGE, Role.CLERK, Role.AUDITOR)}
    second = account(event, Role.CLERK, "second")
    settle(first_session(event), organisers[0], [4] * tables)
    waiting = [proposed(event, n, people[Role.CHIEF_JUDGE], people[Role.CLERK], second) for n in range(1, tables + 1)]
    now: list[Table] = []

    def presses() -> list[Press]:
        table, sheet, seen = waiting.pop()
        now[:] = [table]
        given = {"revision": sheet.revision, "crossing": seen}
        return [
            partial(corrections.approve_correction, table, by=by, request_key=f"{table.pk} {by.pk}", **given)
            for by in organisers
        ]

    return Decision(
        "a correction approved",
        "approve_correction",
        presses,
        frozenset({"scoresheet_not_ready", "scoresheet_locked"}),
        lambda: OfficialSheet.objects.get(table=now[0]).scoresheet.version == 2,
        lambda: None,
        without_locks,
    )


def proposed(event: Event, number: int, judge: User, clerk: User, second: User) -> tuple[Table, Scoresheet, Any]:
    """A table of which the second version waits for an organiser, and who would cross the line by it."""
    table = locked(first_session(event), number, clerk, second)
    sheet = typed_anew(table, judge, clerk)
    given = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    corrections.propose_correction(table, **given, by=judge, request_key=f"propose {table.pk}")
    return table, sheet, given["crossing"]


# --- The controls ---------------------------------------------------------------------------------------
@contextmanager
def without_locks() -> Iterator[None]:
    """No row is held for who decides; the log itself still holds its head while an entry is appended."""
    held = QuerySet.select_for_update

    def unlocked(rows: QuerySet[Any, Any], **given: Any) -> QuerySet[Any, Any]:
        return held(rows, **given) if called_by(*LOG) else rows

    with patch.object(QuerySet, "select_for_update", unlocked):
        yield


def called_by(*modules: str) -> bool:
    """Whether one of these asks, itself or through a manager."""
    frame = sys._getframe(2)
    names = {frame.f_globals["__name__"], frame.f_back.f_globals["__name__"] if frame.f_back else ""}
    return not names.isdisjoint(modules)


# --- The figure -----------------------------------------------------------------------------------------
def first_session(event: Event) -> Session:
    return Session.objects.select_related("stage__event").get(stage__event=event, number=1)


def account(event: Event, role: Role, name: str = "") -> User:
    """An account of this event with one role."""
    username = f"{event.slug}-{name or role.value}"
    return accounts.create_account(event, username, PASSWORD, username, [role])


def event_with(slug: str, role: Role) -> tuple[Event, list[User]]:
    """An event of its own, and eight who have this role."""
    data = json.loads((FIXTURES / "event.json").read_text(encoding="utf-8"))
    event = setup.create_event({**data, "slug": slug})
    return event, [account(event, role, f"{role.value}{one}") for one in range(PEOPLE)]


def decisions(rounds: int) -> Iterator[Decision]:
    """Each at an event of its own, ready for so many rounds."""
    yield tie(*event_with("race-tie", Role.CHIEF_JUDGE))
    yield place(*event_with("race-place", Role.ORGANISER))
    yield freezing(*event_with("race-list", Role.ORGANISER))
    yield exchange(*event_with("race-exchange", Role.ORGANISER))
    yield correction(*event_with("race-correction", Role.ORGANISER), rounds)


def figures(rounds: int, control_rounds: int) -> list[Figure]:
    """Of each decision one figure beside its control, on the database at hand."""
    made = []
    for decision in decisions(rounds + control_rounds):
        started = time.monotonic()
        bad = sum(not decision.round() for _each in range(rounds))
        answers = dict(decision.answers)
        decision.answers.clear()
        with decision.careless():
            control = sum(not decision.round() for _each in range(control_rounds))
        figure = Figure("Q35", TITLE.format(what=decision.what), connection.vendor, rounds, bad, rounds)
        figure.control_n, figure.control_failures = control_rounds, control
        figure.facts = {"answers": answers, "answers of the control": dict(decision.answers)}
        figure.seconds = round(time.monotonic() - started, 1)
        made.append(figure)
    return made
