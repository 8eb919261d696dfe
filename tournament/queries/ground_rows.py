"""The rows that the grounds rest on, each chosen here and nowhere else: which sheets count, which release is in force,
what tablets brought and nobody has recorded, which mails a server took.
"""

from django.db.models import Exists, OuterRef, QuerySet

from tournament.enums import LOCKED_STATES, BounceKind, DeliveryState, SessionState
from tournament.models import Delivery, Event, HeldItem, OfficialSheet, Release


def sheets_that_count() -> QuerySet[OfficialSheet]:
    """What the ranking reads: locked, the version that counts for its table, of no void session."""
    locked = OfficialSheet.objects.filter(scoresheet__state__in=LOCKED_STATES)
    return locked.exclude(table__session__state=SessionState.VOID)


def standing_releases() -> QuerySet[Release]:
    """Those in force: of each stage the newest, where it has not been withdrawn. An older one never comes back."""
    newer = Release.objects.filter(stage=OuterRef("stage"), number__gt=OuterRef("number"))
    return Release.objects.filter(~Exists(newer), withdrawn_at=None)


def not_recorded(event: Event | int | None = None) -> QuerySet[HeldItem]:
    """What tablets have brought and nobody has recorded or put aside, in no order."""
    rows = HeldItem.objects.filter(outcome="")
    return rows if event is None else rows.filter(event=event)


def mails_taken() -> QuerySet[Delivery]:
    """What a mail server took, without what has come back since: more is not known of a mail."""
    return Delivery.objects.filter(state=DeliveryState.SENT).exclude(bounce=BounceKind.HARD)
