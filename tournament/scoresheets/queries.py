"""Reads about corrections: the one in hand, what a proposed version gives each entrant, what changed since a
release."""

from collections.abc import Sequence
from typing import NamedTuple

from tournament.core.enums import DecisionOf, GameEnd
from tournament.core.models.stage import Stage
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.standings import PlayedSheet
from tournament.releases.models import Release
from tournament.releases.queries import releases_in_force
from tournament.scoresheets.models import Correction
from tournament.sheets.models.scoresheet import LINE_FIELDS, TURN_FIELDS, Line, Scoresheet
from tournament.sheets.queries.counted_sheets import official_sheets_that_count
from tournament.tables.models import Table


class SheetChangedSinceRelease(NamedTuple):
    """A sheet that counts otherwise than a release has it: session code, table, the version then and now."""

    session: str
    table: int
    released: int
    version: int


def correction_in_hand(table: Table) -> Correction | None:
    """The correction that is neither approved nor given up; None where there is none."""
    return (
        Correction.objects.filter(scoresheet__table=table, approved_at__isnull=True, abandoned_at__isnull=True)
        .select_related("scoresheet__typed_by", "supersedes", "begun_by", "proposed_by")
        .first()
    )


def corrections_of_table(table: Table) -> list[Correction]:
    """Every correction of a table's sheet, oldest first."""
    return list(
        Correction.objects.filter(scoresheet__table=table)
        .select_related("scoresheet", "supersedes", "begun_by", "proposed_by", "approved_by", "abandoned_by")
        .order_by("scoresheet__version")
    )


def played_by_version(sheet: Scoresheet) -> list[PlayedSheet]:
    """What one version gives each of its entrants, as if it counted: figures summed over the games played."""
    found: dict[int, list[int]] = {}
    for line in Line.objects.filter(game__scoresheet=sheet).exclude(game__ended_by=GameEnd.NOT_PLAYED):
        sums = found.setdefault(line.entrant_id, [0, 0, 0, 0, 0])
        for place, figure in enumerate((1, line.win, line.points_twelfths, line.tiles, int(line.left))):
            sums[place] += figure
    return [PlayedSheet(entrant, sheet.pk, None, *sums) for entrant, sums in found.items()]


def values_by_cell(sheet: Scoresheet) -> dict[tuple[int, str], tuple[object, ...]]:
    """Every value of a version by game and seat; seat "" is how the game ended, who started and a ruling."""
    found: dict[tuple[int, str], tuple[object, ...]] = {}
    for game in sheet.games.prefetch_related("lines__turns"):
        found[(game.number, "")] = (game.ended_by, game.starter, game.ruling)
        for line in game.lines.all():
            turns = [tuple(getattr(turn, field) for field in TURN_FIELDS) for turn in line.turns.all()]
            values = (getattr(line, field) for field in LINE_FIELDS)
            found[(game.number, line.letter)] = (line.entrant_id, *values, *turns)
    return found


def cutoff_tie_decisions(stage: Stage) -> list[TieBreak]:
    """Every recorded decision of a tie across the line, newest first; none of a reserve place."""
    return list(stage.tie_breaks.filter(of=DecisionOf.LINE).order_by("-at", "-id"))


def release_in_force(stage: Stage) -> Release | None:
    """The stage's release in force, without its frozen content."""
    return releases_in_force().filter(stage=stage).defer("content").first()


def sheets_recounted_since(release: Release) -> Sequence[SheetChangedSinceRelease]:
    """The sheets whose counting version is another than the one that this release was made from, in their order."""
    then = {(session, table): version for session, table, version, _digest in release.sheets}
    counted = (
        official_sheets_that_count()
        .filter(table__session__stage=release.stage_id)
        .select_related("table__session", "scoresheet")
        .order_by("table__session__number", "table__number")
    )
    return [
        SheetChangedSinceRelease(place[0], place[1], then.get(place, 0), sheet.scoresheet.version)
        for sheet in counted
        if then.get(place := (sheet.table.session.code, sheet.table.number)) != sheet.scoresheet.version
    ]
