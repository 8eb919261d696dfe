"""Which columns of an entrant stand where on pages, and their cells in words."""

from collections.abc import Mapping

from django import template

from tournament.core.entrant_column_kinds import ColumnKind, EntrantColumn, Owner, Seen
from tournament.core.entrant_columns import CONSENT_COLUMNS, columns_where
from tournament.entrants.exports.entrant_values import display_cell_value
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import value_of
from tournament.entrants.readers.entrants import ImportedRow

register = template.Library()

IN_TITLE = (ColumnKind.NUMBER, ColumnKind.NAME)
# Of the entry's columns these stand on the page in sentences of their own.
IN_SENTENCES = (ColumnKind.SESSION, ColumnKind.FAMILY, ColumnKind.FAMILY_ROLE)
STANDING_ALONE = columns_where(
    lambda column: column.kind not in (*IN_TITLE, *IN_SENTENCES, ColumnKind.YES_NO) and column.page is not Seen.NOBODY
)


def is_of_person(column: EntrantColumn) -> bool:
    """Whether the column stands among the person's."""
    return column.owner is Owner.PERSON


# Where on the entrant's page; `listed` beside the family in the list of entrants and in a preview's rows.
PLACES: Mapping[str, tuple[EntrantColumn, ...]] = {
    "entry": tuple(column for column in STANDING_ALONE if not is_of_person(column)),
    "contacts": tuple(column for column in STANDING_ALONE if is_of_person(column) and column.page is Seen.CONTACTS),
    "person": tuple(
        sorted(
            (column for column in STANDING_ALONE if is_of_person(column) and column.page is not Seen.CONTACTS),
            key=lambda column: column.kind is ColumnKind.LANGUAGE,
        )
    ),
    "consents": CONSENT_COLUMNS,
    "listed": tuple(column for column in STANDING_ALONE if column.page is Seen.FEW_AT_ONCE),
}


@register.simple_tag
def columns_at(place: str) -> tuple[EntrantColumn, ...]:
    """The columns of a place of `PLACES`, in their order there."""
    return PLACES[place]


@register.filter
def in_column(entrant: Entrant, column: EntrantColumn) -> str:
    """What is entered of an entrant in a column, in words."""
    return display_cell_value(column.key, value_of(entrant, column.key))


@register.filter
def is_given(entrant: Entrant, column: EntrantColumn) -> bool:
    """Whether a consent is given."""
    return bool(value_of(entrant, column.key))


@register.filter
def cell_in(row: ImportedRow, column: EntrantColumn) -> str:
    """A cell of a list as it was read; blank where it was not kept or the file lacks the column."""
    return row.cells.get(column.key) or ""
