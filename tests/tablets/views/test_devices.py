"""The desk's pages of tablets: the list, the codes, cutting off, held items, an outbox brought by hand."""

import base64
import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.conftest import account
from tests.sheets.drawing import racks
from tests.squeezed import squeezed
from tests.tablets.held import late, said, sealed, whole
from tests.tablets.tablet_caller import MADE_AT, Tablet, give_tables, new_key, paired
from tournament.api import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, Pairing, QuarantinedSubmission
from tournament.devices.services import devices
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table
from tournament.tablets.services import held as held_services

PAGES = "/desk/hk-2026/tablets/"
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def desk(organiser: User) -> Client:
    """The organiser's browser, in English."""
    client = Client(headers=ENGLISH)
    client.force_login(organiser)
    return client


def text_of(client: Client, path: str = "", **headers: str) -> str:
    return squeezed(client.get(PAGES + path, headers=headers or None).content.decode())


# --- The list -------------------------------------------------------------------------------------------
def test_the_list_tells_tables_referee_what_waits_and_how_the_clock_goes(desk: Client, tablet: Tablet) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        clock = round((timezone.now() + timedelta(minutes=5)).timestamp() * 1000)
        tablet.get(X_Waiting="3", X_Client_Time=str(clock), X_Battery="61")
    page = text_of(desk)
    assert [word in page for word in ("<b>1</b>, <b>2</b>", "300 s off", "61 %", ">3</span>", "referee")] == [True] * 5


def test_a_tablet_that_is_silent_for_a_minute_is_marked(desk: Client, tablet: Tablet) -> None:
    tablet.get()
    before = 'class="bad"' in text_of(desk)
    Device.objects.update(last_seen_at=timezone.now() - timedelta(seconds=61))
    assert (before, 'class="bad"' in text_of(desk)) == (False, True)


def test_the_list_is_304_until_something_changes(desk: Client, tablet: Tablet, organiser: User) -> None:
    mark = desk.get(f"{PAGES}list/")["ETag"]
    same = desk.get(f"{PAGES}list/", headers={"If-None-Match": mark}).status_code
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    changed = desk.get(f"{PAGES}list/", headers={"If-None-Match": mark}).status_code
    assert (same, changed) == (304, 200)


def test_three_tablets_ask_no_more_queries_than_one(
    desk: Client,
    tables: list[Table],
    first_session: Session,
    referee: User,
    organiser: User,
    django_assert_max_num_queries: Any,
) -> None:
    paired(first_session, referee, organiser, (1,), opened=False)
    with django_assert_max_num_queries(20) as one:
        desk.get(f"{PAGES}list/")
    for number in (2, 3):
        paired(first_session, referee, organiser, (number,), opened=False)
    with django_assert_max_num_queries(20) as three:
        desk.get(f"{PAGES}list/")
    assert len(one) == len(three)


@pytest.mark.parametrize("path", ["", "list/", "pair/1/", "1/revoke/", "held/", "outbox/"])
def test_every_page_is_there_in_both_languages(desk: Client, tablet: Tablet, path: str) -> None:
    pages = [desk.get(PAGES + path, headers={"Accept-Language": language}) for language in ("en", "zh-HK")]
    assert [page.status_code for page in pages] == [200, 200]
    assert pages[0].content != pages[1].content


# --- Pairing --------------------------------------------------------------------------------------------
def test_a_press_shows_a_code_whose_secret_stands_after_the_hash_and_is_kept_nowhere(
    desk: Client, tables: list[Table], first_session: Session, referee: User
) -> None:
    give_tables(first_session, referee, (1, 2))
    page = squeezed(desk.post(f"{PAGES}pair/1/", {"referee": referee.pk, "table": ["1", "2"]}).content.decode())
    address = page.split('<p class="digest">')[1].split("</p>")[0]
    before, code = address.split("#")
    assert before == "http://testserver/tablet/hk-2026/"
    assert len(code) >= 22
    assert 'class="qr"' in page and 'style="' not in page
    assert Pairing.objects.get().digest == services.api_token_digest(code)
    assert Tablet().pair(code).status_code == 201


def test_the_code_s_page_is_told_that_it_was_used_and_tried_again(
    desk: Client, tables: list[Table], first_session: Session, referee: User, organiser: User
) -> None:
    give_tables(first_session, referee, (1, 2))
    row, code = devices.make_pairing(first_session, referee, (1, 2), by=organiser)
    said = [text_of(desk, f"pairing/{row.pk}/")]
    for _each in range(2):
        Tablet().pair(code)
        said.append(text_of(desk, f"pairing/{row.pk}/"))
    assert [word in text for word, text in zip(("Waits", "has used it", "second tablet"), said, strict=True)] == [
        True
    ] * 3


def test_codes_for_all_are_made_when_they_are_printed_and_say_how_long_they_hold(
    desk: Client, tables: list[Table], first_session: Session, referee: User, event: object
) -> None:
    give_tables(first_session, referee, (1, 2))
    without = account(event, Role.REFEREE, "without_pin")
    Table.objects.filter(session=first_session, number=3).update(referee=without)
    page = squeezed(desk.post(f"{PAGES}pair/1/print/").content.decode())
    lives = Pairing.objects.get().expires_at - Pairing.objects.get().made_at
    assert (page.count('class="qr"'), lives, "hold for ten minutes" in page) == (1, timedelta(minutes=10), True)
    assert "This referee has no PIN" in page


@pytest.mark.parametrize(
    ("numbers", "status"), [(["3"], 400), ([], 400), (["1", "x"], 400), (["1"], 200)], ids=["other", "none", "x", "own"]
)
def test_only_a_referee_s_own_tables_are_given(
    desk: Client, tables: list[Table], first_session: Session, referee: User, numbers: list[str], status: int
) -> None:
    give_tables(first_session, referee, (1, 2))
    assert desk.post(f"{PAGES}pair/1/", {"referee": referee.pk, "table": numbers}).status_code == status


def test_a_tablet_is_cut_off_with_a_reason(desk: Client, tablet: Tablet) -> None:
    assert "From its next contact on it opens no sheet." in text_of(desk, "1/revoke/")  # X44
    assert desk.post(f"{PAGES}1/revoke/", {"reason": " "}).status_code == 400
    assert desk.post(f"{PAGES}1/revoke/", {"reason": "left on a bus"}).status_code == 302
    assert tablet.get().status_code == 401
    assert Device.objects.get().revoked_reason == "left on a bus"


# --- Held items -----------------------------------------------------------------------------------------
def body(referee: User, **values: str) -> dict[str, Any]:
    """A draft as a tablet has it: seat A's rack of the first game."""
    typed = empty_typed_sheet(3)
    typed["games"][0]["seats"]["A"] |= values
    return {"typed": typed, "confirmations": {}, "referee": referee.pk, "made_at": MADE_AT}


def item(referee: User, key: str = "late-1", **values: str) -> dict[str, Any]:
    """The item of that draft."""
    made = {"key": key, "act": "save", "session": 1, "table": 1, "revision": 0}
    return made | {"body": body(referee, **values)}


@pytest.fixture
def held(tablet: Tablet, organiser: User, referee: User) -> QuarantinedSubmission:
    """A draft that came after the tablet was cut off."""
    devices.revoke_tablet(tablet.device, reason="lost", by=organiser)
    tablet.post("late/", {"items": [item(referee, tiles="7")]})
    return QuarantinedSubmission.objects.get()


def settle_by(
    client: Client, held: QuarantinedSubmission, do: str, seen: int = 0, key: str = "settle", reason: str = "true"
) -> Any:
    """Press one of the two buttons."""
    sent = {"do": do, "reason": reason, "revision": seen, "request_key": key}
    return client.post(f"{PAGES}held/{held.pk}/", sent)


@pytest.mark.fault("X41")
def test_a_held_item_stands_beside_what_the_server_has_and_is_entered_in_the_settler_s_name(
    desk: Client, held: QuarantinedSubmission, organiser: User
) -> None:
    page = text_of(desk, f"held/{held.pk}/")
    assert '<span class="nb">—·7</span>' in page and "Nothing has been received" in page
    assert settle_by(desk, held, "enter").status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.typed["games"][0]["seats"]["A"]["tiles"], sheet.typed_by, sheet.state) == ("7", organiser, "draft")
    held.refresh_from_db()
    assert (held.outcome, held.resolved_by, held.resolved_reason) == ("entered", organiser, "true")


def test_a_held_item_is_settled_once_and_again_with_its_key_is_harmless(
    desk: Client, held: QuarantinedSubmission
) -> None:
    first, again = settle_by(desk, held, "set_aside"), settle_by(desk, held, "set_aside")
    other = settle_by(desk, held, "enter", key="another")
    assert [one.status_code for one in (first, again, other)] == [302, 302, 409]
    assert AuditEntry.objects.filter(action="set_aside_held_item").count() == 1
    assert Scoresheet.objects.count() == 0


def test_entering_from_an_older_reading_of_the_sheet_changes_nothing(
    desk: Client, held: QuarantinedSubmission, tables: list[Table], clerk: User
) -> None:
    given = {"form": "paper", "typed": empty_typed_sheet(3), "by": clerk, "request_key": "k"}
    scoresheets.save_scoresheet(tables[0], revision=0, **given)
    assert settle_by(desk, held, "enter", seen=0).status_code in (409, 412)
    held.refresh_from_db()
    assert held.outcome == ""


def test_a_later_item_is_offered_with_the_older_drafts_that_wait_and_with_none_that_is_settled(
    desk: Client, tablet: Tablet, referee: User, organiser: User
) -> None:
    typed = {"typed": racks(), "confirmations": {}}
    settled, waits, newest = (late(tablet, organiser, "save", said(referee, **typed), key) for key in ("1", "2", "3"))
    settle_by(desk, settled, "set_aside")
    assert held_services.older_waiting_drafts(newest) == [waits]


def test_a_clerk_sees_a_held_item_and_settles_none(held: QuarantinedSubmission, clerk: User) -> None:
    client = Client(headers=ENGLISH)
    client.force_login(clerk)
    assert client.get(f"{PAGES}held/{held.pk}/").status_code == 200
    assert settle_by(client, held, "set_aside").status_code == 403


def test_a_reason_is_asked_for(desk: Client, held: QuarantinedSubmission) -> None:
    assert settle_by(desk, held, "set_aside", reason=" ").status_code == 400


# --- An outbox by hand ----------------------------------------------------------------------------------
def outbox(*items: Any, event: str = "hk-2026") -> str:
    """The file's form without a seal, as anybody can write it."""
    return json.dumps({"format": 1, "event": event, "device": 1, "items": list(items)})


def codes_of(text: str, size: int) -> list[str]:
    """The file as a series of QR codes, packed plain."""
    whole = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    series = hashlib.sha256(whole.encode()).hexdigest()[:8]
    parts = [whole[start : start + size] for start in range(0, len(whole), size)]
    return [f"RT1.{series}.{place}.{len(parts)}.p.{part}" for place, part in enumerate(parts, start=1)]


def bring(client: Client, text: str) -> Any:
    return client.post(f"{PAGES}outbox/", {"text": text})


def test_an_outbox_is_recorded_under_its_keys_so_that_the_tablet_s_own_sending_is_a_replay(
    desk: Client, tablet: Tablet, referee: User
) -> None:
    key = new_key()
    found = bring(desk, sealed(tablet.device, item(referee, key, tiles="5"))).context["found"]
    assert [(one.key, one.outcome) for one in found] == [(key, "recorded")]
    again = tablet.post("tables/1/save/", body(referee, tiles="5"), key=key, seen=0)
    assert (again.status_code, again["Idempotent-Replay"], Scoresheet.objects.get().revision) == (200, "true", 1)
    assert bring(desk, sealed(tablet.device, item(referee, key, tiles="5"))).context["counts"] == {"replayed": 1}


def package_of(referee: User) -> dict[str, Any]:
    """A whole sheet in the referee's name, with four signatures that anybody can draw."""
    return {"key": "p-1", "act": "package", "session": 1, "table": 1, "revision": 0, "body": whole(referee)}


def forged(tablet: Tablet, referee: User, how: str) -> str:
    """An outbox in a tablet's name that it has not made."""
    if how == "no seal":
        return outbox(package_of(referee))
    if how == "of another tablet":
        other = Device(number=2, digest="0" * 64)
        return sealed(other, {**package_of(referee), "device": 1})
    true = json.loads(sealed(tablet.device, package_of(referee)))
    seats = true["items"][0]["body"]["typed"]["games"][0]["seats"]
    seats["B"]["face_value"] = "15"
    return json.dumps(true)


@pytest.mark.parametrize("how", ["no seal", "of another tablet", "altered"])
def test_who_writes_an_outbox_in_a_tablets_name_records_nothing_and_locks_nothing(
    event: Event, tablet: Tablet, clerk: User, referee: User, chief_judge: User, how: str
) -> None:
    client, judge = Client(headers=ENGLISH), Client(headers=ENGLISH)
    client.force_login(clerk)
    judge.force_login(chief_judge)
    for _twice in range(2):
        assert bring(client, forged(tablet, referee, how)).context["counts"] == {"held": 1}
    held = QuarantinedSubmission.objects.get()
    page = squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    entered = settle_by(judge, held, "enter")
    assert (held.because, "anybody may have written it" in page, "lock</button>" in page) == ("brought", True, False)
    assert (entered.status_code, Scoresheet.objects.count()) == (409, 0)
    assert tablet.post("tables/1/package/", whole(referee), key="p-1", seen=0).status_code == 200
    assert Scoresheet.objects.get().state == "signed"


def test_one_bad_item_stops_no_other_and_every_refusal_is_listed_and_held(
    desk: Client, tablet: Tablet, referee: User, event: object
) -> None:
    stranger = account(event, Role.REFEREE, "stranger")
    items = [7, {"key": "x"}, item(stranger, "of-a-stranger"), {**item(referee, "no-act"), "act": "fly"}]
    third = {**item(referee, "third-table"), "table": 3}
    found = bring(desk, sealed(tablet.device, *items, third, item(referee, "good"))).context["found"]
    assert [(one.key, one.outcome, one.code) for one in found] == [
        ("", "unreadable", "item_not_readable"),
        ("x", "unreadable", "item_not_readable"),
        ("of-a-stranger", "held", "pin_needed"),
        ("no-act", "unreadable", "no_such_act"),
        ("third-table", "held", "not_found"),
        ("good", "recorded", ""),
    ]
    assert list(QuarantinedSubmission.objects.values_list("key", "because", "refusal")) == [
        ("of-a-stranger", "refused", "pin_needed"),
        ("third-table", "refused", "not_found"),
    ]


def test_an_outbox_of_a_tablet_that_is_cut_off_is_held(
    desk: Client, tablet: Tablet, referee: User, organiser: User
) -> None:
    devices.revoke_tablet(tablet.device, reason="flat battery", by=organiser)
    assert bring(desk, sealed(tablet.device, item(referee))).context["counts"] == {"held": 1}
    assert QuarantinedSubmission.objects.get().because == "late"


def test_an_outbox_comes_as_a_file_or_as_a_series_of_qr_codes_in_any_order(
    desk: Client, tablet: Tablet, referee: User
) -> None:
    text = sealed(tablet.device, item(referee, "series"))
    codes = codes_of(text, 40)
    assert len(codes) > 2
    assert bring(desk, "\n".join([*reversed(codes), codes[0]])).context["counts"] == {"recorded": 1}
    file = SimpleUploadedFile("outbox.json", text.encode())
    assert desk.post(f"{PAGES}outbox/", {"file": file}).context["counts"] == {"replayed": 1}
    refused = bring(desk, "\n".join([*codes[:1], *codes[2:]]))
    assert (refused.status_code, f"Code 2 of {len(codes)} is missing" in squeezed(refused.content.decode())) == (
        400,
        True,
    )


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", outbox(event="another"), '{"format": 2, "items": []}'])
def test_what_is_no_outbox_of_this_event_is_refused(desk: Client, tablet: Tablet, text: str) -> None:
    assert bring(desk, text).status_code == 400


@pytest.mark.fault("O9")
def test_another_event_s_tablets_and_held_items_are_not_there(desk: Client, held: QuarantinedSubmission) -> None:
    paths = ("99/revoke/", f"held/{held.pk + 1}/", "pairing/9999/", "pair/99/")
    assert {desk.get(PAGES + path).status_code for path in paths} == {404}


# --- What a release waits for ---------------------------------------------------------------------------
def reasons(desk: Client) -> list[bool]:
    """Whether the release page names held items, and tablets that still hold some."""
    page = squeezed(desk.get("/desk/hk-2026/releases/").content.decode())
    return ["of a tablet waits for a decision" in page, "Tablets still hold items: no. 1." in page]


def test_a_release_waits_for_held_items_and_for_tablets_that_are_not_cut_off(
    desk: Client, tablet: Tablet, referee: User, organiser: User
) -> None:
    said = [reasons(desk)]
    tablet.get(X_Waiting="2")
    said.append(reasons(desk))
    devices.revoke_tablet(tablet.device, reason="flat battery", by=organiser)
    said.append(reasons(desk))
    tablet.post("late/", {"items": [item(referee)]})
    said.append(reasons(desk))
    settle_by(desk, QuarantinedSubmission.objects.get(), "set_aside")
    said.append(reasons(desk))
    assert said == [[False, False], [False, True], [False, False], [True, False], [False, False]]


# --- Wrong PINs -----------------------------------------------------------------------------------------
def test_the_desk_sees_the_wrong_pins_of_a_handed_out_tablet_and_unlocks_it(
    desk: Client, tablet: Tablet, referee: User
) -> None:
    tablet.post("tables/1/hand-out/")
    answers = [tablet.post("take-back/", {"referee": referee.pk, "pin": "1111"}).status_code for _try in range(3)]
    page = text_of(desk)
    assert (answers, "3 wrong PINs" in page, "waits until" in page) == ([403] * 3, True, True)
    assert tablet.open(referee).status_code == 429
    assert desk.post(f"{PAGES}1/unlock/").status_code == 302
    assert tablet.open(referee).status_code == 200
    assert "wrong PIN" not in text_of(desk)
    assert AuditEntry.objects.filter(action="unlock_pin").count() == 1
