"""A held item entered at the desk: through its own address, in the name of who settles it, from the sheet they saw.

Signatures count where they were drawn for exactly the values that lock, on a tablet that the named referee had opened
with a PIN, by every entrant who signs now: the chief judge says so (4.1). Otherwise the values alone are entered.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_noop as _

from tournament.api.tablet import Settling
from tournament.api.tablet_delivery import answer_of, body_of, path_of
from tournament.enums import HeldBecause
from tournament.errors import Refused
from tournament.models import Device, HeldItem, Table
from tournament.queries import devices as queries
from tournament.services import devices_bodies, devices_held, requests
from tournament.services.devices_held import Item

# The acts of a tablet that can be entered from a held item; what draws counts signatures.
ACTS = frozenset(
    {
        *("save", "ready", "reopen", "sign", "package", "dispute"),
        *("call", "warning", "incident", "pause", "unpause", "overtime", "withdraw"),
    }
)
DRAWS = frozenset({"sign", "package"})
VALUES = "save"

NO_TABLE = _("It names no table that this tablet has served.")
NOT_ENTERED_HERE = _("A tablet has no such act. Set it aside with a reason.")
SEALED = _("It is enciphered, and this installation has not the key that opens it.")
NOT_SEALED = _("It was brought by hand without the tablet's seal: its signatures do not count.")
NOT_OPENED = _("The referee it names had not opened this tablet with a PIN: its signatures do not count.")


def may_enter(item: HeldItem) -> bool:
    """Whether its act can be entered at all."""
    return item.table_id is not None and item.device_id is not None and item.act in ACTS


def enter(item: HeldItem, *, by: AbstractUser, seen: int) -> None:
    """Do what it says, drawn signatures and all; its key is used up. Raises what its address refuses with."""
    device, table, body = parts_of(item)
    if item.act in DRAWS and not devices_held.may_count_signatures(item):
        brought = item.because == HeldBecause.BROUGHT
        raise Refused("not_sealed" if brought else "pin_needed", NOT_SEALED if brought else NOT_OPENED, about=item)
    done(answer_of(device, as_sent(item, table, body), Settling(by, table, seen)))


def enter_values(item: HeldItem, *, by: AbstractUser, seen: int) -> None:
    """The values of a package as a draft, without its signatures; its key is used up all the same."""
    device, table, body = parts_of(item)
    own = {name: part for name, part in body.items() if name != "signatures"}
    sent = as_sent(item, table, own)._replace(act=VALUES, key=f"held-{item.pk}")
    done(answer_of(device, sent, Settling(by, table, seen)))
    remember(item, table, body)


def parts_of(item: HeldItem) -> tuple[Device, Table, Mapping[str, Any]]:
    """The tablet, the table, the whole body; refused where one is wanting."""
    if item.table is None or item.device is None:
        raise Refused("held_no_table", NO_TABLE, about=item)
    if item.act not in ACTS:
        raise Refused("held_not_entered_here", NOT_ENTERED_HERE, about=item)
    body = devices_bodies.whole_of(item)
    if body is None:
        raise Refused("held_sealed", SEALED, about=item)
    return queries.by_digest(item.device.digest) or item.device, item.table, body


def as_sent(item: HeldItem, table: Table, body: Mapping[str, Any]) -> Item:
    """The item as its tablet would send it; one that waited for the revision of another goes with 0."""
    return Item(item.key, item.act, table.session.number, table.number, item.revision or 0, body)


def done(response: Any) -> None:
    """Nothing where it was recorded; else the refusal with its own code, sentence and status."""
    if response is None:
        raise Refused("held_not_entered_here", NOT_ENTERED_HERE)
    if response.status_code < 300:
        return
    said = body_of(response)
    refusal = Refused(str(said.get("code", "")), str(said.get("detail", "")))
    refusal.status = response.status_code
    raise refusal


def remember(item: HeldItem, table: Table, body: Mapping[str, Any]) -> None:
    """Use up the item's own key, as its address would have: a later sending is answered and does nothing."""
    act, payload = f"POST {path_of(table.number, item.act)}", [item.revision or 0, dict(body)]
    answer = {"status": 200, "body": json.dumps({"key": item.key, "receipt": ""}), "tag": "", "location": ""}
    scope = f"device:{item.device_id}"
    requests.once(scope, item.key, act, payload, lambda: answer)
