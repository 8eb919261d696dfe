"""What an act ends: before it the mailings that will be stopped, after it whom they reached, and the next word to
exactly those."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from django.http import Http404, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_stubs_ext import Annotations

from tournament.accounts.services.personal_exports import record_export
from tournament.core.enums import OPEN_MAILINGS, MailingState
from tournament.core.models.event import Event
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.messages.domain.mail_subjects import ENDED_IN_DUE_COURSE
from tournament.messages.exports.mail_missing import missing_mail_xlsx
from tournament.messages.models import Mailing
from tournament.messages.queries import mailing_counts as queries
from tournament.messages.queries.mailing_counts import MailingCounts
from tournament.messages.queries.recipients import entrants_reached_by
from tournament.messages.services.mailings_subjects import LazySentence, mailing_end_reason, mailing_ending, next_words
from tournament.messages.views.mailings_words import mailing_subject_text

XLSX_TYPE_OF_REACHED = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class MailingSummary:
    """A mailing in words. `why` and `next`: what has ended its subject and what to do, None while it is in force."""

    mailing: Annotated[Mailing, Annotations[MailingCounts]]
    words: str
    why: LazySentence | None
    next: LazySentence | None

    @property
    def open(self) -> bool:
        """Whether mails of it go out, or will."""
        return self.mailing.state in OPEN_MAILINGS


def summarize_mailings(
    event: Event, rows: Iterable[Annotated[Mailing, Annotations[MailingCounts]]]
) -> list[MailingSummary]:
    """Mailings that have their counts, as the pages of what they are about show them."""
    rows = list(rows)
    sessions = queries.sessions_by_code(event) if rows else {}
    return [MailingSummary(row, mailing_subject_text(row, sessions), *mailing_end_words(row)) for row in rows]


def mailings_that_would_end(
    request: EventRequest, rows: Iterable[Annotated[Mailing, Annotations[MailingCounts]]]
) -> list[MailingSummary]:
    """What an act would end, for those who may see mailings: what is open, and what is in force and has reached
    somebody."""
    return [
        one for one in mailings_in_words_if_allowed(request, rows) if one.open or (one.mailing.sent and one.why is None)
    ]


def mailings_out_of_force(
    request: EventRequest, rows: Iterable[Annotated[Mailing, Annotations[MailingCounts]]]
) -> list[MailingSummary]:
    """What counts no more, for those who may see mailings: whom each of it reached."""
    return [one for one in mailings_in_words_if_allowed(request, rows) if one.why is not None]


def mailings_in_words_if_allowed(
    request: EventRequest, rows: Iterable[Annotated[Mailing, Annotations[MailingCounts]]]
) -> list[MailingSummary]:
    """Empty for whoever may not see mailings."""
    return summarize_mailings(request.event, rows) if is_act_allowed(request.roles, "see_mailings") else []


def mailing_end_words(row: Mailing) -> tuple[LazySentence | None, LazySentence | None]:
    """Why it counts no more, and what to do. That the day it was for is over ends nothing that had been said."""
    ended = mailing_ending(row)
    if not ended or (row.state == MailingState.DONE and ended["code"] in ENDED_IN_DUE_COURSE):
        return None, None
    return mailing_end_reason(ended), next_words(ended)


def mailing_with_counts_or_404(request: EventRequest, mailing: int) -> Mailing:
    """A mailing of this event."""
    found = queries.mailing_with_counts(request.event, mailing)
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("send_mailing")
def mailing_reached(request: EventRequest, mailing: int) -> HttpResponse:
    """Whom it reached, with their telephones; in the log."""
    row = mailing_with_counts_or_404(request, mailing)
    people = entrants_reached_by(row.pk)
    record_export(request.event, request.user, f"mailing-{row.pk}-reached.xlsx", people=len(people))
    headers = {"Content-Disposition": f'attachment; filename="mailing-{row.pk}-reached.xlsx"'}
    return HttpResponse(
        missing_mail_xlsx(people, timezone.now(), title="已收電郵"), content_type=XLSX_TYPE_OF_REACHED, headers=headers
    )


urlpatterns = [
    path("mailings/<int:mailing>/reached.xlsx", mailing_reached, name="mailing_reached"),
]
