"""What there is to look for of a person: each name, school, telephone and address in the ways that people write them.

What can hardly be anything else is certain; the rest may also be a word, a place or another's, and is asked about.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, product
from typing import NamedTuple

from tournament.queries.published_text import KnownPerson
from tournament.readers.letters import folded, ideographs_of, words_of
from tournament.readers.ordinary_words import NAMES_EN, RELATIONS, TITLES, WORDS_ALONE, WORDS_EN, WORDS_ZH
from tournament.readers.school_names import letters_for, names_en, names_zh

NAME, GIVEN_NAME, SCHOOL, GUARDIAN, PHONE, EMAIL = "name", "given_name", "school", "guardian", "phone", "email"
# One syllable of Cantonese or Mandarin as it is romanised: alone it is in too many words and places to be asked about.
SYLLABLE = re.compile(
    r"(b|p|m|f|d|t|n|l|g|k|ng|h|gw|kw|w|z|c|s|j|ch|ts|tz|sh|y|x|q|zh|r)?[aeiouü]{1,3}(n|m|ng|p|t|k|h|y|w|i|u|r)?|ng|m"
)
# By these the last character of a longer name is used as one: 阿琳, 琳琳, 琳同學.
BY_LAST = ("阿{0}", "{0}{0}", "{0}同學", "{0}小朋友")
# Surnames of two words, as they are romanised.
OF_TWO_WORDS = frozenset(("auyeung", "ouyang", "szeto", "situ", "sheungkwun", "shangguan", "chukot", "zhuge"))
SHORTEST_ALONE, SHORTEST_WORD, SHORTEST_NEAR_GIVEN = 4, 3, 5
LONG_NAME, MOST_PERMUTED, LONG_ENOUGH_INSIDE = 3, 4, 9
PHONE_DIGITS = 8
# Written without spaces between words, so that none is seen to end: Thai, Lao, Burmese, Khmer, kana, Hangul.
SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\ua960-\ua97f\ud7b0-\ud7ff]+")
HANGUL = re.compile("[\uac00-\ud7a3]{3,}")
NOUGHTS_EN = ("zero", "oh", "o", "nought")
FIGURES_EN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINARY_ZH = frozenset(map(ideographs_of, WORDS_ZH))


class Candidate(NamedTuple):
    """Something to look for: of what kind, in which stream of the letters, whether finding it is certain; `near`:
    whether it is asked about with one letter more inside."""

    kind: str
    stream: str
    letters: str
    certain: bool
    whole_words: bool = False
    near: bool = False


def is_sure(candidate: Candidate) -> bool:
    """Whether it is meant wherever it stands; two ideographs may also be a word that the program itself writes."""
    return candidate.certain and not (candidate.stream == "close" and len(candidate.letters) < LONG_NAME)


def candidates_of(person: KnownPerson) -> tuple[Candidate, ...]:
    """Everything of this person; whatever field a name was typed in, each part is read by its own script."""
    found: list[Candidate] = []
    for name in (person.name_zh, person.name_en):
        words = surname_first(name)
        found += [*chinese_candidates(ideographs_of(name)), *english_candidates(words)]
        found += [*given_first_candidates(name, words_of(name)), *hangul_candidates(name)]
    found += school_candidates(person.school)
    found += guardian_candidates(person.guardian)
    digits = "".join(part for part in person.phone if part.isdigit())[-PHONE_DIGITS:]
    if len(digits) == PHONE_DIGITS:
        found.append(Candidate(PHONE, "figures", digits, True))
        spoken = "".join(FIGURES_EN[int(digit)] for digit in digits)
        found += [Candidate(PHONE, "words", spoken.replace("zero", nought), True) for nought in NOUGHTS_EN]
    address = "".join(folded(part) for part in person.email).strip()
    if "@" in address:
        found += [Candidate(EMAIL, "signs", written, True) for written in addresses_of(address)]
    return tuple(dict.fromkeys(found))


def addresses_of(address: str) -> Iterator[str]:
    """An address as it is, and with its signs in words: tai.man (at) example [dot] com."""
    yield address
    for before, after in ("", ""), ("(", ")"), ("[", "]"):
        at = address.replace("@", f"{before}at{after}")
        yield at
        yield at.replace(".", f"{before}dot{after}")
        local, _, domain = at.rpartition(f"{before}at{after}")
        yield f"{local}{before}at{after}" + domain.replace(".", f"{before}dot{after}")


def chinese_candidates(name: str) -> Iterator[Candidate]:
    """Of 陳大文: the whole, 大文陳, 文大陳, and the given name 大文; of 陳文 the whole, and 文 used as a name."""
    given = name[-2:]
    if len(name) >= LONG_NAME:
        yield Candidate(NAME, "loose", name, True)
        yield Candidate(NAME, "close", name, True, near=True)
        yield Candidate(NAME, "close", given + name[:-2], True)
        yield Candidate(NAME, "close", name[::-1], True)
        yield Candidate(GIVEN_NAME, "close", given, False)
        for called in (form.format(name[-1]) for form in BY_LAST):
            if called not in ORDINARY_ZH:
                yield Candidate(GIVEN_NAME, "close", called, False)
    elif len(name) == len(given) == 2:
        yield Candidate(NAME, "close", name, name not in ORDINARY_ZH)
        yield Candidate(GIVEN_NAME, "called", name[-1], False)
    elif name:
        yield Candidate(NAME, "called", name, False)


def english_candidates(words: Sequence[str]) -> Iterator[Candidate]:
    """Of CHAN Tai Man Peter: all its words in any order, Peter Chan, and the given names."""
    ordinary = all(word in WORDS_EN for word in words)
    if len(words) == 1:
        certain = len(words[0]) >= SHORTEST_ALONE and not ordinary and not SYLLABLE.fullmatch(words[0])
        if len(words[0]) >= SHORTEST_WORD or (len(words[0]) > 1 and not ordinary):
            yield Candidate(NAME, "words", words[0], certain, SPACELESS.fullmatch(words[0]) is None)
        return
    whole = "".join(words)
    for order in orders_of(words):
        near = tuple(order) == tuple(words) and len(whole) >= LONG_ENOUGH_INSIDE
        yield Candidate(NAME, "words", "".join(order), not ordinary, len(whole) < LONG_ENOUGH_INSIDE, near)
    for first, second in pairwise(words[1:]):
        for order in permutations((words[0], first, second)):
            near = order == (words[0], first, second) and len("".join(order)) >= LONG_ENOUGH_INSIDE
            yield Candidate(NAME, "words", "".join(order), not ordinary, True, near)
        yield Candidate(GIVEN_NAME, "words", first + second, False, True)
    for letters in initialled(words):
        yield Candidate(NAME, "words", letters, False, True)
    for given in words[1:]:
        if is_given_name(given):
            certain = not {words[0], given} <= WORDS_EN
            yield Candidate(NAME, "words", given + words[0], certain, True)
            yield Candidate(NAME, "words", words[0] + given, certain, True)
            if given not in WORDS_ALONE and not (given in NAMES_EN and given in WORDS_EN):
                near = len(given) >= SHORTEST_NEAR_GIVEN and given not in WORDS_EN
                yield Candidate(GIVEN_NAME, "words", given, False, SPACELESS.fullmatch(given) is None, near)
    for given in (words[1:], words[:-1]):
        if len("".join(given)) >= SHORTEST_WORD and (len(given) > 1 or given == words[1:]):
            yield Candidate(GIVEN_NAME, "words", "".join(given), False, True)


def initialled(words: Sequence[str]) -> Iterator[str]:
    """Of CHAN Tai Man: Chan T M, T.M. Chan, Chan Tai M, the longest first; one initial alone too many people share."""
    count = 2 if "".join(words[:2]) in OF_TWO_WORDS else 1
    surname, given = "".join(words[:count]), words[count:]
    if len(surname) < 2 or not surname.isascii():
        return
    for count in range(min(len(given), MOST_PERMUTED), 1, -1):
        for written in product(*((word[0], word) for word in given[:count])):
            if written != tuple(given[:count]):
                yield surname + "".join(written)
                yield "".join(written) + surname


def is_given_name(word: str) -> bool:
    """Whether a word of a name tells by itself whose it is: Peter, Leo; Tai and Man do not."""
    return word in NAMES_EN or (len(word) >= SHORTEST_WORD and not SYLLABLE.fullmatch(word))


def given_first_candidates(name: str, words: Sequence[str]) -> Iterator[Candidate]:
    """Of Peter CHAN Tai Man, and of a name in another alphabet, the first word: it is the given name there."""
    first = words[0] if len(words) > 1 else ""
    beside_syllables = any(SYLLABLE.fullmatch(word) for word in words[1:])
    english = beside_syllables and is_given_name(first) and not surname_is_first(name)
    if first and (not first.isascii() or (english and first not in WORDS_EN | WORDS_ALONE)):
        yield Candidate(GIVEN_NAME, "words", first, False, SPACELESS.fullmatch(first) is None)


def surname_is_first(name: str) -> bool:
    """Whether capitals say so: SMITH Ka Man."""
    return name.split()[0].isupper() and not name.isupper()


def surname_first(name: str) -> list[str]:
    """Its words; where capitals say that the last is the surname (Olivia WONG), that one goes first."""
    written = name.split()
    last = len(written) > 1 and written[-1].isupper() and not any(map(str.isupper, written[:-1]))
    words = words_of(name)
    return [words[-1], *words[:-1]] if last and len(words) > 1 else words


def hangul_candidates(name: str) -> Iterator[Candidate]:
    """Of 김철수 the given name 철수, whatever is written after it without a space."""
    for word in () if name.isascii() else HANGUL.findall(unicodedata.normalize("NFC", name)):
        yield Candidate(GIVEN_NAME, "words", unicodedata.normalize("NFD", word[-2:]), False)


def orders_of(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words in every order; of long names each beginning of the same round."""
    if len(words) <= MOST_PERMUTED:
        yield from permutations(words)
    else:
        yield from (tuple(words[start:]) + tuple(words[:start]) for start in range(len(words)))


@lru_cache(maxsize=1000)
def school_candidates(school: str) -> tuple[Candidate, ...]:
    """A school by its names in either script, the longest first, and by its letters: SPCCPS."""
    found = [
        Candidate(SCHOOL, "loose" if len(name) > LONG_NAME else "close", name, False)
        for name in names_zh(ideographs_of(school))
        if name not in ORDINARY_ZH
    ]
    found += [Candidate(SCHOOL, "words", name, False, True) for name in names_en(words_of(school))]
    found += [Candidate(SCHOOL, "capitals", letters, False, True) for letters in letters_for(school)]
    return tuple(dict.fromkeys(found))


def guardian_candidates(guardian: str) -> Iterator[Candidate]:
    """A guardian's name like an entrant's; 母親 or Mrs Chan alone names nobody."""
    chinese = ideographs_of(RELATIONS.sub("", guardian))
    english = [word for word in words_of(guardian) if word not in TITLES]
    named = [*chinese_candidates(chinese)] if len(chinese) > 1 else []
    named += [*english_candidates(english)] if len(english) > 1 else []
    for one in named:
        yield one._replace(kind=GUARDIAN)
