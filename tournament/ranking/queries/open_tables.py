"""Tables of a stage whose play is not yet on an official sheet."""

from typing import Annotated, NamedTuple, TypedDict

from django.db.models import Exists, OuterRef, Q
from django_stubs_ext import Annotations

from tournament.core.enums import EntrantStatus, SessionState, SheetState
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import playing_stage_condition
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Seat, Table

UNSTAMPED_STATE = "unstamped"


class OpenTable(NamedTuple):
    """A table whose result cannot be released yet: `state` is a SheetState, or `unstamped` for a locked sheet."""

    session: int
    session_code: str
    table: int
    state: str


class SessionPlaying(TypedDict):
    """Whether somebody is there to play a session, and whether it has a table."""

    playing: bool
    drawn: bool


def sessions_with_playing(stage: Stage) -> list[Annotated[Session, Annotations[SessionPlaying]]]:
    """Those that are not void, each with `playing`: somebody is there to play it, in rounds everyone each of them; and
    `drawn`: it has a table."""
    there = playing_stage_condition(stage) if stage.has_rounds_for_all else {"session": OuterRef("pk")}
    return list(
        stage.sessions.exclude(state=SessionState.VOID)
        .annotate(
            playing=Exists(Entrant.objects.filter(**there, status=EntrantStatus.OK)),
            drawn=Exists(Table.objects.filter(session=OuterRef("pk"))),
        )
        .order_by("number")
    )


def open_tables(stage: Stage) -> list[OpenTable]:
    """Tables without a locked and stamped sheet, in the order of the sessions.

    A table whose newest sheet is void has been decided and is not waited for, nor one at which nobody is left to play.
    """
    newest = Scoresheet.objects.filter(table=OuterRef("pk")).order_by("-version")
    somebody = Seat.objects.filter(table=OuterRef("pk"), entrant__status=EntrantStatus.OK)
    tables = (
        Table.objects.filter(session__stage=stage)
        .exclude(session__state=SessionState.VOID)
        .annotate(somebody=Exists(somebody), newest=newest.values("state")[:1])
        .filter(Q(official_sheet__isnull=True) | Q(official_sheet__scoresheet__stamp__isnull=True))
        .select_related("session", "official_sheet")
        .order_by("session__number", "number")
    )
    found = []
    for table in tables:
        counted = getattr(table, "official_sheet", None)
        if counted is None and (table.newest == SheetState.VOID or not table.somebody):
            continue
        state = UNSTAMPED_STATE if counted else table.newest or SheetState.OPEN.value
        found.append(OpenTable(table.session.number, table.session.code, table.number, state))
    return found
