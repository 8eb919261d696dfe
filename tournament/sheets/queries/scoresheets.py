"""Reads about scoresheets: one table's sheet, a session's board, the stage's progress."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from tournament.audit.models import AuditEntry
from tournament.core.enums import LOCKED_STATES, EntrantStatus, Role, SheetState
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.entrants.queries.finalists import lists, status_at
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.queries.counted_sheets import official_sheets_that_count
from tournament.sheets.queries.status import seats_with_stage_status
from tournament.sheets.queries.values import value_setters_of
from tournament.tables.models import Seat, SheetPrint, Table
from tournament.tables.queries.seating import is_draw_confirmed

STAMPED_STATE = "stamped"
BOARD_STATES = (SheetState.OPEN, SheetState.DRAFT, SheetState.READY, SheetState.CERTIFIED, STAMPED_STATE)


def sheet_serial(table: Table) -> str:
    """The serial on the paper: `0406-3-06`."""
    return f"{table.session.code}-{table.number:02d}"


def newest_paper(table: Table) -> int:
    """The number of the table's newest print; 0 before the first."""
    prints = SheetPrint.objects.filter(session=table.session_id, table_number=table.number)
    return prints.order_by("-number").values_list("number", flat=True).first() or 0


def scans_of(table: Table) -> list[Scan]:
    """Every scan of the table's papers, the newest first, with who attached it."""
    scans = Scan.objects.filter(session=table.session_id, table_number=table.number)
    return list(scans.select_related("by").order_by("-id"))


def sheet_subject(table: Table, version: int) -> str:
    """How the audit log names one version of a sheet."""
    return f"scoresheet {sheet_serial(table)} v{version}"


def find_table_of_event(event: Event, session: int, table: int) -> Table | None:
    """A table of the event, of whichever stage, with all that its sheet needs; None where there is no such table."""
    return (
        Table.objects.filter(session__stage__event=event, session__number=session, number=table)
        .select_related("session__stage__event", "session__draw", "referee")
        .first()
    )


def find_table_by_serial(event: Event, month: int, day: int, number_of_day: int, table: int) -> Table | None:
    """The table whose paper bears this serial."""
    return (
        Table.objects.filter(
            session__stage__event=event,
            session__original_date__month=month,
            session__original_date__day=day,
            session__number_of_day=number_of_day,
            number=table,
        )
        .select_related("session")
        .first()
    )


def find_session_of_event(event: Event, session: int) -> Session | None:
    """A session of the event with its stage, event and draw; None where there is no such session."""
    return Session.objects.filter(stage__event=event, number=session).select_related("stage__event", "draw").first()


def seats_as_judged(table: Table) -> list[Seat]:
    """The table's seats in the order of play, each with its entrant, as a sheet is judged, and that one's name."""
    seats = Seat.objects.filter(table=table).select_related("entrant__person").prefetch_related(lists("entrant__"))
    return seats_with_stage_status(seats.order_by("letter"), table.session.stage)


def versions_in_hand(table: Table) -> QuerySet[Scoresheet]:
    """The table's versions, the newest first, without corrections that were given up."""
    return Scoresheet.objects.filter(table=table).exclude(version__gt=1, state=SheetState.VOID).order_by("-version")


def current_sheet(table: Table) -> Scoresheet | None:
    """The version in hand: the newest, a correction among them; None while the sheet has not been received."""
    return versions_in_hand(table).select_related("typed_by", "locked_by", "stamp__by", "correction").first()


def is_ranked(sheet: Scoresheet) -> bool:
    """Whether the ranking reads this version now."""
    return official_sheets_that_count().filter(scoresheet=sheet).exists()


def official_sheet(table: Table) -> Scoresheet | None:
    """The version that counts; None before one is locked."""
    counted = OfficialSheet.objects.filter(table=table).select_related("scoresheet__stamp__by").first()
    return counted.scoresheet if counted else None


def all_versions_of_table(table: Table) -> list[Scoresheet]:
    """Every version there ever was, oldest first, with who locked it and why it was made."""
    return list(
        Scoresheet.objects.filter(table=table)
        .select_related("typed_by", "locked_by", "stamp__by", "correction")
        .order_by("version")
    )


def sheet_version_history(event: Event, table: Table, version: int) -> list[AuditEntry]:
    """All that was done to one version, oldest first."""
    entries = AuditEntry.objects.filter(event=event, subject=sheet_subject(table, version))
    return list(entries.select_related("actor").order_by("seq"))


def games_with_lines(sheet: Scoresheet) -> list[Game]:
    """The games of a sheet that is ready or locked, each with its lines and their turns; three queries."""
    return list(sheet.games.prefetch_related("lines__turns").order_by("number"))


def signatures_of_sheet(sheet: Scoresheet) -> list[Signature]:
    """What was drawn on a tablet or recorded by the second person for these values, by seat."""
    rows = sheet.signatures.filter(superseded_at=None)
    return list(
        rows.select_related("entrant__person", "recorded_by", "chief_judge", "device", "drawing").order_by("letter")
    )


def live_signatures(sheet: Scoresheet) -> dict[str, Signature]:
    """By seat, what was drawn for the values as they are. Before the lock there is no other signature."""
    return {signature.letter: signature for signature in signatures_of_sheet(sheet)}


def stamp_of_sheet(sheet: Scoresheet) -> Stamp | None:
    """The stamp on a version, where it has one."""
    return getattr(sheet, "stamp", None)


@dataclass(frozen=True)
class BoardTable:
    """One table on a session's board. `state` is the sheet's, or `stamped`.

    `sheet` is the version that counts, else the first; `correction` the one that shall take its place.
    """

    table: Table
    seats: Sequence[Seat]
    sheet: Scoresheet | None
    stamp: Stamp | None
    correction: Scoresheet | None = None
    to_be_typed_again: bool = False

    @property
    def serial(self) -> str:
        """The serial on the paper."""
        return sheet_serial(self.table)

    @property
    def state(self) -> str:
        """The sheet's state; not received where there is none."""
        if self.stamp is not None:
            return STAMPED_STATE
        return self.sheet.state if self.sheet else SheetState.OPEN

    @property
    def since(self) -> datetime:
        """Since when it stands in its state; a sheet that has not come is awaited from the session's end on."""
        if self.stamp is not None:
            return self.stamp.at
        if self.sheet is None:
            return self.table.session.ends_at
        return self.sheet.state_since or self.sheet.locked_at or self.sheet.typed_at or self.table.session.ends_at

    @property
    def present(self) -> int:
        """How many sit there who have not been recorded as absent or as having left."""
        return sum(seat.entrant.status == EntrantStatus.OK for seat in self.seats)


@dataclass(frozen=True)
class SessionBoard:
    """A session's tables in order, and how many stand in each state."""

    session: Session
    tables: Sequence[BoardTable]

    @property
    def counts(self) -> Mapping[str, int]:
        """Tables by state; a stamped one is counted as that alone."""
        found = Counter(table.state for table in self.tables)
        return {state: found.get(state, 0) for state in (*BOARD_STATES, SheetState.DISPUTED, SheetState.VOID)}

    @property
    def pairs(self) -> Sequence[Sequence[BoardTable]]:
        """Two tables to a referee (R8)."""
        return [self.tables[place : place + 2] for place in range(0, len(self.tables), 2)]

    @property
    def longest(self) -> Sequence[BoardTable]:
        """What is not stamped yet, the longest wait first."""
        return sorted((table for table in self.tables if table.state != STAMPED_STATE), key=lambda table: table.since)

    @property
    def to_stamp(self) -> Sequence[BoardTable]:
        """Locked sheets without a stamp."""
        return [table for table in self.tables if table.state in LOCKED_STATES]

    @property
    def unfinished(self) -> Sequence[BoardTable]:
        """Tables whose sheet is not locked yet."""
        return [table for table in self.tables if table.state not in (*LOCKED_STATES, STAMPED_STATE)]

    @property
    def corrections(self) -> Sequence[BoardTable]:
        """Tables with a correction in hand."""
        return [table for table in self.tables if table.correction]

    def to_type(self, after: int = 0) -> BoardTable | None:
        """The next table that waits for a typist, round and round from a table's number."""
        return self._next(after, [t for t in self.tables if t.state in (SheetState.OPEN, SheetState.DRAFT)])

    def to_check(self, user_id: int | None, after: int = 0) -> BoardTable | None:
        """The next sheet that waits for a second person, who is not its typist."""
        waiting = [t for t in self.tables if t.sheet and t.state == SheetState.READY]
        return self._next(after, [t for t in waiting if not t.to_be_typed_again and is_typed_by_others(t, user_id)])

    def to_type_again(self, user_id: int | None, after: int = 0) -> BoardTable | None:
        """The next sheet that waits to be typed a second time, by another account than its typist's."""
        return self._next(after, [t for t in self.tables if t.to_be_typed_again and is_typed_by_others(t, user_id)])

    @staticmethod
    def _next(after: int, waiting: Sequence[BoardTable]) -> BoardTable | None:
        later = [table for table in waiting if table.table.number > after]
        return next(iter(later or waiting), None)


def is_typed_by_others(table: BoardTable, user_id: int | None) -> bool:
    """Whether none of the values of this table's sheet are this account's."""
    return table.sheet is not None and user_id not in value_setters_of(table.sheet)


def session_board(session: Session) -> SessionBoard:
    """The session's board in a number of queries that does not grow with its tables."""
    sheets = Scoresheet.objects.select_related("stamp", "typed_by", "double_entry").order_by("version")
    seats = Seat.objects.select_related("entrant").prefetch_related(lists("entrant__")).order_by("letter")
    tables = (
        Table.objects.filter(session=session)
        .select_related("referee", "official_sheet")
        .prefetch_related(Prefetch("scoresheets", queryset=sheets), Prefetch("seats", queryset=seats))
        .order_by("number")
    )
    rows = []
    for table in tables:
        table.session = session
        for seat in table.seats.all():
            seat.entrant.status = status_at(seat.entrant, session.stage)
        rows.append(board_table_of(table))
    return SessionBoard(session, rows)


def board_table_of(table: Table) -> BoardTable:
    """A table with its versions at hand, the oldest first."""
    versions = list(table.scoresheets.all())
    official = getattr(table, "official_sheet", None)
    counts = next((one for one in versions if official and one.pk == official.scoresheet_id), None)
    sheet = counts or (versions[0] if versions else None)
    working = (SheetState.DRAFT, SheetState.READY)
    correction = next((one for one in versions[1:] if one.state in working), None)
    stamp = stamp_of_sheet(sheet) if sheet else None
    return BoardTable(table, list(table.seats.all()), sheet, stamp, correction, needs_double_entry(table, sheet))


def needs_double_entry(table: Table, sheet: Scoresheet | None) -> bool:
    """Whether the second account has not typed this sheet yet, though the setting asks for it."""
    if sheet is None or sheet.state != SheetState.READY or not has_double_entry(table):
        return False
    second = getattr(sheet, "double_entry", None)
    return second is None or not second.done or second.form != sheet.form


# --- Which sheets are typed twice -----------------------------------------------------------------------
def is_serial_in_share(event_slug: str, text: str, percent: int) -> bool:
    """Whether the sheet with this serial is among the share: the same on every machine, and for nobody to choose.

    A greater share holds every sheet of a smaller one.
    """
    lot = int.from_bytes(hashlib.sha256(f"{event_slug} {text}".encode()).digest()[:8], "big")
    return lot % 100 < percent


def has_double_entry(table: Table) -> bool:
    """Whether this table's sheet is to be typed a second time, by its stage's setting."""
    stage = table.session.stage
    return is_serial_in_share(stage.event.slug, sheet_serial(table), stage.second_typing_percent)


def double_entry_of(sheet: Scoresheet) -> DoubleEntry | None:
    """What the second account has typed of a version, if it was begun."""
    return DoubleEntry.objects.filter(scoresheet=sheet).select_related("typed_by", "adjudicated_by").first()


def has_judged(sheet: Scoresheet, user_id: int | None) -> bool:
    """Whether this account is the chief judge's of a version that was disputed: it was shown the values to decide."""
    disputed = Dispute.objects.filter(scoresheet=sheet).exists()
    judge = Membership.objects.filter(event__stages=sheet.table.session.stage_id, role=Role.CHIEF_JUDGE, user=user_id)
    return disputed and judge.exists()


@dataclass(frozen=True)
class SessionProgress:
    """One session on the list of all: tables, and how far their sheets have come."""

    session: Session
    tables: int
    draft: int
    ready: int
    locked: int
    stamped: int

    @property
    def drawn(self) -> bool:
        """Whether its draw is confirmed."""
        return is_draw_confirmed(self.session)

    @property
    def open(self) -> int:
        """Tables whose sheet has not been received."""
        return self.tables - self.draft - self.ready - self.locked

    @property
    def unstamped(self) -> int:
        """The number of sheets locked and not yet stamped."""
        return self.locked - self.stamped


def session_progress_list(event: Event) -> list[SessionProgress]:
    """Every session of the event with its counts: three queries, however many sessions there are."""
    sessions = (
        Session.objects.filter(stage__event=event)
        .select_related("draw", "stage")
        .annotate(tables_made=Count("tables"))
        .order_by("number")
    )
    locked = Q(scoresheet__state__in=LOCKED_STATES)
    official = (
        OfficialSheet.objects.filter(table__session__stage__event=event)
        .values("table__session_id")
        .annotate(locked=Count("id", filter=locked), stamped=Count("scoresheet__stamp", filter=locked))
    )
    done = {row["table__session_id"]: (row["locked"], row["stamped"]) for row in official}
    working = (
        Scoresheet.objects.filter(
            table__session__stage__event=event, version=1, state__in=(SheetState.DRAFT, SheetState.READY)
        )
        .values("table__session_id", "state")
        .annotate(count=Count("id"))
    )
    found = {(row["table__session_id"], row["state"]): row["count"] for row in working}
    return [
        SessionProgress(
            session,
            session.tables_made,
            found.get((session.pk, SheetState.DRAFT), 0),
            found.get((session.pk, SheetState.READY), 0),
            *done.get(session.pk, (0, 0)),
        )
        for session in sessions
    ]


def newest_sheets() -> QuerySet[Scoresheet]:
    """Each table's newest version, unordered; a correction only once it counts."""
    newer = Scoresheet.objects.filter(table=OuterRef("table"), version__gt=OuterRef("version"), state__in=LOCKED_STATES)
    return Scoresheet.objects.filter(~Exists(newer), Q(version=1) | Q(state__in=LOCKED_STATES)).order_by()
