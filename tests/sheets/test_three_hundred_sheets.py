"""All 300 sheets through the services: the ranking equals the independent re-scorer's, exactly.

The re-scorer reads the racks that were on the tables; the ranking reads what the clerks typed, certified and stamped.
"""

from typing import Any

import pytest

from scoring.values import Rack
from tests import rescorer
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, StageKind
from tournament.core.models.stage import Stage
from tournament.demo.day import DemoDay, play_day
from tournament.demo.stages import seed_event
from tournament.entrants.models.people import Entrant
from tournament.events.domain import advancing_places_of_stage, ruleset_of_stage
from tournament.ranking.domain.standings import LiveRanking, live_ranking
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Stamp
from tournament.tables.models import Seat

SEED = 1


@pytest.fixture
def stage(db: None) -> Stage:
    """The event with all its sheets stamped and nothing released."""
    return Stage.objects.get(event=seed_event("results", SEED), kind=StageKind.PRELIMINARY)


def name_of(entrant: int) -> str:
    return f"{entrant:04d}"


def rack_as_it_lay(rack: Rack) -> dict[str, Any]:
    """A rack as the re-scorer takes it: its tiles alone, no verdict and no value."""
    tiles = list(rack.rack or ())
    return {"rack": tiles, "opened": rack.opened, "ruled": None, "pushed_over": rack.pushed_over, "left": rack.left}


def as_it_was_played(day: DemoDay) -> dict[str, Any]:
    """The tournament by its racks."""
    tables, status = [], {}
    for table in day.tables.values():
        seats = {seat: name_of(entrant) for seat, entrant in table.entrants.items()}
        games = [
            {"ended_by": game.ended_by, "racks": {rack.seat: rack_as_it_lay(rack) for rack in game.racks}}
            for game in table.games
            if game.racks
        ]
        tables.append({"seats": seats, "games": games})
        status |= {seats[seat]: word for seat, word in table.statuses.items()}
    return {"tables": tables, "status": status}


def as_it_stands(ranking: LiveRanking) -> dict[str, Any]:
    """The live ranking in the re-scorer's form."""
    lines = [(name_of(e.number), e.rank, e.tied, e.wins, e.points, e.average, e.tiles) for e in ranking.ranked]
    line = ranking.line
    return {
        "ranking": lines,
        "unranked": {name_of(e.number): e.because for e in ranking.unranked},
        "advancing": list(line.advancing),
        "unresolved": (line.unresolved.places, list(line.unresolved.ids)) if line.unresolved else None,
        "reserves": list(line.reserves),
    }


@pytest.mark.long
def test_three_hundred_sheets_through_the_services_rank_as_the_re_scorer_ranks_their_racks(stage: Stage) -> None:
    day = play_day(stage, ruleset_of_stage(stage), SEED, advancing_places_of_stage(stage) or 0)
    expected = rescorer.rescore(as_it_was_played(day), advancing_places_of_stage(stage))
    del expected["results"]
    seated = set(Seat.objects.values_list("entrant_id", flat=True))
    withdrawn = Entrant.objects.filter(status=EntrantStatus.WITHDRAWN).exclude(pk__in=seated)
    expected["unranked"] |= {name_of(entrant.number): "withdrawn" for entrant in withdrawn}

    assert as_it_stands(live_ranking(stage)) == expected
    assert (len(day.tables), withdrawn.count()) == (300, 3)
    assert expected["unresolved"] is not None
    assert (Scoresheet.objects.count(), OfficialSheet.objects.count(), Stamp.objects.count()) == (300, 300, 300)
    assert unbroken_chain(stage)


def unbroken_chain(stage: Stage) -> bool:
    """Every act of the day has its entry, each linked to the one before."""
    before = "0" * 64
    for seq, entry in enumerate(AuditEntry.objects.filter(event=stage.event).order_by("seq"), start=1):
        if (entry.seq, entry.prev, entry.hash) != (seq, before, services.entry_hash(entry)):
            return False
        before = entry.hash
    return True
