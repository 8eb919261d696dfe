"""Identity-card numbers are recognised only to be left out: none is ever kept, not even in part (PDPO)."""

import re
import unicodedata

# A whole number, its check digit in brackets or not: A123456(3), AB1234567, "A 123456 (3)". A pupil's address such as
# s1234567@school.edu.hk is not one.
WHOLE_IDENTITY_PATTERN = re.compile(r"(?<![A-Z0-9])[A-Z]{1,2} ?[0-9]{6} ?(?:\( ?[0-9A] ?\)|[0-9A])(?![A-Z0-9@])")
# A part of one: letter and six digits without the check digit, in one or in threes; or digits with the rest struck out,
# A123XXX(X), A1234**(*). A receipt R202601 cannot be told from one, and so is not kept either, in whatever column.
WITHOUT_CHECK_DIGIT = re.compile(r"(?<![A-Z0-9])(?!NO )[A-Z]{1,2} ?[0-9]{3} ?[0-9]{3}(?![A-Z0-9@])")
PARTLY_HIDDEN_PATTERN = re.compile(r"(?<![A-Z0-9])[A-Z]{1,2} ?[0-9]{3,5}[X*]{1,3} ?\(? ?[0-9AX*] ?\)?(?![A-Z0-9@])")
IDENTITY_HEAD_PATTERN = re.compile(r"身[份分]證|證件號|護照|HKID|IDCARD|IDENTITY|IDNO|IDNUMBER|PASSPORT")
BRACKETED_PATTERN = re.compile(r"[(\[【〔「].*?(?:[)\]】〕」]|$)")
# A column that must agree with the document is not one that holds its number: 英文姓名 須與身份證相同.
AGREES_WITH = re.compile(
    r"(?:必?須|需|請|應)?[與跟同如按].*|\b(?:AS|SAME AS) (?:ON|IN|PER|SHOWN|STATED|YOUR|THE|HKID|ID)\b.*"
)


def fold_identity_text(text: str) -> str:
    """Full-width forms and case folded away, with what nobody sees."""
    plain = unicodedata.normalize("NFKC", text).upper()
    seen = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    return re.sub(r"\s+", " ", seen)


def is_identity_head(head: str) -> bool:
    """Whether a column's name announces identity documents: by what stands outside brackets, where anything does."""
    plain = fold_identity_text(head)
    bare = AGREES_WITH.sub("", BRACKETED_PATTERN.sub("", plain))
    return bool(IDENTITY_HEAD_PATTERN.search(re.sub(r"[^\w]|_", "", bare if bare.strip() else plain)))


def looks_like_identity_number(text: str) -> bool:
    """Whether the cell holds what looks like a Hong Kong identity-card number or a part of one."""
    if not any(character.isdigit() for character in text):
        return False
    plain = fold_identity_text(text)
    return any(form.search(plain) for form in (WHOLE_IDENTITY_PATTERN, PARTLY_HIDDEN_PATTERN, WITHOUT_CHECK_DIGIT))
