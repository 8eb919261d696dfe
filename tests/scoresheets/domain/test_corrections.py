"""Both rankings of a correction side by side: who changes rank, who crosses the line."""

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import GAMES, ONE_WINS, TWO_SHARE, Result, lock_sheets, mirrored_tables, type_sheets
from tournament.core.models.stage import Session
from tournament.publication.services.release import release_results
from tournament.scoresheets.domain import (
    CUTOFF_IN,
    CUTOFF_OUT,
    CUTOFF_TIED,
    CUTOFF_UNRANKED,
    CorrectionEffect,
    CutoffPosition,
    correction_effect,
)
from tournament.scoresheets.queries import SheetChangedSinceRelease, sheets_recounted_since
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet

FEWER_TILES = [*TWO_SHARE[:1], Result(1, 150, 4), *TWO_SHARE[2:]]


@pytest.fixture
def counted(first_session: Session, organiser: User) -> Scoresheet:
    """Two tables with the same results: 2 and 6 are tied for the third place."""
    return mirrored_tables(first_session, organiser)[0]


def effect(counted: Scoresheet, games: list[list[Result]], by: User, **given: object) -> CorrectionEffect:
    """What a second version of the first table with these games would do."""
    proposed = type_sheets([counted.table], [games], by, version=2, **given)[0]
    return correction_effect(counted.table.session.stage, counted, proposed)


def moves(found: CorrectionEffect) -> dict[int, tuple[CutoffPosition, CutoffPosition]]:
    """Before and after by entrant."""
    return {move.entrant.number: (move.before, move.after) for move in found.moves}


def test_a_tile_less_breaks_the_tie_on_the_line(counted: Scoresheet, organiser: User) -> None:
    found = effect(counted, [ONE_WINS, ONE_WINS, FEWER_TILES], organiser)
    assert moves(found) == {
        2: (CutoffPosition(3, True, CUTOFF_TIED), CutoffPosition(3, False, CUTOFF_IN)),
        6: (CutoffPosition(3, True, CUTOFF_TIED), CutoffPosition(4, False, CUTOFF_OUT)),
    }
    assert (found.crossing_numbers, found.places) == ((2, 6), 3)


def test_the_same_values_move_nobody(counted: Scoresheet, organiser: User) -> None:
    assert effect(counted, GAMES, organiser).moves == ()


def test_who_would_leave_on_the_new_version_has_no_rank(counted: Scoresheet, organiser: User) -> None:
    found = effect(counted, GAMES, organiser, left=[(1, "A", 3)])
    assert moves(found)[1] == (CutoffPosition(1, True, CUTOFF_IN), CutoffPosition(None, False, CUTOFF_UNRANKED))
    assert moves(found)[2] == (CutoffPosition(3, True, CUTOFF_TIED), CutoffPosition(2, True, CUTOFF_IN))


def test_what_was_counted_and_what_is_proposed_stay_as_they_are(counted: Scoresheet, organiser: User) -> None:
    effect(counted, [ONE_WINS, ONE_WINS, FEWER_TILES], organiser)
    assert OfficialSheet.objects.get(table=counted.table).scoresheet == counted


def test_a_release_knows_which_sheets_count_otherwise_since(first_session: Session, organiser: User) -> None:
    stage = first_session.stage
    counted = mirrored_tables(first_session, organiser, advance=4)[0]
    stage.event.results_at = first_session.check_in_at
    stage.event.save(update_fields=["results_at"])
    made = release_results(stage, by=organiser)
    assert sheets_recounted_since(made) == []
    lock_sheets([counted.table], [[ONE_WINS, ONE_WINS, FEWER_TILES]], organiser, version=2)
    assert sheets_recounted_since(made) == [SheetChangedSinceRelease("0328-1", 1, 1, 2)]
