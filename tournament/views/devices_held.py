"""What tablets recorded and the server could not take: listed, compared, settled; an outbox brought by hand."""

import hashlib
import re
from collections import Counter
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.api.tablet_outbox import MOST_BYTES, NOT_AN_OUTBOX, deliver_all
from tournament.bridge import scoresheets as bridge
from tournament.enums import HeldOutcome
from tournament.errors import BadInput, Refused, TooLarge
from tournament.forms.scoresheets import differences
from tournament.models import HeldItem
from tournament.permissions import allowed, for_act, require
from tournament.queries import devices as queries
from tournament.queries.scoresheets import current_sheet
from tournament.services import devices_held as services

TOO_LARGE = "body_too_large"
# A part of a series of QR codes: its number, how many, its text.
PART = re.compile(r"^(\d{1,3})/(\d{1,3}):(.*)$")
HIDDEN = ("typed", "signatures", "strokes", "confirmations", "referee", "made_at")


# --- Held items -----------------------------------------------------------------------------------------
@for_act("see_tablets")
@require_safe
def held_items(request: HttpRequest) -> HttpResponse:
    """What waits for a person, and what was settled."""
    shown = {
        "stage": "devices",
        "waiting": queries.unsettled(request.event),
        "settled": queries.settled(request.event),
    }
    return render(request, "devices/held_items.html", shown)


@for_act("see_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
def held_item(request: HttpRequest, held: int) -> HttpResponse:
    """What the tablet recorded beside what the server has; entered or set aside, with a reason."""
    item = find(request, held)
    if request.method != "POST":
        return item_page(request, item)
    require(request.roles, "settle_held")
    outcome = HeldOutcome.ENTERED if request.POST.get("do") == "enter" else HeldOutcome.SET_ASIDE
    seen = request.POST.get("revision", "")
    try:
        services.settle(
            item,
            outcome=outcome,
            reason=request.POST.get("reason", ""),
            by=request.user,
            request_key=request.POST.get("request_key", ""),
            seen=int(seen) if seen.isdecimal() and len(seen) < 10 else 0,
        )
    except Refused as refusal:
        return item_page(request, item, refusal)
    entered = outcome == HeldOutcome.ENTERED
    messages.success(request, _("Entered on the scoresheet.") if entered else _("Set aside, and kept."))
    return redirect("held_items", request.event.slug)


def find(request: HttpRequest, number: int) -> HeldItem:
    """A held item of this event."""
    rows = HeldItem.objects.filter(event=request.event, pk=number)
    item = rows.select_related("event", "table__session__stage__event", "device", "settled_by").first()
    if item is None:
        raise Http404
    return item


def item_page(request: HttpRequest, item: HeldItem, refusal: Refused | None = None) -> HttpResponse:
    """Both side by side."""
    sheet = current_sheet(item.table) if item.table else None
    typed, readable = typed_of(item)
    theirs = sheet.typed if sheet and sheet.typed else bridge.empty_typed(len(typed["games"]) if typed else 3)
    shown = {
        "stage": "devices",
        "item": item,
        "sheet": sheet,
        "differences": differences(typed, theirs) if typed else [],
        "has_values": typed is not None,
        "readable": readable,
        "referee": referee_of(item),
        "facts": [(name, value) for name, value in item.body.items() if name not in HIDDEN],
        "letters": [one.get("letter", "?") for one in item.body.get("signatures", []) if isinstance(one, dict)],
        "may_settle": allowed(request.roles, "settle_held") and not item.outcome,
        "may_enter": services.may_enter(item),
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "devices/held_item.html", shown, status=refusal.status if refusal else 200)


def referee_of(item: HeldItem) -> User | None:
    """In whose name the tablet made it, if that is a referee of the event."""
    wanted = item.body.get("referee")
    return next((one for one in queries.referees(item.event) if one.pk == wanted), None)


def typed_of(item: HeldItem) -> tuple[Any, bool]:
    """The values that the tablet had, where it had any; whether they can be read."""
    if "typed" not in item.body:
        return None, True
    try:
        return bridge.clean_typed(item.body["typed"]), True
    except Refused:
        return None, False


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
    """The file, or what was pasted; a series of QR codes is put together in its order."""
    file = request.FILES.get("file")
    if file is not None:
        if file.size > MOST_BYTES:
            raise TooLarge(TOO_LARGE, NOT_AN_OUTBOX, why="> 4 MiB")
        return file.read()
    text = request.POST.get("text", "").strip()
    if not text:
        raise BadInput("outbox_missing", NOT_AN_OUTBOX, why="0 bytes")
    return joined(text).encode()


def joined(text: str) -> str:
    """A pasted text as it is, or the parts `2/5:...` of a series, one a line, in any order; none may be missing."""
    parts = [PART.match(line.strip()) for line in text.splitlines() if line.strip()]
    if not all(parts):
        return text
    found = {int(part[1]): part[3] for part in parts if part}
    most = max(int(part[2]) for part in parts if part)
    missing = [str(number) for number in range(1, most + 1) if number not in found]
    if missing:
        raise BadInput("outbox_part_missing", NOT_AN_OUTBOX, why=f"{', '.join(missing)} / {most} ?")
    return "".join(found[number] for number in range(1, most + 1))


urlpatterns = [
    path("tablets/held/", held_items, name="held_items"),
    path("tablets/held/<int:held>/", held_item, name="held_item"),
    path("tablets/outbox/", import_outbox, name="import_outbox"),
]
