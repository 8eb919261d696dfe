"""An act that is harmless when sent twice: its key row is written first, in the same transaction as the act (4.2)."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, KeyReused
from tournament.models import RequestKey

Answer = Mapping[str, Any]
LONGEST_KEY = 64
NOT_OURS = _("This form's key is none that a page of ours made. Reload the page and try again.")


def fingerprint(act: str, payload: Any) -> str:
    """SHA-256 of the act's name and its canonical payload."""
    text = json.dumps([act, payload], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def once(scope: str, key: str, act: str, payload: Any, do: Callable[[], Answer]) -> tuple[Answer, bool]:
    """Run `do` once for this key: its answer, and whether this is a replay. BadInput `key_not_readable`.

    1. The key row is inserted first; a second copy waits on its unique index until the first has ended.
    2. Somebody was first with another payload: `key_reused`.
    3. Somebody was first with the same: the stored answer, nothing is done.
    4. Otherwise `do` runs in this transaction; a refusal rolls the key back, so that it is not used up.
    """
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise BadInput("key_not_readable", NOT_OURS)
    mark = fingerprint(act, payload)
    with transaction.atomic():
        row = RequestKey(scope=scope, key=key, fingerprint=mark, at=timezone.now())
        RequestKey.objects.bulk_create([row], ignore_conflicts=True)
        kept = RequestKey.objects.get(scope=scope, key=key)
        if kept.fingerprint != mark:
            raise KeyReused(
                "key_reused", _("This request's key was used for something else. Reload the page and try again.")
            )
        if kept.status:
            return kept.answer, True
        answer = do()
        RequestKey.objects.filter(pk=kept.pk).update(status=200, answer=dict(answer))
        return answer, False
