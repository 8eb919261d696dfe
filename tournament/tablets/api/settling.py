"""A held item entered at the desk: through its own address, in the name of who settles it, from the sheet they saw.

Signatures count where they were drawn for exactly the values that lock, on a tablet that the named referee had opened
with a PIN, by every entrant who signs now: the chief judge says so (D1). Otherwise the values alone are entered.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.core.enums import QuarantineReason
from tournament.core.errors import Refused
from tournament.core.services import requests
from tournament.devices import queries
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.tables.models import Table
from tournament.tablets.api.delivery import deliver_submission, response_members, tablet_act_path
from tournament.tablets.api.tablet import DeskResolution
from tournament.tablets.services import bodies, held
from tournament.tablets.services.held import OutboxItem

# The acts of a tablet that can be entered from a held item; what draws counts signatures.
RESOLVABLE_ACTS = frozenset(
    {
        *("save", "ready", "reopen", "sign", "package", "dispute"),
        *("call", "warning", "incident", "pause", "unpause", "overtime", "withdraw"),
    }
)
SIGNATURE_ACTS = frozenset({"sign", "package"})
SAVE_VALUES_ACT = "save"

NO_TABLE = _("It names no table that this tablet has served.")
NOT_ENTERED_HERE = _("A tablet has no such act. Set it aside with a reason.")
SUBMISSION_KEY_UNKNOWN = _("It is enciphered, and this installation has not the key that opens it.")
SUBMISSION_NOT_SEALED = _("It was brought by hand without the tablet's seal: its signatures do not count.")
NOT_OPENED = _("The referee it names had not opened this tablet with a PIN: its signatures do not count.")


def may_enter_submission(item: QuarantinedSubmission) -> bool:
    """Whether its act can be entered at all."""
    return item.table_id is not None and item.device_id is not None and item.act in RESOLVABLE_ACTS


def enter_submission(item: QuarantinedSubmission, *, by: User, seen: int) -> None:
    """Do what it says, drawn signatures and all; its key is used up. Raises what its address refuses with."""
    device, table, body = submission_parts(item)
    if item.act in SIGNATURE_ACTS and not held.may_count_signatures(item):
        brought = item.because == QuarantineReason.BROUGHT
        raise Refused(
            "not_sealed" if brought else "pin_needed", SUBMISSION_NOT_SEALED if brought else NOT_OPENED, about=item
        )
    require_recorded(deliver_submission(device, as_tablet_item(item, table, body), DeskResolution(by, table, seen)))


def enter_values(item: QuarantinedSubmission, *, by: User, seen: int) -> None:
    """The values of a package as a draft, without its signatures; its key is used up all the same."""
    device, table, body = submission_parts(item)
    own = {name: part for name, part in body.items() if name != "signatures"}
    sent = as_tablet_item(item, table, own)._replace(act=SAVE_VALUES_ACT, key=f"held-{item.pk}")
    require_recorded(deliver_submission(device, sent, DeskResolution(by, table, seen)))
    use_up_submission_key(item, table, body)


def submission_parts(item: QuarantinedSubmission) -> tuple[Device, Table, Mapping[str, Any]]:
    """The tablet, the table, the whole body; refused where one is wanting."""
    if item.table is None or item.device is None:
        raise Refused("held_no_table", NO_TABLE, about=item)
    if item.act not in RESOLVABLE_ACTS:
        raise Refused("held_not_entered_here", NOT_ENTERED_HERE, about=item)
    body = bodies.open_submission_body(item)
    if body is None:
        raise Refused("held_sealed", SUBMISSION_KEY_UNKNOWN, about=item)
    return queries.device_by_token_digest(item.device.digest) or item.device, item.table, body


def as_tablet_item(item: QuarantinedSubmission, table: Table, body: Mapping[str, Any]) -> OutboxItem:
    """The item as its tablet would send it; one that waited for the revision of another goes with 0."""
    return OutboxItem(item.key, item.act, table.session.number, table.number, item.revision or 0, body)


def require_recorded(response: Any) -> None:
    """Nothing where it was recorded; else the refusal with its own code, sentence and status."""
    if response is None:
        raise Refused("held_not_entered_here", NOT_ENTERED_HERE)
    if response.status_code < 300:
        return
    said = response_members(response)
    refusal = Refused(str(said.get("code", "")), str(said.get("detail", "")))
    refusal.status = response.status_code
    raise refusal


def use_up_submission_key(item: QuarantinedSubmission, table: Table, body: Mapping[str, Any]) -> None:
    """Use up the item's own key, as its address would have: a later sending is answered and does nothing."""
    act, payload = f"POST {tablet_act_path(table.number, item.act)}", [item.revision or 0, dict(body)]
    answer = {"status": 200, "body": json.dumps({"key": item.key, "receipt": ""}), "tag": "", "location": ""}
    scope = f"device:{item.device_id}"
    requests.run_once(scope, item.key, act, payload, lambda: answer)
