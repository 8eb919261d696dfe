"""Acts in a room that stands: moved, seated late, a table opened, dissolved, undone; refused in words, done once."""

import pytest
from django.contrib.auth.models import User

from tests.conftest import account
from tests.core.finals import invented
from tests.seated import enter, seats
from tests.sheets.sheets import lock_sheets
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.seating.services import moves, plans, room, seating
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw, Table


def refused(act: object, *args: object, **kwargs: object) -> str:
    with pytest.raises(Refused) as caught:
        act(*args, **kwargs)  # type: ignore[operator]
    assert str(caught.value)
    return caught.value.code


def drawn(session: Session, by: User, count: int, **people: object) -> dict[str, int]:
    """So many entrants seated; who sits where."""
    enter(session, count, **people)  # type: ignore[arg-type]
    seating.draw_session(session, seed=1, by=by)
    return seats(session)


def sizes(session: Session) -> dict[int, int]:
    held = seats(session)
    return {table.number: sum(place[:-1] == str(table.number) for place in held) for table in session.tables.all()}


def test_an_entrant_goes_to_an_empty_seat_and_back(first_session: Session, organiser: User, event: Event) -> None:
    before = drawn(first_session, organiser, 11)
    mover = before["1B"]

    change = room.move_seat_to(first_session, revision=1, entrant=mover, place=(3, "D"), by=organiser)

    after = {**before, "3D": mover}
    del after["1B"]
    assert seats(first_session) == after
    assert (change.broke, change.mended) == ([], [])
    room.undo_last_seat_move(first_session, revision=2, by=organiser)
    assert seats(first_session) == before
    entries = AuditEntry.objects.filter(event=event, subject="session 0328-1").order_by("seq")
    assert [(one.action, one.revision_before, one.revision_after, one.reason) for one in entries][1:] == [
        ("move_seat", 1, 2, f"{mover:04d} 1B > 3D"),
        ("undo_move", 2, 3, f"{mover:04d} 3D > 1B"),
    ]


def test_an_undone_move_can_be_done_again_and_a_later_change_ends_it(first_session: Session, organiser: User) -> None:
    before = drawn(first_session, organiser, 8)
    room.move_seat_to(first_session, revision=1, entrant=before["1A"], place=(2, "A"), by=organiser)
    once = seats(first_session)
    room.undo_last_seat_move(first_session, revision=2, by=organiser)
    room.undo_last_seat_move(first_session, revision=3, by=organiser)
    assert seats(first_session) == once
    seating.draw_session(first_session, seed=2, by=organiser)
    assert refused(room.undo_last_seat_move, first_session, revision=5, by=organiser) == "nothing_to_undo"


def test_a_move_that_leaves_two_at_a_table_is_refused_and_names_the_way_out(
    first_session: Session, organiser: User
) -> None:
    held = drawn(first_session, organiser, 10)

    code = refused(room.move_seat_to, first_session, revision=1, entrant=held["2A"], place=(3, "D"), by=organiser)

    assert code == "table_too_small"
    assert seats(first_session) == held
    room.move_seat_to(first_session, revision=1, entrant=held["2A"], place=(2, "D"), by=organiser)
    assert sizes(first_session) == {1: 4, 2: 3, 3: 3}


def test_a_late_entrant_takes_the_seat_that_breaks_least_and_nobody_else_moves(
    first_session: Session, organiser: User
) -> None:
    before = drawn(first_session, organiser, 10, schools={2: "聖保羅書院"})
    enter(first_session, 1, first=11, schools={11: "聖保羅 書院"})
    foreseen = moves.preview_plan(first_session, plans.to_best_seat(11))
    place = foreseen.move.places[11]
    assert place is not None

    room.move_seat_to(first_session, revision=1, entrant=11, place=place, by=organiser)

    after = seats(first_session)
    assert {key: number for key, number in after.items() if number != 11} == before
    home = next(key[0] for key, number in after.items() if number == 2)
    assert place[0] != int(home)
    assert sizes(first_session) in ({1: 4, 2: 4, 3: 3}, {1: 4, 2: 3, 3: 4})


def test_with_every_table_full_a_late_entrant_gets_a_new_table_with_two_others(
    event: Event, first_session: Session, organiser: User
) -> None:
    watcher = account(event, Role.REFEREE, "watcher")
    drawn(first_session, organiser, 12)
    enter(first_session, 1, first=13)

    assert refused(moves.preview_plan, first_session, plans.to_best_seat(13)) == "no_free_seat"
    foreseen = moves.preview_plan(first_session, plans.table_for(13))
    room.open_extra_table(first_session, revision=1, entrants=list(foreseen.move.places), by=organiser)

    assert sizes(first_session) == {1: 4, 2: 3, 3: 3, 4: 3}
    assert sorted(seats(first_session).values()) == list(range(1, 14))
    assert Table.objects.get(session=first_session, number=4).referee_id == Table.objects.get(number=3).referee_id
    assert Table.objects.get(session=first_session, number=1).referee_id == watcher.pk
    room.undo_last_seat_move(first_session, revision=2, by=organiser)
    assert sizes(first_session) == {1: 4, 2: 4, 3: 4}


def test_no_table_is_opened_in_a_session_that_is_stamped_to_its_last_sheet(
    first_session: Session, organiser: User
) -> None:
    drawn(first_session, organiser, 4)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    lock_sheets(first_session.tables.all(), invented(first_session.tables.all(), seed=1), organiser)
    enter(first_session, 3, first=5)
    open_table = {"revision": 1, "entrants": [5, 6, 7], "by": organiser}
    assert refused(room.open_extra_table, first_session, **open_table) == "play_has_begun"
    assert sizes(first_session) == {1: 4}


def test_no_more_tables_than_the_hall_has_are_opened(first_session: Session, organiser: User) -> None:
    drawn(first_session, organiser, 8)
    enter(first_session, 1, first=9)
    Session.objects.filter(pk=first_session.pk).update(table_count=2)
    first_session.refresh_from_db()

    assert refused(moves.preview_plan, first_session, plans.table_for(9)) == "no_table_left"


def test_a_dissolved_table_gives_its_entrants_the_empty_seats_and_comes_back_whole(
    event: Event, first_session: Session, organiser: User
) -> None:
    account(event, Role.REFEREE, "watcher")
    before = drawn(first_session, organiser, 9)
    assert sizes(first_session) == {1: 3, 2: 3, 3: 3}
    enter(first_session, 0)
    assert refused(room.dissolve_seated_table, first_session, revision=1, table=2, by=organiser) == "no_room_elsewhere"

    Entrant.objects.filter(number=before["2C"]).update(status=EntrantStatus.WITHDRAWN)
    room.dissolve_seated_table(first_session, revision=1, table=2, by=organiser)

    after = seats(first_session)
    assert sizes(first_session) == {1: 4, 3: 4}
    assert sorted(after.values()) == sorted(set(before.values()) - {before["2C"]})
    assert {key: after[key] for key in before if key[0] != "2"} == {
        key: number for key, number in before.items() if key[0] != "2"
    }
    room.undo_last_seat_move(first_session, revision=2, by=organiser)
    assert seats(first_session) == before


def test_a_dissolved_table_breaks_as_little_as_can_be(first_session: Session, organiser: User) -> None:
    enter(first_session, 12, families={1: "F1", 2: "F1"})
    seating.draw_session(first_session, seed=1, by=organiser)
    home = {number: int(place[:-1]) for place, number in seats(first_session).items()}
    # One of the family sits at the table that goes; beside the other one there is an empty seat, and one elsewhere.
    gone = [n for n in home if home[n] != home[1] and n != 2][:1]
    keep = next(n for n in home if home[n] == home[2] and n != 2)
    beside = next(n for n in home if home[n] == home[1] and n != 1)
    third = ({1, 2, 3} - {home[1], home[2]}).pop()
    elsewhere = [n for n in home if home[n] == third]
    Entrant.objects.filter(number__in=[beside, *elsewhere[:3], keep, *gone]).update(status=EntrantStatus.WITHDRAWN)

    change = room.dissolve_seated_table(first_session, revision=1, table=home[2], by=organiser)

    assert [one for one in change.broke if one["kind"] == "family"] == []


def test_the_seat_of_one_who_no_longer_plays_is_freed_or_taken(first_session: Session, organiser: User) -> None:
    before = drawn(first_session, organiser, 8)
    gone = before["1A"]
    assert refused(room.free_entrant_seat, first_session, revision=1, entrant=gone, by=organiser) == "still_taking_part"
    Entrant.objects.filter(number=gone).update(status=EntrantStatus.WITHDRAWN)
    enter(first_session, 1, first=9)

    room.move_seat_to(first_session, revision=1, entrant=9, place=(1, "A"), by=organiser)
    assert seats(first_session) == {**before, "1A": 9}
    room.undo_last_seat_move(first_session, revision=2, by=organiser)
    room.free_entrant_seat(first_session, revision=3, entrant=gone, by=organiser)
    left = dict(before)
    del left["1A"]
    assert seats(first_session) == left
    assert refused(seating.confirm_session_draw, first_session, revision=4, by=organiser) == "not_all_seated"


def test_tables_whose_sheet_is_begun_are_left_alone_by_every_act(first_session: Session, organiser: User) -> None:
    before = drawn(first_session, organiser, 11)
    enter(first_session, 1, first=12)
    Scoresheet.objects.create(table=first_session.tables.get(number=3))
    given = {"revision": 1, "by": organiser}

    codes = [
        refused(room.move_seat_to, first_session, entrant=before["1A"], place=(3, "D"), **given),
        refused(room.move_seat_to, first_session, entrant=12, place=(3, "D"), **given),
        refused(room.dissolve_seated_table, first_session, table=3, **given),
        refused(room.assign_table_referee, first_session, table=3, referee=None, **given),
    ]

    assert codes == ["sheet_typed", "sheet_typed", "no_room_elsewhere", "sheet_typed"]
    assert seats(first_session) == before


@pytest.mark.parametrize(
    ("entrant", "place", "code"),
    [
        (1, (9, "A"), "no_such_seat"),
        (1, (1, "E"), "no_such_seat"),
        (99, (1, "A"), "not_waiting_for_a_seat"),
        (9, (1, "A"), "seat_taken"),
    ],
)
def test_a_move_that_cannot_be_is_refused(
    first_session: Session, organiser: User, entrant: int, place: tuple[int, str], code: str
) -> None:
    before = drawn(first_session, organiser, 8)
    enter(first_session, 1, first=9)

    assert refused(room.move_seat_to, first_session, revision=1, entrant=entrant, place=place, by=organiser) == code
    assert seats(first_session) == before


def test_an_act_sent_twice_with_one_key_is_done_once(first_session: Session, organiser: User) -> None:
    before = drawn(first_session, organiser, 11)
    given = {"revision": 1, "entrant": before["1A"], "place": (3, "D"), "by": organiser, "request_key": "k"}
    room.move_seat_to(first_session, **given)  # type: ignore[arg-type]
    once = seats(first_session)
    room.move_seat_to(first_session, **given)  # type: ignore[arg-type]

    assert seats(first_session) == once
    assert Draw.objects.get().revision == 2
    assert refused(room.move_seat_to, first_session, **{**given, "request_key": "other"}) == "seating_changed"


def test_what_each_seat_would_mean_is_answered_at_once(first_session: Session, organiser: User) -> None:
    enter(first_session, 7, families={1: "F1", 2: "F1"})
    seating.draw_session(first_session, seed=1, by=organiser)
    held = seats(first_session)
    own = next(place for place, number in held.items() if number == 1)
    other = next(place for place, number in held.items() if number == 2)

    answers = room.foresee_all(first_session, 1)

    assert len(answers) == 7
    beside = [place for place in answers if place[0] == int(other[0]) and f"{place[0]}{place[1]}" != other]
    breaking = {
        place
        for place, answer in answers.items()
        if not isinstance(answer, str) and any(one["kind"] == "family" for one in answer.change.broke)
    }
    assert breaking == set(beside)
    assert seats(first_session) == held
    assert own not in {f"{table}{letter}" for table, letter in answers}


def test_a_referee_is_given_a_table_and_the_room_knows_it_changed(
    event: Event, first_session: Session, organiser: User, clerk: User
) -> None:
    ada, bob = account(event, Role.REFEREE, "ada"), account(event, Role.REFEREE, "bob")
    drawn(first_session, organiser, 12)

    room.assign_table_referee(first_session, revision=1, table=1, referee=bob, by=organiser)
    room.assign_table_referee(first_session, revision=2, table=1, referee=bob, by=organiser)

    assert list(first_session.tables.values_list("referee__username", flat=True)) == ["bob", "ada", "bob"]
    assert Draw.objects.get().revision == 2
    given = {"revision": 2, "table": 1, "by": organiser}
    assert refused(room.assign_table_referee, first_session, referee=clerk, **given) == "not_a_referee"
    assert refused(room.assign_table_referee, first_session, referee=ada, **{**given, "table": 9}) == "no_such_table"
    entry = AuditEntry.objects.get(action="assign_referee")
    assert (entry.subject, entry.reason) == ("session 0328-1", "table 1: bob")
