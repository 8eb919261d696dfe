"""The doors that an entrant's columns go through: what each has of a column, and what it is to have.

What is expected is what `ENTRANT_COLUMNS` says of the column, so that a new one needs nothing here.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape
from django.utils.text import capfirst
from django.utils.translation import override
from openpyxl import load_workbook

from tests.api.caller import Caller
from tests.entrants.entrant_cells import Kind, cell, value
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.dateformat import session_with_day_text
from tournament.core.entrant_column_kinds import EMPTY, Copied, Edited, EntrantColumn, Erased, Owner, Seen
from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRANT_COLUMNS, columns_where
from tournament.core.models.event import Event
from tournament.core.names import ERASED_NAMES
from tournament.entrants.exports.entrant_template import entrant_template_xlsx
from tournament.entrants.exports.entrant_values import display_cell_value
from tournament.entrants.exports.file import entrants_csv, entrants_xlsx
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import value_of
from tournament.entrants.queries.entrants import entered_entrants, entrant_of
from tournament.entrants.readers.columns import recognise_column
from tournament.entrants.services import person_record
from tournament.messages.queries import published_text
from tournament.messages.readers.personal_text import find_personal
from tournament.operations.services import erasure, subject_copy
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.registration.services import importing, importing_preview
from tournament.setup.services.rehearsal import make_rehearsal

AT = datetime(2026, 3, 1, tzinfo=UTC)
# Somebody with another date of birth and no name in common is somebody else.
SAME_NAME = "name_zh"
ENTRANT = 1
DESK = "/desk/hk-2026/entrants/"
# A text of its own, by which a page shows the column and nothing else.
TELLING = frozenset({Kind.NAME, Kind.DATE, Kind.PHONE, Kind.MAIL, Kind.TEXT, Kind.FAMILY})


@dataclass(frozen=True)
class World:
    """An event with one entrant who has something in every column, a parent; and their child."""

    event: Event
    file: EntrantFile
    organiser: User
    auditor: User
    sign_in: Callable[[User], Client]

    @property
    def entrant(self) -> Entrant:
        found = entrant_of(self.event, ENTRANT)
        assert found is not None
        return found

    def page(self, address: str, by: User | None = None) -> str:
        client = self.sign_in(by or self.organiser)
        client.cookies["django_language"] = "en"
        answer = client.get(address)
        assert answer.status_code == 200
        return squeezed(answer.content.decode())


Doors = Iterator[tuple[EntrantColumn, Any, Any]]
"""A column, what the door has of it, and what it is to have."""


def imported(world: World) -> Entrant:
    """The entrant, after the list."""
    importing.import_file(world.file, by=world.organiser)
    return world.entrant


# --- Files ----------------------------------------------------------------------------------------------
def through_template(world: World) -> Doors:
    """Head, examples and note of the workbook to fill in."""
    with override("en"):
        book = load_workbook(io.BytesIO(entrant_template_xlsx(AT)))
        heads, example, notes = ([list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book)
        found = dict(zip(heads[0], zip(*example[1:], strict=True), strict=True))
        said_of = {row[0]: row[2] for row in notes}
        for column in ENTRANT_COLUMNS:
            yield column, found.get(column.head), tuple(text or None for text in column.examples)
            yield column, said_of.get(column.head), str(column.note)


def through_heads(world: World) -> Doors:
    """Every head that it goes by in files."""
    for column in ENTRANT_COLUMNS:
        yield column, {recognise_column(head) for head in (*column.heads, column.key, column.head)}, {column.key}


def through_preview(world: World) -> Doors:
    """Read, and shown in its row before anything is imported; what lists have, in the table of rows as well."""
    [row, _child] = importing_preview.build_preview(world.file).rows
    preview = f"/desk/hk-2026/import/{world.file.pk}/?show=all"
    around = world.page(f"{preview}&row={row.row}").split('id="around"')[1]
    rows = world.page(preview)
    for column in ENTRANT_COLUMNS:
        read = row.values.get(column.key)
        yield column, read.code if column.kind is Kind.SESSION and read else read, read_value(column)
        if column.kind is not Kind.PHONE:  # masked there
            yield column, f"<td>{escape(cell(column))}</td>" in around, True
        if column.kind is Kind.TEXT:
            yield column, f"<td>{cell(column)}</td>" in rows, column.page is Seen.FEW_AT_ONCE


def read_value(column: EntrantColumn) -> Any:
    """The first value as a row has it: of a number the figure."""
    return int(cell(column)) if column.kind is Kind.NUMBER else value(column)


def through_import(world: World) -> Doors:
    """Written into the rows of the database."""
    found = imported(world)
    for column in ENTRANT_COLUMNS:
        yield column, value_of(found, column.key), value(column)


def through_second_list(world: World) -> Doors:
    """A second list that says something else: shown cell by cell, and written."""
    imported(world)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(column.heads[1] for column in ENTRANT_COLUMNS)
    writer.writerow(cell(column, 0 if column.key == SAME_NAME else 1) for column in ENTRANT_COLUMNS)
    file = importing.read_file(world.event, name="b.csv", content=out.getvalue().encode(), by=world.organiser)
    shown = importing_preview.build_preview(file)
    cells = {cell.column: (cell.old, cell.new) for change in shown.changes.values() for cell in change.cells}
    importing.import_file(file, by=world.organiser, seen=shown.digest)
    found = world.entrant
    for column in ENTRANT_COLUMNS:
        old, new = value(column), value(column, 0 if column.key == SAME_NAME else 1)
        yield column, cells.get(column.key), None if old == new else (old, new)
        yield column, value_of(found, column.key), new


def through_export(world: World) -> Doors:
    """Both files of everyone who is entered."""
    imported(world)
    people = entered_entrants(world.event)
    [heads, row, _child] = csv.reader(io.StringIO(entrants_csv(people).decode("utf-8-sig")))
    sheet = load_workbook(io.BytesIO(entrants_xlsx(people, AT))).active
    [book_heads, book_row, _child] = ([text or "" for text in cells] for cells in sheet.iter_rows(values_only=True))
    for column in ENTRANT_COLUMNS:
        text = cell(column)
        in_csv = f"'{text}" if column.kind is Kind.PHONE else text
        yield column, dict(zip(heads, row, strict=True)).get(column.head), in_csv
        yield column, dict(zip(book_heads, book_row, strict=True)).get(column.head), text


# --- Pages ----------------------------------------------------------------------------------------------
def shown_as(column: EntrantColumn, entrant: Entrant) -> re.Pattern[str]:
    """How the entrant's page has the column."""
    if column.kind is Kind.YES_NO:
        return re.compile(f"<span>{escape(column.short or column.label)}: given</span>")
    if column.kind is Kind.SESSION:
        session = entrant.session
        return re.compile(re.escape(session_with_day_text(session.original_date, *session.name_of_day)))
    if column.kind is Kind.FAMILY_ROLE:
        return re.compile(re.escape(f"{cell(COLUMN_BY_KEY['family'])}·parent"))
    text = re.escape(escape(display_cell_value(column.key, value(column))))
    titled = column.kind in (Kind.NUMBER, Kind.NAME, Kind.FAMILY)
    return re.compile(text if titled else f"<dt>{capfirst(str(column.label))}</dt><dd>(<a [^>]*>)?{text}")


def through_page(world: World) -> Doors:
    """The page of one entrant; contacts for those alone who write to people."""
    imported(world)
    address = f"{DESK}{ENTRANT}/"
    pages = {by: world.page(address, by) for by in (world.organiser, world.auditor)}
    with override("en"):
        for column in ENTRANT_COLUMNS:
            pattern = shown_as(column, world.entrant)
            yield column, bool(pattern.search(pages[world.organiser])), column.page is not Seen.NOBODY
            for_all = column.page in (Seen.EVERYBODY, Seen.FEW_AT_ONCE)
            yield column, bool(pattern.search(pages[world.auditor])), for_all


def through_list(world: World) -> Doors:
    """The list of entrants: some columns, and none of the contacts."""
    imported(world)
    page = world.page(DESK)
    for column in ENTRANT_COLUMNS:
        if column.kind in TELLING:
            listed = column.kind is Kind.NAME or column.page is Seen.FEW_AT_ONCE
            yield column, escape(cell(column)) in page, listed


def through_form(world: World) -> Doors:
    """The form of the desk: what is entered stands in it, what is typed is written and listed in the log."""
    imported(world)
    client = world.sign_in(world.organiser)
    address = f"{DESK}{ENTRANT}/change/"
    form = client.get(address).context["form"]
    shown = {name: form[name].initial for name in form.fields}
    in_form = columns_where(lambda column: column.edited is Edited.FORM)
    sent = {column.key: cell(column, 1) for column in in_form if column.kind is not Kind.YES_NO}
    assert client.post(address, {**sent, "revision": 1, "reason": ""}).status_code == 302
    found = world.entrant
    logged = AuditEntry.objects.filter(event=world.event, action="change_entrant").latest("seq").details["columns"]
    history = client.get(f"{DESK}{ENTRANT}/").context["history"][0].fields.split("、")
    for column in ENTRANT_COLUMNS:
        is_meant = column.edited is Edited.FORM
        first = value(column) if column.kind is Kind.YES_NO else cell(column)
        yield column, shown.get(column.key), first if is_meant else None
        yield column, value_of(found, column.key), value(column, 1 if is_meant else 0)
        yield column, column.key in logged, is_meant
        yield column, str(column.label) in history, is_meant


# --- API ------------------------------------------------------------------------------------------------
def through_api_answer(world: World) -> Doors:
    """One entrant: for everybody, among the contacts, or not at all."""
    imported(world)
    told, less = (Caller(by).get(f"entrants/{ENTRANT}/").json() for by in (world.organiser, world.auditor))
    for column in ENTRANT_COLUMNS:
        there = {Seen.EVERYBODY: told, Seen.FEW_AT_ONCE: told, Seen.CONTACTS: told["contact"]}.get(column.api, {})
        have = [place for place in (told, told["contact"]) if column.key in place]
        yield column, have, [there] if there else []
        if there:
            yield column, there.get(column.key), api_value(column)
        yield column, column.key in less, column.api in (Seen.EVERYBODY, Seen.FEW_AT_ONCE)


def api_value(column: EntrantColumn, turn: int = 0) -> Any:
    """The value as JSON: number and session as figures, a day as text."""
    found = value(column, turn)
    keyed = {Kind.NUMBER: ENTRANT, Kind.SESSION: 1}
    return keyed.get(column.kind, found.isoformat() if isinstance(found, date) else found)


def through_api_list(world: World) -> Doors:
    """The list: no contacts, and what is for few at once only where few are searched for."""
    imported(world)
    [one] = Caller(world.auditor).get("entrants/?text=0001").json()["entrants"]
    whole = Caller(world.auditor).get("entrants/").json()["entrants"][0]
    for column in ENTRANT_COLUMNS:
        for_all = column.api in (Seen.EVERYBODY, Seen.FEW_AT_ONCE)
        yield column, one.get(column.key), api_value(column) if for_all else None
        yield column, whole.get(column.key), api_value(column) if column.api is Seen.EVERYBODY else None


def through_api_change(world: World) -> Doors:
    """A program changes what the form changes, and nothing else."""
    imported(world)
    program = Caller(world.organiser)
    address = f"entrants/{ENTRANT}/change/"
    in_form = columns_where(lambda column: column.edited is Edited.FORM)
    for column in ENTRANT_COLUMNS:
        if column not in in_form:
            yield column, program.change(address, {column.key: "x"}, seen=1).status_code, 400
    answer = program.change(address, {column.key: api_value(column, 1) for column in in_form}, seen=1)
    yield in_form[0], (answer.status_code, answer.json().get("faults")), (200, None)
    found = world.entrant
    for column in ENTRANT_COLUMNS:
        yield column, value_of(found, column.key), value(column, 1 if column in in_form else 0)


# --- Rights and duties ----------------------------------------------------------------------------------
def through_digest(world: World) -> Doors:
    """The record of which the log and releases keep the digest."""
    record = person_record(imported(world))
    for column in ENTRANT_COLUMNS:
        whole = int(cell(column)) if column.kind is Kind.NUMBER else api_value(column)
        yield column, record.get(column.key), cell(column) if column.kind is Kind.SESSION else whole


def through_subject_copy(world: World) -> Doors:
    """What a person is handed of theirs."""
    copy = subject_copy.build_subject_copy(imported(world))
    for column in ENTRANT_COLUMNS:
        if column.kind is Kind.NUMBER:
            yield column, copy["number"], ENTRANT
        else:
            held = copy["person" if column.owner is Owner.PERSON else "entry"]
            yield column, held.get(column.key), value(column)


def through_rehearsal(world: World) -> Doors:
    """What a copy to practise on has, and what it has not."""
    imported(world)
    found = entrant_of(make_rehearsal(world.event, by=world.organiser), ENTRANT)
    assert found is not None
    for column in ENTRANT_COLUMNS:
        first = value(column)
        wanted = {
            Copied.WHOLE: first,
            Copied.YEAR: first.replace(month=1, day=1) if isinstance(first, date) else first,
            Copied.NOT: EMPTY[column.kind],
        }
        yield column, value_of(found, column.key), wanted[column.copied]


def through_erasure(world: World) -> Doors:
    """What is left of somebody who was erased."""
    before = imported(world)
    scope = ErasureScope(world.event, before)
    erasure.erase_entrant_data(scope, reason="asked for", by=world.organiser)
    found = world.entrant
    for column in ENTRANT_COLUMNS:
        left = value_of(found, column.key)
        wanted = {Erased.KEPT: {value(column)}, Erased.EMPTIED: {EMPTY[column.kind]}, Erased.NAMED_ERASED: ERASED_NAMES}
        if column.erased is Erased.RECODED:
            yield column, left == f"family-{before.family_id}", True
        else:
            yield column, left in wanted[column.erased], True


def through_published_texts(world: World) -> Doors:
    """What the gate of published texts knows of a person."""
    imported(world)
    people = published_text.known_people_of_events([world.event])
    for column in ENTRANT_COLUMNS:
        if column.kind in TELLING - {Kind.DATE, Kind.FAMILY}:
            found = find_personal({"reason": f"by {cell(column)} today"}, people)
            yield column, bool(found), column.reveals is not None


DOORS: Mapping[str, Callable[[World], Doors]] = {
    "template": through_template,
    "heads of files": through_heads,
    "preview": through_preview,
    "import": through_import,
    "second list": through_second_list,
    "export": through_export,
    "entrant's page": through_page,
    "list of entrants": through_list,
    "form": through_form,
    "API answer": through_api_answer,
    "API list": through_api_list,
    "API change": through_api_change,
    "digest": through_digest,
    "subject's copy": through_subject_copy,
    "rehearsal": through_rehearsal,
    "erasure": through_erasure,
    "published texts": through_published_texts,
}
