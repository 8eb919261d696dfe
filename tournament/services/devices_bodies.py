"""What a held item said: whole and enciphered, and beside it the part that may lie open.

A package carries drawn signatures, which lie nowhere in plain (reliability 4.5). What came late was judged by nobody,
so the open part is what is known to be none: values that are a sheet's, reasons, short facts.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tournament.bridge import scoresheets as bridge
from tournament.errors import Refused
from tournament.models import HeldItem
from tournament.services import audit, cipher, scoresheets
from tournament.services.cipher import NoKey, Unreadable

Body = Mapping[str, Any]

FACTS = ("referee", "made_at", "digest", "letter", "game", "reason", "kind", "tiles", "note", "escort", "minutes")
LONGEST, SEATS = 500, 4


def seal(item: HeldItem, body: Body) -> None:
    """Give a new row its body: the whole enciphered and bound to event and key, and the open part."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    item.sealed = cipher.sealed(text, bound_to(item))
    item.body = open_part(body)


def bound_to(item: HeldItem) -> bytes:
    """What the cipher is bound to."""
    return f"held {item.event_id} {item.key}".encode()


def whole_of(item: HeldItem) -> Body | None:
    """All that the tablet had said; None where this installation's key does not open it."""
    if item.sealed is None:
        return dict(item.body)
    try:
        found: Body = json.loads(cipher.opened(bytes(item.sealed), bound_to(item)))
    except (Unreadable, NoKey):
        return None
    return found


def digest_of(item: HeldItem) -> str:
    """SHA-256 of all that it was kept with; of the whole body, of what is enciphered. It holds the row to the log.

    Of an erased one what it was."""
    if item.erased_digest and not item.body and item.sealed is None:
        return item.erased_digest
    tablet = item.device.number if item.device else None
    made = audit.instant(item.made_at) if item.made_at else ""
    kept = hashlib.sha256(bytes(item.sealed or b"")).hexdigest()
    facts = [item.key, item.act, tablet, item.revision, made, item.because, item.refusal, item.body, kept]
    return audit.digest_of(facts)


# --- The open part --------------------------------------------------------------------------------------
def open_part(body: Body) -> dict[str, Any]:
    """What of a body is no drawing, whatever names it has."""
    found = {name: body[name] for name in FACTS if is_fact(body.get(name))}
    if "typed" in body:
        found["typed"] = values_of(body["typed"])
    if "confirmations" in body:
        found["confirmations"] = reasons_of(body["confirmations"])
    signed = body.get("signatures")
    if isinstance(signed, list):
        found["signatures"] = [head_of(one) for one in signed[:SEATS] if isinstance(one, Mapping)]
    return found


def is_fact(value: object) -> bool:
    """A number, or a short text that any database keeps."""
    return type(value) is int or (isinstance(value, str) and len(value) <= LONGEST and bridge.is_storable(value))


def head_of(signature: Body) -> dict[str, Any]:
    """Whose signature it is, and when the tablet says it was drawn."""
    return {name: signature[name] for name in ("letter", "made_at") if is_fact(signature.get(name))}


def values_of(typed: Any) -> Any:
    """A sheet's values; None where they are none."""
    try:
        return bridge.clean_typed(typed)
    except Refused:
        return None


def reasons_of(confirmations: Any) -> dict[str, str]:
    """Reasons by problem; none where they cannot be read."""
    try:
        return scoresheets.clean_confirmations(confirmations)
    except Refused:
        return {}
