"""What somebody who owns the database may do to the log itself (Q15), by the name of what was done.

Each answers with a part of what a verifier must name. ANCHORED shows by an anchor alone.
"""

from collections.abc import Callable

from django.db.models import Max

from tournament.audit.models import AuditEntry, AuditHead
from tournament.audit.services import entry_hash

CHANGED = {
    "prev": "1" * 64,
    "hash": "2" * 64,
    "canon_version": 2,
    "actor_id": None,
    "action": "release",
    "subject": "another",
    "revision_before": 77,
    "revision_after": 77,
    "digest_before": "3" * 64,
    "digest_after": "3" * 64,
    "reason": "another",
    "request_key": "another",
    "payload": [],
}


def middle() -> AuditEntry:
    """An entry in the middle of the log, of a scoresheet that was handed on."""
    entries = AuditEntry.objects.filter(action="ready_scoresheet").order_by("seq")
    return entries[entries.count() // 2]


def change(field: str) -> Callable[[], str]:
    """Another value in one field of the middle entry."""

    def done() -> str:
        entry = middle()
        AuditEntry.objects.filter(pk=entry.pk).update(**{field: CHANGED[field]})
        return f"audit entry {entry.seq}"

    return done


def change_when() -> str:
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).update(at=AuditEntry.objects.latest("seq").at)
    return f"audit entry {entry.seq}"


def delete_an_entry() -> str:
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).delete()
    return f"audit entry {entry.seq + 1}"


def cut_off_the_tail() -> str:
    last = AuditEntry.objects.aggregate(last=Max("seq"))["last"]
    AuditEntry.objects.filter(seq__gt=last - 3).delete()
    return "audit head"


def cut_off_the_tail_and_set_the_head_back() -> str:
    """An act that left nothing else behind."""
    last = AuditEntry.objects.latest("seq")
    AuditEntry.objects.filter(pk=last.pk).delete()
    AuditHead.objects.update(seq=last.seq - 1, hash=last.prev)
    return f"audit entry {last.seq}"


def empty_the_log() -> str:
    """All of it; the rows are there without it."""
    AuditEntry.objects.all().delete()
    AuditHead.objects.update(seq=0, hash="0" * 64)
    return "scoresheet "


def hash_anew(first: int) -> None:
    """Every entry from `first` with a hash of its own on the one before it, and the head on the last."""
    before = AuditEntry.objects.get(seq=first - 1).hash if first > 1 else "0" * 64
    entries = list(AuditEntry.objects.filter(seq__gte=first).order_by("seq"))
    for entry in entries:
        entry.prev = before
        before = entry.hash = entry_hash(entry)
    AuditEntry.objects.bulk_update(entries, ["prev", "hash"], batch_size=100)
    AuditHead.objects.update(seq=entries[-1].seq, hash=before)


def change_an_entry_and_hash_forward() -> str:
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).update(request_key="another")
    hash_anew(entry.seq)
    return "audit entry "


def hash_the_whole_log_anew() -> str:
    AuditEntry.objects.filter(seq=1).update(reason="another")
    hash_anew(1)
    return "audit entry "


def change_a_record_and_hash_the_log_anew() -> str:
    """A payload that says something else of a row, which stays as it was."""
    entry = middle()
    item = next(item for item in entry.payload if item["model"] == "line")
    item["record"] = {**item["record"], "tiles": item["record"]["tiles"] + 1}
    AuditEntry.objects.filter(pk=entry.pk).update(payload=entry.payload)
    hash_anew(1)
    return f"line {item['pk']} tiles"


def swap_two_entries() -> str:
    one = middle()
    other = AuditEntry.objects.get(seq=one.seq + 1)
    for pk, seq in ((one.pk, 10**6), (other.pk, one.seq), (one.pk, other.seq)):
        AuditEntry.objects.filter(pk=pk).update(seq=seq)
    return f"audit entry {one.seq}"


def repeat_an_entry() -> str:
    """Once more at the end."""
    entry = middle()
    last = AuditEntry.objects.latest("seq")
    entry.pk, entry.seq = None, last.seq + 1
    entry.save(force_insert=True)
    return f"audit entry {entry.seq}"


def set_the_head_back() -> str:
    entry = middle()
    AuditHead.objects.update(seq=entry.seq, hash=entry.hash)
    return "audit head"


ACTS: dict[str, Callable[[], str]] = {
    **{f"change_{field}": change(field) for field in CHANGED},
    **{
        each.__name__: each
        for each in (
            change_when,
            delete_an_entry,
            cut_off_the_tail,
            cut_off_the_tail_and_set_the_head_back,
            empty_the_log,
            change_an_entry_and_hash_forward,
            hash_the_whole_log_anew,
            change_a_record_and_hash_the_log_anew,
            swap_two_entries,
            repeat_an_entry,
            set_the_head_back,
        )
    },
}
ANCHORED = cut_off_the_tail_and_set_the_head_back.__name__
