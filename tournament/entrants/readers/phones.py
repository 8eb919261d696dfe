"""Phones to E.164 (R72): eight digits from 2 to 9 are Hong Kong, other places only with +."""

import re
import unicodedata
from dataclasses import dataclass

HONG_KONG_PHONE = re.compile(r"[2-9][0-9]{7}")
INTERNATIONAL_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")
PHONE_PUNCTUATION = re.compile(r"[\s\-().·‐‑–—]")


@dataclass(frozen=True, slots=True)
class NotAPhone(Exception):
    """Why a text is no phone: a code of `faults.SENTENCES`."""

    code: str


def read_phone(text: str) -> str:
    """`9123 4567`, `(852) 9123-4567`, `+852…`, `00852…` to `+85291234567`; blank stays blank. Raises `NotAPhone`."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if not plain:
        return ""
    if re.fullmatch(r"[0-9]+\.[0-9]+(e\+?[0-9]+)?|[0-9]+e\+?[0-9]+", plain, re.IGNORECASE):
        raise NotAPhone("phone_as_fraction")
    digits = PHONE_PUNCTUATION.sub("", plain)
    for prefix in ("+852", "00852"):
        digits = digits.removeprefix(prefix) if digits.startswith(prefix) else digits
    if len(digits) == 11 and digits.startswith("852"):
        digits = digits.removeprefix("852")
    if HONG_KONG_PHONE.fullmatch(digits):
        return f"+852{digits}"
    if not digits.startswith("+"):
        raise NotAPhone("phone_not_hong_kong")
    if not INTERNATIONAL_PHONE.fullmatch(digits):
        raise NotAPhone("phone_not_international")
    return digits
