"""One entrant changed by page, and everyone as a file. Thin doors to `services.registration_changes`."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.accounts.models import Proposal
from tournament.accounts.services.personal_exports import record_export
from tournament.core.enums import FamilyRole
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.permissions import EventRequest, for_act
from tournament.entrants.exports.file import entrants_csv, entrants_xlsx
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.readers.faults import ImportFault
from tournament.registration.forms.changes import JoinFamilyForm, LeaveFamilyForm, PersonForm
from tournament.registration.services import changes
from tournament.registration.services.importing_second import waiting_change
from tournament.registration.views.importing import XLSX_TYPE_OF_IMPORT, file_download_response
from tournament.registration.views.registration import entrant_or_404, show_entrant
from tournament.sheets.queries import entrants_played


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("change_entrant")
def change_entrant(request: EventRequest, number: int) -> HttpResponse:
    """Names, date of birth, contact data, consents. Two at once: both values stand side by side, nothing is lost."""
    found = entrant_or_404(request, number)
    if request.method != "POST":
        return show_form(request, found, PersonForm(entrant=found))
    form = PersonForm(request.POST, entrant=found)
    if not form.is_valid():
        return show_form(request, found, form, status=400)
    typed, waits, notes = form.cleaned_data, list[Proposal](), list[ImportFault]()
    told = {name: typed[name] for name in ("revision", "reason", "accept_name")}
    try:
        changes.change_person(found, cells=form.cells(), **told, by=request.user, waits=waits, notes=notes)
    except StaleVersion as refused:
        form.beside(entrant_or_404(request, number))
        return show_form(request, found, form, refused, refused.status)
    except Refused as refused:
        form.tell(refused.about if isinstance(refused.about, tuple) else ())
        return show_form(request, found, form, refused, refused.status)
    return redirect_after_change(request, found, waits, notes)


def redirect_after_change(
    request: EventRequest, before: Entrant, waits: Sequence[Proposal], notes: Sequence[ImportFault] = ()
) -> HttpResponse:
    """Back to the entrant's page: recorded, or waiting for a second person, or some of it either way; then what is only
    told of it."""
    if Entrant.objects.get(pk=before.pk).revision != before.revision or not waits:
        messages.success(request, _("Recorded."))
    if waits:
        messages.warning(request, _("Not changed yet: it waits for a second person. It is listed among the proposals."))
    for note in notes:
        messages.info(request, f"{note.what} {note.do}")
    return redirect("entrant", request.event.slug, before.number)


def show_form(
    request: HttpRequest, found: Entrant, form: PersonForm, refusal: Refused | None = None, status: int = 200
) -> HttpResponse:
    """The page of the form, with what was typed."""
    context = {"stage": "registration", "entrant": found, "form": form, "refusal": refusal}
    context |= {"two_people": entrants_played.is_on_any_locked_sheet(found), "waiting": waiting_change(found)}
    return render(request, "registration/change_entrant.html", context, status=status)


def run_entrant_form(request: EventRequest, number: int, form: Any, name: str, act: Callable[..., Any]) -> HttpResponse:
    """One small form of the entrant's page: done and back to the page, or the page with it and why not."""
    found = entrant_or_404(request, number)
    if not form.is_valid():
        return show_entrant(request, found, **{name: form})
    waits: list[Proposal] = []
    try:
        act(found, form.cleaned_data, {"reason": form.cleaned_data["reason"], "by": request.user, "waits": waits})
    except Refused as refused:
        return show_entrant(request, entrant_or_404(request, number), refusal=refused, **{name: form})
    return redirect_after_change(request, found, waits)


@require_POST
@for_act("change_entrant")
def join_family_view(request: EventRequest, number: int) -> HttpResponse:
    """A pair of a child and a parent, by the other one's number."""

    def act(found: Entrant, typed: Any, told: Any) -> None:
        other = entrants_query.entrant_of(request.event, typed["other"])
        if other is None:
            raise BadInput("no_such_entrant", gettext_noop("Nobody has number %(number)s."), number=typed["other"])
        child, parent = (found, other) if typed["role"] == FamilyRole.CHILD else (other, found)
        changes.join_family(child, parent, revision=typed["revision"], about=found, **told)

    return run_entrant_form(request, number, JoinFamilyForm(request.POST), "joining", act)


@require_POST
@for_act("change_entrant")
def part_family_view(request: EventRequest, number: int) -> HttpResponse:
    def act(found: Entrant, typed: Any, told: Any) -> None:
        changes.part_family(found, revision=typed["revision"], **told)

    return run_entrant_form(request, number, LeaveFamilyForm(request.POST, auto_id="part_%s"), "parting", act)


@require_safe
@for_act("export_people")
def entrants_as_csv(request: EventRequest) -> HttpResponse:
    """Everyone who is entered, as a list that the import reads again."""
    people = list(entrants_query.entered_entrants(request.event))
    record_export(request.event, request.user, "entrants.csv", people=len(people))
    return file_download_response(entrants_csv(people), "text/csv; charset=utf-8", "entrants.csv")


@require_safe
@for_act("export_people")
def entrants_as_workbook(request: EventRequest) -> HttpResponse:
    """Everyone who is entered, as a workbook that the import reads again."""
    people = list(entrants_query.entered_entrants(request.event))
    record_export(request.event, request.user, "entrants.xlsx", people=len(people))
    return file_download_response(entrants_xlsx(people, timezone.now()), XLSX_TYPE_OF_IMPORT, "entrants.xlsx")


urlpatterns = [
    path("entrants/entrants.xlsx", entrants_as_workbook, name="entrants_xlsx"),
    path("entrants/entrants.csv", entrants_as_csv, name="entrants_csv"),
    path("entrants/<int:number>/change/", change_entrant, name="change_entrant"),
    path("entrants/<int:number>/family/", join_family_view, name="join_family"),
    path("entrants/<int:number>/part/", part_family_view, name="part_family"),
]
