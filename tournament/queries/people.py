"""What changed around people since the first sheet was locked: by number, with who and the second person, no values.

So do changes of the status of who has games on a locked sheet: they take somebody out of the ranking, or back into it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min

from tournament.enums import LOCKED_STATES
from tournament.models import AuditEntry, Event, Line, Proposal, Scoresheet

NAMES = frozenset({"name_zh", "name_en"})
CONTACTS = frozenset({"phone", "email"})
AROUND = NAMES | CONTACTS | {"birth_date", "session", "family", "family_role", "guardian", "consent_name"}
# What changes a status, by the log's words, and the name that the column has here.
OF_STATUS = ("record_no_show", "record_withdrawal", "disqualify_entrant", "readmit_entrant")
STATUS = "status"
# How the reason of an entry begins whose change a second person agreed to.
BY_TWO = re.compile(r"\(proposal (\d{1,18})\) ")


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
    entries = AuditEntry.objects.filter(event=event, action__in=("change_entrant", *OF_STATUS), at__gte=first)
    told = [read(entry) for entry in entries.select_related("actor").order_by("-seq")]
    locked = first_locked(event, {number_of(entry) for entry, columns, _number, _why in told if columns == (STATUS,)})
    made = Proposal.objects.filter(event=event, act="change_entrant").select_related("proposed_by").in_bulk()
    return [
        PersonChanged(
            entry=entry,
            number=number_of(entry),
            columns=columns,
            reason=reason,
            proposer=made[proposal].proposed_by if proposal in made else None,
            since_release=released_at_seq is None or entry.seq > released_at_seq,
        )
        for entry, columns, proposal, reason in told
        if AROUND & set(columns) or (columns == (STATUS,) and locked.get(number_of(entry), entry.at) < entry.at)
    ]


def first_locked(event: Event, numbers: Collection[int]) -> dict[int, datetime]:
    """When the first sheet with games of each of these entrants was locked."""
    lines = Line.objects.filter(entrant__event=event, entrant__number__in=numbers)
    lines = lines.filter(game__scoresheet__state__in=LOCKED_STATES).order_by().values("entrant__number")
    return dict(lines.annotate(at=Min("game__scoresheet__locked_at")).values_list("entrant__number", "at"))


def number_of(entry: AuditEntry) -> int:
    """The entrant that an entry is about."""
    return int(entry.thing.removeprefix("entrant "))


def read(entry: AuditEntry) -> tuple[AuditEntry, tuple[str, ...], int, str]:
    """Columns, the proposal's number (0: none) and the reason that an entry was written with."""
    if entry.action in OF_STATUS:
        return entry, (STATUS,), 0, entry.reason
    columns, _between, reason = entry.reason.partition(": ")
    found = BY_TWO.match(reason)
    return entry, tuple(columns.split(", ")), int(found[1]) if found else 0, reason[found.end() :] if found else reason


def counts_of(changed: list[PersonChanged]) -> dict[str, int]:
    """How many people's names, contact data and other facts changed."""
    kinds = {"names": NAMES, "contacts": CONTACTS, "others": (AROUND | {STATUS}) - NAMES - CONTACTS}
    return {kind: len({one.number for one in changed if columns & set(one.columns)}) for kind, columns in kinds.items()}
