"""The head of a paper on a page: what it should say, what was compared, whose paper it may be instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from tournament.sheets.domain.heading import (
    HeadingCheck,
    check_heading,
    empty_heading,
    is_serial_of,
    read_requested_sheet,
)
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services.heading import HEADING_OPEN_SENTENCES
from tournament.tables.models import Table
from tournament.tables.queries.seating import paper_serial


@dataclass(frozen=True)
class HeadingOnPage:
    """`serial` and `paper` are awaited, `typed` is what was compared; `other` is the table whose serial was typed."""

    serial: str
    paper: int
    typed: Mapping[str, Any]
    check: HeadingCheck
    asked: bool
    other: Table | None = None

    @property
    def says(self) -> list[str]:
        """What is left to do, in words."""
        return [gettext(HEADING_OPEN_SENTENCES[want]) for want in self.check.wants]

    @property
    def differs(self) -> Mapping[str, str]:
        """What the paper says otherwise, with the reason, by part."""
        return self.check.differs or {}

    @property
    def is_same(self) -> bool:
        """Compared, and all of it as awaited."""
        return self.asked and not self.check.wants and not self.differs


def heading_on_page(table: Table, typed: Mapping[str, Any], scanned: int | None = None) -> HeadingOnPage:
    """The head as typed; `scanned` is the number of the paper whose QR code or serial has led here."""
    paper = queries.newest_paper(table) or 1
    serial = paper_serial(table.session, table.number, paper)
    heading = {**empty_heading(), **typed.get("heading", {})}
    if scanned == paper and not heading["serial"]:
        heading["serial"] = serial
    check = check_heading(heading, table, paper) or HeadingCheck()
    return HeadingOnPage(
        serial, paper, heading, check, "heading" in typed, table_of_other_serial(heading["serial"], table, paper)
    )


def table_of_other_serial(text: str, table: Table, paper: int) -> Table | None:
    """The table whose paper bears the serial typed, where it is not this one's."""
    asked = read_requested_sheet(text)
    if asked is None or is_serial_of(text, table, paper):
        return None
    event = table.session.stage.event
    if asked.session is not None:
        found = queries.find_table_of_event(event, asked.session, asked.table)
    elif asked.month and asked.day and asked.number_of_day:
        found = queries.find_table_by_serial(event, asked.month, asked.day, asked.number_of_day, asked.table)
    else:
        return None
    return found if found and found.pk != table.pk else None
