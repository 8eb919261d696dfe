"""What differs between two releases: across the line, corrected, moved by others; who stands as before is left out."""

from typing import Any

from tournament.publication.exports.differences import entrant_differences
from tournament.publication.exports.released import ReleasedRanking, read_release


def line(number: int, rank: int, wins: int, *, advancing: bool = False, **other: Any) -> dict[str, Any]:
    return {
        "number": number,
        "name": "李*",
        "rank": rank,
        "tied": False,
        "wins": wins,
        "points_twelfths": 0,
        "average": "0",
        "tiles": 0,
        "games": [],
        "table_size": 4,
        "advancing": advancing,
        "reserve": None,
        **other,
    }


def released(*lines: dict[str, Any], unranked: dict[int, str] | None = None) -> ReleasedRanking:
    gone = [{"number": number, "because": because} for number, because in (unranked or {}).items()]
    return read_release({"ranking": list(lines), "unranked": gone}, "0" * 64)


def said(older: ReleasedRanking, newer: ReleasedRanking) -> dict[str, list[tuple[int, str, str]]]:
    """Number, old place and new place by kind."""
    return {
        kind: [(one.number, one.old_place, one.new_place) for one in listed]
        for kind, listed in entrant_differences(older, newer).items()
    }


OLDER = released(line(1, 1, 3, advancing=True), line(2, 2, 2, advancing=True), line(3, 3, 1), line(4, 4, 0))


def test_the_same_release_differs_in_nothing() -> None:
    assert said(OLDER, OLDER) == {"crossed": [], "corrected": [], "moved": [], "named": []}


def test_a_corrected_sheet_moves_one_across_the_line_and_others_with_it() -> None:
    newer = released(line(3, 1, 3, advancing=True), line(1, 2, 3, advancing=True), line(2, 3, 2), line(4, 4, 0))
    assert said(OLDER, newer) == {
        "crossed": [(3, "3", "1"), (2, "2", "3")],
        "corrected": [],
        "moved": [(1, "1", "2")],
        "named": [],
    }
    found = entrant_differences(OLDER, newer)["crossed"]
    assert [(one.came_in, one.fell_out) for one in found] == [(True, False), (False, True)]


def test_figures_that_change_without_crossing_are_corrections() -> None:
    newer = released(
        line(1, 1, 3, advancing=True),
        line(2, 2, 2, advancing=True, tiles=4),
        line(3, 3, 1),
        line(4, 4, 0, name="陳*"),
    )
    found = said(OLDER, newer)
    assert (found["corrected"], found["named"]) == ([(2, "2", "2")], [(4, "4", "4")])


def test_who_is_no_longer_ranked_is_there_without_a_name() -> None:
    newer = released(
        line(1, 1, 3, advancing=True), line(3, 2, 1, advancing=True), line(4, 3, 0), unranked={2: "no_rank"}
    )
    assert said(OLDER, newer)["crossed"] == [(3, "3", "2"), (2, "2", "不列名次")]
    assert [one.name_markup for one in entrant_differences(OLDER, newer)["crossed"]] == ["李*", ""]


def test_who_is_entered_later_was_not_entered_before() -> None:
    newer = released(*[line(number, number, 4 - number, advancing=number < 3) for number in range(1, 6)])
    assert said(OLDER, newer)["corrected"][-1] == (5, "未報名", "5")
