"""What a backup lacks of a log that was anchored elsewhere, and the two people who know that and restore it (4.9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.enums import Role
from tournament.models import AuditEntry, Membership
from tournament.services.audit_chain import Anchor
from tournament.services.backup_engines import Manifest, NotRestorable

TWO = 2
MAY_AGREE = (Role.ORGANISER, Role.CHIEF_JUDGE)
OTHER_LOG = _(
    "Entry %(seq)s of %(event)s was anchored as %(anchored)s and is another in this backup. It is not a backup of "
    "that log; nothing was changed."
)
BEHIND = _(
    "This backup is older than what was anchored: %(missing)s. Restore a newer one. If there is none, two people who "
    "are organiser or chief judge of the event take it on themselves: --acknowledge NAME --acknowledge NAME. "
    "Nothing was changed."
)
NOT_TWO = _(
    "It takes two different accounts, each with its own password, that are organiser or chief judge of %(event)s in "
    "this backup. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """Who takes on themselves that entries are gone: a user name and its password, as they are in the backup."""

    username: str
    password: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Of one event: how many anchored entries the backup has not, and the accounts that acknowledged it."""

    entries: int
    accounts: tuple[int, ...] = ()


def lost_entries(
    using: str, manifest: Manifest, anchors: Iterable[Anchor], acknowledged: Sequence[Acknowledgement]
) -> dict[str, Lost]:
    """Of each event whose last anchor is above the head in the backup: what is gone, and who knows it.

    `using` is the backup's database in a scratch copy. Raises NotRestorable (exit 3) where an anchored entry is
    another there, or where something is gone and not two people have acknowledged it.
    """
    heads = {slug: int(head["seq"]) for slug, head in manifest["heads"].items()}
    last: dict[str, int] = {}
    for anchor in anchors:
        if anchor.seq <= heads.get(anchor.event, 0):
            refuse_other_log(using, anchor)
        last[anchor.event] = max(last.get(anchor.event, 0), anchor.seq)
    gone = {slug: seq - heads.get(slug, 0) for slug, seq in sorted(last.items()) if seq > heads.get(slug, 0)}
    if gone and not acknowledged:
        told = ", ".join(f"{slug}: {count} entries missing" for slug, count in gone.items())
        raise NotRestorable("behind_the_anchor", BEHIND, missing=told)
    return {slug: Lost(count, agreed(using, slug, acknowledged)) for slug, count in gone.items()}


def refuse_other_log(using: str, anchor: Anchor) -> None:
    """An entry that was anchored is that entry."""
    rows = AuditEntry.objects.using(using).filter(event__slug=anchor.event, seq=anchor.seq)
    if anchor.seq and rows.values_list("hash", flat=True).first() != anchor.hash:
        raise NotRestorable("other_log", OTHER_LOG, seq=anchor.seq, event=anchor.event, anchored=anchor.hash[:16])


def agreed(using: str, slug: str, acknowledged: Sequence[Acknowledgement]) -> tuple[int, ...]:
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
    if len(found & allowed) != TWO or len(acknowledged) != TWO:
        raise NotRestorable("not_acknowledged", NOT_TWO, event=slug)
    return tuple(sorted(found))
