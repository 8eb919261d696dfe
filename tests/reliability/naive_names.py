"""The control of the names: masked as their fields are labelled, a name's layout taken for its letters."""

import unicodedata


def characters(text: str) -> list[str]:
    """Cut into what one sees as one character."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.category(character) in ("Mn", "Mc", "Me"):
            found[-1] += character
        else:
            found.append(character)
    return found


def labelled_name(name_zh: str, name_en: str) -> str:
    """The Chinese field by the Chinese rule, else the English field by the English one."""
    if name_zh.strip():
        parts = characters(name_zh.strip())
        return parts[0] + "*" * (len(parts) - 2) + parts[-1] if len(parts) > 2 else "".join([*parts[:-1], "*"])
    words = name_en.split()
    hidden = [characters(word)[0] + "***" for word in words]
    return " ".join(hidden if len(words) < 2 else [words[0], *hidden[1:]])
