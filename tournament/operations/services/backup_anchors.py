"""What a backup lacks of a log that was anchored elsewhere, and the two people who know that and restore it (D9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Membership
from tournament.operations.services.audit_chain import ChainAnchor
from tournament.operations.services.backup_engines import BackupManifest, NotRestorable

ACKNOWLEDGERS_NEEDED = 2
MAY_AGREE = (Role.ORGANISER, Role.CHIEF_JUDGE)
ANCHOR_OF_OTHER_LOG = _(
    "Entry %(seq)s of %(event)s was anchored as %(anchored)s and is another in this backup. It is not a backup of "
    "that log; nothing was changed."
)
BACKUP_BEHIND_ANCHOR = _(
    "This backup is older than what was anchored: %(missing)s. Restore a newer one. If there is none, two people who "
    "are organiser or chief judge of the event take it on themselves: --acknowledge NAME --acknowledge NAME. "
    "Nothing was changed."
)
TWO_ACKNOWLEDGERS_NEEDED = _(
    "It takes two different accounts, each with its own password, that are organiser or chief judge of %(event)s in "
    "this backup. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Who takes on themselves that entries are gone: a user name and its password, as they are in the backup."""

    username: str
    password: str


@dataclass(frozen=True, slots=True)
class LostEntries:
    """Of one event: how many anchored entries the backup has not, and the accounts that acknowledged it."""

    entries: int
    accounts: tuple[int, ...] = ()


def lost_entries(
    using: str, manifest: BackupManifest, anchors: Iterable[ChainAnchor], acknowledged: Sequence[Acknowledgement]
) -> dict[str, LostEntries]:
    """Of each event whose last anchor is above the head in the backup: what is gone, and who knows it.

    `using` is the backup's database in a scratch copy. Raises NotRestorable (exit 3) where an anchored entry is
    another there, or where something is gone and not two people have acknowledged it.
    """
    heads = {slug: int(head["seq"]) for slug, head in manifest["heads"].items()}
    last: dict[str, int] = {}
    for anchor in anchors:
        if anchor.seq <= heads.get(anchor.event, 0):
            check_anchor_in_log(using, anchor)
        last[anchor.event] = max(last.get(anchor.event, 0), anchor.seq)
    gone = {slug: seq - heads.get(slug, 0) for slug, seq in sorted(last.items()) if seq > heads.get(slug, 0)}
    if gone and not acknowledged:
        told = ", ".join(f"{slug}: {count} entries missing" for slug, count in gone.items())
        raise NotRestorable("behind_the_anchor", BACKUP_BEHIND_ANCHOR, missing=told)
    return {
        slug: LostEntries(count, acknowledging_account_ids(using, slug, acknowledged)) for slug, count in gone.items()
    }


def check_anchor_in_log(using: str, anchor: ChainAnchor) -> None:
    """An entry that was anchored is that entry."""
    rows = AuditEntry.objects.using(using).filter(event__slug=anchor.event, seq=anchor.seq)
    if anchor.seq and rows.values_list("hash", flat=True).first() != anchor.hash:
        raise NotRestorable(
            "other_log", ANCHOR_OF_OTHER_LOG, seq=anchor.seq, event=anchor.event, anchored=anchor.hash[:16]
        )


def acknowledging_account_ids(using: str, slug: str, acknowledged: Sequence[Acknowledgement]) -> tuple[int, ...]:
    """The keys of exactly two accounts that may agree for this event; an event that is gone whole asks any event's."""
    members = Membership.objects.using(using).filter(role__in=MAY_AGREE)
    own = members.filter(event__slug=slug)
    allowed = set((own if own.exists() else members).values_list("user_id", flat=True))
    users = User.objects.using(using).filter(is_active=True)
    found = {
        user.pk
        for given in acknowledged
        if (user := users.filter(username=given.username).first()) and user.check_password(given.password)
    }
    if len(found & allowed) != ACKNOWLEDGERS_NEEDED or len(acknowledged) != ACKNOWLEDGERS_NEEDED:
        raise NotRestorable("not_acknowledged", TWO_ACKNOWLEDGERS_NEEDED, event=slug)
    return tuple(sorted(found))
