"""What a person's name is: its scripts, its letters without layout, its key, its public form (R70, R71).

The one place that says so. A name is kept as typed; here is how it is read. Which field a name was typed in is not
trusted: lists bring both names in one cell, ideographs under "English name", names padded to the width of others.
Layout is no letter: spaces of every kind and what cannot be seen (zero-width characters, variation selectors, fillers).
Only between words of an alphabet a space means something. Asked elsewhere: which font prints what is `visible_text` of
it (core.exports.pdf_fonts); and by gate and erasure whether a text tells of somebody, by letters folded further than
any key (entrants.readers.text_letters, for messages.readers.personal_text, messages.readers.personal_candidates and
entrants.readers.school_names alone). Whether two people may be one is asked of entrants.readers.namesakes.
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

MASK_SIGN = "*"
MASK_WORD = "***"
# What stands in the place of a name that was erased, in Chinese and in English: it is nobody's and is shown whole.
ERASED_NAMES = ("已刪除個人資料", "erased")
ERASED_NAME = " ".join(ERASED_NAMES)

# Han in the widest sense: whatever is read as one ideograph. Radicals, strokes, iteration marks, Hangzhou numerals,
# Tangut, Khitan, Nushu, planes 2 and 3 whole (letters newer than this Python), and the private use areas, in which
# older lists of Hong Kong have theirs.
HAN_RANGES = (
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x31C0, 0x31E5), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xE000, 0xFAFF), (0x16FE2, 0x16FE4), (0x17000, 0x18D8F), (0x1B170, 0x1B2FF),
    (0x20000, 0x3FFFD), (0xF0000, 0x10FFFD),
)  # fmt: skip
# Kept as typed, since NFKC would make others of them.
COMPATIBILITY_RANGES = ((0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
SELECTOR_RANGES = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
# Fillers and joiners that a font shows as nothing, whatever Unicode calls them.
FILLER_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffc\U00016fe4")
# Spaces that Unicode does not call so: line ends and separators of old, blank Braille, the wide space of GBK.
SPACE_CHARACTERS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2800\ue5e5")
SYLLABLE_SCRIPT_NAMES = ("HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "YI ", "CJK ", "IDEOGRAPHIC")
HANGUL_JAMO_PATTERN = re.compile("[\u1100-\u11ff]+")

# Two spellings of one character in Hong Kong names; the second is the key's.
VARIANT_CHARACTERS = str.maketrans("峯衞羣裡栢邨着溫", "峰衛群裏柏村著温")
SIGN_FORMS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})
SIGN_FORMS.update(str.maketrans({"‧": "·", "•": "·", "・": "·", "．": "·", "∙": "·"}))
APOSTROPHE_SIGNS, HYPHEN_SIGNS, DOT_SIGNS = "'’‘ʼ`´ʻ＇", "-‐‑–—－﹣", "·‧•・．∙･"
MAX_NAME_KEY = 220
NAME_KEY_SEPARATOR = "|"
# A word stays whole with apostrophes, one hyphen, initials (J.R.); all other signs part words.
GLUED_WORDS = re.compile(
    rf"(?<=\w\w)[.{DOT_SIGNS}](?=\w)|(?<=\w)[{HYPHEN_SIGNS}.{DOT_SIGNS}{APOSTROPHE_SIGNS}]{{2,}}(?=\w)"
)
EMPTY_BRACKETS = re.compile(r"[(（\[［【「《<]\s*[)）\]］】」》>]")


class Script(Enum):
    """What a character of a name is written in. `SYLLABLE`: kana, Hangul, Bopomofo; a `MARK` has a base."""

    HAN = "han"
    SYLLABLE = "syllable"
    LATIN = "latin"
    ALPHABET = "alphabet"
    DIGIT = "digit"
    MARK = "mark"
    JOINER = "joiner"
    DOT = "dot"
    SPACE = "space"
    INVISIBLE = "invisible"
    SIGN = "sign"


LETTER_SCRIPTS = frozenset({Script.HAN, Script.SYLLABLE, Script.LATIN, Script.ALPHABET})
CHARACTER_SCRIPTS = frozenset({Script.HAN, Script.SYLLABLE})
WORD_SCRIPTS = frozenset({Script.LATIN, Script.ALPHABET, Script.DIGIT, Script.MARK})


class NamePiece(NamedTuple):
    """What one sees as one character, with its marks."""

    text: str
    script: Script


def is_in_ranges(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    """Whether one of the ranges holds it."""
    return any(first <= code <= last for first, last in ranges)


@lru_cache(maxsize=1 << 15)
def script_of(character: str) -> Script:
    """The script of one character; one that NFKC would change is handed in changed (`visible_pieces`)."""
    code, category = ord(character), unicodedata.category(character)
    if character in SPACE_CHARACTERS or category in ("Zs", "Zl", "Zp"):
        return Script.SPACE
    if character in FILLER_CHARACTERS or is_in_ranges(code, SELECTOR_RANGES) or category in ("Cc", "Cf", "Cs"):
        return Script.INVISIBLE
    if is_in_ranges(code, HAN_RANGES) and not 0x2FE0 <= code <= 0x2FFF:
        return Script.HAN
    if category[0] == "M":
        return Script.MARK
    if character in APOSTROPHE_SIGNS or character in HYPHEN_SIGNS or character == ".":
        return Script.JOINER
    if character in DOT_SIGNS:
        return Script.DOT
    return script_by_unicode_name(character, category)


def script_by_unicode_name(character: str, category: str) -> Script:
    """By its name in Unicode: LATIN SMALL LETTER A."""
    name = unicodedata.name(character, "")
    if category[0] == "L":
        if name.startswith(SYLLABLE_SCRIPT_NAMES) or " IDEOGRAPH" in name:
            return Script.SYLLABLE
        if name.startswith("LATIN"):
            return Script.LATIN
        return Script.SIGN if name.startswith("MODIFIER") else Script.ALPHABET
    return Script.DIGIT if character.isdecimal() else Script.SIGN


@lru_cache(maxsize=1 << 15)
def expand_character(character: str) -> str:
    """Full width, superscript, circled, squared forms as what they stand for (㍿ is four ideographs); ideographs of the
    compatibility blocks as typed."""
    if character.isascii() or is_in_ranges(ord(character), COMPATIBILITY_RANGES) or character in DOT_SIGNS:
        return character
    return unicodedata.normalize("NFKC", character)


def replace_unseen_by_gaps(text: str) -> str:
    """The text with a space for what is not seen between two words of an alphabet (lists are padded so), without it
    elsewhere. Beside a single letter it is no gap: a name which has it between all letters stays one word."""
    plain = "".join(UNSEEN_SIGN if script_of(sign) == Script.INVISIBLE else sign for sign in text)
    return UNSEEN_GAP.sub(" ", plain).replace(UNSEEN_SIGN, "")


def visible_pieces(text: str) -> Iterator[NamePiece]:
    """The text as one sees it: layout and signs told apart from letters, marks with theirs, what is unseen left out."""
    held: NamePiece | None = None
    if not (text.isascii() and text.isprintable()):
        text = replace_unseen_by_gaps(text)
        text = HANGUL_JAMO_PATTERN.sub(lambda run: unicodedata.normalize("NFC", run[0]), text)
        text = "".join(map(expand_character, text))
    for character in text:
        script = script_of(character)
        if script == Script.INVISIBLE:
            continue
        if script == Script.MARK and held is not None:
            held = NamePiece(held.text + character, held.script)
            continue
        if held is not None:
            yield held
        held = NamePiece(character, script)
    if held is not None:
        yield held


def scripts_in_text(text: str) -> frozenset[Script]:
    """The scripts of the letters and digits in it."""
    return frozenset(piece.script for piece in visible_pieces(text)) & (LETTER_SCRIPTS | {Script.DIGIT})


def visible_text(text: str) -> str:
    """The text without what a font shows as nothing, every space a plain one but the ideographic."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if script_of(character) == Script.SPACE and character != "\u3000" else character
        for character in replace_unseen_by_gaps(text)
    )


def has_layout(name: str) -> bool:
    """Whether a Chinese name holds layout between its letters, or unseen characters anywhere."""
    inner = name.strip()
    return any(script_of(character) in (Script.SPACE, Script.INVISIBLE) for character in inner)


# --- Both names in one text -----------------------------------------------------------------------------
def split_mixed_name(text: str) -> tuple[str, str]:
    """The Chinese and the English part of one text: `陳大文 CHAN Tai Man`, `李小明LEE Siu Ming`, `Peter（陳大文）`.

    A text of one script comes back whole, without what is unseen. In a mixed one both parts are rid of the signs at
    their ends and of brackets that held the other.
    """
    if text.isascii():
        return "", visible_text(text).strip()
    found = list(visible_pieces(text))
    there = {piece.script for piece in found}
    if not (there & CHARACTER_SCRIPTS and there & {Script.LATIN, Script.ALPHABET}):
        whole = visible_text(text).strip()
        return (whole, "") if there & CHARACTER_SCRIPTS else ("", whole)
    chinese = "".join(piece.text if piece.script not in WORD_SCRIPTS else " " for piece in found)
    english = "".join(piece.text if piece.script not in CHARACTER_SCRIPTS else " " for piece in found)
    return strip_name_part(chinese), strip_name_part(english)


def strip_name_part(part: str) -> str:
    """A part of a mixed text, without empty brackets, doubled spaces and signs at its ends."""
    part = " ".join(EMPTY_BRACKETS.sub(" ", part).split())
    lettered = [place for place, character in enumerate(part) if script_of(character) in LETTER_SCRIPTS | WORD_SCRIPTS]
    return part[lettered[0] : lettered[-1] + 1] if lettered else ""


def chinese_and_english_parts(name_zh: str, name_en: str) -> tuple[str, str, str]:
    """The Chinese name, the English name, and an English one that stands beside the Chinese in its field besides.

    Each is taken from its own field, else from the other.
    """
    chinese, beside = split_mixed_name(name_zh)
    other, english = split_mixed_name(name_en)
    return chinese or other, english or beside, beside if english else ""


# --- Keys -----------------------------------------------------------------------------------------------
CHINESE_CHARACTER_CLASS = (
    "".join(f"{chr(first)}-{chr(last)}" for first, last in HAN_RANGES) + "\u3040-\u31ff\ua000-\ua4cf\uac00-\ud7a3"
)
UNSEEN_SIGN = "\0"
UNSEEN_GAP = re.compile(
    rf"(?<=[^\W_{CHINESE_CHARACTER_CLASS}]{{2}}){UNSEEN_SIGN}+(?=[^\W_{CHINESE_CHARACTER_CLASS}]{{2}})"
)
BESIDE_CHINESE = re.compile(rf"(?<=[{CHINESE_CHARACTER_CLASS}]) | (?=[{CHINESE_CHARACTER_CLASS}])")


def fold_name(name: str) -> str:
    """The key of a text: NFKC, case, variant pairs, one form of apostrophe, hyphen and middle dot; no layout in
    Chinese, single spaces between words.

    NFKC comes after the variants of one code point, since it would change some HKSCS compatibility forms first.
    """
    text = visible_text(name).translate(VARIANT_CHARACTERS).translate(SIGN_FORMS)
    text = (
        visible_text(unicodedata.normalize("NFKC", text)).casefold().translate(VARIANT_CHARACTERS).translate(SIGN_FORMS)
    )
    return BESIDE_CHINESE.sub("", " ".join(text.split()))


@lru_cache(maxsize=1 << 13)
def name_key(name_zh: str, name_en: str) -> str:
    """What `Person.name_key` holds: both folded names whatever field they stand in, cut to the column.

    A name in the Latin alphabet beside the Chinese one, with an English name of its own, is a third part: it is found
    by search and tells nobody apart.
    """
    chinese, english, beside = map(fold_name, chinese_and_english_parts(name_zh, name_en))
    return NAME_KEY_SEPARATOR.join([chinese, english, *([beside] if beside else [])])[:MAX_NAME_KEY]


def search_keys(text: str) -> list[str]:
    """What must all stand in the key of a name that is looked for by this text, in whatever order and layout."""
    parts = [fold_name(part) for part in split_mixed_name(text)]
    return [part.replace(NAME_KEY_SEPARATOR, " ") for part in parts if part]


def name_matches_search(text: str, name_zh: str, name_en: str) -> bool:
    """Whether a search for the text finds this name."""
    key = name_key(name_zh, name_en)
    return all(part in key for part in search_keys(text))


def parts_of_key(key: str) -> tuple[str, str]:
    """The Chinese and the English name of a key."""
    chinese, _, rest = key.partition(NAME_KEY_SEPARATOR)
    return chinese, rest.partition(NAME_KEY_SEPARATOR)[0]


# --- The public form ------------------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def public_name(name_zh: str, name_en: str) -> str:
    """The one masked name of a person, on every page and in every file, whatever its language (R71).

    The Chinese mask where any ideograph stands in either field, of that name's ideographs alone; else the English one.
    One and not both, since two masks side by side narrow what either hides.
    """
    texts = (name_zh, name_en)
    if texts == ERASED_NAMES:
        return ERASED_NAME
    there = [scripts_in_text(text) for text in texts]
    for script, order in ((Script.HAN, (0, 1)), (Script.LATIN, (1, 0)), (Script.SYLLABLE, (0, 1))):
        for place in order:
            if script in there[place]:
                return mask_english(texts[place]) if script == Script.LATIN else mask_chinese(texts[place])
    masks = [mask for mask in (mask_english(name_en), mask_english(name_zh)) if mask]
    return masks[0] if masks else MASK_WORD if visible_text("".join(texts)).strip() else ""


def mask_chinese(name: str) -> str:
    """First and last character, one * for each between; of two the first and *; one is *. 陳大文 -> 陳*文.

    Ideographs are counted, never what stands among them: 陳·文 has two. Kana and Hangul beside ideographs are hidden.
    """
    row = [piece for piece in visible_pieces(name) if piece.script in CHARACTER_SCRIPTS or piece.script == Script.DOT]
    shown_script = Script.HAN if any(piece.script == Script.HAN for piece in row) else Script.SYLLABLE
    count = sum(piece.script == shown_script for piece in row)
    row = [piece for piece in row if piece.script != Script.DOT] if count < 3 else strip_dot_pieces(row)
    places = [place for place, piece in enumerate(row) if piece.script == shown_script]
    shown = {places[0], places[-1]} if count > 2 else set(places[: count - 1])
    return "".join(piece.text[:1] if place in shown else MASK_SIGN for place, piece in enumerate(row))


def strip_dot_pieces(row: list[NamePiece]) -> list[NamePiece]:
    """Without the dots at both ends."""
    lettered = [place for place, piece in enumerate(row) if piece.script != Script.DOT]
    return row[lettered[0] : lettered[-1] + 1]


def mask_english(name: str) -> str:
    """The first word whole, later ones their initial and ***; a single word is its initial and ***. CHAN T*** M***.

    Only what is written in an alphabet is a word; where there is a Latin letter, only what is Latin is shown.
    """
    words = english_name_words(name)
    hidden = [word_initial(word) + MASK_WORD for word in words]
    return " ".join(hidden if len(words) < 2 else [words[0], *hidden[1:]])


def english_name_words(name: str) -> list[str]:
    """The words of an English name. Signs part them, so that CHAN,Tai Man and CHAN_Tai_Man hide what CHAN Tai Man does;
    of hyphens one is a double name, more are a whole name glued."""
    found = list(visible_pieces(name))
    latin = any(piece.script == Script.LATIN for piece in found)
    kept = (WORD_SCRIPTS | {Script.JOINER, Script.DOT}) - ({Script.ALPHABET} if latin else set())
    raw = "".join(piece.text if piece.script in kept else " " for piece in found).split()
    words = [
        part
        for word in raw
        for part in GLUED_WORDS.sub(" ", split_glued_hyphens(word) if len(raw) > 1 else word).split()
    ]
    ends = APOSTROPHE_SIGNS + HYPHEN_SIGNS + DOT_SIGNS
    words = [word.strip(ends).lstrip(".") for word in words]
    return [word for word in words if word_initial(word)]


def split_glued_hyphens(word: str) -> str:
    """The word with its hyphens as spaces where it has more than one."""
    hyphens = [character for character in word.strip(HYPHEN_SIGNS) if character in HYPHEN_SIGNS]
    return word.translate(dict.fromkeys(map(ord, HYPHEN_SIGNS), " ")) if len(hyphens) > 1 else word


def word_initial(word: str) -> str:
    """The first letter or digit with its marks; nothing where there is none."""
    lettered = (piece.text for piece in visible_pieces(word) if piece.script in WORD_SCRIPTS)
    return next(lettered, "")


# --- What is no name ------------------------------------------------------------------------------------
# What spreadsheets write where a formula gave nothing.
ERROR_CELL = re.compile(r"#[A-Z0-9_/]+[!?]?|Err:\d+", re.IGNORECASE)


def is_spreadsheet_error(text: str) -> bool:
    """An error value or a formula in place of a name: #N/A, #REF!, Err:502, =UPPER(B4)."""
    plain = expand_text(text).strip().lstrip("'").strip()
    return plain.startswith("=") or ERROR_CELL.fullmatch(plain) is not None


def expand_text(text: str) -> str:
    """Every character spelt out, without what is unseen."""
    return "".join(map(expand_character, visible_text(text)))


def has_letter(name: str) -> bool:
    """Whether any letter stands in it: 0, - and ✓ are no names."""
    return bool(scripts_in_text(name) & LETTER_SCRIPTS)


def has_latin_letter(name: str) -> bool:
    """Whether a Latin letter stands in it."""
    return Script.LATIN in scripts_in_text(name)


def has_chinese(name: str) -> bool:
    """Whether a character of a Chinese name stands in it: an ideograph, kana, Hangul."""
    return bool(scripts_in_text(name) & CHARACTER_SCRIPTS)
