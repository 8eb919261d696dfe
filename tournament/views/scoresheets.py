"""One scoresheet at the desk: the page on which it is typed, and the sheet as it stands."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge import grounds
from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets_fields import from_fields, to_fields
from tournament.bridge.scoresheets_second import Stand
from tournament.enums import LOCKED_STATES, SheetForm, SheetState
from tournament.errors import Locked, Refused, StaleVersion
from tournament.form_keys import keyed_by_service
from tournament.forms.scoresheets import (
    AS_ON_PAPER,
    differences,
    read_confirmations,
    take_offer,
)
from tournament.forms.scoresheets_heading import head_of
from tournament.forms.sheet_grid import grid_of, values_of
from tournament.forms.sheet_sentences import sentences
from tournament.models import Event, Scoresheet, SecondTyping, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import scoresheets as queries
from tournament.queries.scoresheets_values import names_of, setters_of
from tournament.queries.seating import Paper, judge_paper
from tournament.services import scoresheets as services
from tournament.services import scoresheets_second as second
from tournament.services import scoresheets_values, seating_print
from tournament.views.clock import time_of

WORKING = (SheetState.DRAFT, SheetState.READY)
GAMES_WHERE_NO_NUMBER_IS_FIXED = 4


def rights(request: HttpRequest) -> dict[str, bool]:
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
    return {act: allowed(request.roles, act) for act in acts}


def judge_print(table: Table, number: int | None) -> None:
    """Refuse the serial or the QR code of a paper that was replaced by a later print."""
    if number is not None:
        seating_print.require_usable(judge_paper(table.session, table.number, number))


def paper_in_hand(table: Table) -> Paper:
    """The table's newest paper, and what of it is no more so."""
    return judge_paper(table.session, table.number, max(queries.newest_paper(table), 1))


# --- One sheet ------------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def scoresheet(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """The target of the paper's QR code: typed here while it is open, read here afterwards."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        require(request.roles, "type_scoresheet")
        return typed_page(request, row)
    if request.GET.get("version", "").isdecimal():
        return version_page(request, row, int(request.GET["version"]))
    judge_print(row, scanned_paper(request))
    sheet = queries.current_sheet(row)
    return page_of(request, row, sheet)


def scanned_paper(request: HttpRequest) -> int | None:
    """The number of the paper whose serial or QR code was scanned to come here."""
    text = request.GET.get("print", "")
    return int(text) if text.isdecimal() and len(text) < 3 else None


def version_page(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """Any version there ever was, for reading."""
    found = next((one for one in queries.versions_of(table) if one.version == number), None)
    if found is None:
        raise Http404
    return standing_page(request, table, found)


def table_or_404(event: Event, session: int, table: int) -> Table:
    """The table, or the same 404 as for any address that is not there."""
    row = queries.find_table(event, session, table)
    if row is None:
        raise Http404
    return row


def page_of(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """What stands now: the typing page for who may type, else the sheet as it is."""
    if not queries.is_drawn(table.session):
        return render(request, "scoresheets/not_drawn.html", {"stage": "scoresheets", "table": table})
    writable = sheet is None or sheet.state in services.WRITABLE
    if writable and allowed(request.roles, "type_scoresheet"):
        form = chosen_form(request.GET.get("form"), sheet)
        typed = sheet.typed if sheet and sheet.typed else bridge.empty_typed(game_count(table))
        notes = sheet.confirmations if sheet else {}
        return typing_page(request, table, sheet, form, typed, notes, judged=sheet is not None)
    if sheet and is_for_second_typing(request, table, sheet):
        again = redirect("type_scoresheet_again", request.event.slug, table.session.number, table.number)
        again["Location"] += f"?print={scanned}" if (scanned := scanned_paper(request)) else ""
        return again
    if sheet and sheet.version > 1 and not sheet.locked:
        sheet = queries.official_sheet(table)
    return standing_page(request, table, sheet)


def is_for_second_typing(request: HttpRequest, table: Table, sheet: Scoresheet) -> bool:
    """Whether this account may be the one that types it the second time."""
    if sheet.state != SheetState.READY or not allowed(request.roles, "type_scoresheet"):
        return False
    return is_withheld(request, table, sheet) and not queries.has_judged(sheet, request.user.pk)


def is_withheld(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> bool:
    """Whether no value of it is shown to this account before it has been typed the second time."""
    return second.is_withheld(table, sheet, request.user, decides=allowed(request.roles, "decide_dispute"))


def chosen_form(asked_for: str | None, sheet: Scoresheet | None) -> str:
    """The paper's cells or the racks: as asked for, else as last typed."""
    if asked_for in SheetForm.values:
        return str(asked_for)
    return sheet.form if sheet else SheetForm.PAPER


def game_count(table: Table) -> int:
    """How many rows the paper has."""
    return ruleset_of(table.session.stage).games or GAMES_WHERE_NO_NUMBER_IS_FIXED


# --- Typing ---------------------------------------------------------------------------------------------
def typed_page(request: HttpRequest, table: Table) -> HttpResponse:
    """What the typing page sends: save, submit, take back, a fault's way out, the other form, or only: judge it."""
    do = request.POST.get("do", "save")
    if do == "reopen":
        return reopened(request, table)
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        sent = take_offer(sent, do.removeprefix("offer:"))
    typed = from_fields(sent, sent_games(sent, table))
    notes = read_confirmations(sent)
    form = chosen_form(do.removeprefix("form:") if do.startswith("form:") else sent.get("form"), None)
    if do in ("save", "submit"):
        return kept(request, table, do, form, typed, notes)
    return typing_page(
        request, table, queries.current_sheet(table), form, typed, notes, revision=sent_revision(request)
    )


def is_live(request: HttpRequest) -> bool:
    """Asked by the page's script, which wants the sheet alone."""
    return request.headers.get("X-Live") == "1"


def sent_games(sent: Mapping[str, str], table: Table) -> int:
    """As many games as the ruleset has; where it fixes none, as many as the page showed."""
    fixed = ruleset_of(table.session.stage).games
    return fixed or sum(name.startswith("games-") and name.endswith("-ended_by") for name in sent)


def sent_revision(request: HttpRequest) -> int:
    """The revision that the page was made from."""
    text = request.POST.get("revision", "0")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def kept(
    request: HttpRequest, table: Table, do: str, form: str, typed: Mapping[str, Any], notes: Mapping[str, str]
) -> HttpResponse:
    """Save or submit, and where it leads; a refusal shows the same page with everything that was typed."""
    content = {
        "revision": sent_revision(request),
        "form": form,
        "typed": typed,
        "confirmations": notes,
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    serial = queries.serial(table)
    try:
        if do == "submit":
            handed_on = services.submit(table, **content)
            messages.success(request, _("%(serial)s waits for its second person.") % {"serial": serial})
            if handed_on.version > 1:
                return redirect("correction", request.event.slug, table.session.number, table.number)
            board = redirect("session_scoresheets", request.event.slug, table.session.number)
            board["Location"] += f"?after={table.number}"
            return board
        sheet = services.save(table, **content)
    except (StaleVersion, Locked) as refusal:
        return changed_page(request, table, refusal, form, typed)
    except Refused as refusal:
        if refusal.code in ("scoresheet_ready", "scoresheet_not_ready"):
            return changed_page(request, table, refusal, form, typed)
        # The draft as this very act left it, not as somebody may have saved it since.
        mine = refusal.about if isinstance(refusal.about, Scoresheet) else None
        revision = mine.revision if mine else sent_revision(request)
        sheet = queries.current_sheet(table)
        return typing_page(request, table, sheet, form, typed, notes, refusal=refusal, revision=revision)
    if is_live(request):
        return typing_page(request, table, queries.current_sheet(table), form, typed, notes, revision=sheet.revision)
    messages.success(request, _("%(serial)s is saved as a draft.") % {"serial": serial})
    return redirect("scoresheet", request.event.slug, table.session.number, table.number)


def typing_page(
    request: HttpRequest,
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
    seats = queries.seats_of(table)
    check = bridge.judge(ruleset_of(table.session.stage), form, typed, seats) if judged else None
    said = sentences(check.problems, notes) if check else []
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.serial(table),
        "sheet": sheet,
        "revision": revision if revision is not None else (sheet.revision if sheet else 0),
        "form": form,
        "grid": grid_of(form, typed, seats, check, said),
        "judged": judged,
        "head": head_of(table, typed, scanned_paper(request)),
        "scans": queries.scans_of(table),
        "back": "typing",
        "action": "scoresheet",
        "refusal": refusal,
        "kept_as_draft": refusal is not None and isinstance(refusal.about, Scoresheet),
        "may": rights(request),
        "as_on_paper": AS_ON_PAPER,
        "paper": None if is_live(request) else paper_in_hand(table),
        "own_time": None if is_live(request) else time_of(table),
    }
    template = "scoresheets/_typing.html" if is_live(request) else "scoresheets/scoresheet.html"
    return render(request, template, shown, status=refusal.status if refusal else 200)


def reopened(request: HttpRequest, table: Table) -> HttpResponse:
    """The typist takes the sheet back."""
    services.reopen(
        table,
        revision=sent_revision(request),
        by=request.user,
        request_key=request.POST.get("request_key", ""),
    )
    messages.success(request, _("%(serial)s is a draft again.") % {"serial": queries.serial(table)})
    return redirect("scoresheet", request.event.slug, table.session.number, table.number)


def changed_page(
    request: HttpRequest, table: Table, refusal: Refused, form: str, typed: Mapping[str, Any]
) -> HttpResponse:
    """The first typing that somebody else has saved meanwhile; handed in and to be typed twice, it is not shown."""
    sheet = queries.current_sheet(table)
    if is_withheld(request, table, sheet):
        return withheld_page(request, table, refusal, typed, sheet)
    may_choose = sheet is not None and sheet.state in services.WRITABLE
    return side_by_side(request, table, refusal, form, typed, sheet, "scoresheet" if may_choose else "")


def withheld_page(
    request: HttpRequest, table: Table, refusal: Refused, typed: Mapping[str, Any], sheet: Scoresheet | None
) -> HttpResponse:
    """Nothing of the other's: what this account has typed may become the second typing."""
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.serial(table),
        "sheet": sheet,
        "refusal": refusal,
        "typed": to_fields(typed),
        "may_type_again": sheet is not None and is_for_second_typing(request, table, sheet),
    }
    return render(request, "scoresheets/withheld.html", shown, status=refusal.status)


def side_by_side(
    request: HttpRequest,
    table: Table,
    refusal: Refused,
    form: str,
    typed: Mapping[str, Any],
    theirs: Scoresheet | SecondTyping | None,
    action: str,
) -> HttpResponse:
    """Two people at one sheet: both values side by side, and the person chooses. Nothing typed is lost.

    `theirs` is what stands, by whom and since when; `action` takes what is chosen, "" where nothing can be saved.
    """
    found = differences(typed, theirs.typed if theirs else bridge.empty_typed(game_count(table)))
    differing = {one.name for one in found}
    shown = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.serial(table),
        "theirs": theirs,
        "refusal": refusal,
        "form": form,
        "differences": found,
        "same": [(name, value) for name, value in to_fields(typed).items() if value and name not in differing],
        "action": action or "scoresheet",
        "may_choose": bool(action),
    }
    return render(request, "scoresheets/changed.html", shown, status=refusal.status)


# --- A sheet as it stands -------------------------------------------------------------------------------
def standing_page(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """A sheet that is not typed here and now: not received, in another's hands, waiting, or locked."""
    shown = standing(request, table, sheet)
    return render(request, "scoresheets/standing.html", shown)


def standing(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> dict[str, Any]:
    """The values, the people and the history of a sheet, for reading."""
    seats = queries.seats_of(table)
    typed = sheet.typed if sheet and sheet.typed else bridge.empty_typed(game_count(table))
    form = sheet.form if sheet else SheetForm.PAPER
    check = bridge.judge(ruleset_of(table.session.stage), form, typed, seats) if sheet else None
    said = sentences(check.problems, sheet.confirmations) if check and sheet else []
    locked = sheet is not None and sheet.state in LOCKED_STATES
    waits = sheet is not None and sheet.state == SheetState.READY
    stand = second.stand_now(table, sheet).stand if sheet and waits else Stand.NOT_ASKED
    own = sheet is not None and sheet.typed_by_id == request.user.pk
    setters = setters_of(sheet) if sheet else []
    blind = is_withheld(request, table, sheet)
    versions = queries.versions_of(table)
    counts = queries.official_sheet(table)
    return {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.serial(table),
        "sheet": sheet,
        "form": form,
        "head": head_of(table, typed),
        "scans": queries.scans_of(table),
        "grid": grid_of(form, typed, seats, check, said),
        "values": values_of(seats, queries.games_of(sheet), typed) if sheet and sheet.digest and not blind else None,
        "code": bridge.short_code(sheet.digest) if sheet and sheet.digest else "",
        "blind": blind,
        "second_stand": stand.value,
        "locked": locked,
        "versions": versions if len(versions) > 1 else [],
        "counts": counts,
        "is_ranked": sheet is not None and grounds.counts(sheet),
        "superseded": bool(sheet and counts and locked and sheet.pk != counts.pk),
        "correction": next((one for one in versions[1:] if one.state in WORKING), None),
        "paper": paper_in_hand(table),
        "stamp": queries.stamp_of(sheet) if sheet else None,
        "signatures": queries.signatures_of(sheet) if sheet else [],
        "history": queries.history(request.event, table, sheet.version) if sheet else [],
        "may": rights(request),
        "own": own,
        "values_by": names_of(setters),
        "sets": request.user.pk in setters,
        "may_check": scoresheets_values.who_else(table, sheet, waives=False) if sheet and waits else [],
        "own_time": time_of(table),
        "may_reopen": waits and own,
    }


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/", scoresheet, name="scoresheet"),
]
