"""The chief judge's decision between equals on the podium or for the award (R39, R40, R46): who, how and why."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.decision import draw_lots
from scoring.podium import Contest, order_by_play_off
from scoring.podium import decide_contest as rule_contest
from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.values import Tally
from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.podium_families import FamilyMember
from tournament.bridge.standings import ZERO, RankedEntrant
from tournament.enums import ContestOf, TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, ContestDecision, Stage
from tournament.quantities import from_twelfths
from tournament.services import audit
from tournament.services.qualification import LONGEST_LINE, games_of, published_reason

METHODS = (TieMethod.PLAY_OFF, TieMethod.LOTS, TieMethod.PICK)


@dataclass(frozen=True, slots=True)
class ContestGiven:
    """What the chief judge gives. Ids are entrants' numbers with four digits, of the award families' codes.

    `order` is strict, from the first, as far as it was decided: a choice (`pick`) needs one. `lots` are drawn here from
    `seed` and order all of them; a `play_off` is ordered by its `games`, each its lines with `entrant` (a number, of
    the award a member's), `win`, `points` as text and `tiles`. Of both the order may be left out, and is refused where
    it says otherwise; but a play-off in which not all who came played as many games needs one, since nothing in the
    games tells who left it from who had no need to play on.
    """

    tied: Sequence[str]
    places: int
    method: str
    reason: str
    order: Sequence[str] = ()
    games: Sequence[Sequence[Mapping[str, Any]]] = ()
    witnesses: str = ""
    seed: str = ""
    replaces: int | None = None


@transaction.atomic
def decide_contest(stage: Stage, *, of: str, by: AbstractUser, **given: Any) -> ContestDecision:
    """Record who of those who contest a place stands before whom; `of` a ContestOf, `given` as ContestGiven.

    1. The event's audit head is the lock: one decision at a time. 2. The contest must stand as it was shown (412), and
    the final must be over (409): until then nobody is level for good. 3. The method's own conditions; the reason is
    published and names nobody. 4. The same decision in force: it is returned and nothing is written; another in force
    must be the one that is replaced. 5. The row and its audit entry.
    """
    asked = ContestGiven(**given)
    AuditHead.objects.select_for_update().get(event=stage.event_id)
    live = live_podium(stage)
    contest, standing = live.contest(of, asked.tied)
    if contest is None or contest.places != asked.places or len(set(asked.tied)) != len(asked.tied):
        raise contest_changed(stage, live)
    if not live.is_over:
        raise Refused("final_not_over", _("The final is not over: nobody is level for good before every sheet is in."))
    row = _row(stage, of, live, contest, asked, by)
    if standing and _says(standing) == _says(row):
        return standing
    if standing and standing.pk != asked.replaces:
        raise Refused(
            "already_decided", _("This tie has been decided already. Look at that decision before you replace it.")
        )
    row.save(force_insert=True)
    audit.record(
        stage.event,
        by,
        "decide_contest",
        f"stage {stage.kind}",
        digest=("", contest_digest(row)),
        reason=contest_line(row),
        at=row.at,
    )
    return row


def contest_changed(about: Stage, current: object) -> StaleVersion:
    """Those level, or the places they contest, are others than were decided."""
    return StaleVersion(
        "contest_changed",
        _("Who contests the place has changed since this page was opened: nothing was recorded. Look again."),
        about=about,
        current=current,
    )


def contest_digest(decision: ContestDecision) -> str:
    """Of one decision, all of it but its witnesses, who are people."""
    names = ("of", "tied", "places", "order", "play_off", "method", "reason", "seed")
    return audit.digest_of([getattr(decision, name) for name in names])


def contest_line(decision: ContestDecision) -> str:
    """The decision for the audit log: what, how, in which order, why, by which seed."""
    order = " ".join(decision.order)
    seed = f" Seed: {decision.seed}." if decision.seed else ""
    about = f"{decision.of} {decision.method}: {order} of {' '.join(decision.tied)}"
    return f"{about} for {decision.places} places. {decision.reason}{seed}"[:LONGEST_LINE]


def _row(
    stage: Stage, of: str, live: LivePodium, contest: Contest, asked: ContestGiven, by: AbstractUser
) -> ContestDecision:
    """The decision as a row not saved yet; refuses what cannot stand."""
    people = people_of(live, of, contest.ids)
    games = games_of(asked.games, {one.number for one in people}) if asked.method == TieMethod.PLAY_OFF else []
    row = ContestDecision(
        stage=stage,
        of=of,
        tied=list(contest.ids),
        places=contest.places,
        order=list(_order(live, of, contest, asked, games)),
        play_off=games,
        method=asked.method,
        reason=published_reason(asked.reason, people),
        witnesses=asked.witnesses.strip(),
        seed=asked.seed if asked.method == TieMethod.LOTS else "",
        by=by,
        at=timezone.now(),
    )
    if asked.method == TieMethod.LOTS and not row.witnesses:
        raise BadInput("witnesses_missing", _("Lots are drawn before witnesses: write down who they were."))
    return row


def people_of(live: LivePodium, of: str, ids: Collection[str]) -> list[RankedEntrant | FamilyMember]:
    """The entrants whom a contest is about: of the award both members of each family."""
    if of == ContestOf.AWARD:
        return [member for code in ids for member in live.families[code].members]
    entrants = live.entrants
    return [entrants[id] for id in ids]


Games = Sequence[Sequence[Mapping[str, int]]]


def _order(live: LivePodium, of: str, contest: Contest, asked: ContestGiven, games: Games) -> tuple[str, ...]:
    """The order by this method; refuses one that decides nothing, or other than its lots or games do."""
    if asked.method == TieMethod.LOTS:
        if not asked.seed.strip():
            raise BadInput("seed_missing", _("Lots need a seed that is written down before the draw."))
        order = draw_lots(contest.ids, len(contest.ids), asked.seed)
    elif asked.method == TieMethod.PLAY_OFF:
        order = _played(live, of, contest, asked, games)
    elif asked.method == TieMethod.PICK:
        order = tuple(asked.order)
    else:
        raise BadInput("wrong_method", _("A place is decided by a play-off, by lots or by the chief judge's choice."))
    if tuple(asked.order) != order[: len(asked.order)]:
        raise _other_order()
    try:
        return rule_contest(contest, order).order
    except Refusal as refusal:
        raise BadInput(
            "wrong_order_of_contest",
            _("Write at least the first in the order; it holds each of those level at most once and nobody else."),
            about=refusal,
        ) from refusal


def _played(live: LivePodium, of: str, contest: Contest, asked: ContestGiven, games: Games) -> tuple[str, ...]:
    """The order that the games of a play-off give (scoring.podium); refuses games that leave all of them level."""
    if not games:
        raise BadInput("play_off_missing", _("Write down the games of the play-off: they give the order."))
    rules, tallies = play_off_rules(live.ranking.ruleset, of), _tallies(live, of, contest, games)
    most = max(tally.games for tally in tallies)
    through = [tally for tally in tallies if tally.games == most]
    if any(0 < tally.games < most for tally in tallies):
        return _given(asked, order_by_play_off(rules, _among(contest, through), through), through)
    order = order_by_play_off(rules, contest, tallies)
    if not order:
        raise BadInput(
            "play_off_level",
            _("These games leave nobody first. Let them play on, or decide by lots or by choice."),
        )
    return order


def _among(contest: Contest, tallies: Sequence[Tally]) -> Contest:
    """The contest between these alone."""
    return dataclasses.replace(contest, ids=tuple(tally.id for tally in tallies))


def _given(asked: ContestGiven, played: tuple[str, ...], through: Collection[Tally]) -> tuple[str, ...]:
    """The order as the chief judge gives it, those who played it `through` in the order of their games."""
    if not asked.order:
        raise BadInput(
            "play_off_uneven",
            _("Not all have played as many games: give the order too. Who left stands after all who played on."),
        )
    ids = {tally.id for tally in through}
    among = tuple(id for id in asked.order if id in ids)
    if among[: len(played)] != played[: len(among)]:
        raise _other_order()
    return tuple(asked.order)


def _other_order() -> BadInput:
    return BadInput("not_this_order", _("This seed or these games give another order: leave the order to them."))


def play_off_rules(ruleset: Ruleset, of: str) -> Ruleset:
    """The ruleset for a play-off: its own order, of the award that of families, over as many games as it took."""
    order = ruleset.family_order if of == ContestOf.AWARD else ruleset.order
    return dataclasses.replace(ruleset, games=None, order=order)


def _tallies(live: LivePodium, of: str, contest: Contest, games: Games) -> list[Tally]:
    """The games summed by id; none for who did not come."""
    owner = {one.number: id for id in contest.ids for one in people_of(live, of, [id])}
    lines = [line for game in games for line in game]
    return [_tally(id, [line for line in lines if owner[line["entrant"]] == id]) for id in contest.ids]


def _tally(id: str, lines: Sequence[Mapping[str, int]]) -> Tally:
    points: Iterable[Fraction] = (from_twelfths(line["points_twelfths"]) for line in lines)
    wins, tiles = (sum(line[name] for line in lines) for name in ("win", "tiles"))
    return Tally(id, len(lines), wins, sum(points, ZERO), tiles)


SAID = ("of", "tied", "places", "order", "play_off", "method", "reason", "witnesses", "seed")


def _says(decision: ContestDecision) -> tuple[object, ...]:
    """What two equal decisions have in common."""
    return tuple(getattr(decision, name) for name in SAID)
