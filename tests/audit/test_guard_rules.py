"""What each guard of a sheet and of its parts refuses, condition by condition; the same text runs on PostgreSQL."""

from itertools import permutations
from typing import Any

import pytest

from tests.audit.loose_tables import LooseTables
from tournament.core.acts import SHEET_TRANSITIONS
from tournament.core.enums import SheetState

LOCKED = ("signed", "certified")
# What hangs on a sheet, by the column that says on which; parent 1 is locked, 2 and 3 are open.
PARENTS = {
    "game": "scoresheet_id",
    "signature": "scoresheet_id",
    "line": "game_id",
    "turn": "line_id",
    "drawing": "signature_id",
    "seat": "table_id",
    "doubleentry": "scoresheet_id",
}
NEVER = "a locked scoresheet never changes"
PART = "a part of a locked scoresheet never changes"


def sheet(number: int, state: str = "ready", **more: Any) -> dict[str, Any]:
    return {"id": number, "table_id": number, "version": 1, "revision": 5, "state": state, "digest": "d"} | more


def sheets_with_parts(state: str) -> dict[str, list[dict[str, Any]]]:
    """One locked in this state, two open."""
    parts = {table: [{"id": number, column: number} for number in (1, 2)] for table, column in PARENTS.items()}
    for table in ("game", "signature"):
        parts[table].append({"id": 3, "scoresheet_id": 3})
    parts["line"].append({"id": 3, "game_id": 3})
    return {"scoresheet": [sheet(1, state), sheet(2), sheet(3)], **parts}


@pytest.mark.parametrize("state", LOCKED)
@pytest.mark.parametrize("part", PARENTS)
def test_nothing_is_added_to_changed_in_or_taken_from_a_locked_sheet(part: str, state: str) -> None:
    tables, parent = LooseTables(sheets_with_parts(state)), PARENTS[part]
    assert tables.insert(part, id=9, **{parent: 1}) == "nothing is added to a locked scoresheet"
    assert tables.insert(part, id=1, **{parent: 2}) == "a locked row is not replaced"
    assert [tables.update(part, id=9), tables.update(part, **{parent: 2}), tables.update(part, 2, id=9)] == [PART] * 3
    assert tables.update(part, 2, **{parent: 1}) == "nothing moves to a locked scoresheet"
    assert tables.delete(part) == "nothing is taken from a locked scoresheet"


@pytest.mark.parametrize("part", PARENTS)
def test_the_parts_of_an_open_sheet_are_free(part: str) -> None:
    tables, parent = LooseTables(sheets_with_parts("signed")), PARENTS[part]
    done = [tables.insert(part, id=9, **{parent: 2}), tables.update(part, 2, **{parent: 3}), tables.delete(part, 2)]
    assert done == ["", "", ""]
    assert tables.insert(part, id=2, **{parent: 3}) == "no guard"


def drawn(finished_at: str | None = None, event: int = 1) -> LooseTables:
    """A drawing of a signed sheet, while the personal data of an event is being erased."""
    row = {"id": 1, "signature_id": 1, "strokes": b"x", "salt": "s", "digest": "d", "claimed_at": "c"}
    return LooseTables(
        {
            **{"scoresheet": [sheet(1, "signed")], "signature": [{"id": 1, "scoresheet_id": 1}], "drawing": [row]},
            **{"table": [{"id": 1, "session_id": 1}], "session": [{"id": 1, "stage_id": 1}]},
            "stage": [{"id": 1, "event_id": 1}],
            "erasure": [{"id": 1, "event_id": event, "finished_at": finished_at}],
        }
    )


def test_an_erasure_takes_strokes_and_salt_of_a_drawing_and_nothing_else() -> None:
    blank: dict[str, Any] = {"strokes": b"", "salt": ""}
    assert drawn().update("drawing", **blank) == ""
    more: tuple[dict[str, Any], ...] = ({"digest": "e"}, {"claimed_at": None}, {"signature_id": 2}, {"id": 2})
    for changed in ({"strokes": b""}, {"salt": ""}, *(blank | one for one in more)):
        assert drawn().update("drawing", **changed) == PART
    assert [drawn("then").update("drawing", **blank), drawn(event=2).update("drawing", **blank)] == [PART] * 2


@pytest.mark.parametrize("state", LOCKED)
def test_the_version_that_counts_is_a_locked_sheet_of_its_table_and_is_swapped_only(state: str) -> None:
    later = sheet(5, state, table_id=1, version=2)
    listed = [sheet(1, state), sheet(2), sheet(4, state), later, sheet(6, state)]
    counts = [{"id": 1, "table_id": 1, "scoresheet_id": 1}, {"id": 2, "table_id": 7, "scoresheet_id": 6}]
    tables = LooseTables({"scoresheet": listed, "officialsheet": counts})
    wrong, there = "only a locked scoresheet of the table counts", "the table has a version that counts"
    given = [(9, 2, 2, wrong), (9, 4, 5, wrong), (1, 4, 4, there), (9, 1, 5, there), (9, 6, 6, there), (9, 4, 4, "")]
    for number, table, scoresheet, said in given:
        assert tables.insert("officialsheet", id=number, table_id=table, scoresheet_id=scoresheet) == said
    assert [tables.update("officialsheet", scoresheet_id=one) for one in (5, 2, 4)] == ["", wrong, wrong]
    moved = [tables.update("officialsheet", id=9), tables.update("officialsheet", table_id=4, scoresheet_id=4)]
    assert moved == ["it stays at its table"] * 2
    assert tables.delete("officialsheet") == "the version that counts is swapped, never removed"


@pytest.mark.parametrize("state", LOCKED)
def test_a_locked_sheet_is_neither_put_there_nor_replaced_changed_or_deleted(state: str) -> None:
    tables = LooseTables({"scoresheet": [sheet(1, state), sheet(2)]})
    locks = "a scoresheet locks by a move from ready, with its signatures"
    assert tables.insert("scoresheet", **sheet(9, state)) == locks
    kept = [sheet(1, table_id=9), sheet(9, table_id=1)]
    assert [tables.insert("scoresheet", **one) for one in kept] == ["a locked scoresheet is not replaced"] * 2
    assert [
        tables.insert("scoresheet", **sheet(9, table_id=1, version=2)),
        tables.insert("scoresheet", **sheet(9)),
    ] == [
        "",
        "",
    ]
    assert tables.insert("scoresheet", **sheet(9, table_id=2)) == ""
    assert tables.insert("scoresheet", **sheet(9, version=1, table_id=8)) == ""
    assert tables.insert("scoresheet", **sheet(2, table_id=9)) == "no guard"
    assert [tables.update("scoresheet", revision=6), tables.update("scoresheet", state="ready")] == [NEVER] * 2
    assert [tables.delete("scoresheet"), tables.delete("scoresheet", 2)] == ["a locked scoresheet is not deleted", ""]


def test_an_open_sheet_keeps_table_and_version_and_its_revision_never_falls() -> None:
    tables = LooseTables({"scoresheet": [sheet(1)]})
    for changed in ({"id": 9}, {"table_id": 9}, {"version": 2}):
        assert tables.update("scoresheet", **changed) == "a scoresheet stays at its table and keeps its version"
    assert [tables.update("scoresheet", revision=one) for one in (4, 5, 6)] == ["a revision never falls", "", ""]


@pytest.mark.parametrize(("before", "after"), [*permutations([one for one in SheetState if one not in LOCKED], 2)])
def test_an_open_sheet_moves_only_as_the_table_of_acts_says(before: str, after: str) -> None:
    said = "" if (before, after) in SHEET_TRANSITIONS else "not a move of a scoresheet"
    assert LooseTables({"scoresheet": [sheet(1, before)]}).update("scoresheet", state=after) == said


# --- Locking --------------------------------------------------------------------------------------------
SIGNED = {"scoresheet_id": 1, "digest": "d", "present": 1, "superseded_at": None, "chief_judge_id": None}
SEATS = {"A": 11, "B": 12}
UNSIGNED = "locked before every seat has signed these values"
FOREIGN = "locked with a signature of other values"
UNDRAWN = "signed without a drawn signature"


def lock(state: str = "signed", *, b: Any = (), more: Any = None, drawn: Any = (1, 2), **given: Any) -> str:
    """Lock a sheet that A and B have signed, where `b` changes B's signature and `more` is one besides; C withdrew."""
    signatures = [
        {"id": number, "letter": letter, "entrant_id": SEATS[letter], **SIGNED}
        for number, letter in ((1, "A"), (2, "B"))
    ]
    signatures[1] |= dict(b)
    seats = [
        {"id": one, "table_id": 1, "letter": letter, "entrant_id": 10 + one}
        for one, letter in ((1, "A"), (2, "B"), (3, "C"))
    ]
    seats.append({"id": 4, "table_id": 2, "letter": "A", "entrant_id": 14})
    status = {11: "ok", 12: "ok", 13: "withdrawn", 14: "ok"}
    rows = {
        "scoresheet": [sheet(1, given.pop("before", "ready"), version=given.pop("version", 1), locked_at=None)],
        "seat": seats,
        "entrant": [{"id": one, "status": said} for one, said in status.items()],
        "signature": [*signatures, *([{"id": 3, "letter": "Z", "entrant_id": 99, **SIGNED, **more}] if more else [])],
        "drawing": [{"id": one, "signature_id": one} for one in drawn],
        "correction": given.pop("corrections", []),
    }
    return LooseTables(rows).update("scoresheet", **{"state": state, "locked_at": "now", "digest": "d"} | given)


@pytest.mark.parametrize("state", LOCKED)
def test_a_sheet_locks_from_ready_with_its_digest_and_every_signature_of_these_values(state: str) -> None:
    assert lock(state) == ""
    assert [lock(state, digest=""), lock(state, locked_at=None)] == ["locked without a digest"] * 2
    other: tuple[dict[str, Any], ...] = (
        *({"scoresheet_id": 2}, {"letter": "C"}, {"entrant_id": 13}, {"digest": "e"}, {"superseded_at": "then"}),
        {"present": 0},
    )
    assert [lock(state, b=one) for one in other] == [UNSIGNED] * len(other)
    assert lock(state, b={"present": 0, "chief_judge_id": 7}, drawn=(1,)) == ""


@pytest.mark.parametrize("state", LOCKED)
def test_a_signature_of_other_values_holds_it_up_unless_it_was_superseded(state: str) -> None:
    assert lock(state, more={"digest": "e"}) == FOREIGN
    assert lock(state, more={"digest": "e", "superseded_at": "then"}) == ""
    assert lock(state, more={"digest": "e", "scoresheet_id": 2}) == ""


def test_signed_needs_each_signature_drawn_and_certified_does_not() -> None:
    assert [lock(drawn=(1,)), lock(drawn=(2, 3)), lock("certified", drawn=())] == [UNDRAWN, UNDRAWN, ""]
    assert lock(more={"superseded_at": "then"}) == ""
    assert lock(more={"scoresheet_id": 2}) == ""


@pytest.mark.parametrize("state", LOCKED)
def test_a_later_version_locks_only_by_a_correction_that_another_account_approved(state: str) -> None:
    agreed = {"id": 1, "scoresheet_id": 1, "proposed_digest": "d", "proposed_by_id": 7, "approved_by_id": 8}
    assert lock(state, version=2, corrections=[agreed]) == ""
    other: tuple[dict[str, Any], ...] = (
        *({"scoresheet_id": 2}, {"proposed_digest": "e"}, {"abandoned_at": "then"}, {"approved_by_id": None}),
        {"approved_by_id": 7},
    )
    given = [[], *([agreed | one] for one in other)]
    assert [lock(state, version=2, corrections=one) for one in given] == ["a correction takes two accounts"] * 6


@pytest.mark.parametrize("before", [one for one in SheetState if one not in LOCKED])
def test_a_sheet_locks_only_from_the_states_that_an_act_leads_from(before: str) -> None:
    said = {one: "" if (before, one) in SHEET_TRANSITIONS else "not a move of a scoresheet" for one in LOCKED}
    assert {one: lock(one, before=before) for one in LOCKED} == said
