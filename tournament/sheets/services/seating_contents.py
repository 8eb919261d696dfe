"""All that a paper says, kept with its print, so that it can be drawn again as it was and held against what stands.

`{"event": [zh, en], "stage", "day", "session", "starts", "ends", "table", "number", "serial", "referee", "games",
"turns": true (only where the sheet counts turns), "round": [one, of] or null, "seats": {letter: {"number", "name_zh",
"name_en", "name", "second"}}}`; `name` and `second`
as the fonts of that day could print them. The address in the QR code follows the serial and is not kept.
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.ruleset import Ruleset
from tournament.core.errors import Refused
from tournament.core.exports.pdf_names import paper_name
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.domain import ruleset_of_stage
from tournament.events.queries import round_of
from tournament.tables.models import PrintedContent, SheetPrint, Table
from tournament.tables.queries.papers import event_names_on_paper, paper_head_of, referee_name_on_paper
from tournament.tables.queries.seating import paper_serial

SALT_BYTES = 16
PAPER_CONTENT_ALTERED = _(
    "What was kept of paper %(serial)s is not what was printed. Tell whoever looks after the installation."
)


def build_printed_contents(session: Session, papers: Iterable[tuple[Table, int]]) -> list[PrintedContent]:
    """Of tables, each with the number of its new paper: all that the paper says, with a salt, not saved yet."""
    stage, rounds = session.stage, round_of(session)
    ruleset = ruleset_of_stage(stage)
    head = {"event": event_names_on_paper(stage.event), "stage": str(stage.kind), **paper_head_of(session)}
    head["round"] = list(rounds) if rounds else None
    return [
        PrintedContent(
            content={**head, **table_content(session, table, number, ruleset)}, salt=secrets.token_hex(SALT_BYTES)
        )
        for table, number in papers
    ]


def table_content(session: Session, table: Table, number: int, ruleset: Ruleset) -> dict[str, Any]:
    """A table's own part."""
    seats = {seat.letter: seat_content(seat.entrant) for seat in table.seats.all()}
    return {
        "table": table.number,
        "number": number,
        "serial": paper_serial(session, table.number, number),
        "referee": referee_name_on_paper(table),
        "games": ruleset.games_at_table(len(seats)),
        **({"turns": True} if ruleset.counts_turns else {}),
        "seats": seats,
    }


def seat_content(entrant: Entrant) -> dict[str, Any]:
    """Who sits there: the names as entered, and as they are printed."""
    person = entrant.person
    name = paper_name(entrant.number, person.name_zh, person.name_en)
    entered = {"number": entrant.number, "name_zh": person.name_zh, "name_en": person.name_en}
    return {**entered, "name": name.first, "second": name.note or name.second}


def printed_content_digest(kept: PrintedContent) -> str:
    """SHA-256 over salt and canonical content."""
    text = json.dumps(kept.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{kept.salt}{text}".encode()).hexdigest()


def store_printed_contents(papers: Sequence[SheetPrint], said: Sequence[PrintedContent]) -> None:
    """Each content with its paper."""
    for paper, kept in zip(papers, said, strict=True):
        kept.print = paper
    PrintedContent.objects.bulk_create(said)


def require_unaltered(papers: Iterable[SheetPrint]) -> None:
    """Refuse to draw what is not what was printed; where names were erased there is nothing to compare."""
    for paper in papers:
        kept: PrintedContent | None = getattr(paper, "kept", None)
        if kept is None or kept.content is None or "erased" in kept.content:
            continue
        if printed_content_digest(kept) != paper.digest:
            raise Refused("paper_altered", PAPER_CONTENT_ALTERED, paper, serial=kept.content["serial"])


# --- Erasure --------------------------------------------------------------------------------------------
def printed_contents_naming(event: Event, numbers: Collection[int] | None) -> list[PrintedContent]:
    """What is kept with a name of these entrants on it; None: of anybody."""
    rows = PrintedContent.objects.filter(print__session__stage__event=event).exclude(content=None)
    return [row for row in rows if numbers is None or is_named_on_paper(row, numbers)]


def is_named_on_paper(kept: PrintedContent, numbers: Collection[int]) -> bool:
    """Whether a name of these stands on it still."""
    content = kept.content or {"seats": {}}
    gone = set(content.get("erased", ()))
    return any(seat["number"] in numbers and seat["number"] not in gone for seat in content["seats"].values())


def blank_names_on_papers(event: Event, numbers: Collection[int] | None) -> int:
    """Blank the names of these entrants on every paper; None: everything that is kept. How many papers they were."""
    rows = printed_contents_naming(event, numbers)
    for row in rows:
        row.salt = ""
        row.content = content_without_names(row.content or {}, numbers) if numbers is not None else None
    PrintedContent.objects.bulk_update(rows, ["content", "salt"])
    return len(rows)


def content_without_names(content: dict[str, Any], numbers: Collection[int]) -> dict[str, Any]:
    """The same paper with these entrants' numbers alone."""
    seats = {
        letter: {**seat, "name_zh": "", "name_en": "", "name": "", "second": ""} if seat["number"] in numbers else seat
        for letter, seat in content["seats"].items()
    }
    gone = {seat["number"] for seat in seats.values()} & set(numbers)
    return {**content, "seats": seats, "erased": sorted(gone | set(content.get("erased", ())))}
