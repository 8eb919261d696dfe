"""Answers about places: who declines is replaced in the true order, nothing twice, nothing after the last moment."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.tournament.sheets import mirrored_tables
from tournament.bridge.release_places import live_places
from tournament.enums import EntrantStatus
from tournament.errors import Refused, StaleVersion
from tournament.models import AuditEntry, Entrant, Event, PlaceAnswer, Release, Session, Stage
from tournament.services.release import release, withdraw
from tournament.services.release_places import record_answer, set_answers_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0001, 0005, 0002, 0006 advance; the reserves are 0003 and 0007 (1=), then 0004 and 0008 (3=)."""
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    release(first_session.stage, by=organiser)
    return first_session.stage


def answer(stage: Stage, by: User, number: int, said: str = "declined", **given: Any) -> PlaceAnswer:
    return record_answer(stage, number=number, answer=said, by=by, **{"reason": "Abroad that day.", **given})


def holders(stage: Stage) -> str:
    return " ".join(holder.id for holder in live_places(stage).places.holders)


def test_two_who_decline_are_replaced_by_the_two_who_are_next(stage: Stage, organiser: User) -> None:
    answer(stage, organiser, 5)
    assert (holders(stage), live_places(stage).places.undecided.ids) == ("0001 0002 0006", ("0003", "0007"))
    answer(stage, organiser, 6)
    assert holders(stage) == "0001 0002 0003 0007"


def test_who_withdraws_or_is_disqualified_counts_as_declined(stage: Stage, organiser: User) -> None:
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    Entrant.objects.filter(number=3).update(status=EntrantStatus.WITHDRAWN)
    assert holders(stage) == "0005 0002 0006 0007"


def test_when_nobody_is_left_places_stay_empty(stage: Stage, organiser: User) -> None:
    Entrant.objects.filter(number__in=[3, 4, 7, 8]).update(status=EntrantStatus.WITHDRAWN)
    answer(stage, organiser, 1)
    assert (holders(stage), live_places(stage).places.empty) == ("0005 0002 0006", 1)


def test_an_answer_is_recorded_once_with_who_and_why(stage: Stage, organiser: User) -> None:
    made = answer(stage, organiser, 1)
    assert (answer(stage, organiser, 1), made.release, made.by) == (made, 1, organiser)
    assert [(entry.thing, entry.reason) for entry in AuditEntry.objects.filter(action="record_answer")] == [
        ("entrant 0001", "declined. Abroad that day.")
    ]


def test_an_answer_is_given_upon_what_its_maker_has_seen(stage: Stage, organiser: User) -> None:
    first = answer(stage, organiser, 1, "accepted", reason="")
    with pytest.raises(StaleVersion):
        answer(stage, organiser, 1)
    assert answer(stage, organiser, 1, seen=first.pk).answer == "declined"


def test_a_place_is_taken_back_only_while_no_reserve_has_accepted_it(stage: Stage, organiser: User) -> None:
    first, second = answer(stage, organiser, 5), answer(stage, organiser, 6)
    again = answer(stage, organiser, 6, "accepted", seen=second.pk)
    second = answer(stage, organiser, 6, seen=again.pk)
    answer(stage, organiser, 3, "accepted")
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, 5, "accepted", seen=first.pk)
    assert refused.value.code == "place_taken"
    assert holders(stage) == "0001 0002 0003 0007"


@pytest.mark.parametrize(
    ("number", "given", "code"),
    [(1, {"reason": " "}, "reason_missing"), (4, {}, "no_place"), (99, {}, "no_place")],
)
def test_what_cannot_be_answered_is_refused(
    stage: Stage, organiser: User, number: int, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, number, **given)
    assert (refused.value.code, PlaceAnswer.objects.count()) == (code, 0)


def test_from_the_last_moment_on_no_answer_is_taken(stage: Stage, organiser: User) -> None:
    until = timezone.now() + timedelta(hours=1)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, 1, now=until)
    assert refused.value.code == "answers_closed"
    assert answer(stage, organiser, 1, now=until - timedelta(microseconds=1))


def test_the_last_moment_is_set_upon_what_its_maker_has_seen_and_once(stage: Stage, organiser: User) -> None:
    until = timezone.now() + timedelta(hours=1)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    with pytest.raises(StaleVersion):
        set_answers_until(stage, until=None, seen=None, by=organiser)
    assert AuditEntry.objects.filter(action="set_answers_until").count() == 1


def test_without_a_current_release_there_are_no_places(stage: Stage, organiser: User) -> None:
    withdraw(Release.objects.get(), reason="Wrong.", by=organiser)
    assert holders(stage) == ""
    with pytest.raises(Refused):
        answer(stage, organiser, 1)


def test_the_database_itself_refuses_to_change_an_answer(stage: Stage, organiser: User) -> None:
    made = answer(stage, organiser, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        PlaceAnswer.objects.filter(pk=made.pk).update(reason="Other.")
