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
from tournament.api.fields import validate_with
from tournament.core.enums import ENDED, QuarantineReason
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.devices import queries
from tournament.devices.models.device import Device
from tournament.devices.services import devices
from tournament.tablets.api.delivery import deliver_submission, response_members
from tournament.tablets.api.pairing import LateItemRequest
from tournament.tablets.services import held as devices_held

OUTBOX_FORMAT = 1
OUTBOX_MAX_BYTES = 4 * 1024 * 1024
OUTBOX_MAX_ITEMS = 2000
SAVE_SHEET_ACT = "save"
# These go with the revision of the sheet that they build on.
REVISION_CHECKED_ACTS = frozenset({SAVE_SHEET_ACT, "ready", "reopen", "sign", "package", "dispute"})
OUTBOX_ITEM_FIELDS = ("key", "act", "session", "table", "revision", "body")

NOT_AN_OUTBOX = _("This is no outbox of a tablet: %(why)s.")
OUTBOX_OF_OTHER_EVENT = _("This outbox is of another event: %(event)s.")
NO_SUCH_TABLET = _("This event has no tablet of this number.")
OUTBOX_ITEM_NOT_READABLE = _("The item cannot be read.")
OUTBOX_NOT_SEALED = _(
    "The file has not this tablet's seal: anybody may have written it. Compare it with the tablet itself."
)
OUTBOX_ACT_UNKNOWN = _("A tablet has no such act.")


class OutboxItemResult(NamedTuple):
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


SheetLane = tuple[int, int, int]


class OutboxFile(NamedTuple):
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


def read_outbox(content: bytes, event: Event) -> OutboxFile:
    """The file. BadInput where it is none of this event's."""
    whole = read_json(content, OUTBOX_MAX_BYTES)
    if (
        not isinstance(whole, Mapping)
        or whole.get("format") != OUTBOX_FORMAT
        or not isinstance(whole.get("items"), list)
    ):
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why='"format": 1, "items": [...]')
    if whole.get("event") != event.slug:
        raise BadInput("outbox_of_another_event", OUTBOX_OF_OTHER_EVENT, event=str(whole.get("event"))[:50])
    if len(whole["items"]) > OUTBOX_MAX_ITEMS:
        raise BadInput("not_an_outbox", NOT_AN_OUTBOX, why=f"> {OUTBOX_MAX_ITEMS}")
    device, seal = whole.get("device"), whole.get("seal")
    told = {name: part for name, part in whole.items() if name != "seal"}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    known = isinstance(seal, str) and seal.isascii()
    return OutboxFile(device if type(device) is int else None, whole["items"], str(seal) if known else "", text)


def deliver_all(event: Event, content: bytes) -> list[OutboxItemResult]:
    """Every item in its order; one that cannot be taken stops no other but those of its sheet that build on it."""
    outbox = read_outbox(content, event)
    known = {device.number: device for device in Device.objects.filter(event=event).order_by("number")}
    sealed = sealing_device_ids(outbox, known)
    lanes: dict[SheetLane, int | None] = {}
    return [deliver_one(known, lanes, outbox, sealed, place, item) for place, item in enumerate(outbox.items, start=1)]


def sealing_device_ids(outbox: OutboxFile, known: Mapping[int, Device]) -> frozenset[int]:
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
    lanes: dict[SheetLane, int | None],
    outbox: OutboxFile,
    sealed: frozenset[int],
    place: int,
    item: Any,
) -> OutboxItemResult:
    """One item, as its tablet would have sent it; held where the seal is not this tablet's."""
    if not isinstance(item, Mapping):
        return OutboxItemResult(
            place, "", "", None, "unreadable", "item_not_readable", gettext(OUTBOX_ITEM_NOT_READABLE)
        )
    own = item.get("device", outbox.device)
    device = known.get(own) if type(own) is int else None
    try:
        found = devices_held.OutboxItem(
            **validate_with(LateItemRequest, {name: item[name] for name in OUTBOX_ITEM_FIELDS if name in item})
        )
    except ValidationError:
        said = (str(item.get("key", ""))[:64], str(item.get("act", ""))[:24])
        return OutboxItemResult(
            place, *said, None, "unreadable", "item_not_readable", gettext(OUTBOX_ITEM_NOT_READABLE)
        )
    if device is None:
        return OutboxItemResult(
            place, found.key, found.act, found.table, "unreadable", "no_such_tablet", gettext(NO_SUCH_TABLET)
        )
    device = queries.device_by_token_digest(device.digest) or device
    if device.pk not in sealed:
        held = devices_held.quarantine_unsealed_item(device, found)
        sentence = gettext(OUTBOX_NOT_SEALED) if held else ""
        outcome, code = "held" if held else "replayed", QuarantineReason.BROUGHT.value if held else ""
        return OutboxItemResult(place, found.key, found.act, found.table, outcome, code, sentence)
    if found.act not in REVISION_CHECKED_ACTS:
        return send_outbox_item(device, found, place)
    lane = (device.pk, found.session, found.table)
    if found.revision is None:
        found = found._replace(revision=lanes.get(lane))
    done = send_outbox_item(device, found, place)
    lanes[lane] = done.revision
    return done


def send_outbox_item(device: Device, item: devices_held.OutboxItem, place: int) -> OutboxItemResult:
    """Through its address where the tablet still serves the table; else, and where it is refused, it is held."""
    of_now = device.session.number == item.session and device.session.state not in ENDED
    if devices.token_status(device) is not devices.TokenStatus.LIVE or not of_now:
        kept = devices_held.quarantine_items(device, [item], QuarantineReason.LATE)
        outcome = "replayed" if kept.recorded else "held"
        return OutboxItemResult(place, item.key, item.act, item.table, outcome, QuarantineReason.LATE.value)
    response = deliver_submission(device, item)
    if response is None:
        return OutboxItemResult(
            place, item.key, item.act, item.table, "unreadable", "no_such_act", gettext(OUTBOX_ACT_UNKNOWN)
        )
    said = response_members(response)
    if response.status_code < 300:
        outcome = "replayed" if "Idempotent-Replay" in response.headers else "recorded"
        revision = revision_after(item, said)
        return OutboxItemResult(place, item.key, item.act, item.table, outcome, revision=revision)
    code, sentence = str(said.get("code", "")), str(said.get("detail", ""))
    if code == "put_aside":
        return OutboxItemResult(place, item.key, item.act, item.table, "settled", code, sentence)
    if code != "signed_conflict":
        devices_held.quarantine_items(device, [item], QuarantineReason.REFUSED, code)
    return OutboxItemResult(place, item.key, item.act, item.table, "held", code, sentence)


def revision_after(item: devices_held.OutboxItem, said: Mapping[str, Any]) -> int | None:
    """The revision of the sheet once the item is recorded: a save moves it by one, whoever wrote after it; else as
    told. As the tablet reckons it (static/js/tablet/outbox.js)."""
    if item.act == SAVE_SHEET_ACT and item.revision is not None:
        return item.revision + 1
    tables = said.get("state", {}).get("tables", [])
    return next((table["sheet"]["revision"] for table in tables if table["number"] == item.table), None)
