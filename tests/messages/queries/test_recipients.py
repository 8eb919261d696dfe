"""Who gets a mail: one an address and language for a notice, else one an entrant; nobody who is gone."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, invented
from tests.finalists.invited import invited
from tests.mail.mails import give_addresses
from tests.sheets.sheets import lock_sheets
from tests.sheets.tables import settle
from tournament.core.enums import EntrantStatus, Language, NoticeKind, SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.domain.recipients import recipients_of_results, recipients_of_seats
from tournament.messages.models import Notice
from tournament.messages.queries.recipients import Recipients, for_notice
from tournament.tables.models import Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def sessions(event: Event, organiser: User) -> list[Session]:
    """Two sessions of four: 0301 to 0304 and 0401 to 0404."""
    found = list(Session.objects.filter(stage__event=event, number__in=(1, 2)))
    for place, session in enumerate(found):
        settle(session, organiser, [4], first=301 + 100 * place)
    give_addresses(event)
    return found


def of(event: Event, *numbers: int) -> Recipients:
    """Who gets a notice about these sessions."""
    return for_notice(Notice(event=event, kind=NoticeKind.GENERAL, sessions=list(numbers)))


def told(found: Recipients) -> list[tuple[int, tuple[int, ...]]]:
    """The numbers, each with its companions."""
    return [(one.number, one.also) for one in found.found]


def each(*numbers: int) -> list[tuple[int, tuple[int, ...]]]:
    return [(number, ()) for number in numbers]


def test_a_notice_goes_to_its_sessions_or_to_all(event: Event, sessions: list[Session]) -> None:
    assert told(of(event, 2)) == each(401, 402, 403, 404)
    assert told(of(event)) == each(301, 302, 303, 304, 401, 402, 403, 404)


def test_whoever_has_withdrawn_is_left_in_peace(event: Event, sessions: list[Session]) -> None:
    for number, status in ((301, "withdrawn"), (302, "forfeited"), (303, "disqualified")):
        Entrant.objects.filter(number=number).update(status=EntrantStatus(status))
    assert told(of(event, 1)) == each(304)


def test_one_address_is_told_once_whatever_its_capitals_and_in_each_of_its_languages(
    event: Event, sessions: list[Session]
) -> None:
    for number, email, language in (
        (302, "Wong@Example.org", Language.CHINESE),
        (303, "wong@example.org", Language.ENGLISH),
        (401, "WONG@example.org", Language.CHINESE),
        (404, "wong@example.org", Language.CHINESE),
    ):
        Person.objects.filter(entrant__number=number).update(email=email, language=language)
    found = of(event)
    assert told(found) == [(301, ()), (302, (401, 404)), (303, ()), (304, ()), (402, ()), (403, ())]
    assert [(one.address, one.language) for one in found.found[1:3]] == [
        ("Wong@Example.org", "zh-hant"),
        ("wong@example.org", "en"),
    ]
    assert found.numbers == (301, 302, 303, 304, 401, 402, 403, 404)


def test_two_families_with_one_address_get_their_seats_apart(sessions: list[Session]) -> None:
    Person.objects.filter(entrant__number__in=(301, 302)).update(email="school@example.org")
    found = recipients_of_seats(sessions[0]).found
    assert [(one.number, one.also, one.facts["letter"]) for one in found[:2]] == [(301, (), "A"), (302, (), "B")]


def test_without_a_language_it_is_chinese(event: Event, sessions: list[Session]) -> None:
    Person.objects.filter(entrant__number=301).update(language="")
    assert of(event, 1).found[0].language == "zh-hant"


def test_whoever_has_no_address_is_named(event: Event, sessions: list[Session]) -> None:
    Person.objects.filter(entrant__number__in=(302, 404)).update(email="")
    assert (told(of(event))[:2], of(event).missing) == (each(301, 303), (302, 404))


def test_a_notice_about_the_final_goes_to_its_finalists(event: Event, sessions: list[Session]) -> None:
    final = add_final(event)
    for rank, number in enumerate((303, 401), start=1):
        Finalist.objects.create(stage=final, entrant=Entrant.objects.get(number=number), rank=rank)
    assert told(of(event, final.sessions.get().number)) == each(303, 401)


def test_a_notice_about_a_session_that_is_replayed_follows_its_entrants(event: Event, sessions: list[Session]) -> None:
    first = sessions[0]
    facts = {name: getattr(first, name) for name in SESSION}
    replay = Session.objects.create(**facts, number=13, number_of_day=5, replays=first)
    Entrant.objects.filter(session=first).update(session=replay)
    assert told(of(event, 1)) == each(301, 302, 303, 304)


SESSION = (
    "stage",
    "original_date",
    "check_in_at",
    "seating_at",
    "play_at",
    "ends_at",
    "table_count",
    "capacity",
)


def test_another_event_s_entrants_get_nothing(event: Event, sessions: list[Session]) -> None:
    other = Event.objects.create(slug="other", name_zh="x", name_en="x", quota=1, results_at=event.results_at)
    assert told(of(other)) == []


def test_seats_are_told_to_those_who_play_there(sessions: list[Session]) -> None:
    Entrant.objects.filter(number=302).update(status=EntrantStatus.WITHDRAWN)
    Entrant.objects.filter(number=303).update(session=sessions[1])
    found = recipients_of_seats(sessions[0])
    seats = {seat.entrant.number: (seat.table.number, seat.letter) for seat in Seat.objects.select_related("table")}
    assert [(one.number, (one.facts["table"], one.facts["letter"])) for one in found.found] == [
        (number, seats[number]) for number in (301, 304)
    ]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (SessionState.POSTPONED, "session_postponed"),
        (SessionState.VOID, "session_over"),
        (SessionState.CLOSED, "session_over"),
    ],
)
def test_seats_are_refused_where_nobody_should_go(sessions: list[Session], state: str, code: str) -> None:
    sessions[0].state = state
    with pytest.raises(Refused) as refused:
        recipients_of_seats(sessions[0])
    assert refused.value.code == code


def test_seats_of_a_session_that_is_stamped_to_its_last_sheet_are_mailed_to_nobody(
    sessions: list[Session], organiser: User
) -> None:
    lock_sheets(sessions[0].tables.all(), invented(sessions[0].tables.all(), seed=1), organiser)
    with pytest.raises(Refused) as refused:
        recipients_of_seats(sessions[0])
    assert (refused.value.code, len(recipients_of_seats(sessions[1]).found)) == ("session_over", 4)


def test_facts_hold_no_name_address_or_birth_date(sessions: list[Session]) -> None:
    facts = str([one.facts for one in recipients_of_seats(sessions[0]).found])
    assert [word for word in ("CHAN", "陳", "@", "2015") if word in facts] == []


def test_the_number_of_queries_does_not_grow(
    event: Event, sessions: list[Session], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        of(event)
    with django_assert_num_queries(2):
        of(event, 1)


def test_results_that_were_withdrawn_are_not_mailed(first_session: Session, organiser: User) -> None:
    stage = invited(first_session, organiser)[0]
    give_addresses(stage.event)
    release = stage.releases.get()
    assert len(recipients_of_results(release).found) == 12
    release.withdrawn_at = release.released_at
    with pytest.raises(Refused) as refused:
        recipients_of_results(release)
    assert refused.value.code == "release_not_standing"
