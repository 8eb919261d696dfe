"""Conduct and a table's time from a tablet: once, in the referee's name, told in the state that is answered."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import code as refusal
from tests.sheets.drawing import racks
from tests.sheets.tables import settle
from tests.tablets.tablet_caller import MADE_AT, Tablet, new_key
from tournament.core.models.stage import Session
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.tablets.services import conduct_notes


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    found = settle(first_session, organiser, [4, 4, 3])
    clock.move_session(first_session, "start", by=organiser, request_key="start")
    return found


def send(tablet: Tablet, act: str, table: int = 1, key: str = "", **body: Any) -> Any:
    referee = tablet.device.referee_id
    return tablet.post(f"tables/{table}/{act}/", {"referee": referee, "made_at": MADE_AT, **body}, key=key)


def shown(answer: Any, table: int = 1) -> dict[str, Any]:
    assert answer.status_code == 200, answer.content
    return next(one for one in answer.json()["state"]["tables"] if one["number"] == table)


def test_a_call_is_recorded_once_with_the_tablet_and_its_claim_of_the_time(tablet: Tablet, referee: User) -> None:
    key = new_key()
    first = send(tablet, "call", key=key, reason="a rack is disputed", game=2, letter="A")
    again = send(tablet, "call", key=key, reason="a rack is disputed", game=2, letter="A")
    row = JudgeCall.objects.get()
    assert (row.raised_by, row.device, row.claimed_at.isoformat()) == (
        referee,
        tablet.device,
        "2026-03-28T03:00:00+00:00",
    )
    assert [shown(answer)["calls"] for answer in (first, again)] == [
        [
            {
                "id": row.pk,
                "game": 2,
                "reason": "a rack is disputed",
                "at": row.raised_at.isoformat().replace("+00:00", "Z"),
                "taken_by": None,
                "answer": "",
                "end": None,
            }
        ]
    ] * 2


def test_the_third_breach_is_answered_by_call_the_chief_judge(tablet: Tablet) -> None:
    given = {"letter": "B", "game": 1, "reason": "spoke to a neighbour"}
    answers = [send(tablet, "warning", **given) for _time in range(2)]
    assert [shown(answer)["seats"][1]["warnings"] for answer in answers] == [1, 2]
    third = send(tablet, "warning", **given)
    assert (refusal(third), third.json()["key"] != "") == ((409, "third_breach"), True)
    assert Warning.objects.count() == 2


def test_an_incident_is_in_the_state_of_its_table(tablet: Tablet) -> None:
    answer = send(tablet, "incident", 2, kind="pushed_over", game=3, letter="C", tiles=7, note="by an elbow")
    said = {"kind": "pushed_over", "game": 3, "letter": "C", "tiles": 7, "note": "by an elbow"}
    [told] = shown(answer, 2)["incidents"]
    row = Incident.objects.get()
    kept = {"id": row.pk, "at": row.at.isoformat().replace("+00:00", "Z"), "end": None}
    assert (shown(answer, 1)["incidents"], told) == ([], said | kept)
    assert refusal(send(tablet, "incident", kind="pushed_over", game=3, letter="C")) == (400, "tiles_missing")
    assert Incident.objects.count() == 1


def test_a_pause_its_end_and_overtime_move_one_table_s_end(tablet: Tablet) -> None:
    paused = send(tablet, "pause", letter="B", escort="WONG")
    pause = shown(paused)["pause"]
    assert (pause["letter"], pause["escort"], shown(paused)["ends_at"]) == ("B", "WONG", None)
    assert (shown(paused, 2)["pause"], shown(paused, 2)["ends_at"] is None) == (None, False)
    assert refusal(send(tablet, "pause", letter="B", escort="WONG")) == (409, "already_paused")
    assert shown(send(tablet, "unpause"))["pause"] is None
    assert shown(send(tablet, "overtime", minutes=5, reason="a dispute"))["overtime"] == 5
    assert list(ClockEvent.objects.order_by("id").values_list("kind", flat=True)) == [
        "start",
        "pause",
        "unpause",
        "overtime",
    ]


def test_players_who_hold_the_tablet_may_call_and_nothing_else_of_this(tablet: Tablet) -> None:
    tablet.post("tables/1/hand-out/")
    assert send(tablet, "call", reason="I do not agree").status_code == 200
    for act, body in (
        ("warning", {"letter": "A", "game": 1, "reason": "x"}),
        ("incident", {"kind": "new_deal", "game": 1}),
        ("pause", {"letter": "A", "escort": "x"}),
        ("unpause", {}),
        ("withdraw", {"kind": "call", "note": 1, "reason": "x"}),
        ("overtime", {"minutes": 1, "reason": "x"}),
    ):
        assert refusal(send(tablet, act, **body)) == (403, "signing_only")


def test_another_s_table_and_a_referee_without_a_pin_are_refused(tablet: Tablet, organiser: User) -> None:
    assert refusal(send(tablet, "call", 3, reason="x")) == (404, "not_found")
    assert refusal(send(tablet, "call", reason="x", referee=organiser.pk)) == (403, "pin_needed")
    assert JudgeCall.objects.count() == 0


def test_a_note_is_taken_back_by_the_key_of_its_item_or_as_the_state_tells_it(tablet: Tablet, referee: User) -> None:
    key, warning = new_key(), {"letter": "B", "game": 1, "reason": "spoke to a neighbour"}
    send(tablet, "warning", key=key, **warning)
    told = shown(send(tablet, "call", reason="a rack is disputed"))
    by_key = send(tablet, "withdraw", kind="warning", item=key, reason="the wrong child")
    by_row = send(tablet, "withdraw", kind="call", note=told["calls"][0]["id"], reason="settled")
    end = {"outcome": "withdrawn", "by": "Referee"}
    found = shown(by_row)
    by = found["warnings"][0]["end"]["by"]
    assert (found["seats"][1]["warnings"], found["warnings"][0]["end"], found["calls"][0]["end"]) == (
        0,
        end | {"by": by, "reason": "the wrong child"},
        end | {"by": by, "reason": "settled"},
    )
    assert by_key.status_code == 200
    for given in ({"item": new_key()}, {"note": 9999}, {}):
        assert refusal(send(tablet, "withdraw", kind="warning", reason="x", **given)) == (400, "no_such_note")


def test_overtime_is_taken_back_by_its_item_or_as_the_state_tells_it_and_its_minutes_count_no_more(
    tablet: Tablet,
) -> None:
    key = new_key()
    send(tablet, "overtime", key=key, minutes=5, reason="a dispute")
    told = shown(send(tablet, "overtime", minutes=2, reason="a tile fell"))
    assert (told["overtime"], [one["minutes"] for one in told["overtimes"]]) == (7, [5, 2])
    by_key = shown(send(tablet, "withdraw", kind="overtime", item=key, reason="the other table"))
    assert (by_key["overtime"], [one["reason"] for one in by_key["overtimes"]]) == (2, ["a tile fell"])
    by_row = shown(send(tablet, "withdraw", kind="overtime", note=told["overtimes"][1]["id"], reason="a mistake"))
    assert (by_row["overtime"], by_row["overtimes"]) == (0, [])
    start = ClockEvent.objects.get(kind="start").pk
    refused = send(tablet, "withdraw", kind="overtime", note=start, reason="x")
    assert refusal(refused) == (400, "no_such_note")


@pytest.mark.parametrize("by", ["item", "note"])
def test_a_dispute_is_taken_back_at_the_table_with_a_reason_and_the_sheet_goes_on(
    tablet: Tablet, referee: User, by: str
) -> None:
    key = new_key()
    said = {"referee": referee.pk, "made_at": MADE_AT}
    typed = racks()
    tablet.post("tables/1/save/", {"typed": typed, "confirmations": {}, **said}, seen=0)
    told = shown(tablet.post("tables/1/dispute/", {"reason": "a rack", **said}, seen=1, key=key))
    assert (told["sheet"]["state"], told["sheet"]["dispute"]["by"]) == ("disputed", referee.pk)
    named = {"item": key} if by == "item" else {"note": told["sheet"]["dispute"]["id"]}
    found = shown(send(tablet, "withdraw", kind="dispute", reason="counted again", **named))["sheet"]
    assert (found["state"], found["revision"], found["dispute"]) == ("draft", 3, None)
    assert found["typed"]["games"][0]["seats"]["B"] == typed["games"][0]["seats"]["B"]
    again = send(tablet, "withdraw", kind="dispute", reason="again", **named)
    assert refusal(again) == (409, "scoresheet_not_disputed")


def test_a_mark_is_told_with_what_the_desk_made_of_it(tablet: Tablet, organiser: User) -> None:
    send(tablet, "incident", kind="absent", game=1, letter="D")
    send(tablet, "incident", kind="left", game=1, letter="C")
    absent, left = Incident.objects.order_by("pk")
    conduct_notes.confirm_desk_mark(absent, by=organiser, request_key="c")
    conduct_notes.dismiss_desk_mark(left, reason="is back", by=organiser, request_key="d")
    told = next(one for one in tablet.get().json()["tables"] if one["number"] == 1)
    assert [(one["kind"], one["end"]["outcome"], one["end"]["reason"]) for one in told["incidents"]] == [
        ("absent", "confirmed", ""),
        ("left", "dismissed", "is back"),
    ]
    assert [seat["status"] for seat in told["seats"]] == ["ok", "ok", "ok", "forfeited"]
