"""The draw, the swap and the confirmation, through the real services."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.conftest import account
from tests.seated import enter, seats
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, Role, SessionState
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.seating.services import moves, seating
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw, Seat, Table


def refused(act: object, *args: object, **kwargs: object) -> str:
    with pytest.raises(Refused) as caught:
        act(*args, **kwargs)  # type: ignore[operator]
    assert str(caught.value)
    return caught.value.code


def acts(event: Event) -> list[tuple[str, str, int | None, int | None]]:
    rows = AuditEntry.objects.filter(event=event, action__endswith="_seats").order_by("seq")
    return [(row.action, row.subject, row.revision_before, row.revision_after) for row in rows]


def table_of(session: Session, number: int) -> int:
    return Seat.objects.get(session=session, entrant__number=number).table.number


def test_a_draw_seats_everyone_once_with_as_many_fours_as_possible(first_session: Session, organiser: User) -> None:
    enter(first_session, 98)

    draw = seating.draw_session(first_session, seed=7, by=organiser)

    sizes = Counter(table.seats.count() for table in first_session.tables.all())
    assert (draw.seed, draw.revision, draw.could_not) == (7, 1, [])
    assert sizes == {4: 23, 3: 2}
    assert sorted(seats(first_session).values()) == list(range(1, 99))


def test_the_same_seed_and_entrants_give_the_same_seats(first_session: Session, organiser: User) -> None:
    enter(first_session, 20)
    seating.draw_session(first_session, seed=7, by=organiser)
    before = seats(first_session)

    seating.draw_session(first_session, seed=8, by=organiser)
    other = seats(first_session)
    seating.draw_session(first_session, seed=7, by=organiser)

    assert other != before
    assert seats(first_session) == before


def test_a_draw_leaves_out_who_no_longer_takes_part(first_session: Session, organiser: User) -> None:
    enter(first_session, 5)
    Entrant.objects.filter(number=3).update(status=EntrantStatus.WITHDRAWN)

    seating.draw_session(first_session, seed=1, by=organiser)

    assert sorted(seats(first_session).values()) == [1, 2, 4, 5]


def test_what_a_draw_cannot_keep_is_stored_with_entrants_and_table(first_session: Session, organiser: User) -> None:
    enter(first_session, 4, families={1: "F1", 2: "F1"}, schools={3: "聖保羅書院", 4: "聖保羅 書院"})

    draw = seating.draw_session(first_session, seed=1, by=organiser)

    assert draw.could_not == [
        {"kind": "family", "ids": [1, 2], "table": 1},
        {"kind": "school", "ids": [3, 4], "table": 1},
    ]


@pytest.mark.parametrize(
    ("count", "code"), [(0, "nobody_to_seat"), (1, "cannot_seat"), (2, "cannot_seat"), (5, "cannot_seat")]
)
def test_a_number_that_no_tables_hold_is_refused(
    first_session: Session, organiser: User, count: int, code: str
) -> None:
    enter(first_session, count)

    assert refused(seating.draw_session, first_session, seed=1, by=organiser) == code
    assert Draw.objects.count() == 0


def test_more_tables_than_the_hall_has_are_refused(first_session: Session, organiser: User) -> None:
    Session.objects.filter(pk=first_session.pk).update(table_count=2)
    enter(first_session, 9)

    assert refused(seating.draw_session, first_session, seed=1, by=organiser) == "too_many_tables"


def test_referees_get_their_tables_two_by_two_and_the_rest_stay_without(
    event: Event, first_session: Session, organiser: User
) -> None:
    first = account(event, Role.REFEREE, "referee_a")
    second = account(event, Role.REFEREE, "referee_b")
    enter(first_session, 20)

    seating.draw_session(first_session, seed=1, by=organiser)

    watching = list(Table.objects.order_by("number").values_list("referee", flat=True))
    assert watching == [first.pk, first.pk, second.pk, second.pk, None]


def test_given_referees_stand_in_their_own_order(event: Event, first_session: Session, organiser: User) -> None:
    first = account(event, Role.REFEREE, "referee_a")
    second = account(event, Role.REFEREE, "referee_b")
    enter(first_session, 12)

    seating.draw_session(first_session, seed=1, by=organiser, referees=[second, first])

    watching = list(Table.objects.order_by("number").values_list("referee", flat=True))
    assert watching == [second.pk, second.pk, first.pk]


def test_a_draw_without_a_seed_makes_its_own_and_keeps_it(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    draw = seating.draw_session(first_session, by=organiser)
    before = seats(first_session)

    seating.draw_session(first_session, seed=draw.seed, by=organiser)

    assert seats(first_session) == before


def test_of_two_organisers_at_once_the_second_is_told_who_changed_it(
    first_session: Session, organiser: User, event: Event
) -> None:
    other = account(event, Role.ORGANISER, "other")
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser, revision=0)
    before = seats(first_session)

    with pytest.raises(StaleVersion) as caught:
        seating.draw_session(first_session, seed=2, by=other, revision=0)

    assert caught.value.code == "seating_changed"
    assert caught.value.facts["who"] == "organiser"
    assert caught.value.current.seed == 1
    assert seats(first_session) == before


def test_a_draw_sent_twice_with_one_key_is_done_once(first_session: Session, organiser: User, event: Event) -> None:
    enter(first_session, 8)
    first = seating.draw_session(first_session, by=organiser, revision=0, request_key="k1")
    again = seating.draw_session(first_session, by=organiser, revision=0, request_key="k1")

    assert (again.seed, again.revision) == (first.seed, 1)
    assert acts(event) == [("draw_seats", "session 0328-1", None, 1)]


def test_a_confirmed_draw_is_not_drawn_again(first_session: Session, organiser: User, event: Event) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)

    assert refused(seating.draw_session, first_session, seed=2, by=organiser) == "seats_confirmed"
    first_session.refresh_from_db()
    assert first_session.state == SessionState.PLANNED
    assert acts(event) == [
        ("draw_seats", "session 0328-1", None, 1),
        ("confirm_seats", "session 0328-1", 1, 1),
    ]


def test_confirming_twice_changes_nothing(first_session: Session, organiser: User, event: Event) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    first = seating.confirm_session_draw(first_session, revision=1, by=organiser)
    again = seating.confirm_session_draw(first_session, revision=1, by=organiser)

    assert again.confirmed_at == first.confirmed_at
    assert len(acts(event)) == 2


def test_a_session_that_is_being_played_is_not_drawn(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    Session.objects.filter(pk=first_session.pk).update(state=SessionState.PLAYING)

    assert refused(seating.draw_session, first_session, seed=1, by=organiser) == "play_has_begun"


def test_confirming_waits_for_entrants_who_joined_or_left_since_the_draw(
    first_session: Session, organiser: User
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    enter(first_session, 1, first=9)
    joined = refused(seating.confirm_session_draw, first_session, revision=1, by=organiser)
    Entrant.objects.filter(number__in=[3, 9]).update(status=EntrantStatus.WITHDRAWN)
    left = refused(seating.confirm_session_draw, first_session, revision=1, by=organiser)

    assert (joined, left) == ("not_all_seated", "seated_not_taking_part")


def test_a_session_without_a_draw_cannot_be_confirmed(first_session: Session, organiser: User) -> None:
    assert refused(seating.confirm_session_draw, first_session, revision=0, by=organiser) == "not_drawn"


def test_two_entrants_change_seats_between_tables_and_back(
    first_session: Session, organiser: User, event: Event
) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    before = seats(first_session)
    one, two = before["1A"], before["2C"]

    done = seating.exchange_two_seats(first_session, revision=1, first=one, second=two, by=organiser)

    assert (done.broke, done.mended) == ([], [])
    assert seats(first_session) == {**before, "1A": two, "2C": one}
    seating.exchange_two_seats(first_session, revision=2, first=one, second=two, by=organiser)
    assert seats(first_session) == before
    assert acts(event)[1:] == [("swap_seats", "session 0328-1", 1, 2), ("swap_seats", "session 0328-1", 2, 3)]


def test_what_a_swap_breaks_and_mends_is_said_before_and_after(first_session: Session, organiser: User) -> None:
    enter(first_session, 8, families={1: "F1", 2: "F1"})
    seating.draw_session(first_session, seed=1, by=organiser)
    home = table_of(first_session, 1)
    beside = next(n for n in seats(first_session).values() if n != 1 and table_of(first_session, n) == home)
    broken = {"kind": "family", "ids": [1, 2], "table": home}

    foreseen = seating.preview_seat_exchange(first_session, 2, beside)
    done = seating.exchange_two_seats(first_session, revision=1, first=2, second=beside, by=organiser)
    back = seating.exchange_two_seats(first_session, revision=2, first=2, second=beside, by=organiser)

    assert foreseen == done == moves.SeparationChange(broke=[broken], mended=[])
    assert back == moves.SeparationChange(broke=[], mended=[broken])
    assert Draw.objects.get(session=first_session).could_not == []


def test_a_swap_after_the_confirmation_leaves_it_confirmed(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    before = seats(first_session)

    seating.exchange_two_seats(first_session, revision=1, first=before["1A"], second=before["2A"], by=organiser)

    draw = Draw.objects.get(session=first_session)
    assert draw.confirmed_at is not None
    assert draw.revision == 2


def test_a_table_whose_sheet_is_being_typed_keeps_its_seats(first_session: Session, organiser: User) -> None:
    enter(first_session, 12)
    seating.draw_session(first_session, seed=1, by=organiser)
    before = seats(first_session)
    Scoresheet.objects.create(table=first_session.tables.get(number=1))
    swap = {"revision": 1, "by": organiser}

    touching = refused(seating.exchange_two_seats, first_session, first=before["1A"], second=before["2A"], **swap)
    foreseen = refused(seating.preview_seat_exchange, first_session, before["1A"], before["2A"])
    redraw = refused(seating.draw_session, first_session, seed=2, by=organiser)
    seating.exchange_two_seats(first_session, first=before["2A"], second=before["3A"], **swap)

    assert (touching, foreseen, redraw) == ("sheet_typed", "sheet_typed", "sheet_typed")
    assert seats(first_session) == {**before, "2A": before["3A"], "3A": before["2A"]}


def test_a_swap_names_who_has_no_seat(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)

    with pytest.raises(BadInput) as caught:
        seating.exchange_two_seats(first_session, revision=1, first=1, second=99, by=organiser)

    assert (caught.value.code, dict(caught.value.facts)) == ("not_seated", {"number": "0099"})
    assert (
        refused(seating.exchange_two_seats, first_session, revision=1, first=1, second=1, by=organiser)
        == "swap_with_oneself"
    )


def test_a_swap_on_seats_that_have_changed_is_refused(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.draw_session(first_session, seed=2, by=organiser)

    assert (
        refused(seating.exchange_two_seats, first_session, revision=1, first=1, second=2, by=organiser)
        == "seating_changed"
    )


def test_a_swap_sent_twice_with_one_key_is_done_once(first_session: Session, organiser: User) -> None:
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    given = {"revision": 1, "first": 1, "second": 2, "by": organiser, "request_key": "k"}
    first = seating.exchange_two_seats(first_session, **given)
    once = seats(first_session)

    assert seating.exchange_two_seats(first_session, **given) == first
    assert seats(first_session) == once


def test_all_sessions_are_drawn_from_one_seed_and_again_the_same(event: Event, organiser: User) -> None:
    stage = event.stages.get()
    sessions = list(stage.sessions.all())
    enter(sessions[0], 8)
    enter(sessions[1], 5, first=101)
    enter(sessions[2], 8, first=201)

    first = seating.draw_all(stage, seed=5, by=organiser)
    before = [seats(session) for session in sessions]
    again = seating.draw_all(stage, seed=5, by=organiser, redraw=True)

    assert [session.number for session in first.done] == [1, 3]
    assert [(session.number, refusal.code) for session, refusal in first.left][:3] == [
        (2, "cannot_seat"),
        (4, "nobody_to_seat"),
        (5, "nobody_to_seat"),
    ]
    assert [session.number for session in again.done] == [1, 3]
    assert [seats(session) for session in sessions] == before
    assert Draw.objects.get(session=sessions[0]).seed != Draw.objects.get(session=sessions[2]).seed


def test_drawing_all_leaves_what_is_drawn_and_what_is_confirmed(event: Event, organiser: User) -> None:
    stage = event.stages.get()
    one, two = stage.sessions.all()[:2]
    enter(one, 8)
    enter(two, 8, first=101)
    seating.draw_session(one, seed=1, by=organiser)
    seating.confirm_session_draw(one, revision=1, by=organiser)
    seating.draw_session(two, seed=1, by=organiser)

    kept = seating.draw_all(stage, seed=5, by=organiser)
    redrawn = seating.draw_all(stage, seed=5, by=organiser, redraw=True)

    assert [session.number for session in kept.done] == []
    assert [session.number for session in redrawn.done] == [2]


def test_confirming_all_says_what_is_missing_where(event: Event, organiser: User) -> None:
    stage = event.stages.get()
    one, two = stage.sessions.all()[:2]
    enter(one, 8)
    enter(two, 8, first=101)
    seating.draw_session(one, seed=1, by=organiser)

    result = seating.confirm_stage_draws(stage, by=organiser)

    assert [session.number for session in result.done] == [1]
    assert (result.left[0][0].number, result.left[0][1].code) == (2, "not_drawn")
    assert Draw.objects.get(session=one).confirmed_by == organiser


def test_a_draw_asks_the_same_number_of_queries_for_any_number_of_tables(
    event: Event, organiser: User, django_assert_num_queries: object
) -> None:
    small, large = event.stages.get().sessions.all()[:2]
    enter(small, 4)
    enter(large, 100, first=101)
    services.append_audit_entry(event, organiser, "seed_event", f"event {event.slug}")

    with django_assert_num_queries(24):  # type: ignore[operator]
        seating.draw_session(small, seed=1, by=organiser)
    with django_assert_num_queries(24):  # type: ignore[operator]
        seating.draw_session(large, seed=1, by=organiser)


@pytest.mark.django_db(transaction=True)
def test_of_two_draws_at_the_same_moment_exactly_one_stands(first_session: Session, organiser: User) -> None:
    enter(first_session, 40)
    start = Barrier(2)

    def draw(seed: int) -> str:
        start.wait()
        try:
            seating.draw_session(first_session, seed=seed, by=organiser, revision=0)
        except StaleVersion as refusal:
            return refusal.code
        finally:
            connection.close()
        return f"seed {seed}"

    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(draw, [1, 2]))

    stands = Draw.objects.get(session=first_session)
    assert sorted(answers) == ["seating_changed", f"seed {stands.seed}"]
    assert (stands.revision, len(seats(first_session))) == (1, 40)
