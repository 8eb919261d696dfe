"""The notices' pages: filled from the day's facts, nothing typed is lost, looked at, told with a typed count."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.sheets.sheets import add_entrants
from tests.squeezed import squeezed
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.weather.services.weather import enter_weather_signal

pytestmark = pytest.mark.django_db
NEW = "/desk/hk-2026/notices/new/"
MORNING = datetime.fromisoformat("2026-03-28T09:40:00+08:00")
TYPED = {
    "kind": "pending",
    "day": "2026-03-28",
    "sessions": ["1", "2"],
    "title_zh": "3 月 28 日比賽待定",
    "title_en": "28 March: pending",
    "body_zh": "請先留在家中。\r\n\r\n10:00 公佈。",
    "body_en": "Please stay at home.\r\n\r\nMore at 10:00.",
    "banner": "on",
    "tone": "wait",
}


@pytest.fixture
def desk(organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


@pytest.fixture
def draft(desk: Client) -> Notice:
    desk.post(NEW, TYPED)
    return Notice.objects.get()


@pytest.fixture
def families(first_session: Session) -> None:
    """Three entrants of the first session, one without an address."""
    add_entrants(first_session, range(1, 4))
    for number, address in ((1, "one@example.org"), (2, "two@example.org"), (3, "")):
        Person.objects.filter(entrant__number=number).update(email=address, language="zh-hant" if number == 1 else "en")


def page_of(notice: Notice, name: str = "") -> str:
    return f"/desk/hk-2026/notices/{notice.pk}/{name}"


def publish(desk: Client, notice: Notice, **given: str) -> Any:
    return desk.post(page_of(notice, "publish/"), {"revision": str(notice.revision), **given})


@time_machine.travel(MORNING, tick=False)
def test_a_new_notice_is_filled_from_its_day(desk: Client, event: Event) -> None:
    form = desk.get(f"{NEW}?kind=pending&day=2026-03-28").context["form"]
    assert form["title_zh"].value() == "3 月 28 日（星期六）比賽待定"
    assert form["title_en"].value() == "Saturday 28 March: pending"
    assert form["body_zh"].value().startswith("大會於 10:00 決定當日各場是否停賽。請先留在家中，等候下一則通告。\n\n")
    assert "Session 1: check-in 12:00, seating 12:30" in form["body_en"].value()
    assert (form["sessions"].value(), form["tone"].value()) == ([1, 2, 3, 4], "wait")


@time_machine.travel(MORNING, tick=False)
def test_a_signal_in_force_stands_in_the_title_and_since_when(desk: Client, event: Event, organiser: User) -> None:
    issued = MORNING.replace(hour=8)
    enter_weather_signal(event, code="WRAINB", issued_at=issued, by=organiser, request_key="black", now=MORNING)
    form = desk.get(f"{NEW}?kind=stopped&day=2026-03-28").context["form"]
    assert "現正生效：黑色暴雨警告信號（08:40 起）。" in form["body_zh"].value()
    form = desk.get(f"{NEW}?kind=pending&day=2026-03-28").context["form"]
    assert form["title_zh"].value() == "3 月 28 日（星期六）比賽待定·黑雨生效中"


def test_sessions_with_new_times_stand_in_a_notice_of_the_new_date(desk: Client, first_session: Session) -> None:
    moved = {name: getattr(first_session, name) + timedelta(days=14) for name in ("check_in_at", "seating_at")}
    Session.objects.filter(pk=first_session.pk).update(**moved)
    Session.objects.filter(number=2).update(state=SessionState.POSTPONED)
    form = desk.get(f"{NEW}?kind=new_date&day=2026-03-28").context["form"]
    assert "第一場：4 月 11 日（星期六）12:00 報到，12:30 入座\n第二場：另行通知" in form["body_zh"].value()
    assert form["sessions"].value() == [1, 2]


def test_a_kind_or_day_that_is_none_gives_an_empty_form(desk: Client, event: Event) -> None:
    for query in ("?kind=storm", "?kind=pending&day=2026-13-28", "?day=2001-01-01", ""):
        answer = desk.get(NEW + query)
        assert (answer.status_code, answer.context["form"]["title_zh"].value()) == (200, "")


def test_a_draft_is_kept_and_looked_at(desk: Client, draft: Notice) -> None:
    assert (draft.title_zh, draft.body_en) == ("3 月 28 日比賽待定", "Please stay at home.\n\nMore at 10:00.")
    page = squeezed(desk.get(page_of(draft, "preview/")).content.decode())
    assert "尚未發出的通告" in page
    assert '<div class="banner wait">' in page
    assert "<p>10:00 公佈。</p>" in page


def test_what_was_typed_is_kept_where_something_is_missing(desk: Client, event: Event) -> None:
    answer = desk.post(NEW, TYPED | {"title_en": ""})
    assert (answer.status_code, Notice.objects.count()) == (400, 0)
    form = answer.context["form"]
    assert (form["title_zh"].value(), form["sessions"].value()) == ("3 月 28 日比賽待定", ["1", "2"])
    assert "請填寫此欄。" in squeezed(answer.content.decode())


def test_what_the_sheet_cannot_print_is_said_with_all_that_was_typed(desk: Client, draft: Notice) -> None:
    for path in (NEW, page_of(draft)):
        answer = desk.post(path, TYPED | {"title_zh": "停賽 \U0001f600", "revision": "1"})
        page = squeezed(answer.content.decode())
        assert (answer.status_code, "張貼用單張印不到 \U0001f600 U+1F600" in page) == (400, True)
        assert "More at 10:00." in page


def test_the_second_of_two_people_sees_both_and_may_save_again(desk: Client, draft: Notice) -> None:
    mine = TYPED | {"revision": "1", "title_zh": "我的標題"}
    desk.post(page_of(draft), TYPED | {"revision": "1", "title_zh": "別人的標題"})
    answer = desk.post(page_of(draft), mine)
    page = squeezed(answer.content.decode())
    assert (answer.status_code, "別人的標題" in page, "我的標題" in page) == (412, True, True)
    again = desk.post(page_of(draft), mine | {"revision": answer.context["form"]["revision"].value()})
    draft.refresh_from_db()
    assert (again.status_code, draft.title_zh, draft.revision) == (302, "我的標題", 3)


def test_a_draft_that_is_put_aside_is_gone_from_the_list(desk: Client, draft: Notice) -> None:
    answer = desk.post(page_of(draft), {"do": "discard", "revision": "1"}, follow=True)
    assert "3 月 28 日比賽待定" not in squeezed(answer.content.decode())
    assert desk.get(page_of(draft)).status_code == 404


def test_a_refused_putting_aside_says_why(desk: Client, draft: Notice) -> None:
    answer = desk.post(page_of(draft), {"do": "discard", "revision": "7"})
    assert (answer.status_code, Notice.objects.get().discarded_at) == (412, None)


def test_the_last_page_says_who_gets_it_and_who_cannot(desk: Client, draft: Notice, families: None) -> None:
    page = squeezed(desk.get(page_of(draft, "publish/")).content.decode())
    assert [text for text in ("o***@example.org", "t***@example.org", "one@", "two@") if text in page] == [
        "o***@example.org",
        "t***@example.org",
    ]
    assert '<span class="no">0003</span>' in page
    assert "發出為通告 1" in page


def test_the_count_that_was_typed_must_be_the_count(desk: Client, draft: Notice, families: None) -> None:
    for typed in ("", "3", "x"):
        answer = publish(desk, draft, mail="on", confirmed=typed)
        assert (answer.status_code, Notice.objects.get().number) == (400, None)
    answer = publish(desk, draft, mail="on", confirmed="2")
    assert (answer.status_code, Notice.objects.get().number, Mailing.objects.get().count) == (302, 1, 2)


def test_with_nobody_to_mail_it_is_published_all_the_same(desk: Client, draft: Notice) -> None:
    page = squeezed(desk.get(page_of(draft, "publish/")).content.decode())
    assert ("沒有電郵收件人" in page, 'name="mail"' in page) == (True, False)
    assert publish(desk, draft).status_code == 302
    assert Notice.objects.get().number == 1


def test_without_mail_no_count_is_asked_for(desk: Client, draft: Notice, families: None) -> None:
    assert publish(desk, draft, confirmed="").status_code == 302
    assert (Notice.objects.get().number, Mailing.objects.count()) == (1, 0)
    assert publish(desk, draft).url == page_of(draft)


def test_a_draft_that_moved_meanwhile_is_looked_at_again(desk: Client, draft: Notice) -> None:
    desk.post(page_of(draft), TYPED | {"revision": "1", "title_zh": "別的標題"})
    answer = publish(desk, draft)
    assert (answer.status_code, Notice.objects.get().number) == (412, None)
    assert "別的標題" in squeezed(answer.content.decode())


def test_a_correction_begins_with_the_words_of_what_it_corrects(desk: Client, draft: Notice) -> None:
    publish(desk, draft)
    answer = desk.get(f"{NEW}?corrects=1")
    assert answer.context["form"]["title_zh"].value() == "3 月 28 日比賽待定"
    desk.post(NEW, TYPED | {"title_zh": "更正：10:30 公佈", "corrects": "1"})
    correction = Notice.objects.get(number=None)
    assert correction.corrects == draft
    publish(desk, correction)
    assert "通告 2" in squeezed(desk.get(page_of(draft)).content.decode())
    assert desk.get(f"{NEW}?corrects=3").status_code == 404


def test_the_banner_is_taken_down_from_the_notice_s_page(desk: Client, draft: Notice) -> None:
    publish(desk, draft)
    page = squeezed(desk.get(page_of(draft)).content.decode())
    assert page_of(draft, "banner-down/") in page
    answer = desk.post(page_of(draft, "banner-down/"), follow=True)
    assert page_of(draft, "banner-down/") not in squeezed(answer.content.decode())
    assert Notice.objects.get().banner_down_at is not None


def test_the_mail_is_shown_in_both_languages_with_the_address_masked(
    desk: Client, draft: Notice, families: None
) -> None:
    page = squeezed(desk.get(page_of(draft, "preview/?as=mail")).content.decode())
    shown = [
        text for text in ("10:00 公佈。", "Please stay at home.", "o***@example.org", "one@example") if text in page
    ]
    assert shown == ["10:00 公佈。", "Please stay at home.", "o***@example.org"]
    html = desk.get(page_of(draft, "preview/?as=mail&html=en"))
    assert "Please stay at home." in squeezed(html.content.decode())
    assert desk.get(page_of(draft, "preview/?as=mail&html=fr")).status_code == 404
    assert desk.get(page_of(draft, "preview/?as=fax")).status_code == 404


def test_the_pdf_may_be_framed_by_our_own_pages_alone(desk: Client, draft: Notice) -> None:
    answer = desk.get(page_of(draft, "notice.pdf"))
    assert answer.content.startswith(b"%PDF")
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in desk.get(page_of(draft)).headers["Content-Security-Policy"]


def test_the_list_says_where_the_public_does_not_show_it_and_writes_it_again(
    desk: Client, draft: Notice, django_capture_on_commit_callbacks: Any
) -> None:
    publish(desk, draft)  # the test's transaction is never committed: as on a full disk, nothing was written
    page = squeezed(desk.get("/desk/hk-2026/notices/").content.decode())
    assert ("公眾網頁尚未更新" in page, "/desk/hk-2026/releases/files/" in page) == (True, True)
    desk.post("/desk/hk-2026/releases/files/")
    assert "/desk/hk-2026/releases/files/" not in squeezed(desk.get("/desk/hk-2026/notices/").content.decode())


@pytest.mark.fault("X7")
@time_machine.travel(MORNING, tick=False)
def test_the_day_says_how_many_the_server_has_taken_and_whether_the_banner_stands(
    desk: Client, draft: Notice, families: None
) -> None:
    def said() -> str:
        return " ".join(squeezed(desk.get("/desk/hk-2026/weather/2026-03-28/").content.decode()).split())

    publish(desk, draft)
    desk.post(page_of(draft, "banner-down/"))
    assert ("電郵已發 0／2 封·沒有橫額" in said(), "已通知" in said()) == (True, False)
    desk.post(NEW, TYPED | {"kind": "stopped"})
    newer = Notice.objects.get(number=None)
    publish(desk, newer, mail="on", confirmed="2")
    Delivery.objects.filter(entrant__number=1).update(state="sent", sent_at=MORNING)
    assert ("電郵已發 1／2 封·橫額顯示中" in said(), "以通告 2 為準" in said()) == (True, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.fault("X8")
def test_published_is_said_only_where_the_public_pages_show_it(desk: Client, draft: Notice, settings: Any) -> None:
    settings.PUBLIC_ROOT.mkdir(parents=True, exist_ok=True)
    (settings.PUBLIC_ROOT / "hk-2026").write_text("where the folder should be")  # as a disk that takes nothing
    publish(desk, draft)
    page = squeezed(desk.get(page_of(draft)).content.decode())
    assert ("通告 1 已記錄" in page, "但未能寫入公眾網頁" in page, "通告 1 已發佈" in page) == (True, True, False)
    assert ("公眾網頁尚未更新" in page, "/desk/hk-2026/releases/files/" in page) == (True, True)
    assert "只在紀錄中顯示" in page
    overview = squeezed(desk.get("/desk/hk-2026/").content.decode())
    assert ("通告 1 已記錄，但未能寫入公眾網頁，公眾看不到。" in overview, "前往通告" in overview) == (True, True)
    desk.post(page_of(draft, "banner-down/"))
    assert "公眾網頁仍然顯示橫額" in squeezed(desk.get(page_of(draft)).content.decode())


@pytest.mark.django_db(transaction=True)
def test_published_is_said_where_they_do(desk: Client, draft: Notice) -> None:
    publish(desk, draft)
    page = squeezed(desk.get(page_of(draft)).content.decode())
    assert ("通告 1 已發出。" in page, "公眾網頁尚未更新" in page) == (True, False)
    assert "未能寫入" not in squeezed(desk.get("/desk/hk-2026/").content.decode())


@pytest.mark.fault("X3")
def test_a_changed_decision_says_before_it_is_written_that_it_corrects(desk: Client, event: Event) -> None:
    desk.post(NEW, TYPED | {"kind": "going_ahead"})
    publish(desk, Notice.objects.get())
    page = squeezed(desk.get(f"{NEW}?kind=stopped&day=2026-03-28").content.decode())
    assert "通告 1：3 月 28 日比賽待定" in page
    form = desk.get(f"{NEW}?corrects=1&kind=stopped&day=2026-03-28").context["form"]
    assert (form["corrects"].value(), form["kind"].value(), form["title_en"].value()) == (
        1,
        "stopped",
        "Saturday 28 March: all sessions called off",
    )


@pytest.mark.fault("X2")
def test_the_page_before_says_what_is_stopped_and_the_page_after_whom_it_reached(
    desk: Client, draft: Notice, families: None, organiser: User
) -> None:
    publish(desk, draft, mail="on", confirmed="2")
    Delivery.objects.filter(entrant__number=1).update(state="sent", sent_at=MORNING)
    desk.post(NEW, TYPED | {"kind": "stopped", "title_en": "28 March: called off"})
    newer = Notice.objects.get(number=None)
    page = squeezed(desk.get(page_of(newer, "publish/")).content.decode())
    assert "此通告代替通告 1" in page
    assert "已發 1／2 封。 其餘 1 封停止發出。" in page
    publish(desk, newer)
    older = Mailing.objects.get()
    after = squeezed(desk.get(page_of(newer)).content.decode())
    assert "已發 1／2 封。" in after
    assert f"/desk/hk-2026/mailings/{older.pk}/reached.xlsx" in after
    assert "此通告已失效，由較新的通告代替。" in squeezed(desk.get(page_of(draft)).content.decode())
    said = squeezed(desk.get(f"/desk/hk-2026/mailings/{older.pk}/").content.decode())
    assert "已停止：通告 1 已由通告 2 代替；停止前已發 1／2 封" in said
    assert "重試" not in said


def test_who_only_reads_sees_the_draft_and_no_way_to_publish(auditor: User, signed_in: Any, draft: Notice) -> None:
    page = squeezed(signed_in(auditor).get(page_of(draft)).content.decode())
    assert ("3 月 28 日比賽待定" in page, "publish/" in page, "<textarea" in page) == (True, False, False)


def test_another_event_s_notice_is_not_here(desk: Client, draft: Notice) -> None:
    assert desk.get("/desk/hk-2026/notices/987654/").status_code == 404


def test_the_list_asks_as_often_for_three_as_for_one(desk: Client, draft: Notice) -> None:
    publish(desk, draft)
    desk.post(NEW, TYPED | {"corrects": "1"})
    counts = [queries_of_the_list(desk)]
    for title in ("甲", "乙"):
        publish(desk, Notice.objects.get(number=None))
        desk.post(NEW, TYPED | {"title_zh": title, "corrects": "1"})
    desk.post(NEW, TYPED)
    counts.append(queries_of_the_list(desk))
    assert (counts[0] == counts[1], Notice.objects.count()) == (True, 5)


def queries_of_the_list(desk: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert desk.get("/desk/hk-2026/notices/").status_code == 200
    return len(queries)


def test_a_notice_of_a_day_without_sessions_says_that_it_goes_to_everybody(desk: Client, families: None) -> None:
    said = []
    for sessions in (["1"], []):
        desk.post(NEW, TYPED | {"sessions": sessions})
        notice = Notice.objects.order_by("-pk")[0]
        page = squeezed(desk.get(page_of(notice, "publish/")).content.decode())
        said.append("沒有選場次：會發給全部參賽者" in page)
    assert said == [False, True]
