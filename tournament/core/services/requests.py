"""An act that is harmless when sent twice: its key row is written first, in the same transaction as the act (D2)."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.errors import BadInput, KeyReused
from tournament.core.models.request_key import RequestKey

StoredAnswer = Mapping[str, Any]
REQUEST_KEY_MAX_LENGTH = 64
NOT_OURS = _("This form's key is none that a page of ours made. Reload the page and try again.")


def request_fingerprint(act: str, payload: Any) -> str:
    """SHA-256 of the act's name and its canonical payload."""
    text = json.dumps([act, payload], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def run_once(scope: str, key: str, act: str, payload: Any, do: Callable[[], StoredAnswer]) -> tuple[StoredAnswer, bool]:
    """Run `do` once for this key: its answer, and whether this is a replay. BadInput `key_not_readable`.

    1. The key row is inserted first; a second copy waits on its unique index until the first has ended.
    2. Somebody was first with another payload: `key_reused`.
    3. Somebody was first with the same: the stored answer, nothing is done.
    4. Otherwise `do` runs in this transaction; a refusal rolls the key back, so that it is not used up.
    """
    done, replayed = once_if_done(scope, key, act, payload, do)
    return done, replayed


def once_if_done(
    scope: str, key: str, act: str, payload: Any, do: Callable[[], StoredAnswer | None]
) -> tuple[StoredAnswer, bool]:
    """As `run_once`; where `do` answers None nothing was done, and the key is not used up while what it wrote stays."""
    mark = check_request_key(key, act, payload)
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


def check_request_key(key: str, act: str, payload: Any) -> str:
    """The fingerprint, where the key is one that a page of ours makes; BadInput otherwise."""
    if len(key) > REQUEST_KEY_MAX_LENGTH or not key.isprintable():
        raise BadInput("key_not_readable", NOT_OURS)
    return request_fingerprint(act, payload)


# --- An act that is no transaction ----------------------------------------------------------------------
def begin_request(scope: str, key: str, act: str, payload: Any) -> StoredAnswer | None:
    """Keep the key before the act: None for the first, which may go on; else its answer, {} while it has none."""
    row = {"fingerprint": check_request_key(key, act, payload), "at": timezone.now()}
    kept, first = RequestKey.objects.get_or_create(scope=scope, key=key, defaults=row)
    return None if first else kept.answer


def finish_request(scope: str, key: str, answer: StoredAnswer) -> None:
    """Marks the act as done and stores its answer for a repeat."""
    RequestKey.objects.filter(scope=scope, key=key).update(status=200, answer=dict(answer))


def forget_request(scope: str, key: str) -> None:
    """The act was refused: its key is not used up."""
    RequestKey.objects.filter(scope=scope, key=key, status=0).delete()
