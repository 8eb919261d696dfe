"""Entrants as the import, the lists and the desk read them: no writes, as many queries for one as for a thousand."""

import re
from collections.abc import Mapping
from itertools import accumulate

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from tournament.enums import LOCKED_STATES, EntrantStatus, SessionState, StageKind
from tournament.models import (
    AuditEntry,
    Entrant,
    EntrantFile,
    Event,
    Finalist,
    Line,
    Ruling,
    Scoresheet,
    Seat,
    Session,
)
from tournament.names import fold, search_keys

# What people type between the digits of a phone; fewer digits would find too many.
BETWEEN_DIGITS = re.compile(r"[\s()+-]")
FEWEST_DIGITS = 4


def preliminary_sessions(event: Event) -> list[Session]:
    """The sessions that entrants are entered for, in order."""
    return list(Session.objects.filter(stage__event=event, stage__kind=StageKind.PRELIMINARY).order_by("number"))


def entered(event: Event) -> list[Entrant]:
    """Everyone who is entered, with person, session and family at hand; one query."""
    return list(Entrant.objects.filter(event=event).select_related("person", "session", "family").order_by("number"))


def places_taken(event: Event) -> Mapping[int, int]:
    """Places taken by session id. A withdrawn entrant gives the place back; a no-show does not (R6), nor does who
    withdraws from the final."""
    rows = Entrant.objects.filter(event=event).exclude(status=EntrantStatus.WITHDRAWN, finalist=None)
    return dict(rows.values_list("session_id").annotate(places=Count("id")).values_list("session_id", "places"))


def highest_number(event: Event) -> int:
    """The highest entrant number given so far; 0 before the first."""
    return Entrant.objects.filter(event=event).order_by("-number").values_list("number", flat=True).first() or 0


def seated_for_certain(event: Event) -> frozenset[int]:
    """Ids of entrants whose seat in their own session stands in a confirmed draw."""
    seats = Seat.objects.filter(entrant__event=event, session=F("entrant__session"))
    return frozenset(seats.exclude(session__draw__confirmed_at=None).values_list("entrant_id", flat=True))


def on_locked_sheets(event: Event) -> tuple[frozenset[int], frozenset[int]]:
    """Ids of entrants who have games on a locked sheet (R41), those of a void session aside, which hold nobody in it;
    and of all whom any locked sheet names. One query."""
    lines = Line.objects.filter(entrant__event=event, game__scoresheet__state__in=LOCKED_STATES)
    rows = list(lines.values_list("entrant_id", "game__scoresheet__table__session__state").distinct())
    counting = frozenset(entrant for entrant, state in rows if state != SessionState.VOID)
    return counting, frozenset(entrant for entrant, _state in rows)


def with_locked_games(event: Event) -> frozenset[int]:
    """Ids of entrants whom a locked sheet that counts holds in their session."""
    return on_locked_sheets(event)[0]


def behind_locked_sheets(event: Event) -> frozenset[int]:
    """Ids of entrants whom any locked sheet names, of a void session too: voiding is taken back, and its games then
    count again for whoever bears the number by then."""
    return on_locked_sheets(event)[1]


def is_behind_locked_sheet(entrant: Entrant) -> bool:
    """Whether one entrant is among them."""
    return entrant.pk in behind_locked_sheets(entrant.event)


def matching(
    event: Event, *, text: str = "", session: int | None = None, status: str = "", phones: bool = False
) -> QuerySet[Entrant]:
    """Entrants by number or name, by the phone's last digits (four or more) where `phones`; by session and status.

    In a session of the final every finalist is entered. A name is found in whatever layout it is typed (`names`).
    """
    found = Entrant.objects.filter(event=event).select_related("person", "session", "family").order_by("number")
    if session is not None:
        in_final = Finalist.objects.filter(entrant=OuterRef("pk"), stage__sessions__number=session)
        found = found.filter(Q(session__number=session) | Exists(in_final))
    if status:
        found = found.filter(status=status)
    keys = search_keys(text)
    if not keys:
        return found
    either = Q(*(Q(person__name_key__contains=key) for key in keys))
    text = fold(text)
    if text.isascii() and text.isdigit():
        either |= Q(number=int(text[:9]))
    digits = BETWEEN_DIGITS.sub("", text).removeprefix("00")
    if phones and len(digits) >= FEWEST_DIGITS and digits.isascii() and digits.isdigit():
        either |= Q(person__phone__endswith=digits)
    return found.filter(either)


def entrant_of(event: Event, number: int) -> Entrant | None:
    """One entrant by number with person, session and family; None: nobody has it."""
    return (
        Entrant.objects.filter(event=event, number=number)
        .select_related("person", "session__stage", "family", "event", "finalist__stage")
        .first()
    )


def relatives_of(entrant: Entrant) -> list[Entrant]:
    """The others of the entrant's family by number: of a pair the other one."""
    if entrant.family_id is None:
        return []
    others = Entrant.objects.filter(family_id=entrant.family_id).exclude(pk=entrant.pk)
    return list(others.select_related("person", "session").order_by("number"))


def seat_of(entrant: Entrant) -> Seat | None:
    """Where the entrant sits in its own session; None before the draw."""
    return (
        Seat.objects.filter(entrant=entrant, session_id=entrant.session_id).select_related("table", "session").first()
    )


def final_seats_of(entrant: Entrant) -> list[Seat]:
    """Where a finalist sits in the final, session by session; one query."""
    seats = Seat.objects.filter(entrant=entrant, session__stage__kind=StageKind.FINAL)
    return list(seats.select_related("table", "session__stage").order_by("session__number"))


def locked_sheet_of(seat: Seat | None) -> Scoresheet | None:
    """The locked sheet of the entrant's table, which no later ruling changes (R41); None while it is open."""
    if seat is None:
        return None
    sheets = Scoresheet.objects.filter(official_for__table_id=seat.table_id)
    return sheets.first()


def sheets_of(entrant: Entrant) -> list[Scoresheet]:
    """Every version of every sheet of the tables where the entrant sits, in order; one query."""
    sheets = Scoresheet.objects.filter(table__seats__entrant=entrant).select_related("table__session", "stamp")
    return list(sheets.order_by("table__session__number", "version"))


def brought_by(entrant: Entrant) -> EntrantFile | None:
    """The file that entered this entrant; None where that cannot be told. Two or three queries.

    Files enter everyone, one after another under the event's lock, so that rows stand in the order of the files. Where
    the files' counts do not make up everyone, somebody came another way and nothing is said.
    """
    files = list(EntrantFile.objects.filter(event=entrant.event_id, imported_count__gt=0).order_by("imported_at", "id"))
    everyone = Entrant.objects.filter(event=entrant.event_id)
    if not files or sum(one.imported_count or 0 for one in files) != everyone.count():
        return None
    place = everyone.filter(pk__lte=entrant.pk).count()
    through = accumulate(one.imported_count or 0 for one in files)
    return next(one for one, last in zip(files, through, strict=True) if place <= last)


def rulings_of(entrant: Entrant) -> list[Ruling]:
    """Who decided what of this entrant, when and why (R46), the newest first; one query."""
    return list(Ruling.objects.filter(entrant=entrant).select_related("by"))


def history_of(entrant: Entrant, most: int = 100) -> list[AuditEntry]:
    """What was done to this entrant, by whom and why, the newest first; one query."""
    entries = AuditEntry.objects.filter(event_id=entrant.event_id, thing=f"entrant {entrant}")
    return list(entries.select_related("actor").order_by("-seq")[:most])
