"""A replay keeps the name that its families know, wherever it is named."""

from datetime import date, datetime
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.utils import translation

from tests.tournament.sheets import add_entrants, draw
from tests.tournament.skies import DAY, Desk, moment, when
from tournament.bridge.recipients import session_facts
from tournament.enums import NoticeKind
from tournament.exports.mail_words import session_words
from tournament.exports.scoresheet_papers import _sample
from tournament.models import Event, Session
from tournament.queries.seating_papers import head_of
from tournament.services import clock, postponing
from tournament.services.notices_draft import drafted
from tournament.services.postponing_replay import replay, undecide
from tournament.services.postponing_times import on_day, set_times
from tournament.templatetags.look import session_name, session_of_day
from tournament.templatetags.weather import session_on

LATER = date(2026, 4, 5)


@pytest.fixture
def again(first_session: Session, organiser: User) -> Session:
    """The replay of the first session of 28 March, undone once and made a second time: it is the sixth of its day."""
    entrants = add_entrants(first_session, range(1, 9))
    draw(first_session, [entrants[:4], entrants[4:]], organiser)
    with when("12:50"):
        for kind in ("start", "suspend"):
            clock.move_session(first_session, kind, reason="T8", by=organiser, request_key=kind)
        replay(first_session, reason="T8", by=organiser)
        undecide(first_session, reason="a slip", by=organiser)
        made = replay(first_session, reason="T8", by=organiser)
    assert isinstance(made, Session) and made.number_of_day == 6
    return made


def test_every_name_of_it_is_that_of_the_session_its_families_were_entered_for(again: Session) -> None:
    assert (again.code, again.name_of_day) == ("0328-6", (1, True))
    facts = session_facts(again)
    for language, said in {
        "zh-hant": ("3 月 28 日第一場（重賽）", "第一場（重賽）", "3 月 28 日（星期六）第一場（重賽）"),
        "en": ("28 March, session 1 (replay)", "session 1 (replay)", "Saturday 28 March, session 1 (replay)"),
    }.items():
        with translation.override(language):
            assert (session_name(again), session_of_day(again), session_words(facts)) == said
            assert session_on(again, DAY) == said[1]
    head = head_of(again)
    assert (head["session"], head["known"]) == (6, 1)
    paper = _sample(again.tables.first(), 3, lambda *_: "")
    assert (paper.session, paper.replay, paper.serial) == (1, True, "0328-6-01")


def test_a_notice_of_new_dates_names_it_so_under_the_day_that_was_told_last(
    event: Event, again: Session, organiser: User
) -> None:
    set_times(event, [on_day(again, LATER)], reason="hall", by=organiser, now=moment("14:00"))
    texts, numbers = drafted(event, NoticeKind.NEW_DATE, DAY, now=moment("14:10"))
    assert (numbers, texts.titles[0]) == ([again.number], "3 月 28 日（星期六）各場改期")
    assert "第一場（重賽）：4 月 5 日（星期日）12:00 報到" in texts.bodies[0]
    assert "Session 1 (replay): Sunday 5 April" in texts.bodies[1]
    postponing.postpone([again], reason="T8", by=organiser, now=moment("15:00"))
    set_times(event, [on_day(again, date(2026, 4, 8))], reason="hall", by=organiser, now=moment("16:00"))
    texts, _numbers = drafted(event, NoticeKind.NEW_DATE, DAY, now=moment("16:10"))
    assert texts.titles == ("4 月 5 日（星期日）各場改期", "New date for the sessions of Sunday 5 April")


def test_the_desk_pages_name_it_so(again: Session, organiser: User) -> None:
    with when("13:00"):
        html = Desk(organiser).client.get("/desk/hk-2026/postponed/", headers={"Accept-Language": "en"})
    assert "session 1 (replay)" in html.content.decode() and "session 6" not in html.content.decode()


def test_replays_of_before_are_named_when_the_tables_are_brought_up_to_date(again: Session) -> None:
    twice = Session.objects.create(
        stage=again.stage, number=99, number_of_day=7, original_date=DAY, table_count=2, capacity=8, replays=again,
        **{name: getattr(again, name) for name in ("check_in_at", "seating_at", "play_at", "ends_at")},
    )  # fmt: skip
    Session.objects.update(known_number_of_day=None)
    import_module("tournament.migrations.0033_replay_names").name_replays(apps, SimpleNamespace(connection=connection))
    named = Session.objects.exclude(known_number_of_day=None).values_list("pk", "known_number_of_day")
    assert dict(named) == {again.pk: 1, twice.pk: 1}
    assert datetime.fromisoformat("2026-03-28T12:00:00+08:00") == again.check_in_at
