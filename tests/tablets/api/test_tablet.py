"""A tablet at the API: paired, known, told its state, opened, handed out, cut off; Z1 to Z7."""

import time
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.api.caller import code as refusal
from tests.conftest import account
from tests.sheets.tables import settle
from tests.tablets.tablet_caller import MADE_AT, PIN, TABLET, Tablet, give_tables, new_key, paired
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SessionState
from tournament.core.errors import Forbidden
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, Pairing, PinTry, QuarantinedSubmission, Unlock
from tournament.devices.services import devices, pin, pins
from tournament.tables.models import Table


def codes_of(session: Session, referee: User, by: User) -> str:
    """A code for tables 1 and 2."""
    give_tables(session, referee, (1, 2))
    return devices.make_pairing(session, referee, (1, 2), by=by)[1]


# --- Pairing --------------------------------------------------------------------------------------------
def test_a_tablet_is_paired_by_a_code_and_told_of_its_tables_alone(tablet: Tablet, referee: User) -> None:
    answer = tablet.get()
    state = answer.json()
    cookie = tablet.client.cookies["tablet"]
    assert [table["number"] for table in state["tables"]] == [1, 2]
    assert (state["device"]["number"], state["referee"]["id"], state["games"]) == (1, referee.pk, 3)
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], len(cookie.value)) == (True, "Strict", "/", 64)
    assert [seat["number"] for seat in state["tables"][0]["seats"]] == [301, 302, 303, 304]
    assert state["tables"][0]["sheet"]["revision"] == 0
    assert not any(word in answer.content.decode() for word in ("birth", "phone", "email", "2015-05-05"))


@pytest.mark.fault("Z2")
def test_a_used_code_is_410_to_a_second_tablet_and_both_tries_are_kept(
    tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    code = codes_of(first_session, referee, organiser)
    first, second = Tablet(), Tablet()
    assert first.pair(code).status_code == 201
    assert refusal(second.pair(code)) == (410, "code_used")
    pairing = Pairing.objects.get()
    assert pairing.used_at is not None and pairing.tried_again_at is not None
    assert "tablet" not in second.client.cookies


def test_a_pairing_whose_answer_was_lost_is_answered_again_to_the_same_tablet(
    tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    code, key = codes_of(first_session, referee, organiser), new_key()
    lost, again = Tablet(), Tablet()
    assert [lost.pair(code, key=key).status_code, again.pair(code, key=key).status_code] == [201, 201]
    assert again.get().status_code == 200
    assert Device.objects.count() == 1


@pytest.mark.fault("Z2")
def test_a_code_older_than_ten_minutes_is_410(
    tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    code = codes_of(first_session, referee, organiser)
    Pairing.objects.update(expires_at=timezone.now())
    assert refusal(Tablet().pair(code)) == (410, "code_expired")


@pytest.mark.fault("Z3")
def test_after_ten_wrong_codes_a_minute_only_wrong_ones_wait_and_the_right_one_pairs(
    tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    code = codes_of(first_session, referee, organiser)
    tablet = Tablet()
    assert {refusal(tablet.pair(f"guess{number}")) for number in range(10)} == {(410, "code_unknown")}
    refused = tablet.pair("guess10")
    assert refusal(refused) == (429, "too_many_codes")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert tablet.pair(code).status_code == 201


def test_a_code_of_one_event_opens_nothing_at_another(
    tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    code = codes_of(first_session, referee, organiser)
    assert refusal(Tablet().pair(code, event="elsewhere")) == (404, "not_found")


def test_the_form_of_the_items_is_asked_for_and_an_old_page_is_sent_away(tablet: Tablet) -> None:
    assert refusal(tablet.post("lock/", X_Client_Schema="")) == (400, "client_schema_missing")
    assert refusal(tablet.post("lock/", X_Client_Schema="0")) == (426, "reload_after_sync")
    assert refusal(tablet.ask("POST", "lock/", {})) == (400, "idempotency_key_missing")


# --- The token ------------------------------------------------------------------------------------------
@pytest.mark.fault("Z4")
def test_a_revoked_tablet_is_nobody_on_its_very_next_request(tablet: Tablet, organiser: User) -> None:
    before = tablet.get().status_code
    began = time.monotonic()
    devices.revoke_tablet(tablet.device, reason="lost at the bus stop", by=organiser)
    after = refusal(tablet.get())
    assert (before, after, time.monotonic() - began < 1) == (200, (401, "tablet_revoked"), True)
    devices.revoke_tablet(tablet.device, reason="again", by=organiser)
    assert AuditEntry.objects.filter(action="revoke_tablet").count() == 1


def test_without_a_cookie_or_with_another_it_is_401(event: object) -> None:
    nobody, forger = Tablet(), Tablet()
    forger.client.cookies["tablet"] = "0" * 64
    assert [refusal(each.get()) for each in (nobody, forger)] == [(401, "tablet_not_paired")] * 2


def test_an_expired_tablet_is_401(tablet: Tablet) -> None:
    Device.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refusal(tablet.get()) == (401, "tablet_expired")


@pytest.mark.fault("Z1")
def test_a_third_table_and_another_session_s_cannot_be_reached(tablet: Tablet) -> None:
    assert [refusal(tablet.post(f"tables/{number}/hand-out/")) for number in (3, 99)] == [(404, "not_found")] * 2


def test_a_closed_session_takes_nothing_more_from_a_tablet_but_keeps_it(tablet: Tablet) -> None:
    Session.objects.filter(number=1).update(state=SessionState.CLOSED)
    assert refusal(tablet.post("tables/1/hand-out/")) == (401, "session_over")
    assert tablet.get().json()["session"]["state"] == "closed"


def test_a_second_tablet_takes_the_tables_over_and_both_are_told(
    tablet: Tablet, first_session: Session, referee: User, organiser: User
) -> None:
    second = paired(first_session, referee, organiser, (2,))
    assert tablet.get().json()["device"]["lost"] == [{"table": 2, "tablet": 2}]
    assert [table["number"] for table in tablet.get().json()["tables"]] == [1]
    assert second.get().json()["device"]["taken"] == [{"table": 2, "tablet": 1}]
    paired(first_session, referee, organiser, (1,))
    assert refusal(tablet.get()) == (401, "tablet_revoked")


def test_whether_the_token_holds_is_told_without_reading_the_state(tablet: Tablet, organiser: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        held = tablet.client.head(f"{TABLET}state/", headers=tablet.headers)
    queries = len(asked)
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    refused = tablet.client.head(f"{TABLET}state/", headers=tablet.headers)
    assert (held.status_code, held.content, queries, refused.status_code) == (200, b"", 1, 401)


# --- The state ------------------------------------------------------------------------------------------
def test_the_state_is_304_until_something_changes(tablet: Tablet, organiser: User) -> None:
    mark = tablet.get()["ETag"]
    same = tablet.get(If_None_Match=mark)
    tablet.post("lock/")
    changed = tablet.get(If_None_Match=mark)
    assert (same.status_code, changed.status_code, changed.json()["referee"]) == (304, 200, None)


def test_a_tablet_says_what_waits_how_its_clock_goes_and_its_battery(tablet: Tablet) -> None:
    clock = str(round((timezone.now() + timedelta(minutes=3)).timestamp() * 1000))
    tablet.get(X_Waiting="4", X_Client_Time=clock, X_Battery="61")
    row = tablet.device
    assert (row.waiting, row.client, row.battery) == (4, 1, 61)
    assert 175_000 < row.skew_ms < 185_000
    tablet.get(X_Waiting="x", X_Client_Time="-1", X_Battery="400")
    assert tablet.device.waiting == 4


def test_a_state_asks_as_much_of_one_table_as_of_two(
    tables: list[Table],
    first_session: Session,
    referee: User,
    organiser: User,
    django_assert_max_num_queries: object,
) -> None:
    one = paired(first_session, referee, organiser, (3,))
    two = paired(first_session, referee, organiser, (1, 2))
    for each in (one, two):
        each.get()
    with django_assert_max_num_queries(24) as first:
        one.get()
    with django_assert_max_num_queries(24) as second:
        two.get()
    assert len(first) == len(second)


# --- In whose hands -------------------------------------------------------------------------------------
@pytest.mark.fault("Z7")
def test_wrong_pins_wait_longer_each_time_until_the_desk_unlocks(
    tablet: Tablet, referee: User, organiser: User
) -> None:
    waits = []
    for _try in range(11):
        with time_machine.travel(timezone.now(), tick=False):
            assert refusal(tablet.open(referee, "1111")) == (403, "pin_wrong")
            until = PinTry.objects.get().locked_until
            waits.append((until - timezone.now()).total_seconds() if until else 0)
            if until:
                assert refusal(tablet.open(referee)) == (429, "pin_locked")
                PinTry.objects.update(locked_until=timezone.now())
    assert waits == [0, 0, 5, 15, 60, 60, 60, 60, 60, 60, 60]
    assert AuditEntry.objects.filter(action="lock_pin").count() == 1
    pin.lift_pin(tablet.device, by=organiser)
    assert tablet.open(referee).status_code == 200


@pytest.mark.fault("X33")
def test_whoever_waits_as_long_as_was_told_is_not_told_to_wait_again(tablet: Tablet, referee: User) -> None:
    until = timezone.now() + timedelta(seconds=30.45)
    PinTry.objects.update_or_create(device=tablet.device, referee=referee, defaults={"locked_until": until})
    assert timedelta(seconds=int(tablet.open(referee)["Retry-After"]), milliseconds=1) >= until - timezone.now()


def test_a_right_pin_opens_after_any_wait_and_forgets_it(tablet: Tablet, referee: User) -> None:
    waited = {"wrong": 30, "locked_until": timezone.now()}
    PinTry.objects.update_or_create(device=tablet.device, referee=referee, defaults=waited)
    assert tablet.open(referee).status_code == 200
    assert PinTry.objects.filter(wrong=0, locked_until=None).count() == 1


@pytest.mark.fault("Z6")
def test_another_referee_takes_the_tablet_over_with_their_own_pin(
    tablet: Tablet, event: object, first_session: Session
) -> None:
    other = account(event, Role.REFEREE, "other_referee")
    give_tables(first_session, other, ())
    assert tablet.open(other).json()["state"]["referee"]["id"] == other.pk
    assert Unlock.objects.count() == 2
    assert AuditEntry.objects.filter(action="open_tablet").count() == 2


def test_a_clerk_opens_no_tablet(tablet: Tablet, clerk: User) -> None:
    assert refusal(tablet.open(clerk)) == (403, "pin_wrong")


def test_no_pin_and_nothing_made_of_it_is_kept(tablet: Tablet, referee: User) -> None:
    key = new_key()
    tablet.post("pin/", {"referee": referee.pk, "pin": PIN}, key=key)
    assert tablet.post("pin/", {"referee": referee.pk, "pin": "1111"}, key=key).status_code == 403


def test_while_the_players_hold_it_nothing_but_signing_goes_until_the_pin_takes_it_back(
    tablet: Tablet, referee: User
) -> None:
    assert tablet.post("tables/1/hand-out/").json()["state"]["device"]["handed_out"] == 1
    assert refusal(tablet.post("tables/2/hand-out/")) == (409, "handed_out_elsewhere")
    assert refusal(tablet.post("take-back/", {"referee": referee.pk, "pin": "1111"})) == (403, "pin_wrong")
    back = tablet.post("take-back/", {"referee": referee.pk, "pin": PIN})
    assert back.json()["state"]["device"]["handed_out"] is None


def test_the_chief_judge_too_takes_a_tablet_back_with_a_pin_of_their_own(
    tablet: Tablet, event: object, chief_judge: User
) -> None:
    tablet.post("tables/1/hand-out/")
    assert refusal(tablet.post("take-back/", {"referee": chief_judge.pk, "pin": "5093"})) == (403, "pin_wrong")
    pins.set_pin(event, chief_judge, pin="5093", by=chief_judge)
    assert chief_judge.pk in {one["id"] for one in tablet.get().json()["referees"]}
    back = tablet.post("take-back/", {"referee": chief_judge.pk, "pin": "5093"}).json()["state"]
    assert (back["device"]["handed_out"], back["referee"]["id"]) == (None, chief_judge.pk)
    entry = AuditEntry.objects.get(action="take_back_tablet")
    assert entry.actor == chief_judge


def test_a_locked_tablet_is_not_handed_out(tablet: Tablet) -> None:
    tablet.post("lock/")
    assert refusal(tablet.post("tables/1/hand-out/")) == (403, "pin_needed")


def test_an_act_sent_twice_is_done_once_and_told_the_state_of_now(tablet: Tablet, referee: User) -> None:
    key = new_key()
    first = tablet.post("tables/1/hand-out/", key=key)
    tablet.post("take-back/", {"referee": referee.pk, "pin": PIN})
    again = tablet.post("tables/1/hand-out/", key=key)
    assert (first.json()["key"], again.json()["key"], again["Idempotent-Replay"]) == (key, key, "true")
    assert again.json()["state"]["device"]["handed_out"] is None
    assert refusal(tablet.post("tables/2/hand-out/", key=key)) == (422, "key_reused")


# --- On to the next session -----------------------------------------------------------------------------
@pytest.fixture
def next_session(tablet: Tablet, event: object, organiser: User, referee: User) -> Session:
    """The referee's next one, at table 1."""
    session = Session.objects.get(stage__event=event, number=2)
    settle(session, organiser, [4], first=401)
    Table.objects.filter(session=session).update(referee=referee)
    return session


def test_a_tablet_goes_on_with_one_tap_and_again_where_the_answer_was_lost(
    tablet: Tablet, next_session: Session
) -> None:
    assert tablet.get().json()["next"]["session"] == 2
    key, old = new_key(), tablet.client.cookies["tablet"].value
    assert tablet.post("next/", key=key).json()["state"]["session"]["number"] == 2
    lost = Tablet()
    lost.client.cookies["tablet"] = old
    assert refusal(lost.get()) == (401, "tablet_followed")
    assert refusal(lost.post("next/")) == (410, "already_followed")
    assert lost.post("next/", key=key).json()["state"]["device"]["number"] == 2
    assert lost.get().json()["session"]["number"] == 2
    assert Device.objects.count() == 2
    opened = Unlock.objects.order_by("id").values_list("device__number", "referee__username")
    assert list(opened) == [(1, "referee"), (2, "referee")]


def test_a_tablet_with_something_waiting_stays(tablet: Tablet, next_session: Session) -> None:
    assert refusal(tablet.post("next/", X_Waiting="1")) == (409, "items_waiting")
    tablet.get(X_Waiting="1")
    assert refusal(tablet.post("next/")) == (409, "items_waiting")
    tablet.post("lock/")
    assert refusal(tablet.post("next/")) == (403, "pin_needed")


def test_what_waited_when_it_was_asked_last_counts_no_more_once_the_tablet_says_that_nothing_does(
    tablet: Tablet, next_session: Session
) -> None:
    tablet.get(X_Waiting="1")
    assert tablet.post("next/", X_Waiting="0").status_code == 200


def test_in_the_players_hands_a_tablet_goes_on_nowhere(tablet: Tablet, next_session: Session) -> None:
    tablet.post("tables/1/hand-out/")
    assert refusal(tablet.post("next/")) == (403, "signing_only")
    assert Device.objects.count() == 1


@pytest.mark.parametrize(("path", "code"), [("tables/1/hand-out/", "signing_only"), ("lock/", "pin_needed")])
def test_whose_hands_it_is_in_is_asked_again_in_the_moment_of_going_on(
    tablet: Tablet, next_session: Session, path: str, code: str
) -> None:
    seen = tablet.device  # read by a request that goes on, before another changes hands
    tablet.post(path)
    with pytest.raises(Forbidden) as refused:
        devices.move_tablet_to_next_session(seen, tablet.client.cookies["tablet"].value, new_key(), 0)
    assert (refused.value.code, Device.objects.count()) == (code, 1)


def test_where_there_is_no_next_session_it_says_so(tablet: Tablet) -> None:
    assert refusal(tablet.post("next/")) == (409, "no_next_session")


def test_two_tablets_of_one_referee_go_on_each_with_its_own_table_and_take_none_from_each_other(
    tablet: Tablet, first_session: Session, organiser: User, referee: User
) -> None:
    settle(Session.objects.get(number=2), organiser, [4, 4], first=401)
    Table.objects.filter(session__number=2).update(referee=referee)
    other = paired(first_session, referee, organiser, (2,))

    def goes_on_to(one: Tablet) -> list[int]:
        return [table["number"] for table in one.post("next/").json()["state"]["tables"]]

    assert (goes_on_to(tablet), goes_on_to(other)) == ([1], [2])
    third = paired(first_session, referee, organiser, (1,))
    assert (third.get().json()["next"], refusal(third.post("next/"))) == (None, (409, "no_next_session"))


# --- What came late -------------------------------------------------------------------------------------
def late(key: str = "late-1", table: int = 1) -> dict[str, object]:
    """A draft that a tablet has made."""
    return {"key": key, "act": "save", "session": 1, "table": table, "revision": 0, "body": {"made_at": MADE_AT}}


@pytest.mark.fault("X41")
def test_what_a_revoked_tablet_brings_is_held_once_and_never_lost(tablet: Tablet, organiser: User) -> None:
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    first = tablet.post("late/", {"items": [late(), late("late-2", table=3)]})
    again = tablet.post("late/", {"items": [late()]})
    assert (first.status_code, first.json()) == (202, {"held": ["late-1", "late-2"], "recorded": []})
    assert again.json() == {"held": ["late-1"], "recorded": []}
    kept = list(QuarantinedSubmission.objects.values_list("key", "table__number", "because", "made_at__year"))
    assert kept == [("late-1", 1, "late", 2026), ("late-2", None, "late", 2026)]


def test_what_a_revoked_tablet_has_brought_waits_on_it_no_more(tablet: Tablet, organiser: User) -> None:
    tablet.get(X_Waiting="2")
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    told = []
    for left in ("1", "0"):
        tablet.post("late/", {"items": [late(f"late-{left}")]}, X_Waiting=left)
        told.append(tablet.device.waiting)
    assert told == [1, 0]


def test_what_was_recorded_before_is_not_held(tablet: Tablet) -> None:
    key = new_key()
    tablet.post("tables/1/hand-out/", key=key)
    assert tablet.post("late/", {"items": [late(key)]}).json() == {"held": [], "recorded": [key]}
    assert QuarantinedSubmission.objects.count() == 0


def test_a_token_that_never_was_brings_nothing(event: object) -> None:
    assert refusal(Tablet().post("late/", {"items": [late()]})) == (401, "tablet_not_paired")
