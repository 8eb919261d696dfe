"""Names as the public may see them: masked, so that a child is known to its family and to nobody else (rules 4)."""

import unicodedata

HIDDEN_WORD = "***"


def characters(text: str) -> list[str]:
    """The text cut into what one sees as one character: marks and variation selectors stay with theirs."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.category(character) in ("Mn", "Mc", "Me"):
            found[-1] += character
        else:
            found.append(character)
    return found


def mask_chinese(name: str) -> str:
    """First and last character, one * for each between; of two the first and *; one is *. 陳大文 -> 陳*文."""
    parts = characters(name.strip())
    if len(parts) <= 2:
        return "".join([*parts[:-1], "*"]) if parts else ""
    return parts[0] + "*" * (len(parts) - 2) + parts[-1]


def mask_english(name: str) -> str:
    """The first word whole, later ones their initial and ***; a single word is its initial and ***. CHAN T*** M***."""
    words = name.split()
    hidden = [characters(word)[0] + HIDDEN_WORD for word in words]
    return " ".join(hidden if len(words) < 2 else [words[0], *hidden[1:]])


def public_name(name_zh: str, name_en: str, language: str) -> str:
    """The masked name in a page's language (`zh-hant`, `en`), in the other where there is none."""
    chinese_first = not language.startswith("en")
    if name_zh.strip() and (chinese_first or not name_en.strip()):
        return mask_chinese(name_zh)
    return mask_english(name_en)


def mask_phone(phone: str) -> str:
    """The first and the last two digits: 9*** **18."""
    digits = [character for character in phone if character.isdigit()]
    return f"{digits[0]}*** **{''.join(digits[-2:])}" if len(digits) > 4 else "*" * len(digits)


def mask_email(address: str) -> str:
    """The first character and where it is: c***@example.org. Without a sign in it nothing but ***."""
    local, sign, domain = address.rpartition("@")
    return f"{''.join(characters(local)[:1])}{HIDDEN_WORD}@{domain}" if sign else HIDDEN_WORD
