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

from tournament.bridge.release_places import LivePlaces, live_places
from tournament.errors import Refused
from tournament.exports.invitation_letters import FinalNews, Letter, letters_pdf
from tournament.exports.invitation_list import ListedLetter, invitations_xlsx
from tournament.models import Invitation, Stage
from tournament.permissions import for_act
from tournament.queries.finalists import final_of, rounds_with_times
from tournament.queries.invitations import people_of
from tournament.services import invitations as services
from tournament.views.finalists import address_of
from tournament.views.release_places import preliminary_of

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
@for_act("invite_finalists")
def invitation_letters(request: HttpRequest) -> HttpResponse:
    """A page for each who holds a place and has a link; `?number=` one alone, `?unanswered=1` who has not answered."""
    stage = preliminary_of(request)
    live = live_places(stage)
    wanted = request.GET.get("number", "")
    if wanted:
        get_object_or_404(request.event.entrants.all(), number=wanted if wanted.isdecimal() else 0)
    letters = [
        letter
        for letter in letters_of(request, stage, live)
        if wanted in ("", str(letter.number))
        and not (request.GET.get("unanswered") and f"{letter.number:04d}" in live.answers)
    ]
    if not letters:
        raise Refused("nobody_to_write_to", _("There is nobody to write to: everyone of these has answered."))
    pdf = letters_pdf(news_of(stage), letters)
    headers = {"Content-Disposition": 'inline; filename="letters.pdf"'}
    return HttpResponse(pdf, content_type="application/pdf", headers=headers)


@require_safe
@for_act("invite_finalists")
def invitation_list(request: HttpRequest) -> HttpResponse:
    """A workbook: names, language, e-mail, answer, link."""
    stage = preliminary_of(request)
    live = live_places(stage)
    letters = letters_of(request, stage, live, what="list")
    people = people_of(stage)
    listed = [listed_letter(letter, people[letter.number], live) for letter in letters]
    headers = {"Content-Disposition": 'attachment; filename="invitations.xlsx"'}
    return HttpResponse(invitations_xlsx(listed, timezone.now()), content_type=XLSX, headers=headers)


def listed_letter(letter: Letter, person: Any, live: LivePlaces) -> ListedLetter:
    """A line of the list."""
    answer = live.answers.get(f"{letter.number:04d}")
    return ListedLetter(letter, person.language, person.email, answer.answer if answer else "")


def letters_of(request: HttpRequest, stage: Stage, live: LivePlaces, what: str = "letters") -> list[Letter]:
    """The letters in the order of the places; that their links leave is in the log."""
    links = {one.entrant.number: one for one in services.take_out(stage, what=what, by=request.user)}
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    people = people_of(stage)
    held = [live.entrants[holder.id].number for holder in live.places.holders]
    return [letter_of(request, links[number], lines[number], people[number]) for number in held if number in links]


def letter_of(request: HttpRequest, link: Invitation, line: Mapping[str, Any], person: Any) -> Letter:
    """One letter."""
    return Letter(
        number=link.entrant.number,
        name_zh=person.name_zh,
        name_en=person.name_en,
        rank=(line["rank"], bool(line["tied"])),
        called=not line["advancing"],
        url=address_of(request, link),
    )


def news_of(stage: Stage) -> FinalNews:
    """What all letters say."""
    event, final = stage.event, final_of(stage.event)
    rounds: Sequence[Any] = rounds_with_times(final) if final else []
    return FinalNews(
        names=(event.name_zh, event.name_en),
        venues=(event.venue_zh, event.venue_en),
        until=stage.answers_until,
        check_ins=tuple(one.check_in_at for one in rounds),
        contact=event.contact,
    )


urlpatterns = [
    path("final/finalists/letters.pdf", invitation_letters, name="invitation_letters"),
    path("final/finalists/invitations.xlsx", invitation_list, name="invitation_list"),
]
