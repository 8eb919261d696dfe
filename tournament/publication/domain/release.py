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

from scoring.ranking import UNRANKED_NOT_PLAYED
from tournament.core.enums import Role
from tournament.core.models.stage import Stage
from tournament.core.names import public_name
from tournament.core.numberformat import QUANTITY_TWELFTHS
from tournament.publication.queries.release import CountedSheet
from tournament.ranking.domain.standings import RankedEntrant, ranking_entrant_id
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.qualification import LiveQualification

# 1: one masked name a person (`name`), both names only where they stand in full. Of the award the winner and families
# who agreed, and how many others; lots of families by 1, 2 ... Every draw of lots and every decision no longer in force
# (publication/domain/decisions.py), and who agreed; of who has no rank only whether no game was played.
RELEASE_CANON_VERSION = 1
NO_RANK_CODE = "no_rank"

# Where its sheets count turns: of the tiles left only the jokers are known.
TURN_SHEET = "turns"

ReleaseContent = dict[str, Any]

# What names this release and not what it says: two releases that differ in these alone say the same.
RELEASE_OWN_KEYS = ("number", "released_at", "audit")


@dataclass(frozen=True, slots=True)
class ChangedSheetVersions:
    """A table's sheet that is another than a release has read: the versions then and now, None where there is none."""

    session: str
    table: int
    before: int | None
    now: int | None


def changed_sheets(before: Sequence[Sequence[Any]], now: Sequence[Sequence[Any]]) -> list[ChangedSheetVersions]:
    """What differs between two lists of (session, table, version, digest), by session and table."""
    old, new = ({(sheet[0], sheet[1]): (sheet[2], sheet[3]) for sheet in sheets} for sheets in (before, now))
    return [
        ChangedSheetVersions(*place, *(sheets[place][0] if place in sheets else None for sheets in (old, new)))
        for place in sorted({*old, *new})
        if old.get(place) != new.get(place)
    ]


def canonical_json_bytes(data: Any) -> bytes:
    """One spelling for one value: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def canonical_digest(data: Any) -> str:
    """SHA-256 of the canonical spelling, as hexadecimal."""
    return hashlib.sha256(canonical_json_bytes(data)).hexdigest()


def release_figures_bytes(content: Mapping[str, Any]) -> bytes:
    """What a release says, without its own number, hour and place in the audit log."""
    return canonical_json_bytes({key: value for key, value in content.items() if key not in RELEASE_OWN_KEYS})


def event_zone_text(at: datetime) -> str:
    """A moment to the second in the event's zone: 2026-04-09T00:00:00+08:00."""
    return timezone.localtime(at).isoformat(timespec="seconds")


def fraction_text(value: Fraction | None) -> str | None:
    """`38/3`, `-5`; None where no number of games is fixed."""
    return None if value is None else str(value)


GamesByEntrant = Mapping[int, Mapping[int, tuple[int, int, int]]]


def games_by_entrant(
    lines: Iterable[tuple[int, int, int, int, int, int]], sessions: Sequence[int] = (), games: int | None = None
) -> GamesByEntrant:
    """By entrant's number and game: win, points in whole twelfths, tiles; from queries.standings.game_lines.

    `sessions`: the numbers of a stage's rounds in order, whose games, `games` each, count on from round to round.
    """
    before = {session: place * (games or 0) for place, session in enumerate(sessions)}
    found: dict[int, dict[int, tuple[int, int, int]]] = {}
    for entrant, session, game, *figures in lines:
        found.setdefault(entrant, {})[before.get(session, 0) + game] = (figures[0], figures[1], figures[2])
    return found


TurnsByEntrant = Mapping[int, Mapping[int, Sequence[ReleaseContent]]]


def turns_by_entrant(
    rows: Iterable[tuple[int, int, int, int, str, str, bool, int]],
    sessions: Sequence[int] = (),
    games: int | None = None,
) -> TurnsByEntrant:
    """By entrant's number and game the turns with words; from queries.standings.laid_turns, counted on as games are."""
    before = {session: place * (games or 0) for place, session in enumerate(sessions)}
    found: dict[int, dict[int, list[ReleaseContent]]] = {}
    for entrant, session, game, *said in rows:
        turn = dict(zip(("turn", "own", "rearranged", "emptied", "points"), said, strict=True))
        found.setdefault(entrant, {}).setdefault(before.get(session, 0) + game, []).append(turn)
    return found


def freeze_release_content(
    stage: Stage,
    live: LiveQualification,
    sheets: Sequence[CountedSheet],
    games: GamesByEntrant,
    *,
    number: int,
    at: datetime,
    audit: tuple[int, str],
    turns: TurnsByEntrant | None = None,
    podium: ReleaseContent | None = None,
    award: ReleaseContent | None = None,
) -> ReleaseContent:
    """The content of a release: public facts alone, names masked, points in whole twelfths, averages as fractions.

    `ranking` by rank, the admitted of a decided tie before the others of it, reserves in the order decided, those of
    the podium by their places, then by number for display alone. `turns` are those of sheets that count turns, None
    where they count games. `podium` and `award` are of a final
    (publication/domain/podium.py) and hold the only names in full.
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
        "canon": RELEASE_CANON_VERSION,
        "event": {"slug": stage.event.slug, "name_zh": stage.event.name_zh, "name_en": stage.event.name_en},
        "stage": stage.kind,
        **({"stage_name": {"zh": stage.name_zh, "en": stage.name_en}} if stage.name_zh else {}),
        "number": number,
        "released_at": event_zone_text(at),
        "audit": {"seq": audit[0], "hash": audit[1]},
        "sheets": {"count": len(sheets), "digest": canonical_digest([list(sheet) for sheet in sheets])},
        "order": list(ruleset.order),
        "games": ruleset.games,
        **({"sheet": TURN_SHEET} if ruleset.counts_turns else {}),
        "rounds": stage.rounds,
        "average_over": ruleset.average_over,
        "places": live.ranking.places,
        "advancing": len(advancing),
        "decision": frozen_decision(live.decision) if live.decision else None,
        "reserve_decisions": [frozen_decision(decision) for decision in live.reserved_in_force],
        "ranking": [
            frozen_entrant(entrant, entrant.number in advancing, reserves.get(entrant.number))
            | {"games": frozen_games(games.get(entrant.number, {}), ruleset.games)}
            | frozen_turns(turns, entrant.number, games.get(entrant.number, {}))
            for entrant in ranked
        ],
        "unranked": [
            {"number": entrant.number, "because": published_unranked_reason(entrant.because)}
            for entrant in sorted(live.ranking.unranked, key=lambda entrant: entrant.number)
        ],
        "podium": podium,
        "award": award,
    }


def published_unranked_reason(because: str) -> str:
    """One word for no-show, withdrawn and disqualified: it is public for good, by a number that may be a child's. The
    desk keeps the reason."""
    return because if because == UNRANKED_NOT_PLAYED else NO_RANK_CODE


def frozen_entrant(entrant: RankedEntrant, advancing: bool, reserve: list[Any] | None) -> ReleaseContent:
    """One line of the ranking; `reserve` is the place in the queue and whether it is shared."""
    return {
        "number": entrant.number,
        "name": public_name(entrant.name_zh, entrant.name_en),
        "rank": entrant.rank,
        "tied": entrant.tied,
        "wins": entrant.wins,
        "points_twelfths": int(entrant.points * QUANTITY_TWELFTHS),
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


def frozen_turns(turns: TurnsByEntrant | None, number: int, played: Mapping[int, Any]) -> ReleaseContent:
    """The turns with words of each game that was played, in order; nothing where sheets count games."""
    if turns is None:
        return {}
    own = turns.get(number, {})
    return {"turns": [list(own.get(game, ())) for game in range(1, max(played, default=0) + 1)]}


def frozen_rulings(decision: TieBreak) -> ReleaseContent:
    """What the chief judge ruled of each game of a play-off, empty where nothing; no key where no game needed it."""
    rulings = [next((line["ruling"] for line in game if "ruling" in line), "") for game in decision.play_off]
    return {"play_off_rulings": rulings} if any(rulings) else {}


def frozen_decision(decision: TieBreak) -> ReleaseContent:
    """The decision as it is published: by role, with method and reason; witnesses are people and stay out."""
    return {
        "tied": sorted(decision.tied),
        "places": decision.places,
        "admitted": list(decision.admitted),
        "order": list(decision.order),
        "play_off": [
            [
                [ranking_entrant_id(line["entrant"]), line["win"], line["points_twelfths"], line["tiles"]]
                for line in game
            ]
            for game in decision.play_off
        ],
        **frozen_rulings(decision),
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "agreed": decision.agreed_by_id is not None,
        "at": event_zone_text(decision.at),
    }
