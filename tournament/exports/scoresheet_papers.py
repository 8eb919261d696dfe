"""The values of papers: what was kept of them when they were printed, or, where that is nothing, a sample of what would
be printed now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, time

from tournament.exports.pdf_names import paper_name
from tournament.exports.scoresheet_pdf import PrintedSeat, PrintedSheet
from tournament.models import Entrant, SheetPrint, Table
from tournament.queries import seating as queries
from tournament.queries.finalists import round_of
from tournament.queries.seating_papers import Content, head_of, kept_of, referee_name

# Of a table and the number of its paper (0: a sample), the address that its QR code leads to.
Address = Callable[[Table, int], str]


def papers_of(
    tables: Sequence[Table], prints: Mapping[tuple[int, int], SheetPrint], games: int | None, address: Address
) -> list[PrintedSheet]:
    """A sheet a table, as its newest print was kept; where none was, a sample. One query more for each session of a
    final that has rounds.

    `tables` as `queries.tables_to_print` reads them. A ruleset without a number of games plays as many as there are
    players (twist).
    """
    rounds = {session.pk: round_of(session) for session in {table.session for table in tables}}
    return [
        _kept(table, kept, address)
        if (kept := kept_in(prints.get((table.session_id, table.number))))
        else replace(_sample(table, games, address), round=rounds[table.session_id])
        for table in tables
    ]


def kept_in(printed: SheetPrint | None) -> Content | None:
    """What was kept of a paper, if there is one."""
    return kept_of(printed) if printed else None


def _kept(table: Table, kept: Content, address: Address) -> PrintedSheet:
    """The paper as it was printed; of an erased name there is the number alone."""
    rounds = kept["round"]
    return PrintedSheet(
        event_zh=kept["event"][0],
        event_en=kept["event"][1],
        stage=kept["stage"],
        day=date.fromisoformat(kept["day"]),
        session=kept.get("known") or kept["session"],
        replay=bool(kept.get("known")),
        starts=time.fromisoformat(kept["starts"]),
        ends=time.fromisoformat(kept["ends"]),
        table=kept["table"],
        referee=kept["referee"],
        games=kept["games"],
        seats={
            letter: PrintedSeat(seat["number"], seat["name"], seat["second"]) for letter, seat in kept["seats"].items()
        },
        serial=kept["serial"],
        url=address(table, kept["number"]),
        number=kept["number"],
        round=(rounds[0], rounds[1]) if rounds else None,
    )


def _sample(table: Table, games: int | None, address: Address) -> PrintedSheet:
    """What would be printed now."""
    session = table.session
    head, event = head_of(session), session.stage.event
    return PrintedSheet(
        event_zh=event.name_zh,
        event_en=event.name_en,
        stage=session.stage.kind,
        day=date.fromisoformat(head["day"]),
        session=head["known"] or head["session"],
        replay=bool(head["known"]),
        starts=time.fromisoformat(head["starts"]),
        ends=time.fromisoformat(head["ends"]),
        table=table.number,
        referee=referee_name(table),
        games=games or len(table.seats.all()),
        seats={seat.letter: _seat(seat.entrant) for seat in table.seats.all()},
        serial=queries.paper_serial(session, table.number, 0),
        url=address(table, 0),
        number=0,
    )


def _seat(entrant: Entrant) -> PrintedSeat:
    name = paper_name(entrant.number, entrant.person.name_zh, entrant.person.name_en)
    return PrintedSeat(entrant.number, name.first, name.note or name.second)
