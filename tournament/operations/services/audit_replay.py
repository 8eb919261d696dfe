"""The payloads of a log replayed, entry after entry: what each recorded row must be, and every row that is not so."""

from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import models

from tournament.audit.models import AuditEntry
from tournament.core.canonical import digest_of, instant
from tournament.core.models.evidence import EvidenceRecord, declared, record_of, recorded_models, rows_of
from tournament.operations.queries.audit_rows import subject_ref

Finds = list[tuple[str, str, Any, Any]]
"""Code, row, what the log says, what was found."""
MODELS = {str(model._meta.model_name): model for model in recorded_models()}
OF_ACCOUNTS = frozenset(name for name, model in MODELS.items() if declared(model).account)
REPLAYED_ROWS_CHUNK = 2000
# What takes a chief judge and an organiser, with the act by which the first of them proposed it (R42).
TWO_SIDES = {"approve_correction": "propose_correction", "void_scoresheet": "propose_void"}
# What the chief judge alone decides (R39, R40, R46).
ACTS_OF_JUDGED_ROWS = frozenset({"decide_dispute", "decide_tie", "announce_lots"})


@dataclass
class Replay:
    """The last record of each row by model and key, and what of the entries does not follow from those before."""

    records: dict[tuple[str, int], EvidenceRecord] = field(default_factory=dict)
    proposers: dict[tuple[str, str], int | None] = field(default_factory=dict)
    found: Finds = field(default_factory=list)

    def take(self, entry: AuditEntry) -> None:
        """Go on by one entry."""
        self.check_right(entry)
        for item in entry.payload:
            self.write(entry, item)

    def write(self, entry: AuditEntry, item: dict[str, Any]) -> None:
        """Go on by one write. What belongs to an account may have changed while this event did not keep it, which its
        item says by an empty `before`."""
        model, pk, before = item["model"], item["pk"], item["before"]
        kept = self.records.pop((model, pk), None)
        if item["record"] is not None:
            self.records[model, pk] = item["record"]
        had = digest_of(kept) if kept is not None else None
        if before != had and not (model in OF_ACCOUNTS and None in (kept, before)):
            where = f"{model} {pk}, audit entry {entry.seq}"
            self.found.append(("row_altered_before_an_entry", where, (had or "")[:16], (before or "")[:16]))

    # --- Who may ----------------------------------------------------------------------------------------
    def check_right(self, entry: AuditEntry) -> None:
        """Two accounts on two sides, and the chief judge, by the roles that were in effect just before the entry."""
        action, actor = entry.action, entry.actor_id
        if action in TWO_SIDES.values():
            self.proposers[action, entry.subject] = actor
        if action in TWO_SIDES:
            proposer = self.proposers.get((TWO_SIDES[action], entry.subject))
            one, other = self.roles_at(actor, entry), self.roles_at(proposer, entry)
            sides = any("chief_judge" in a and "organiser" in b for a, b in ((one, other), (other, one)))
            if proposer == actor or not sides:
                found = f"accounts {proposer} and {actor}"
                self.found.append((f"{action}_without_two_sides", entry.subject, "chief judge and organiser", found))
        if action in ACTS_OF_JUDGED_ROWS and "chief_judge" not in self.roles_at(actor, entry):
            self.found.append((f"{action}_by_another", entry.subject, "chief judge", f"account {actor}"))

    def roles_at(self, account: int | None, entry: AuditEntry) -> set[str]:
        """The roles in effect that an account holds at this point."""
        held = (record for (model, _pk), record in self.records.items() if model == "membership")
        own = (one for one in held if one["user_id"] == account and not one["awaits_acceptance"])
        return {one["role"] for one in own if int(one["waits_until"] or 0) <= int(instant(entry.at))}

    # --- The rows as they are ---------------------------------------------------------------------------
    def compare(self, event: int, using: str) -> Finds:
        """Every row of the event that is not as the log left it, is missing, or was never recorded."""
        found, left = list(self.found), dict(self.records)
        for name, model in MODELS.items():
            for row in rows_of(model, event, using).order_by("pk").iterator(chunk_size=REPLAYED_ROWS_CHUNK):
                found += differences(row, left.pop((name, row.pk), None), record_of(row))
        accounts = set(rows_of(MODELS["membership"], event, using).values_list("user", flat=True))
        for (name, pk), record in sorted(left.items(), key=lambda each: each[0]):
            if name not in OF_ACCOUNTS or record.get("user_id", pk) in accounts:
                found.append(("row_missing", name_of(made_of(name, pk, record, using)), shown(record), ""))
        return found


def differences(row: models.Model, kept: EvidenceRecord | None, now: EvidenceRecord) -> Finds:
    """What of one row is not as the log has it."""
    if kept is None:
        return [("row_without_an_entry", name_of(row), "", shown(now))]
    names = sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name))
    return [("row_altered", f"{name_of(row)} {name}", kept.get(name), now.get(name)) for name in names]


def name_of(row: models.Model) -> str:
    """What a person knows the row by, as far as it leads anywhere, and the row itself."""
    own = f"{row._meta.model_name} {row.pk}"
    try:
        subject = subject_ref(row)
    except ObjectDoesNotExist:
        return own
    return own if subject == own else f"{subject}, {own}"


def made_of(name: str, pk: int, record: EvidenceRecord, using: str) -> models.Model:
    """A row that is no more, as far as its record tells."""
    model = MODELS[name]
    fields = {each.attname for each in model._meta.concrete_fields}
    row = model(pk=pk, **{each: value for each, value in record.items() if each in fields})
    row._state.db = using
    return row


def shown(record: EvidenceRecord) -> str:
    """A record in short, for a person who looks for it."""
    told = (f"{name} {str(value)[:40]}" for name, value in record.items() if value not in (None, "", [], {}))
    return ", ".join(told)[:200]
