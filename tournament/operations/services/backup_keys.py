"""The key of what was drawn is in no backup, so that whoever has one cannot read signatures: is it kept elsewhere, and
does it fit what was restored?"""

import base64
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.services import cipher
from tournament.devices.models.device import QuarantinedSubmission
from tournament.sheets.models.signing import Drawing

SIGNATURE_KEY_NOT_READABLE = _("There is no key of the drawn signatures yet, or it is another by now. Reload the page.")
SIGNATURE_KEY_FROM_ENVIRONMENT = _("SIGNATURE_KEY gives the keys here: add it there, after the one that it has.")
NOT_A_KEY = _("This is no key: one line of base64, 44 characters.")


class MissingKeys(NamedTuple):
    """What of a restored database no key here opens: how many, the marks it was enciphered under, the marks here."""

    drawings: int
    items: int
    marks: list[str]
    here: list[str]


def find_missing_keys(manifest: Mapping[str, Any]) -> MissingKeys | None:
    """None where every key that the backup's installation had is here, or nothing was ever enciphered there."""
    counts = Drawing.objects.count(), QuarantinedSubmission.objects.exclude(sealed=None).count()
    here, marks = cipher.key_marks(), [str(mark) for mark in manifest["signature_keys"]]
    return MissingKeys(*counts, marks, here) if any(counts) and not set(marks) <= set(here) else None


def add_signature_key(text: str) -> str:
    """One more key that is tried when something is read: its mark. The first one stays the one that enciphers.

    Raises BadInput for what is none, Refused where SIGNATURE_KEY gives the keys.
    """
    if os.environ.get("SIGNATURE_KEY", "").strip():
        raise Refused("signature_key_given", SIGNATURE_KEY_FROM_ENVIRONMENT)
    try:
        key = cipher.decode_key(text.strip(), "")
    except (RuntimeError, ValueError):
        raise BadInput("not_a_key", NOT_A_KEY) from None
    mark = cipher.key_mark(key)
    if mark not in cipher.key_marks():
        cipher.append_key(key)
    return mark


def key_lines() -> list[str]:
    """Every key here as it is printed and sealed."""
    return [base64.b64encode(key).decode() for key in cipher.known_keys()]


# --- Kept elsewhere -------------------------------------------------------------------------------------
def record_key_kept(event: Event, mark: str, by: User) -> None:
    """Somebody has put the key with this mark where no backup lies."""
    if mark not in cipher.key_marks():
        raise Refused("no_such_key", SIGNATURE_KEY_NOT_READABLE)
    services.append_audit_entry(event, by, "keep_signature_key", f"key {mark}")


def unkept_key_marks(event: Event) -> list[str]:
    """Marks of keys here that nobody has said to be kept elsewhere."""
    said = set(AuditEntry.objects.filter(event=event, action="keep_signature_key").values_list("subject", flat=True))
    return [mark for mark in cipher.key_marks() if f"key {mark}" not in said]
