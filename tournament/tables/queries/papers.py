"""A paper as it was printed, held against its table, its people and its hours as they stand."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone

from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.tables.models import PrintedContent, SheetPrint, Table

PrintedPaperContent = Mapping[str, Any]

# What of a paper may have changed. `unknown`: what it says was not kept.
PART_SEATS, PART_NAMES, PART_REFEREE, PART_TIMES, PART_EVENT, PART_UNKNOWN = (
    "seats",
    "names",
    "referee",
    "times",
    "event",
    "unknown",
)


def printed_content_of(paper: SheetPrint) -> PrintedPaperContent | None:
    """What was printed; None where it was not kept, or has been erased."""
    kept: PrintedContent | None = getattr(paper, "kept", None)
    return kept.content if kept else None


def changed_paper_parts(paper: SheetPrint, table: Table, session: Session) -> list[str]:
    """What of the paper is no more so, in the order of the page. `table` has its seats (entrant, person) at hand, the
    session its stage and event."""
    seats = {seat.letter: seat.entrant.number for seat in table.seats.all()}
    found = [PART_SEATS] if paper.seats != seats else []
    kept = printed_content_of(paper)
    if kept is None:
        moved = [PART_REFEREE] if paper.referee_id != table.referee_id else []
        return [*found, *moved, *([] if paper.digest else [PART_UNKNOWN])]
    if not found and letters_with_changed_names(kept, table):
        found.append(PART_NAMES)
    if paper.referee_id != table.referee_id or kept["referee"] != referee_name_on_paper(table):
        found.append(PART_REFEREE)
    return [*found, *changed_head_parts(kept, session)]


def letters_with_changed_names(kept: PrintedPaperContent, table: Table) -> list[str]:
    """The letters whose entrant is called otherwise now; an erased name is compared with nothing."""
    erased = set(kept.get("erased", ()))
    now = {seat.letter: seat.entrant for seat in table.seats.all()}
    return [
        letter
        for letter, seat in sorted(kept["seats"].items())
        if letter in now
        and seat["number"] not in erased
        and [seat["name_zh"], seat["name_en"]] != [now[letter].person.name_zh, now[letter].person.name_en]
    ]


def changed_head_parts(kept: PrintedPaperContent, session: Session) -> Iterator[str]:
    """Day, hours and number of the session; the event's names."""
    head = paper_head_of(session)
    if any(kept[name] != head[name] for name in ("day", "starts", "ends", "session")):
        yield PART_TIMES
    if kept["event"] != event_names_on_paper(session.stage.event):
        yield PART_EVENT


def paper_head_of(session: Session) -> dict[str, Any]:
    """The session as a paper's head has it."""
    starts, ends = timezone.localtime(session.play_at), timezone.localtime(session.ends_at)
    hours = {"starts": f"{starts:%H:%M}", "ends": f"{ends:%H:%M}"}
    known = session.known_number_of_day
    return {"day": starts.date().isoformat(), **hours, "session": session.number_of_day, "known": known}


def event_names_on_paper(event: Event) -> list[str]:
    """The event's names as a paper's head has them."""
    return [event.name_zh, event.name_en]


def referee_name_on_paper(table: Table) -> str:
    """The referee as a paper's head has the name; nothing where there is none."""
    return (table.referee.first_name or table.referee.username) if table.referee else ""
