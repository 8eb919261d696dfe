"""Plain data in one spelling and its digest: the same on every machine, in every zone and on both databases."""

import hashlib
import json
from datetime import date, datetime
from typing import Any


def canonical_json(data: Any) -> str:
    """Plain data as JSON in one spelling: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest_of(data: Any) -> str:
    """SHA-256, hexadecimal, of plain data as canonical JSON."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def instant(at: datetime) -> str:
    """Microseconds since 1970, UTC, as text."""
    return str(round(at.timestamp() * 1_000_000))


def plain(value: Any) -> Any:
    """A field's value as JSON can hold it: moments by `instant`, days in ISO 8601, bytes by their SHA-256."""
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest() if len(value) else ""
    return value
