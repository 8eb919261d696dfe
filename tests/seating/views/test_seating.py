"""The pages of the seats: what they show, what they refuse, and that they ask as little for many as for few."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.conftest import account
from tests.seated import enter, seats
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus, Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.seating.services import seating
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw


@pytest.fixture
def desk(organiser: User, signed_in: Any) -> Client:
    client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    return client


def address(name: str, *args: int) -> str:
    return reverse(name, args=["hk-2026", *args])


def text(response: Any) -> str:
    """The page's words, without its markup."""
    body = squeezed(response.content.decode()).split("<main", 1)[1].split(">", 1)[1]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body))


def queries_of(client: Client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(url).status_code == 200
    return len(asked)


def test_without_entrants_the_page_says_who_brings_them(desk: Client, event: Event) -> None:
    page = text(desk.get(address("seating")))

    assert "Nobody to seat yet" in page
    assert "imported the entrants" in page


def test_the_list_shows_entrants_tables_seed_and_state(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 7)
    seating.draw_session(first_session, seed=4711, by=organiser)

    page = text(desk.get(address("seating")))

    assert "28 March, session 1 drawn 7 2 1 table of three all kept at the last draw or move 12:30 4711" in page
    assert "tables without one, over all sessions: 2" in page


@pytest.mark.parametrize(
    ("rules", "entrants", "said"),
    [
        ("twist", 5, ["1 table of three", "1 table of two"]),
        ("twist", 8, []),
        ({"base": "twist", "table_sizes": [2, 3, 4]}, 5, ["1 table of three"]),
        ({"base": "hk-2026", "table_sizes": [3, 4]}, 10, ["1 table of 4"]),
    ],
)
def test_the_list_and_the_room_count_tables_of_each_size_that_the_rules_do_not_prefer(
    desk: Client, first_session: Session, organiser: User, rules: Any, entrants: int, said: list[str]
) -> None:
    type(first_session.stage).objects.filter(pk=first_session.stage_id).update(ruleset=rules)
    session = Session.objects.select_related("stage__event").get(pk=first_session.pk)
    enter(session, entrants)
    seating.draw_session(session, seed=4711, by=organiser)
    head, _tables = text(desk.get(address("session_seating", session.number))).split("All sessions", 1)
    for shown in (text(desk.get(address("seating"))), head):
        assert re.findall(r"\d+ tables? of \w+", shown) == said


def test_all_is_drawn_and_confirmed_from_the_list_and_what_cannot_be_is_said(
    desk: Client, event: Event, organiser: User
) -> None:
    one, two, three = event.stages.get().sessions.all()[:3]
    enter(one, 8)
    enter(two, 5, first=101)
    enter(three, 4, first=201)

    drawn = text(desk.post(address("draw_all_seats"), {"seed": "１２"}, follow=True))
    confirmed = text(desk.post(address("confirm_all_seats"), follow=True))

    assert "2 sessions drawn." in drawn
    assert "28 March, session 2: 5 entrants cannot be seated at tables of 3 to 4." in drawn
    assert "2 sessions confirmed." in confirmed
    assert Draw.objects.get(session=one).seed == seating.seed_of_session(12, one)
    assert Draw.objects.filter(confirmed_at__isnull=False).count() == 2


def test_a_seed_that_is_no_number_is_said_beside_its_field(desk: Client, first_session: Session) -> None:
    enter(first_session, 8)

    response = desk.post(address("draw_all_seats"), {"seed": "lucky"})

    assert response.status_code == 400
    assert "A seed is a whole number" in text(response)
    assert 'value="lucky"' in squeezed(response.content.decode())
    assert not Draw.objects.exists()


def test_a_session_is_drawn_confirmed_and_swapped_from_its_room(desk: Client, first_session: Session) -> None:
    enter(first_session, 8)
    room = address("session_seating", 1)
    assert "Draw seats for 8" in text(desk.get(room))

    drawn = text(desk.post(address("draw_session_seats", 1), {"seed": "7", "revision": "0"}, follow=True))
    before = seats(first_session)
    looked = text(desk.get(room, {"seat": [f"{before['1A']:04d}", f"{before['2B']:04d}"]}))
    assert seats(first_session) == before
    swap = {"revision": "1", "first": before["1A"], "second": before["2B"], "request_key": "k"}
    swapped = text(desk.post(address("swap_seats", 1), swap, follow=True))
    confirmed = text(desk.post(address("confirm_session_seats", 1), {"revision": "2"}, follow=True))

    assert "Seats drawn with seed 7." in drawn
    assert "table 1 seat A → table 2 seat B" in looked
    assert "Families and schools stay as they are." in looked
    assert f"Swapped: {before['1A']:04d} 1A → 2B, {before['2B']:04d} 2B → 1A" in swapped
    assert "Seats confirmed. The scoresheets can be printed." in confirmed
    assert seats(first_session) == {**before, "1A": before["2B"], "2B": before["1A"]}


def test_what_a_swap_breaks_is_shown_before_and_after_it(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 8, families={1: "F1", 2: "F1"})
    seating.draw_session(first_session, seed=1, by=organiser)
    home = {number: place[0] for place, number in seats(first_session).items()}
    beside = next(number for number in home if number != 1 and home[number] == home[1])

    looked = text(desk.get(address("session_seating", 1), {"first": "2", "second": str(beside)}))
    swap = {"revision": "1", "first": "2", "second": str(beside)}
    after = text(desk.post(address("swap_seats", 1), swap, follow=True))

    assert f"This would no longer be kept One family ·table {home[1]} 0001" in looked
    assert "Swap all the same" in looked
    assert f"A family now sits at one table: 0001, 0002 at table {home[1]}." in after
    assert after.count("one family") == 2


def test_a_move_that_breaks_a_rule_is_shown_before_it_is_done(
    desk: Client, first_session: Session, organiser: User
) -> None:
    enter(first_session, 7, families={1: "F1", 2: "F1"})
    seating.draw_session(first_session, seed=1, by=organiser)
    before = seats(first_session)
    home = {number: place for place, number in before.items()}
    beside = next(place for place, number in before.items() if place[0] == home[2][0] and number != 2)
    move = {"revision": "1", "entrant": "1", "table": beside[0], "letter": beside[1]}

    asked = desk.post(address("move_seat", 1), move)
    assert "This would no longer be kept One family" in text(asked)
    assert seats(first_session) == before
    done = desk.post(address("move_seat", 1), {**move, "all_the_same": "on"}, follow=True)

    assert "A family now sits at one table" in text(done)
    assert seats(first_session)[beside] == 1


def test_a_table_is_opened_for_a_late_entrant_and_dissolved_again(
    desk: Client, first_session: Session, organiser: User
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    enter(first_session, 1, first=9)
    room = address("session_seating", 1)

    assert "Every table has four: entrant 0009 needs a new table" in text(desk.get(room, {"late": "9"}))
    looked = text(desk.get(room, {"open": "9"}))
    assert "0009 陳大文9 no seat → table 3 seat A" in looked
    numbers = re.findall(r"(\d{4}) 陳大文\d+ (?:no seat|table \d seat [A-D]) → table 3", looked)
    opened = text(desk.post(address("open_table", 1), {"revision": "1", "entrants": " ".join(numbers)}, follow=True))
    assert "Table opened: 0009 - → 3A" in opened
    assert sorted(seats(first_session).values()) == list(range(1, 10))
    refused = desk.get(room, {"dissolve": "3"})
    assert refused.status_code == 409
    assert "Table 3 has 3 entrants, the other tables 2 empty seats: not enough." in text(refused)


def test_a_referee_is_assigned_and_a_late_revision_is_told(
    desk: Client, first_session: Session, organiser: User, referee: User
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    act = address("assign_referee", 1)

    done = desk.post(act, {"revision": "1", "table": "1", "referee": ""}, follow=True)
    late = desk.post(act, {"revision": "1", "table": "2", "referee": referee.username})
    wrong = desk.post(act, {"revision": "2", "table": "2", "referee": organiser.username})

    assert "Table 1 has no referee now." in text(done)
    assert (late.status_code, wrong.status_code) == (412, 400)
    assert [table.referee for table in first_session.tables.order_by("number")] == [None, referee]


def test_the_script_is_told_what_each_seat_would_mean(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 7)
    seating.draw_session(first_session, seed=1, by=organiser)
    before = seats(first_session)
    answers = desk.get(address("seat_moves", 1, before["2A"])).json()

    other = {"kind": "fine", "says": f"table 1 seat A: swap with {before['1A']:04d}."}
    assert answers["1A"] == other
    assert answers["2D"] == {"kind": "fine", "says": "table 2 seat D: empty seat."}
    assert set(answers) == {f"{table}{letter}" for table in (1, 2) for letter in "ABCD"} - {"2A"}
    assert desk.get(address("seat_moves", 1, 99)).status_code == 404


def test_a_drawn_session_is_drawn_again_only_by_who_says_so(
    desk: Client, first_session: Session, organiser: User
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    draw = address("draw_session_seats", 1)

    unsaid = desk.post(draw, {"seed": "2", "revision": "1"})
    said = desk.post(draw, {"seed": "2", "revision": "1", "again": "on"})

    assert unsaid.status_code == 400
    assert "Tick this first" in text(unsaid)
    assert said.status_code == 302
    assert Draw.objects.get().seed == 2


def test_of_two_organisers_the_second_reads_who_was_first_and_sees_the_new_seats(
    desk: Client, first_session: Session, event: Event
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=account(event, Role.ORGANISER, "Ada"))

    response = desk.post(address("draw_session_seats", 1), {"seed": "2", "revision": "0"})

    assert response.status_code == 412
    assert "Nothing was changed: Ada changed these seats" in text(response)
    assert Draw.objects.get().seed == 1


@pytest.mark.parametrize(
    ("chosen", "status", "said"),
    [
        ({"first": "1", "second": "99"}, 400, "Entrant 0099 has no seat in this session."),
        ({"first": "1", "second": "1"}, 400, "Choose two different entrants to swap."),
        ({"first": "x", "second": "2"}, 200, "An entrant's number has digits only, as 0302."),
        ({"seat": ["0001"]}, 200, "Type the number of an entrant."),
        (
            {"seat": ["0001", "0002", "0003"]},
            400,
            "More than two are chosen. Choose two entrants to swap, or one and an empty seat.",
        ),
    ],
)
def test_a_choice_that_is_no_swap_says_what_to_do(
    desk: Client, first_session: Session, organiser: User, chosen: Any, status: int, said: str
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)

    response = desk.get(address("session_seating", 1), chosen)

    assert response.status_code == status
    assert said.replace("'", "&#x27;") in text(response)


def test_a_table_whose_sheet_is_begun_offers_no_swap(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    Scoresheet.objects.create(table=first_session.tables.get(number=1))
    before = seats(first_session)

    page = desk.get(address("session_seating", 1))
    tried = desk.get(address("session_seating", 1), {"first": before["1A"], "second": before["2A"]})

    assert squeezed(page.content.decode()).count('name="seat"') == 4
    assert tried.status_code == 409
    assert "Scoresheet 0328-1-01 is being typed already" in text(tried)


def test_the_room_says_who_joined_or_left_since_the_draw(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    enter(first_session, 1, first=9)
    Entrant.objects.filter(number=3).update(status=EntrantStatus.WITHDRAWN)

    page = text(desk.get(address("session_seating", 1)))

    assert "Joined since the draw, without a seat 陳大文9 CHAN Tai Man 9 0009" in page
    assert "Seated, but no longer taking part 0003" in page
    assert "Confirm: first seat everyone, or draw again" in page


def test_the_list_for_the_wall_masks_names_without_consent(
    desk: Client, first_session: Session, organiser: User
) -> None:
    enter(first_session, 4, names={1: "陳大文", 2: "歐陽文"})
    Person.objects.filter(entrant__number=1).update(consent_name=True)
    seating.draw_session(first_session, seed=1, by=organiser)
    desk.cookies["django_language"] = "zh-hant"

    page = text(desk.get(address("seating_list", 1)))

    assert "0001 陳大文" in page
    assert "0002 歐*文" in page
    assert "歐陽文" not in page


def test_the_pages_stand_in_chinese(desk: Client, first_session: Session, organiser: User) -> None:
    enter(first_session, 7)
    seating.draw_session(first_session, seed=1, by=organiser)
    desk.cookies["django_language"] = "zh-hant"

    for url in (address("seating"), address("session_seating", 1), address("seating_list", 1)):
        words = set(re.findall(r"[A-Za-z]{3,}", text(desk.get(url))))
        assert words <= {"CHAN", "Tai", "Man", "PDF", "organiser", "The", "Annex", "Enter", "Esc", "Ctrl"}, url


def test_lists_and_room_ask_as_little_for_many_as_for_few(
    desk: Client, event: Event, organiser: User, django_assert_num_queries: Any
) -> None:
    one, two, three = event.stages.get().sessions.all()[:3]
    enter(one, 4)
    seating.draw_session(one, seed=1, by=organiser)
    few = queries_of(desk, address("seating")), queries_of(desk, address("session_seating", 1))
    enter(two, 100, first=101)
    enter(three, 40, first=301)
    seating.draw_all(event.stages.get(), seed=1, by=organiser)

    many = queries_of(desk, address("seating")), queries_of(desk, address("session_seating", 2))

    assert many == few


@pytest.mark.parametrize("role", [Role.CLERK, Role.CHIEF_JUDGE, Role.AUDITOR])
def test_others_read_the_seats_and_change_nothing(
    event: Event, first_session: Session, organiser: User, signed_in: Any, role: Role
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    client = signed_in(account(event, role, f"a_{role}"))

    room = client.get(address("session_seating", 1))
    acts = [
        client.post(address("draw_all_seats")).status_code,
        client.post(address("confirm_all_seats")).status_code,
        client.post(address("draw_session_seats", 1), {"revision": 1, "again": "on"}).status_code,
        client.post(address("swap_seats", 1), {"revision": 1, "first": 1, "second": 2}).status_code,
        client.post(address("confirm_session_seats", 1), {"revision": 1}).status_code,
    ]

    assert room.status_code == 200
    assert b"<form" not in room.content.split(b"<main")[1]
    assert acts == [403] * 5
    assert Draw.objects.get().revision == 1


def test_a_referee_and_a_stranger_have_no_business_there(
    event: Event, first_session: Session, referee: User, signed_in: Any
) -> None:
    stranger = User.objects.create_user("stranger")
    url = address("session_seating", 1)

    assert signed_in(referee).get(url).status_code == 403
    assert signed_in(stranger).get(url).status_code == 404
    assert Client().get(url).status_code == 302
    assert signed_in(account(event, Role.ORGANISER, "o")).get(address("session_seating", 99)).status_code == 404
