"""What the ranking reads: official sheets summed by entrant, and the entrants. Two queries, however many there are.

Drafts, disputed and void sheets are never read, nor anything of a void session: only the version that counts of each
table, locked, whether stamped yet or not (R41, R42).
"""

from collections import Counter
from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from tournament.core.enums import LOCKED_STATES, EntrantStatus, GameEnd, SessionState, SheetState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.queries.finalists import entrants_of_stage
from tournament.events.models import SessionMove
from tournament.events.queries import rounds_in_order
from tournament.sheets.models.scoresheet import Line, Scoresheet, Turn
from tournament.sheets.queries.session_life import sessions_still_stopped
from tournament.tables.models import Seat, Table


class PlayedSheet(NamedTuple):
    """What one official sheet gives one entrant: `points_twelfths` in whole twelfths; `left` counts games left
    early."""

    entrant: int
    sheet: int
    stamp: int | None
    games: int
    wins: int
    points_twelfths: int
    tiles: int
    left: int


class EntrantRow(NamedTuple):
    """An entrant of the stage with name and school as entered; `session` is the number of the preliminary session."""

    id: int
    number: int
    status: str
    session: int
    name_zh: str
    name_en: str
    school: str


class PlayedGame(NamedTuple):
    """What one game gave one entrant, by number, and the sheet that says so; `points_twelfths` in whole twelfths."""

    entrant: int
    game: int
    ended_by: str
    win: int
    points_twelfths: int
    tiles: int
    left: bool
    session: int
    session_code: str
    table: int
    version: int
    stamped: bool


class SessionCount(NamedTuple):
    """How much of a session is in: `place` in its stage from 1; `waiting` counts tables that owe a locked sheet."""

    number: int
    place: int
    tables: int
    locked: int
    waiting: int


def official_lines(stage: Stage, until: int | None = None) -> QuerySet[Line]:
    """Lines of games that were played, of the versions that count; `until`: of the sessions up to that of this
    number, in the order of the rounds."""
    lines = Line.objects.filter(
        game__scoresheet__official_for__table__session__stage=stage, game__scoresheet__state__in=LOCKED_STATES
    ).exclude(
        Q(game__ended_by=GameEnd.NOT_PLAYED)
        | Q(game__scoresheet__official_for__table__session__state=SessionState.VOID)
    )
    if until is None:
        return lines
    numbers = [one.number for one in rounds_in_order(stage)]
    played = numbers[: numbers.index(until) + 1]
    return lines.filter(game__scoresheet__official_for__table__session__number__in=played)


def played_sheets(stage: Stage, until: int | None = None) -> list[PlayedSheet]:
    """One row for each entrant of each official sheet, in no order."""
    rows = (
        official_lines(stage, until)
        .order_by()
        .values_list("entrant_id", "game__scoresheet_id", "game__scoresheet__stamp__id")
        .annotate(
            games=Count("id"),
            wins=Sum("win"),
            points=Sum("points_twelfths"),
            left_over=Sum("tiles"),
            left_early=Count("id", filter=Q(left=True)),
        )
    )
    return list(map(PlayedSheet._make, rows))


def entrant_rows(stage: Stage) -> list[EntrantRow]:
    """Everyone who plays the stage, whatever the status there; one query."""
    rows = (
        entrants_of_stage(stage)
        .order_by()
        .values_list(
            "id", "number", "status_there", F("session__number"), "person__name_zh", "person__name_en", "person__school"
        )
    )
    return list(map(EntrantRow._make, rows))


def numbers_without_games(stage: Stage) -> list[int]:
    """Numbers of those who take part and have no game that counts, and of whom nobody has decided that there is none:
    a sheet that was made void by two was decided about. The one answer to what is still open beside the sheets."""
    played = official_lines(stage).order_by().values("entrant")
    newest = Scoresheet.objects.filter(table=OuterRef("table")).order_by("-version").values("state")[:1]
    seats = Seat.objects.filter(session__stage=stage).exclude(session__state=SessionState.VOID)
    decided = seats.annotate(newest=Subquery(newest)).filter(newest=SheetState.VOID).order_by().values("entrant")
    there = entrants_of_stage(stage).filter(status_there=EntrantStatus.OK)
    # Not by EXISTS for each of them: PostgreSQL, before it has counted the rows, would read all lines for each entrant.
    open_still = there.exclude(pk__in=played).exclude(pk__in=decided)
    return list(open_still.order_by("number").values_list("number", flat=True))


def game_lines(stage: Stage) -> list[tuple[int, int, int, int, int, int]]:
    """Entrant's number, session, game, win, points in twelfths and tiles of every game that counts, in no order."""
    lines = official_lines(stage).order_by()
    session = "game__scoresheet__official_for__table__session__number"
    return list(lines.values_list("entrant__number", session, "game__number", "win", "points_twelfths", "tiles"))


def laid_turns(stage: Stage) -> list[tuple[int, int, int, int, str, str, bool, int]]:
    """Entrant's number, session and game of every turn with words that counts, then what it says; by its number."""
    game = "line__game__scoresheet__official_for__table__session__number", "line__game__number"
    turns = Turn.objects.filter(line__in=official_lines(stage)).order_by("number", "line_id")
    return list(turns.values_list("line__entrant__number", *game, "number", "own", "rearranged", "emptied", "points"))


def games_of_entrant(stage: Stage, number: int) -> list[PlayedGame]:
    """The games of one entrant that count, by session, in their order, with the sheets they stand on."""
    lines = (
        official_lines(stage)
        .filter(entrant__number=number)
        .select_related("game__scoresheet__table__session", "game__scoresheet__stamp")
        .order_by("game__scoresheet__table__session__number", "game__number")
    )
    return [_played_game(number, line) for line in lines]


def _played_game(number: int, line: Line) -> PlayedGame:
    sheet = line.game.scoresheet
    return PlayedGame(
        entrant=number,
        game=line.game.number,
        ended_by=line.game.ended_by,
        win=line.win,
        points_twelfths=line.points_twelfths,
        tiles=line.tiles,
        left=line.left,
        session=sheet.table.session.number,
        session_code=sheet.table.session.code,
        table=sheet.table.number,
        version=sheet.version,
        stamped=hasattr(sheet, "stamp"),
    )


def sheet_counts(stage: Stage) -> dict[str, int]:
    """How many tables there are, how many sheets are locked, how many stamped."""
    tables = Table.objects.filter(session__stage=stage).exclude(session__state=SessionState.VOID)
    return tables.aggregate(
        tables=Count("id"), locked=Count("official_sheet"), stamped=Count("official_sheet__scoresheet__stamp")
    )


def sessions_waited_for(event: Event, kind: str = "") -> list[Session]:
    """Sessions of a stage, without a name of the first, that the weather has stopped, moved or made to be played anew,
    as long as they owe a sheet or a decision; by their hours, those without a time last; two queries."""
    owing = Table.objects.filter(session=OuterRef("pk"), official_sheet__isnull=True)
    owing = owing.exclude(scoresheets__state=SheetState.VOID)
    moved = Q(replays__isnull=False) | Exists(SessionMove.objects.filter(session=OuterRef("pk")))
    stopped = Q(state__in=(SessionState.POSTPONED, SessionState.SUSPENDED))
    stage = {"stage__kind": kind} if kind else {"stage__order": 1}
    rows = Session.objects.filter(stopped | moved & Exists(owing), stage__event=event, **stage)
    over = (SessionState.VOID, SessionState.CLOSED)
    found = rows.exclude(state__in=over).select_related("replays", "stage").order_by("check_in_at", "number")
    return sorted(sessions_still_stopped(found), key=lambda one: one.state == SessionState.POSTPONED)


def session_counts(stage: Stage) -> list[SessionCount]:
    """Every session that is not void, in the order of the rounds; three queries.

    A table whose newest sheet is void has been decided and owes none, nor one at which nobody is left to play.
    """
    newest = Scoresheet.objects.filter(table=OuterRef("pk")).order_by("-version").values("state")[:1]
    somebody = Seat.objects.filter(table=OuterRef("pk"), entrant__status=EntrantStatus.OK)
    owing = Table.objects.filter(Exists(somebody), session__stage=stage, official_sheet__isnull=True)
    found = owing.order_by().annotate(newest=newest).values_list("session", "newest")
    waiting = Counter(session for session, state in found if state != SheetState.VOID)
    sessions = stage.sessions.order_by().annotate(drawn=Count("tables"), locked=Count("tables__official_sheet"))
    counted = {pk: (drawn, locked) for pk, drawn, locked in sessions.values_list("pk", "drawn", "locked")}
    return [
        SessionCount(one.number, place, *counted[one.pk], waiting[one.pk])
        for place, one in enumerate(rounds_in_order(stage), start=1)
    ]
