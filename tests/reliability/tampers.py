"""What somebody who owns the database may do to recorded rows, made from their declarations (Q15).

Of each recorded model every kept field is changed, a row is deleted, one is inserted and two change places; by plain
SQL, with the guards and the checks of the database lifted, as its owner can.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, models, transaction

from tournament.core.models.evidence import declared, kept_fields, recorded_models, rows_of
from tournament.entrants.models.people import Person

NOBODY = 990_000_001
"""A key that no row has: foreign keys are judged at the end of the transaction, which never comes."""


# Rows that are an event's because another row leads to them: one more, to which none leads, says nothing.
BELONGS_BY_ANOTHER = frozenset({Person, User})

# Fields that lead nowhere and yet decide which other rows an event keeps, or under which salt.
LEADS = frozenset({"salt", "awaits_acceptance"})


@dataclass(frozen=True)
class Tamper:
    """One thing done to one row, and the rows that a verifier must name."""

    model: type[models.Model]
    act: str
    pk: int
    field: str = ""
    other: int = 0

    @property
    def name(self) -> str:
        """As a failure is listed."""
        return " ".join(filter(None, (self.act, self.model.__name__, self.field)))

    @property
    def row(self) -> str:
        """The row that it is done to, as a finding names it."""
        return f"{self.model._meta.model_name} {self.other if self.act == 'insert' else self.pk}"

    @property
    def named(self) -> str:
        """What a finding has to say: the row, and the field where one was changed."""
        return f"{self.row} {self.field}" if self.act == "change" else self.row


def tampers(event: int) -> Iterator[Tamper]:
    """Everything that is done, model by model; of one without two rows nothing changes places."""
    for model in recorded_models():
        keys = list(rows_of(model, event).order_by("-pk").values_list("pk", flat=True)[:2])
        assert keys, f"the world has no {model.__name__}"
        for field, _hides in kept_fields(model):
            yield Tamper(model, "change", keys[0], field.attname)
        yield Tamper(model, "delete", keys[0])
        if model not in BELONGS_BY_ANOTHER:
            yield Tamper(model, "insert", keys[0], other=NOBODY)
        if len(keys) == 2:
            yield Tamper(model, "swap", *keys[:1], other=keys[1])


def do(one: Tamper, event: int) -> None:
    table = one.model._meta.db_table
    if one.act == "change":
        change(one, event)
    elif one.act == "delete":
        run(f"DELETE FROM {table} WHERE id = %s", one.pk)
    elif one.act == "insert":
        insert(one)
    else:
        for old, new in ((one.pk, NOBODY), (one.other, one.pk), (NOBODY, one.other)):
            run(f"UPDATE {table} SET id = %s WHERE id = %s", new, old)


def run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def change(one: Tamper, event: int) -> None:
    """Another value, the first that the database takes."""
    field = field_of(one)
    rows = one.model._base_manager.filter(pk=one.pk)
    before = rows.values_list(one.field, flat=True).get()
    for value in others(field, before, one.model, one.pk, event):
        try:
            with transaction.atomic():
                rows.update(**{one.field: value})
            return
        except IntegrityError:
            continue
    raise AssertionError(f"{one.name}: the database takes no other value than {before!r}")


def field_of(one: Tamper) -> Any:
    """The field that it changes."""
    return next(each for each, _hides in kept_fields(one.model) if each.attname == one.field)


def others(field: Any, before: Any, of: type[models.Model], pk: int, event: int) -> Iterator[Any]:
    """Values that are not the one that is there; of a foreign key first those that lead to another row of the event."""
    if isinstance(field, models.ForeignKey):
        model = field.related_model
        near = rows_of(model, event) if model in recorded_models() else model._base_manager.all()
        yield from near.exclude(pk__in=[before or 0, *([pk] if model is of else [])]).values_list("pk", flat=True)[:3]
        yield NOBODY
    elif isinstance(field, models.BooleanField):
        yield not before
    elif isinstance(field, models.IntegerField):
        start = before or 0
        yield from (start + 1000, start + 1, start - 1)
    elif isinstance(field, models.DateTimeField | models.DateField):
        yield before + timedelta(days=1) if before else datetime(2027, 1, 2, tzinfo=UTC)
    elif isinstance(field, models.JSONField):
        yield [before, "another"]
    elif isinstance(field, models.BinaryField):
        yield bytes(before or b"") + b"x"
    else:
        yield from (key for key, _words in field.choices or () if key != before)
        yield f"{before or ''}x"[-(field.max_length or 4000) :] if before != "x" * len(before or "") else "y"


def insert(one: Tamper) -> None:
    """The row once more under another key; where two such cannot be, it moves there."""
    table = one.model._meta.db_table
    names = [connection.ops.quote_name(field.column) for field in one.model._meta.concrete_fields]
    columns = ", ".join(name for name in names if name != connection.ops.quote_name("id"))
    try:
        with transaction.atomic():
            run(
                f"INSERT INTO {table} (id, {columns}) SELECT %s, {columns} FROM {table} WHERE id = %s",
                one.other,
                one.pk,
            )
    except IntegrityError:
        run(f"UPDATE {table} SET id = %s WHERE id = %s", one.other, one.pk)


@contextmanager
def checks_lifted() -> Iterator[None]:
    """The owner takes the tables' own conditions away. PostgreSQL's come back with the transaction; SQLite's switch is
    of the connection, and is put back here."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            try:
                yield
            finally:
                cursor.execute("PRAGMA ignore_check_constraints = OFF")
            return
        cursor.execute(
            "SELECT c.conrelid::regclass::text, c.conname FROM pg_constraint c WHERE c.contype = 'c'"
            " AND c.connamespace = current_schema()::regnamespace"
        )
        for table, name in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        yield


def batches(wanted: list[Tamper]) -> Iterator[list[Tamper]]:
    """Those that can be done at once, one a model, since none hides another's row. What other rows are found by, and
    is taken from its place, is done alone."""
    found_by = {model for each in recorded_models() for model in on_the_way(each)}
    alone: list[Tamper] = []
    queues: dict[type[models.Model], list[Tamper]] = {}
    for one in wanted:
        moves = one.act != "change" or isinstance(field_of(one), models.ForeignKey) or one.field in LEADS
        queue = alone if moves and one.model in found_by else queues.setdefault(one.model, [])
        queue.append(one)
    while any(queues.values()):
        yield [queue.pop() for queue in queues.values() if queue]
    yield from ([one] for one in alone)


def on_the_way(model: type[models.Model]) -> Iterator[type[models.Model]]:
    """The models through which a row's event and its salt are found."""
    for lookup in (declared(model).event, declared(model).salt_lookup):
        here = model
        for step in lookup.split("__"):
            field = here._meta.pk if step == "pk" else here._meta.get_field(step)
            if field is None or field.related_model is None:
                break
            here = field.related_model
            yield here
