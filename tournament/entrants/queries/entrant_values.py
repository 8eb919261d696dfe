"""What is entered of an entrant, column by column, and which fields of the rows have it."""

from typing import Any

from tournament.core.entrant_column_kinds import ColumnKind, EntrantColumn, Owner
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.entrants.models.people import Entrant


def value_of(entrant: Entrant, key: str) -> Any:
    """What is entered in a column: a text, a date, yes or no; the number as it is shown, a session by its code, a
    family by its own. Needs person, session and family."""
    column = COLUMN_BY_KEY[key]
    if column.kind is ColumnKind.NUMBER:
        return str(entrant)
    if column.kind is ColumnKind.SESSION:
        return entrant.session.code
    if column.kind is ColumnKind.FAMILY:
        return entrant.family.code if entrant.family else ""
    return getattr(entrant if column.owner is Owner.ENTRY else entrant.person, key)


def query_field(column: EntrantColumn) -> str:
    """The field of a column that stands alone, as a query of entrants names it."""
    return column.key if column.owner is Owner.ENTRY else f"person__{column.key}"
