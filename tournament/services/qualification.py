"""The chief judge's decision of a full tie across the line (R37, R46): who, how and why, never in silence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.decision import Decision, check_decision, draw_lots
from scoring.podium import Contest
from scoring.problems import Refusal
from tournament.bridge.qualification import live_cut
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.standings import entrant_id
from tournament.enums import DecisionOf, TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, LotsAnnouncement, Proposal, Stage, TieDecision
from tournament.services import audit, lots
from tournament.services.play_off import games_of, order_played, other_order, play_off_level
from tournament.services.published_text import Passed, pass_gate
from tournament.services.second_person import Second, agreed, propose, takes_two

LONGEST_LINE = 500
DECIDE = "decide_tie"


@dataclass(frozen=True, slots=True)
class Decided:
    """What the chief judge gives. Entrants by number; `order` is strict, from the first, as far as it was decided.

    `admit_all` needs no `admitted`; `lots` are drawn here from the announced head of the log and `value`
    (services/lots.py), a `play_off` is ordered by its `games` (services/play_off.py): of both `admitted` and `order`
    may be left out, and are refused where they say otherwise; `pick` names as many as there are places, in `admitted`
    or as the first of `order`; `hand_lots` need the order that was drawn.
    """

    tied: Sequence[int]
    places: int
    method: str
    reason: str
    admitted: Sequence[int] = ()
    order: Sequence[int] = ()
    games: Sequence[Mapping[str, Any]] = ()
    witnesses: str = ""
    value: str = ""
    replaces: int | None = None
    words_confirmed: str = ""


@transaction.atomic
def decide_tie(
    stage: Stage, *, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> TieDecision | Proposal:
    """Record who of the tied across the line advance; `given` as Decided. `replaces`: the one in force that was seen.

    A play-off, lots drawn by hand, and whatever is decided again are proposed, and recorded when another account
    agrees (services/decisions.py), with `second`; until then nothing counts.

    1. The event's audit head is the lock: one decision at a time. 2. The tie must stand as it was shown (412). 3. The
    method's own conditions; what is published names nobody. 4. The same decision in force: it is returned and nothing
    is written; another in force must be the one that is replaced. 5. The row and its audit entry. A decision that
    stands beside others is the one in force when it is the newest for this tie.
    """
    decided = Decided(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    cut = tied_across_the_line(stage, decided.tied, decided.places)
    passed = pass_decision(stage, decided)
    row = row_of(stage, decided, by, now=now)
    return record_tie(row, decided, cut.decision, passed, second)


def tied_across_the_line(stage: Stage, tied: Sequence[int], places: int) -> Any:
    """The cut, if exactly these are tied across the line for so many places."""
    cut = live_cut(stage)
    numbers = {entrant.number for entrant in cut.tie}
    if not tied or set(tied) != numbers or places != cut.tie_places:
        raise tie_changed(stage, cut)
    return cut


@transaction.atomic
def announce_line_lots(
    stage: Stage, *, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> LotsAnnouncement | Proposal:
    """Announce lots for those tied across the line; `given` as services.lots.LotsGiven."""
    asked = lots.LotsGiven(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    tied_across_the_line(stage, list(asked.tied), asked.places)
    return lots.announce(stage, DecisionOf.LINE, ids_of(asked.tied), asked, by=by, second=second, now=now)


def ids_of(numbers: Any) -> list[str]:
    """Entrants' ids, as lots and play-offs know them."""
    return sorted(entrant_id(number) for number in numbers)


def tie_changed(about: Stage, current: object) -> StaleVersion:
    """The tie is another than the one that was decided."""
    return StaleVersion(
        "tie_changed",
        _("The tie has changed since this page was opened: nothing was recorded. Look again and decide anew."),
        about=about,
        current=current,
    )


def row_of(
    stage: Stage, decided: Decided, by: AbstractUser, reserve: bool = False, now: datetime | None = None
) -> TieDecision:
    """The decision as a row not saved yet; refuses what cannot stand."""
    now = now or timezone.now()
    of = DecisionOf.RESERVE if reserve else DecisionOf.LINE
    games = []
    if decided.method == TieMethod.PLAY_OFF:
        games = games_of(ruleset_of(stage), decided.games, decided.tied)
    if decided.method in (TieMethod.LOTS, TieMethod.HAND_LOTS) and not decided.witnesses.strip():
        raise witnesses_missing()
    seed = ""
    if decided.method == TieMethod.LOTS:
        seed = lots.seed_of_value(stage, of, ids_of(decided.tied), decided.places, decided.value, now)
    admitted, order = _chosen(stage, decided, games, seed)
    return TieDecision(
        stage=stage,
        tied=sorted(decided.tied),
        places=decided.places,
        admitted=admitted,
        order=order,
        play_off=games,
        reserve=reserve,
        method=decided.method,
        reason=decided.reason.strip(),
        witnesses=decided.witnesses.strip(),
        seed=seed,
        by=by,
        at=now,
    )


def witnesses_missing() -> BadInput:
    """Lots without anybody who saw them."""
    return BadInput("witnesses_missing", _("Lots are drawn before witnesses: write down who they were."))


def record_tie(
    row: TieDecision, decided: Decided, standing: TieDecision | None, passed: Passed, second: Second | None
) -> TieDecision | Proposal:
    """Save the decision with its audit entry, or propose it; `standing` is the one in force for the same tie."""
    stage, ids = row.stage, ids_of(row.tied)
    of = DecisionOf.RESERVE if row.reserve else DecisionOf.LINE
    if standing and _says(standing) == _says(row):
        return standing
    if standing and standing.pk != decided.replaces:
        raise already_decided()
    if second is None and takes_two(stage, of, ids, row.method):
        return propose(stage, DECIDE, of, payload_of(decided), ids=ids, by=row.by, order=first_of(row))
    if second is not None:
        agreed(stage, of, second, ids=ids, places=row.places)
        row.agreed_by = second.by
    row.save(force_insert=True)
    thing = f"stage {stage.kind}"
    audit.record(stage.event, row.by, "decide_tie", thing, digest=("", digest_of(row)), reason=line_of(row), at=row.at)
    passed.record(stage.event, row.by, thing)
    return row


def first_of(row: TieDecision) -> list[str]:
    """Who a decision puts first, by id: its order, else whom it admits."""
    return [entrant_id(number) for number in row.order or row.admitted]


def already_decided() -> Refused:
    """Another decision stands than the one its maker has seen."""
    return Refused(
        "already_decided", _("This tie has been decided already. Look at that decision before you replace it.")
    )


def payload_of(decided: Any) -> dict[str, Any]:
    """What was given, as a proposal keeps it."""
    given = {name: getattr(decided, name) for name in decided.__dataclass_fields__}
    return {name: list(value) if isinstance(value, tuple | list) else value for name, value in given.items()}


def digest_of(decision: TieDecision) -> str:
    """Of one decision: who was tied, for how many places, who was admitted how and why; no witness, who is a person.

    Order, games of the play-off and the reserve place stand in it where there are any: those of before had none.
    """
    values = [decision.tied, decision.places, decision.admitted, decision.method, decision.reason, decision.seed]
    more = [decision.order, decision.play_off, decision.reserve]
    second = [decision.agreed_by_id] if decision.agreed_by_id else []
    return audit.digest_of([*values, *(more if any([*more, *second]) else []), *second])


def _chosen(stage: Stage, decided: Decided, games: Sequence[Any], seed: str) -> tuple[list[int], list[int]]:
    """The numbers that advance by this method and the order decided; refuses what decides nothing."""
    tied, places, admitted, order = decided.tied, decided.places, list(decided.admitted), list(decided.order)
    numbers = {entrant_id(number): number for number in tied}
    if decided.method == TieMethod.ADMIT_ALL:
        admitted, order = admitted or sorted(tied), []
    elif decided.method == TieMethod.LOTS:
        drawn = [numbers[id] for id in draw_lots(list(numbers), len(numbers), seed)]
        admitted, order = _as_found(decided, drawn)
    elif decided.method == TieMethod.PLAY_OFF:
        admitted, order = _as_found(decided, _played(stage, decided, games, numbers))
    else:
        admitted = admitted or order[:places]
    value = Decision(
        tuple(numbers),
        places,
        tuple(entrant_id(number) for number in admitted),
        tuple(entrant_id(number) for number in order),
    )
    try:
        check_decision(value, all_of_them=decided.method == TieMethod.ADMIT_ALL)
    except Refusal as refusal:
        raise _refused(refusal, decided, admitted) from refusal
    if decided.method == TieMethod.HAND_LOTS and len(order) < places:
        raise BadInput(
            "order_missing",
            _("Lots give an order: write at least the first %(places)s numbers in the order in which they were drawn."),
            places=places,
        )
    return admitted, order


def _played(stage: Stage, decided: Decided, games: Sequence[Any], numbers: Mapping[str, int]) -> list[int]:
    """The order of the play-off, which fills the places at least."""
    contest = Contest(1, decided.places, tuple(sorted(numbers)))
    owner = {number: id for id, number in numbers.items()}
    given = [entrant_id(number) for number in decided.order]
    order = order_played(ruleset_of(stage), contest, games, given, owner)
    if len(order) < decided.places:
        raise play_off_level()
    return [numbers[id] for id in order]


def _as_found(decided: Decided, order: list[int]) -> tuple[list[int], list[int]]:
    """What lots or games give; refuses a choice that says otherwise."""
    others = bool(decided.admitted) and set(decided.admitted) != set(order[: decided.places])
    if others or list(decided.order) != order[: len(decided.order)]:
        raise other_order()
    return order[: decided.places], order


def _refused(refusal: Refusal, decided: Decided, admitted: Sequence[int]) -> BadInput:
    """What is wrong with the choice, or with the order."""
    if refusal.where.startswith("order"):
        return BadInput(
            "wrong_order",
            _("The order holds each of the tied at most once, and those who advance come first in it."),
            about=refusal,
        )
    return BadInput(
        "wrong_number_admitted",
        _("Chosen of the tied, each once: %(given)s. Places: %(places)s. Choose exactly so many."),
        about=refusal,
        given=len(set(admitted) & set(decided.tied)),
        places=decided.places,
    )


class Judged(Protocol):
    """What any decision between equals gives the public to read."""

    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def words_confirmed(self) -> str: ...


def pass_decision(stage: Stage, judged: Judged) -> Passed:
    """The reason as it will be published: there (400), and nobody given away by it. A seed has no words any more."""
    if not judged.reason.strip():
        raise BadInput(
            "reason_missing", _("Write down why it was decided so: the reason is published with the ranking.")
        )
    return pass_gate(stage.event, {"reason": judged.reason}, confirmed=judged.words_confirmed)


SAID = ("tied", "places", "admitted", "order", "play_off", "reserve", "method", "reason", "witnesses", "seed")


def _says(decision: TieDecision) -> tuple[object, ...]:
    """What two equal decisions have in common."""
    return tuple(getattr(decision, name) for name in SAID)


def line_of(decision: TieDecision) -> str:
    """The decision for the audit log: numbers, method, seed, reason, order; witnesses are people and stay out.

    Seed and order stand in it where an order is kept: lines of before had neither.
    """
    admitted, order = (
        " ".join(entrant_id(number) for number in numbers) for numbers in (decision.admitted, decision.order)
    )
    places = f"{decision.places} {'reserve ' if decision.reserve else ''}places"
    seed = f" Seed: {decision.seed}." if order and decision.seed else ""
    in_order = f" Order: {order}." if order else ""
    return f"{decision.method}: {admitted} for {places}. {decision.reason}{seed}{in_order}{second_of(decision)}"[
        :LONGEST_LINE
    ]


def second_of(decision: Any) -> str:
    """For the log: which account agreed; nothing of a decision of one."""
    return f" Agreed to by account {decision.agreed_by_id}." if decision.agreed_by_id else ""
