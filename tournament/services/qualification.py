"""The chief judge's decision of a full tie across the line (R37, R46): who, how and why, never in silence."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.decision import Decision, check_decision, draw_lots
from scoring.entry import read_points
from scoring.problems import Refusal
from tournament.bridge.qualification import live_cut
from tournament.bridge.standings import entrant_id
from tournament.enums import TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, Stage, TieDecision
from tournament.quantities import TWELFTHS
from tournament.services import audit

SHORTEST_NAME = 2
LONGEST_LINE = 500
MOST_AT_A_TABLE = 4


class Named(Protocol):
    """An entrant as a reason must not name them."""

    @property
    def name_zh(self) -> str: ...
    @property
    def name_en(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Decided:
    """What the chief judge gives. Entrants by number; `order` is strict, from the first, as far as it was decided.

    `admit_all` needs no `admitted`; `lots` are drawn here from `seed` (scoring.decision.draw_lots) and order all of
    them, so that `admitted` and `order` may be left out, and are refused where they say otherwise; `pick` names as
    many as there are places, in `admitted` or as the first of `order`; `play_off` orders at least so many. `games` of
    the play-off: each game its lines with `entrant`, `win`, `points` as text and `tiles`; they are kept and shown, and
    count for nothing else.
    """

    tied: Sequence[int]
    places: int
    method: str
    reason: str
    admitted: Sequence[int] = ()
    order: Sequence[int] = ()
    games: Sequence[Sequence[Mapping[str, Any]]] = ()
    witnesses: str = ""
    seed: str = ""
    replaces: int | None = None


@transaction.atomic
def decide_tie(stage: Stage, *, by: AbstractUser, **given: Any) -> TieDecision:
    """Record who of the tied across the line advance; `given` as Decided. `replaces`: the one in force that was seen.

    1. The event's audit head is the lock: one decision at a time. 2. The tie must stand as it was shown (412). 3. The
    method's own conditions; the reason is published and names nobody. 4. The same decision in force: it is returned
    and nothing is written; another in force must be the one that is replaced. 5. The row and its audit entry. A
    decision that stands beside others is the one in force when it is the newest for this tie.
    """
    decided = Decided(**given)
    AuditHead.objects.select_for_update().get(event=stage.event_id)
    cut = live_cut(stage)
    numbers = {entrant.number for entrant in cut.tie}
    if set(decided.tied) != numbers or decided.places != cut.tie_places or not decided.tied:
        raise tie_changed(stage, cut)
    return record(row_of(stage, decided, cut.tie, by), cut.decision, decided.replaces)


def tie_changed(about: Stage, current: object) -> StaleVersion:
    """The tie is another than the one that was decided."""
    return StaleVersion(
        "tie_changed",
        _("The tie has changed since this page was opened: nothing was recorded. Look again and decide anew."),
        about=about,
        current=current,
    )


def row_of(
    stage: Stage, decided: Decided, tie: Sequence[Named], by: AbstractUser, reserve: bool = False
) -> TieDecision:
    """The decision as a row not saved yet; refuses what cannot stand."""
    admitted, order = _chosen(decided)
    row = TieDecision(
        stage=stage,
        tied=sorted(decided.tied),
        places=decided.places,
        admitted=admitted,
        order=order,
        play_off=games_of(decided.games, decided.tied) if decided.method == TieMethod.PLAY_OFF else [],
        reserve=reserve,
        method=decided.method,
        reason=published_reason(decided.reason, tie),
        witnesses=decided.witnesses.strip(),
        seed=decided.seed if decided.method == TieMethod.LOTS else "",
        by=by,
        at=timezone.now(),
    )
    if decided.method == TieMethod.LOTS and not row.witnesses:
        raise BadInput("witnesses_missing", _("Lots are drawn before witnesses: write down who they were."))
    return row


def record(row: TieDecision, standing: TieDecision | None, replaces: int | None) -> TieDecision:
    """Save the decision with its audit entry; `standing` is the one in force for the same tie, if there is one."""
    if standing and _says(standing) == _says(row):
        return standing
    if standing and standing.pk != replaces:
        raise Refused(
            "already_decided", _("This tie has been decided already. Look at that decision before you replace it.")
        )
    row.save(force_insert=True)
    audit.record(
        row.stage.event,
        row.by,
        "decide_tie",
        f"stage {row.stage.kind}",
        digest=("", digest_of(row)),
        reason=line_of(row),
        at=row.at,
    )
    return row


def digest_of(decision: TieDecision) -> str:
    """Of one decision: who was tied, for how many places, who was admitted how and why; no witness, who is a person.

    Order, games of the play-off and the reserve place stand in it where there are any: those of before had none.
    """
    values = [decision.tied, decision.places, decision.admitted, decision.method, decision.reason, decision.seed]
    more = [decision.order, decision.play_off, decision.reserve]
    return audit.digest_of([*values, *(more if any(more) else [])])


def _chosen(decided: Decided) -> tuple[list[int], list[int]]:
    """The numbers that advance by this method and the order decided; refuses what decides nothing."""
    tied, places, admitted, order = decided.tied, decided.places, list(decided.admitted), list(decided.order)
    numbers = {entrant_id(number): number for number in tied}
    if decided.method == TieMethod.ADMIT_ALL:
        admitted, order = admitted or sorted(tied), []
    elif decided.method == TieMethod.LOTS:
        drawn = _drawn(decided, numbers)
        admitted, order = drawn[:places], drawn
    else:
        admitted = admitted or order[:places]
        if decided.method == TieMethod.PLAY_OFF and not order and len(admitted) == 1:
            order = admitted
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
    if decided.method == TieMethod.PLAY_OFF and len(order) < places:
        raise BadInput(
            "order_missing",
            _("A play-off gives an order: write at least the first %(places)s numbers, the winner first."),
            places=places,
        )
    return admitted, order


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


def _drawn(decided: Decided, numbers: Mapping[str, int]) -> list[int]:
    """All of the tied in the order that the seed draws; refuses a choice that says otherwise."""
    if not decided.seed.strip():
        raise BadInput("seed_missing", _("Lots need a seed that is written down before the draw."))
    drawn = [numbers[entrant] for entrant in draw_lots(list(numbers), len(numbers), decided.seed)]
    others = bool(decided.admitted) and set(decided.admitted) != set(drawn[: decided.places])
    if others or (decided.order and list(decided.order) != drawn[: len(decided.order)]):
        raise BadInput("not_these_lots", _("The lots of this seed fall on others. Leave the choice to the draw."))
    return drawn


def games_of(games: Sequence[Sequence[Mapping[str, Any]]], among: Collection[int]) -> list[list[dict[str, int]]]:
    """The games of a play-off with points in whole twelfths; refuses what is no game `among` these."""
    return [[_game_line(line) for line in _table(game, among)] for game in games]


def _table(game: Sequence[Mapping[str, Any]], among: Collection[int]) -> Sequence[Mapping[str, Any]]:
    """One game's lines: two to four of these, each once, at most one winner."""
    players = [line["entrant"] for line in game]
    fits = 1 < len(players) <= MOST_AT_A_TABLE and len(set(players)) == len(players) and set(players) <= set(among)
    if not fits or sum(line["win"] for line in game) > 1:
        raise BadInput(
            "wrong_play_off",
            _("A game of the play-off has two to four of the tied, each once, and one winner at most."),
        )
    return game


def _game_line(line: Mapping[str, Any]) -> dict[str, int]:
    """One player's line as it is kept."""
    points = read_points(line["points"]).candidates
    if not points or (points[0] * TWELFTHS).denominator != 1:
        raise BadInput("points_unreadable", _("Points of a play-off are written as on a sheet: -5, +30, 10/3."))
    return {
        "entrant": line["entrant"],
        "win": int(line["win"]),
        "points_twelfths": int(points[0] * TWELFTHS),
        "tiles": line["tiles"],
    }


def published_reason(reason: str, named: Sequence[Named]) -> str:
    """The reason as it will be published: there (400), and without the name of any of these."""
    reason = reason.strip()
    if not reason:
        raise BadInput(
            "reason_missing", _("Write down why it was decided so: the reason is published with the ranking.")
        )
    names = [name for entrant in named for name in (entrant.name_zh, entrant.name_en) if len(name) >= SHORTEST_NAME]
    if any(name.casefold() in reason.casefold() for name in names):
        raise BadInput("reason_names_somebody", _("The reason is published: write entrant numbers instead of names."))
    return reason


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
    return f"{decision.method}: {admitted} for {places}. {decision.reason}{seed}{in_order}"[:LONGEST_LINE]
