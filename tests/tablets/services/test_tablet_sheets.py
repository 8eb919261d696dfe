"""A sheet on the referee's tablet: saved, agreed, signed with a finger, locked with the last signature."""

from copy import deepcopy

import pytest
from django.contrib.auth.models import User

from tests.sheets.drawing import drawn, packed, racks, tablet
from tests.sheets.tables import record_status, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SheetForm, SheetState
from tournament.core.errors import BadInput, Forbidden, Locked, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.core.services import cipher
from tournament.devices.models.device import Device
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.domain.scoresheets import confirm_all_unusual
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Drawing, OfficialSheet, Signature
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import drawings, scoresheets, signing, signing_disputes
from tournament.tables.models import Table
from tournament.tablets.services import sheets


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    return found


@pytest.fixture
def device(table: Table, referee: User, organiser: User) -> Device:
    return tablet(table, referee, organiser)


@pytest.fixture
def ready(table: Table, referee: User) -> Scoresheet:
    """The sheet entered and agreed, revision 2, for the players to sign."""
    given = {"typed": racks(), "confirmations": {}, "by": referee}
    sheets.save_tablet_sheet(table, revision=0, request_key="save", **given)
    return scoresheets.hand_in_scoresheet(table, revision=1, confirmations={}, by=referee, request_key="ready")


def sign(table: Table, device: Device, sheet: Scoresheet, letter: str, key: str = "") -> Scoresheet:
    return sheets.sign_tablet_sheet(
        table,
        device=device,
        revision=sheet.revision,
        digest=sheet.digest,
        drawn=drawn(letter),
        by=device.referee,
        request_key=key or f"sign-{letter}",
    )


def actions() -> list[str]:
    return list(
        AuditEntry.objects.filter(subject__startswith="scoresheet").order_by("seq").values_list("action", flat=True)
    )


def clean() -> bool:
    report = verify_events(files=False)
    return (report.findings, report.incomplete) == ([], [])


# --- Signing --------------------------------------------------------------------------------------------
@pytest.mark.fault("P5")
def test_with_the_last_signature_the_sheet_locks_and_counts(table: Table, device: Device, ready: Scoresheet) -> None:
    for letter in "ABC":
        assert sign(table, device, ready, letter).state == SheetState.READY
    sheet = sign(table, device, ready, "D")
    assert (sheet.state, sheet.revision, sheet.locked_by) == (SheetState.SIGNED, 3, device.referee)
    assert OfficialSheet.objects.get(table=table).scoresheet == sheet
    signs = ["sign_scoresheet"] * 4
    assert actions() == ["save_scoresheet", "ready_scoresheet", *signs, "lock_scoresheet"]
    entries = AuditEntry.objects.filter(action="sign_scoresheet").order_by("seq").values_list("reason", "digest_after")
    kept = Drawing.objects.order_by("signature__letter").values_list("signature__letter", "digest")
    assert list(entries) == list(kept)
    assert clean()


def test_a_drawing_is_enciphered_and_read_back_as_it_was_drawn(table: Table, device: Device, ready: Scoresheet) -> None:
    sign(table, device, ready, "A")
    signature = Signature.objects.select_related("drawing", "entrant").get()
    whole = [[list(point) for point in stroke] for stroke in drawn("A").strokes]
    assert drawings.read_strokes_of_signature(signature) == whole
    assert b"[[[" not in bytes(signature.drawing.strokes)
    assert cipher.key_file().stat().st_mode & 0o777 == 0o600


def test_the_same_seat_does_not_sign_twice_and_a_request_sent_twice_signs_once(
    table: Table, device: Device, ready: Scoresheet
) -> None:
    for _time in range(2):
        sign(table, device, ready, "A", "one key")
    assert Signature.objects.count() == 1
    with pytest.raises(Refused) as refused:
        sign(table, device, ready, "A", "another key")
    assert (refused.value.status, refused.value.code) == (409, "signed_already")


@pytest.mark.fault("N4")
def test_who_signs_values_that_have_changed_reads_them_again_and_no_signature_is_stored(
    table: Table, device: Device, ready: Scoresheet, referee: User
) -> None:
    sign(table, device, ready, "A")
    sheets.reopen_tablet_sheet(table, revision=2, by=referee, request_key="reopen")
    other = deepcopy(racks())
    other["games"][0]["seats"]["B"]["face_value"] = "15"
    sheets.save_tablet_sheet(table, revision=3, typed=other, confirmations={}, by=referee, request_key="again")
    again = scoresheets.hand_in_scoresheet(table, revision=4, confirmations={}, by=referee, request_key="ready again")
    with pytest.raises(StaleVersion) as refused:
        sign(table, device, ready, "B")
    assert refused.value.status == 412
    again.digest = ready.digest
    with pytest.raises(StaleVersion) as refused:
        sign(table, device, again, "B", "the other digest")
    assert refused.value.code == "sheet_changed_read_again"
    assert [(one.letter, one.superseded_at is not None) for one in Signature.objects.all()] == [("A", True)]
    assert clean()


@pytest.mark.fault("N5")
def test_of_the_last_signature_and_a_dispute_the_first_wins(
    table: Table, device: Device, ready: Scoresheet, referee: User
) -> None:
    given = {"revision": 2, "reason": "game 2", "letter": "C", "by": referee}
    for letter in "ABC":
        sign(table, device, ready, letter)
    sheet = sheets.dispute_tablet_sheet(table, request_key="dispute", **given)
    assert (sheet.state, sheet.revision) == (SheetState.DISPUTED, 3)
    with pytest.raises(Refused) as refused:
        sign(table, device, ready, "D")
    assert (refused.value.status, Signature.objects.filter(superseded_at=None).count()) == (409, 0)
    assert clean()


@pytest.mark.fault("N5")
def test_after_the_last_signature_a_dispute_is_too_late(table: Table, device: Device, referee: User) -> None:
    packed(table, device, referee)
    with pytest.raises(Locked) as refused:
        sheets.dispute_tablet_sheet(table, revision=3, reason="no", letter="", by=referee, request_key="late")
    assert refused.value.status == 423


def test_who_has_left_and_who_never_came_do_not_sign(table: Table, device: Device, referee: User) -> None:
    record_status(table, "D", EntrantStatus.FORFEITED)
    three = racks(letters="ABC")
    with pytest.raises(BadInput) as refused:
        packed(table, device, referee, typed=three, letters="ABCD")
    assert refused.value.code == "not_a_signer"
    assert packed(table, device, referee, typed=three, letters="ABC").state == SheetState.SIGNED


def test_where_nobody_signs_a_tablet_does_not_lock_a_sheet_that_one_person_has_seen(
    table: Table, device: Device, referee: User
) -> None:
    given = {"typed": racks(), "confirmations": {}, "by": referee}
    sheets.save_tablet_sheet(table, revision=0, request_key="save", **given)
    for letter in "ABCD":
        record_status(table, letter, EntrantStatus.WITHDRAWN)
    check, _seats = scoresheets.judge_sheet_now(table, Scoresheet.objects.get())
    notes = confirm_all_unusual(check, "all have gone home")
    given = {"typed": racks(), "confirmations": notes, "by": referee, "request_key": "package", "signatures": []}
    with pytest.raises(Refused) as refused:
        sheets.submit_tablet_package(table, device=device, revision=1, **given)
    assert (refused.value.code, Scoresheet.objects.get().state) == ("nobody_signs", SheetState.DRAFT)


@pytest.mark.fault("Z9")
def test_two_signatures_within_two_seconds_are_said_in_the_log(table: Table, device: Device, referee: User) -> None:
    given = {"revision": 0, "typed": racks(), "confirmations": {}, "by": referee, "request_key": "k"}
    moments = {"A": 0, "B": 1, "C": 60, "D": 90}
    signatures = [drawn(letter, seconds) for letter, seconds in moments.items()]
    sheets.submit_tablet_package(table, device=device, signatures=signatures, **given)
    entries = AuditEntry.objects.filter(action="sign_scoresheet").order_by("seq").values_list("reason", flat=True)
    assert list(entries) == ["A", "B: at once after A", "C", "D"]
    assert clean()


# --- The package ----------------------------------------------------------------------------------------
def test_a_package_saves_signs_and_locks_at_once_and_sent_twice_once(
    table: Table, device: Device, referee: User
) -> None:
    for _time in range(2):
        sheet = packed(table, device, referee)
    assert (sheet.state, sheet.revision, sheet.form) == (SheetState.SIGNED, 3, SheetForm.RACK)
    signs = ["sign_scoresheet"] * 4
    assert actions() == ["save_scoresheet", "ready_scoresheet", *signs, "lock_scoresheet"]
    assert clean()


def test_a_package_that_wants_a_signature_leaves_the_sheet_untouched(
    table: Table, device: Device, referee: User
) -> None:
    with pytest.raises(Refused) as refused:
        packed(table, device, referee, letters="ABC")
    assert (refused.value.code, sheets.is_conflict(refused.value)) == ("signatures_missing", False)
    assert (Scoresheet.objects.count(), Signature.objects.count(), actions()) == (0, 0, [])


def test_a_package_on_a_sheet_that_is_another_by_now_is_a_conflict(
    table: Table, device: Device, ready: Scoresheet, referee: User
) -> None:
    for revision, code in ((0, "scoresheet_ready"), (1, "scoresheet_ready")):
        with pytest.raises(Refused) as refused:
            packed(table, device, referee, revision=revision)
        assert (refused.value.code, sheets.is_conflict(refused.value)) == (code, True)


def test_a_decided_dispute_is_signed_by_a_package_of_the_same_values(
    table: Table, device: Device, ready: Scoresheet, referee: User, chief_judge: User
) -> None:
    sheets.dispute_tablet_sheet(table, revision=2, reason="game 2", letter="C", by=referee, request_key="dispute")
    decided = {"decision": "counted again", "by": chief_judge, "request_key": "decide"}
    signing_disputes.decide_dispute(table, revision=3, **decided)
    assert packed(table, device, referee, revision=4, typed=racks()).state == SheetState.SIGNED
    assert clean()


def test_another_referee_takes_the_sheet_back_and_all_sign_again(
    table: Table, device: Device, ready: Scoresheet, clerk: User
) -> None:
    sign(table, device, ready, "A")
    sheet = sheets.reopen_tablet_sheet(table, revision=2, by=clerk, request_key="reopen")
    assert (sheet.state, Signature.objects.exclude(superseded_at=None).count()) == (SheetState.DRAFT, 1)
    assert packed(table, device, clerk, revision=3).state == SheetState.SIGNED
    assert clean()


# --- The chief judge certifies what a player refuses ----------------------------------------------------
def test_a_refused_signature_is_the_chief_judge_s_and_the_drawn_ones_stand(
    table: Table, device: Device, ready: Scoresheet, chief_judge: User, second_clerk: User
) -> None:
    for letter in "ABC":
        sign(table, device, ready, letter)
    given = {"revision": 2, "request_key": "certify"}
    with pytest.raises(Forbidden) as refused:
        signing.certify_scoresheet(table, signatures={"D": "refuses"}, by=second_clerk, **given)
    assert refused.value.code == "chief_judge_only"
    sheet = signing.certify_scoresheet(table, signatures={"D": "refuses"}, by=chief_judge, **given)
    assert sheet.state == SheetState.CERTIFIED
    recorded = Signature.objects.order_by("letter").values_list("letter", "present", "missing_reason")
    assert list(recorded) == [("A", True, ""), ("B", True, ""), ("C", True, ""), ("D", False, "refuses")]
    assert clean()


def test_beside_drawn_signatures_none_is_ticked_as_on_paper_and_none_is_taken_away(
    table: Table, device: Device, ready: Scoresheet, chief_judge: User
) -> None:
    sign(table, device, ready, "A")
    gone = dict.fromkeys("BCD", "gone")
    for given, code in (({**gone, "D": ""}, "signature_not_drawn"), ({**gone, "A": "gone"}, "signature_is_drawn")):
        with pytest.raises(Refused) as refused:
            signing.certify_scoresheet(table, revision=2, signatures=given, by=chief_judge, request_key="certify")
        assert refused.value.code == code
