"""Every column of an entrant goes through every door; a column that one of them forgets is named with its door."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.entrants.entrant_cells import cell
from tests.entrants.entrant_doors import DOORS, World
from tournament.core.entrant_column_kinds import EMPTY, ColumnKind, Erased, Owner
from tournament.core.entrant_columns import ENTRANT_COLUMNS, PLAIN_KINDS, columns_where
from tournament.core.models.event import Event
from tournament.entrants.exports.file import importer_cell_text
from tournament.entrants.models.people import Entrant, Person
from tournament.entrants.readers.columns import fold_column_head
from tournament.entrants.readers.entrants import COLUMN_READERS
from tournament.registration.services import importing

# Fields of the rows that are no columns.
PERSON_BESIDE = {"id", "name_key", "consent_name_ended_at", "salt", "erased_at", "former_names"}
ENTRY_BESIDE = {"id", "event", "person", "status", "revision"}


@pytest.fixture
def world(event: Event, organiser: User, auditor: User, signed_in: Callable[[User], Client]) -> World:
    """The list read, not imported yet."""
    full = {column.key: cell(column) for column in ENTRANT_COLUMNS}
    child = dict.fromkeys(full, "") | {"number": "0002", "name_en": "LUNG Kid", "birth_date": "2014-05-06"}
    child |= {"session": "0328-1", "family": "F-0077", "family_role": "子女", "consent_guardian": "是"}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(column.heads[0] for column in ENTRANT_COLUMNS)
    writer.writerows([full.values(), child.values()])
    kept = importing.read_file(event, name="a.csv", content=out.getvalue().encode(), by=organiser)
    return World(event, kept, organiser, auditor, signed_in)


@pytest.mark.parametrize("door", DOORS)
def test_every_column_goes_through_every_door(world: World, door: str, settings: Any, tmp_path: Any) -> None:
    settings.VAR_DIR = tmp_path
    try:
        gone_through = list(DOORS[door](world))
    except KeyError as missing:
        pytest.fail(f"{missing.args[0]} at the door {door}: not known there")
    wrong = [
        f"{column.key} at the door {door}: {found!r} instead of {wanted!r}"
        for column, found, wanted in gone_through
        if found != wanted
    ]
    assert wrong == [], "\n".join(wrong)


def test_every_field_of_a_person_and_an_entry_is_a_column_or_said_to_be_none() -> None:
    for model, owner, beside in ((Person, Owner.PERSON, PERSON_BESIDE), (Entrant, Owner.ENTRY, ENTRY_BESIDE)):
        fields = {field.name for field in model._meta.concrete_fields}
        columns = {column.key for column in ENTRANT_COLUMNS if column.owner is owner}
        assert (fields - columns, columns - fields) == (beside, set())


def test_a_text_may_be_as_long_as_its_field() -> None:
    texts = columns_where(lambda column: column.kind in (ColumnKind.NAME, ColumnKind.TEXT, ColumnKind.MAIL))
    fields = {column.key: Person if column.owner is Owner.PERSON else Entrant for column in texts}
    assert {key: model._meta.get_field(key).max_length for key, model in fields.items()} == {
        column.key: column.longest for column in texts
    }


def test_no_two_columns_go_by_one_head() -> None:
    heads = [
        fold_column_head(head)
        for column in ENTRANT_COLUMNS
        for head in {*map(fold_column_head, (*column.heads, column.key))}
    ]
    assert sorted(heads) == sorted(set(heads))


def test_every_kind_is_read_and_has_an_empty_value() -> None:
    assert set(COLUMN_READERS) == set(EMPTY) == set(ColumnKind)
    assert {column.kind for column in ENTRANT_COLUMNS} == set(ColumnKind)
    assert all(importer_cell_text(column.key, EMPTY[column.kind]) in ("", "否", "中文") for column in ENTRANT_COLUMNS)


def test_a_column_that_stands_alone_is_erased_by_its_kind() -> None:
    """A family is recoded by a kind of erasure of its own; number, session and role say nothing of a person."""
    kept = {column.key for column in ENTRANT_COLUMNS if column.erased is Erased.KEPT}
    assert kept == {"number", "session", "family_role"}
    assert all(column.kind in PLAIN_KINDS for column in ENTRANT_COLUMNS if column.erased is Erased.EMPTIED)
