"""All that a paper says, kept with its print, so that it can be drawn again as it was and held against what stands.

`{"event": [zh, en], "stage", "day", "session", "starts", "ends", "table", "number", "serial", "referee", "games",
"round": [one, of] or null, "seats": {letter: {"number", "name_zh", "name_en", "name", "second"}}}`; `name` and `second`
as the fonts of that day could print them. The address in the QR code follows the serial and is not kept.
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.bridge.rulesets import ruleset_of
from tournament.errors import Refused
from tournament.exports.pdf_names import paper_name
from tournament.models import Entrant, Event, PrintedContent, Session, SheetPrint, Table
from tournament.queries.finalists import round_of
from tournament.queries.seating import paper_serial
from tournament.queries.seating_papers import head_of, names_of, referee_name

SALT_BYTES = 16
ALTERED = _("What was kept of paper %(serial)s is not what was printed. Tell whoever looks after the installation.")


def contents_of(session: Session, papers: Iterable[tuple[Table, int]]) -> list[PrintedContent]:
    """Of tables, each with the number of its new paper: all that the paper says, with a salt, not saved yet."""
    stage, rounds = session.stage, round_of(session)
    games = ruleset_of(stage).games
    head = {"event": names_of(stage.event), "stage": str(stage.kind), **head_of(session)}
    head["round"] = list(rounds) if rounds else None
    return [
        PrintedContent(content={**head, **of_table(session, table, number, games)}, salt=secrets.token_hex(SALT_BYTES))
        for table, number in papers
    ]


def of_table(session: Session, table: Table, number: int, games: int | None) -> dict[str, Any]:
    """A table's own part. Rules without a number of games play as many as there are players (twist)."""
    seats = {seat.letter: of_seat(seat.entrant) for seat in table.seats.all()}
    return {
        "table": table.number,
        "number": number,
        "serial": paper_serial(session, table.number, number),
        "referee": referee_name(table),
        "games": games or len(seats),
        "seats": seats,
    }


def of_seat(entrant: Entrant) -> dict[str, Any]:
    """Who sits there: the names as entered, and as they are printed."""
    person = entrant.person
    name = paper_name(entrant.number, person.name_zh, person.name_en)
    entered = {"number": entrant.number, "name_zh": person.name_zh, "name_en": person.name_en}
    return {**entered, "name": name.first, "second": name.note or name.second}


def digest_of(kept: PrintedContent) -> str:
    """SHA-256 over salt and canonical content."""
    text = json.dumps(kept.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{kept.salt}{text}".encode()).hexdigest()


def keep(papers: Sequence[SheetPrint], said: Sequence[PrintedContent]) -> None:
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
        if digest_of(kept) != paper.digest:
            raise Refused("paper_altered", ALTERED, paper, serial=kept.content["serial"])


# --- Erasure --------------------------------------------------------------------------------------------
def naming(event: Event, numbers: Collection[int] | None) -> list[PrintedContent]:
    """What is kept with a name of these entrants on it; None: of anybody."""
    rows = PrintedContent.objects.filter(print__session__stage__event=event).exclude(content=None)
    return [row for row in rows if numbers is None or named(row, numbers)]


def named(kept: PrintedContent, numbers: Collection[int]) -> bool:
    """Whether a name of these stands on it still."""
    gone = set(kept.content.get("erased", ()))
    return any(seat["number"] in numbers and seat["number"] not in gone for seat in kept.content["seats"].values())


def forget(event: Event, numbers: Collection[int] | None) -> int:
    """Blank the names of these entrants on every paper; None: everything that is kept. How many papers they were."""
    rows = naming(event, numbers)
    for row in rows:
        row.salt = ""
        row.content = without_names(row.content, numbers) if numbers is not None else None
    PrintedContent.objects.bulk_update(rows, ["content", "salt"])
    return len(rows)


def without_names(content: dict[str, Any], numbers: Collection[int]) -> dict[str, Any]:
    """The same paper with these entrants' numbers alone."""
    seats = {
        letter: {**seat, "name_zh": "", "name_en": "", "name": "", "second": ""} if seat["number"] in numbers else seat
        for letter, seat in content["seats"].items()
    }
    gone = {seat["number"] for seat in seats.values()} & set(numbers)
    return {**content, "seats": seats, "erased": sorted(gone | set(content.get("erased", ())))}
