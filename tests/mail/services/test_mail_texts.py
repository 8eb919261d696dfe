"""Each mail whole, in both languages, against the text that was agreed on; and what may never stand in one."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.finalists.invited import invited
from tests.mail.mails import give_addresses, golden, whole
from tests.sheets.tables import settle
from tournament.core.enums import MailingKind, NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.finalists.services import invitations
from tournament.mail.domain.recipients import recipients_of_places, recipients_of_results, recipients_of_seats
from tournament.mail.services.mail_texts import build_sample_message
from tournament.messages.models import Notice
from tournament.messages.queries.recipients import Recipient, for_notice

pytestmark = pytest.mark.django_db
LANGUAGES = ("zh-hant", "en")
SITE = "https://rummikub.example.org"
MORNING = datetime(2026, 3, 28, 2, 2, tzinfo=UTC)


@pytest.fixture(autouse=True)
def known_from_outside(settings: Any) -> None:
    """The server's address, and the sender's."""
    settings.SITE_URL, settings.DEFAULT_FROM_EMAIL = SITE, "desk@rummikub.example.org"


@pytest.fixture
def seated(first_session: Session, organiser: User) -> Session:
    """Seven with confirmed seats: 0301 to 0307."""
    settle(first_session, organiser, [4, 3])
    give_addresses(first_session.stage.event)
    return first_session


@pytest.fixture
def released(first_session: Session, organiser: User) -> Stage:
    """Twelve with a released ranking of whom four advance; answers until 10 April, 18:00."""
    stage = invited(first_session, organiser)[0]
    give_addresses(stage.event)
    stage.answers_until = datetime(2026, 4, 10, 10, tzinfo=UTC)
    stage.save(update_fields=["answers_until"])
    return stage


@pytest.fixture
def notice(seated: Session, organiser: User) -> Notice:
    """What is told of the first session, corrected from an earlier one."""
    made = {"event": seated.stage.event, "made_by": organiser, "made_at": MORNING, "published_by": organiser}
    titles = {"title_zh": "3 月 28 日停賽", "title_en": "28 March: called off"}
    bodies = {
        "body_zh": "當日所有場次停賽。請留在家中。\n\n各場時間：\n第一場 12:00\n第二場 13:45",
        "body_en": "All sessions are called off. Please stay at home.\r\n\r\nSessions:\r\n1: 12:00\r\n2: 13:45",
    }
    first = Notice.objects.create(
        **made, **titles, **bodies, kind=NoticeKind.PENDING, number=1, published_at=MORNING.replace(hour=1)
    )
    return Notice.objects.create(
        **made,
        **titles,
        **bodies,
        kind=NoticeKind.STOPPED,
        number=2,
        published_at=MORNING,
        sessions=[1],
        corrects=first,
    )


def of(number: int, found: Any) -> Recipient:
    """The recipient of this number."""
    return next(one for one in found.found if one.number == number)


def said(kind: MailingKind, recipient: Recipient, event: Event, notice: Notice | None = None) -> dict[str, str]:
    """Subject and text in each language."""
    return {
        language: whole(build_sample_message(kind, recipient, event=event, notice=notice, language=language))
        for language in LANGUAGES
    }


def agreed(name: str) -> dict[str, str]:
    return {language: golden(f"{name}-{language}") for language in LANGUAGES}


# --- Whole texts ----------------------------------------------------------------------------------------
def test_a_seat_is_told_with_all_times_and_how_the_timer_is_used(seated: Session) -> None:
    assert said(MailingKind.SEATS, of(302, recipients_of_seats(seated)), seated.stage.event) == agreed("seats")


def test_a_session_that_was_moved_is_told_with_the_day_that_it_was_planned_for(seated: Session) -> None:
    recipient = of(302, recipients_of_seats(seated))
    moved = {name: recipient.facts[name].replace("2026-03-28", "2026-04-12") for name in MOMENTS}
    text = said(MailingKind.SEATS, replace(recipient, facts=recipient.facts | moved), seated.stage.event)
    lines = [text["zh-hant"].split("\n")[7], text["en"].split("\n")[7]]
    assert lines == [
        "日期：4 月 12 日（星期日）第一場（原定 3 月 28 日）",
        "Date: Sunday 12 April, session 1 (moved from 28 March)",
    ]


def test_a_round_of_the_final_is_told_by_its_name(seated: Session) -> None:
    recipient = of(302, recipients_of_seats(seated))
    facts = recipient.facts | {"stage": "final", "round": 2}
    text = said(MailingKind.SEATS, replace(recipient, facts=facts), seated.stage.event)
    lines = [text[language].split("\n")[7] for language in LANGUAGES]
    assert lines == ["日期：3 月 28 日（星期六）決賽第二輪", "Date: Saturday 28 March, Final, round 2"]


MOMENTS = ("check_in_at", "seating_at", "play_at", "ends_at")


@pytest.mark.parametrize(
    ("ruleset", "seconds", "penalty", "length"),
    [
        ("hk-2026", "60 seconds", "draw 1 tile as the penalty, and", "3 games are played. Play ends after 60 minutes"),
        ("twist", "60 seconds", "draw 3 tiles as the penalty, and", ""),
        (
            {"base": "hk-2026", "turn_seconds": 45, "minutes": 50},
            "45 seconds",
            "draw 1 tile",
            "after 50 minutes in all",
        ),
        ("french", "", "", ""),
    ],
)
def test_the_timer_is_told_as_the_rules_of_the_stage_have_it(
    seated: Session, ruleset: Any, seconds: str, penalty: str, length: str
) -> None:
    seated.stage.ruleset = ruleset
    seated.stage.save(update_fields=["ruleset"])
    text = said(MailingKind.SEATS, of(302, recipients_of_seats(seated)), seated.stage.event)["en"]
    assert [one for one in (seconds, penalty, length) if one not in text] == []
    assert ("timer: how it is used" in text, "minutes" in text) == (bool(seconds), bool(length))


@pytest.mark.parametrize(("number", "name"), [(8, "results-through"), (4, "results-reserve")])
def test_a_result_is_told_with_every_figure_exact(released: Stage, number: int, name: str) -> None:
    found = recipients_of_results(released.releases.get())
    assert said(MailingKind.RESULTS, of(number, found), released.event) == agreed(name)


def test_whoever_is_far_below_the_line_is_not_given_a_place_in_a_queue(released: Stage) -> None:
    recipient = of(4, recipients_of_results(released.releases.get()))
    below = replace(recipient, facts=recipient.facts | {"reserve": [21, False]})
    assert "你今次未能晉級。多謝參賽。" in said(MailingKind.RESULTS, below, released.event)["zh-hant"]


def test_a_result_of_the_final_says_its_rounds_and_nothing_of_advancing(released: Stage) -> None:
    recipient = of(4, recipients_of_results(released.releases.get()))
    final = {"stage": "final", "rounds": 3, "through": None, "reserve": None, "order": ["wins", "total"]}
    facts = recipient.facts | final | {"games": [[1, 30, 0], None, [0, -14, 3]]}
    text = said(MailingKind.RESULTS, replace(recipient, facts=facts), released.event)
    wanted = ("Your result in the final", "Round 1, game 1: Win 1, Points +2 1/2", "Round 2, game 1: not played\n")
    assert [one for one in wanted if one not in text["en"]] == []
    assert "advance" not in text["en"]


def test_a_place_is_told_with_its_link_and_the_last_moment(released: Stage, organiser: User) -> None:
    invitations.make_place_links(released, by=organiser)
    recipient = of(8, recipients_of_places(released))
    link = invitations.place_link_token(Invitation.objects.get(entrant__number=8))
    texts = said(MailingKind.PLACES, recipient, released.event)
    assert {language: text.replace(link, "THE-LINK") for language, text in texts.items()} == agreed("places")


def test_a_notice_is_told_as_it_was_written_with_what_it_corrects(notice: Notice) -> None:
    assert said(MailingKind.NOTICE, of(301, for_notice(notice)), notice.event, notice) == agreed("notice")


def test_a_draft_has_neither_number_nor_link(notice: Notice) -> None:
    words = {"title_zh": "一", "title_en": "One", "body_zh": "二", "body_en": "Two"}
    draft = Notice(event=notice.event, kind=NoticeKind.GENERAL, **words)
    *text, foot = said(MailingKind.NOTICE, of(301, for_notice(draft)), notice.event, draft)["en"].split("\n\n")
    name = notice.event.name_en
    assert (text, SITE in foot) == ([f"One·{name}", f"One\n{name}", "Two"], False)


def test_a_notice_goes_out_while_nobody_knows_the_server_s_address(notice: Notice, settings: Any) -> None:
    settings.SITE_URL = ""
    text = said(MailingKind.NOTICE, of(301, for_notice(notice)), notice.event, notice)["en"]
    assert ("://" in text, "All sessions are called off" in text) == (False, True)
