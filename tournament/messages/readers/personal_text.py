"""Whether a text tells who somebody is: names in any layout, given names, schools, guardians, telephones, e-mails.

What can hardly be anything else is certain and is refused. A given name, a school, initials, a name that is an ordinary
word, has a letter more or begins in one text and ends in the next may also be another's: a person is asked.

What cannot be caught: a nickname that nobody typed at entry, a name told by its sound or meaning (耳東陳), a name that
is spelt in another romanisation, and whoever is told of without a name (the youngest of table 4).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.entrants.readers.ordinary_words import ORDINARY_ALONE, ORDINARY_PHRASE_PATTERN
from tournament.entrants.readers.text_letters import STREAM_NAMES, TextLetters, fold_character, read_text_letters
from tournament.messages.queries.published_text import KnownPerson
from tournament.messages.readers.personal_candidates import (
    CANDIDATE_EMAIL,
    CANDIDATE_GIVEN_NAME,
    CANDIDATE_GUARDIAN,
    CANDIDATE_NAME,
    CANDIDATE_PHONE,
    CANDIDATE_SCHOOL,
    PersonalCandidate,
    candidates_of,
    guardian_candidates,
    is_certain_candidate,
)

__all__ = [
    "CANDIDATE_EMAIL",
    "CANDIDATE_GIVEN_NAME",
    "CANDIDATE_GUARDIAN",
    "CANDIDATE_NAME",
    "CANDIDATE_PHONE",
    "CANDIDATE_SCHOOL",
    "PersonalFinding",
    "find_personal",
    "guardian_candidates",
]
# A name of one character is looked for where it is used as one: 阿文, 文同學, 「文」.
CALLED_BEFORE, CALLED_AFTER = "阿小", ("同學", "小朋友", "仔", "先生", "女士", "小姐", "妹", "弟", "姐", "哥", "老師")
# Figures and signs that stand for a letter, inside a word or at its ends: K1tty, T@i, 0livia; a one is an i or an l.
LETTER_SUBSTITUTES = r"[0-9@$!¡|]"
DISGUISED_LETTERS = re.compile(
    rf"(?<=[A-Za-z]){LETTER_SUBSTITUTES}+(?=[A-Za-z])|(?<![0-9A-Za-z]){LETTER_SUBSTITUTES}{{1,2}}(?=[A-Za-z]{{2}})"
    r"|(?<=[A-Za-z]{2})[0-9@$]{1,2}(?![0-9A-Za-z])"
)
SUBSTITUTES_AS_LETTERS = [str.maketrans("0123456789@$!¡|", f"o{one}zeasgtbgas{one}{one}{one}") for one in "il"]
# Letters that stand for a figure among figures: 9l23.
LETTERS_AS_FIGURES = str.maketrans("oOlIiSsZzB", "0011155228")
NO_FIGURES = re.compile(r"(?<=[0-9])[oOlIiSsZzB]{1,2}(?=[0-9])")
HALF_WIDTH = str.maketrans({chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)})
# Texts of one language follow each other on the page, whatever stands between them in the form.
LANGUAGE_SUFFIXES = ("_zh", "_en")

TextPlace = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PersonalFinding:
    """What a text says of somebody: which text, the words as they stand in it, of which kind, of which entrant's."""

    text: str
    kind: str
    number: int
    words: str
    certain: bool
    place: TextPlace


@dataclass(frozen=True, slots=True)
class TextRow:
    """Texts that are read one after another: a whole name or a telephone may begin in one and end in the next."""

    names: tuple[str, ...]
    ends: tuple[int, ...]
    letters: TextLetters

    def finding(self, candidate: PersonalCandidate, number: int) -> PersonalFinding | None:
        """What stands across the end of a text, to be asked about; told of the text in which it begins."""
        if candidate.kind not in (CANDIDATE_NAME, CANDIDATE_PHONE) or not is_certain_candidate(candidate):
            return None
        for start, end in candidate_places_in(self.letters, candidate):
            for place, border in enumerate(self.ends[:-1]):
                if start < border < end:
                    words = " ".join(self.letters.text[start:end].split())
                    return PersonalFinding(self.names[place], candidate.kind, number, words, False, (start, end))
        return None


def find_personal(texts: Mapping[str, str], people: Iterable[KnownPerson], own: str = "") -> list[PersonalFinding]:
    """All that the texts, by name, give away of these people, once a text, person and kind, in the order of the people.

    `own` are sentences that stand anyway, the program's and the event's name and place: what is asked about is not
    asked about where it stands in these too.
    """
    read, known = {name: readings_of(text) for name, text in texts.items()}, read_text_letters(own)
    rows = text_rows_of(texts)
    everything = all_letters(read, rows)
    found: dict[tuple[str, str, int], PersonalFinding] = {}
    for person in people:
        for candidate in candidates_of(person):
            if not candidate.near and candidate.letters not in everything[candidate.stream]:
                continue
            for name, readings in read.items():
                key = (name, candidate.kind, person.number)
                if key in found and (found[key].certain or not candidate.certain):
                    continue
                seen = first_candidate_place(readings, candidate)
                if seen and (
                    is_certain_candidate(candidate) or next(candidate_places_in(known, candidate), None) is None
                ):
                    place, certain = seen
                    words = texts[name][place[0] : place[1]].strip()
                    found[key] = PersonalFinding(name, candidate.kind, person.number, words, certain, place)
            for row in rows:
                if across := row.finding(candidate, person.number):
                    found.setdefault((across.text, across.kind, across.number), across)
    return without_inner_findings(list(found.values()))


def with_letters(text: str, table: Mapping[int, int]) -> str:
    """The text with each disguised letter as this table has it."""
    return DISGUISED_LETTERS.sub(lambda found: found.group().translate(table), text)


def readings_of(text: str) -> list[TextLetters]:
    """The text as it is, and with figures for the letters, letters for the figures that they stand for."""
    plain = text.translate(HALF_WIDTH)
    readings = [text, NO_FIGURES.sub(lambda found: found.group().translate(LETTERS_AS_FIGURES), plain)]
    readings += [with_letters(plain, table) for table in SUBSTITUTES_AS_LETTERS]
    return [read_text_letters(text), *map(read_text_letters, sorted({*readings} - {text, plain}))]


def all_letters(read: Mapping[str, Sequence[TextLetters]], rows: Sequence[TextRow]) -> dict[str, str]:
    """The letters of all readings in each stream: what is not in them stands nowhere, which is so of nearly all."""
    letters = [one for readings in read.values() for one in readings] + [row.letters for row in rows]
    streams = {name: "\0".join(getattr(one, name).letters for one in letters) for name in STREAM_NAMES}
    return streams | {"called": streams["close"], "capitals": streams["words"]}


def first_candidate_place(
    readings: Sequence[TextLetters], candidate: PersonalCandidate
) -> tuple[TextPlace, bool] | None:
    """Where it stands first, and whether that is certain; with one letter more inside it never is."""
    for letters in readings:
        for place in candidate_places_in(letters, candidate):
            return place, candidate.certain
    if candidate.near:
        stream = getattr(readings[0], candidate.stream)
        for place in stream.find_with_one_more(candidate.letters, whole_words=candidate.stream == "words"):
            return place, False
    return None


def text_rows_of(texts: Mapping[str, str]) -> list[TextRow]:
    """All texts in their order, and those of each language."""
    orders = [
        tuple(texts),
        *(tuple(name for name in texts if name.endswith(language)) for language in LANGUAGE_SUFFIXES),
    ]
    rows = []
    for names in dict.fromkeys(order for order in orders if len(order) > 1):
        ends, whole = [], ""
        for name in names:
            whole += texts[name] + "\n"
            ends.append(len(whole))
        rows.append(TextRow(names, tuple(ends), read_text_letters(whole)))
    return rows


def without_inner_findings(found: Sequence[PersonalFinding]) -> list[PersonalFinding]:
    """Without what would be asked about inside words that are refused anyway."""
    refused = [(one.text, one.place) for one in found if one.certain]
    return [
        one
        for one in found
        if one.certain or not any(one.text == text and is_place_inside(one.place, place) for text, place in refused)
    ]


def is_place_inside(place: TextPlace, other: TextPlace) -> bool:
    """Whether one place is within another."""
    return other[0] <= place[0] and place[1] <= other[1]


def candidate_places_in(read: TextLetters, candidate: PersonalCandidate) -> Iterator[TextPlace]:
    """Where it stands in the text; what may be a word, not where a phrase says that it is one."""
    if candidate.stream == "called":
        yield from single_character_places(read.text, candidate.letters)
    elif candidate.stream == "capitals":
        for start, end in read.words.find(candidate.letters, whole_words=True):
            if read.text[start:end].isupper():
                yield start, end
    else:
        for place in getattr(read, candidate.stream).find(candidate.letters, whole_words=candidate.whole_words):
            if candidate.certain or not any(
                is_place_inside(place, one.span()) for one in ORDINARY_PHRASE_PATTERN.finditer(read.text)
            ):
                yield place


def single_character_places(text: str, character: str) -> Iterator[TextPlace]:
    """Where one character is somebody's name: alone between signs, or with a word that people are called by."""
    plain = "".join(fold_character(sign) or " " for sign in text) if len(text) else ""
    if len(plain) != len(text) or character not in plain:
        plain = text
    says_more = sum(map(str.isalnum, plain)) > 1
    for found in re.finditer(re.escape(character), plain):
        before, after = plain[: found.start()][-1:], plain[found.end() :]
        alone = not before.isalnum() and not after[:1].isalnum()
        named = alone and says_more and character not in ORDINARY_ALONE
        if named or before in tuple(CALLED_BEFORE) or after.startswith(CALLED_AFTER):
            yield found.span()
