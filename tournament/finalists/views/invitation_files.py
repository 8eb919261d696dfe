"""Letters to print and the list for a mail merge: what leaves with links in it, for organisers alone, each time in the
log."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act
from tournament.entrants.models.final import Invitation
from tournament.entrants.queries.finalists import next_stage
from tournament.events.queries import rounds_with_times
from tournament.finalists.domain.release_places import LivePlaces, live_places
from tournament.finalists.exports.invitation_letters import FinalFacts, InvitationLetter, letters_pdf_file
from tournament.finalists.exports.invitation_list import InvitationListEntry, invitations_xlsx
from tournament.finalists.queries import people_with_links
from tournament.finalists.services import invitations as services
from tournament.finalists.views.finalists import leading_to, place_link_url

XLSX_TYPE_OF_INVITATIONS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
@for_act("invite_finalists")
def invitation_letters(request: EventRequest) -> HttpResponse:
    """A page for each who holds a place and has a link; `?number=` one alone, `?unanswered=1` who has not answered."""
    stage = leading_to(request)
    live = live_places(stage)
    wanted = request.GET.get("number", "")
    if wanted:
        get_object_or_404(request.event.entrants.all(), number=wanted if wanted.isdecimal() else 0)
    letters = [
        letter
        for letter in build_letters(request, stage, live)
        if wanted in ("", str(letter.number))
        and not (request.GET.get("unanswered") and f"{letter.number:04d}" in live.answers)
    ]
    if not letters:
        raise Refused("nobody_to_write_to", _("There is nobody to write to: everyone of these has answered."))
    pdf = letters_pdf_file(news_of(stage), letters)
    headers = {"Content-Disposition": 'inline; filename="letters.pdf"'}
    return HttpResponse(pdf, content_type="application/pdf", headers=headers)


@require_safe
@for_act("invite_finalists")
def invitation_list(request: EventRequest) -> HttpResponse:
    """A workbook: names, language, e-mail, answer, link."""
    stage = leading_to(request)
    live = live_places(stage)
    letters = build_letters(request, stage, live, what="list")
    people = people_with_links(stage)
    listed = [listed_letter(letter, people[letter.number], live) for letter in letters]
    headers = {"Content-Disposition": 'attachment; filename="invitations.xlsx"'}
    return HttpResponse(
        invitations_xlsx(listed, timezone.now()), content_type=XLSX_TYPE_OF_INVITATIONS, headers=headers
    )


def listed_letter(letter: InvitationLetter, person: Any, live: LivePlaces) -> InvitationListEntry:
    """A line of the list."""
    answer = live.answers.get(f"{letter.number:04d}")
    return InvitationListEntry(letter, person.language, person.email, answer.answer if answer else "")


def build_letters(
    request: EventRequest, stage: Stage, live: LivePlaces, what: str = "letters"
) -> list[InvitationLetter]:
    """The letters in the order of the places; that their links leave is in the log."""
    links = {one.entrant.number: one for one in services.export_place_links(stage, what=what, by=request.user)}
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    people = people_with_links(stage)
    held = [live.entrants[holder.id].number for holder in live.places.holders]
    return [build_letter(request, links[number], lines[number], people[number]) for number in held if number in links]


def build_letter(request: HttpRequest, link: Invitation, line: Mapping[str, Any], person: Any) -> InvitationLetter:
    return InvitationLetter(
        number=link.entrant.number,
        name_zh=person.name_zh,
        name_en=person.name_en,
        rank=(line["rank"], bool(line["tied"])),
        called=not line["advancing"],
        url=place_link_url(request, link),
    )


def news_of(stage: Stage) -> FinalFacts:
    event, final = stage.event, next_stage(stage)
    rounds: Sequence[Any] = rounds_with_times(final) if final else []
    return FinalFacts(
        names=(event.name_zh, event.name_en),
        venues=(event.venue_zh, event.venue_en),
        until=stage.answers_until,
        check_ins=tuple(one.check_in_at for one in rounds),
        contact=event.contact,
    )


urlpatterns = [
    path("<slug:stage>/finalists/letters.pdf", invitation_letters, name="invitation_letters"),
    path("<slug:stage>/finalists/invitations.xlsx", invitation_list, name="invitation_list"),
]
