"""What there is to look for of a person: each name, school, telephone and address in the ways that people write them.

What can hardly be anything else is certain; the rest may also be a word, a place or another's, and is asked about.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, product
from typing import NamedTuple

from tournament.core.entrant_column_kinds import Reveals
from tournament.entrants.readers.ordinary_words import (
    NAMES_EN,
    PERSON_TITLES,
    RELATION_PATTERN,
    WORDS_ALONE,
    WORDS_EN,
    WORDS_ZH,
)
from tournament.entrants.readers.school_names import school_abbreviations, school_names_en, school_names_zh
from tournament.entrants.readers.text_letters import alphabet_words_of, fold_character, ideographs_of
from tournament.messages.queries.published_text import KnownPerson

CANDIDATE_NAME, CANDIDATE_GIVEN_NAME, CANDIDATE_SCHOOL, CANDIDATE_GUARDIAN, CANDIDATE_PHONE, CANDIDATE_EMAIL = (
    "name",
    "given_name",
    "school",
    "guardian",
    "phone",
    "email",
)
# One syllable of Cantonese or Mandarin as it is romanised: alone it is in too many words and places to be asked about.
CANTONESE_SYLLABLE = re.compile(
    r"(b|p|m|f|d|t|n|l|g|k|ng|h|gw|kw|w|z|c|s|j|ch|ts|tz|sh|y|x|q|zh|r)?[aeiouü]{1,3}(n|m|ng|p|t|k|h|y|w|i|u|r)?|ng|m"
)
# By these the last character of a longer name is used as one: 阿琳, 琳琳, 琳同學.
CALLED_BY_LAST_CHARACTER = ("阿{0}", "{0}{0}", "{0}同學", "{0}小朋友")
# Surnames of two words, as they are romanised.
TWO_WORD_SURNAMES = frozenset(("auyeung", "ouyang", "szeto", "situ", "sheungkwun", "shangguan", "chukot", "zhuge"))
MIN_LENGTH_ALONE, MIN_NAME_WORD_LENGTH, MIN_NEAR_GIVEN_LENGTH = 4, 3, 5
LONG_NAME_WORDS, MAX_PERMUTED_WORDS, MIN_LENGTH_INSIDE = 3, 4, 9
PHONE_DIGITS = 8
# Written without spaces between words, so that none is seen to end: Thai, Lao, Burmese, Khmer, kana, Hangul.
SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\ua960-\ua97f\ud7b0-\ud7ff]+")
HANGUL = re.compile("[\uac00-\ud7a3]{3,}")
NOUGHTS_EN = ("zero", "oh", "o", "nought")
FIGURES_EN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINARY_ZH = frozenset(map(ideographs_of, WORDS_ZH))


class PersonalCandidate(NamedTuple):
    """Something to look for: of what kind, in which stream of the letters, whether finding it is certain; `near`:
    whether it is asked about with one letter more inside."""

    kind: str
    stream: str
    letters: str
    certain: bool
    whole_words: bool = False
    near: bool = False


def is_certain_candidate(candidate: PersonalCandidate) -> bool:
    """Whether it is meant wherever it stands; two ideographs may also be a word that the program itself writes."""
    return candidate.certain and not (candidate.stream == "close" and len(candidate.letters) < LONG_NAME_WORDS)


def candidates_of(person: KnownPerson) -> tuple[PersonalCandidate, ...]:
    """Everything of this person, names before schools and so on in the order of `Reveals`."""
    ways = ((CANDIDATES[wanted], text) for wanted in Reveals for reveals, text in person.texts if reveals is wanted)
    return tuple(dict.fromkeys(candidate for candidates, text in ways for candidate in candidates(text)))


def name_candidates(name: str) -> Iterator[PersonalCandidate]:
    """A name; whatever field it was typed in, each part is read by its own script."""
    yield from chinese_candidates(ideographs_of(name))
    yield from english_candidates(words_surname_first(name))
    yield from given_first_candidates(name, alphabet_words_of(name))
    yield from hangul_candidates(name)


def phone_candidates(phone: str) -> Iterator[PersonalCandidate]:
    """The last eight digits, as figures and as words."""
    digits = "".join(part for part in phone if part.isdigit())[-PHONE_DIGITS:]
    if len(digits) == PHONE_DIGITS:
        yield PersonalCandidate(CANDIDATE_PHONE, "figures", digits, True)
        spoken = "".join(FIGURES_EN[int(digit)] for digit in digits)
        yield from (
            PersonalCandidate(CANDIDATE_PHONE, "words", spoken.replace("zero", nought), True) for nought in NOUGHTS_EN
        )


def mail_candidates(email: str) -> Iterator[PersonalCandidate]:
    """An address in every way that it is written."""
    address = "".join(fold_character(part) for part in email).strip()
    if "@" in address:
        yield from (
            PersonalCandidate(CANDIDATE_EMAIL, "signs", written, True) for written in address_spellings(address)
        )


def address_spellings(address: str) -> Iterator[str]:
    """An address as it is, and with its signs in words: tai.man (at) example [dot] com."""
    yield address
    for before, after in ("", ""), ("(", ")"), ("[", "]"):
        at = address.replace("@", f"{before}at{after}")
        yield at
        yield at.replace(".", f"{before}dot{after}")
        local, _, domain = at.rpartition(f"{before}at{after}")
        yield f"{local}{before}at{after}" + domain.replace(".", f"{before}dot{after}")


def chinese_candidates(name: str) -> Iterator[PersonalCandidate]:
    """Of 陳大文: the whole, 大文陳, 文大陳, and the given name 大文; of 陳文 the whole, and 文 used as a name."""
    given = name[-2:]
    if len(name) >= LONG_NAME_WORDS:
        yield PersonalCandidate(CANDIDATE_NAME, "loose", name, True)
        yield PersonalCandidate(CANDIDATE_NAME, "close", name, True, near=True)
        yield PersonalCandidate(CANDIDATE_NAME, "close", given + name[:-2], True)
        yield PersonalCandidate(CANDIDATE_NAME, "close", name[::-1], True)
        yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "close", given, False)
        for called in (form.format(name[-1]) for form in CALLED_BY_LAST_CHARACTER):
            if called not in ORDINARY_ZH:
                yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "close", called, False)
    elif len(name) == len(given) == 2:
        yield PersonalCandidate(CANDIDATE_NAME, "close", name, name not in ORDINARY_ZH)
        yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "called", name[-1], False)
    elif name:
        yield PersonalCandidate(CANDIDATE_NAME, "called", name, False)


def english_candidates(words: Sequence[str]) -> Iterator[PersonalCandidate]:
    """Of CHAN Tai Man Peter: all its words in any order, Peter Chan, and the given names."""
    ordinary = all(word in WORDS_EN for word in words)
    if len(words) == 1:
        certain = len(words[0]) >= MIN_LENGTH_ALONE and not ordinary and not CANTONESE_SYLLABLE.fullmatch(words[0])
        if len(words[0]) >= MIN_NAME_WORD_LENGTH or (len(words[0]) > 1 and not ordinary):
            yield PersonalCandidate(CANDIDATE_NAME, "words", words[0], certain, SPACELESS.fullmatch(words[0]) is None)
        return
    whole = "".join(words)
    for order in word_orders(words):
        near = tuple(order) == tuple(words) and len(whole) >= MIN_LENGTH_INSIDE
        yield PersonalCandidate(
            CANDIDATE_NAME, "words", "".join(order), not ordinary, len(whole) < MIN_LENGTH_INSIDE, near
        )
    for first, second in pairwise(words[1:]):
        for order in permutations((words[0], first, second)):
            near = order == (words[0], first, second) and len("".join(order)) >= MIN_LENGTH_INSIDE
            yield PersonalCandidate(CANDIDATE_NAME, "words", "".join(order), not ordinary, True, near)
        yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "words", first + second, False, True)
    for letters in initialled_names(words):
        yield PersonalCandidate(CANDIDATE_NAME, "words", letters, False, True)
    for given in words[1:]:
        if is_given_name(given):
            certain = not {words[0], given} <= WORDS_EN
            yield PersonalCandidate(CANDIDATE_NAME, "words", given + words[0], certain, True)
            yield PersonalCandidate(CANDIDATE_NAME, "words", words[0] + given, certain, True)
            if given not in WORDS_ALONE and not (given in NAMES_EN and given in WORDS_EN):
                near = len(given) >= MIN_NEAR_GIVEN_LENGTH and given not in WORDS_EN
                yield PersonalCandidate(
                    CANDIDATE_GIVEN_NAME, "words", given, False, SPACELESS.fullmatch(given) is None, near
                )
    for part in (words[1:], words[:-1]):
        if len("".join(part)) >= MIN_NAME_WORD_LENGTH and (len(part) > 1 or part == words[1:]):
            yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "words", "".join(part), False, True)


def initialled_names(words: Sequence[str]) -> Iterator[str]:
    """Of CHAN Tai Man: Chan T M, T.M. Chan, Chan Tai M, the longest first; one initial alone too many people share."""
    count = 2 if "".join(words[:2]) in TWO_WORD_SURNAMES else 1
    surname, given = "".join(words[:count]), words[count:]
    if len(surname) < 2 or not surname.isascii():
        return
    for count in range(min(len(given), MAX_PERMUTED_WORDS), 1, -1):
        for written in product(*((word[0], word) for word in given[:count])):
            if written != tuple(given[:count]):
                yield surname + "".join(written)
                yield "".join(written) + surname


def is_given_name(word: str) -> bool:
    """Whether a word of a name tells by itself whose it is: Peter, Leo; Tai and Man do not."""
    return word in NAMES_EN or (len(word) >= MIN_NAME_WORD_LENGTH and not CANTONESE_SYLLABLE.fullmatch(word))


def given_first_candidates(name: str, words: Sequence[str]) -> Iterator[PersonalCandidate]:
    """Of Peter CHAN Tai Man, and of a name in another alphabet, the first word: it is the given name there."""
    first = words[0] if len(words) > 1 else ""
    beside_syllables = any(CANTONESE_SYLLABLE.fullmatch(word) for word in words[1:])
    english = beside_syllables and is_given_name(first) and not is_surname_first(name)
    if first and (not first.isascii() or (english and first not in WORDS_EN | WORDS_ALONE)):
        yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "words", first, False, SPACELESS.fullmatch(first) is None)


def is_surname_first(name: str) -> bool:
    """Whether capitals say so: SMITH Ka Man."""
    return name.split()[0].isupper() and not name.isupper()


def words_surname_first(name: str) -> list[str]:
    """Its words; where capitals say that the last is the surname (Olivia WONG), that one goes first."""
    written = name.split()
    last = len(written) > 1 and written[-1].isupper() and not any(map(str.isupper, written[:-1]))
    words = alphabet_words_of(name)
    return [words[-1], *words[:-1]] if last and len(words) > 1 else words


def hangul_candidates(name: str) -> Iterator[PersonalCandidate]:
    """Of 김철수 the given name 철수, whatever is written after it without a space."""
    for word in () if name.isascii() else HANGUL.findall(unicodedata.normalize("NFC", name)):
        yield PersonalCandidate(CANDIDATE_GIVEN_NAME, "words", unicodedata.normalize("NFD", word[-2:]), False)


def word_orders(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words in every order; of long names each beginning of the same round."""
    if len(words) <= MAX_PERMUTED_WORDS:
        yield from permutations(words)
    else:
        yield from (tuple(words[start:]) + tuple(words[:start]) for start in range(len(words)))


@lru_cache(maxsize=1000)
def school_candidates(school: str) -> tuple[PersonalCandidate, ...]:
    """A school by its names in either script, the longest first, and by its letters: SPCCPS."""
    found = [
        PersonalCandidate(CANDIDATE_SCHOOL, "loose" if len(name) > LONG_NAME_WORDS else "close", name, False)
        for name in school_names_zh(ideographs_of(school))
        if name not in ORDINARY_ZH
    ]
    found += [
        PersonalCandidate(CANDIDATE_SCHOOL, "words", name, False, True)
        for name in school_names_en(alphabet_words_of(school))
    ]
    found += [
        PersonalCandidate(CANDIDATE_SCHOOL, "capitals", letters, False, True)
        for letters in school_abbreviations(school)
    ]
    return tuple(dict.fromkeys(found))


def guardian_candidates(guardian: str) -> Iterator[PersonalCandidate]:
    """A guardian's name like an entrant's; 母親 or Mrs Chan alone names nobody."""
    chinese = ideographs_of(RELATION_PATTERN.sub("", guardian))
    english = [word for word in alphabet_words_of(guardian) if word not in PERSON_TITLES]
    named = [*chinese_candidates(chinese)] if len(chinese) > 1 else []
    named += [*english_candidates(english)] if len(english) > 1 else []
    for one in named:
        yield one._replace(kind=CANDIDATE_GUARDIAN)


CANDIDATES: dict[Reveals, Callable[[str], Iterable[PersonalCandidate]]] = {
    Reveals.NAME: name_candidates,
    Reveals.SCHOOL: school_candidates,
    Reveals.GUARDIAN: guardian_candidates,
    Reveals.PHONE: phone_candidates,
    Reveals.EMAIL: mail_candidates,
}
