"""A replay keeps the name that its families know, wherever it is named."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.utils import translation

from scoring.ruleset import PRESETS
from tests.sheets.sheets import add_entrants, draw
from tests.squeezed import squeezed
from tests.weather.skies import DAY, Desk, moment, when
from tournament.core.enums import NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.templatetags.display import session_name, session_of_day
from tournament.mail.domain.recipients import session_mail_facts
from tournament.mail.exports.mail_words import mail_session_words
from tournament.mail.services.notices_draft import compose_notice_draft
from tournament.sheets.exports.papers import _sample_sheet
from tournament.sheets.services import clock
from tournament.tables.queries.papers import paper_head_of
from tournament.weather.services import postponing
from tournament.weather.services.postponing_replay import replay_session, revert_session_decision
from tournament.weather.services.postponing_times import set_times, times_on_day
from tournament.weather.templatetags.weather import session_on

LATER = date(2026, 4, 5)


@pytest.fixture
def again(first_session: Session, organiser: User) -> Session:
    """The replay of the first session of 28 March, undone once and made a second time: it is the sixth of its day."""
    entrants = add_entrants(first_session, range(1, 9))
    draw(first_session, [entrants[:4], entrants[4:]], organiser)
    with when("12:50"):
        for kind in ("start", "suspend"):
            clock.move_session(first_session, kind, reason="T8", by=organiser, request_key=kind)
        replay_session(first_session, reason="T8", by=organiser)
        revert_session_decision(first_session, reason="a slip", by=organiser)
        made = replay_session(first_session, reason="T8", by=organiser)
    assert isinstance(made, Session) and made.number_of_day == 6
    return made


def test_every_name_of_it_is_that_of_the_session_its_families_were_entered_for(again: Session) -> None:
    assert (again.code, again.name_of_day) == ("0328-6", (1, True))
    facts = session_mail_facts(again)
    for language, said in {
        "zh-hant": ("3 月 28 日第一場（重賽）", "第一場（重賽）", "3 月 28 日（星期六）第一場（重賽）"),
        "en": ("28 March, session 1 (replay)", "session 1 (replay)", "Saturday 28 March, session 1 (replay)"),
    }.items():
        with translation.override(language):
            assert (session_name(again), session_of_day(again), mail_session_words(facts)) == said
            assert session_on(again, DAY) == said[1]
    head = paper_head_of(again)
    assert (head["session"], head["known"]) == (6, 1)
    paper = _sample_sheet(again.tables.first(), PRESETS["hk-2026"], lambda *_: "")
    assert (paper.session, paper.replay, paper.serial) == (1, True, "0328-6-01")


def test_a_notice_of_new_dates_names_it_so_under_the_day_that_was_told_last(
    event: Event, again: Session, organiser: User
) -> None:
    set_times(event, [times_on_day(again, LATER)], reason="hall", by=organiser, now=moment("14:00"))
    texts, numbers = compose_notice_draft(event, NoticeKind.NEW_DATE, DAY, now=moment("14:10"))
    assert (numbers, texts.titles[0]) == ([again.number], "3 月 28 日（星期六）各場改期")
    assert "第一場（重賽）：4 月 5 日（星期日）12:00 報到" in texts.bodies[0]
    assert "Session 1 (replay): Sunday 5 April" in texts.bodies[1]
    postponing.postpone_sessions([again], reason="T8", by=organiser, now=moment("15:00"))
    set_times(event, [times_on_day(again, date(2026, 4, 8))], reason="hall", by=organiser, now=moment("16:00"))
    texts, _numbers = compose_notice_draft(event, NoticeKind.NEW_DATE, DAY, now=moment("16:10"))
    assert texts.titles == ("4 月 5 日（星期日）各場改期", "New date for the sessions of Sunday 5 April")


def test_the_desk_pages_name_it_so(again: Session, organiser: User) -> None:
    with when("13:00"):
        html = Desk(organiser).client.get("/desk/hk-2026/postponed/", headers={"Accept-Language": "en"})
    assert "session 1 (replay)" in squeezed(html.content.decode()) and "session 6" not in squeezed(
        html.content.decode()
    )
