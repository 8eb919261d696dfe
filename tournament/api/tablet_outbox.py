"""A tablet's outbox that came by hand, as a file or as text of QR codes: each item goes through its own address.

The tablet seals the file: without its seal anybody may have written the items, so that none is recorded in a referee's
name. They are held, and their signatures never count.

Items of one sheet follow one another: what waited for the revision that another leads to gets it here, as the tablet
would have given it. What cannot be taken is held for a person.
"""

import hashlib
import hmac
import json
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
NOT_SEALED = _("The file has not this tablet's seal: anybody may have written it. Compare it with the tablet itself.")
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


class Outbox(NamedTuple):
    """A file: the number of its tablet, its items as they stand there, and the seal with what it seals."""

    device: int | None
    items: list[Any]
    seal: str
    text: str

    def is_sealed_by(self, device: Device) -> bool:
        """Whether this tablet has made it."""
        return hmac.compare_digest(seal_of(self.text, device.seal_key), self.seal)


def seal_of(text: str, key: str) -> str:
    """As static/js/tablet/export.js has it: over the file's JSON without its seal."""
    inner = hashlib.sha256(f"{key}{text}".encode()).hexdigest()
    return hashlib.sha256(f"{key}{inner}".encode()).hexdigest()


def read_outbox(content: bytes, event: Event) -> Outbox:
    """The file. BadInput where it is none of this event's."""
    whole = read_json(content, MOST_BYTES)
    if not isinstance(whole, Mapping) or whole.get("format") != FORMAT or not isinstance(whole.get("items"), list):
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why='"format": 1, "items": [...]')
    if whole.get("event") != event.slug:
        raise BadInput("outbox_of_another_event", OTHER_EVENT, event=str(whole.get("event"))[:50])
    if len(whole["items"]) > MOST_ITEMS:
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why=f"> {MOST_ITEMS}")
    device, seal = whole.get("device"), whole.get("seal")
    told = {name: part for name, part in whole.items() if name != "seal"}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    known = isinstance(seal, str) and seal.isascii()
    return Outbox(device if type(device) is int else None, whole["items"], str(seal) if known else "", text)


def deliver_all(event: Event, content: bytes) -> list[Delivered]:
    """Every item in its order; one that cannot be taken stops no other but those of its sheet that build on it."""
    outbox = read_outbox(content, event)
    known = {device.number: device for device in Device.objects.filter(event=event).order_by("number")}
    sealed = sealed_by(outbox, known)
    lanes: dict[Lane, int | None] = {}
    return [deliver_one(known, lanes, outbox, sealed, place, item) for place, item in enumerate(outbox.items, start=1)]


def sealed_by(outbox: Outbox, known: Mapping[int, Device]) -> frozenset[int]:
    """For which tablets the seal speaks: the one that made it and those that it follows; nobody's, for none."""
    maker = known.get(outbox.device) if outbox.device is not None else None
    if maker is None or not outbox.is_sealed_by(maker):
        return frozenset()
    found = {maker.pk}
    while more := {one.pk for one in known.values() if one.followed_by_id in found} - found:
        found |= more
    return frozenset(found)


def deliver_one(
    known: Mapping[int, Device],
    lanes: dict[Lane, int | None],
    outbox: Outbox,
    sealed: frozenset[int],
    place: int,
    item: Any,
) -> Delivered:
    """One item, as its tablet would have sent it; held where the seal is not this tablet's."""
    if not isinstance(item, Mapping):
        return Delivered(place, "", "", None, "unreadable", "item_not_readable", gettext(NOT_READABLE))
    own = item.get("device", outbox.device)
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
    if device.pk not in sealed:
        held = devices_held.hold_brought(device, found)
        sentence = gettext(NOT_SEALED) if held else ""
        outcome, code = "held" if held else "replayed", HeldBecause.BROUGHT.value if held else ""
        return Delivered(place, found.key, found.act, found.table, outcome, code, sentence)
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
