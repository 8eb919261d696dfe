"""Names as lists bring them, composed at random, and what of them may be public: read off the rule, not the program.

A composed name knows its ideographs and its English words, since it was made of them; how it is written (padding, mixed
scripts, both names in one cell, compatibility forms, variation selectors) is thrown in after. The rule (R71) shows
of ideographs the first and the last of three or more, the first of two, none of one; of English words the first whole
and an initial of each other, of one word its initial.
"""

import random
import unicodedata
from collections import Counter
from dataclasses import dataclass

SURNAMES = "陳李張黃何郭吳梁鄧𨋢"
GIVEN = "大文明麗華詠欣志強𤧬𠮷裡峯〇々"
# Written otherwise, still one ideograph: compatibility blocks, extensions A to I, radicals, strokes, private use.
ODD = "\uf914\ufa19\U0002f800\u3400\U00020000\U0002b740\U00030000\U0002ebf0\u2e80\u2f08\u31c0\u3021\ue000\U000f0000"
COMPATIBLE = {"大": "\u2f24", "文": "\u2f42", "黃": "\u2fc8", "一": "\u3192"}
ENGLISH = ("CHAN", "LEE", "Tai", "Man", "D'SOUZA", "SMITH-JONES", "Łukasz", "Amy", "O", "Ngô")
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
SPACES = "  \u00a0\u3000\u2003\u202f\u2009"
UNSEEN = "\u200b\u200d\u2060\ufeff\u034f\ufe00\ufe0f\U000e0100\U000e01ef\u3164"
BETWEEN = (" ", "", "\u3000", "\u00a0", "/", ", ", "，", "（", " (", "_", "·", "|", " 🐰 ", "한", "ก", "か", "ㄅ")
AFTER = ("", "", "", ")", "）", "🐰", " ", "한", "。")


@dataclass(frozen=True)
class Composed:
    """Both fields as typed, and what the name was made of."""

    name_zh: str
    name_en: str
    ideographs: tuple[str, ...]
    words: tuple[str, ...]


def compose(dice: random.Random) -> Composed:
    """A Chinese name, an English one or both; each in its field, in the other, or both in one."""
    chinese = ideographs(dice) if dice.random() < 0.85 else []
    count = dice.choice((1, 2, 3, 3, 4)) if not chinese or dice.random() < 0.8 else 0
    words = dice.choices(ENGLISH, k=count)
    zh, en = written(chinese, dice), " ".join(words)
    if dice.random() < 0.15:
        en = en.translate(FULL_WIDTH)
    fields = [[zh], [en]]
    how = dice.random()
    if how < 0.35:
        together = [zh, en] if dice.random() < 0.5 else [en, zh]
        joined = dice.choice(BETWEEN).join(part for part in together if part) + dice.choice(AFTER)
        fields = [[joined], []] if dice.random() < 0.5 else [[], [joined]]
    elif how < 0.45:
        fields.reverse()
    elif how < 0.55 and chinese:
        fields[1].insert(0, zh)
    padding = [dice.choice(("", "", *SPACES)) for _ in range(4)]
    name_zh, name_en = (
        padding[2 * place] + dice.choice((" ", "\u3000")).join(field) + padding[2 * place + 1]
        for place, field in enumerate(fields)
    )
    return Composed(name_zh, name_en, tuple(chinese), tuple(words))


def ideographs(dice: random.Random) -> list[str]:
    """One to five, rarely an odd one."""
    letters = [dice.choice(SURNAMES), *dice.choices(GIVEN, k=dice.choice((0, 1, 1, 1, 2, 2, 2, 3, 4)))]
    return [dice.choice(ODD) if dice.random() < 0.05 else letter for letter in letters]


def written(letters: list[str], dice: random.Random) -> str:
    """The ideographs as a list writes them: padded, with unseen characters, dots, in another form."""
    gap = dice.choice(("", "", "", " ", "\u3000", "\u00a0\u3000", "\u2003", "·", "‧", " · "))
    marked = dice.random() < 0.2
    parts = []
    for letter in letters:
        form = COMPATIBLE.get(letter, letter) if dice.random() < 0.1 else letter
        parts.append(form + (dice.choice(UNSEEN) if marked and dice.random() < 0.6 else ""))
    return gap.join(parts)


def allowed_ideographs(letters: tuple[str, ...]) -> Counter[str]:
    """What the rule lets be seen, each as often as it may."""
    shown = {1: (), 2: letters[:1]}.get(len(letters), (letters[0], letters[-1]) if letters else ())
    return Counter(unicodedata.normalize("NFKC", letter) for letter in shown)


def is_ideograph(character: str) -> bool:
    """By where it stands in Unicode; written apart from the program's own table."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0x2FDF
        or code in (0x3005, 0x3006, 0x3007)
        or 0x3021 <= code <= 0x3029
        or 0x31C0 <= code <= 0x31E3
        or 0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xE000 <= code <= 0xFAFF
        or (code >= 0x20000 and not 0xE0000 <= code <= 0xE0FFF)
    )


def shows_too_much(name: Composed, shown: str) -> str:
    """What a public form shows beyond the rule; nothing where it keeps to it."""
    seen = Counter(unicodedata.normalize("NFKC", letter) for letter in shown if is_ideograph(letter))
    if more := seen - allowed_ideographs(name.ideographs):
        return f"ideographs {''.join(more)}"
    if name.ideographs and any(character.isalpha() and character.isascii() for character in shown):
        return "both names"
    given = [word for word in (name.words[1:] if len(name.words) > 1 else name.words) if len(word) > 1]
    whole = [word for word in given if word in plain_words(shown) and word not in name.words[:1]]
    if len(name.words) == 1 and name.words[0] in plain_words(shown) and len(name.words[0]) > 1:
        whole = list(name.words)
    return f"words {whole}" if whole else ""


def plain_words(shown: str) -> list[str]:
    """Its words at half width."""
    return shown.translate({wide: narrow for narrow, wide in FULL_WIDTH.items()}).split()
