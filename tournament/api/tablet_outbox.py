"""A tablet's outbox that came by hand, as a file or as text of QR codes: each item goes through its own address.

So every check is the tablet's own, and its key too: when the tablet sends the same later it is a replay. What cannot be
taken is held for a person.
"""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any, NamedTuple

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from tournament.api.bodies import read_json
from tournament.api.fields import read
from tournament.api.tablet import DELIVERED, TabletResource
from tournament.api.tablet_pairing import LateItemRequest
from tournament.bridge.tablet import SCHEMA
from tournament.enums import HeldBecause
from tournament.errors import BadInput
from tournament.models import Device, Event
from tournament.queries import devices as queries
from tournament.services import devices, devices_held

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024
MOST_ITEMS = 2000
HANDS = "hand-out"
FIELDS = ("key", "act", "session", "table", "revision", "body")

NOT_AN_OUTBOX = _("This is no outbox of a tablet: %(why)s.")
OTHER_EVENT = _("This outbox is of another event: %(event)s.")
NO_SUCH_TABLET = _("This event has no tablet of this number.")
NOT_READABLE = _("The item cannot be read.")
NO_SUCH_ACT = _("A tablet has no such act.")


class Delivered(NamedTuple):
    """What became of an item: recorded, replayed, held, unreadable; and why, where it was not taken."""

    place: int
    key: str
    act: str
    table: int | None
    outcome: str
    code: str = ""
    sentence: str = ""


def read_outbox(content: bytes, event: Event) -> tuple[int | None, list[Any]]:
    """The tablet's number and its items, as they stand in the file. BadInput where it is none of this event's."""
    whole = read_json(content, MOST_BYTES)
    if not isinstance(whole, Mapping) or whole.get("format") != FORMAT or not isinstance(whole.get("items"), list):
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why='"format": 1, "items": [...]')
    if whole.get("event") != event.slug:
        raise BadInput("outbox_of_another_event", OTHER_EVENT, event=str(whole.get("event"))[:50])
    if len(whole["items"]) > MOST_ITEMS:
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why=f"> {MOST_ITEMS}")
    device = whole.get("device")
    return (device if type(device) is int else None), whole["items"]


def deliver_all(event: Event, content: bytes) -> list[Delivered]:
    """Every item in its order; one that cannot be taken stops no other."""
    number, items = read_outbox(content, event)
    known = {device.number: device for device in Device.objects.filter(event=event).order_by("number")}
    return [deliver_one(known, number, place, item) for place, item in enumerate(items, start=1)]


def deliver_one(known: Mapping[int, Device], number: int | None, place: int, item: Any) -> Delivered:
    """One item, as its tablet would have sent it."""
    if not isinstance(item, Mapping):
        return Delivered(place, "", "", None, "unreadable", "item_not_readable", gettext(NOT_READABLE))
    own = item.get("device", number)
    device = known.get(own) if type(own) is int else None
    try:
        found = devices_held.Item(**read(LateItemRequest, {name: item[name] for name in FIELDS if name in item}))
    except ValidationError:
        said = (str(item.get("key", ""))[:64], str(item.get("act", ""))[:24])
        return Delivered(place, *said, None, "unreadable", "item_not_readable", gettext(NOT_READABLE))
    if device is None:
        return Delivered(
            place, found.key, found.act, found.table, "unreadable", "no_such_tablet", gettext(NO_SUCH_TABLET)
        )
    return send(queries.by_digest(device.digest) or device, found, place)


def send(device: Device, item: devices_held.Item, place: int) -> Delivered:
    """Through its address where the tablet still serves the table; else, and where it is refused, it is held."""
    of_now = device.session.number == item.session and device.session.state not in devices.OVER
    if devices.standing(device) is not devices.Standing.LIVE or not of_now:
        kept = devices_held.hold(device, [item], HeldBecause.LATE)
        outcome = "replayed" if kept.recorded else "held"
        return Delivered(place, item.key, item.act, item.table, outcome, HeldBecause.LATE.value)
    response = answer_of(device, item)
    if response is None:
        return Delivered(place, item.key, item.act, item.table, "unreadable", "no_such_act", gettext(NO_SUCH_ACT))
    if response.status_code < 300:
        outcome = "replayed" if "Idempotent-Replay" in response.headers else "recorded"
        return Delivered(place, item.key, item.act, item.table, outcome)
    refusal = response.data if isinstance(response, Response) else {}
    code, sentence = str(refusal.get("code", "")), str(refusal.get("detail", ""))
    if code != "signed_conflict":
        devices_held.hold(device, [item], HeldBecause.REFUSED, code)
    return Delivered(place, item.key, item.act, item.table, "held", code, sentence)


def answer_of(device: Device, item: devices_held.Item) -> HttpResponseBase | None:
    """The answer of the item's own address; None where there is none for tablets' items."""
    path = f"/api/v1/tablet/tables/{item.table}/{item.act}/"
    try:
        found = resolve(path)
    except Resolver404:
        return None
    view = getattr(found.func, "cls", None)
    if item.act == HANDS or not (isinstance(view, type) and issubclass(view, TabletResource)):
        return None
    response: HttpResponseBase = found.func(request_of(device, item, path), *found.args, **found.kwargs)
    return response


def request_of(device: Device, item: devices_held.Item, path: str) -> WSGIRequest:
    """The request that the tablet would have made; whose it is stands in it, not in a header."""
    content = json.dumps(dict(item.body)).encode()
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "HTTP_X_CLIENT_SCHEMA": str(SCHEMA),
        "HTTP_IDEMPOTENCY_KEY": item.key,
        "wsgi.input": BytesIO(content),
    }
    if item.revision is not None:
        environ["HTTP_IF_MATCH"] = f'"v{item.revision}"'
    request = WSGIRequest(environ)
    setattr(request, DELIVERED, device)
    return request
