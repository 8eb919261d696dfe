"""Sent twice, done once; seen first, changed second (D2)."""

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.operations.sheets import certified
from tests.sheets.tables import changed, paper
from tournament.audit.models import AuditEntry
from tournament.core.models.request_key import RequestKey
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

SHEET = "sessions/1/scoresheets/1/"


def sheet(**values: str) -> dict[str, object]:
    """A sheet without fault, or with one cell changed."""
    return {"form": "paper", "typed": changed(paper(), 1, "A", **values) if values else paper()}


@pytest.mark.fault("C2")
@pytest.mark.fault("N1")
def test_sent_again_the_same_answer_comes_back_and_nothing_is_done(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    first = program.change(SHEET, sheet(), method="PUT", seen=0, key="tap-1")
    program.change(SHEET, sheet(tiles="4"), method="PUT", seen=1)
    again = program.change(SHEET, sheet(), method="PUT", seen=0, key="tap-1")
    assert (first.status_code, first.get("Idempotent-Replay"), first["ETag"]) == (200, None, '"v1"')
    assert (again.status_code, again["Idempotent-Replay"], again["ETag"]) == (200, "true", '"v1"')
    assert again.content == first.content
    assert AuditEntry.objects.filter(action="save_scoresheet").count() == 2
    assert AuditEntry.objects.filter(request_key="tap-1").count() == 1


def test_the_same_key_with_another_payload_version_or_address_is_422(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    program.change(SHEET, sheet(), method="PUT", seen=0, key="tap-1")
    others = (
        program.change(SHEET, sheet(tiles="4"), method="PUT", seen=0, key="tap-1"),
        program.change(SHEET, sheet(), method="PUT", seen=1, key="tap-1"),
        program.change("sessions/1/scoresheets/2/", sheet(), method="PUT", seen=0, key="tap-1"),
        program.change(f"{SHEET}ready/", {}, seen=1, key="tap-1"),
    )
    assert [code(response) for response in others] == [(422, "key_reused")] * 4
    assert Scoresheet.objects.get().revision == 1


def test_a_key_is_an_account_s_own(tables: list[Table], clerk: User, organiser: User) -> None:
    one = Caller(clerk).change(SHEET, sheet(), method="PUT", seen=0, key="tap-1")
    other = Caller(organiser).change("sessions/1/scoresheets/2/", sheet(), method="PUT", seen=0, key="tap-1")
    assert (one.status_code, other.status_code) == (200, 200)


def test_a_refusal_leaves_the_key_unused(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    refused = program.change(SHEET, sheet(), method="PUT", seen=7, key="tap-1")
    assert (code(refused), RequestKey.objects.count()) == ((412, "scoresheet_changed"), 0)
    assert program.change(SHEET, sheet(), method="PUT", seen=0, key="tap-1").status_code == 200


@pytest.mark.parametrize("key", ["a b", "é", "x" * 65, "<>"])
def test_a_key_that_cannot_be_one_is_refused(tables: list[Table], clerk: User, key: str) -> None:
    response = Caller(clerk).change(SHEET, sheet(), method="PUT", seen=0, key=key)
    assert code(response) == (400, "idempotency_key_not_readable")


def test_a_change_of_what_has_a_version_without_the_version_is_428(tables: list[Table], clerk: User) -> None:
    assert code(Caller(clerk).change(SHEET, sheet(), method="PUT")) == (428, "if_match_missing")


@pytest.mark.parametrize("tag", ["v1", "*", 'W/"v1"', '"1"', '"v1", "v2"', '"v1234567890"'])
def test_a_version_that_cannot_be_one_is_400(tables: list[Table], clerk: User, tag: str) -> None:
    response = Caller(clerk).ask("PUT", SHEET, sheet(), **{"Idempotency-Key": "k", "If-Match": tag})
    assert code(response) == (400, "if_match_not_readable")


@pytest.mark.fault("N3")
def test_who_comes_second_sees_both_values_and_nothing_is_overwritten(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    Caller(clerk).change(SHEET, sheet(), method="PUT", seen=0)
    response = Caller(second_clerk).change(SHEET, sheet(tiles="9"), method="PUT", seen=0)
    body = response.json()
    assert code(response) == (412, "scoresheet_changed")
    assert (body["current"]["revision"], body["current"]["typed_by"]) == (1, "clerk")
    assert body["differences"] == [
        {"where": "revision", "mine": 0, "theirs": 1},
        {"where": "games-0-A-tiles", "mine": "9", "theirs": "3"},
    ]
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["tiles"] == "3"


def test_a_locked_sheet_is_423_whatever_version_was_seen(tables: list[Table], clerk: User, second_clerk: User) -> None:
    certified(Caller(clerk), Caller(second_clerk))
    answers = [Caller(clerk).change(SHEET, sheet(), method="PUT", seen=seen) for seen in (0, 3)]
    assert [code(answer) for answer in answers] == [(423, "scoresheet_locked")] * 2
