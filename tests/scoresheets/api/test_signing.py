"""Certified, sent back and stamped through the API."""

from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.operations.sheets import certified, path_of, submitted
from tests.sheets.services.test_scoresheets_heading import submit
from tournament.sheets.models.signing import OfficialSheet
from tournament.tables.models import Table

SIGNED = {"signatures": {"A": "", "B": "", "C": "", "D": ""}}


def test_another_account_certifies_and_the_sheet_is_locked(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    locked = certified(Caller(clerk), Caller(second_clerk))
    told = locked.json()
    assert (told["state"], told["locked_by"], locked["ETag"]) == ("certified", "second_clerk", '"v3"')
    assert told["values_by"] == ["clerk"]
    assert [(one["letter"], one["present"]) for one in told["signatures"]] == [(letter, True) for letter in "ABCD"]
    assert OfficialSheet.objects.filter(table=tables[0]).exists()


def test_the_typist_neither_certifies_nor_rejects(tables: list[Table], clerk: User) -> None:
    submitted(Caller(clerk))
    assert code(Caller(clerk).change(path_of(1, "certify/"), SIGNED, seen=2)) == (403, "typist_cannot_certify")
    assert code(Caller(clerk).change(path_of(1, "reject/"), {"reason": "x"}, seen=2)) == (403, "typist_cannot_reject")


def test_a_missing_signature_is_the_chief_judge_s_with_a_reason(
    tables: list[Table], clerk: User, second_clerk: User, chief_judge: User
) -> None:
    submitted(Caller(clerk))
    missing = {"signatures": {**SIGNED["signatures"], "D": "left in a hurry"}}
    assert code(Caller(second_clerk).change(path_of(1, "certify/"), missing, seen=2)) == (403, "chief_judge_only")
    assert code(Caller(second_clerk).change(path_of(1, "certify/"), {"signatures": {}}, seen=2)) == (
        409,
        "signatures_missing",
    )
    told = Caller(chief_judge).change(path_of(1, "certify/"), missing, seen=2).json()
    assert told["signatures"][3] == {
        "letter": "D",
        "entrant": 304,
        "present": False,
        "missing_reason": "left in a hurry",
    }


def test_a_sheet_sent_back_is_a_draft_with_the_reason(tables: list[Table], clerk: User, second_clerk: User) -> None:
    submitted(Caller(clerk))
    back = Caller(second_clerk).change(path_of(1, "reject/"), {"reason": "game 2 reads 11"}, seen=2).json()
    assert (back["state"], back["rejected_reason"], back["games"]) == ("draft", "game 2 reads 11", [])


def test_what_was_certified_by_an_older_version_is_412_with_what_stands(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    submitted(Caller(clerk))
    response = Caller(second_clerk).change(path_of(1, "certify/"), SIGNED, seen=1)
    assert (code(response), response.json()["current"]["revision"]) == ((412, "scoresheet_changed"), 2)


def test_an_organiser_stamps_a_certified_sheet_once(
    tables: list[Table], organiser: User, clerk: User, second_clerk: User
) -> None:
    program = Caller(organiser)
    assert code(program.change(path_of(1, "stamp/"), seen=0)) == (409, "not_official")
    certified(Caller(clerk), Caller(second_clerk))
    assert code(program.change(path_of(1, "stamp/"), seen=2)) == (412, "scoresheet_changed")
    stamped = program.change(path_of(1, "stamp/"), seen=3)
    again = program.change(path_of(1, "stamp/"), seen=3)
    assert (stamped.json()["stamp"]["by"], again.json()["stamp"]) == ("organiser", stamped.json()["stamp"])
    assert program.get("sessions/1/scoresheets/").json()["scoresheets"][0]["state"] == "stamped"


def test_a_locked_sheet_is_423_for_every_act(tables: list[Table], clerk: User, second_clerk: User) -> None:
    certified(Caller(clerk), Caller(second_clerk))
    acts = {"ready/": {}, "reopen/": {}, "certify/": SIGNED, "reject/": {"reason": "x"}}
    answers = {act: code(Caller(clerk).change(path_of(1, act), body, seen=3)) for act, body in acts.items()}
    assert answers == dict.fromkeys(acts, (423, "scoresheet_locked"))


def test_a_head_that_differs_is_confirmed_by_who_certifies(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    differing = {"serial": "0328-1-02", "same": True, "reason": "spare paper"}
    submit(tables[0], clerk, **differing)
    program = Caller(second_clerk)
    assert code(program.change(path_of(1, "certify/"), SIGNED, seen=2)) == (409, "heading_differs")
    told = program.change(path_of(1, "certify/"), {**SIGNED, "heading_seen": True}, seen=2)
    assert (told.status_code, told.json()["state"]) == (200, "certified")
