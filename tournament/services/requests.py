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
    done, replayed = once_if_done(scope, key, act, payload, do)
    return done, replayed


def once_if_done(scope: str, key: str, act: str, payload: Any, do: Callable[[], Answer | None]) -> tuple[Answer, bool]:
    """As `once`; where `do` answers None nothing was done, and the key is not used up while what it wrote stays."""
    mark = mark_of(key, act, payload)
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
        if answer is None:
            kept.delete()
            return {}, False
        RequestKey.objects.filter(pk=kept.pk).update(status=200, answer=dict(answer))
        return answer, False


def mark_of(key: str, act: str, payload: Any) -> str:
    """The fingerprint, where the key is one that a page of ours makes; BadInput otherwise."""
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise BadInput("key_not_readable", NOT_OURS)
    return fingerprint(act, payload)


# --- An act that is no transaction ----------------------------------------------------------------------
def begin(scope: str, key: str, act: str, payload: Any) -> Answer | None:
    """Keep the key before the act: None for the first, which may go on; else its answer, {} while it has none."""
    row = {"fingerprint": mark_of(key, act, payload), "at": timezone.now()}
    kept, first = RequestKey.objects.get_or_create(scope=scope, key=key, defaults=row)
    return None if first else kept.answer


def ended(scope: str, key: str, answer: Answer) -> None:
    """The act is done."""
    RequestKey.objects.filter(scope=scope, key=key).update(status=200, answer=dict(answer))


def forget(scope: str, key: str) -> None:
    """The act was refused: its key is not used up."""
    RequestKey.objects.filter(scope=scope, key=key, status=0).delete()
