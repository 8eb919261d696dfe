"""Tampering with rulings, decisions, releases, published files and the log itself (reliability 3.9)."""

from typing import Any

from django.conf import settings
from django.db.models import Max

from tests.reliability.tamper_kinds import kind, name, sheets
from tournament.models import (
    AuditEntry,
    AuditHead,
    Entrant,
    Membership,
    Release,
    Ruling,
    Seat,
    TieDecision,
)
from tournament.services.audit import entry_hash


# --- Rulings, decisions, releases ------------------------------------------------------------------------
@kind()
def change_a_ruling() -> str:
    ruling = Ruling.objects.exclude(kind="age_accepted").order_by("pk")[0]
    Ruling.objects.filter(pk=ruling.pk).update(reason="another")
    return f"entrant {ruling.entrant}"


@kind()
def change_a_status() -> str:
    seat = Seat.objects.filter(table=sheets()[0].table).order_by("letter")[0]
    Entrant.objects.filter(pk=seat.entrant_id).update(status="disqualified")
    return f"entrant {seat.entrant}"


@kind()
def change_a_decision() -> str:
    decision = TieDecision.objects.order_by("pk")[0]
    TieDecision.objects.filter(pk=decision.pk).update(admitted=list(reversed(decision.tied)), reason="another")
    return f"stage {decision.stage.kind}"


def first_decision(**values: Any) -> str:
    """Change the first decision of a tie."""
    decision = TieDecision.objects.order_by("pk")[0]
    TieDecision.objects.filter(pk=decision.pk).update(**values)
    return f"stage {decision.stage.kind}"


@kind()
def change_the_order_of_a_decision() -> str:
    decision = TieDecision.objects.order_by("pk")[0]
    backwards = list(reversed(decision.tied))
    return first_decision(order=decision.tied if decision.order == backwards else backwards)


@kind()
def change_the_play_off_of_a_decision() -> str:
    return first_decision(play_off=[[{"entrant": 1, "win": 1, "points_twelfths": 12, "tiles": 0}]])


@kind()
def change_the_seed_of_a_decision() -> str:
    return first_decision(seed="another seed")


@kind()
def take_a_decision_for_another_place() -> str:
    return first_decision(reserve=not TieDecision.objects.order_by("pk")[0].reserve)


@kind()
def take_the_second_person_from_a_decision() -> str:
    decision = TieDecision.objects.order_by("pk")[0]
    if decision.agreed_by_id:
        return first_decision(agreed_by=None)
    return first_decision(agreed_by=Membership.objects.exclude(user=decision.by_id).order_by("pk")[0].user_id)


@kind()
def delete_a_decision() -> str:
    decision = TieDecision.objects.order_by("pk")[0]
    TieDecision.objects.filter(pk=decision.pk).delete()
    return f"stage {decision.stage.kind}"


@kind()
def insert_a_decision() -> str:
    decision = TieDecision.objects.order_by("pk")[0]
    decision.pk = None
    decision.save(force_insert=True)
    return f"stage {decision.stage.kind}"


@kind()
def change_a_release_s_content() -> str:
    made = Release.objects.order_by("pk")[0]
    made.content["ranking"][0]["wins"] += 1
    made.save(update_fields=["content"])
    return f"release {made.number}"


@kind()
def change_a_release_with_its_digest() -> str:
    made = Release.objects.order_by("pk")[0]
    Release.objects.filter(pk=made.pk).update(digest="2" * 64)
    return f"release {made.number}"


@kind()
def change_the_sheets_of_a_release() -> str:
    made = Release.objects.order_by("pk")[0]
    Release.objects.filter(pk=made.pk).update(sheets=made.sheets[1:])
    return f"release {made.number}"


@kind()
def delete_a_release() -> str:
    made = Release.objects.order_by("pk")[0]
    number = made.number
    made.delete()
    return f"release {number}"


@kind()
def withdraw_a_release_in_silence() -> str:
    made = Release.objects.order_by("pk")[0]
    Release.objects.filter(pk=made.pk).update(withdrawn_at=made.released_at, withdrawn_reason="x")
    return f"release {made.number}"


@kind(outside=True)
def change_a_published_file() -> str:
    """Undone by the caller with `FILES`."""
    folder = settings.PUBLIC_ROOT / Release.objects.order_by("pk")[0].stage.event.slug / "files"
    path = next(file for file in sorted(folder.iterdir()) if file.read_bytes().startswith(b"%PDF"))
    path.write_bytes(path.read_bytes() + b" ")
    return "file "


# --- The log --------------------------------------------------------------------------------------------
def middle() -> AuditEntry:
    """An entry in the middle of the log, of a scoresheet."""
    entries = AuditEntry.objects.filter(action="certify_scoresheet").order_by("seq")
    return entries[entries.count() // 2]


def change_entry(**changes: object) -> str:
    """Change fields of the middle entry."""
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).update(**changes)
    return f"audit entry {entry.seq}"


@kind()
def change_an_entry_s_reason() -> str:
    return change_entry(reason="another")


@kind()
def change_an_entry_s_actor() -> str:
    return change_entry(actor=AuditEntry.objects.filter(action="stamp_scoresheet")[0].actor)


@kind()
def change_an_entry_s_time() -> str:
    return change_entry(at=Release.objects.latest("pk").released_at)


@kind()
def change_an_entry_s_digest() -> str:
    return change_entry(digest_after="3" * 64)


@kind()
def change_an_entry_s_form() -> str:
    return change_entry(canon_version=2)


@kind()
def delete_an_entry() -> str:
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).delete()
    return f"audit entry {entry.seq + 1}"


@kind()
def cut_off_the_tail() -> str:
    last = AuditEntry.objects.aggregate(last=Max("seq"))["last"]
    AuditEntry.objects.filter(seq__gt=last - 3).delete()
    return "audit head"


@kind(anchored=True)
def cut_off_the_tail_and_set_the_head_back() -> str:
    """Only acts that left nothing else behind, so that only an anchor can tell."""
    last = AuditEntry.objects.latest("seq")
    AuditEntry.objects.filter(pk=last.pk).delete()
    AuditHead.objects.update(seq=last.seq - 1, hash=last.prev)
    return f"audit entry {last.seq}"


@kind()
def empty_the_log() -> str:
    AuditEntry.objects.all().delete()
    AuditHead.objects.update(seq=0, hash="0" * 64)
    return name(sheets()[0])


def hash_anew(first: int) -> None:
    """Every entry from `first` with a hash of its own on the one before it, and the head on the last."""
    before = AuditEntry.objects.get(seq=first - 1).hash if first > 1 else "0" * 64
    entries = list(AuditEntry.objects.filter(seq__gte=first).order_by("seq"))
    for entry in entries:
        entry.prev = before
        before = entry.hash = entry_hash(entry)
    AuditEntry.objects.bulk_update(entries, ["prev", "hash"], batch_size=100)
    AuditHead.objects.update(seq=entries[-1].seq, hash=before)


@kind(anchored=True)
def change_an_entry_and_hash_forward() -> str:
    entry = AuditEntry.objects.filter(action="save_scoresheet").order_by("seq")[5]
    AuditEntry.objects.filter(pk=entry.pk).update(request_key="another")
    hash_anew(entry.seq)
    return "audit entry "


@kind(anchored=True)
def hash_the_whole_log_anew() -> str:
    AuditEntry.objects.filter(seq=1).update(reason="another")
    hash_anew(1)
    return "audit entry "


@kind()
def swap_two_entries() -> str:
    one = middle()
    other = AuditEntry.objects.get(seq=one.seq + 1)
    for pk, seq in ((one.pk, 10**6), (other.pk, one.seq), (one.pk, other.seq)):
        AuditEntry.objects.filter(pk=pk).update(seq=seq)
    return f"audit entry {one.seq}"


@kind()
def repeat_an_entry() -> str:
    entry = middle()
    last = AuditEntry.objects.latest("seq")
    entry.pk, entry.seq = None, last.seq + 1
    entry.save(force_insert=True)
    return f"audit entry {entry.seq}"


@kind()
def set_the_head_back() -> str:
    entry = middle()
    AuditHead.objects.update(seq=entry.seq, hash=entry.hash)
    return "audit head"
