"""The key of what was drawn is in no backup, so that whoever has one cannot read signatures: is it kept elsewhere, and
does it fit what was restored?"""

import base64
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, Refused
from tournament.models import AuditEntry, Drawing, Event, HeldItem
from tournament.services import audit, cipher

NO_KEY = _("There is no key of the drawn signatures yet, or it is another by now. Reload the page.")
GIVEN = _("SIGNATURE_KEY gives the keys here: add it there, after the one that it has.")
NOT_A_KEY = _("This is no key: one line of base64, 44 characters.")


class Wanting(NamedTuple):
    """What of a restored database no key here opens: how many, the marks it was enciphered under, the marks here."""

    drawings: int
    items: int
    marks: list[str]
    here: list[str]


def wanting(manifest: Mapping[str, Any]) -> Wanting | None:
    """None where every key that the backup's installation had is here, or nothing was ever enciphered there."""
    counts = Drawing.objects.count(), HeldItem.objects.exclude(sealed=None).count()
    here, marks = cipher.marks(), [str(mark) for mark in manifest["signature_keys"]]
    return Wanting(*counts, marks, here) if any(counts) and not set(marks) <= set(here) else None


def add(text: str) -> str:
    """One more key that is tried when something is read: its mark. The first one stays the one that enciphers.

    Raises BadInput for what is none, Refused where SIGNATURE_KEY gives the keys.
    """
    if os.environ.get("SIGNATURE_KEY", "").strip():
        raise Refused("signature_key_given", GIVEN)
    try:
        key = cipher.decoded(text.strip(), "")
    except (RuntimeError, ValueError):
        raise BadInput("not_a_key", NOT_A_KEY) from None
    mark = cipher.mark_of(key)
    if mark not in cipher.marks():
        cipher.append(key)
    return mark


def lines() -> list[str]:
    """Every key here as it is printed and sealed."""
    return [base64.b64encode(key).decode() for key in cipher.known_keys()]


# --- Kept elsewhere -------------------------------------------------------------------------------------
def record_kept(event: Event, mark: str, by: AbstractUser) -> None:
    """Somebody has put the key with this mark where no backup lies."""
    if mark not in cipher.marks():
        raise Refused("no_such_key", NO_KEY)
    audit.record(event, by, "keep_signature_key", f"key {mark}")


def unkept(event: Event) -> list[str]:
    """Marks of keys here that nobody has said to be kept elsewhere."""
    said = set(AuditEntry.objects.filter(event=event, action="keep_signature_key").values_list("thing", flat=True))
    return [mark for mark in cipher.marks() if f"key {mark}" not in said]
