"""What a held item said: whole and enciphered, and beside it the part that may lie open.

A package carries drawn signatures, which lie nowhere in plain (D5). What came late was judged by nobody,
so the open part is what is known to be none: values that are a sheet's, reasons, short facts.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tournament.core import canonical
from tournament.core.errors import Refused
from tournament.core.services import cipher
from tournament.core.services.cipher import CipherUnreadable, NoKey
from tournament.devices.models.device import QuarantinedSubmission
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.services import scoresheets

SubmissionBody = Mapping[str, Any]

PLAIN_BODY_FIELDS = (
    "referee",
    "made_at",
    "digest",
    "letter",
    "game",
    "reason",
    "kind",
    "tiles",
    "note",
    "escort",
    "minutes",
)
BODY_TEXT_MAX_LENGTH, BODY_MAX_SEATS = 500, 4


def seal_submission(item: QuarantinedSubmission, body: SubmissionBody) -> None:
    """Give a new row its body: the whole enciphered and bound to event and key, and the open part."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    item.sealed = cipher.encrypt_text(text, submission_cipher_binding(item))
    item.body = open_part(body)


def submission_cipher_binding(item: QuarantinedSubmission) -> bytes:
    """What the cipher is bound to."""
    return f"held {item.event_id} {item.key}".encode()


def open_submission_body(item: QuarantinedSubmission) -> SubmissionBody | None:
    """All that the tablet had said; None where this installation's key does not open it."""
    if item.sealed is None:
        return dict(item.body)
    try:
        found: SubmissionBody = json.loads(cipher.decrypt_text(bytes(item.sealed), submission_cipher_binding(item)))
    except (CipherUnreadable, NoKey):
        return None
    return found


def submission_digest(item: QuarantinedSubmission) -> str:
    """SHA-256 of all that it was kept with; of the whole body, of what is enciphered. It holds the row to the log.

    Of an erased one what it was."""
    if item.erased_digest and not item.body and item.sealed is None:
        return item.erased_digest
    tablet = item.device.number if item.device else None
    made = canonical.instant(item.made_at) if item.made_at else ""
    kept = hashlib.sha256(bytes(item.sealed or b"")).hexdigest()
    facts = [item.key, item.act, tablet, item.revision, made, item.because, item.refusal, item.body, kept]
    return canonical.digest_of(facts)


# --- The open part --------------------------------------------------------------------------------------
def open_part(body: SubmissionBody) -> dict[str, Any]:
    """What of a body is no drawing, whatever names it has."""
    found = {name: body[name] for name in PLAIN_BODY_FIELDS if is_plain_value(body.get(name))}
    if "typed" in body:
        found["typed"] = plain_sheet_values(body["typed"])
    if "confirmations" in body:
        found["confirmations"] = reasons_of(body["confirmations"])
    signed = body.get("signatures")
    if isinstance(signed, list):
        found["signatures"] = [signature_head(one) for one in signed[:BODY_MAX_SEATS] if isinstance(one, Mapping)]
    return found


def is_plain_value(value: object) -> bool:
    """A number, or a short text that any database keeps."""
    return type(value) is int or (
        isinstance(value, str) and len(value) <= BODY_TEXT_MAX_LENGTH and bridge.is_storable(value)
    )


def signature_head(signature: SubmissionBody) -> dict[str, Any]:
    """Whose signature it is, and when the tablet says it was drawn."""
    return {name: signature[name] for name in ("letter", "made_at") if is_plain_value(signature.get(name))}


def plain_sheet_values(typed: Any) -> Any:
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
