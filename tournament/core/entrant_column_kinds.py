"""What is known of one column of an entrant: its kind, who sees and changes it, and what becomes of it.

The list itself is `tournament/core/entrant_columns.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django_stubs_ext import StrPromise

from tournament.core.enums import Language


class ColumnKind(Enum):
    """How a cell is read, checked, written and shown."""

    NUMBER = "number"
    NAME = "name"
    DATE = "date"
    SESSION = "session"
    PHONE = "phone"
    MAIL = "mail"
    LANGUAGE = "language"
    TEXT = "text"
    FAMILY = "family"
    FAMILY_ROLE = "family_role"
    YES_NO = "yes_no"


# What a row says that has no such column, and what an erasure leaves.
EMPTY: Mapping[ColumnKind, Any] = MappingProxyType(
    dict.fromkeys(ColumnKind, "")
    | dict.fromkeys((ColumnKind.NUMBER, ColumnKind.DATE, ColumnKind.SESSION, ColumnKind.FAMILY_ROLE))
    | {ColumnKind.LANGUAGE: Language.CHINESE, ColumnKind.YES_NO: False}
)


class Owner(Enum):
    """Whose row in the database has the value, in a field of the column's key."""

    PERSON = "person"
    ENTRY = "entry"


class Edited(Enum):
    """How the desk and the API change it: never, in the form of the person, or by an act of its own."""

    NEVER = "never"
    FORM = "form"
    OWN_ACT = "own act"


class AfterResults(Enum):
    """What a change takes once a locked sheet names the entrant: one person alone; the same, and the change is listed
    before a release; a reason as well; two people (registration/services/importing_second.py)."""

    ALONE = "alone"
    LISTED = "listed"
    REASON = "reason"
    TWO_PEOPLE = "two people"


class Seen(Enum):
    """By whom of those who may see entrants: everybody; everybody, but in a list only where few are found
    (`permissions.sees_school_and_family`); those who write to people and check documents; nobody."""

    EVERYBODY = "everybody"
    FEW_AT_ONCE = "few at once"
    CONTACTS = "contacts"
    NOBODY = "nobody"


class Reveals(Enum):
    """What a text could give away by it: how published texts and an erasure look for it
    (messages/readers/personal_text.py).
    """

    NAME = "name"
    SCHOOL = "school"
    GUARDIAN = "guardian"
    PHONE = "phone"
    EMAIL = "email"


class Erased(Enum):
    """What an erasure leaves: the value as it is, `EMPTY` of its kind, the word for an erased name, or, of a family, a
    code that says nothing (a kind of erasure of its own)."""

    KEPT = "kept"
    EMPTIED = "emptied"
    NAMED_ERASED = "named erased"
    RECODED = "recoded"


class Copied(Enum):
    """What a rehearsal gets: the value, of a date the year alone, or nothing."""

    WHOLE = "whole"
    YEAR = "year"
    NOT = "not"


@dataclass(frozen=True, kw_only=True)
class EntrantColumn:
    """One column. What has no default is a decision that a new column cannot leave open.

    `heads`: the names it has in files; the first two, Chinese and English, go into template and exports. `note` and
    `examples` stand in the template. `longest`: characters of a cell. `page` and `api`: by whom it is seen there.
    `short`: its name among the consents of the entrant's page. `later`: it came after the first release, so that an
    empty one stays out of the digest of a person and digests from before remain valid.
    """

    key: str
    label: StrPromise
    kind: ColumnKind
    owner: Owner
    heads: tuple[str, ...]
    note: Promise
    examples: tuple[str, str]
    edited: Edited
    after_results: AfterResults
    page: Seen
    api: Seen
    reveals: Reveals | None
    erased: Erased
    copied: Copied
    needed: bool = False
    longest: int = 100
    short: Promise | None = None
    later: bool = False

    @property
    def head(self) -> str:
        """The head of template and exports, in both languages."""
        return f"{self.heads[0]} {self.heads[1]}"
