"""Make the lists of made-up entrants under fixtures/: the same bytes every time.

    python -m scripts.make_entrants

entrants.xlsx, entrants.csv (UTF-8 with BOM) and entrants-big5hkscs.csv hold 1,200 people, 100 a session, all importable
without a decision. entrants-faulty.xlsx has a row for each fault that a row can have. The other events of the demo have
an entrants.xlsx each, in folders of their names.
"""

import csv
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import cast

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from scripts.club_entrants import club_lists
from scripts.entrant_faults import faulty_rows
from scripts.entrant_words import (
    CHRISTIAN_NAMES,
    GIVEN_NAMES,
    PRIMARY_SCHOOLS,
    SECONDARY_SCHOOLS,
    SURNAMES,
    TEACHERS_SCHOOLS,
    UNIVERSITIES,
    UNUSUAL_NAMES,
    character_pairs,
)

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
ENTRANTS_SEED = 75
SESSION_DAYS = (date(2026, 3, 28), date(2026, 4, 6), date(2026, 4, 7))
SESSIONS_OF_DAYS = [(day, of_day) for day in SESSION_DAYS for of_day in (1, 2, 3, 4)]
ENTRANTS_PER_SESSION = 100
FAMILY_COUNT = 100
GENERATED_LIST_HEADS = (
    "編號",
    "中文姓名",
    "英文姓名",
    "出生日期",
    "場次",
    "電話",
    "電郵",
    "語言",
    "學校",
    "家庭",
    "家庭身份",
    "監護人",
    "監護人同意",
    "公開姓名同意",
    "拍照同意",
    "推廣同意",
    "費用",
)
GENERATED_LIST_WIDTHS = (7, 14, 26, 12, 15, 18, 28, 7, 26, 9, 9, 18, 11, 13, 9, 9, 12)
NOT_IN_BIG5 = {"𠮷": "吉", "é": "e", "Ü": "U", "ễ": "e", "Ễ": "E", "ị": "i"}
MADE_AT = (2026, 3, 1, 12, 0, 0)

GeneratedCell = str | float | date | None


@dataclass(frozen=True)
class GeneratedEntry:
    """One row, cell by cell, in the order of HEADS."""

    number: GeneratedCell
    name_zh: str
    name_en: str
    birth_date: GeneratedCell
    session: GeneratedCell
    phone: GeneratedCell = ""
    email: str = ""
    language: str = "中文"
    school: str = ""
    family: str = ""
    family_role: str = ""
    guardian: str = ""
    consent_guardian: GeneratedCell = ""
    consent_name: GeneratedCell = ""
    consent_photo: GeneratedCell = ""
    consent_marketing: GeneratedCell = ""
    fee: str = "已繳"

    def cells(self) -> list[GeneratedCell]:
        """The cells in the order of HEADS."""
        return list(self.__dict__.values())


@dataclass
class EntrantMaker:
    """Makes people, no two alike."""

    dice: Random
    made: set[tuple[str, date]] = field(default_factory=set)

    def name(self, surname: tuple[str, str] | None = None) -> tuple[str, str, tuple[str, str]]:
        """A Chinese name, its English form with the surname first, and the surname; one or two given characters."""
        family = surname or self.dice.choice(character_pairs(SURNAMES))
        given = self.dice.sample(character_pairs(GIVEN_NAMES), 1 if self.dice.random() < 0.08 else 2)
        english = f"{family[1]} {' '.join(roman for _, roman in given)}"
        if self.dice.random() < 0.1:
            english += f", {self.dice.choice(CHRISTIAN_NAMES)}"
        return family[0] + "".join(character for character, _ in given), english, family

    def born(self, session: int, years: tuple[int, int]) -> date:
        """A date of birth that gives an age in whole years on the session's day, never with the birthday on it."""
        day = SESSIONS_OF_DAYS[session][0]
        age = self.dice.randint(*years)
        return day.replace(year=day.year - age) - timedelta(days=self.dice.randint(1, 360))

    def unlike(self, name_zh: str, name_en: str, birth: date) -> bool:
        """Whether nobody so far has either name and this date of birth; if so it is taken."""
        keys = {(name_zh or name_en, birth), (name_en.casefold(), birth)}
        if keys & self.made:
            return False
        self.made |= keys
        return True

    def phone(self) -> str:
        """A Hong Kong number in one of the ways people write it; now and then one from elsewhere."""
        digits = f"{self.dice.choice('5679')}{self.dice.randint(0, 9_999_999):07d}"
        first, last = digits[:4], digits[4:]
        full_width = digits.translate({ord(str(digit)): 0xFF10 + digit for digit in range(10)})
        spellings = [
            f"{first} {last}",
            digits,
            f"+852 {first} {last}",
            f"852-{first}-{last}",
            f"(852) {first} {last}",
            f"00852{digits}",
            full_width,
            f"+44 7700 9{self.dice.randint(0, 99_999):05d}",
            f"+86 139{self.dice.randint(0, 99_999_999):08d}",
        ]
        return self.dice.choices(spellings, weights=[40, 25, 10, 6, 5, 3, 3, 1, 1])[0]

    def consent(self, likely: float) -> str:
        """Yes or no, in the words that people use."""
        return (
            self.dice.choice(("是", "是", "Y", "1"))
            if self.dice.random() < likely
            else self.dice.choice(("否", "否", "N", ""))
        )

    def session_words(self, session: int) -> str:
        """A session as a form of entry has it."""
        day, of_day = SESSIONS_OF_DAYS[session]
        words = f"{day.month}月{day.day}日第{'一二三四'[of_day - 1]}場"
        return self.dice.choices(
            (words, f"{day:%m%d}-{of_day}", f"{day.month}月{day.day}日 第{of_day}場"), weights=[8, 1, 1]
        )[0]

    def entry(self, session: int, years: tuple[int, int], surname: tuple[str, str] | None = None) -> GeneratedEntry:
        """One person for a session, aged within `years`."""
        while True:
            birth = self.born(session, years)
            name_zh, name_en, _ = self.name(surname)
            if self.dice.random() < 0.04 and surname is None:
                name_zh = ""
            if self.unlike(name_zh, name_en, birth):
                return self.filled(GeneratedEntry(None, name_zh, name_en, birth, self.session_words(session)), session)

    def filled(self, entry: GeneratedEntry, session: int) -> GeneratedEntry:
        """The rest of a person's row: contact, school, guardian and consents, by age."""
        day = SESSIONS_OF_DAYS[session][0]
        assert isinstance(entry.birth_date, date)
        age = (day - entry.birth_date).days // 365.2425
        minor = day < add_years(entry.birth_date, 18)
        slug = re.sub(r"[^a-z]+", ".", entry.name_en.lower()).strip(".")
        return replace(
            entry,
            phone=self.phone() if not minor or self.dice.random() < 0.9 else "",
            email=f"{slug}{self.dice.randint(1, 99)}@example.com" if self.dice.random() < 0.8 else "",
            language="English"
            if not entry.name_zh
            else self.dice.choices(("中文", "English", ""), weights=[90, 6, 4])[0],
            school=self.school(age),
            guardian=self.name()[1] if minor else "",
            consent_guardian=self.dice.choice(("是", "是", "Y", "已同意")) if minor else "",
            consent_name=self.consent(0.7),
            consent_photo=self.consent(0.8),
            consent_marketing=self.consent(0.3),
            fee=self.dice.choices(("已繳", "轉數快", "豁免", "現金"), weights=[60, 25, 3, 12])[0],
        )

    def school(self, age: float) -> str:
        """Where somebody of this age learns or teaches."""
        if age < 12:
            return self.dice.choice(PRIMARY_SCHOOLS)
        if age < 18:
            return self.dice.choice(SECONDARY_SCHOOLS)
        if age < 23:
            return self.dice.choice((*UNIVERSITIES, ""))
        return self.dice.choice(TEACHERS_SCHOOLS) if self.dice.random() < 0.03 else ""

    def family(self, code: str, child_session: int, parent_session: int) -> list[GeneratedEntry]:
        """A child and a parent of one surname who share a telephone."""
        surname = self.dice.choice(character_pairs(SURNAMES))
        child = self.entry(child_session, (7, 16), surname)
        parent = self.entry(parent_session, (31, 52), surname)
        child = replace(child, family=code, family_role="子女", phone=parent.phone, guardian=parent.name_en)
        return [child, replace(parent, family=code, family_role="家長")]


def add_years(birth: date, years: int) -> date:
    """The birthday so many years later; 29 February counts as 1 March."""
    try:
        return birth.replace(year=birth.year + years)
    except ValueError:
        return date(birth.year + years, 3, 1)


def make_entries() -> list[GeneratedEntry]:
    """The 1,200, in the order in which they were entered."""
    maker = EntrantMaker(Random(ENTRANTS_SEED))
    free = [session for session in range(len(SESSIONS_OF_DAYS)) for _ in range(ENTRANTS_PER_SESSION)]
    maker.dice.shuffle(free)
    entries: list[GeneratedEntry] = list(special_entries(maker, free))
    for index in range(FAMILY_COUNT):
        first = free.pop()
        second = first if first in free and maker.dice.random() < 0.7 else free[-1]
        free.remove(second)
        entries += maker.family(f"F-{index + 1:04d}", first, second)
    ages = [(7, 11)] * 9 + [(12, 17)] * 4 + [(18, 30)] * 3 + [(31, 59)] * 4 + [(60, 84)]
    entries += [maker.entry(session, maker.dice.choice(ages)) for session in free]
    units: dict[str, list[GeneratedEntry]] = {}
    for index, entry in enumerate(entries):
        units.setdefault(entry.family or str(index), []).append(entry)
    shuffled = list(units.values())
    maker.dice.shuffle(shuffled)
    ordered = [entry for unit in shuffled for entry in unit]
    return [replace(entry, number=f"{number:04d}") for number, entry in enumerate(ordered, start=1)]


def special_entries(maker: EntrantMaker, free: list[int]) -> list[GeneratedEntry]:
    """Names unlike the rest, the youngest there can be (7 the day before) and the oldest."""
    made = []
    for name_en, name_zh in UNUSUAL_NAMES:
        session = free.pop()
        birth = maker.born(session, (8, 60))
        maker.unlike(name_zh, name_en, birth)
        made.append(maker.filled(GeneratedEntry(None, name_zh, name_en, birth, maker.session_words(session)), session))
    for years, days in ((7, 1), (7, 1), (7, 2), (18, 1), (88, 40)):
        session = free.pop()
        day = SESSIONS_OF_DAYS[session][0]
        name_zh, name_en, _ = maker.name()
        birth = day.replace(year=day.year - years) - timedelta(days=days)
        maker.unlike(name_zh, name_en, birth)
        made.append(maker.filled(GeneratedEntry(None, name_zh, name_en, birth, maker.session_words(session)), session))
    return made


def write_workbook(
    path: Path, heads: Sequence[str], rows: Sequence[Sequence[GeneratedCell]], title: str = "總表"
) -> None:
    """A workbook of one sheet: heads in bold and frozen, dates as dates, numbers and phones as text."""
    book = Workbook()
    sheet = cast(Worksheet, book.worksheets[0])
    sheet.title = title
    sheet.append(list(heads))
    for row in rows:
        sheet.append([None if cell == "" else cell for cell in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
    for number, width in enumerate(GENERATED_LIST_WIDTHS[: len(heads)], start=1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    for line in sheet.iter_rows(min_row=2):
        for cell in line:
            if isinstance(cell.value, date):
                cell.number_format = "yyyy-mm-dd"
            elif isinstance(cell.value, str):
                cell.data_type = "s"
                cell.number_format = "@"
    sheet.freeze_panes = "D2"
    raw = io.BytesIO()
    book.save(raw)
    path.write_bytes(with_fixed_times(raw.getvalue()))


def with_fixed_times(content: bytes) -> bytes:
    """The workbook with fixed times, in its directory and its properties."""
    made = "{:04d}-{:02d}-{:02d}T{:02d}:{:02d}:{:02d}Z".format(*MADE_AT)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "docProps/core.xml":
                data = re.sub(rb">[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z<", f">{made}<".encode(), data)
            target.writestr(zipfile.ZipInfo(name, MADE_AT), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def entries_as_csv(entries: Sequence[GeneratedEntry]) -> str:
    """The same rows as a spreadsheet saves them in CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(GENERATED_LIST_HEADS)
    for entry in entries:
        writer.writerow(["" if cell is None else str(cell) for cell in entry.cells()])
    return out.getvalue()


def encode_big5(text: str) -> bytes:
    """The text as Big5-HKSCS, what it lacks written as people write it instead; anything else it lacks stops here."""
    for character, instead in NOT_IN_BIG5.items():
        if not fits_big5(character):
            text = text.replace(character, instead)
    return text.encode("big5hkscs")


def fits_big5(character: str) -> bool:
    try:
        return character.encode("big5hkscs").decode("big5hkscs") == character
    except UnicodeEncodeError:
        return False


def main() -> None:
    entries = make_entries()
    write_workbook(FIXTURES / "entrants.xlsx", GENERATED_LIST_HEADS, [entry.cells() for entry in entries])
    text = entries_as_csv(entries)
    (FIXTURES / "entrants.csv").write_bytes(text.encode("utf-8-sig"))
    (FIXTURES / "entrants-big5hkscs.csv").write_bytes(encode_big5(text))
    for club in club_lists():
        (FIXTURES / club.folder).mkdir(exist_ok=True)
        write_workbook(FIXTURES / club.folder / "entrants.xlsx", club.heads, club.rows, club.sheet)
    more, rows = faulty_rows(entries)
    write_workbook(FIXTURES / "entrants-faulty.xlsx", (*GENERATED_LIST_HEADS, *more), rows)


if __name__ == "__main__":
    main()
