"""A correction of a locked sheet through the API, from its beginning to the version that counts."""

from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.operations.sheets import REASON, certified, path_of, with_other_tiles
from tournament.sheets.models.signing import OfficialSheet
from tournament.tables.models import Table

CORRECTION = path_of(1, "correction/")


def typed_anew(typist: Caller) -> None:
    """The new version with other tiles, handed on: revision 3."""
    body = {"form": "paper", "typed": with_other_tiles()}
    draft = typist.change(path_of(), body, method="PUT", seen=1)
    notes = {one["key"]: REASON for one in draft.json()["problems"]}
    ready = typist.change(path_of(1, "ready/"), {"confirmations": notes}, seen=2)
    assert ready.status_code == 200, ready.content


def test_a_correction_is_begun_shown_proposed_and_approved_by_two(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User, chief_judge: User
) -> None:
    certified(Caller(clerk), Caller(second_clerk))
    begun = Caller(clerk).change(CORRECTION, {"reason": "tiles of A"})
    assert (begun.status_code, begun.json()["version"], begun.json()["state"]) == (201, 2, "draft")
    typed_anew(Caller(clerk))
    shown = Caller(organiser).get(CORRECTION).json()
    assert [(one["where"], one["locked"], one["corrected"]) for one in shown["cells"]] == [
        ("games-0-A-tiles", "3", "4"),
        ("totals-A-tiles", "8", "9"),
    ]
    assert (shown["revision"], shown["proposed"], shown["effect"]["crossing"]) == (3, False, [])
    agreed = {"crossing": []}
    wrong = Caller(organiser).change(f"{CORRECTION}propose/", {"crossing": [1]}, seen=3)
    assert (code(wrong), wrong.json()["current"]["effect"]) == ((412, "effect_changed"), shown["effect"])
    assert Caller(organiser).change(f"{CORRECTION}propose/", agreed, seen=3).status_code == 200
    own = Caller(organiser).change(f"{CORRECTION}approve/", agreed, seen=3)
    assert code(own) == (403, "proposer_cannot_approve")
    done = Caller(chief_judge).change(f"{CORRECTION}approve/", agreed, seen=3)
    assert (done.status_code, done.json()["state"], done.json()["version"]) == (200, "certified", 2)
    assert OfficialSheet.objects.get().scoresheet.version == 2
    [line] = Caller(clerk).get("corrections/").json()["corrections"]
    assert (line["serial"], line["proposed_by"], line["approved_by"]) == (
        *(begun.json()["serial"], "organiser"),
        "chief_judge",
    )


def test_a_correction_is_given_up_and_the_locked_version_counts(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User
) -> None:
    certified(Caller(clerk), Caller(second_clerk))
    Caller(clerk).change(CORRECTION, {"reason": "tiles of A"})
    again = Caller(second_clerk).change(CORRECTION, {"reason": "the same"})
    assert code(again) == (409, "correction_in_hand")
    given_up = Caller(organiser).change(f"{CORRECTION}give-up/", {"reason": "was right"}, seen=1)
    assert given_up.status_code == 200, given_up.content
    told = Caller(clerk).get(CORRECTION).json()
    assert (told["in_hand"], [one["given_up_reason"] for one in told["past"]]) == (None, ["was right"])
    assert OfficialSheet.objects.get().scoresheet.version == 1


def test_nothing_is_corrected_that_is_not_locked(tables: list[Table], clerk: User) -> None:
    assert code(Caller(clerk).change(CORRECTION, {"reason": "x"})) == (409, "nothing_to_correct")
