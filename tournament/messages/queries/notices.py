"""Notices 通告 of an event: drafts, what was published, whose banner stands, and the day that one is about."""

from collections.abc import Iterable
from datetime import date

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.messages.models import Notice


def notices_of_event(event: Event) -> QuerySet[Notice]:
    """All but those that were put aside; drafts first, then the newest number first."""
    rows = Notice.objects.filter(event=event, discarded_at=None)
    people = ("made_by", "published_by", "banner_down_by", "corrects", "readers_of")
    rows = rows.select_related(*people).prefetch_related("mailings")
    return rows.order_by("published_at", "-number", "-id")


def published_notices_of(event: Event) -> list[Notice]:
    """What was published, the newest first."""
    return list(notices_of_event(event).exclude(published_at=None).order_by("-number"))


def find_notice_of(event: Event, id: int) -> Notice | None:
    """One notice, a draft or published; None also for another event's and for one that was put aside."""
    return notices_of_event(event).select_related("event").filter(pk=id).first()


def published_by_number(event: Event, number: int) -> Notice | None:
    """A published notice by its public number."""
    return Notice.objects.filter(event=event, number=number).select_related("event", "corrects").first()


def notices_correcting(notice: Notice) -> list[Notice]:
    """The published notices that correct this one, in order."""
    return list(notice.corrected_by.exclude(published_at=None).order_by("number"))


def banner_in_force(event: Event) -> Notice | None:
    """The notice whose banner stands above every public page; there is one at most."""
    return banners_in_force(event).select_related("corrects").order_by("-number").first()


def banners_in_force(event: Event) -> QuerySet[Notice]:
    """Published with a banner that nobody has taken down."""
    return Notice.objects.filter(event=event, published_at__isnull=False, banner=True, banner_down_at=None)


def next_notice_number(event: Event) -> int:
    """The number that the next published notice gets."""
    return (Notice.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0) + 1


def sessions_on(event: Event, day: date) -> list[Session]:
    """The sessions that were planned for this day or are held on it now, in order; void ones aside."""
    rows = Session.objects.filter(stage__event=event).exclude(state=SessionState.VOID).select_related("stage")
    return list(rows.filter(Q(original_date=day) | Q(check_in_at__in=_check_ins_on(rows, day))).order_by("number"))


def sessions_not_void(event: Event) -> list[Session]:
    """Every session but void ones, in order."""
    rows = Session.objects.filter(stage__event=event).exclude(state=SessionState.VOID)
    return list(rows.select_related("stage").order_by("number"))


def _check_ins_on(rows: Iterable[Session], day: date) -> list[object]:
    return [one.check_in_at for one in rows if timezone.localtime(one.check_in_at).date() == day]


def days_with_sessions(event: Event) -> list[date]:
    """Every day that a session was planned for or is held on, in order."""
    rows = Session.objects.filter(stage__event=event).exclude(state=SessionState.VOID)
    moments = rows.values_list("original_date", "check_in_at")
    return sorted({day for original, at in moments for day in (original, timezone.localtime(at).date())})
