"""What tablets recorded and the server could not take: listed, compared, settled; an outbox brought by hand."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from django_stubs_ext import StrPromise

from tournament.core.enums import QuarantineReason, SheetForm, SubmissionOutcome
from tournament.core.errors import BadInput, Refused, TooLarge
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.devices import domain, queries
from tournament.devices.models.device import QuarantinedSubmission
from tournament.entrants.readers.strokes import read_strokes
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.scoresheets import short_digest_code
from tournament.sheets.exports.drawn_signature import strokes_svg_path
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import current_sheet, seats_as_judged
from tournament.tablets.api import settling
from tournament.tablets.api.outbox import NOT_AN_OUTBOX, OUTBOX_MAX_BYTES, deliver_all
from tournament.tablets.api.outbox import REVISION_CHECKED_ACTS as OF_THE_SHEET
from tournament.tablets.forms import compare_sides
from tournament.tablets.readers import is_outbox_series, read_outbox_series
from tournament.tablets.services import bodies
from tournament.tablets.services import held as services

BODY_TOO_LARGE_CODE = "body_too_large"
SUBMISSION_FIELD_LABELS = {
    "game": gettext_lazy("Game"),
    "letter": gettext_lazy("Seat"),
    "kind": gettext_lazy("Kind"),
    "tiles": gettext_lazy("Tiles"),
    "reason": gettext_lazy("Reason"),
    "note": gettext_lazy("Note"),
    "escort": gettext_lazy("Goes along"),
    "minutes": gettext_lazy("Minutes"),
}


# --- Held items -----------------------------------------------------------------------------------------
@for_act("see_tablets")
@require_safe
def submission_list(request: EventRequest) -> HttpResponse:
    """What waits for a person, and what was settled."""
    shown = {
        "stage": "devices",
        "waiting": domain.submissions_not_recorded(request.event),
        "settled": queries.resolved_submissions(request.event),
    }
    return render(request, "tablets/devices/held_items.html", shown)


@for_act("see_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def submission_page(request: EventRequest, held: int) -> HttpResponse:
    """What the tablet recorded beside what the server has; entered or set aside, with a reason."""
    item = submission_or_404(request, held)
    if request.method != "POST":
        return item_page(request, item)
    require_act(request.roles, "settle_held")
    do = request.POST.get("do", "")
    if do == "enter" and item.act in settling.SIGNATURE_ACTS:
        require_act(request.roles, "count_held_signatures")
    try:
        settled = handle_submission_post(request, item, do)
    except Refused as refusal:
        return item_page(request, item, refusal)
    entered = settled.outcome == SubmissionOutcome.ENTERED
    messages.success(request, _("Entered.") if entered else _("Set aside, and kept."))
    return redirect("held_items", request.event.slug)


def handle_submission_post(request: EventRequest, item: QuarantinedSubmission, do: str) -> QuarantinedSubmission:
    """Enter it as it is, its values alone, or set it aside; with it older drafts of the tablet, where that is asked."""
    text = request.POST.get("revision", "")
    seen = int(text) if text.isdecimal() and len(text) < 10 else 0
    acts: Mapping[str, Callable[[QuarantinedSubmission], None]] = {
        "enter": lambda one: settling.enter_submission(one, by=request.user, seen=seen),
        "values": lambda one: settling.enter_values(one, by=request.user, seen=seen),
    }
    older = services.older_waiting_drafts(item) if request.POST.get("older") else []
    return services.resolve_submission(
        item,
        outcome=SubmissionOutcome.ENTERED if do in acts else SubmissionOutcome.SET_ASIDE,
        reason=request.POST.get("reason", ""),
        by=request.user,
        request_key=request.POST.get("request_key", ""),
        enter=acts.get(do, refuse_to_enter),
        asked=f"{do} {seen}",
        older=older,
    )


def refuse_to_enter(item: QuarantinedSubmission) -> None:
    """Never called: what is set aside is not entered."""
    raise AssertionError(item.pk)


def submission_or_404(request: EventRequest, number: int) -> QuarantinedSubmission:
    """A held item of this event."""
    rows = QuarantinedSubmission.objects.filter(event=request.event, pk=number)
    item = rows.select_related("event", "table__session__stage__event", "device", "resolved_by").first()
    if item is None:
        raise Http404
    return item


def item_page(request: EventRequest, item: QuarantinedSubmission, refusal: Refused | None = None) -> HttpResponse:
    """Both side by side. Who may see drawn signatures sees the tablet's too, and that is written down (Y4)."""
    sheet = current_sheet(item.table) if item.table else None
    shown = {
        "stage": "devices",
        "item": item,
        "sheet": sheet,
        "locked": bool(sheet and sheet.locked),
        "receipt": short_digest_code(sheet.digest) if sheet and sheet.locked else "",
        **submission_comparison(item, sheet),
        "readable": item.body.get("typed", {}) is not None,
        "referee": referee_of_submission(item),
        "facts": submission_facts(item),
        "signatures": drawn_in(item) if is_act_allowed(request.roles, "see_drawings") else [],
        "letters": [one.get("letter", "?") for one in item.body.get("signatures", [])],
        "draws": item.act in settling.SIGNATURE_ACTS,
        "opened": services.opened_by_its_referee(item),
        "brought": item.because == QuarantineReason.BROUGHT,
        "older": services.older_waiting_drafts(item) if not item.outcome else [],
        "erased_on": request.event.retention_on,
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
        **submission_rights(request, item, sheet),
    }
    if shown["signatures"]:
        services.record_signature_view(item, request.user)
    return render(request, "tablets/devices/held_item.html", shown, status=refusal.status if refusal else 200)


def submission_rights(request: EventRequest, item: QuarantinedSubmission, sheet: Scoresheet | None) -> dict[str, bool]:
    """Which buttons there are: a locked sheet takes no values and no signatures any more."""
    settles = is_act_allowed(request.roles, "settle_held") and not item.outcome
    open_to_it = settling.may_enter_submission(item) and not (
        item.act in OF_THE_SHEET and sheet is not None and sheet.locked
    )
    counts = is_act_allowed(request.roles, "count_held_signatures") and services.may_count_signatures(item)
    return {
        "may_settle": settles,
        "may_enter": open_to_it and (item.act not in settling.SIGNATURE_ACTS or counts),
        "may_enter_values": open_to_it and item.act == "package",
        "may_correct": is_act_allowed(request.roles, "correct_scoresheet"),
    }


def submission_comparison(item: QuarantinedSubmission, sheet: Scoresheet | None) -> dict[str, Any]:
    """The values that the tablet had, where it had any that can be read, beside the sheet's."""
    typed = item.body.get("typed")
    if not typed or item.table is None:
        return {"tablet_side": None, "same_values": False}
    theirs = sheet.typed if sheet and sheet.typed else bridge.empty_typed_sheet(len(typed["games"]))
    form = sheet.form if sheet else SheetForm.RACK
    ruleset = ruleset_of_stage(item.table.session.stage)
    tablet, server = compare_sides(ruleset, seats_as_judged(item.table), typed, theirs, form)
    return {"tablet_side": tablet, "server_side": server, "same_values": not tablet.differing}


def submission_facts(item: QuarantinedSubmission) -> list[tuple[StrPromise, Any]]:
    """What else it said, by the words of FACTS."""
    return [
        (word, item.body[name])
        for name, word in SUBMISSION_FIELD_LABELS.items()
        if item.body.get(name) not in (None, "")
    ]


def drawn_in(item: QuarantinedSubmission) -> list[dict[str, str]]:
    """Each seat's signature as a path; none where this installation's key does not open it."""
    body = bodies.open_submission_body(item) or {}
    signed = body.get("signatures", [body] if item.act == "sign" else [])
    found = []
    for one in signed if isinstance(signed, list) else []:
        try:
            strokes = read_strokes(one["strokes"])
        except (Refused, KeyError, TypeError):
            continue
        found.append({"letter": str(one.get("letter", "?"))[:1], "path": strokes_svg_path(strokes)})
    return found


def referee_of_submission(item: QuarantinedSubmission) -> User | None:
    """In whose name the tablet made it, if that is a referee of the event."""
    wanted = item.body.get("referee")
    return next((one for one in queries.tablet_referees(item.event) if one.pk == wanted), None)


# --- An outbox by hand ----------------------------------------------------------------------------------
@for_act("pair_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
def import_outbox(request: EventRequest) -> HttpResponse:
    """A tablet's items as a file, or as the text of its QR codes; each is recorded, or held, or said to be
    unreadable."""
    if request.method != "POST":
        return render(request, "tablets/devices/outbox.html", {"stage": "devices"})
    try:
        content = sent_outbox(request)
        found = deliver_all(request.event, content)
    except Refused as refusal:
        shown = {"stage": "devices", "refusal": refusal, "text": request.POST.get("text", "")}
        return render(request, "tablets/devices/outbox.html", shown, status=refusal.status)
    counts = Counter(one.outcome for one in found)
    digest = hashlib.sha256(content).hexdigest()
    services.record_import(request.event, content_digest=digest, counts=counts, by=request.user)
    return render(request, "tablets/devices/outbox.html", {"stage": "devices", "found": found, "counts": dict(counts)})


def sent_outbox(request: HttpRequest) -> bytes:
    """The file, or what was pasted or scanned: the file's own text, or the lines of its QR codes."""
    file = request.FILES.get("file")
    if file is not None:
        if (file.size or 0) > OUTBOX_MAX_BYTES:
            raise TooLarge(BODY_TOO_LARGE_CODE, NOT_AN_OUTBOX, why="> 4 MiB")
        return bytes(file.read())
    text = request.POST.get("text", "").strip()
    if not text:
        raise BadInput("outbox_missing", NOT_AN_OUTBOX, why="0 bytes")
    return read_outbox_series(text, OUTBOX_MAX_BYTES) if is_outbox_series(text) else text.encode()


urlpatterns = [
    path("tablets/held/", submission_list, name="held_items"),
    path("tablets/held/<int:held>/", submission_page, name="held_item"),
    path("tablets/outbox/", import_outbox, name="import_outbox"),
]
