"""A release's frozen content: canonical, whole numbers and text alone, so that its digest is the same on every
machine."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import timezone

from scoring.ranking import NOT_PLAYED
from tournament.bridge.qualification import LiveCut
from tournament.bridge.standings import RankedEntrant, entrant_id
from tournament.enums import Role
from tournament.models import Stage, TieDecision
from tournament.names import public_name
from tournament.quantities import TWELFTHS
from tournament.queries.release import CountedSheet

# 2: the games of each entrant. 3: a decision's order and play-off, and the decisions of reserve places.
# 4: the rounds of a stage, and of a final its podium and award.
# 5: one masked name a person (`name`) instead of two side by side; both names only where they stand in full. Of the
# award only the winner and families who agreed, and how many others; lots of families by 1, 2 ...
# Also 5: every draw of lots and every decision no longer in force (bridge/release_decisions.py), and who agreed;
# of who has no rank only whether no game was played.
CANON_VERSION = 5
NO_RANK = "no_rank"

Content = dict[str, Any]

# What names this release and not what it says: two releases that differ in these alone say the same.
OWN = ("number", "released_at", "audit")


@dataclass(frozen=True, slots=True)
class ChangedSheet:
    """A table's sheet that is another than a release has read: the versions then and now, None where there is none."""

    session: str
    table: int
    before: int | None
    now: int | None


def changed_sheets(before: Sequence[Sequence[Any]], now: Sequence[Sequence[Any]]) -> list[ChangedSheet]:
    """What differs between two lists of (session, table, version, digest), by session and table."""
    old, new = ({(sheet[0], sheet[1]): (sheet[2], sheet[3]) for sheet in sheets} for sheets in (before, now))
    return [
        ChangedSheet(*place, *(sheets[place][0] if place in sheets else None for sheets in (old, new)))
        for place in sorted({*old, *new})
        if old.get(place) != new.get(place)
    ]


def canonical(data: Any) -> bytes:
    """One spelling for one value: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def digest_of(data: Any) -> str:
    """SHA-256 of the canonical spelling, as hexadecimal."""
    return hashlib.sha256(canonical(data)).hexdigest()


def figures(content: Mapping[str, Any]) -> bytes:
    """What a release says, without its own number, hour and place in the audit log."""
    return canonical({key: value for key, value in content.items() if key not in OWN})


def moment(at: datetime) -> str:
    """A moment to the second in the event's zone: 2026-04-09T00:00:00+08:00."""
    return timezone.localtime(at).isoformat(timespec="seconds")


def fraction_text(value: Fraction | None) -> str | None:
    """`38/3`, `-5`; None where no number of games is fixed."""
    return None if value is None else str(value)


Games = Mapping[int, Mapping[int, tuple[int, int, int]]]


def games_by_entrant(
    lines: Iterable[tuple[int, int, int, int, int, int]], sessions: Sequence[int] = (), games: int | None = None
) -> Games:
    """By entrant's number and game: win, points in whole twelfths, tiles; from queries.standings.game_lines.

    `sessions`: the numbers of a stage's rounds in order, whose games, `games` each, count on from round to round.
    """
    before = {session: place * (games or 0) for place, session in enumerate(sessions)}
    found: dict[int, dict[int, tuple[int, int, int]]] = {}
    for entrant, session, game, *figures in lines:
        found.setdefault(entrant, {})[before.get(session, 0) + game] = (figures[0], figures[1], figures[2])
    return found


def freeze(
    stage: Stage,
    live: LiveCut,
    sheets: Sequence[CountedSheet],
    games: Games,
    *,
    number: int,
    at: datetime,
    audit: tuple[int, str],
    podium: Content | None = None,
    award: Content | None = None,
) -> Content:
    """The content of a release: public facts alone, names masked, points in whole twelfths, averages as fractions.

    `ranking` by rank, the admitted of a decided tie before the others of it, reserves in the order decided, those of
    the podium by their places, then by number for display alone. `podium` and `award` are of a final
    (bridge/release_podium.py) and hold the only names in full.
    """
    ruleset = live.ranking.ruleset
    advancing = {entrant.number for entrant in live.advancing}
    reserves = {entrant.number: [place, tied] for entrant, place, tied in live.reserves}
    places = {holder["number"]: holder["place"] for holder in podium["holders"]} if podium else {}
    ranked = sorted(
        live.ranking.ranked,
        key=lambda entrant: (
            entrant.rank,
            places.get(entrant.number, len(places) + 1),
            entrant.number not in advancing,
            reserves.get(entrant.number, [0])[0],
            entrant.number,
        ),
    )
    return {
        "canon": CANON_VERSION,
        "event": {"slug": stage.event.slug, "name_zh": stage.event.name_zh, "name_en": stage.event.name_en},
        "stage": stage.kind,
        "number": number,
        "released_at": moment(at),
        "audit": {"seq": audit[0], "hash": audit[1]},
        "sheets": {"count": len(sheets), "digest": digest_of([list(sheet) for sheet in sheets])},
        "order": list(ruleset.order),
        "games": ruleset.games,
        "rounds": stage.rounds,
        "average_over": ruleset.average_over,
        "places": live.ranking.places,
        "advancing": len(advancing),
        "decision": frozen_decision(live.decision) if live.decision else None,
        "reserve_decisions": [frozen_decision(decision) for decision in live.reserved_in_force],
        "ranking": [
            frozen_entrant(entrant, entrant.number in advancing, reserves.get(entrant.number))
            | {"games": frozen_games(games.get(entrant.number, {}), ruleset.games)}
            for entrant in ranked
        ],
        "unranked": [
            {"number": entrant.number, "because": published_because(entrant.because)}
            for entrant in sorted(live.ranking.unranked, key=lambda entrant: entrant.number)
        ],
        "podium": podium,
        "award": award,
    }


def published_because(because: str) -> str:
    """One word for no-show, withdrawn and disqualified: it is public for good, by a number that may be a child's. The
    desk keeps the reason."""
    return because if because == NOT_PLAYED else NO_RANK


def frozen_entrant(entrant: RankedEntrant, advancing: bool, reserve: list[Any] | None) -> Content:
    """One line of the ranking; `reserve` is the place in the queue and whether it is shared."""
    return {
        "number": entrant.number,
        "name": public_name(entrant.name_zh, entrant.name_en),
        "rank": entrant.rank,
        "tied": entrant.tied,
        "wins": entrant.wins,
        "points_twelfths": int(entrant.points * TWELFTHS),
        "average": fraction_text(entrant.average),
        "tiles": entrant.tiles,
        "table_size": entrant.table_size,
        "advancing": advancing,
        "reserve": reserve,
    }


def frozen_games(played: Mapping[int, tuple[int, int, int]], games: int | None) -> list[list[int] | None]:
    """[win, points in twelfths, tiles] of each game in order; None for one that was not played."""
    count = max([games or 0, *played])
    return [list(played[number]) if number in played else None for number in range(1, count + 1)]


def frozen_decision(decision: TieDecision) -> Content:
    """The decision as it is published: by role, with method and reason; witnesses are people and stay out."""
    return {
        "tied": [entrant_id(number) for number in sorted(decision.tied)],
        "places": decision.places,
        "admitted": [entrant_id(number) for number in decision.admitted],
        "order": [entrant_id(number) for number in decision.order],
        "play_off": [
            [[entrant_id(line["entrant"]), line["win"], line["points_twelfths"], line["tiles"]] for line in game]
            for game in decision.play_off
        ],
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "agreed": decision.agreed_by_id is not None,
        "at": moment(decision.at),
    }
