"""A session that was broken off: its finished games stand, or it is void and played anew; either is taken back."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, freeze, invented, preliminary_played, seat_round
from tests.recorded import altered_rows
from tests.sheets.sheets import add_entrants, draw, lock_sheets
from tests.sheets.tables import settle
from tournament.accounts.models import Proposal
from tournament.accounts.services import accounts, proposals
from tournament.core.enums import EntrantStatus, Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.queries import round_of, rounds_before, rounds_in_order
from tournament.ranking.domain.standings import live_ranking
from tournament.ranking.queries.open_tables import open_tables
from tournament.setup.services.rehearsal import make_rehearsal
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.services import clock, moves, scoresheets
from tournament.tables.models import Seat, Table
from tournament.tables.queries.seating import earlier_seats, later_draws
from tournament.weather.domain.weather import live_day
from tournament.weather.services import postponing
from tournament.weather.services import postponing_replay as replays
from tournament.weather.services.postponing_replay import agree_replay, keep_session_results
from tournament.weather.services.postponing_times import set_times, times_on_day

NOW = datetime(2026, 3, 28, 6, 0, tzinfo=UTC)
WHY = "TC8 at 13:00"
SIGNED = (Scoresheet, Game, Line, Signature, Stamp, OfficialSheet, Seat, Table)


def press(session: Session, kind: str, by: User) -> None:
    clock.move_session(session, kind, by=by, request_key=f"{kind} {session.pk}")


def by_two(session: Session, made: Session | Proposal) -> Session:
    """What was done, agreed to by a second organiser where it waits for one."""
    if isinstance(made, Session):
        return made
    event = session.stage.event
    second = User.objects.filter(username="agrees").first()
    second = second or accounts.create_account(event, "agrees", "long enough for a test", "second", [Role.ORGANISER])
    done = agree_replay(event, made.pk, by=second)
    assert isinstance(done, Session)
    return done


def replay(session: Session, *, reason: str, by: User) -> Session:
    return by_two(session, replays.replay_session(session, reason=reason, by=by))


def undecide(session: Session, *, reason: str = "they may stand", by: User) -> Session:
    return by_two(session, replays.revert_session_decision(session, reason=reason, by=by))


@pytest.fixture
def broken(first_session: Session, organiser: User) -> Session:
    """The first session broken off: of three tables two have a locked sheet, one has none."""
    entrants = add_entrants(first_session, range(1, 13))
    tables = draw(first_session, [entrants[:4], entrants[4:8], entrants[8:]], organiser)
    press(first_session, "start", organiser)
    lock_sheets(tables[:2], invented(tables[:2], seed=5), organiser)
    press(first_session, "suspend", organiser)
    return first_session


def state(session: Session) -> str:
    return Session.objects.get(pk=session.pk).state


def rows_of(*models: Any) -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in models]


def refusal_of(act: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def ranked(session: Session) -> list[tuple[int, int, int]]:
    return [(one.rank, one.number, one.games) for one in live_ranking(session.stage).ranked]


def found() -> set[str]:
    return set(altered_rows())


# --- Nobody has pressed its clock (X47) -----------------------------------------------------------------
@pytest.fixture
def untimed(first_session: Session, organiser: User) -> Session:
    """Of three tables that time themselves two have a locked sheet: the session has begun, whatever its clock says."""
    entrants = add_entrants(first_session, range(1, 13))
    tables = draw(first_session, [entrants[:4], entrants[4:8], entrants[8:]], organiser)
    lock_sheets(tables[:2], invented(tables[:2], seed=5), organiser)
    return first_session


def test_a_session_whose_sheets_come_in_is_not_put_off(untimed: Session, organiser: User) -> None:
    acts = (postponing.hold_sessions, postponing.postpone_sessions)
    refused = [refusal_of(lambda act=act: act([untimed], reason=WHY, by=organiser)) for act in acts]
    assert (refused, state(untimed)) == (["play_has_begun"] * 2, "planned")


@pytest.mark.parametrize(("decide", "then"), [(keep_session_results, "checking"), (replay, "void")])
def test_it_is_decided_about_as_if_its_clock_had_been_stopped_and_that_is_taken_back(
    untimed: Session, organiser: User, decide: Callable[..., Session], then: str
) -> None:
    decide(untimed, reason=WHY, by=organiser)
    assert state(untimed) == then
    undecide(untimed, by=organiser)
    assert (state(untimed), found()) == ("suspended", set())


def test_a_session_that_is_stamped_to_its_last_sheet_is_neither_put_off_nor_decided_about(
    first_session: Session, organiser: User
) -> None:
    entrants = add_entrants(first_session, range(1, 9))
    tables = draw(first_session, [entrants[:4], entrants[4:]], organiser)
    lock_sheets(tables, invented(tables, seed=5), organiser)
    put_off = [
        lambda act=act: act([first_session], reason=WHY, by=organiser)
        for act in (postponing.hold_sessions, postponing.postpone_sessions)
    ]
    decided = [lambda act=act: act(first_session, reason=WHY, by=organiser) for act in (keep_session_results, replay)]
    refused = [refusal_of(act) for act in (*put_off, *decided)]
    assert refused == ["play_has_begun", "play_has_begun", "not_interrupted", "not_interrupted"]


def test_a_session_put_off_before_this_was_asked_gets_no_other_times_and_is_brought_back(
    untimed: Session, organiser: User
) -> None:
    Session.objects.filter(pk=untimed.pk).update(state="postponed")
    wanted = [times_on_day(untimed, date(2026, 4, 6))]
    assert refusal_of(lambda: set_times(untimed.stage.event, wanted, reason=WHY, by=organiser, now=NOW)) == (
        "play_has_begun"
    )
    postponing.bring_back_sessions([untimed], by=organiser)
    assert state(untimed) == "planned"


def test_the_sky_finds_it_running_and_not_among_what_has_not_begun(untimed: Session) -> None:
    live = live_day(untimed.stage.event, untimed.original_date, NOW)
    assert live is not None
    assert (untimed in live.running, untimed in live.not_begun, len(live.not_begun)) == (True, False, 3)


# --- Its finished games stand ---------------------------------------------------------------------------
def test_finished_games_stand_and_the_sheets_are_completed(broken: Session, organiser: User) -> None:
    before = live_ranking(broken.stage)
    for _time in range(2):
        keep_session_results(broken, reason=WHY, by=organiser)
    assert state(broken) == "checking"
    assert live_ranking(broken.stage) == before
    assert list(broken.clock_events.values_list("kind", flat=True)) == ["start", "suspend", "stand"]
    for _time in range(2):
        undecide(broken, by=organiser)
    assert state(broken) == "suspended"
    press(broken, "resume", organiser)
    assert state(broken) == "playing"


def test_a_decision_is_taken_back_after_a_close_too(broken: Session, organiser: User) -> None:
    keep_session_results(broken, reason=WHY, by=organiser)
    for kind in ("close", "reopen"):
        clock.move_session(broken, kind, by=organiser, request_key=kind, reason="the papers are in")
    assert keep_session_results(broken, reason=WHY, by=organiser).state == "checking"
    assert undecide(broken, by=organiser).state == "suspended"
    replay(broken, reason=WHY, by=organiser)
    assert (state(broken), found()) == ("void", set())


def test_only_what_was_broken_off_is_decided_about(first_session: Session, organiser: User) -> None:
    settle(first_session, organiser)
    acts = (keep_session_results, replay)
    refused = [refusal_of(lambda act=act: act(first_session, reason=WHY, by=organiser)) for act in acts]
    postponing.hold_sessions([first_session], reason=WHY, by=organiser)
    refused += [refusal_of(lambda act=act: act(first_session, reason=WHY, by=organiser)) for act in acts]
    assert refused == ["not_interrupted"] * 4
    assert refusal_of(lambda: undecide(first_session, by=organiser)) == "not_decided"
    assert refusal_of(lambda: replay(first_session, reason="", by=organiser)) == "reason_missing"


# --- Played anew ----------------------------------------------------------------------------------------
def test_a_replay_is_a_session_of_its_own_with_the_same_seats(broken: Session, organiser: User) -> None:
    new = replay(broken, reason=WHY, by=organiser)
    assert replay(broken, reason=WHY, by=organiser) == new
    facts = (new.number, new.number_of_day, new.code, new.original_date, new.state, new.replays_id)
    assert facts == (13, 5, "0328-5", broken.original_date, "postponed", broken.pk)
    there = Seat.objects.order_by("table__number", "letter")
    names = ("table__number", "letter", "entrant__number")
    assert list(there.filter(session=new).values_list(*names)) == list(there.filter(session=broken).values_list(*names))
    assert new.draw.confirmed_at == broken.draw.confirmed_at is not None
    assert set(Entrant.objects.values_list("session", flat=True)) == {new.pk}
    assert state(broken) == "void"


def test_a_replay_leaves_every_signed_sheet_untouched_and_counts_alone(broken: Session, organiser: User) -> None:
    signed = rows_of(*SIGNED[:6])
    new = replay(broken, reason=WHY, by=organiser)
    assert rows_of(*SIGNED[:6]) == signed
    assert (ranked(broken), len(live_ranking(broken.stage).unranked)) == ([], 12)
    assert [table.session for table in open_tables(broken.stage)] == [13, 13, 13]
    set_times(new.stage.event, [times_on_day(new, date(2026, 4, 5))], reason=WHY, by=organiser, now=NOW)
    tables = list(new.tables.order_by("number"))
    lock_sheets(tables, invented(tables, seed=9), organiser)
    alone = ranked(broken)
    assert (len(alone), {games for _rank, _number, games in alone}) == (12, {3})
    assert rows_of(*SIGNED[:6])[0][: len(signed[0])] == signed[0]


def test_taken_back_the_very_same_ranking_is_there(broken: Session, organiser: User) -> None:
    before, seats = live_ranking(broken.stage), rows_of(Seat, Entrant)
    new = replay(broken, reason=WHY, by=organiser)
    for _time in range(2):
        undecide(broken, reason="they may stand", by=organiser)
    assert live_ranking(broken.stage) == before
    assert (state(broken), state(new)) == ("suspended", "void")
    assert rows_of(Entrant) == seats[1:]
    again = replay(broken, reason=WHY, by=organiser)
    assert (again.pk != new.pk, again.number, again.code) == (True, 14, "0328-6")
    assert found() == set()


def test_a_replay_that_has_begun_stands(broken: Session, organiser: User, clerk: User) -> None:
    new = replay(broken, reason=WHY, by=organiser)
    Scoresheet.objects.create(table=new.tables.get(number=1), version=1)
    assert refusal_of(lambda: undecide(broken, by=organiser)) == "replay_begun"
    Scoresheet.objects.filter(table__session=new).delete()
    Session.objects.filter(pk=new.pk).update(state="playing")
    assert refusal_of(lambda: undecide(broken, by=organiser)) == "replay_begun"


def test_who_was_moved_meanwhile_is_told_before_it_is_taken_back(broken: Session, organiser: User) -> None:
    new = replay(broken, reason=WHY, by=organiser)
    last = Entrant.objects.get(number=12)
    Entrant.objects.filter(pk=last.pk).update(session=Session.objects.get(number=7))
    with pytest.raises(Refused) as refused:
        undecide(broken, by=organiser)
    assert (refused.value.code, refused.value.about) == ("entrants_gone_on", (12,))
    Entrant.objects.filter(pk=last.pk).update(session=new)
    joined = add_entrants(new, [40])[0]
    with pytest.raises(Refused) as refused:
        undecide(broken, by=organiser)
    assert (refused.value.code, refused.value.about) == ("entrants_joined", (40,))
    Entrant.objects.filter(pk=joined.pk).update(status=EntrantStatus.WITHDRAWN)
    assert undecide(broken, by=organiser).state == "suspended"


def test_nothing_is_typed_at_a_void_session(broken: Session, organiser: User, clerk: User) -> None:
    replay(broken, reason=WHY, by=organiser)
    table = Table.objects.get(session=broken, number=3)
    typing = lambda: scoresheets.save_scoresheet(  # noqa: E731
        table, revision=0, form="paper", typed={}, confirmations={}, by=clerk, request_key="k"
    )
    assert refusal_of(typing) == "session_not_played"


def test_who_has_withdrawn_has_no_seat_in_the_replay(broken: Session, organiser: User) -> None:
    Entrant.objects.filter(number=12).update(status=EntrantStatus.WITHDRAWN)
    new = replay(broken, reason=WHY, by=organiser)
    assert Seat.objects.filter(session=new).count() == 11


def test_a_copy_to_practise_on_has_the_replay_and_not_the_void_session(broken: Session, organiser: User) -> None:
    new = replay(broken, reason=WHY, by=organiser)
    copy = make_rehearsal(Event.objects.get(pk=broken.stage.event_id), by=organiser)
    sessions = Session.objects.filter(stage__event=copy)
    assert (sessions.count(), len({session.code for session in sessions})) == (12, 12)
    there = Entrant.objects.filter(event=copy).values_list("session__check_in_at", flat=True)
    assert set(there) == {new.check_in_at}


# --- By two where sheets are locked ---------------------------------------------------------------------
def test_one_alone_takes_no_locked_sheet_out_of_the_ranking_nor_back_into_it(
    broken: Session, organiser: User, chief_judge: User
) -> None:
    event, before = broken.stage.event, live_ranking(broken.stage)
    asked = replays.replay_session(broken, reason=WHY, by=organiser)
    assert isinstance(asked, Proposal)
    assert replays.replay_session(broken, reason=WHY, by=organiser) == asked
    assert (state(broken), live_ranking(broken.stage)) == ("suspended", before)
    assert refusal_of(lambda: agree_replay(event, asked.pk, by=organiser)) == "proposer_cannot_approve"
    new = agree_replay(event, asked.pk, by=chief_judge)
    assert (state(broken), new.replays_id, ranked(broken)) == ("void", broken.pk, [])
    assert agree_replay(event, asked.pk, by=chief_judge).outcome == "approved"
    assert refusal_of(lambda: replays.revert_session_decision(broken, by=organiser)) == "reason_missing"
    asked = replays.revert_session_decision(broken, reason="they may stand", by=organiser)
    assert isinstance(asked, Proposal)
    assert (state(broken), ranked(broken)) == ("void", [])
    agree_replay(event, asked.pk, by=chief_judge)
    assert (state(broken), live_ranking(broken.stage)) == ("suspended", before)
    assert found() == set()


def test_a_replay_that_was_proposed_is_judged_as_the_session_stands_at_the_yes(
    broken: Session, organiser: User, second_organiser: User, chief_judge: User
) -> None:
    event = broken.stage.event
    asked = replays.replay_session(broken, reason=WHY, by=organiser)
    third = broken.tables.filter(number=3)
    lock_sheets(third, invented(third, seed=6), organiser, stamped=False)
    assert refusal_of(lambda: agree_replay(event, asked.pk, by=chief_judge)) == "proposal_outdated"
    assert refusal_of(lambda: replays.replay_session(broken, reason=WHY, by=second_organiser)) == "proposed_already"
    proposals.refuse_proposal(event, asked.pk, reason="one sheet more", by=chief_judge)
    asked = replays.replay_session(broken, reason=WHY, by=second_organiser)
    Membership.objects.filter(user=second_organiser).delete()
    assert refusal_of(lambda: agree_replay(event, asked.pk, by=chief_judge)) == "proposer_lost_right"
    proposals.refuse_proposal(event, asked.pk, reason="no organiser any more", by=chief_judge)
    keep_session_results(broken, reason=WHY, by=organiser)
    assert (state(broken), len(ranked(broken))) == ("checking", 12)


def test_without_a_locked_sheet_a_replay_and_its_end_stay_one_organisers(
    first_session: Session, organiser: User
) -> None:
    settle(first_session, organiser, [4, 3])
    for kind in ("start", "suspend"):
        press(first_session, kind, organiser)
    new = replays.replay_session(first_session, reason=WHY, by=organiser)
    assert (state(first_session), new) == ("void", Session.objects.get(replays=first_session))
    assert replays.revert_session_decision(first_session, by=organiser) == first_session
    assert (state(first_session), Proposal.objects.count()) == ("suspended", 0)


# --- A final in rounds ----------------------------------------------------------------------------------
def test_a_round_of_a_final_is_played_anew_in_its_place(first_session: Session, organiser: User) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event, rounds=2)
    freeze(final, organiser)
    first, second = final.sessions.order_by("number")
    seat_round(first, organiser)
    press(first, "start", organiser)
    tables = list(first.tables.order_by("number"))
    lock_sheets(tables[:2], invented(tables[:2], seed=6), organiser)
    press(first, "suspend", organiser)
    before = live_ranking(final)
    new = replay(first, reason=WHY, by=organiser)
    assert [one.pk for one in rounds_in_order(final)] == [new.pk, second.pk]
    assert [one.pk for one in rounds_before(second)] == [new.pk]
    assert [(one.pk, len(seats)) for one, seats in earlier_seats(second)] == [(new.pk, 12)]
    rounds = [round_of(one) for one in (first, new, second)]
    assert [one.number for one in rounds if one] == [1, 1, 2]
    assert {one.games for one in live_ranking(final).ranked} == set()
    seat_round(second, organiser)
    assert [one.session_id for one in later_draws(new)] == [second.pk]
    assert Entrant.objects.filter(session=new).count() == 0
    undecide(first, by=organiser)
    assert live_ranking(final) == before
    assert (round_of(new), found()) == (None, set())


def test_signed_sheets_of_a_void_session_are_still_read(
    broken: Session, organiser: User, clerk: User, signed_in: Any
) -> None:
    replay(broken, reason=WHY, by=organiser)
    page = signed_in(clerk).get(f"/desk/{broken.stage.event.slug}/scoresheets/1/1/")
    assert page.status_code == 200


def test_no_sheet_of_a_void_session_moves_on_and_one_of_its_replay_does(
    broken: Session, organiser: User, clerk: User
) -> None:
    new = replay(broken, reason=WHY, by=organiser)
    waiting = Scoresheet.objects.create(table=broken.tables.get(number=3), version=1, state="draft")
    with pytest.raises(Refused) as refused:
        moves.move_sheet(waiting, "ready_scoresheet", 1)
    assert refused.value.code == "session_not_played"
    undecide(broken, by=organiser)
    assert moves.move_sheet(waiting, "ready_scoresheet", 1).revision == 2
    assert new.replays_id == broken.pk
