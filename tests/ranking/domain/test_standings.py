"""From official sheets to the ranking: what counts, what does not, and that the order of rows never does."""

import random
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.values import GameResult, Record
from tests.sheets.sheets import (
    GAMES,
    Result,
    add_entrants,
    draw,
    invented_games,
    lock_sheets,
    mirrored_tables,
    stamp,
    type_sheets,
)
from tournament.core.enums import EntrantStatus, SessionState
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.ranking.domain.standings import RankedEntrant, UnrankedEntrant, live_ranking, rank_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session) -> Stage:
    return first_session.stage


def ranks(stage: Stage) -> dict[int, int]:
    return {entrant.number: entrant.rank for entrant in live_ranking(stage).ranked}


def test_one_line_of_the_ranking_is_exact(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    assert live_ranking(first_session.stage).ranked[0] == RankedEntrant(
        number=1,
        name_zh="李大小",
        name_en="CHAN Tai1 Man",
        session=1,
        rank=1,
        tied=True,
        wins=3,
        points=Fraction(145, 2),
        average=Fraction(145, 6),
        tiles=5,
        games=3,
        table_size=4,
        provisional=False,
        school="",
    )


def test_equal_results_share_the_rank_and_the_next_rank_skips(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    assert ranks(first_session.stage) == {1: 1, 5: 1, 2: 3, 6: 3, 3: 5, 7: 5, 4: 7, 8: 7}


def test_only_locked_sheets_count(first_session: Session, organiser: User) -> None:
    entrants = add_entrants(first_session, range(1, 9))
    tables = draw(first_session, [entrants[:4], entrants[4:]], organiser)
    type_sheets(tables[:1], [GAMES], organiser)
    lock_sheets(tables[1:], [GAMES], organiser)
    assert sorted(ranks(first_session.stage)) == [5, 6, 7, 8]


def test_an_older_version_of_a_sheet_does_not_count(first_session: Session, organiser: User) -> None:
    first, _second = mirrored_tables(first_session, organiser)
    corrected = [[Result(0, -12, 0), Result(0, -12, 0), Result(0, -12, 0), Result(1, 36, 0)]]
    lock_sheets([first.table], [corrected], organiser, version=2)
    assert ranks(first_session.stage) == {5: 1, 4: 2, 6: 3, 1: 4, 2: 4, 3: 4, 7: 7, 8: 8}


def test_a_locked_sheet_counts_before_its_stamp_and_is_marked(first_session: Session, organiser: User) -> None:
    first, _second = mirrored_tables(first_session, organiser, stamped=False)
    stamp([first], organiser)
    live = live_ranking(first_session.stage)
    assert {entrant.number for entrant in live.ranked if entrant.provisional} == {5, 6, 7, 8}
    assert live.provisional == 4


def test_nothing_of_a_void_session_counts(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    Session.objects.filter(pk=first_session.pk).update(state=SessionState.VOID)
    assert ranks(first_session.stage) == {}


def test_who_has_no_rank_is_listed_with_the_reason(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    add_entrants(first_session, [9])
    add_entrants(first_session, [10], status=EntrantStatus.FORFEITED)
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    live = live_ranking(first_session.stage)
    assert [(entrant.number, entrant.because) for entrant in live.unranked] == [
        (1, "disqualified"),
        (9, "not_played"),
        (10, "forfeited"),
    ]
    assert live.unranked[1] == UnrankedEntrant(9, "蔡大文", "CHAN Tai9 Man", 1, "not_played", "")


def test_who_left_a_table_is_not_ranked(first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser, left={(1, "C", 2)})
    live = live_ranking(first_session.stage)
    assert [(entrant.number, entrant.because) for entrant in live.unranked] == [(3, "withdrawn")]


def test_a_table_of_three_is_marked_by_those_who_played(first_session: Session, organiser: User) -> None:
    entrants = add_entrants(first_session, range(1, 8))
    tables = draw(first_session, [entrants[:4], entrants[4:]], organiser)
    three = [[Result(1, 24, 0), Result(0, -12, 1), Result(0, -12, 1)]] * 3
    lock_sheets(tables, [GAMES, three], organiser)
    live = live_ranking(first_session.stage)
    assert {entrant.number: entrant.table_size for entrant in live.ranked} == dict.fromkeys(
        range(1, 5), 4
    ) | dict.fromkeys(range(5, 8), 3)


def test_a_game_that_was_not_played_counts_nothing_and_the_divisor_stays(
    first_session: Session, organiser: User
) -> None:
    mirrored_tables(first_session, organiser, not_played={(1, 3)})
    first = next(entrant for entrant in live_ranking(first_session.stage).ranked if entrant.number == 1)
    assert (first.games, first.wins, first.points, first.average, first.tiles) == (2, 2, 60, 20, 0)


@pytest.mark.parametrize("order", [None, 3, 4])
def test_the_ranking_is_that_of_the_rules_whatever_the_order_of_the_rows(
    event: Any, organiser: User, order: int | None
) -> None:
    chance, records = random.Random(5), []
    sessions = list(Session.objects.filter(stage__event=event)[:3])
    for place, session in enumerate(sessions):
        entrants = add_entrants(session, range(100 * place + 1, 100 * place + 13))
        tables = draw(session, [entrants[:4], entrants[4:8], entrants[8:]], organiser)
        played = [invented_games(chance, 4) for _table in tables]
        lock_sheets(tables, played, organiser, shuffle=random.Random(order) if order else None)
        for table, games in enumerate(played):
            for seat in range(4):
                results = [
                    GameResult(game[seat].win, Fraction(game[seat].twelfths, 12), game[seat].tiles) for game in games
                ]
                records.append(Record(f"{entrants[4 * table + seat].number:04d}", tuple(results)))
    assert rank_stage(sessions[0].stage) == rank_records(PRESETS["hk-2026"], records)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_ranking_asks_two_queries_however_many_play(
    first_session: Session, organiser: User, django_assert_num_queries: Any, tables: int
) -> None:
    entrants = add_entrants(first_session, range(1, 4 * tables + 1))
    drawn = draw(first_session, [entrants[4 * k : 4 * k + 4] for k in range(tables)], organiser)
    lock_sheets(drawn, [GAMES] * tables, organiser)
    stage = Stage.objects.get(pk=first_session.stage_id)
    with django_assert_num_queries(2):
        live_ranking(stage)


def test_with_no_sheet_there_is_no_ranking(stage: Stage) -> None:
    live = live_ranking(stage)
    assert (live.ranked, live.unranked, live.line.advancing) == ((), (), ())
