"""The rows that verification compares with the log, each kind in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Q

from tournament.core.enums import LOCKED_STATES, SheetState
from tournament.core.models.event import Event
from tournament.entrants.queries.finalists import lists
from tournament.messages.models import Mailing
from tournament.releases.models import Release
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet, Turn
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries import scoresheets
from tournament.tables.models import Seat


def all_sheet_versions(event: Event, using: str) -> list[Scoresheet]:
    """Every version of every sheet with its table's seats, its games with lines and turns, its signatures, its stamp.

    Six queries that ask for the whole event; a prefetch would name 1,200 keys one by one.
    """
    sheets = list(
        Scoresheet.objects.using(using)
        .filter(table__session__stage__event=event)
        .select_related("table__session__stage__event", "stamp")
        .order_by("table__session__stage_id", "table__session__number", "table__number", "version")
    )
    here = {"scoresheet__table__session__stage__event": event}
    chosen = Seat.objects.using(using).filter(session__stage__event=event)
    seats = chosen.select_related("entrant").prefetch_related(lists("entrant__")).order_by("letter")
    games = list(Game.objects.using(using).filter(**here).order_by("number"))
    lines = Line.objects.using(using).filter(game__scoresheet__table__session__stage__event=event)
    played = list(lines.select_related("entrant").order_by("letter"))
    turns = Turn.objects.using(using).filter(line__game__scoresheet__table__session__stage__event=event)
    signatures = Signature.objects.using(using).filter(**here).select_related("entrant", "drawing").order_by("letter")
    attach_rows(played, "turns", turns.order_by("number"), "line_id")
    attach_rows(games, "lines", played, "game_id")
    attach_rows(sheets, "games", games, "scoresheet_id")
    attach_rows(sheets, "signatures", signatures, "scoresheet_id")
    attach_rows([sheet.table for sheet in sheets], "seats", seats, "table_id")
    return sheets


def attach_rows(owners: Iterable[Any], name: str, rows: Iterable[Any], key: str) -> None:
    """Hand each owner its rows, as a prefetch does."""
    found = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    for owner in owners:
        kept = getattr(owner, name).all()
        kept._result_cache, kept._prefetch_done = found[owner.pk], True
        owner._prefetched_objects_cache = {**getattr(owner, "_prefetched_objects_cache", {}), name: kept}


def confirmations_of(event: Event, using: str) -> list[tuple[int, Any]]:
    """Of each scoresheet whose values have a digest its key and what was confirmed on it."""
    valued = Q(state__in=(SheetState.READY, *LOCKED_STATES)) | Q(state=SheetState.DISPUTED) & ~Q(digest="")
    rows = Scoresheet.objects.using(using).filter(valued, table__session__stage__event=event)
    return list(rows.order_by("pk").values_list("pk", "confirmations"))


def releases_in_order(event: Event, using: str) -> list[Release]:
    """Every release, by stage and number."""
    rows = Release.objects.using(using).filter(stage__event=event).select_related("stage")
    return list(rows.order_by("stage_id", "number"))


def all_mailings(event: Event, using: str) -> list[Mailing]:
    """Every mailing, with what it tells, in order."""
    rows = Mailing.objects.using(using).filter(event=event.pk)
    return list(rows.select_related("event", "notice").order_by("pk"))


def subject_ref(row: Any) -> str:
    """A row as the log names what it is about, as near as one can say it of every table."""
    named: tuple[tuple[str, Callable[[Any], str]], ...] = (
        ("game", lambda one: subject_ref(one) if isinstance(one, Game) else ""),
        ("entrant", lambda one: f"entrant {one}"),
        ("scoresheet", lambda one: scoresheets.sheet_subject(one.table, one.version)),
        ("table", lambda one: f"table {scoresheets.sheet_serial(one)}"),
        ("session", lambda one: f"session {one.code}"),
    )
    if isinstance(row, Scoresheet):
        return scoresheets.sheet_subject(row.table, row.version)
    for name, said in named:
        if (one := getattr(row, name, None)) and (found := said(one)):
            return found
    number = getattr(row, "number", None) or getattr(row, "slug", None) or row.pk
    return f"{row._meta.verbose_name_raw} {number}"
