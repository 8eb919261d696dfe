"""Identity-card numbers are recognised only to be left out: none is ever kept, not even in part (PDPO)."""

import re
import unicodedata

# A whole number, its check digit in brackets or not: A123456(3), AB1234567, "A 123456 (3)". A pupil's address such as
# s1234567@school.edu.hk is not one.
WHOLE = re.compile(r"(?<![A-Z0-9])[A-Z]{1,2} ?[0-9]{6} ?(?:\( ?[0-9A] ?\)|[0-9A])(?![A-Z0-9@])")
# A part of one: the six digits without the check digit, or digits with the rest struck out, A123XXX(X), A1234**(*).
WITHOUT_CHECK_DIGIT = re.compile(r"(?<![A-Z0-9])[A-Z]{1,2}[0-9]{6}(?![A-Z0-9@])")
STRUCK_OUT = re.compile(r"(?<![A-Z0-9])[A-Z]{1,2} ?[0-9]{3,5}[X*]{1,3} ?\(? ?[0-9AX*] ?\)?(?![A-Z0-9@])")
HEADS = re.compile(r"身[份分]證|證件號|護照|HKID|IDCARD|IDENTITY|IDNO|IDNUMBER|PASSPORT")
# Codes of the organiser's own making may look like the six digits: a receipt R202601 is none.
OWN_CODES = frozenset({"fee", "family", "number"})


def folded(text: str) -> str:
    """Full-width forms and case folded away."""
    return unicodedata.normalize("NFKC", text).upper()


def is_identity_head(head: str) -> bool:
    """Whether a column's name announces identity documents."""
    return bool(HEADS.search(re.sub(r"[^\w]|_", "", folded(head))))


def looks_like_identity_number(text: str, column: str = "") -> bool:
    """Whether the cell holds what looks like a Hong Kong identity-card number or a part of one."""
    if not any(character.isdigit() for character in text):
        return False
    plain = folded(text)
    if WHOLE.search(plain) or STRUCK_OUT.search(plain):
        return True
    return column not in OWN_CODES and bool(WITHOUT_CHECK_DIGIT.search(plain))
