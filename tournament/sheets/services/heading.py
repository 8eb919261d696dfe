"""Serial, date, session, table and referee of a paper, compared before its sheet is handed on and certified (R41)."""

from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import Refused
from tournament.sheets.domain.heading import HeadingCheck, check_heading
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.tables.models import Table

HEADING_OPEN_SENTENCES = {
    "serial": _("Type or scan the serial that is on the paper."),
    "same": _('Compare session, table and referee with the paper, then press "As on the paper" or say what differs.'),
    "reason": _("The paper says something else. Is it another table's? If it counts here all the same, say why."),
}
HEADING_NOT_CONFIRMED = _(
    "The paper's head differs from what is awaited. Confirm the reason, or send the scoresheet back."
)


def check_typed_heading(table: Table, typed: Any) -> HeadingCheck | None:
    """What is left to compare and what differs; None where the texts came without a heading."""
    return check_heading(typed.get("heading"), table, queries.newest_paper(table) or 1)


def refuse_open(found: HeadingCheck | None, about: Any = None) -> None:
    """Refuse while the heading is not compared or a difference has no reason."""
    if found and found.wants:
        code = f"heading_wants_{found.wants[0]}"
        raise Refused(code, HEADING_OPEN_SENTENCES[found.wants[0]], about=about)


def confirm_heading(table: Table, sheet: Scoresheet, seen: bool, by: Any) -> None:
    """For the second person: a heading that differs, in either typing, is confirmed with its reason or goes back."""
    second = queries.double_entry_of(sheet)
    read = [heading_log_text(check_typed_heading(table, one.typed)) for one in (sheet, second) if one]
    said = "; ".join(dict.fromkeys(words for words in read if words))
    if not said:
        return
    if not seen:
        raise Refused("heading_differs", HEADING_NOT_CONFIRMED, about=sheet)
    services.append_audit_entry(
        table.session.stage.event,
        by,
        "confirm_heading",
        queries.sheet_subject(table, sheet.version),
        revision=(sheet.revision, sheet.revision),
        digest=(sheet.digest, sheet.digest),
        reason=said[:500],
    )


def heading_log_text(found: HeadingCheck | None) -> str:
    """For the audit entry: only what differs."""
    return "; ".join(f"{part}: {said}" for part, said in (found.differs or {}).items()) if found else ""
