"""Characters that no cell may hold, and how they are shown: never as themselves (F8)."""

import unicodedata

CONTROL_PICTURES = 0x2400
LOST_CHARACTER = "\ufffd"


def storable_text(text: str) -> str:
    """The text with control characters as their pictures (␀) and lone surrogates as U+FFFD: a database can hold it.

    Tab and line breaks stay: at the ends they are trimmed, inside they are a fault.
    """
    return "".join(map(storable_character, text)) if not text.isprintable() else text


def storable_character(character: str) -> str:
    """What `storable_text` has in place of this character."""
    code = ord(character)
    if code < 0x20 and character not in "\t\n\r":
        return chr(CONTROL_PICTURES + code)
    if code == 0x7F:
        return "\u2421"
    return LOST_CHARACTER if 0xD800 <= code <= 0xDFFF else character


def is_forbidden_character(character: str) -> bool:
    """Control, bidi, zero-width, private and lost characters; line and paragraph breaks too.

    Ideographs that this Python does not know yet are unassigned to it and stay allowed: HKSCS grows.
    """
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        or "\u2400" <= character <= "\u2426"
        or character == LOST_CHARACTER
        or ord(character) & 0xFFFE == 0xFFFE
    )


def first_forbidden_character(text: str) -> str:
    """The first forbidden character as `U+202E`; "" where there is none."""
    if text.isascii() and text.isprintable():
        return ""
    return next((code_point(character) for character in text if is_forbidden_character(character)), "")


def code_point(character: str) -> str:
    """`U+202E`; a control character's picture under its own number."""
    code = ord(character)
    if CONTROL_PICTURES <= code <= CONTROL_PICTURES + 0x1F:
        code -= CONTROL_PICTURES
    return f"U+{code:04X}"


def show_forbidden_characters(text: str) -> str:
    """The text safe to look at: a forbidden character as its code point in brackets, so that nothing runs backwards."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"[{code_point(character)}]" if is_forbidden_character(character) else character for character in text
    )


def has_question_mark(text: str) -> bool:
    """What a lost character leaves behind: ?, its full-width form, an empty box."""
    return any(mark in text for mark in "?？□")
