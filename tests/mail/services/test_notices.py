"""Notices: drafted, published once in one act with number and digest, corrected by another, banners taken down."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import add_entrants
from tournament.audit.models import AuditEntry
from tournament.core.enums import BannerTone, MailingState, NoticeKind
from tournament.core.errors import BadInput, NotFoundRefused, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.mail.services import notices as service
from tournament.mail.services.notices import NoticeWording
from tournament.messages.models import Delivery, Mailing, Notice

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-03-28T09:40:00+08:00")
WORDS = NoticeWording(
    NoticeKind.PENDING,
    title_zh="3 月 28 日比賽待定",
    title_en="28 March: pending",
    body_zh="請先留在家中。\n\n10:00 公佈。",
    body_en="Please stay at home.\n\nMore at 10:00.",
    day=date(2026, 3, 28),
    sessions=(1, 2),
    tone=BannerTone.WAIT,
)


def changed(**values: Any) -> NoticeWording:
    return NoticeWording(**{**{name: getattr(WORDS, name) for name in WORDS.__slots__}, **values})


@pytest.fixture
def draft(event: Event, organiser: User) -> Notice:
    return service.draft_notice(event, WORDS, by=organiser, now=NOW)


@pytest.fixture
def families(first_session: Session) -> None:
    """Four entrants of the first session: two with one address, one with another, one without."""
    add_entrants(first_session, range(1, 5))
    for number, address in ((1, "one@example.org"), (2, "one@example.org"), (3, "three@example.org"), (4, "")):
        Person.objects.filter(entrant__number=number).update(email=address, language="zh-hant")


def publish(notice: Notice, by: User, **given: Any) -> Notice:
    asked = {"revision": notice.revision, "confirmed": None, "mail": False, "by": by, "now": NOW, **given}
    return service.publish_notice(notice, **asked)


def acts() -> list[tuple[str, str]]:
    found = AuditEntry.objects.filter(action__contains="notice") | AuditEntry.objects.filter(action="take_down_banner")
    return list(found.order_by("seq").values_list("action", "subject"))


def test_a_draft_has_no_number_and_is_in_the_log(draft: Notice) -> None:
    assert (draft.number, draft.published_at, draft.sessions, draft.tone) == (None, None, [1, 2], "wait")
    assert acts() == [("draft_notice", f"notice draft {draft.pk}")]


def test_lines_end_alike_whatever_the_browser_sends(event: Event, organiser: User) -> None:
    made = service.draft_notice(event, changed(body_zh="一\r\n\r\n二 ", title_zh=" 三 "), by=organiser)
    assert (made.body_zh, made.title_zh) == ("一\n\n二", "三")


@pytest.mark.parametrize("name", ["title_zh", "title_en", "body_zh", "body_en"])
def test_both_languages_are_needed(event: Event, organiser: User, name: str) -> None:
    with pytest.raises(BadInput) as refused:
        service.draft_notice(event, changed(**{name: " \r\n"}), by=organiser)
    assert (refused.value.code, Notice.objects.count()) == ("notice_empty", 0)


def test_a_change_keeps_the_row_and_moves_its_revision_once(draft: Notice, organiser: User) -> None:
    words = changed(title_zh="3 月 28 日停賽")
    once = service.change_notice(draft, words, revision=1, by=organiser)
    again = service.change_notice(draft, words, revision=1, by=organiser)
    assert (once.title_zh, once.revision, again.revision) == ("3 月 28 日停賽", 2, 2)
    assert [act for act, _thing in acts()] == ["draft_notice", "change_notice"]


def test_the_second_of_two_people_is_shown_what_stands(draft: Notice, organiser: User) -> None:
    service.change_notice(draft, changed(title_zh="甲"), revision=1, by=organiser)
    with pytest.raises(StaleVersion) as refused:
        service.change_notice(draft, changed(title_zh="乙"), revision=1, by=organiser)
    assert (refused.value.code, refused.value.current.title_zh) == ("notice_changed", "甲")


def test_a_draft_that_was_put_aside_is_neither_changed_nor_published(draft: Notice, organiser: User) -> None:
    service.discard_notice(draft, revision=1, by=organiser, now=NOW)
    assert service.discard_notice(draft, revision=1, by=organiser).discarded_at == NOW
    for act in (
        lambda: service.change_notice(draft, changed(title_zh="甲"), revision=1, by=organiser),
        lambda: publish(draft, organiser),
    ):
        with pytest.raises(NotFoundRefused):
            act()
    assert [act for act, _thing in acts()] == ["draft_notice", "discard_notice"]


def test_publishing_gives_number_moment_and_digest_in_one_act(draft: Notice, organiser: User) -> None:
    told = publish(draft, organiser)
    told.refresh_from_db()
    assert (told.number, told.published_at, told.published_by) == (1, NOW, organiser)
    entry = AuditEntry.objects.get(action="publish_notice")
    assert (entry.subject, entry.digest_after, entry.at, entry.actor) == ("notice 1", told.digest, NOW, organiser)
    assert told.digest == service.notice_digest(told)
    assert Mailing.objects.count() == 0


def test_what_was_published_is_not_changed_or_put_aside(draft: Notice, organiser: User) -> None:
    publish(draft, organiser)
    for act in (
        lambda: service.change_notice(draft, changed(title_zh="甲"), revision=1, by=organiser),
        lambda: service.discard_notice(draft, revision=1, by=organiser),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "notice_published"


@pytest.mark.fault("L6")
def test_the_mail_goes_to_as_many_as_were_typed(draft: Notice, organiser: User, families: None) -> None:
    for typed in (None, 0, 3, 4):
        with pytest.raises(Refused) as refused:
            publish(draft, organiser, mail=True, confirmed=typed)
        assert (refused.value.code, refused.value.facts["count"]) == ("count_differs", 2)
    assert (Notice.objects.get().number, Mailing.objects.count()) == (None, 0)
    told = publish(draft, organiser, mail=True, confirmed=2)
    mailing = Mailing.objects.get()
    assert (mailing.notice, mailing.subject, mailing.state, mailing.count) == (
        told,
        "notice 1",
        MailingState.SENDING,
        2,
    )
    rows = Delivery.objects.order_by("address").values_list("address", "entrant__number", "also")
    assert list(rows) == [("one@example.org", 1, [2]), ("three@example.org", 3, [])]


@pytest.mark.fault("L6")
def test_sent_twice_it_is_one_notice_and_one_mailing(draft: Notice, organiser: User, families: None) -> None:
    first = publish(draft, organiser, mail=True, confirmed=2)
    again = publish(draft, organiser, mail=True, confirmed=2, now=NOW + timedelta(minutes=1))
    assert (again.number, again.digest, again.published_at) == (first.number, first.digest, NOW)
    assert (Notice.objects.count(), Mailing.objects.count(), Delivery.objects.count()) == (1, 1, 2)


def test_a_draft_that_was_changed_after_it_was_looked_at_is_not_published(draft: Notice, organiser: User) -> None:
    service.change_notice(draft, changed(title_zh="甲"), revision=1, by=organiser)
    with pytest.raises(StaleVersion):
        publish(draft, organiser)
    assert Notice.objects.get().number is None


@pytest.mark.parametrize("text", ["停賽 \U0001f600", "停\x0b賽", "停\u200b賽"])
def test_a_character_that_no_font_has_is_refused_before_anybody_is_told(
    draft: Notice, organiser: User, text: str
) -> None:
    with pytest.raises(BadInput) as refused:
        service.change_notice(draft, changed(body_zh=text), revision=1, by=organiser)
    draft.refresh_from_db()
    assert (refused.value.code, draft.revision) == ("character_without_font", 1)


def test_a_tab_is_a_space(draft: Notice, organiser: User) -> None:
    assert service.change_notice(draft, changed(body_zh="甲\t乙"), revision=1, by=organiser).body_zh == "甲 乙"


def test_numbers_have_no_gap_and_a_new_banner_takes_the_older_down(
    event: Event, draft: Notice, organiser: User
) -> None:
    later = NOW + timedelta(minutes=20)
    publish(draft, organiser)
    about_something_else = changed(banner=False, kind=NoticeKind.GENERAL)
    quiet = publish(service.draft_notice(event, about_something_else, by=organiser), organiser)
    assert Notice.objects.get(pk=draft.pk).banner_down_at is None
    loud = publish(service.draft_notice(event, WORDS, by=organiser), organiser, now=later)
    assert [quiet.number, loud.number] == [2, 3]
    rows = Notice.objects.order_by("number").values_list("number", "banner_down_at", "banner_down_by")
    assert list(rows) == [(1, later, organiser.pk), (2, None, None), (3, None, None)]
    assert acts()[-2:] == [("publish_notice", "notice 3"), ("take_down_banner", "notice 1")]


def test_a_correction_takes_down_the_banner_of_what_it_corrects(event: Event, draft: Notice, organiser: User) -> None:
    first = publish(draft, organiser)
    correction = service.draft_notice(event, changed(banner=False), corrects=first, by=organiser)
    publish(correction, organiser)
    assert Notice.objects.get(number=1).banner_down_at == NOW
    assert Notice.objects.get(number=2).corrects == first


@pytest.mark.fault("X3")
def test_a_newer_word_about_the_same_takes_the_older_banner_down_without_one_of_its_own(
    event: Event, draft: Notice, organiser: User
) -> None:
    publish(draft, organiser)
    publish(service.draft_notice(event, changed(banner=False, sessions=[2]), by=organiser), organiser)
    assert Notice.objects.get(number=1).banner_down_at == NOW


@pytest.mark.fault("X3")
def test_a_changed_decision_is_a_correction_by_itself(event: Event, organiser: User) -> None:
    going = publish(service.draft_notice(event, changed(kind=NoticeKind.GOING_AHEAD), by=organiser), organiser)
    stopped = service.draft_notice(event, changed(kind=NoticeKind.STOPPED), by=organiser)
    assert stopped.corrects == going
    assert AuditEntry.objects.filter(action="draft_notice").latest("seq").reason == "corrects notice 1"
    pending = service.draft_notice(event, changed(), by=organiser)
    elsewhere = service.draft_notice(event, changed(kind=NoticeKind.STOPPED, sessions=[3]), by=organiser)
    assert (pending.corrects, elsewhere.corrects) == (None, None)


@pytest.mark.fault("X3")
def test_a_decision_drafted_beforehand_corrects_what_was_published_meanwhile(event: Event, organiser: User) -> None:
    ready = service.draft_notice(event, changed(kind=NoticeKind.STOPPED), by=organiser)
    going = publish(service.draft_notice(event, changed(kind=NoticeKind.GOING_AHEAD), by=organiser), organiser)
    told = publish(ready, organiser)
    told.refresh_from_db()
    assert (told.corrects, told.digest) == (going, service.notice_digest(told))


def test_only_what_was_published_is_corrected(event: Event, draft: Notice, organiser: User) -> None:
    with pytest.raises(Refused) as refused:
        service.draft_notice(event, WORDS, corrects=draft, by=organiser)
    assert refused.value.code == "not_published"


def test_a_banner_is_taken_down_once(draft: Notice, organiser: User, second_organiser: User) -> None:
    told = publish(draft, organiser)
    service.take_down_banner(told, by=organiser, now=NOW)
    service.take_down_banner(told, by=second_organiser, now=NOW + timedelta(hours=1))
    told.refresh_from_db()
    assert (told.banner_down_at, told.banner_down_by) == (NOW, organiser)
    assert acts().count(("take_down_banner", "notice 1")) == 1


def test_a_draft_has_no_banner_to_take_down(draft: Notice, organiser: User) -> None:
    with pytest.raises(Refused) as refused:
        service.take_down_banner(draft, by=organiser)
    assert refused.value.code == "no_banner"
