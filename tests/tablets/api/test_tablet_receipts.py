"""What the server tells a tablet of what it has: receipts, its epoch, what is held, and when a tablet may forget."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.sheets.drawing import racks
from tests.tablets.tablet_caller import MADE_AT, PIN, Tablet, new_key, paired
from tournament.audit.models import AuditHead
from tournament.core.enums import SessionState
from tournament.core.models.stage import Session
from tournament.devices.models.device import QuarantinedSubmission
from tournament.devices.services import devices, epochs
from tournament.operations.services import backup_reach
from tournament.sheets.models.conduct import JudgeCall
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock


def saved(tablet: Tablet, referee: User, key: str, seen: int = 0, made_at: str = MADE_AT) -> Any:
    """A save of table 1."""
    body = {"referee": referee.pk, "made_at": made_at, "typed": racks(), "confirmations": {}}
    return tablet.post("tables/1/save/", body, key=key, seen=seen)


def called(tablet: Tablet, referee: User, key: str, made_at: str = MADE_AT) -> Any:
    """A call at table 1."""
    return tablet.post("tables/1/call/", {"referee": referee.pk, "made_at": made_at, "reason": "a tile"}, key=key)


def receipts(tablet: Tablet, sheet: tuple[int, int] = (1, 1), asked: str = "") -> dict[str, Any]:
    told = tablet.get(X_Sheets=asked).json()["receipts"]
    [found] = [one for one in told if (one["session"], one["table"]) == sheet]
    return {name: found[name] for name in ("recorded", "held", "aside", "safe")}


def backed_up() -> None:
    """A backup is finished now."""
    backup_reach.note_backup({"heads": {head.event.slug: {"seq": head.seq} for head in AuditHead.objects.all()}})


def close(session: Session, by: User) -> None:
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    clock.move_session(session, "close", by=by, request_key=new_key(), reason="the hall closes")


@pytest.mark.fault("X28")
def test_a_tablet_is_told_what_is_recorded_of_its_sheets_and_another_epoch_after_a_restore(
    tablet: Tablet, referee: User
) -> None:
    key = new_key()
    answer = saved(tablet, referee, key)
    assert receipts(tablet) == {"recorded": [key], "held": [], "aside": [], "safe": False}
    before = answer.json()["state"]["epoch"]
    assert (len(before), tablet.get().json()["epoch"]) == (32, before)
    epochs.renew_epoch()
    assert tablet.get().json()["epoch"] != before


def test_a_tablet_that_is_unknown_hears_the_epoch_too(tablet: Tablet) -> None:
    known = tablet.get().json()["epoch"]
    assert (Tablet().get().status_code, Tablet().get().json()["epoch"]) == (401, known)


def test_what_another_pairing_had_carried_out_is_told_and_done_once(
    tablet: Tablet, first_session: Session, referee: User, organiser: User
) -> None:
    key, call = new_key(), new_key()
    saved(tablet, referee, key)
    called(tablet, referee, call)
    again = paired(first_session, referee, organiser)
    assert receipts(again)["recorded"] == sorted([key, call])
    answers = [saved(again, referee, key), called(again, referee, call)]
    assert [(one.status_code, one.headers.get("Idempotent-Replay")) for one in answers] == [(200, "true")] * 2
    assert (Scoresheet.objects.get().revision, JudgeCall.objects.count()) == (1, 1)
    late = {"items": [{"key": key, "act": "save", "session": 1, "table": 1, "revision": 0, "body": {}}]}
    assert again.post("late/", late).json() == {"held": [], "recorded": [key]}


@pytest.mark.fault("X30")
def test_what_is_held_is_told_to_every_tablet_of_the_table_until_it_is_settled(
    tablet: Tablet, first_session: Session, referee: User, organiser: User
) -> None:
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    key = new_key()
    body = {"referee": referee.pk, "made_at": MADE_AT, "reason": "a tile"}
    late = {"items": [{"key": key, "act": "call", "session": 1, "table": 1, "revision": None, "body": body}]}
    tablet.post("late/", late)
    other = paired(first_session, referee, organiser)
    assert receipts(other)["held"] == [key]
    assert other.get().json()["tables"][0]["held"] == [{"act": "call", "tablet": 1, "made_at": MADE_AT}]
    refused = called(other, referee, key)
    assert (refused.status_code, refused.json()["code"], JudgeCall.objects.count()) == (409, "signed_conflict", 0)
    QuarantinedSubmission.objects.update(
        outcome="set_aside", resolved_reason="heard at the table", resolved_at=timezone.now()
    )
    assert (receipts(other)["held"], receipts(other)["aside"]) == ([], [key])
    assert other.get().json()["tables"][0]["held"] == []


@pytest.mark.fault("X29")
def test_a_sheet_is_safe_once_its_session_is_closed_and_a_backup_has_that_and_all_of_it(
    tablet: Tablet, first_session: Session, referee: User, organiser: User
) -> None:
    saved(tablet, referee, new_key())
    safe = [receipts(tablet)["safe"]]
    backed_up()
    safe.append(receipts(tablet)["safe"])
    close(first_session, organiser)
    safe.append(receipts(tablet)["safe"])
    backed_up()
    safe.append(receipts(tablet)["safe"])
    clock.move_session(first_session, "reopen", by=organiser, request_key=new_key(), reason="too early")
    safe.append(receipts(tablet)["safe"])
    close(first_session, organiser)
    safe.append(receipts(tablet)["safe"])
    assert safe == [False, False, False, True, False, False]


def test_sheets_that_a_tablet_keeps_from_before_are_told_too_and_one_that_is_not_there_has_nothing(
    tablet: Tablet, referee: User
) -> None:
    nothing = {"recorded": [], "held": [], "aside": [], "safe": False}
    assert receipts(tablet, (1, 2), "9/1 1/2 nonsense 12345/1") == nothing
    assert receipts(tablet, (9, 1), "9/1 1/2 nonsense 12345/1") == nothing


@pytest.mark.fault("X40")
def test_what_is_made_after_the_tablet_was_locked_is_held_and_not_recorded(tablet: Tablet, referee: User) -> None:
    before, key, call = new_key(), new_key(), new_key()
    earlier, later = (timezone.now() + timedelta(seconds=seconds) for seconds in (-5, 5))
    assert tablet.post("lock/").status_code == 200
    assert saved(tablet, referee, before, made_at=earlier.isoformat()).status_code == 200
    answers = [saved(tablet, referee, key, 1, later.isoformat()), called(tablet, referee, call, later.isoformat())]
    answers.append(saved(tablet, referee, key, 1, later.isoformat()))
    told = [(one.status_code, one.json()["code"], one.json()["held"]) for one in answers]
    assert told == [(409, "signed_conflict", "locked")] * 3
    assert (Scoresheet.objects.get().revision, JudgeCall.objects.count()) == (1, 0)
    held = QuarantinedSubmission.objects.order_by("pk").values_list("key", "because", "table__number")
    assert list(held) == [(key, "locked", 1), (call, "locked", 1)]
    assert receipts(tablet)["held"] == sorted([key, call])
    tablet.open(referee)
    assert called(tablet, referee, new_key(), later.isoformat()).status_code == 200


@pytest.mark.fault("X40")
def test_what_was_made_between_a_lock_and_the_pin_stays_held_once_the_pin_has_opened_it(
    tablet: Tablet, referee: User
) -> None:
    now = timezone.now()
    first, again, second, last, before = (now - timedelta(minutes=minutes) for minutes in (50, 40, 30, 20, 60))
    for told in (first, second):  # of two the earlier holds
        assert tablet.post("lock/", {"made_at": told.isoformat()}).status_code == 200
    assert tablet.device.locked_at == first
    spans = [{"since": one.isoformat(), "until": other.isoformat()} for one, other in ((first, again), (second, last))]
    tablet.post("pin/", {"referee": referee.pk, "pin": PIN, "locked": spans})
    made = [before, first + timedelta(minutes=1), again + timedelta(minutes=1), second + timedelta(minutes=1), now]
    answers = [called(tablet, referee, new_key(), at.isoformat()).status_code for at in made]
    assert answers == [200, 409, 200, 409, 200]
    assert list(QuarantinedSubmission.objects.values_list("because", flat=True)) == ["locked", "locked"]


def test_an_older_backup_moves_nothing_back(tablet: Tablet, first_session: Session, organiser: User) -> None:
    close(first_session, organiser)
    backed_up()
    slug = first_session.stage.event.slug
    backup_reach.note_backup({"heads": {slug: {"seq": 1}}})
    assert receipts(tablet)["safe"] is True
