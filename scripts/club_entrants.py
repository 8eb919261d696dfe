"""The lists of the four smaller events of the demo, each in the language of its rule text: heads and rows."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from scripts.entrant_words import GIVEN_NAMES, SURNAMES, character_pairs

CLUB_SEED = 19
FRENCH_GIVEN = (
    "Éloïse",
    "Hélène",
    "François",
    "Noël",
    "Chloé",
    "Jérôme",
    "Zoé",
    "Benoît",
    "Maëlle",
    "Gaël",
    "Aïcha",
    "Loïc",
)
FRENCH_SURNAMES = (
    "DUPRÉ",
    "LEFÈVRE",
    "GARÇON",
    "CHÂTEL",
    "D'ARMAGNAC",
    "BENOÎT",
    "MAËL",
    "LE GOFF",
    "PÉRÈS",
    "SAINT-CYR",
)
ENGLISH_GIVEN = (
    "Alice",
    "Oliver",
    "Priya",
    "Sean",
    "Maya",
    "George",
    "Fatima",
    "Hugo",
    "Nora",
    "Samuel",
    "Ines",
    "Kofi",
)
ENGLISH_SURNAMES = ("BAKER", "O'NEIL", "SMITH-JONES", "KHAN", "MURRAY", "FERNANDES", "LUND", "DE SILVA")

ClubCell = str | date


class ClubList(NamedTuple):
    """One event's list: the folder under fixtures/, the sheet's name, its heads and its rows."""

    folder: str
    sheet: str
    heads: tuple[str, ...]
    rows: list[list[ClubCell]]


def hong_kong_people(dice: Random, count: int) -> list[tuple[str, str]]:
    """So many Chinese names with their English forms, no two alike."""
    surnames, given = character_pairs(SURNAMES), character_pairs(GIVEN_NAMES)
    found: dict[str, str] = {}
    while len(found) < count:
        surname, pair = dice.choice(surnames), dice.sample(given, 2)
        name = surname[0] + "".join(character for character, _ in pair)
        found[name] = f"{surname[1]} {' '.join(roman for _, roman in pair)}"
    return list(found.items())


def western_people(dice: Random, count: int, surnames: Sequence[str], given: Sequence[str]) -> list[str]:
    """So many names, surname first, no two alike."""
    pairs = [f"{surname} {name}" for surname in surnames for name in given]
    return dice.sample(pairs, count)


def births(dice: Random, day: date, years: tuple[int, int]) -> Iterator[date]:
    """Dates of birth that give an age within these years on the day, never with the birthday on it."""
    while True:
        age = dice.randint(*years)
        yield day.replace(year=day.year - age) - timedelta(days=dice.randint(1, 360))


def twist_list(dice: Random) -> ClubList:
    """24 who play a league evening in three rounds; all are entered for the first."""
    heads = ("編號", "中文姓名", "英文姓名", "出生日期", "場次", "電話", "公開姓名同意", "費用")
    born = births(dice, date(2026, 5, 8), (19, 70))
    rows: list[list[ClubCell]] = [
        [f"{number:04d}", zh, en, next(born), "5月8日第一場", f"9{dice.randint(0, 9_999_999):07d}", "是", "已繳"]
        for number, (zh, en) in enumerate(hong_kong_people(dice, 24), start=1)
    ]
    return ClubList("twist", "聯賽名單", heads, rows)


def school_list(dice: Random) -> ClubList:
    """160 pupils of eight classes: the younger play on the first lunch break, the others on the second."""
    heads = ("編號", "姓名", "英文姓名", "出生日期", "場次", "學校", "監護人", "監護人同意", "公開姓名同意", "費用")
    rows: list[list[ClubCell]] = []
    people = hong_kong_people(dice, 160)
    for number, (zh, en) in enumerate(people):
        form = 3 + number // 40
        when = "5月12日第一場" if form < 5 else "5月13日第一場"
        born = date(2026 - form - 6, 9, 1) + timedelta(days=dice.randint(1, 350))
        group = f"白田小學 {form}{'AB'[number % 2]}"
        consent = dice.choice(("是", "否"))
        rows.append([f"{number + 1:04d}", zh, en, born, when, group, f"{zh}家長", "已同意", consent, "豁免"])
    return ClubList("school", "數學週", heads, rows)


def word_list(dice: Random) -> ClubList:
    """32 who play an evening of words."""
    heads = ("Number", "Name", "Date of birth", "Session", "Email", "Language", "Name consent", "Fee")
    born = births(dice, date(2026, 5, 16), (18, 75))
    rows: list[list[ClubCell]] = [
        [f"{number:04d}", name, next(born), "16 May session 1", f"player{number}@example.org", "English", "yes", "paid"]
        for number, name in enumerate(western_people(dice, 32, ENGLISH_SURNAMES, ENGLISH_GIVEN), start=1)
    ]
    return ClubList("word", "Players", heads, rows)


def french_list(dice: Random) -> ClubList:
    """48 members of a French club, who play a morning and an afternoon; all are entered for the morning."""
    heads = ("Numéro", "Nom et prénom", "Date de naissance", "Séance", "Courriel", "Langue", "Nom publié", "Cotisation")
    born = births(dice, date(2026, 5, 30), (16 + 2, 80))
    rows: list[list[ClubCell]] = [
        [
            f"{number:04d}",
            name,
            next(born),
            "30 May session 1",
            f"membre{number}@example.org",
            "English",
            "oui",
            "payée",
        ]
        for number, name in enumerate(western_people(dice, 48, FRENCH_SURNAMES, FRENCH_GIVEN), start=1)
    ]
    return ClubList("french", "Joueurs", heads, rows)


def club_lists() -> list[ClubList]:
    """All four, the same every time."""
    makers = (twist_list, school_list, word_list, french_list)
    return [make(Random(f"{CLUB_SEED} {make.__name__}")) for make in makers]
