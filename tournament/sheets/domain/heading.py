"""What stands at the head of a paper, compared as the cells are (R41): serial, date, session, table and referee.

`typed["heading"]`, where a page has asked: {"serial": as typed or scanned, "same": everything else is as awaited,
"date", "session", "table", "referee": what the paper says where it says otherwise, "reason"}.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.tables.models import Table

HEADING_PARTS = ("date", "session", "table", "referee")
SAME_AS_PAPER_REASON = "as on the paper"

# The first paper of a table bears the bare serial, a later one its number behind it: 0406-3-06-2.
SERIAL_PATTERN = re.compile(r"(\d{2})(\d{2})[- ]?(\d)[- ]?(\d{1,2})(?:-(\d{1,2}))?")
SHEET_ADDRESS_PATTERN = re.compile(r"/scoresheets/(\d{1,3})/(\d{1,3})(?:/|$|\?|#)")
PRINT_NUMBER_PATTERN = re.compile(r"[?&]print=(\d{1,2})(?:&|#|$)")


# --- Which sheet a text names ---------------------------------------------------------------------------
@dataclass(frozen=True)
class RequestedSheet:
    """The sheet a person asks for: a table here, or by its serial, or by the address on the paper."""

    table: int
    session: int | None = None
    month: int | None = None
    day: int | None = None
    number_of_day: int | None = None
    paper: int | None = None


def read_requested_sheet(text: str) -> RequestedSheet | None:
    """A table number, a serial (0406-3-06), or the address of a scanned QR code; full-width forms folded."""
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-").replace("\u2013", "-")
    if address := SHEET_ADDRESS_PATTERN.search(plain):
        paper = PRINT_NUMBER_PATTERN.search(plain)
        return RequestedSheet(table=int(address[2]), session=int(address[1]), paper=int(paper[1]) if paper else None)
    if serial := SERIAL_PATTERN.fullmatch(plain):
        month, day, number_of_day, table = (int(part) for part in serial.groups()[:4])
        return RequestedSheet(table, month=month, day=day, number_of_day=number_of_day, paper=int(serial[5] or 1))
    if re.fullmatch(r"\d{1,3}", plain):
        return RequestedSheet(table=int(plain))
    return None


def is_serial_of(text: str, table: Table, paper: int) -> bool:
    """Whether the text is the serial, or the scanned address, of this table's paper with this number (1, 2 ...)."""
    asked = read_requested_sheet(text)
    if asked is None:
        return False
    session = table.session
    if asked.session is not None:
        return (asked.session, asked.table, asked.paper or paper) == (session.number, table.number, paper)
    named = (asked.month, asked.day, asked.number_of_day, asked.table, asked.paper)
    date = session.original_date
    return named == (date.month, date.day, session.number_of_day, table.number, paper)


# --- Compared -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class HeadingCheck:
    """What is still to do (`wants`: serial, same, reason), and what the paper says otherwise, by part."""

    wants: tuple[str, ...] = ()
    differs: Mapping[str, str] | None = None

    @property
    def confirmations(self) -> dict[str, str]:
        """As the sheet's digest has it: confirmed as on the paper, or each part with what the paper says."""
        return {f"heading {part}": said for part, said in (self.differs or {}).items()} or {
            "heading": SAME_AS_PAPER_REASON
        }


def check_heading(heading: Mapping[str, Any] | None, table: Table, paper: int) -> HeadingCheck | None:
    """Compare a typed heading with the table it was typed at; None where no page has asked for it.

    A serial of another paper and a part that says otherwise may stand with a reason, which the second person confirms.
    """
    if heading is None:
        return None
    serial, reason = heading["serial"].strip(), heading["reason"].strip()
    differs = {part: heading[part].strip() for part in HEADING_PARTS if heading[part].strip()}
    if serial and not is_serial_of(serial, table, paper):
        differs = {"serial": serial, **differs}
    wants = [] if serial else ["serial"]
    if not heading["same"] and not differs:
        wants.append("same")
    if differs and not reason:
        wants.append("reason")
    return HeadingCheck(tuple(wants), {part: f"{said}: {reason}" for part, said in differs.items()})


def empty_heading() -> dict[str, Any]:
    """A heading of which nothing is compared yet."""
    return {"serial": "", "same": False, **dict.fromkeys(HEADING_PARTS, ""), "reason": ""}
