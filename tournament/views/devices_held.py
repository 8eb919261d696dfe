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

from tournament.api import tablet_settling as settling
from tournament.api.tablet_outbox import MATCHED as OF_THE_SHEET
from tournament.api.tablet_outbox import MOST_BYTES, NOT_AN_OUTBOX, deliver_all
from tournament.bridge import grounds
from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets import short_code
from tournament.enums import HeldBecause, HeldOutcome, SheetForm
from tournament.errors import BadInput, Refused, TooLarge
from tournament.exports.drawn_signature import svg_path
from tournament.form_keys import keyed_by_service
from tournament.forms.held_sides import sides
from tournament.models import HeldItem, Scoresheet
from tournament.permissions import allowed, for_act, require
from tournament.queries import devices as queries
from tournament.queries.scoresheets import current_sheet, seats_of
from tournament.readers.outbox_codes import is_series, read_series
from tournament.readers.strokes import read_strokes
from tournament.services import devices_bodies as bodies
from tournament.services import devices_held as services

TOO_LARGE = "body_too_large"
FACTS = {
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
def held_items(request: HttpRequest) -> HttpResponse:
    """What waits for a person, and what was settled."""
    shown = {
        "stage": "devices",
        "waiting": grounds.not_recorded(request.event),
        "settled": queries.settled(request.event),
    }
    return render(request, "devices/held_items.html", shown)


@for_act("see_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def held_item(request: HttpRequest, held: int) -> HttpResponse:
    """What the tablet recorded beside what the server has; entered or set aside, with a reason."""
    item = find(request, held)
    if request.method != "POST":
        return item_page(request, item)
    require(request.roles, "settle_held")
    do = request.POST.get("do", "")
    if do == "enter" and item.act in settling.DRAWS:
        require(request.roles, "count_held_signatures")
    try:
        settled = settle(request, item, do)
    except Refused as refusal:
        return item_page(request, item, refusal)
    entered = settled.outcome == HeldOutcome.ENTERED
    messages.success(request, _("Entered.") if entered else _("Set aside, and kept."))
    return redirect("held_items", request.event.slug)


def settle(request: HttpRequest, item: HeldItem, do: str) -> HeldItem:
    """Enter it as it is, its values alone, or set it aside; with it older drafts of the tablet, where that is asked."""
    text = request.POST.get("revision", "")
    seen = int(text) if text.isdecimal() and len(text) < 10 else 0
    acts: Mapping[str, Callable[[HeldItem], None]] = {
        "enter": lambda one: settling.enter(one, by=request.user, seen=seen),
        "values": lambda one: settling.enter_values(one, by=request.user, seen=seen),
    }
    older = services.superseded(item) if request.POST.get("older") else []
    return services.settle(
        item,
        outcome=HeldOutcome.ENTERED if do in acts else HeldOutcome.SET_ASIDE,
        reason=request.POST.get("reason", ""),
        by=request.user,
        request_key=request.POST.get("request_key", ""),
        enter=acts.get(do, refuse_to_enter),
        asked=f"{do} {seen}",
        older=older,
    )


def refuse_to_enter(item: HeldItem) -> None:
    """Never called: what is set aside is not entered."""
    raise AssertionError(item.pk)


def find(request: HttpRequest, number: int) -> HeldItem:
    """A held item of this event."""
    rows = HeldItem.objects.filter(event=request.event, pk=number)
    item = rows.select_related("event", "table__session__stage__event", "device", "settled_by").first()
    if item is None:
        raise Http404
    return item


def item_page(request: HttpRequest, item: HeldItem, refusal: Refused | None = None) -> HttpResponse:
    """Both side by side. Who may see drawn signatures sees the tablet's too, and that is written down (Y4)."""
    sheet = current_sheet(item.table) if item.table else None
    shown = {
        "stage": "devices",
        "item": item,
        "sheet": sheet,
        "locked": bool(sheet and sheet.locked),
        "receipt": short_code(sheet.digest) if sheet and sheet.locked else "",
        **compared(item, sheet),
        "readable": item.body.get("typed", {}) is not None,
        "referee": referee_of(item),
        "facts": facts_of(item),
        "signatures": drawn_in(item) if allowed(request.roles, "see_drawings") else [],
        "letters": [one.get("letter", "?") for one in item.body.get("signatures", [])],
        "draws": item.act in settling.DRAWS,
        "opened": services.opened_by_its_referee(item),
        "brought": item.because == HeldBecause.BROUGHT,
        "older": services.superseded(item) if not item.outcome else [],
        "erased_on": request.event.retention_on,
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
        **rights(request, item, sheet),
    }
    if shown["signatures"]:
        services.record_look(item, request.user)
    return render(request, "devices/held_item.html", shown, status=refusal.status if refusal else 200)


def rights(request: HttpRequest, item: HeldItem, sheet: Scoresheet | None) -> dict[str, bool]:
    """Which buttons there are: a locked sheet takes no values and no signatures any more."""
    settles = allowed(request.roles, "settle_held") and not item.outcome
    open_to_it = settling.may_enter(item) and not (item.act in OF_THE_SHEET and sheet is not None and sheet.locked)
    counts = allowed(request.roles, "count_held_signatures") and services.may_count_signatures(item)
    return {
        "may_settle": settles,
        "may_enter": open_to_it and (item.act not in settling.DRAWS or counts),
        "may_enter_values": open_to_it and item.act == "package",
        "may_correct": allowed(request.roles, "correct_scoresheet"),
    }


def compared(item: HeldItem, sheet: Scoresheet | None) -> dict[str, Any]:
    """The values that the tablet had, where it had any that can be read, beside the sheet's."""
    typed = item.body.get("typed")
    if not typed or item.table is None:
        return {"tablet_side": None, "same_values": False}
    theirs = sheet.typed if sheet and sheet.typed else bridge.empty_typed(len(typed["games"]))
    form = sheet.form if sheet else SheetForm.RACK
    ruleset = ruleset_of(item.table.session.stage)
    tablet, server = sides(ruleset, seats_of(item.table), typed, theirs, form)
    return {"tablet_side": tablet, "server_side": server, "same_values": not tablet.differing}


def facts_of(item: HeldItem) -> list[tuple[str, Any]]:
    """What else it said, by the words of FACTS."""
    return [(word, item.body[name]) for name, word in FACTS.items() if item.body.get(name) not in (None, "")]


def drawn_in(item: HeldItem) -> list[dict[str, str]]:
    """Each seat's signature as a path; none where this installation's key does not open it."""
    body = bodies.whole_of(item) or {}
    signed = body.get("signatures", [body] if item.act == "sign" else [])
    found = []
    for one in signed if isinstance(signed, list) else []:
        try:
            strokes = read_strokes(one["strokes"])
        except (Refused, KeyError, TypeError):
            continue
        found.append({"letter": str(one.get("letter", "?"))[:1], "path": svg_path(strokes)})
    return found


def referee_of(item: HeldItem) -> User | None:
    """In whose name the tablet made it, if that is a referee of the event."""
    wanted = item.body.get("referee")
    return next((one for one in queries.referees(item.event) if one.pk == wanted), None)


# --- An outbox by hand ----------------------------------------------------------------------------------
@for_act("pair_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
def import_outbox(request: HttpRequest) -> HttpResponse:
    """A tablet's items as a file, or as the text of its QR codes; each is recorded, or held, or said to be
    unreadable."""
    if request.method != "POST":
        return render(request, "devices/outbox.html", {"stage": "devices"})
    try:
        content = sent_outbox(request)
        found = deliver_all(request.event, content)
    except Refused as refusal:
        shown = {"stage": "devices", "refusal": refusal, "text": request.POST.get("text", "")}
        return render(request, "devices/outbox.html", shown, status=refusal.status)
    counts = Counter(one.outcome for one in found)
    digest = hashlib.sha256(content).hexdigest()
    services.record_import(request.event, content_digest=digest, counts=counts, by=request.user)
    return render(request, "devices/outbox.html", {"stage": "devices", "found": found, "counts": dict(counts)})


def sent_outbox(request: HttpRequest) -> bytes:
    """The file, or what was pasted or scanned: the file's own text, or the lines of its QR codes."""
    file = request.FILES.get("file")
    if file is not None:
        if file.size > MOST_BYTES:
            raise TooLarge(TOO_LARGE, NOT_AN_OUTBOX, why="> 4 MiB")
        return file.read()
    text = request.POST.get("text", "").strip()
    if not text:
        raise BadInput("outbox_missing", NOT_AN_OUTBOX, why="0 bytes")
    return read_series(text, MOST_BYTES) if is_series(text) else text.encode()


urlpatterns = [
    path("tablets/held/", held_items, name="held_items"),
    path("tablets/held/<int:held>/", held_item, name="held_item"),
    path("tablets/outbox/", import_outbox, name="import_outbox"),
]
