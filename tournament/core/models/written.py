"""What the running transaction has written of recorded rows, and the payload of its next audit entry.

The notes live where Django keeps what is to be done on commit, so that a savepoint that is rolled back forgets its own.
What is committed without an entry is logged as an error, and a verifier names the row.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db import connections, models, transaction
from django.db.models import F, Q

from tournament.core.canonical import digest_of
from tournament.core.models.evidence import declared, record_of, recorded_models, rows_of

LOG = logging.getLogger("tournament.audit")
WRITTEN_ROWS_CHUNK = 2000


class Written(NamedTuple):
    """A row that was written: the digest of its record before, None where it is new; its event, as far as known."""

    model: type[models.Model]
    pk: int
    before: str | None = None
    event: int | None = None

    @property
    def key(self) -> "Key":
        return self.model, self.pk


Key = tuple[type[models.Model], int]


class UnrecordedWrites:
    """What a transaction has written and not recorded, counted when it is committed."""

    def __init__(self, using: str) -> None:
        self.using = using
        self.left: dict[Key, Written] = {}
        self.last: object = None

    def finish(self, note: object) -> None:
        """After the last note: say what was left."""
        if note is self.last and (found := unrecorded(self.left.values(), self.using)):
            LOG.error("written without an entry in the audit log: %s", ", ".join(sorted(found)))


class Noted:
    """A note that rows were written; called by Django once the transaction is committed."""

    def __init__(self, tally: UnrecordedWrites, rows: list[Written]) -> None:
        self.tally, self.rows = tally, rows
        tally.last = self

    def __call__(self) -> None:
        for row in self.rows:
            self.tally.left.setdefault(row.key, row)
        self.tally.finish(self)


class Settled:
    """A note that an entry of this event has these rows; `whole`: nothing that was noted before is left for any."""

    def __init__(self, tally: UnrecordedWrites, event: int, keys: set[Key], whole: bool) -> None:
        self.tally, self.event, self.keys, self.whole = tally, event, keys, whole
        tally.last = self

    def __call__(self) -> None:
        for key in self.keys:
            self.tally.left.pop(key, None)
        self.tally.finish(self)


def notes(using: str) -> list[Noted | Settled]:
    """The notes of the running transaction, from the last entry that left nothing."""
    found: list[Noted | Settled] = []
    for entry in reversed(connections[using].run_on_commit):
        each: object = entry[1]
        if isinstance(each, Noted | Settled):
            found.append(each)
            if isinstance(each, Settled) and each.whole:
                break
    return found[::-1]


def tally_of(using: str) -> UnrecordedWrites:
    """The running transaction's tally; a new one for its first note."""
    found = notes(using)
    return found[-1].tally if found else UnrecordedWrites(using)


def note_write(using: str, rows: list[Written]) -> None:
    """Remember until the next entry that these rows were written."""
    if rows:
        transaction.on_commit(Noted(tally_of(using), rows), using=using)


def writes_without_entry(event: int | None, using: str = "default") -> dict[Key, Written]:
    """What the running transaction has written and no entry has yet; of accounts, no entry of this event."""
    found: dict[Key, Written] = {}
    for each in notes(using):
        if isinstance(each, Noted):
            for row in each.rows:
                found.setdefault(row.key, row)
            continue
        for key in each.keys:
            if each.event == event or not declared(key[0]).account:
                found.pop(key, None)
    return found


def before_of(rows: models.QuerySet[Any]) -> list[Written]:
    """The rows of a queryset as they are, held until the transaction ends: they are about to be written."""
    model, using = rows.model, rows.db
    own = declared(model)
    found = rows_of(model, using=using).filter(pk__in=rows.order_by().values("pk")).order_by("pk")
    if not own.account:
        found = found.filter(own.rows).annotate(evidence_event=F(own.event))
    if connections[using].in_atomic_block:
        found = found.select_for_update(no_key=True, of=("self",))
    return [Written(model, row.pk, digest_of(record_of(row)), getattr(row, "evidence_event", None)) for row in found]


def unrecorded(left: Iterable[Written], using: str) -> set[str]:
    """Those of the rows that are not as they were, at an event that keeps them."""
    found = set()
    for row in left:
        own = declared(row.model)
        there = rows_of(row.model, using=using).filter(own.rows, pk=row.pk, **{f"{own.event}__isnull": False}).first()
        gone = there is None and row.before is not None
        if gone or (there is not None and digest_of(record_of(there)) != row.before):
            found.add(f"{row.model._meta.model_name} {row.pk}")
    return found


# --- The payload ----------------------------------------------------------------------------------------
def collect_writes(event: int, using: str = "default") -> list[dict[str, Any]]:
    """The payload of the event's next entry: what was written since the last, as it is now."""
    waiting = writes_without_entry(event, using)
    if not waiting:
        return []
    written = {**waiting, **{row.key: row for row in of_members(waiting, event, using)}}
    payload: list[dict[str, Any]] = []
    settled: set[Key] = set()
    for model in sorted({model for model, _pk in written}, key=lambda each: str(each._meta.model_name)):
        items, done = items_of(model, [row for row in written.values() if row.model is model], event, using)
        payload += items
        settled |= {(model, pk) for pk in done}
    whole = waiting.keys() <= settled and not any(declared(model).account for model, _pk in waiting)
    transaction.on_commit(Settled(tally_of(using), event, settled, whole), using=using)
    return payload


def items_of(
    model: type[models.Model], written: list[Written], event: int, using: str
) -> tuple[list[dict[str, Any]], set[int]]:
    """The items of one model, and the keys of which this event wants nothing more."""
    own, keys = declared(model), {row.pk for row in written}
    there = {row.pk: row for row in among(rows_of(model, event, using), keys)}
    elsewhere = model._base_manager.using(using).filter(Q() if own.account else own.rows)
    others = {row.pk for row in among(elsewhere.only("pk"), keys - there.keys())}
    items: list[dict[str, Any]] = []
    settled = keys - others
    for row in sorted(written, key=lambda each: each.pk):
        record = record_of(there[row.pk]) if row.pk in there else None
        if row.pk in others or (record is None and row.event not in (event, None)):
            settled.discard(row.pk)
        elif (digest_of(record) if record else None) != row.before:
            items.append({"model": model._meta.model_name, "pk": row.pk, "before": row.before, "record": record})
    return items, settled


def among(rows: models.QuerySet[Any], keys: Iterable[int]) -> Iterator[Any]:
    """The rows with these keys, few enough at a time for one query."""
    listed = sorted(keys)
    for start in range(0, len(listed), WRITTEN_ROWS_CHUNK):
        yield from rows.filter(pk__in=listed[start : start + WRITTEN_ROWS_CHUNK])


def of_members(waiting: Iterable[Key], event: int, using: str) -> Iterator[Written]:
    """Whoever was given or has accepted a role: from now on the event's log keeps the account, as it is."""
    memberships = [key for key in waiting if key[0]._meta.model_name == "membership"]
    if not memberships:
        return
    rows = memberships[0][0]._base_manager.using(using).filter(pk__in=[pk for _model, pk in memberships], event=event)
    accounts = set(rows.values_list("user", flat=True))
    for model in recorded_models():
        if name := declared(model).account:
            for row in rows_of(model, event, using).filter(**{f"{name}__in": accounts}):
                yield Written(model, row.pk)
