"""The public's notices: frozen pages never move, drafts are nowhere, the banner is a file of its own."""

import hashlib
import io
import json
from datetime import date, datetime, timedelta
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.adapters.bundles import bundle_url
from tournament.core.enums import BannerTone, NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.mail.services import notices as service
from tournament.mail.services.notices import NoticeWording
from tournament.messages.models import Notice
from tournament.operations.services.audit_verification import verify_events
from tournament.publication.services.addresses import page_frame
from tournament.publication.services.files import write_public_files
from tournament.publication.services.notices_files import are_notices_public
from tournament.publication.services.release import release_results

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-03-28T09:40:00+08:00")
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
BANNER, FIRST = "/p/hk-2026/banner.json", "/p/hk-2026/notices/1/"
# What a notice may change: its own files.
OWN = ("/p/hk-2026/notices", BANNER)
NOTHING_UP = {"banner": None}


def words(**values: Any) -> NoticeWording:
    kept = {
        "kind": NoticeKind.PENDING,
        "title_zh": "3 月 28 日比賽待定",
        "title_en": "28 March: pending",
        "body_zh": "請先留在家中。\n\n第一場：12:00\n第二場：13:45",
        "body_en": "Please stay at home.\n\nSession 1: 12:00",
        "day": date(2026, 3, 28),
        "tone": BannerTone.WAIT,
    }
    return NoticeWording(**{**kept, **values})


@pytest.fixture
def tell(event: Event, organiser: User, django_capture_on_commit_callbacks: Any) -> Any:
    """A function: draft, publish, and let the commit's work be done."""

    def tell(*, corrects: Notice | None = None, now: datetime = NOW, **values: Any) -> Notice:
        made = service.draft_notice(event, words(**values), corrects=corrects, by=organiser, now=now)
        with django_capture_on_commit_callbacks(execute=True):
            return service.publish_notice(made, revision=1, confirmed=None, mail=False, by=organiser, now=now)

    return tell


@pytest.fixture
def released(first_session: Session, organiser: User, django_capture_on_commit_callbacks: Any) -> Stage:
    """A release of eight entrants, and its files."""
    mirrored_tables(first_session, organiser, advance=4)
    with django_capture_on_commit_callbacks(execute=True):
        release_results(first_session.stage, by=organiser, now=ANNOUNCED)
    return first_session.stage


def get(path: str) -> Any:
    return Client().get(path)


def banner() -> Any:
    return json.loads(get(BANNER).content)


def text_of(path: str) -> str:
    return squeezed(get(path).content.decode())


def answers(settings: Any) -> dict[str, tuple[int, dict[str, str], bytes]]:
    """Every address of the event but the notices' own: status, heads with the ETag, bytes."""
    paths = json.loads((settings.PUBLIC_ROOT / "hk-2026" / "manifest.json").read_bytes())["paths"]
    found = {path: get(path) for path in paths if not path.startswith(OWN)}
    return {path: (answer.status_code, dict(answer.headers), answer.content) for path, answer in found.items()}


def test_before_the_first_notice_the_list_is_empty_and_no_banner_is_up(event: Event) -> None:
    write_public_files(event)
    assert banner() == NOTHING_UP
    assert "尚未有通告" in text_of("/p/hk-2026/notices/")
    assert "No notice yet" in text_of("/p/hk-2026/notices/en/")
    assert get(FIRST).status_code == 404


def test_a_draft_is_nowhere_in_public(event: Event, organiser: User, settings: Any) -> None:
    write_public_files(event)
    before = {path.name: path.read_bytes() for path in settings.PUBLIC_ROOT.rglob("*") if path.is_file()}
    service.draft_notice(event, words(), by=organiser)
    write_public_files(event)
    assert {path.name: path.read_bytes() for path in settings.PUBLIC_ROOT.rglob("*") if path.is_file()} == before


def test_a_published_notice_has_its_page_in_both_languages_and_its_sheet(tell: Any) -> None:
    tell()
    chinese, english = text_of(FIRST), text_of(f"{FIRST}en/")
    assert chinese.index("3 月 28 日比賽待定</h1>") < chinese.index("28 March: pending</h2>")
    assert english.index("28 March: pending</h1>") < english.index("3 月 28 日比賽待定</h2>")
    assert "第一場：12:00<br>第二場：13:45" in chinese
    assert "通告 1·3 月 28 日 09:40" in chinese
    sheet = get(f"{FIRST}notice.pdf")
    assert (sheet.status_code, sheet.headers["Content-Type"]) == (200, "application/pdf")
    document = pypdfium2.PdfDocument(io.BytesIO(sheet.content))
    said = document[0].get_textpage().get_text_range()
    assert (len(document), "3 月 28 日比賽待定" in said, "Please stay at home." in said) == (1, True, True)


@pytest.mark.fault("X3")
def test_the_page_of_a_replaced_notice_says_so_and_leads_to_the_newest(tell: Any) -> None:
    tell(kind=NoticeKind.GOING_AHEAD)
    tell(kind=NoticeKind.STOPPED, title_zh="3 月 28 日停賽", title_en="28 March: called off")
    tell(kind=NoticeKind.GOING_AHEAD)
    chinese, english = text_of(FIRST), text_of(f"{FIRST}en/")
    assert "此通告已失效，由較新的通告代替。" in chinese
    assert '<a href="/p/hk-2026/notices/3/">以通告 3 為準</a>' in chinese
    assert '<a href="/p/hk-2026/notices/3/en/">Read notice 3, which counts</a>' in english
    assert "已失效" not in text_of("/p/hk-2026/notices/3/")
    assert text_of("/p/hk-2026/notices/").count("已由通告 3 代替。") == 2


@pytest.mark.fault("X3")
def test_the_sheet_on_the_door_and_the_address_of_a_replaced_sheet_lead_to_the_newest(tell: Any, settings: Any) -> None:
    settings.SITE_URL = "https://rummikub.example.org"
    tell(kind=NoticeKind.GOING_AHEAD)
    on_the_door = f"{FIRST}newest/"
    sheet = pypdfium2.PdfDocument(io.BytesIO(get(f"{FIRST}notice.pdf").content))
    assert f"https://rummikub.example.org{on_the_door}" in sheet[0].get_textpage().get_text_range()
    before = get(on_the_door)
    tell(kind=NoticeKind.STOPPED)
    after, paper = get(on_the_door), get(f"{FIRST}notice.pdf")
    assert [(one.status_code, one.headers["Location"]) for one in (before, after, paper)] == [
        (302, FIRST),
        (302, "/p/hk-2026/notices/2/"),
        (302, "/p/hk-2026/notices/2/notice.pdf"),
    ]
    assert after.headers["Cache-Control"] == "public, max-age=5"


def test_the_banner_says_it_in_both_languages(tell: Any) -> None:
    tell()
    assert banner()["banner"] == {
        "number": 1,
        "tone": "wait",
        "title_zh": "3 月 28 日比賽待定",
        "title_en": "28 March: pending",
        "lead_zh": "請先留在家中。",
        "lead_en": "Please stay at home.",
        "url": FIRST,
        "url_en": f"{FIRST}en/",
    }


def test_the_newest_banner_stands_and_once_it_is_down_no_older_comes_back(
    tell: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    tell()
    second = tell(title_zh="3 月 28 日停賽", tone=BannerTone.STOP)
    assert (banner()["banner"]["number"], banner()["banner"]["tone"]) == (2, "stop")
    with django_capture_on_commit_callbacks(execute=True):
        service.take_down_banner(second, by=organiser)
    assert (banner(), get(FIRST).status_code) == (NOTHING_UP, 200)


def test_a_correction_and_what_it_corrects_lead_to_one_another(tell: Any) -> None:
    first = tell()
    tell(corrects=first, title_zh="更正：10:30 公佈", title_en="Correction: 10:30")
    assert '<a href="/p/hk-2026/notices/2/">以通告 2 為準</a>' in text_of(FIRST)
    assert '此通告更正通告 1。 <a href="/p/hk-2026/notices/1/">原文</a>' in text_of("/p/hk-2026/notices/2/")
    assert "Notice 2 replaces it." in text_of("/p/hk-2026/notices/en/")


def test_no_byte_of_a_frozen_page_moves_with_a_notice(
    released: Stage, tell: Any, organiser: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    before = answers(settings)
    assert len(before) > 30
    first = tell()
    assert answers(settings) == before
    second = tell(corrects=first)
    assert answers(settings) == before
    with django_capture_on_commit_callbacks(execute=True):
        service.take_down_banner(second, by=organiser, now=NOW + timedelta(hours=1))
    assert answers(settings) == before


def test_every_public_page_asks_for_the_banner_and_leads_to_the_notices(released: Stage, settings: Any) -> None:
    pages = {
        path: body
        for path, (_status, heads, body) in answers(settings).items()
        if "html" in heads.get("Content-Type", "")
    }
    without = [
        path
        for path, body in pages.items()
        if b'data-from="/p/hk-2026/banner.json"' not in body
        or f'<script src="{bundle_url("public.js")}" defer>'.encode() not in body
        or b'href="/p/hk-2026/notices/' not in body
    ]
    assert (without, len(pages)) == ([], 24)


def test_pages_of_an_older_frame_are_made_again_once(released: Stage, settings: Any, event: Event) -> None:
    """As an installation of before has them: kept under keys without the frame, their bodies without the banner."""
    wanted, folder = answers(settings), settings.PUBLIC_ROOT / "hk-2026"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    old = hashlib.sha256(b"old").hexdigest()
    (folder / "files" / old).write_bytes(b"old")
    framed = {key: made for key, made in manifest["made"].items() if key.startswith(f"{page_frame()} ")}
    manifest["made"] = {key.removeprefix(f"{page_frame()} "): dict.fromkeys(made, old) for key, made in framed.items()}
    for entry in manifest["paths"].values():
        entry |= dict.fromkeys(entry.keys() & {"file", "gzip", "pack"}, old)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    write_public_files(event)
    assert (len(framed) > 5, answers(settings)) == (True, wanted)


def test_of_one_event_alone_the_list_of_events_has_its_banner(event: Event) -> None:
    write_public_files(event)
    assert 'data-from="/p/hk-2026/banner.json"' in text_of("/p/")
    assert "data-from" not in text_of("/p/nothing")


def test_the_verifier_makes_the_notices_anew_and_finds_all_as_told(tell: Any, settings: Any) -> None:
    first = tell()
    tell(corrects=first)
    assert verify_events().findings == []
    body = next(
        path for path in (settings.PUBLIC_ROOT / "hk-2026" / "files").iterdir() if b'"number": 2' in path.read_bytes()
    )
    body.write_bytes(body.read_bytes().replace(b'"tone": "wait"', b'"tone": "info"'))
    assert [(one.code, one.subject) for one in verify_events().findings] == [("public_file", f"file {BANNER}")]


def test_a_notice_that_the_disk_did_not_take_is_known_to_be_missing(
    tell: Any, event: Event, organiser: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    assert are_notices_public(event)
    told = tell()
    assert are_notices_public(event)
    service.take_down_banner(told, by=organiser)
    assert not are_notices_public(event)
    write_public_files(event)
    assert are_notices_public(event)
    (settings.PUBLIC_ROOT / "hk-2026" / "manifest.json").unlink()
    assert not are_notices_public(event)


def test_a_code_to_the_page_is_on_the_sheet_where_the_address_is_known(tell: Any, settings: Any, event: Event) -> None:
    tell()
    without = get(f"{FIRST}notice.pdf").content
    settings.SITE_URL = "https://rummikub.example.org"
    write_public_files(event)
    said = pypdfium2.PdfDocument(io.BytesIO(get(f"{FIRST}notice.pdf").content))[0].get_textpage().get_text_range()
    assert "https://rummikub.example.org/p/hk-2026/notices/1/" in said
    assert get(f"{FIRST}notice.pdf").content != without
