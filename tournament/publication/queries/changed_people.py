"""What changed around people since the first sheet was locked: by number, with who and the second person, no values.

So do changes of the status of who has games on a locked sheet: they take somebody out of the ranking, or back into it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min

from tournament.accounts.models import Proposal
from tournament.audit.models import AuditEntry
from tournament.core.entrant_column_kinds import AfterResults, ColumnKind
from tournament.core.entrant_columns import keys_where
from tournament.core.enums import LOCKED_STATES
from tournament.core.models.event import Event
from tournament.sheets.models.scoresheet import Line, Scoresheet

PERSON_NAME_COLUMNS = frozenset(keys_where(lambda column: column.kind is ColumnKind.NAME))
PERSON_CONTACT_COLUMNS = frozenset(keys_where(lambda column: column.kind in (ColumnKind.PHONE, ColumnKind.MAIL)))
CHANGED_PERSON_COLUMNS = frozenset(keys_where(lambda column: column.after_results is not AfterResults.ALONE))
# What changes a status, by the log's words, and the name that the column has here.
STATUS_ACTS = ("record_no_show", "record_withdrawal", "disqualify_entrant", "readmit_entrant")
STATUS_COLUMN = "status"
# How the reason of an entry begins whose change a second person agreed to.
PROPOSAL_REASON_PREFIX = re.compile(r"\(proposal (\d{1,18})\) ")


@dataclass(frozen=True, slots=True)
class PersonChanged:
    """One entry of the log: whose, which columns, by whom, `proposer` where it took two; in no release yet or not."""

    entry: AuditEntry
    number: int
    columns: tuple[str, ...]
    reason: str
    proposer: User | None
    since_release: bool


def people_changed(event: Event, released_at_seq: int | None) -> list[PersonChanged]:
    """Newest first; four queries. `released_at_seq` is the audit head that the current release was read at."""
    sheets = Scoresheet.objects.filter(table__session__stage__event=event, state__in=LOCKED_STATES)
    first = sheets.aggregate(first=Min("locked_at"))["first"]
    if first is None:
        return []
    entries = AuditEntry.objects.filter(event=event, action__in=("change_entrant", *STATUS_ACTS), at__gte=first)
    told = [read_change_entry(entry) for entry in entries.select_related("actor").order_by("-seq")]
    locked = first_locked(
        event, {entrant_number_of_entry(entry) for entry, columns, _number, _why in told if columns == (STATUS_COLUMN,)}
    )
    made = Proposal.objects.filter(event=event, act="change_entrant").select_related("proposed_by").in_bulk()
    return [
        PersonChanged(
            entry=entry,
            number=entrant_number_of_entry(entry),
            columns=columns,
            reason=reason,
            proposer=made[proposal].proposed_by if proposal in made else None,
            since_release=released_at_seq is None or entry.seq > released_at_seq,
        )
        for entry, columns, proposal, reason in told
        if CHANGED_PERSON_COLUMNS & set(columns)
        or (columns == (STATUS_COLUMN,) and locked.get(entrant_number_of_entry(entry), entry.at) < entry.at)
    ]


def first_locked(event: Event, numbers: Collection[int]) -> dict[int, datetime]:
    """When the first sheet with games of each of these entrants was locked."""
    lines = Line.objects.filter(entrant__event=event, entrant__number__in=numbers)
    locked = lines.filter(game__scoresheet__state__in=LOCKED_STATES).order_by().values("entrant__number")
    return dict(locked.annotate(at=Min("game__scoresheet__locked_at")).values_list("entrant__number", "at"))


def entrant_number_of_entry(entry: AuditEntry) -> int:
    """The entrant that an entry is about."""
    return int(entry.subject.removeprefix("entrant "))


def read_change_entry(entry: AuditEntry) -> tuple[AuditEntry, tuple[str, ...], int, str]:
    """Columns, the proposal's number (0: none) and the reason that an entry was written with."""
    if entry.action in STATUS_ACTS:
        return entry, (STATUS_COLUMN,), 0, entry.reason
    found = PROPOSAL_REASON_PREFIX.match(entry.reason)
    number, reason = (int(found[1]), entry.reason[found.end() :]) if found else (0, entry.reason)
    return entry, tuple(entry.details["columns"]), number, reason


def changed_people_counts(changed: list[PersonChanged]) -> dict[str, int]:
    """How many people's names, contact data and other facts changed."""
    kinds = {
        "names": PERSON_NAME_COLUMNS,
        "contacts": PERSON_CONTACT_COLUMNS,
        "others": (CHANGED_PERSON_COLUMNS | {STATUS_COLUMN}) - PERSON_NAME_COLUMNS - PERSON_CONTACT_COLUMNS,
    }
    return {kind: len({one.number for one in changed if columns & set(one.columns)}) for kind, columns in kinds.items()}
