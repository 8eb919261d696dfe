"""A notice that play goes ahead is not published about what is put off, or under a signal that stops play."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.mail.noticed import drafted as draft_of
from tests.squeezed import squeezed
from tests.weather.skies import DAY, Desk, entry, moment, observed, when
from tournament.core.enums import NoticeKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.mail.services import notices
from tournament.mail.services.notices_draft import compose_notice_draft
from tournament.messages.models import Notice
from tournament.weather.domain.weather import live_day
from tournament.weather.services import postponing
from tournament.weather.services.decisions import decide_weather_day, seen_digest

GO = {"kind": NoticeKind.GOING_AHEAD, "title_zh": "如常", "title_en": "Going ahead"}


def published(event: Event, by: User, at: str, **values: Any) -> Notice:
    made = draft_of(event, by, **{**GO, **values})
    return notices.publish_notice(made, revision=1, confirmed=None, mail=False, by=by, now=moment(at))


def refused(event: Event, by: User, at: str, **values: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refused) as found:
        published(event, by, at, **values)
    assert Notice.objects.filter(number__isnull=False).count() == 0
    return found.value.code, found.value.facts


def sessions(*numbers: int) -> list[Session]:
    return list(Session.objects.filter(number__in=numbers).order_by("number"))


@pytest.mark.parametrize("named", [(), (1, 2)])
def test_what_is_postponed_or_held_back_is_not_told_to_go_ahead(
    event: Event, organiser: User, named: tuple[int, ...]
) -> None:
    observed(event, "09:00")
    postponing.postpone_sessions(sessions(1), reason="no light", by=organiser, now=moment("09:10"))
    postponing.hold_sessions(sessions(2), reason="no light", by=organiser, now=moment("09:10"))
    code, facts = refused(event, organiser, "09:20", sessions=named)
    assert (code, facts) == ("notice_contradicts", {"sessions": "0328-1, 0328-2"})
    assert published(event, organiser, "09:20", sessions=(3, 4)).number == 1


def test_nobody_is_told_that_play_goes_ahead_under_a_stop_signal(event: Event, organiser: User) -> None:
    observed(event, "09:00", entry("TC8NE", "08:50"))
    code, facts = refused(event, organiser, "09:20", sessions=(3, 4))
    assert (code, str(facts["signal"]), facts["at"]) == (
        "notice_contradicts",
        "八號東北烈風或暴風信號",
        "08:50",
    )
    assert published(event, organiser, "09:20", day=date(2026, 4, 6)).number == 1


def test_who_decided_otherwise_knowing_the_signal_may_tell_it_and_of_a_later_one_not(
    event: Event, organiser: User
) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    live = live_day(event, DAY, moment("10:03"))
    assert live is not None
    given = {"reason": "all are in the hall", "seen": seen_digest(live), "request_key": "go"}
    decide_weather_day(event, DAY, outcome="go", by=organiser, now=moment("10:03"), **given)
    assert published(event, organiser, "10:05").number == 1
    observed(event, "10:06", entry("WRAINB", "08:25"), entry("TC8NE", "10:06"))
    with pytest.raises(Refused):
        published(event, organiser, "10:07")


def test_a_draft_that_play_goes_ahead_lists_what_is_played_alone(event: Event) -> None:
    Session.objects.filter(number__in=(2, 3)).update(state="postponed")
    texts, numbers = compose_notice_draft(event, NoticeKind.GOING_AHEAD, DAY, now=moment("09:00"))
    assert (numbers, texts.titles[0]) == ([1, 4], "3 月 28 日（星期六）部分場次如常舉行")
    assert "當日其他場次另行通知" in texts.bodies[0] and "第二場" not in texts.bodies[0]


def test_with_all_that_is_left_postponed_the_page_offers_the_rest_of_the_day_called_off(
    event: Event, organiser: User
) -> None:
    observed(event, "12:55", entry("TC8NE", "12:50"))
    Session.objects.filter(number=1).update(state="closed")
    postponing.postpone_sessions(sessions(2, 3, 4), reason="T8", by=organiser, now=moment("12:58"))
    for clock in ("13:00", "18:00"):
        if clock == "18:00":
            observed(event, "17:59", entry("TC3", "17:50"))
        with when(clock):
            html = Desk(organiser).page()
        assert ("kind=stopped" in html, "kind=going_ahead" in html, "the rest of the day called off" in html) == (
            True,
            False,
            True,
        )
    texts, numbers = compose_notice_draft(event, NoticeKind.STOPPED, DAY, now=moment("13:00"))
    assert (numbers, texts.titles) == (
        [2, 3, 4],
        ("3 月 28 日（星期六）其餘場次停賽", "Saturday 28 March: the rest of the day is called off"),
    )
    assert "以下場次停賽" in texts.bodies[0]


def test_a_suspended_day_lists_what_has_not_begun_and_speaks_to_those_who_were_stopped(
    event: Event,
) -> None:
    Session.objects.filter(number=1).update(state="suspended")
    texts, numbers = compose_notice_draft(event, NoticeKind.SUSPENDED, DAY, now=moment("13:00"))
    assert numbers == [1, 2, 3, 4]
    concerned = texts.bodies[0].partition("受影響場次：")[2]
    assert ("第一場" in concerned, "第二場" in concerned, "第一場已中途停止" in texts.bodies[0]) == (False, True, True)


def test_a_draft_page_says_beforehand_what_cannot_be_published(event: Event, organiser: User) -> None:
    observed(event, "09:00", entry("TC8NE", "08:50"))
    with when("09:05"):
        answer = Desk(organiser).client.get(f"/desk/hk-2026/notices/new/?kind=going_ahead&day={DAY}")
    assert "此通告現時不能發出" in squeezed(answer.content.decode())
