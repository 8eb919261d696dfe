"""The chief judge's decision between equals on the podium or for the award (R39, R40, R46): who, how and why."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.decision import draw_lots
from scoring.podium import Contest
from scoring.podium import decide_contest as rule_contest
from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.podium_families import FamilyMember, lots_of
from tournament.bridge.standings import RankedEntrant
from tournament.enums import ContestOf, TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, ContestDecision, LotsAnnouncement, Proposal, Stage
from tournament.quantities import entrant_number_text
from tournament.services import audit, lots
from tournament.services.play_off import Games, games_of, order_played, other_order
from tournament.services.qualification import (
    LONGEST_LINE,
    already_decided,
    pass_decision,
    payload_of,
    second_of,
    witnesses_missing,
)
from tournament.services.second_person import Second, agreed, propose, takes_two

Asked = Sequence[Mapping[str, Any]]
DECIDE = "decide_contest"
METHODS = (TieMethod.PLAY_OFF, TieMethod.LOTS, TieMethod.PICK, TieMethod.HAND_LOTS)


@dataclass(frozen=True, slots=True)
class ContestGiven:
    """What the chief judge gives. Ids are entrants' numbers with four digits, of the award those of pairs.

    `order` is strict, from the first, as far as it was decided: a choice (`pick`) and lots drawn by hand need one.
    `lots` are drawn here from the announced head of the log and `value` (services/lots.py) and order all of them; a
    `play_off` is ordered by its `games` (services/play_off.py; of the award a member's). Of both the order may be left
    out, and is refused where it says otherwise.
    """

    tied: Sequence[str]
    places: int
    method: str
    reason: str
    order: Sequence[str] = ()
    games: Sequence[Mapping[str, Any]] = ()
    witnesses: str = ""
    value: str = ""
    replaces: int | None = None
    words_confirmed: str = ""


@transaction.atomic
def decide_contest(
    stage: Stage, *, of: str, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> ContestDecision | Proposal:
    """Record who of those who contest a place stands before whom; `of` a ContestOf, `given` as ContestGiven.

    What takes two is proposed, and recorded when another account agrees (services/decisions.py), with `second`.

    1. The event's audit head is the lock: one decision at a time. 2. The contest must stand as it was shown (412), and
    the final must be over (409): until then nobody is level for good. 3. The method's own conditions; what is
    published names nobody. 4. The same decision in force: it is returned and nothing is written; another in force must
    be the one that is replaced. 5. The row and its audit entry.
    """
    asked = ContestGiven(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    live, contest, standing = contested(stage, of, asked.tied, asked.places)
    passed = pass_decision(stage, asked)
    row = _row(stage, of, live, contest, asked, by, now or timezone.now())
    if standing and _says(standing) == _says(row):
        return standing
    if standing and standing.pk != asked.replaces:
        raise already_decided()
    if second is None and takes_two(stage, of, contest.ids, row.method):
        return propose(stage, DECIDE, of, payload_of(asked), ids=contest.ids, by=by, order=row.order)
    if second is not None:
        agreed(stage, of, second, ids=contest.ids, places=contest.places)
        row.agreed_by = second.by
    row.save(force_insert=True)
    thing, digest = f"stage {stage.kind}", contest_digest(row)
    audit.record(stage.event, by, "decide_contest", thing, digest=("", digest), reason=contest_line(row), at=row.at)
    passed.record(stage.event, by, thing)
    return row


def contested(
    stage: Stage, of: str, tied: Sequence[str], places: int
) -> tuple[LivePodium, Contest, ContestDecision | None]:
    """The contest between exactly these, with the decision in force about it, once the final is over."""
    live = live_podium(stage)
    contest, standing = live.contest(of, tied)
    if contest is None or contest.places != places or len(set(tied)) != len(tied):
        raise contest_changed(stage, live)
    if not live.is_over:
        raise Refused("final_not_over", _("The final is not over: nobody is level for good before every sheet is in."))
    return live, contest, standing


@transaction.atomic
def announce_contest_lots(
    stage: Stage, *, of: str, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> LotsAnnouncement | Proposal:
    """Announce lots for those who contest a place; `given` as services.lots.LotsGiven."""
    asked = lots.LotsGiven(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    _live, contest, _standing = contested(stage, of, list(asked.tied), asked.places)
    return lots.announce(stage, of, contest.ids, asked, by=by, second=second, now=now)


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
    second = [decision.agreed_by_id] if decision.agreed_by_id else []
    return audit.digest_of([*(getattr(decision, name) for name in names), *second])


def contest_line(decision: ContestDecision) -> str:
    """The decision for the audit log: what, how, in which order, why, by which seed."""
    order = " ".join(decision.order)
    seed = f" Seed: {decision.seed}." if decision.seed else ""
    about = f"{decision.of} {decision.method}: {order} of {' '.join(decision.tied)}"
    return f"{about} for {decision.places} places. {decision.reason}{seed}{second_of(decision)}"[:LONGEST_LINE]


def _row(
    stage: Stage, of: str, live: LivePodium, contest: Contest, asked: ContestGiven, by: AbstractUser, now: datetime
) -> ContestDecision:
    """The decision as a row not saved yet; refuses what cannot stand."""
    games, seed = [], ""
    if asked.method == TieMethod.PLAY_OFF:
        among = {one.number for one in players_of(live, of, contest.ids)}
        refuse_shared(among, people_of(live, of, contest.ids), asked.games)
        games = games_of(live.ranking.ruleset, asked.games, among)
    if asked.method in (TieMethod.LOTS, TieMethod.HAND_LOTS) and not asked.witnesses.strip():
        raise witnesses_missing()
    if asked.method == TieMethod.LOTS:
        seed = lots.seed_of_value(stage, of, contest.ids, contest.places, asked.value, now)
    return ContestDecision(
        stage=stage,
        of=of,
        tied=list(contest.ids),
        places=contest.places,
        order=list(_order(live, of, contest, asked, games, seed)),
        play_off=games,
        method=asked.method,
        reason=asked.reason.strip(),
        witnesses=asked.witnesses.strip(),
        seed=seed,
        by=by,
        at=now,
    )


def people_of(live: LivePodium, of: str, ids: Collection[str]) -> list[RankedEntrant | FamilyMember]:
    """The entrants whom a contest is about: of the award both members of each pair."""
    if of == ContestOf.AWARD:
        return [member for id in ids for member in live.families[id].members]
    entrants = live.entrants
    return [entrants[id] for id in ids]


def players_of(live: LivePodium, of: str, ids: Collection[str]) -> list[RankedEntrant | FamilyMember]:
    """Who may play it off, nobody where a pair would have no player: the games of one who belongs to several of the
    pairs would not say which is ahead."""
    belongs = Counter(one.number for one in people_of(live, of, ids))
    players = [[one for one in people_of(live, of, [id]) if belongs[one.number] == 1] for id in ids]
    return [one for each in players for one in each] if all(players) else []


def refuse_shared(players: Collection[int], people: Collection[RankedEntrant | FamilyMember], asked: Asked) -> None:
    """Games of one of the people who is none of the players."""
    shared = {one.number for one in people} - set(players)
    for number in sorted(line["entrant"] for game in asked for line in game["lines"]):
        if number in shared:
            raise BadInput(
                "plays_for_several",
                _("Entrant %(number)s belongs to several of these pairs: let the other of each play, or draw lots."),
                number=entrant_number_text(number),
            )


def _order(
    live: LivePodium, of: str, contest: Contest, asked: ContestGiven, games: Games, seed: str
) -> tuple[str, ...]:
    """The order by this method; refuses one that decides nothing, or other than its lots or games do."""
    if asked.method == TieMethod.LOTS:
        order = _drawn(of, contest, seed)
    elif asked.method == TieMethod.PLAY_OFF:
        owner = {one.number: id for id in contest.ids for one in people_of(live, of, [id])}
        order = order_played(play_off_rules(live.ranking.ruleset, of), contest, games, asked.order, owner)
    elif asked.method in (TieMethod.PICK, TieMethod.HAND_LOTS):
        order = tuple(asked.order)
    else:
        raise BadInput("wrong_method", _("A place is decided by a play-off, by lots or by the chief judge's choice."))
    if tuple(asked.order) != order[: len(asked.order)]:
        raise other_order()
    try:
        return rule_contest(contest, order).order
    except Refusal as refusal:
        raise BadInput(
            "wrong_order_of_contest",
            _("Write at least the first in the order; it holds each of those level at most once and nobody else."),
            about=refusal,
        ) from refusal


def _drawn(of: str, contest: Contest, seed: str) -> tuple[str, ...]:
    """All of them by the lots; families under texts that say nothing of them."""
    texts = lots_of(contest.ids) if of == ContestOf.AWARD else {id: id for id in contest.ids}
    ids = {text: id for id, text in texts.items()}
    return tuple(ids[text] for text in draw_lots(list(ids), len(ids), seed))


def play_off_rules(ruleset: Ruleset, of: str) -> Ruleset:
    """The ruleset for a play-off: its own order, of the award that of families."""
    return dataclasses.replace(ruleset, order=ruleset.family_order) if of == ContestOf.AWARD else ruleset


SAID = ("of", "tied", "places", "order", "play_off", "method", "reason", "witnesses", "seed")


def _says(decision: ContestDecision) -> tuple[object, ...]:
    """What two equal decisions have in common."""
    return tuple(getattr(decision, name) for name in SAID)
