"""The desk's control page: every tablet, what waits on it, how its clock goes; pairing by QR code, cutting off."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.core.errors import BadInput, Refused
from tournament.core.form_keys import mark_acted
from tournament.core.models.stage import Session
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.devices import domain, queries
from tournament.devices.models.device import Device, Pairing
from tournament.devices.services import devices as services
from tournament.devices.services import pin
from tournament.sheets.domain import clock as bridge
from tournament.sheets.queries import clock as clock_queries
from tournament.sheets.queries.scoresheets import find_session_of_event


# --- The control page -----------------------------------------------------------------------------------
@for_act("see_tablets")
@require_safe
def tablet_list(request: EventRequest) -> HttpResponse:
    """Every tablet, and the sessions to which one can be paired."""
    shown = tablet_list_context(request) | {
        "stage": "devices",
        "sessions": queries.sessions_to_pair(request.event),
    }
    return render(request, "tablets/devices/tablets.html", shown)


@for_act("see_tablets")
@require_safe
def tablets_list(request: EventRequest) -> HttpResponse:
    """The list alone, 304 while nothing has changed: the page asks every five seconds."""
    text = render_to_string("tablets/devices/_list.html", tablet_list_context(request), request)
    mark = f'"{hashlib.sha256(f"{get_language()} {text}".encode()).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = HttpResponse(text)
    answer["ETag"] = mark
    return answer


def tablet_list_context(request: EventRequest) -> dict[str, Any]:
    """What the list shows; how many queries does not depend on how many tablets there are."""
    now = timezone.now()
    found = queries.active_devices(request.event)
    times, wrong = own_times_by_tablet(found, now), queries.wrong_pin_tries(found)
    return {
        "rows": [
            tablet_row(device, now) | {"times": times.get(device.pk, []), "wrong_pins": wrong.get(device.pk, [])}
            for device in found
        ],
        "held": len(domain.submissions_not_recorded(request.event)),
        "may_pair": is_act_allowed(request.roles, "pair_tablets"),
        "may_unlock": is_act_allowed(request.roles, "unlock_pins"),
        "now": now,
    }


def own_times_by_tablet(found: Sequence[Device], now: datetime) -> dict[int, list[bridge.TableOwnTime]]:
    """By tablet: which of its tables pause or end later than their session; one query."""
    sessions = {device.session_id: device.session for device in found}
    events = clock_queries.clock_events_by_session(sessions)
    own = {key: bridge.tables_with_own_time(session, events.get(key, []), now) for key, session in sessions.items()}
    served = {
        device.pk: {row.table_id for row in device.device_tables.all() if row.ended_at is None} for device in found
    }
    return {device.pk: [one for one in own[device.session_id] if one.table.pk in served[device.pk]] for device in found}


def tablet_row(device: Device, now: Any) -> dict[str, Any]:
    """One tablet as the list has it. Silent: not heard of for a minute while its token holds."""
    live = services.token_status(device, now) is services.TokenStatus.LIVE
    heard = device.last_seen_at or device.paired_at
    return {
        "device": device,
        "live": live,
        "tables": [row.table.number for row in device.device_tables.all() if row.ended_at is None],
        "lost": [row.table.number for row in device.device_tables.all() if row.ended_at is not None],
        "silent": live and now - heard > queries.SILENT_AFTER,
        "skewed": device.skew_ms is not None and abs(device.skew_ms) > queries.SKEWED_MS,
        "skew_seconds": round((device.skew_ms or 0) / 1000),
    }


# --- Pairing --------------------------------------------------------------------------------------------
def session_or_404(request: EventRequest, number: int) -> Session:
    """A session of this event."""
    session = find_session_of_event(request.event, number)
    if session is None:
        raise Http404
    return session


@for_act("pair_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
def pair_tablets(request: EventRequest, session: int) -> HttpResponse:
    """A session's referees with their tables; a press makes a code and shows it, this once."""
    row = session_or_404(request, session)
    shown: dict[str, Any] = {
        "stage": "devices",
        "session": row,
        "referees": queries.tables_by_referee(row),
        "with_pin": {person.pk for person in queries.tablet_referees(request.event)},
        "may_give_pins": is_act_allowed(request.roles, "manage_accounts"),
    }
    if request.method != "POST":
        return render(request, "tablets/devices/pair.html", shown)
    try:
        referee, numbers = chosen_referee_and_tables(request, row)
        pairing, code = services.make_pairing(row, referee, numbers, by=request.user)
    except Refused as refusal:
        return render(request, "tablets/devices/pair.html", shown | {"refusal": refusal}, status=refusal.status)
    response = render(
        request, "tablets/devices/pairing.html", shown | {"code": pairing_code_context(request, pairing, code)}
    )
    return mark_acted(response, request.path)


def chosen_referee_and_tables(request: HttpRequest, session: Session) -> tuple[User, Sequence[int]]:
    """The referee and the tables that were pressed."""
    texts = request.POST.getlist("table")
    account = request.POST.get("referee", "")
    person = User.objects.filter(pk=int(account)).first() if account.isdecimal() and len(account) < 10 else None
    if person is None or not all(text.isdecimal() and len(text) < 5 for text in texts):
        raise BadInput("not_their_tables", services.NO_TABLES)
    return person, [int(text) for text in texts]


@for_act("pair_tablets")
@require_POST
def print_pairings(request: EventRequest, session: int) -> HttpResponse:
    """A page to print with a code for each referee of a session; they hold for ten minutes from now on."""
    row = session_or_404(request, session)
    codes, refused = [], []
    for referee, numbers in queries.tables_by_referee(row):
        try:
            codes.append(pairing_code_context(request, *services.make_pairing(row, referee, numbers, by=request.user)))
        except Refused as refusal:
            refused.append({"referee": referee, "numbers": numbers, "refusal": refusal})
    shown = {"stage": "devices", "session": row, "codes": codes, "refused": refused}
    then = reverse("pair_tablets", args=[request.event.slug, session])
    return mark_acted(render(request, "tablets/devices/pairings.html", shown), then)


def pairing_code_context(request: EventRequest, pairing: Pairing, code: str) -> dict[str, Any]:
    """A code as a QR code and as an address; the code stands after the #, which no server's log ever has."""
    page = f"/tablet/{request.event.slug}/#{code}"
    address = settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page)
    return {"pairing": pairing, "address": address, "picture": qr_code_svg(address)}


def qr_code_svg(address: str) -> SafeString:
    """The QR code as a drawing in the page itself."""
    code = segno.make_qr(address, error="m")
    drawn = code.svg_inline(
        scale=8, border=3, omitsize=True, light="#ffffff", dark="#000000", svgclass="qr", lineclass=None
    )
    return mark_safe(drawn)


@for_act("pair_tablets")
@require_safe
def pairing_state(request: EventRequest, pairing: int) -> HttpResponse:
    """Whether a code was used, tried a second time, or is over; asked by the page that shows it."""
    row = queries.find_pairing(request.event, pairing)
    if row is None:
        raise Http404
    over = row.used_at is None and row.expires_at <= timezone.now()
    return render(request, "tablets/devices/_pairing_state.html", {"pairing": row, "over": over})


# --- Cutting off ----------------------------------------------------------------------------------------
@for_act("pair_tablets")
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_tablet_page(request: EventRequest, tablet: int) -> HttpResponse:
    """Asks, with a reason; from its next request on the tablet is nobody."""
    device = Device.objects.filter(event=request.event, number=tablet).select_related("session__stage").first()
    if device is None:
        raise Http404
    shown: dict[str, Any] = {"stage": "devices", "row": tablet_row(device, timezone.now())}
    if request.method != "POST":
        return render(request, "tablets/devices/revoke.html", shown)
    try:
        services.revoke_tablet(device, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refusal:
        return render(request, "tablets/devices/revoke.html", shown | {"refusal": refusal}, status=refusal.status)
    messages.success(request, _("Tablet %(n)s is cut off. What it has not sent is kept when it comes.") % {"n": tablet})
    return redirect("tablets", request.event.slug)


@for_act("unlock_pins")
@require_POST
def unlock_pins(request: EventRequest, tablet: int) -> HttpResponse:
    """After wrong PINs the referee may type at once."""
    device = Device.objects.filter(event=request.event, number=tablet).select_related("event").first()
    if device is None:
        raise Http404
    pin.lift_pin(device, by=request.user)
    messages.success(request, _("Tablet %(n)s takes PINs again.") % {"n": tablet})
    return redirect("tablets", request.event.slug)


urlpatterns = [
    path("tablets/", tablet_list, name="tablets"),
    path("tablets/list/", tablets_list, name="tablets_list"),
    path("tablets/pair/<int:session>/", pair_tablets, name="pair_tablets"),
    path("tablets/pair/<int:session>/print/", print_pairings, name="print_pairings"),
    path("tablets/pairing/<int:pairing>/", pairing_state, name="pairing_state"),
    path("tablets/<int:tablet>/revoke/", revoke_tablet_page, name="revoke_tablet"),
    path("tablets/<int:tablet>/unlock/", unlock_pins, name="unlock_pins"),
]
