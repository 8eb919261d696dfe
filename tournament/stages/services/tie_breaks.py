"""The chief judge's decision between equals (R37, R39, R40, R46): who, how and why, never in silence.

What is common to all of them. Which equals there are, and which order a method gives them, is a TieBreakRules each:
across the cut-off (qualification.py), at a reserve place (release_ties.py), on the podium and for the award
(podium.py). stages/services/decisions.py knows them all and is what pages and API call.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.enums import TieMethod
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Stage
from tournament.messages.services.published_text import CheckedTexts, check_published_texts
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.services import lots
from tournament.stages.services.play_off import PlayOffGames
from tournament.stages.services.second_person import (
    SecondPerson,
    approve_decision,
    decision_needs_two,
    propose_decision,
)

LONGEST_LINE = 500
DECIDE_TIE_ACT = "decide_tie"


@dataclass(frozen=True, slots=True)
class TieBreakGiven:
    """What the chief judge gives. Ids are entrants' numbers with four digits, of the award those of pairs.

    `order` is strict, from the first, as far as it was decided; `admitted` are those who get the places, for who
    advances alone. `lots` are drawn here from the announced head of the log and `value` (stages/services/lots.py), a
    `play_off` is ordered by its `games` (stages/services/play_off.py): of both `admitted` and `order` may be left out,
    and are refused where they say otherwise. `admit_all` needs neither; `hand_lots` need the order that was drawn; a
    `pick` names those who advance in `admitted`, or as the first of `order`.
    """

    tied: Sequence[str]
    places: int
    method: str
    reason: str
    admitted: Sequence[str] = ()
    order: Sequence[str] = ()
    games: Sequence[Mapping[str, Any]] = ()
    witnesses: str = ""
    value: str = ""
    replaces: int | None = None
    words_confirmed: str = ""


@dataclass(frozen=True, slots=True)
class TiedNow:
    """Equals as they stand: for how many places, the decision in force about them, and what they were read from."""

    ids: Sequence[str]
    places: int
    in_force: TieBreak | None
    live: Any


class TieBreakRules(Protocol):
    """Of one kind of equals: who is tied now, which games count, what each method gives."""

    @property
    def of(self) -> str: ...

    def tied_now(self, stage: Stage, tied: Sequence[str], places: int) -> TiedNow:
        """Exactly these, tied for so many places; StaleVersion (412) where they are not."""

    def games(self, stage: Stage, now: TiedNow, given: TieBreakGiven) -> list[list[dict[str, Any]]]:
        """The games of a play-off as they are kept."""

    def chosen(
        self, stage: Stage, now: TiedNow, given: TieBreakGiven, games: PlayOffGames, seed: str
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Who gets the places and the order decided; refuses what decides nothing, or other than lots or games do."""

    def refuse(self, now: TiedNow, made: TieBreak) -> None:
        """Refuse a decision that would take from somebody what is theirs."""


def decide(
    rules: TieBreakRules,
    stage: Stage,
    given: TieBreakGiven,
    *,
    by: User,
    second: SecondPerson | None,
    now: datetime,
) -> TieBreak | Proposal:
    """Record who of the tied stands before whom; in its caller's transaction.

    A play-off, lots drawn by hand, and whatever is decided again are proposed, and recorded when another account
    agrees (stages/services/decisions.py), with `second`; until then nothing counts.

    1. The event's audit head is the lock: one decision at a time. 2. The tie must stand as it was shown (412). 3. What
    is published names nobody; the method's own conditions. 4. The same decision in force: it is returned and nothing
    is written; another in force must be the one that is replaced. 5. The row and its audit entry. A decision that
    stands beside others is the one in force when it is the newest for this tie.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    tied = rules.tied_now(stage, given.tied, given.places)
    passed = pass_decision(stage, given)
    row = _row(rules, stage, tied, given, by, now)
    rules.refuse(tied, row)
    if tied.in_force and _values(tied.in_force) == _values(row):
        return tied.in_force
    if tied.in_force and tied.in_force.pk != given.replaces:
        raise Refused(
            "already_decided", _("This tie has been decided already. Look at that decision before you replace it.")
        )
    if second is None and decision_needs_two(stage, rules.of, tied.ids, row.method):
        first = row.order or row.admitted
        return propose_decision(stage, DECIDE_TIE_ACT, rules.of, payload_of(given), ids=tied.ids, by=by, order=first)
    if second is not None:
        approve_decision(stage, rules.of, second, ids=tied.ids, places=tied.places)
        row.agreed_by = second.by
    row.save(force_insert=True)
    subject = f"stage {stage.kind}"
    services.append_audit_entry(
        stage.event, by, DECIDE_TIE_ACT, subject, digest=("", tie_break_digest(row)), reason=line_of(row), at=row.at
    )
    passed.record(stage.event, by, subject)
    return row


def announce(
    rules: TieBreakRules,
    stage: Stage,
    given: lots.LotsInput,
    *,
    by: User,
    second: SecondPerson | None,
    now: datetime | None,
) -> LotsAnnouncement | Proposal:
    """Announce lots for exactly these, where they are tied for so many places; in its caller's transaction."""
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    tied = rules.tied_now(stage, list(given.tied), given.places)
    return lots.announce_lots(stage, rules.of, tied.ids, given, by=by, second=second, now=now)


def _row(rules: TieBreakRules, stage: Stage, tied: TiedNow, given: TieBreakGiven, by: User, now: datetime) -> TieBreak:
    """The decision as a row not saved yet; refuses what cannot stand."""
    games = rules.games(stage, tied, given) if given.method == TieMethod.PLAY_OFF else []
    if given.method in (TieMethod.LOTS, TieMethod.HAND_LOTS) and not given.witnesses.strip():
        raise BadInput("witnesses_missing", _("Lots are drawn before witnesses: write down who they were."))
    seed = ""
    if given.method == TieMethod.LOTS:
        seed = lots.seed_of_value(stage, rules.of, tied.ids, tied.places, given.value, now)
    admitted, order = rules.chosen(stage, tied, given, games, seed)
    return TieBreak(
        stage=stage,
        of=rules.of,
        tied=list(tied.ids),
        places=tied.places,
        admitted=list(admitted),
        order=list(order),
        play_off=games,
        method=given.method,
        reason=given.reason.strip(),
        witnesses=given.witnesses.strip(),
        seed=seed,
        by=by,
        at=now,
    )


class Judged(Protocol):
    """What any decision between equals gives the public to read."""

    @property
    def reason(self) -> str: ...
    @property
    def words_confirmed(self) -> str: ...


def pass_decision(stage: Stage, judged: Judged) -> CheckedTexts:
    """The reason as it will be published: there (400), and nobody given away by it. A seed has no words any more."""
    if not judged.reason.strip():
        raise BadInput(
            "reason_missing", _("Write down why it was decided so: the reason is published with the ranking.")
        )
    return check_published_texts(stage.event, {"reason": judged.reason}, confirmed=judged.words_confirmed)


def payload_of(given: TieBreakGiven) -> dict[str, Any]:
    """What was given, as a proposal keeps it."""
    found = {name: getattr(given, name) for name in given.__dataclass_fields__}
    return {name: list(value) if isinstance(value, tuple | list) else value for name, value in found.items()}


def tie_break_digest(decision: TieBreak) -> str:
    """Of one decision, all of it but its witnesses, who are people."""
    names = ("of", "tied", "places", "admitted", "order", "play_off", "method", "reason", "seed", "agreed_by_id")
    return canonical.digest_of([getattr(decision, name) for name in names])


def line_of(decision: TieBreak) -> str:
    """The decision for the audit log: what, how, in which order, why, by which seed; no witness, who is a person."""
    first, tied = " ".join(decision.order or decision.admitted), " ".join(decision.tied)
    seed = f" Seed: {decision.seed}." if decision.seed else ""
    second = f" Agreed to by account {decision.agreed_by_id}." if decision.agreed_by_id else ""
    about = f"{decision.of} {decision.method}: {first} of {tied} for {decision.places} places."
    return f"{about} {decision.reason}{seed}{second}"[:LONGEST_LINE]


def _values(decision: TieBreak) -> tuple[object, ...]:
    """What two equal decisions have in common."""
    names = ("of", "tied", "places", "admitted", "order", "play_off", "method", "reason", "witnesses", "seed")
    return tuple(getattr(decision, name) for name in names)
