"""The values of papers: what was kept of them when they were printed, or, where that is nothing, a sample of what would
be printed now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, time

from scoring.ruleset import Ruleset
from tournament.core.exports.pdf_names import paper_name
from tournament.entrants.models.people import Entrant
from tournament.events.queries import round_of
from tournament.sheets.exports.printed import PrintedSeat, PrintedSheet
from tournament.tables.models import SheetPrint, Table
from tournament.tables.queries import seating as queries
from tournament.tables.queries.papers import (
    PrintedPaperContent,
    paper_head_of,
    printed_content_of,
    referee_name_on_paper,
)

# Of a table and the number of its paper (0: a sample), the address that its QR code leads to.
SheetAddressMaker = Callable[[Table, int], str]


def printed_sheets_of_tables(
    tables: Sequence[Table], prints: Mapping[tuple[int, int], SheetPrint], ruleset: Ruleset, address: SheetAddressMaker
) -> list[PrintedSheet]:
    """A sheet a table, as its newest print was kept; where none was, a sample. One query more for each session of a
    final that has rounds.

    `tables` as `queries.tables_to_print` reads them.
    """
    rounds = {session.pk: round_of(session) for session in {table.session for table in tables}}
    return [
        _sheet_as_printed(table, kept, address)
        if (kept := kept_paper_content(prints.get((table.session_id, table.number))))
        else replace(_sample_sheet(table, ruleset, address), round=rounds[table.session_id])
        for table in tables
    ]


def kept_paper_content(printed: SheetPrint | None) -> PrintedPaperContent | None:
    """What was kept of a paper, if there is one."""
    return printed_content_of(printed) if printed else None


def _sheet_as_printed(table: Table, kept: PrintedPaperContent, address: SheetAddressMaker) -> PrintedSheet:
    """The paper as it was printed; of an erased name there is the number alone."""
    rounds = kept["round"]
    return PrintedSheet(
        event_zh=kept["event"][0],
        event_en=kept["event"][1],
        stage=kept["stage"],
        stage_names=(table.session.stage.name_zh, table.session.stage.name_en),
        only_stage=table.session.stage.is_only,
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
        turns=kept.get("turns", False),
    )


def _sample_sheet(table: Table, ruleset: Ruleset, address: SheetAddressMaker) -> PrintedSheet:
    """What would be printed now."""
    session = table.session
    head, event = paper_head_of(session), session.stage.event
    return PrintedSheet(
        event_zh=event.name_zh,
        event_en=event.name_en,
        stage=session.stage.kind,
        stage_names=(session.stage.name_zh, session.stage.name_en),
        only_stage=session.stage.is_only,
        day=date.fromisoformat(head["day"]),
        session=head["known"] or head["session"],
        replay=bool(head["known"]),
        starts=time.fromisoformat(head["starts"]),
        ends=time.fromisoformat(head["ends"]),
        table=table.number,
        referee=referee_name_on_paper(table),
        games=ruleset.games_at_table(len(table.seats.all())),
        seats={seat.letter: _printed_seat(seat.entrant) for seat in table.seats.all()},
        serial=queries.paper_serial(session, table.number, 0),
        url=address(table, 0),
        number=0,
        turns=ruleset.counts_turns,
    )


def _printed_seat(entrant: Entrant) -> PrintedSeat:
    name = paper_name(entrant.number, entrant.person.name_zh, entrant.person.name_en)
    return PrintedSeat(entrant.number, name.first, name.note or name.second)
