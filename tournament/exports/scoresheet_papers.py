"""The values of papers out of rows: what was printed, or, where nothing was printed yet, a sample of what would be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from tournament.exports.scoresheet_pdf import PrintedSeat, PrintedSheet
from tournament.models import Entrant, SheetPrint, Table
from tournament.queries import seating as queries
from tournament.queries.finalists import round_of

# Of a table and the number of its paper (0: a sample), the address that its QR code leads to.
Address = Callable[[Table, int], str]


def papers_of(
    tables: Sequence[Table], prints: Mapping[tuple[int, int], SheetPrint], games: int | None, address: Address
) -> list[PrintedSheet]:
    """A sheet a table, as its newest print says; three queries at most, whatever their number, and one for each session
    of a final that has rounds.

    `tables` as `queries.tables_to_print` reads them. A ruleset without a number of games plays as many as there are
    players (twist).
    """
    entrants = _entrants(tables, prints)
    rounds = {session.pk: round_of(session) for session in {table.session for table in tables}}
    return [
        replace(
            _paper(table, prints.get((table.session_id, table.number)), entrants, games, address),
            round=rounds[table.session_id],
        )
        for table in tables
    ]


def _entrants(
    tables: Sequence[Table], prints: Mapping[tuple[int, int], SheetPrint]
) -> Mapping[tuple[int, int], Entrant]:
    """Everyone who stands on a paper, by event and number: also who no longer sits there."""
    found = {
        (seat.entrant.event_id, seat.entrant.number): seat.entrant for table in tables for seat in table.seats.all()
    }
    events = {table.session_id: table.session.stage.event_id for table in tables}
    printed = {
        (events[one.session_id], number)
        for one in prints.values()
        if one.session_id in events
        for number in one.seats.values()
    }
    missing = printed - found.keys()
    if missing:
        others = Entrant.objects.filter(
            event__in={event for event, _number in missing}, number__in={number for _event, number in missing}
        )
        found |= {(one.event_id, one.number): one for one in others.select_related("person")}
    return found


def _paper(
    table: Table,
    printed: SheetPrint | None,
    entrants: Mapping[tuple[int, int], Entrant],
    games: int | None,
    address: Address,
) -> PrintedSheet:
    session = table.session
    event = session.stage.event
    seats = {seat.letter: seat.entrant.number for seat in table.seats.all()} if printed is None else printed.seats
    referee: AbstractUser | None = table.referee if printed is None else printed.referee
    number = printed.number if printed else 0
    starts, ends = timezone.localtime(session.play_at), timezone.localtime(session.ends_at)
    return PrintedSheet(
        event_zh=event.name_zh,
        event_en=event.name_en,
        stage=session.stage.kind,
        day=starts.date(),
        session=session.number_of_day,
        starts=starts.time(),
        ends=ends.time(),
        table=table.number,
        referee=(referee.first_name or referee.username) if referee else "",
        games=games or len(seats),
        seats={letter: _seat(entrants[event.pk, held]) for letter, held in seats.items()},
        serial=queries.paper_serial(session, table.number, number),
        url=address(table, number),
        number=number,
    )


def _seat(entrant: Entrant) -> PrintedSeat:
    person = entrant.person
    if person.name_zh:
        return PrintedSeat(entrant.number, person.name_zh, person.name_en)
    return PrintedSeat(entrant.number, person.name_en)
