"""One scoresheet at the desk: the page on which it is typed, and the sheet as it stands."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.acts import ACTS
from tournament.core.enums import LOCKED_STATES, SheetState
from tournament.core.errors import Locked, Refused, StaleVersion
from tournament.core.form_keys import keyed_by_service
from tournament.core.models.event import Event
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets.services.readiness import readiness
from tournament.scoresheets.views.clock_shown import time_of
from tournament.scoresheets.views.scoresheet_rights import (
    are_values_hidden,
    judge_print,
    may_do_double_entry,
    paper_in_hand,
    scanned_paper,
    scoresheet_rights,
)
from tournament.scoresheets.views.sheet_forms import chosen_form, empty_sheet, sent_games, turn_lines_shown
from tournament.sheets.domain import grounds_sheets
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.double_entry import DoubleEntryStatus
from tournament.sheets.domain.fields import fields_of_typed_sheet, typed_sheet_from_fields
from tournament.sheets.forms.heading import heading_on_page
from tournament.sheets.forms.scoresheets import (
    AS_ON_PAPER_REASON,
    apply_fix_offer,
    cell_differences,
    read_confirmations,
)
from tournament.sheets.forms.sheet_grid import build_sheet_grid
from tournament.sheets.forms.sheet_sentences import problem_sentences
from tournament.sheets.forms.sheet_values import sheet_values_to_compare
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.values import account_names_of, value_setters_of
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import scoresheets as services
from tournament.sheets.services import values
from tournament.tables.models import Table
from tournament.tables.queries import seating

BOARD_WORKING_STATES = (SheetState.DRAFT, SheetState.READY)


# --- One sheet ------------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def scoresheet_page(request: EventRequest, session: int, table: int) -> HttpResponse:
    """The target of the paper's QR code: typed here while it is open, read here afterwards."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        require_act(request.roles, "type_scoresheet")
        return handle_entry_post(request, row)
    if request.GET.get("version", "").isdecimal():
        return version_page(request, row, int(request.GET["version"]))
    judge_print(row, scanned_paper(request))
    sheet = queries.current_sheet(row)
    return current_sheet_page(request, row, sheet)


def version_page(request: EventRequest, table: Table, number: int) -> HttpResponse:
    """Any version there ever was, for reading."""
    found = next((one for one in queries.all_versions_of_table(table) if one.version == number), None)
    if found is None:
        raise Http404
    return render_sheet_read_only(request, table, found)


def table_or_404(event: Event, session: int, table: int) -> Table:
    """The table, or the same 404 as for any address that is not there."""
    row = queries.find_table_of_event(event, session, table)
    if row is None:
        raise Http404
    return row


def current_sheet_page(request: EventRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """What stands now: the typing page for who may type, else the sheet as it is."""
    if not seating.is_draw_confirmed(table.session):
        return render(request, "scoresheets/not_drawn.html", {"stage": "scoresheets", "table": table})
    writable = sheet is None or ACTS["save_scoresheet"].allows(sheet.state)
    if writable and is_act_allowed(request.roles, "type_scoresheet"):
        form = chosen_form(table, request.GET.get("form"), sheet)
        typed = sheet.typed if sheet and sheet.typed else empty_sheet(table)
        notes = sheet.confirmations if sheet else {}
        return render_entry_form(request, table, sheet, form, typed, notes, judged=sheet is not None)
    if sheet and may_do_double_entry(request, table, sheet):
        again = redirect("type_scoresheet_again", request.event.slug, table.session.number, table.number)
        again["Location"] += f"?print={scanned}" if (scanned := scanned_paper(request)) else ""
        return again
    if sheet and sheet.version > 1 and not sheet.locked:
        sheet = queries.official_sheet(table)
    return render_sheet_read_only(request, table, sheet)


# --- Typing ---------------------------------------------------------------------------------------------
def handle_entry_post(request: EventRequest, table: Table) -> HttpResponse:
    """What the typing page sends: save, submit, take back, a fault's way out, the other form, or only: judge it."""
    do = request.POST.get("do", "save")
    if do == "reopen":
        return handle_reopen(request, table)
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        sent = apply_fix_offer(sent, do.removeprefix("offer:"))
    typed = typed_sheet_from_fields(sent, sent_games(sent, table))
    notes = read_confirmations(sent)
    form = chosen_form(table, do.removeprefix("form:") if do.startswith("form:") else sent.get("form"))
    if do in ("save", "submit"):
        return handle_save_or_submit(request, table, do, form, typed, notes)
    return render_entry_form(
        request, table, queries.current_sheet(table), form, typed, notes, revision=sent_revision(request)
    )


def is_live(request: HttpRequest) -> bool:
    """Asked by the page's script, which wants the sheet alone."""
    return request.headers.get("X-Live") == "1"


def sent_revision(request: HttpRequest) -> int:
    """The revision that the page was made from."""
    text = request.POST.get("revision", "0")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def handle_save_or_submit(
    request: EventRequest, table: Table, do: str, form: str, typed: Mapping[str, Any], notes: Mapping[str, str]
) -> HttpResponse:
    """Save or submit, and where it leads; a refusal shows the same page with everything that was typed."""
    content: dict[str, Any] = {
        "revision": sent_revision(request),
        "form": form,
        "typed": typed,
        "confirmations": notes,
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    serial = queries.sheet_serial(table)
    try:
        if do == "submit":
            handed_on = services.submit_scoresheet(table, **content)
            messages.success(request, _("%(serial)s waits for its second person.") % {"serial": serial})
            if handed_on.version > 1:
                return redirect("correction", request.event.slug, table.session.number, table.number)
            board = redirect("session_scoresheets", request.event.slug, table.session.number)
            board["Location"] += f"?after={table.number}"
            return board
        sheet = services.save_scoresheet(table, **content)
    except (StaleVersion, Locked) as refusal:
        return render_changed_entry(request, table, refusal, form, typed)
    except Refused as refusal:
        if refusal.code in ("scoresheet_ready", "scoresheet_not_ready"):
            return render_changed_entry(request, table, refusal, form, typed)
        # The draft as this very act left it, not as somebody may have saved it since.
        mine = refusal.about if isinstance(refusal.about, Scoresheet) else None
        revision = mine.revision if mine else sent_revision(request)
        kept = queries.current_sheet(table)
        return render_entry_form(request, table, kept, form, typed, notes, refusal=refusal, revision=revision)
    if is_live(request):
        return render_entry_form(
            request, table, queries.current_sheet(table), form, typed, notes, revision=sheet.revision
        )
    messages.success(request, _("%(serial)s is saved as a draft.") % {"serial": serial})
    return redirect("scoresheet", request.event.slug, table.session.number, table.number)


def render_entry_form(
    request: EventRequest,
    table: Table,
    sheet: Scoresheet | None,
    form: str,
    typed: Mapping[str, Any],
    notes: Mapping[str, str],
    judged: bool = True,
    refusal: Refused | None = None,
    revision: int | None = None,
) -> HttpResponse:
    """The paper's grid with every fault beside its cell. Asked for live it is the sheet alone, without the page."""
    seats = queries.seats_as_judged(table)
    check = bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), form, typed, seats) if judged else None
    said = problem_sentences(check.problems, notes) if check else []
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.sheet_serial(table),
        "sheet": sheet,
        "revision": revision if revision is not None else (sheet.revision if sheet else 0),
        "form": form,
        "grid": build_sheet_grid(form, typed, seats, check, said, turn_lines_shown(request)),
        "judged": judged,
        "head": heading_on_page(table, typed, scanned_paper(request)),
        "scans": queries.scans_of(table),
        "back": "typing",
        "action": "scoresheet",
        "refusal": refusal,
        "kept_as_draft": refusal is not None and isinstance(refusal.about, Scoresheet),
        "may": scoresheet_rights(request),
        "as_on_paper": AS_ON_PAPER_REASON,
        "paper": None if is_live(request) else paper_in_hand(table),
        "own_time": None if is_live(request) else time_of(table),
    }
    template = "scoresheets/_typing.html" if is_live(request) else "scoresheets/scoresheet.html"
    return render(request, template, shown, status=refusal.status if refusal else 200)


def handle_reopen(request: EventRequest, table: Table) -> HttpResponse:
    """The typist takes the sheet back."""
    services.reopen_scoresheet(
        table,
        revision=sent_revision(request),
        by=request.user,
        request_key=request.POST.get("request_key", ""),
    )
    messages.success(request, _("%(serial)s is a draft again.") % {"serial": queries.sheet_serial(table)})
    return redirect("scoresheet", request.event.slug, table.session.number, table.number)


def render_changed_entry(
    request: EventRequest, table: Table, refusal: Refused, form: str, typed: Mapping[str, Any]
) -> HttpResponse:
    """The first typing that somebody else has saved meanwhile; handed in and to be typed twice, it is not shown."""
    sheet = queries.current_sheet(table)
    if are_values_hidden(request, table, sheet):
        return withheld_page(request, table, refusal, typed, sheet)
    may_choose = sheet is not None and ACTS["save_scoresheet"].allows(sheet.state)
    return side_by_side(request, table, refusal, form, typed, sheet, "scoresheet" if may_choose else "")


def withheld_page(
    request: EventRequest, table: Table, refusal: Refused, typed: Mapping[str, Any], sheet: Scoresheet | None
) -> HttpResponse:
    """Nothing of the other's: what this account has typed may become the second typing."""
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.sheet_serial(table),
        "sheet": sheet,
        "refusal": refusal,
        "typed": fields_of_typed_sheet(typed),
        "may_type_again": sheet is not None and may_do_double_entry(request, table, sheet),
    }
    return render(request, "scoresheets/withheld.html", shown, status=refusal.status)


def side_by_side(
    request: HttpRequest,
    table: Table,
    refusal: Refused,
    form: str,
    typed: Mapping[str, Any],
    theirs: Scoresheet | DoubleEntry | None,
    action: str,
) -> HttpResponse:
    """Two people at one sheet: both values side by side, and the person chooses. Nothing typed is lost.

    `theirs` is what stands, by whom and since when; `action` takes what is chosen, "" where nothing can be saved.
    """
    found = cell_differences(typed, theirs.typed if theirs else empty_sheet(table))
    differing = {one.name for one in found}
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.sheet_serial(table),
        "theirs": theirs,
        "refusal": refusal,
        "form": form,
        "differences": found,
        "same": [
            (name, value) for name, value in fields_of_typed_sheet(typed).items() if value and name not in differing
        ],
        "action": action or "scoresheet",
        "may_choose": bool(action),
    }
    return render(request, "scoresheets/changed.html", shown, status=refusal.status)


# --- A sheet as it stands -------------------------------------------------------------------------------
def render_sheet_read_only(request: EventRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """A sheet that is not typed here and now: not received, in another's hands, waiting, or locked."""
    shown = sheet_read_only_context(request, table, sheet)
    return render(request, "scoresheets/standing.html", shown)


def sheet_read_only_context(request: EventRequest, table: Table, sheet: Scoresheet | None) -> dict[str, Any]:
    """The values, the people and the history of a sheet, for reading."""
    seats = queries.seats_as_judged(table)
    typed = sheet.typed if sheet and sheet.typed else empty_sheet(table)
    form = chosen_form(table, None, sheet)
    check = bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), form, typed, seats) if sheet else None
    said = problem_sentences(check.problems, sheet.confirmations) if check and sheet else []
    locked = sheet is not None and sheet.state in LOCKED_STATES
    waits = sheet is not None and sheet.state == SheetState.READY
    stand = second.double_entry_status(table, sheet).stand if sheet and waits else DoubleEntryStatus.NOT_ASKED
    own = sheet is not None and sheet.typed_by_id == request.user.pk
    setters = value_setters_of(sheet) if sheet else []
    blind = are_values_hidden(request, table, sheet)
    versions = queries.all_versions_of_table(table)
    counts = queries.official_sheet(table)
    return {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.sheet_serial(table),
        "sheet": sheet,
        "form": form,
        "head": heading_on_page(table, typed),
        "scans": queries.scans_of(table),
        "grid": build_sheet_grid(form, typed, seats, check, said),
        "values": sheet_values_to_compare(seats, queries.games_with_lines(sheet), typed)
        if sheet and sheet.digest and not blind
        else None,
        "code": bridge.short_digest_code(sheet.digest) if sheet and sheet.digest else "",
        "blind": blind,
        "second_stand": stand.value,
        "locked": locked,
        "versions": versions if len(versions) > 1 else [],
        "counts": counts,
        "is_ranked": sheet is not None and grounds_sheets.is_sheet_ranked_now(sheet),
        "readiness": readiness(sheet, request.user, table) if sheet else None,
        "superseded": bool(sheet and counts and locked and sheet.pk != counts.pk),
        "correction": next((one for one in versions[1:] if one.state in BOARD_WORKING_STATES), None),
        "paper": paper_in_hand(table),
        "stamp": queries.stamp_of_sheet(sheet) if sheet else None,
        "signatures": queries.signatures_of_sheet(sheet) if sheet else [],
        "history": queries.sheet_version_history(request.event, table, sheet.version) if sheet else [],
        "may": scoresheet_rights(request),
        "own": own,
        "values_by": account_names_of(setters),
        "sets": request.user.pk in setters,
        "may_check": values.names_of_other_certifiers(table, sheet, waives=False) if sheet and waits else [],
        "own_time": time_of(table),
        "may_reopen": waits and own,
    }


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/", scoresheet_page, name="scoresheet"),
]
