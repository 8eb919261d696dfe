"""What an act ends: before it the mailings that will be stopped, after it whom they reached, and the next word to
exactly those."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tournament.bridge.mailing_subjects import PASSED
from tournament.enums import OPEN_MAILINGS, MailingState
from tournament.errors import Refused
from tournament.exports.mail_missing import missing_xlsx
from tournament.models import Event, Mailing
from tournament.permissions import allowed, for_act
from tournament.queries import mailings_shown as queries
from tournament.queries.recipients import readers
from tournament.services.mailings_subjects import Said, ended_of, next_words, why_words
from tournament.services.notices_follow_up import draft_follow_up
from tournament.services.personal_exports import record_export
from tournament.views.mailings_words import about

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class AboutIt:
    """A mailing in words. `why` and `next`: what has ended its subject and what to do, None while it is in force."""

    mailing: Mailing
    words: str
    why: Said | None
    next: Said | None

    @property
    def open(self) -> bool:
        """Whether mails of it go out, or will."""
        return self.mailing.state in OPEN_MAILINGS


def in_words(event: Event, rows: Iterable[Mailing]) -> list[AboutIt]:
    """Mailings that have their counts, as the pages of what they are about show them."""
    rows = list(rows)
    sessions = queries.sessions_by_code(event) if rows else {}
    return [AboutIt(row, about(row, sessions), *why_of(row)) for row in rows]


def before(request: HttpRequest, rows: Iterable[Mailing]) -> list[AboutIt]:
    """What an act would end, for those who may see mailings: what is open, and what is in force and has reached
    somebody."""
    return [one for one in shown(request, rows) if one.open or (one.mailing.sent and one.why is None)]


def reached(request: HttpRequest, rows: Iterable[Mailing]) -> list[AboutIt]:
    """What counts no more, for those who may see mailings: whom each of it reached."""
    return [one for one in shown(request, rows) if one.why is not None]


def shown(request: HttpRequest, rows: Iterable[Mailing]) -> list[AboutIt]:
    """In words, or nothing."""
    return in_words(request.event, rows) if allowed(request.roles, "see_mailings") else []


def why_of(row: Mailing) -> tuple[Said | None, Said | None]:
    """Why it counts no more, and what to do. That the day it was for is over ends nothing that had been said."""
    ended = ended_of(row)
    if not ended or (row.state == MailingState.DONE and ended["code"] in PASSED):
        return None, None
    return why_words(ended), next_words(ended)


def found_or_404(request: HttpRequest, mailing: int) -> Mailing:
    """A mailing of this event."""
    found = queries.mailing_of(request.event, mailing)
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("send_mailing")
def mailing_reached(request: HttpRequest, mailing: int) -> HttpResponse:
    """Whom it reached, with their telephones; in the log."""
    row = found_or_404(request, mailing)
    people = readers(row.pk)
    record_export(request.event, request.user, f"mailing-{row.pk}-reached.xlsx", people=len(people))
    headers = {"Content-Disposition": f'attachment; filename="mailing-{row.pk}-reached.xlsx"'}
    return HttpResponse(missing_xlsx(people, timezone.now(), title="已收電郵"), content_type=XLSX, headers=headers)


@require_POST
@for_act("publish_notice")
def mailing_follow_up(request: HttpRequest, mailing: int) -> HttpResponse:
    """Draft the next word to those whom it reached; pressed twice it is one draft."""
    row = found_or_404(request, mailing)
    try:
        made = draft_follow_up(row, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("mailing", request.event.slug, row.pk)
    return redirect("notice", request.event.slug, made.pk)


urlpatterns = [
    path("mailings/<int:mailing>/reached.xlsx", mailing_reached, name="mailing_reached"),
    path("mailings/<int:mailing>/next/", mailing_follow_up, name="mailing_follow_up"),
]
