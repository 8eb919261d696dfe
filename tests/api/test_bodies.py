"""What is taken as JSON, and what never is: V4, V10."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.api.caller import Caller, code
from tournament.api.bodies import JSON_BODY_MAX_BYTES, read_json
from tournament.core.errors import Refused
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

SHEET = "sessions/1/scoresheets/1/"
KEY = {"Idempotency-Key": "k", "If-Match": '"v0"'}


def cell(value: object) -> dict[str, object]:
    """A sheet with this in one cell."""
    return {"form": "paper", "typed": {"games": [{"seats": {"A": {"points": value}}}]}}


@pytest.mark.fault("V4")
@pytest.mark.parametrize("text", ["11.5", "1e3", "1E308", "-0.0", "NaN", "Infinity", "-Infinity"])
def test_floats_and_what_only_looks_like_a_number_are_refused(tables: list[Table], clerk: User, text: str) -> None:
    body = json.dumps(cell("@")).replace('"@"', text).encode()
    assert code(Caller(clerk).ask("PUT", SHEET, body, **KEY)) == (400, "body_not_readable")


@pytest.mark.fault("V4")
@pytest.mark.parametrize("value", [True, None, 2**63, [], {}, "9" * 61])
def test_nothing_but_a_whole_number_or_a_short_text_is_a_figure(
    tables: list[Table], clerk: User, value: object
) -> None:
    response = Caller(clerk).ask("PUT", SHEET, cell(value), **KEY)
    [fault] = response.json()["faults"]
    assert (response.status_code, fault["where"]) == (400, "typed.games[0].seats.A.points")
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize("value", [True, "1", None, -1, 2**31, [1]])
def test_a_whole_number_is_written_as_one(tables: list[Table], organiser: User, value: object) -> None:
    response = Caller(organiser).change("releases/", {"number": value})
    assert (response.status_code, response.json()["faults"][0]["where"]) == (400, "number")


@pytest.mark.fault("V10")
def test_a_field_that_nobody_asked_for_is_refused_with_its_place(tables: list[Table], clerk: User) -> None:
    sheet = cell("1") | {"state": "certified"}
    sheet["typed"]["games"][0]["seats"]["A"]["digest"] = "x"
    response = Caller(clerk).ask("PUT", SHEET, sheet, **KEY)
    assert [(one["where"], one["code"]) for one in response.json()["faults"]] == [("state", "unknown_field")]
    del sheet["state"]
    response = Caller(clerk).ask("PUT", SHEET, sheet, **KEY)
    assert [one["where"] for one in response.json()["faults"]] == ["typed.games[0].seats.A.digest"]
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"form": "paper", "form": "rack"}',
        b'{"form": "\\ud800"}',
        b'{"form": "\\u0000"}',
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"9" * 5000,
    ],
)
def test_what_readers_understand_differently_or_no_database_keeps_is_refused(
    tables: list[Table], clerk: User, body: bytes
) -> None:
    assert code(Caller(clerk).ask("PUT", SHEET, body, **KEY)) == (400, "body_not_readable")


@pytest.mark.parametrize("body", [b"[]", b'"x"', b"1", b"null", b"true"])
def test_a_body_that_is_no_object_is_refused(tables: list[Table], clerk: User, body: bytes) -> None:
    assert code(Caller(clerk).ask("PUT", SHEET, body, **KEY)) == (400, "fields_not_valid")


def test_a_body_over_the_limit_is_413(tables: list[Table], clerk: User) -> None:
    response = Caller(clerk).ask("PUT", SHEET, b" " * (JSON_BODY_MAX_BYTES + 1), **KEY)
    assert code(response) == (413, "body_too_large")


@pytest.mark.parametrize(
    "kind", ["application/xml", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_a_body_of_another_kind_is_415(tables: list[Table], clerk: User, kind: str) -> None:
    response = Caller(clerk).ask("PUT", SHEET, b"form=paper", **{**KEY, "Content-Type": kind})
    assert code(response) == (415, "wrong_type")


@pytest.mark.parametrize(
    "asked",
    ["limit=0", "limit=201", "limit=x", "limit=1_0", "limit=５", "after=-1", "limit=1&limit=2", "x=1", "text=%00"],
)
def test_a_question_that_cannot_be_is_refused(tables: list[Table], clerk: User, asked: str) -> None:
    assert code(Caller(clerk).get(f"entrants/?{asked}")) == (400, "fields_not_valid")


@given(st.binary(max_size=200) | st.text(alphabet='{}[]":,0123456789eE.-+ntrufalsNI\\', max_size=80).map(str.encode))
def test_any_bytes_are_a_value_or_a_refusal(content: bytes) -> None:
    try:
        value = read_json(content)
    except Refused as refusal:
        assert refusal.status == 400
    else:
        assert value == {} or json.loads(content) == value


def test_every_address_that_changes_takes_a_key_before_anything_else(tables: list[Table], clerk: User) -> None:
    address = reverse("api_scoresheet", args=["hk-2026", 1, 1])
    assert code(Caller(clerk).ask("PUT", address, b"{")) == (400, "idempotency_key_missing")
