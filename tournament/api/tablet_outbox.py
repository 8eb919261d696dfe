"""A tablet's outbox that came by hand, as a file or as text of QR codes: each item goes through its own address.

Items of one sheet follow one another: what waited for the revision that another leads to gets it here, as the tablet
would have given it. What cannot be taken is held for a person.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from rest_framework.exceptions import ValidationError

from tournament.api.bodies import read_json
from tournament.api.fields import read
from tournament.api.tablet_delivery import answer_of, body_of
from tournament.api.tablet_pairing import LateItemRequest
from tournament.enums import HeldBecause
from tournament.errors import BadInput
from tournament.models import Device, Event
from tournament.queries import devices as queries
from tournament.services import devices, devices_held

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024
MOST_ITEMS = 2000
SAVES = "save"
# These go with the revision of the sheet that they build on.
MATCHED = frozenset({SAVES, "ready", "reopen", "sign", "package", "dispute"})
FIELDS = ("key", "act", "session", "table", "revision", "body")

NOT_AN_OUTBOX = _("This is no outbox of a tablet: %(why)s.")
OTHER_EVENT = _("This outbox is of another event: %(event)s.")
NO_SUCH_TABLET = _("This event has no tablet of this number.")
NOT_READABLE = _("The item cannot be read.")
NO_SUCH_ACT = _("A tablet has no such act.")


class Delivered(NamedTuple):
    """What became of an item: recorded, replayed, held, settled, unreadable; and why, where it was not taken.

    `revision`: that of the sheet afterwards, where it was recorded now or before.
    """

    place: int
    key: str
    act: str
    table: int | None
    outcome: str
    code: str = ""
    sentence: str = ""
    revision: int | None = None


Lane = tuple[int, int, int]


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
    """Every item in its order; one that cannot be taken stops no other but those of its sheet that build on it."""
    number, items = read_outbox(content, event)
    known = {device.number: device for device in Device.objects.filter(event=event).order_by("number")}
    lanes: dict[Lane, int | None] = {}
    return [deliver_one(known, lanes, number, place, item) for place, item in enumerate(items, start=1)]


def deliver_one(
    known: Mapping[int, Device], lanes: dict[Lane, int | None], number: int | None, place: int, item: Any
) -> Delivered:
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
    device = queries.by_digest(device.digest) or device
    if found.act not in MATCHED:
        return send(device, found, place)
    lane = (device.pk, found.session, found.table)
    if found.revision is None:
        found = found._replace(revision=lanes.get(lane))
    done = send(device, found, place)
    lanes[lane] = done.revision
    return done


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
    said = body_of(response)
    if response.status_code < 300:
        outcome = "replayed" if "Idempotent-Replay" in response.headers else "recorded"
        revision = revision_after(item, said)
        return Delivered(place, item.key, item.act, item.table, outcome, revision=revision)
    code, sentence = str(said.get("code", "")), str(said.get("detail", ""))
    if code == "put_aside":
        return Delivered(place, item.key, item.act, item.table, "settled", code, sentence)
    if code != "signed_conflict":
        devices_held.hold(device, [item], HeldBecause.REFUSED, code)
    return Delivered(place, item.key, item.act, item.table, "held", code, sentence)


def revision_after(item: devices_held.Item, said: Mapping[str, Any]) -> int | None:
    """The revision of the sheet once the item is recorded: a save moves it by one, whoever wrote after it; else as
    told. As the tablet reckons it (static/js/tablet/outbox.js)."""
    if item.act == SAVES and item.revision is not None:
        return item.revision + 1
    tables = said.get("state", {}).get("tables", [])
    return next((table["sheet"]["revision"] for table in tables if table["number"] == item.table), None)
