"""The rows of the faulty list: each is a sound entrant with one thing wrong, in the order of the columns."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

FULL_SESSION = "3月28日第一場"
OTHER_SESSION = "4月6日第三場"
ADULT_BIRTH_DATE = date(1990, 1, 15)

# What is wrong -> the cells that make it so.
SINGLE_CELL_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("number with a decimal point", {"number": 7.5}),
    ("number beyond four digits", {"number": "12000"}),
    ("Chinese name that lost characters", {"name_zh": "陳??"}),
    ("no English name", {"name_en": ""}),
    ("Chinese in the English name", {"name_en": "陳大文"}),
    ("bidi override in a name", {"name_en": "CHAN \u202etxt.exe"}),
    ("name of 101 characters", {"name_en": "CHAN " + "A" * 96}),
    ("no date of birth", {"birth_date": ""}),
    ("31 February", {"birth_date": "31/2/2016"}),
    ("month before day", {"birth_date": "2/28/2016"}),
    ("29 February of a common year", {"birth_date": "2015-02-29"}),
    ("a date in words", {"birth_date": "一九九零年"}),
    ("a date that lost its format", {"birth_date": 32888}),
    ("born after the session", {"birth_date": date(2026, 12, 1)}),
    ("born in 1890", {"birth_date": date(1890, 5, 4)}),
    ("six years old", {"birth_date": date(2019, 9, 1), "consent_guardian": "是"}),
    ("seventh birthday on the day", {"birth_date": date(2019, 4, 6), "consent_guardian": "是"}),
    ("no session", {"session": ""}),
    ("fifth session", {"session": "第五場"}),
    ("fifth session of a day", {"session": "4月6日第五場"}),
    ("session without a day", {"session": "第三場"}),
    ("a day without sessions", {"session": "4月8日第一場"}),
    ("session in other words", {"session": "下午場"}),
    ("phone that begins with 1", {"phone": "1234 5678"}),
    ("phone of two digits after +", {"phone": "+12"}),
    ("phone as a number with a point", {"phone": 91234567.5}),
    ("no e-mail address", {"email": "chan.at.example.com"}),
    ("a third language", {"language": "法文"}),
    ("identity-card number in another column", {"school": "A123456(3)"}),
    ("a grandmother", {"family": "F-9001", "family_role": "祖母"}),
    ("a minor without the guardian's consent", {"birth_date": date(2012, 5, 6), "consent_guardian": "否"}),
    ("neither yes nor no", {"consent_photo": "可能"}),
)


def faulty_rows(entries: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Heads and rows of the faulty list. `entries` are the sound ones, numbered."""
    full = [entry for entry in entries if entry.session == FULL_SESSION and not entry.family]
    sound = spare_entries(entries)
    rows = [replace(next(sound), **wrong) for _, wrong in SINGLE_CELL_FAULTS]
    rows += duplicate_entries(sound)
    rows += faulty_families(sound)
    rows += [replace(entry, session=FULL_SESSION) for entry in (*full, *(next(sound) for _ in range(101 - len(full))))]
    return heads_and_cells(rows)


def spare_entries(entries: list[Any]) -> Iterator[Any]:
    """Grown-ups of other sessions, moved to one session, none with a family."""
    for entry in entries:
        if entry.session != FULL_SESSION and not entry.family and entry.birth_date < date(2005, 1, 1):
            yield replace(entry, session=OTHER_SESSION)


def duplicate_entries(sound: Iterator[Any]) -> list[Any]:
    """One number in two rows; one person in two rows, spelt 峯 and 峰."""
    first, second, third, fourth = (next(sound) for _ in range(4))
    person = {"name_zh": "關詠峯", "name_en": "KWAN Wing Fung", "birth_date": date(1994, 9, 2)}
    return [
        first,
        replace(second, number=first.number),
        replace(third, **person),
        replace(fourth, **{**person, "name_zh": "關詠峰"}),
    ]


def faulty_families(sound: Iterator[Any]) -> list[Any]:
    """Every way in which a declared pair can be wrong (R40)."""
    child: Callable[..., Any] = lambda code, born: replace(  # noqa: E731
        next(sound), family=code, family_role="子女", birth_date=born, consent_guardian="是"
    )
    parent: Callable[..., Any] = lambda code, born=ADULT_BIRTH_DATE: replace(  # noqa: E731
        next(sound), family=code, family_role="家長", birth_date=born, consent_guardian="是"
    )
    return [
        replace(next(sound), family="F-9002"),
        replace(next(sound), family_role="家長"),
        child("F-9003", date(2015, 3, 4)),
        child("F-9004", date(2014, 3, 4)),
        child("F-9004", date(2016, 3, 4)),
        parent("F-9004"),
        parent("F-9005"),
        parent("F-9005", date(1988, 2, 3)),
        child("F-9006", date(2019, 8, 1)),
        parent("F-9006"),
        child("F-9007", date(2006, 8, 1)),
        parent("F-9007", date(1980, 8, 1)),
        child("F-9008", date(2016, 8, 1)),
        parent("F-9008", date(2008, 8, 1)),
        child("F-9009", date(2007, 8, 1)),
        parent("F-9009", date(2008, 1, 1)),
    ]


def heads_and_cells(rows: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """The usual heads with three more: the phone a second time, an identity document, and one that is not known."""
    cells = [
        [*row.cells(), "", "A123456(3)" if index == 0 else "", "由學校代交" if index == 1 else ""]
        for index, row in enumerate(rows)
    ]
    return ["聯絡電話", "身份證號碼", "備註"], cells
