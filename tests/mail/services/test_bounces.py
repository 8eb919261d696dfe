"""A mail that came back is told to nobody: it is written down once, shown, and its family is on the list."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from tests.messages.bounced import RETURN, filled, mailed, report_of
from tests.messages.mailed import address, send_all
from tournament.audit.models import AuditEntry
from tournament.core.enums import BounceKind, Language
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person
from tournament.mail.domain.recipients import notice_plan, recipients_left_to_mail
from tournament.mail.domain.unreached import numbers_with_returned_mail, unreached_entrants
from tournament.mail.services import bounces
from tournament.messages.domain.told import NoticeReach, notice_reach, recipients_not_yet_mailed
from tournament.messages.models import BounceReading, Delivery, Mailing, Notice
from tournament.messages.queries import bounces as queries
from tournament.messages.queries.mailing_counts import last_mailed_by_number, mailing_with_counts
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.services import mailings
from tournament.operations.services import erasure, subject_copy
from tournament.operations.services.audit_verification import verify_events
from tournament.operations.services.erasure_scope import ErasureScope

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X5")]


@pytest.fixture(autouse=True)
def returned_to(settings: Any) -> None:
    settings.MAIL_BOUNCES, settings.MAIL_FROM = RETURN, "desk@desk.example"
    settings.DEFAULT_FROM_EMAIL = "The desk <desk@desk.example>"


def bounced(row: Delivery) -> tuple[str, str, str]:
    """What is kept of it."""
    row.refresh_from_db()
    return row.bounce, row.bounce_code, row.bounce_words


def left(notice: Notice) -> list[int]:
    """Who has not got it, by number."""
    told = last_mailed_by_number(notice.event, "notice", f"notice {notice.number}")
    return [one.number for one in recipients_not_yet_mailed(notice_plan(notice).gather(), told).found]


def found_wrong() -> list[str]:
    """Of which mails the rows say something else than the log, and what."""
    return [finding.subject for finding in verify_events(files=False).findings]


def entries() -> list[tuple[str, dict[str, str]]]:
    """What the log has of reports."""
    rows = AuditEntry.objects.filter(action="record_bounce").order_by("seq")
    return [(row.subject, row.details) for row in rows]


def test_each_mail_has_its_own_return_address_and_the_desk_s_from(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    sent = [(one.from_email, one.message()["From"]) for one in mail.outbox]
    expected = [
        (f"bounces+{queries.bounce_token_of(row)}@desk.example", "The desk <desk@desk.example>") for row in rows
    ]
    assert (sent, len({one for one, _from in sent})) == (expected, 3)
    assert all(one == one.lower() and len(one.partition("@")[0]) <= 64 for one, _from in sent)


def test_without_a_return_address_mail_comes_from_the_desk_as_before(
    event: Event, organiser: User, settings: Any
) -> None:
    settings.MAIL_BOUNCES = ""
    mailed(event, organiser)
    assert {(one.from_email, one.message()["From"]) for one in mail.outbox} == {
        ("The desk <desk@desk.example>", "The desk <desk@desk.example>")
    }


@pytest.mark.parametrize("name", ["postfix", "exim", "exchange", "gmail", "exim-plain"])
def test_a_mail_that_came_back_is_told_to_nobody_and_the_family_is_on_the_list(
    name: str, event: Event, organiser: User
) -> None:
    mailing, rows = mailed(event, organiser)
    notice = mailing.notice
    assert notice is not None
    assert (left(notice), numbers_with_returned_mail(event)) == ([], set())
    assert bounces.process_bounce_mail(report_of(name, rows[1]), RETURN) == bounces.BOUNCE_RECORDED
    assert (left(notice), notice_reach(notice), numbers_with_returned_mail(event)) == (
        [5002],
        NoticeReach(told=2, of=3),
        {5002},
    )
    shown = mailing_with_counts(event, mailing.pk)
    assert shown is not None
    assert (shown.sent, shown.back, shown.failed) == (3, 1, 0)
    assert [(one.number, one.mailing, one.why) for one in unreached_entrants(event)] == [(5002, mailing, "came_back")]
    assert (bounced(rows[0]), bounced(rows[1])[0], found_wrong()) == (("", "", ""), "hard", [])


def test_the_same_report_twice_does_nothing_and_a_late_word_of_delay_takes_nothing_back(
    event: Event, organiser: User
) -> None:
    _mailing, rows = mailed(event, organiser)
    said = [
        bounces.process_bounce_mail(report_of(name, rows[0]), RETURN)
        for name in ("postfix-delayed", "postfix", "postfix")
    ]
    said += [bounces.process_bounce_mail(report_of(name, rows[0]), RETURN) for name in ("postfix-delayed", "feedback")]
    assert said == ["recorded", "recorded", "repeated", "repeated", "repeated"]
    thing = f"mailing {rows[0].mailing_id} entrant 5001"
    assert entries() == [(thing, {"kind": "soft", "code": "4.2.2"}), (thing, {"kind": "hard", "code": "5.1.1"})]
    assert found_wrong() == []


def test_a_mail_that_is_late_counts_as_told_until_it_comes_back(event: Event, organiser: User) -> None:
    mailing, rows = mailed(event, organiser)
    assert mailing.notice is not None
    bounces.process_bounce_mail(report_of("postfix-delayed", rows[0]), RETURN)
    assert (left(mailing.notice), numbers_with_returned_mail(event)) == ([], set())


@pytest.mark.parametrize("name", ["out-of-office", "receipt", "arrived", "answer", "nested"])
def test_answers_receipts_and_reports_inside_mails_have_no_effect(name: str, event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    outcome = bounces.process_bounce_mail(report_of(name, rows[0]), RETURN)
    assert outcome == ("unreadable" if name in ("answer", "nested") else "ignored")
    assert (bounced(rows[0]), entries()) == (("", "", ""), [])


def test_a_forged_or_another_token_has_no_effect_whatever_else_the_report_says(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    right = queries.bounce_token_of(rows[0])
    other = f"{rows[1].pk:x}-{right.partition('-')[2]}"
    forged = [f"{rows[0].pk:x}-{'0' * 20}", other, right[:-1], "x", f"{'f' * 15}-{'0' * 20}"]
    said = {bounces.process_bounce_mail(report_of("postfix", rows[0], token=token), RETURN) for token in forged}
    assert (said, entries()) == ({"unknown"}, [])


def test_a_message_id_counts_only_where_the_report_names_its_recipient_too(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    guessed = filled("postfix", "", rows[0].address, rows[1].message_id).replace(b"bounces+@", b"desk@")
    own = filled("postfix", "", rows[1].address.upper(), rows[1].message_id).replace(b"bounces+@", b"desk@")
    assert [bounces.process_bounce_mail(one, RETURN) for one in (guessed, own)] == ["unknown", "recorded"]
    assert [bounced(row)[0] for row in rows] == ["", "hard", ""]


def test_the_words_of_a_report_are_text_cut_and_name_no_other_address(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    own = rows[0].address
    words = f"<b>{own}</b>\x00\r\n rejected by  other.person@families.example, ask ‮help@school.example " + "x" * 900
    bounces.record_bounce(rows[0], BounceKind.HARD, words=words)
    kept = bounced(rows[0])[2]
    assert kept.startswith(f"<b>{own}</b> rejected by o***@families.example, ask h***@school.example xxx")
    assert (len(kept), kept.isprintable()) == (300, True)


def test_a_report_of_the_future_or_of_before_the_mail_is_of_now(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    now = timezone.now()
    for row, at in zip(rows, (now + timedelta(days=1), now - timedelta(days=9), None), strict=True):
        bounces.record_bounce(row, BounceKind.HARD, at=at, now=now)
        row.refresh_from_db()
    assert {row.bounced_at for row in rows} == {now}


# --- The next mailing -----------------------------------------------------------------------------------
def again(notice: Notice, by: User, *, sent: bool = True) -> Mailing:
    """To those who are left to be mailed; `sent`: as far as it goes."""
    plan = notice_plan(notice)
    found, last = (
        recipients_left_to_mail(notice.event, plan, plan.gather()).found,
        newest_mailing_about(notice.event, plan.kind, plan.subject),
    )
    asked = {"confirmed": len(found), "seen": last.pk if last else 0, "by": by, "notice": notice}
    made = mailings.start_mailing(notice.event, plan.kind, plan.subject, found, **asked)
    if sent:
        send_all()
    return made


def test_a_mended_address_is_mailed_and_a_late_report_of_the_old_one_changes_nothing(
    event: Event, organiser: User
) -> None:
    mailing, rows = mailed(event, organiser)
    notice = mailing.notice
    assert notice is not None
    Person.objects.filter(entrant__number=5001).update(email="mended@families.example")
    again(notice, organiser)
    assert left(notice) == []
    bounces.process_bounce_mail(report_of("postfix", rows[0]), RETURN)
    assert (left(notice), numbers_with_returned_mail(event), unreached_entrants(event)) == ([], set(), [])


def test_an_address_that_takes_no_mail_is_tried_once_for_each_word_and_never_counts_as_told(
    event: Event, organiser: User
) -> None:
    mailing, rows = mailed(event, organiser)
    notice = mailing.notice
    assert notice is not None
    bounces.process_bounce_mail(report_of("postfix", rows[0]), RETURN)
    plan = notice_plan(notice)
    assert recipients_left_to_mail(event, plan, plan.gather()).found == ()
    second = Notice.objects.get(pk=notice.pk)
    second.pk, second.number, second.day = None, 2, None
    second.save()
    later = notice_plan(second)
    assert [one.number for one in recipients_left_to_mail(event, later, later.gather()).found] == [5001, 5002, 5003]
    begun = again(second, organiser, sent=False)
    assert [(one.number, one.why) for one in unreached_entrants(event) if one.mailing == begun] == [(5001, "dead")]
    send_all()
    assert left(second) == [5001]
    assert [(one.number, one.why) for one in unreached_entrants(event) if one.mailing.notice == second] == [
        (5001, "dead")
    ]
    Person.objects.filter(entrant__number=5001).update(email="mended@families.example")
    assert [(one.number, one.why) for one in unreached_entrants(event)] == [(5001, "not_mailed")] * 2
    again(second, organiser)
    assert left(second) == []


def test_a_full_mailbox_is_tried_again_by_the_next_mailing(event: Event, organiser: User) -> None:
    mailing, rows = mailed(event, organiser)
    notice = mailing.notice
    assert notice is not None
    bounces.process_bounce_mail(report_of("expired", rows[0]), RETURN)
    assert (bounced(rows[0])[:2], left(notice)) == (("hard", "4.4.7"), [5001])
    again(notice, organiser)
    assert (left(notice), unreached_entrants(event)) == ([], [])


def test_whoever_called_a_mail_unwanted_is_telephoned(event: Event, organiser: User) -> None:
    mailing, rows = mailed(event, organiser)
    assert mailing.notice is not None
    assert bounces.process_bounce_mail(report_of("feedback", rows[0]), RETURN) == "recorded"
    assert (left(mailing.notice), numbers_with_returned_mail(event)) == ([5001], set())
    assert [(one.number, one.why) for one in unreached_entrants(event)] == [(5001, "unwanted")]


def test_what_went_to_an_address_before_the_first_mail_that_came_back_stays_told(event: Event, organiser: User) -> None:
    mailing, rows = mailed(event, organiser)
    notice = mailing.notice
    assert notice is not None
    Person.objects.filter(entrant__number=5002).update(email=address(5001), language=Language.ENGLISH)
    other = again(notice, organiser)
    row = other.deliveries.select_related("mailing").get()
    assert bounces.record_bounce(row, BounceKind.HARD, code="5.1.1")
    assert (left(notice), bounced(rows[0])) == ([5001], ("", "", ""))


# --- Kept -----------------------------------------------------------------------------------------------
def test_a_report_that_was_changed_behind_the_log_s_back_is_found(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    bounces.record_bounce(rows[0], BounceKind.HARD, code="5.1.1")
    bounces.record_bounce(rows[1], BounceKind.HARD, code="5.1.1")
    Delivery.objects.filter(pk=rows[0].pk).update(bounce="")
    Delivery.objects.filter(pk=rows[1].pk).update(bounce_code="4.2.2")
    Delivery.objects.filter(pk=rows[2].pk).update(bounce="hard", bounced_at=timezone.now())
    changed = zip(rows, (("bounce",), ("bounce_code",), ("bounce", "bounced_at")), strict=True)
    assert found_wrong() == [
        f"entrant {row.entrant}, delivery {row.pk} {name}" for row, names in changed for name in names
    ]


def test_an_erasure_takes_the_words_and_later_reports_change_nothing(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    bounces.record_bounce(rows[0], BounceKind.HARD, code="5.1.1", words=f"no {rows[0].address}")
    copied = subject_copy.build_subject_copy(rows[0].entrant)["mails"]
    assert [(one["bounce"], one["bounce_words"]) for one in copied] == [("hard", f"no {rows[0].address}")]
    later = report_of("postfix", rows[1])
    for row in rows[:2]:
        erasure.erase_entrant_data(ErasureScope(event, row.entrant), reason="asked", by=None)
    assert bounced(rows[0]) == ("hard", "5.1.1", "")
    assert bounces.process_bounce_mail(later, RETURN) == "repeated"
    assert found_wrong() == []


def test_every_report_is_counted_where_people_see_it(event: Event, organiser: User) -> None:
    _mailing, rows = mailed(event, organiser)
    reports = [
        {"mail": rows[0].message_id, "kind": "hard"},
        {"mail": rows[0].message_id.strip("<>"), "kind": "hard"},
        {"mail": f"bounces+{queries.bounce_token_of(rows[1]).upper()}@DESK.example", "kind": "hard", "status": "5.2.1"},
        {"mail": queries.bounce_token_of(rows[2]), "kind": "soft", "diagnostic": "later"},
        {"mail": "<nobody@elsewhere.example>", "kind": "hard"},
    ]
    assert bounces.process_bounce_reports(reports) == {"recorded": 3, "repeated": 1, "unknown": 1}
    assert BounceReading.objects.values_list("recorded", "repeated", "unknown").get() == (3, 1, 1)
    assert [bounced(row)[:2] for row in rows] == [("hard", ""), ("hard", "5.2.1"), ("soft", "")]
