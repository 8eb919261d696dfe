"""Held items settled at the desk: every act of a tablet entered or set aside, signatures counted, nothing in plain."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tests.tablets.held import ENGLISH, PAGES, conflict, late, press, said, whole
from tests.tablets.tablet_caller import Tablet
from tournament.audit.models import AuditEntry
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.operations.services import audit_verification
from tournament.sheets.exports.drawn_signature import strokes_svg_path
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.sheets.services import clock
from tournament.tables.models import Table


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables with confirmed seats."""
    return settle(first_session, organiser, [4, 4, 4])


@pytest.fixture
def judge(chief_judge: User) -> Client:
    """The chief judge's browser, in English."""
    client = Client(headers=ENGLISH)
    client.force_login(chief_judge)
    return client


@pytest.fixture
def desk(organiser: User) -> Client:
    """The organiser's browser, in English."""
    client = Client(headers=ENGLISH)
    client.force_login(organiser)
    return client


def clean() -> list[Any]:
    """What a verifier finds: nothing if all is well."""
    return audit_verification.verify_events(files=False).findings


def test_the_overview_names_what_tablets_brought_until_it_is_settled(
    tablet: Tablet, referee: User, organiser: User, desk: Client
) -> None:
    held = late(tablet, organiser, "package", whole(referee))
    said_of_it = "1 item that a tablet brought waits to be settled."
    assert said_of_it in squeezed(desk.get("/desk/hk-2026/").content.decode())
    press(desk, held, "set_aside")
    assert said_of_it not in squeezed(desk.get("/desk/hk-2026/").content.decode())


# --- A package ------------------------------------------------------------------------------------------
def test_a_late_package_is_entered_by_the_chief_judge_with_its_signatures_and_locks(
    tablet: Tablet, referee: User, organiser: User, chief_judge: User, judge: Client
) -> None:
    held = late(tablet, organiser, "package", whole(referee))
    page = squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    assert [strokes_svg_path(strokes(place)) in page for place in range(4)] == [True] * 4
    assert press(judge, held, "enter").status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.typed_by, sheet.locked_by) == ("signed", chief_judge, chief_judge)
    drawn = Signature.objects.order_by("letter").values_list("letter", "device", "recorded_by")
    assert list(drawn) == [(letter, tablet_of(held).pk, chief_judge.pk) for letter in "ABCD"]
    acts = AuditEntry.objects.filter(request_key=held.key).order_by("seq").values_list("action", "actor")
    assert list(acts) == [
        ("hold_item", None),
        ("save_scoresheet", chief_judge.pk),
        ("ready_scoresheet", chief_judge.pk),
        *[("sign_scoresheet", chief_judge.pk)] * 4,
        ("lock_scoresheet", chief_judge.pk),
        ("enter_held_item", chief_judge.pk),
    ]
    assert clean() == []


def tablet_of(item: QuarantinedSubmission) -> Device:
    assert item.device is not None
    return item.device


@pytest.mark.fault("N3")
def test_a_conflict_shows_both_sides_with_the_differing_cells_and_the_tablet_hears_that_it_was_entered(
    tablet: Tablet, referee: User, judge: Client
) -> None:
    held = conflict(tablet, referee)
    page = squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    # Seat B's rack and, with it, what seat A wins: as typed the one cell differs.
    assert (page.count(">differs<"), "1 cell differs" in page) == (2, True)
    assert ("rack value 14" in page, "rack value 15" in page) == (True, True)
    assert press(judge, held, "enter", seen=1).status_code == 302
    assert (Scoresheet.objects.get().state, Signature.objects.count()) == ("signed", 4)
    again = tablet.post("tables/1/package/", whole(referee), seen=0, key="package-1")
    assert (again.status_code, again.headers["Idempotent-Replay"]) == (200, "true")
    assert again.json()["receipt"] == again.json()["state"]["tables"][0]["sheet"]["receipt"]


def test_an_organiser_enters_the_values_of_a_package_alone_and_its_key_is_used_up(
    tablet: Tablet, referee: User, desk: Client, organiser: User
) -> None:
    held = conflict(tablet, referee)
    assert press(desk, held, "enter", seen=1).status_code == 403
    assert press(desk, held, "values", seen=1).status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.typed, sheet.typed_by, Signature.objects.count()) == ("draft", racks(), organiser, 0)
    assert sheet.values_by == [referee.pk, organiser.pk]
    again = tablet.post("tables/1/package/", whole(referee), seen=0, key="package-1")
    assert (again.status_code, again.json()["receipt"]) == (200, "")
    assert (Scoresheet.objects.get().revision, clean()) == (2, [])


def test_a_package_set_aside_is_not_taken_when_it_comes_again(tablet: Tablet, referee: User, desk: Client) -> None:
    held = conflict(tablet, referee)
    assert press(desk, held, "set_aside", reason="the paper says 15").status_code == 302
    again = tablet.post("tables/1/package/", whole(referee), seen=1, key="package-1")
    assert (again.status_code, again.json()["code"]) == (409, "put_aside")
    assert again.json()["detail"] == "The desk has set this aside: the paper says 15"


def test_signatures_made_under_no_known_pin_do_not_count(
    tablet: Tablet, referee: User, organiser: User, chief_judge: User, judge: Client
) -> None:
    held = late(tablet, organiser, "package", whole(chief_judge))
    assert "no PIN of its referee had opened this tablet" in squeezed(
        judge.get(f"{PAGES}held/{held.pk}/").content.decode()
    )
    assert press(judge, held, "enter").status_code == 409
    assert press(judge, held, "values").status_code == 302
    assert (Scoresheet.objects.get().state, Signature.objects.count()) == ("draft", 0)


def test_a_package_without_all_who_sign_changes_nothing_and_stays(
    tablet: Tablet, referee: User, organiser: User, judge: Client
) -> None:
    body = whole(referee)
    held = late(tablet, organiser, "package", {**body, "signatures": body["signatures"][:3]})
    refused = press(judge, held, "enter")
    assert (refused.status_code, "a signature of each entrant who signs" in squeezed(refused.content.decode())) == (
        409,
        True,
    )
    held.refresh_from_db()
    assert (held.outcome, Scoresheet.objects.count()) == ("", 0)
    assert RequestKey.objects.filter(key=held.key, status__gt=0).count() == 0


def test_over_a_locked_sheet_a_package_is_only_set_aside(tablet: Tablet, referee: User, judge: Client) -> None:
    held = conflict(tablet, referee)
    shown = said(referee, typed=whole(referee)["typed"], confirmations={})
    assert tablet.post("tables/1/save/", shown, seen=1).status_code == 200
    assert tablet.post("tables/1/package/", whole(referee), seen=2, key="package-2").status_code == 200
    page = squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    assert ("The sheet is locked with these values" in page, 'value="enter"' in page) == (True, False)
    assert press(judge, held, "enter", seen=4).status_code == 423
    assert press(judge, held, "set_aside").status_code == 302


def test_older_drafts_that_a_package_contains_are_set_aside_with_it(
    tablet: Tablet, referee: User, organiser: User, judge: Client
) -> None:
    draft = said(referee, typed=racks(), confirmations={})
    for place, seen in enumerate((0, None)):
        late(tablet, organiser, "save", draft, f"late-save-{place}", seen)
    held = late(tablet, organiser, "package", whole(referee), revision=None)
    assert press(judge, held, "enter", older="on").status_code == 302
    outcomes = QuarantinedSubmission.objects.order_by("pk").values_list("act", "outcome", "resolved_reason")
    contained = f"held {held.pk} table 0328-1-01: asked them"
    assert list(outcomes) == [
        ("save", "set_aside", contained),
        ("save", "set_aside", contained),
        ("package", "entered", "asked them"),
    ]
    assert AuditEntry.objects.filter(action="set_aside_held_item").count() == 2


# --- Every other act ------------------------------------------------------------------------------------
def rows() -> list[int]:
    """How many of each an item may make."""
    kinds = (JudgeCall, Warning, Incident, ClockEvent, Dispute, Signature)
    return [kind.objects.count() for kind in kinds]


@pytest.mark.parametrize(
    ("act", "body", "place"),
    [
        ("call", {"reason": "who drew first?"}, 0),
        ("warning", {"letter": "B", "game": 1, "reason": "talks"}, 1),
        ("incident", {"kind": "new_deal", "game": 2}, 2),
        ("pause", {"letter": "B", "escort": "a helper"}, 3),
        ("overtime", {"minutes": 5, "reason": "a fire alarm"}, 3),
    ],
)
def test_what_is_recorded_beside_a_sheet_is_entered_in_the_settler_s_name_with_the_tablet_s_time(
    tablet: Tablet, referee: User, organiser: User, desk: Client, act: str, body: dict[str, Any], place: int
) -> None:
    session = Session.objects.get(number=1, stage__event__slug="hk-2026")
    clock.move_session(session, "start", by=organiser, request_key="start")
    before = rows()
    held = late(tablet, organiser, act, said(referee, **body), revision=None)
    assert press(desk, held, "enter").status_code == 302
    assert [after - had for after, had in zip(rows(), before, strict=True)] == [int(at == place) for at in range(6)]
    made = (JudgeCall, Warning, Incident, ClockEvent)[place].objects.order_by("pk").last()
    assert (made.device, made.claimed_at, made.claimed_at) == (held.device, held.made_at, held.made_at)
    held.refresh_from_db()
    assert (held.outcome, clean()) == ("entered", [])


def test_a_pause_of_a_session_that_is_not_played_is_refused_in_words_and_set_aside(
    tablet: Tablet, referee: User, organiser: User, desk: Client
) -> None:
    held = late(tablet, organiser, "pause", said(referee, letter="A", escort="a helper"), revision=None)
    refused = press(desk, held, "enter")
    assert (refused.status_code, "is not being played" in squeezed(refused.content.decode())) == (409, True)
    assert press(desk, held, "set_aside").status_code == 302
    assert ClockEvent.objects.count() == 0


def test_a_sheet_is_saved_handed_on_signed_and_taken_back_step_by_step(
    tablet: Tablet, referee: User, organiser: User, judge: Client
) -> None:
    steps = [("save", {"typed": racks(), "confirmations": {}}), ("ready", {"confirmations": {}})]
    for seen, (act, body) in enumerate(steps):
        assert (
            press(
                judge, late(tablet, organiser, act, said(referee, **body), revision=seen), "enter", seen=seen
            ).status_code
            == 302
        )
    drawn = said(referee, letter="A", strokes=strokes(), digest=Scoresheet.objects.get().digest)
    held = late(tablet, organiser, "sign", drawn, revision=2)
    assert strokes_svg_path(strokes()) in squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    assert press(judge, held, "enter", seen=2).status_code == 302
    assert Signature.objects.get().letter == "A"
    assert (
        press(judge, late(tablet, organiser, "reopen", said(referee), revision=2), "enter", seen=2).status_code == 302
    )
    assert Scoresheet.objects.get().state == "draft"
    disputed = said(referee, letter="C", reason="game 2")
    assert press(judge, late(tablet, organiser, "dispute", disputed, revision=3), "enter", seen=3).status_code == 302
    assert (Scoresheet.objects.get().state, Dispute.objects.get().reason, clean()) == ("disputed", "C: game 2", [])


def test_what_no_tablet_does_is_only_set_aside(tablet: Tablet, referee: User, organiser: User, desk: Client) -> None:
    held = late(tablet, organiser, "fly", {"strange": [[1, 2, 3, 4]], "reason": ["x"]})
    page = desk.get(f"{PAGES}held/{held.pk}/")
    assert (page.status_code, 'value="enter"' in squeezed(page.content.decode())) == (200, False)
    assert press(desk, held, "enter").status_code == 409
    assert press(desk, held, "set_aside").status_code == 302
