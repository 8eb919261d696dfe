"""The rounds of a final: each drawn from who sat with whom before, its moves judged by the same rules (R38, R40)."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.redraw import count_meetings, draw_next_round
from tests.core.finals import add_final, freeze, play_round, preliminary_played
from tests.seated import seats
from tournament.core.enums import EntrantStatus
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.seating.services import moves, plans, seating
from tournament.seating.services import room as seating_room
from tournament.sheets.services import registration
from tournament.tables import domain as bridge
from tournament.tables.models import Draw
from tournament.tables.queries import seating as queries

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """Three rounds of sixteen at four tables, where nobody need meet again; the list is fixed."""
    preliminary = preliminary_played(first_session, organiser, players=16)
    final = add_final(preliminary.event, rounds=3, tables=4)
    freeze(final, organiser)
    return final


def rounds_of(final: Stage) -> list[Session]:
    return list(final.sessions.select_related("stage__event").order_by("number"))


def arrangement(session: Session) -> tuple[Any, ...]:
    held = seats(session)
    return bridge.tables_from_places({number: (int(place[:-1]), place[-1]) for place, number in held.items()})


def seat_all(final: Stage, by: User, rounds: int = 3) -> list[Session]:
    sessions = rounds_of(final)
    for session in sessions[:rounds]:
        draw = seating.draw_session(session, seed=7, by=by)
        seating.confirm_session_draw(session, revision=draw.revision, by=by)
    return sessions


def refusal(act: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*given, **named)
    return refused.value.code


def test_in_three_rounds_of_sixteen_nobody_meets_twice_and_nobody_has_a_letter_twice(
    final: Stage, organiser: User
) -> None:
    sessions = seat_all(final, organiser)
    played = [arrangement(session) for session in sessions]
    assert count_meetings(played) == {1: 72}
    letters = [(id, letter) for tables in played for table in tables for letter, id in table.seats.items()]
    assert len(set(letters)) == 48
    assert [Draw.objects.get(session=session).could_not for session in sessions] == [[], [], []]


def test_a_round_is_the_rules_draw_of_the_rounds_before_and_its_seed(final: Stage, organiser: User) -> None:
    sessions = seat_all(final, organiser)
    sitters = [bridge.sitter_of_entrant(entrant) for entrant in queries.entrants_of_seating_session(sessions[2])]
    earlier = [arrangement(sessions[0]), arrangement(sessions[1])]
    assert draw_next_round(sitters, earlier, 7, 3).tables == arrangement(sessions[2])


def test_what_a_round_could_not_keep_is_stored_with_its_rounds(first_session: Session, organiser: User) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event, rounds=2)
    freeze(final, organiser)
    # Of twelve at three tables two of each table have met before, whatever is drawn.
    sessions = seat_all(final, organiser, 2)
    could_not = Draw.objects.get(session=sessions[1]).could_not
    assert [(one["kind"], one["table"], one["rounds"]) for one in could_not] == [
        ("meeting", 1, [1]),
        ("meeting", 2, [1]),
        ("meeting", 3, [1]),
    ]
    rows = queries.stage_seats(final)
    assert [(row.round, row.state, len(row.meetings)) for row in rows] == [(1, "confirmed", 0), (2, "confirmed", 3)]


def test_a_round_waits_for_the_one_before_and_the_first_for_the_list(final: Stage, organiser: User) -> None:
    one, two, three = rounds_of(final)
    assert refusal(seating.draw_session, two, by=organiser) == "earlier_round_open"
    seating.draw_session(one, by=organiser)
    assert refusal(seating.draw_session, two, by=organiser) == "earlier_round_open"
    seating.confirm_session_draw(one, revision=1, by=organiser)
    seating.draw_session(two, by=organiser)
    assert refusal(seating.draw_session, three, by=organiser) == "earlier_round_open"
    Stage.objects.filter(pk=final.pk).update(frozen_at=None)
    assert refusal(seating.draw_session, rounds_of(final)[1], by=organiser) == "finalists_not_fixed"
    assert refusal(seating.confirm_session_draw, two, revision=1, by=organiser) == "finalists_not_fixed"


def test_drawing_all_draws_the_rounds_that_can_be_and_names_why_the_others_wait(final: Stage, organiser: User) -> None:
    done = seating.draw_all(final, seed=3, by=organiser)
    assert ([one.number for one in done.done], [refused.code for _session, refused in done.left]) == (
        [13],
        ["earlier_round_open", "earlier_round_open"],
    )
    confirmed = seating.confirm_stage_draws(final, by=organiser)
    assert [one.number for one in confirmed.done] == [13]


def test_a_swap_tells_who_meets_again_and_who_sits_too_often_at_a_letter(final: Stage, organiser: User) -> None:
    sessions = seat_all(final, organiser, 2)
    first, second = seats(sessions[0]), seats(sessions[1])
    # Into the table of one whom they have met, at the letter that they had.
    mover = first["1A"]
    at = {number: place for place, number in second.items()}
    partner = next(first[place] for place in ("1B", "1C", "1D") if at[first[place]][-1] != "A")
    table = at[partner][:-1]
    other = second[f"{table}A"]
    change = seating.preview_seat_exchange(sessions[1], mover, other)
    broke = [(one["kind"], one["ids"], one.get("letter")) for one in change.broke]
    assert ("letter", [mover], "A") in broke
    assert ("meeting", sorted([mover, partner]), None) in broke
    seating.exchange_two_seats(sessions[1], revision=1, first=mover, second=other, by=organiser)
    assert all(one in Draw.objects.get(session=sessions[1]).could_not for one in change.broke)
    undone = seating_room.undo_last_seat_move(sessions[1], revision=2, by=organiser)
    assert undone.mended == change.broke


def test_a_swap_in_an_earlier_round_is_told_in_the_draws_of_later_ones(final: Stage, organiser: User) -> None:
    sessions = seat_all(final, organiser, 2)
    first, second = seats(sessions[0]), seats(sessions[1])
    at = {number: place[:-1] for place, number in second.items()}
    other = next(first[f"2{letter}"] for letter in "BCD" if at[first[f"2{letter}"]] != at[first["1A"]])
    seating.exchange_two_seats(sessions[0], revision=1, first=first["1A"], second=other, by=organiser)
    draw = Draw.objects.get(session=sessions[1])
    basis = bridge.draw_basis_of(
        queries.entrants_of_seating_session(sessions[1]), [queries.seats_of_session(sessions[0])], 3
    )
    assert draw.could_not == bridge.review_tables(basis, arrangement(sessions[1]))
    assert {one["kind"] for one in draw.could_not} >= {"meeting"}


def test_who_withdraws_before_a_round_leaves_their_seat_and_the_next_round(final: Stage, organiser: User) -> None:
    sessions = seat_all(final, organiser, 2)
    play_round(sessions[0], organiser)
    gone = seats(sessions[1])["2C"]
    registration.record_absence(
        Entrant.objects.get(number=gone), status=EntrantStatus.WITHDRAWN, reason="Ill.", by=organiser
    )
    room = moves.read_seating_room(sessions[1])
    assert (len(room.players(2)), room.plays(gone)) == (3, False)
    seating_room.free_entrant_seat(sessions[1], revision=1, entrant=gone, by=organiser)
    third = seating.draw_session(sessions[2], seed=1, by=organiser)
    seating.confirm_session_draw(sessions[2], revision=third.revision, by=organiser)
    assert (len(seats(sessions[2])), gone in seats(sessions[2]).values()) == (15, False)


def test_a_table_is_dissolved_to_seats_where_as_few_as_possible_meet_again(
    first_session: Session, organiser: User
) -> None:
    preliminary = preliminary_played(first_session, organiser, players=16)
    final = add_final(preliminary.event, rounds=2, tables=5)
    freeze(final, organiser, range(1, 16))
    sessions = seat_all(final, organiser, 2)
    # Fifteen sit at three tables of four and one of three. Two who leave make one of two, with places elsewhere.
    held = seats(sessions[1])
    for place in ("1A", "2A", "4A"):
        registration.record_absence(
            Entrant.objects.get(number=held[place]), status=EntrantStatus.WITHDRAWN, reason="Ill.", by=organiser
        )
    foreseen = moves.preview_plan(sessions[1], plans.without_table(4))
    change = seating_room.dissolve_seated_table(sessions[1], revision=1, table=4, by=organiser)
    assert change == foreseen.change
    room = moves.read_seating_room(sessions[1])
    assert sorted(len(room.players(table)) for table in room.tables) == [4, 4, 4]


def test_a_final_of_one_session_is_drawn_as_the_preliminary_is(first_session: Session, organiser: User) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event)
    freeze(final, organiser, range(1, 12))
    session = rounds_of(final)[0]
    seating.draw_session(session, seed=5, by=organiser)
    expected = bridge.plan_tables(bridge.draw_basis_of(queries.entrants_of_seating_session(session)), 5)
    assert arrangement(session) == tuple(sorted(expected, key=lambda table: table.number))
    assert Draw.objects.get(session=session).could_not == []


def test_a_no_show_at_the_final_is_a_forfeit_there_and_changes_no_preliminary_sheet(
    final: Stage, first_session: Session, organiser: User
) -> None:
    sessions = seat_all(final, organiser, 1)
    absent = Entrant.objects.get(number=3)
    registration.record_absence(absent, status=EntrantStatus.FORFEITED, reason="Not there by 10:30.", by=organiser)
    assert [one.number for one in queries.entrants_to_seat(sessions[0])] == [n for n in range(1, 17) if n != 3]
    assert [one.number for one in queries.entrants_to_seat(first_session)] == list(range(1, 17))


def test_who_has_played_a_round_does_not_fail_to_come_but_withdraws(final: Stage, organiser: User) -> None:
    sessions = seat_all(final, organiser, 1)
    play_round(sessions[0], organiser)
    entrant = Entrant.objects.get(number=3)
    given = {"reason": "Gone home.", "by": organiser}
    assert refusal(registration.record_absence, entrant, status=EntrantStatus.FORFEITED, **given) == "has_played"
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, **given)
    registration.readmit_entrant(entrant, reason="Came back.", by=organiser)
    assert Entrant.objects.get(number=3).status == EntrantStatus.OK
