"""What an account may do at a table's sheet, and which paper is in its hand."""

from django.http import HttpRequest

from tournament.core.enums import SheetState
from tournament.core.permissions import EventRequest, is_act_allowed
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as second
from tournament.tables import services as usable_papers
from tournament.tables.models import Table
from tournament.tables.queries.seating import JudgedPaper, judge_paper


def scoresheet_rights(request: EventRequest) -> dict[str, bool]:
    """What this account may do with sheets."""
    acts = (
        "type_scoresheet",
        "certify_scoresheet",
        "certify_without_signature",
        "see_drawings",
        "stamp",
        "print_scoresheets",
        "correct_scoresheet",
        "agree_correction",
    )
    return {act: is_act_allowed(request.roles, act) for act in acts}


def judge_print(table: Table, number: int | None) -> None:
    """Refuse the serial or the QR code of a paper that was replaced by a later print."""
    if number is not None:
        usable_papers.require_usable(judge_paper(table.session, table.number, number))


def paper_in_hand(table: Table) -> JudgedPaper:
    """The table's newest paper, and what of it is no more so."""
    return judge_paper(table.session, table.number, max(queries.newest_paper(table), 1))


def scanned_paper(request: HttpRequest) -> int | None:
    """The number of the paper whose serial or QR code was scanned to come here."""
    text = request.GET.get("print", "")
    return int(text) if text.isdecimal() and len(text) < 3 else None


def may_do_double_entry(request: EventRequest, table: Table, sheet: Scoresheet) -> bool:
    """Whether this account may be the one that types it the second time."""
    if sheet.state != SheetState.READY or not is_act_allowed(request.roles, "type_scoresheet"):
        return False
    return are_values_hidden(request, table, sheet) and not queries.has_judged(sheet, request.user.pk)


def are_values_hidden(request: EventRequest, table: Table, sheet: Scoresheet | None) -> bool:
    """Whether no value of it is shown to this account before it has been typed the second time."""
    return second.are_values_withheld(
        table, sheet, request.user, decides=is_act_allowed(request.roles, "decide_dispute")
    )
