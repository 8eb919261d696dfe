"""One value of an entrant as a list shows it: booleans, dates and choices in the words of the active language."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext

from tournament.core.entrant_column_kinds import ColumnKind
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.core.enums import FamilyRole, Language


def display_cell_value(column: str, value: Any) -> str:
    """A value as people read it, in the language of the moment."""
    if isinstance(value, bool):
        return gettext("given") if value else gettext("not given")
    if isinstance(value, date):
        return value.isoformat()
    words: Mapping[ColumnKind, Any] = {ColumnKind.LANGUAGE: Language, ColumnKind.FAMILY_ROLE: FamilyRole}
    kind = COLUMN_BY_KEY[column].kind
    return str(words[kind](value).label) if kind in words and value else str(value or "")
