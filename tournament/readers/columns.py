"""The columns of a list of entrants and the names they go by, Chinese or English, in any order."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.readers.faults import LEFT_OUT, Fault, Place
from tournament.readers.identity import is_identity_head


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `name` as rows and code have it, its label, the heads it is known by (the first two go into the
    template, Chinese and English), whether the file must have it, and the most characters of a cell."""

    name: str
    label: Promise
    heads: tuple[str, ...]
    needed: bool = False
    longest: int = 100


COLUMNS = (
    Column(
        "number",
        _("entrant number"),
        ("編號", "Number", "參賽編號", "參賽者編號", "號碼", "No", "No.", "#", "Entrant number", "Entrant no"),
    ),
    Column(
        "name_zh",
        _("Chinese name"),
        ("中文姓名", "Chinese name", "name_zh", "姓名（中文）", "姓名", "中文名", "Name (Chinese)"),
    ),
    Column(
        "name_en",
        _("English name"),
        ("英文姓名", "English name", "name_en", "姓名（英文）", "英文名", "Name (English)", "Name in English", "Name"),
        needed=True,
    ),
    Column(
        "birth_date",
        _("date of birth"),
        ("出生日期", "Date of birth", "birth_date", "出生年月日", "生日", "Birthday", "Birth date", "DOB", "Born"),
        needed=True,
    ),
    Column("session", _("session"), ("場次", "Session", "比賽場次", "初賽場次", "參賽場次", "場"), needed=True),
    Column(
        "phone",
        _("phone"),
        ("電話", "Phone", "聯絡電話", "手提電話", "電話號碼", "手機", "Telephone", "Mobile", "Tel", "Contact number"),
    ),
    Column(
        "email", _("e-mail"), ("電郵", "Email", "電郵地址", "電子郵件", "E-mail", "Email address", "Mail"), longest=254
    ),
    Column("language", _("language"), ("語言", "Language", "通訊語言", "語文", "Preferred language", "Lang")),
    Column("school", _("school"), ("學校", "School", "就讀學校", "學校名稱", "School name")),
    Column(
        "family",
        _("family"),
        ("家庭", "Family", "家庭編號", "親子組", "親子組別", "Family code", "Family no"),
        longest=30,
    ),
    Column(
        "family_role",
        _("role in the family"),
        ("家庭身份", "Family role", "family_role", "家庭身分", "親子身份", "親子身分", "Role"),
    ),
    Column(
        "guardian", _("guardian"), ("監護人", "Guardian", "監護人姓名", "家長姓名", "Guardian name", "Name of guardian")
    ),
    Column(
        "consent_guardian",
        _("guardian's consent"),
        (
            "監護人同意",
            "Guardian consent",
            "consent_guardian",
            "家長同意",
            "家長同意書",
            "Guardian's consent",
            "Parental consent",
        ),
    ),
    Column(
        "consent_name",
        _("consent to the public name"),
        ("公開姓名同意", "Name consent", "consent_name", "同意公開姓名", "公開姓名", "Consent to public name"),
    ),
    Column(
        "consent_photo",
        _("consent to photos"),
        ("拍照同意", "Photo consent", "consent_photo", "同意拍照", "攝影同意", "Consent to photos"),
    ),
    Column(
        "consent_marketing",
        _("consent to promotion"),
        (
            "推廣同意",
            "Marketing consent",
            "consent_marketing",
            "同意推廣",
            "宣傳同意",
            "推廣資訊同意",
            "Consent to marketing",
        ),
    ),
    Column(
        "fee", _("fee"), ("費用", "Fee", "報名費", "付款", "收據", "收據號碼", "Paid", "Payment", "Receipt"), longest=30
    ),
)
BY_NAME = {column.name: column for column in COLUMNS}


def plain(head: str) -> str:
    """A column name without width, case, brackets, stars, spaces and signs."""
    return re.sub(r"[^\w#]|_", "", unicodedata.normalize("NFKC", head).casefold())


KNOWN = {plain(head): column.name for column in COLUMNS for head in (*column.heads, column.name)}


def candidates(head: str) -> list[str]:
    """What a head may be read as: the whole, without what stands in brackets, its Chinese part, its English part."""
    bare = re.sub(r"[(（\[【].*?[)）\]】]", "", head)
    chinese = "".join(re.findall(r"[\u3400-\u9fff]+", bare))
    english = re.sub(r"[\u3400-\u9fff]+", " ", bare)
    return [plain(head), plain(bare), plain(chinese), plain(english)]


def recognised(head: str) -> str:
    """The column that a head names; "" where it names none, or an identity document."""
    if is_identity_head(head):
        return ""
    return next((KNOWN[text] for text in candidates(head) if text in KNOWN), "")


def letter_of(index: int) -> str:
    """A column's letters as a spreadsheet shows them: 0 is A, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@dataclass(frozen=True, slots=True)
class HeadRow:
    """The columns of one file: all places, the place of each column read, and the faults of the row itself."""

    places: tuple[Place, ...]
    by_column: dict[str, Place]
    faults: tuple[Fault, ...]

    def place(self, column: str) -> Place:
        """Where a column stands; one that the file lacks has no letter and its Chinese name."""
        return self.by_column.get(column) or Place(len(self.places), "", BY_NAME[column].heads[0], column)


def read_heads(heads: Sequence[str], row: int) -> HeadRow:
    """What each column is. Unknown ones and identity documents are told and left out; twice or missing is a fault."""
    places: list[Place] = []
    by_column: dict[str, Place] = {}
    faults: list[Fault] = []
    for index, head in enumerate(heads):
        column = recognised(head)
        place = Place(index, letter_of(index), head, "" if column in by_column else column)
        places.append(place)
        if column and column in by_column:
            faults.append(Fault("column_twice", row, place, head, facts={"column": BY_NAME[column].label}))
        elif column:
            by_column[column] = place
        elif is_identity_head(head):
            faults.append(Fault("column_identity", row, place, None, LEFT_OUT))
        elif head:
            faults.append(Fault("column_unknown", row, place, head, LEFT_OUT))
    for column in COLUMNS:
        if column.needed and column.name not in by_column:
            nowhere = Place(len(heads), "", column.heads[0], column.name)
            faults.append(Fault("column_missing", row, nowhere, None, facts={"column": column.label}))
    return HeadRow(tuple(places), by_column, tuple(faults))
