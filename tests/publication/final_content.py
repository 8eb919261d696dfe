"""The content of a final's release, invented: twelve finalists over three rounds, a podium, one family of two."""

from fractions import Fraction
from typing import Any

from scoring.ruleset import PRESETS
from tournament.publication.domain.release import canonical_digest
from tournament.publication.exports.released import ReleasedRanking, read_release

STEPS = [*PRESETS["hk-2026"].family_order, "better_rank", "other_rank"]
DECISION = {
    "tied": ["0101", "0102"],
    "places": 2,
    "order": ["0102", "0101"],
    "drawn_as": [],
    "play_off": [[["0101", 0, -240, 3], ["0102", 1, 240, 0]]],
    "method": "play_off",
    "reason": "One game.",
    "seed": "",
    "by": "chief_judge",
    "at": "2026-04-11T17:30:00+08:00",
}


def content(*, count: int = 12, **changes: Any) -> dict[str, Any]:
    """0101 and 0102 are level at the top and were parted by a game; 0103 is third, alone masked."""
    return {
        "canon": 1,
        "event": {"slug": "hk-2026", "name_zh": "第一屆香港魔力橋公開賽", "name_en": "Hong Kong Rummikub Open"},
        "stage": "final",
        "number": 3,
        "released_at": "2026-04-11T18:00:00+08:00",
        "audit": {"seq": 7, "hash": "a" * 64},
        "sheets": {"count": 9, "digest": "b" * 64},
        "order": ["wins", "average", "tiles"],
        "games": 9,
        "rounds": 3,
        "average_over": "games",
        "places": 0,
        "advancing": 0,
        "decision": None,
        "reserve_decisions": [],
        "lots": [],
        "earlier_decisions": [],
        "ranking": [line(place) for place in range(count)],
        "unranked": [{"number": 9001, "because": "no_rank"}],
        "podium": {
            "holders": [
                holder(1, 102, "鄭𠮷雄", "CHENG Kat Hung", decided=True),
                holder(2, 101, "", "D'SOUZA Maria Luisa", decided=True),
                {"place": 3, "decided": False, "number": 103, "name": "陳*文"},
            ],
            "decisions": [DECISION],
        },
        "award": {
            "order": STEPS,
            "winner": {
                "child": named(104, "李小明", "LEE Siu Ming"),
                "parent": named(105, "李大文", "LEE Tai Man"),
                "decided": False,
            },
            "families": [family(104, 105, 1, 8), family(106, 107, 2, 6)],
            "others": 1,
            "decisions": [],
        },
        **changes,
    }


def line(place: int) -> dict[str, Any]:
    twelfths = 700 - 31 * max(place, 1)
    return {
        "number": 101 + place,
        "name": "陳*文",
        "rank": 1 if place < 2 else place + 1,
        "tied": place < 2,
        "wins": max(0, 7 - max(place, 1)),
        "points_twelfths": twelfths,
        "average": str(Fraction(twelfths, 108)),
        "tiles": 40 + place,
        "table_size": 4,
        "advancing": False,
        "reserve": None,
        "games": [[1, 120, 0], [0, -60, 3], None] * 3,
    }


def named(number: int, zh: str, en: str) -> dict[str, Any]:
    return {"number": number, "name_zh": zh, "name_en": en}


def holder(place: int, number: int, zh: str, en: str, *, decided: bool = False) -> dict[str, Any]:
    return {"place": place, "decided": decided, **named(number, zh, en)}


def family(child: int, parent: int, rank: int, wins: int) -> dict[str, Any]:
    return {
        "child": child,
        "parent": parent,
        "rank": rank,
        "tied": False,
        "wins": wins,
        "points_twelfths": 1000,
        "average": str(Fraction(1000, 108)),
        "tiles": 90 + rank,
        "better_rank": child - 100,
        "other_rank": parent - 100,
    }


def released(**changes: Any) -> ReleasedRanking:
    data = content(**changes)
    return read_release(data, canonical_digest(data))
