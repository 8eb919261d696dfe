"""One entrant changed by page, and everyone as a file. Thin doors to `services.registration_changes`."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.enums import FamilyRole
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.exports.entrants_file import entrants_csv, entrants_xlsx
from tournament.forms.registration_changes import JoinForm, PersonForm, RevisionForm
from tournament.models import Entrant
from tournament.permissions import for_act
from tournament.queries import entrants as entrants_query
from tournament.services import registration_changes as changes
from tournament.views.importing import XLSX, download
from tournament.views.registration import entrant_or_404, show_entrant


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("change_entrant")
def change_entrant(request: HttpRequest, number: int) -> HttpResponse:
    """Names, date of birth, contact data, consents. Two at once: both values stand side by side, nothing is lost."""
    found = entrant_or_404(request, number)
    if request.method != "POST":
        return show_form(request, found, PersonForm(entrant=found))
    form = PersonForm(request.POST, entrant=found)
    if not form.is_valid():
        return show_form(request, found, form, status=400)
    typed = form.cleaned_data
    try:
        changes.change_person(
            found, revision=typed["revision"], cells=form.cells(), reason=typed["reason"], by=request.user
        )
    except StaleVersion as refused:
        form.beside(entrant_or_404(request, number))
        return show_form(request, found, form, refused, refused.status)
    except Refused as refused:
        form.tell(refused.about or ())
        return show_form(request, found, form, refused, refused.status)
    messages.success(request, _("Recorded."))
    return redirect("entrant", request.event.slug, number)


def show_form(
    request: HttpRequest, found: Entrant, form: PersonForm, refusal: Refused | None = None, status: int = 200
) -> HttpResponse:
    """The page of the form, with what was typed."""
    context = {"stage": "registration", "entrant": found, "form": form, "refusal": refusal}
    return render(request, "registration/change_entrant.html", context, status=status)


def acted(request: HttpRequest, number: int, form: Any, name: str, act: Callable[[Entrant, Any], Any]) -> HttpResponse:
    """One small form of the entrant's page: done and back to the page, or the page with it and why not."""
    found = entrant_or_404(request, number)
    if not form.is_valid():
        return show_entrant(request, found, **{name: form})
    try:
        act(found, form.cleaned_data)
    except Refused as refused:
        return show_entrant(request, entrant_or_404(request, number), refusal=refused, **{name: form})
    messages.success(request, _("Recorded."))
    return redirect("entrant", request.event.slug, number)


@require_POST
@for_act("change_entrant")
def join_family(request: HttpRequest, number: int) -> HttpResponse:
    """A pair of a child and a parent, by the other one's number."""

    def act(found: Entrant, typed: Any) -> None:
        other = entrants_query.entrant_of(request.event, typed["other"])
        if other is None:
            raise BadInput("no_such_entrant", gettext_noop("Nobody has number %(number)s."), number=typed["other"])
        child, parent = (found, other) if typed["role"] == FamilyRole.CHILD else (other, found)
        changes.join_family(child, parent, revision=typed["revision"], about=found, by=request.user)

    return acted(request, number, JoinForm(request.POST), "joining", act)


@require_POST
@for_act("change_entrant")
def part_family(request: HttpRequest, number: int) -> HttpResponse:
    """A pair ended."""

    def act(found: Entrant, typed: Any) -> None:
        changes.part_family(found, revision=typed["revision"], by=request.user)

    return acted(request, number, RevisionForm(request.POST), "parting", act)


@require_safe
@for_act("import_entrants")
def entrants_as_csv(request: HttpRequest) -> HttpResponse:
    """Everyone who is entered, as a list that the import reads again."""
    return download(entrants_csv(entrants_query.entered(request.event)), "text/csv; charset=utf-8", "entrants.csv")


@require_safe
@for_act("import_entrants")
def entrants_as_workbook(request: HttpRequest) -> HttpResponse:
    """Everyone who is entered, as a workbook that the import reads again."""
    return download(entrants_xlsx(entrants_query.entered(request.event), timezone.now()), XLSX, "entrants.xlsx")


urlpatterns = [
    path("entrants/entrants.xlsx", entrants_as_workbook, name="entrants_xlsx"),
    path("entrants/entrants.csv", entrants_as_csv, name="entrants_csv"),
    path("entrants/<int:number>/change/", change_entrant, name="change_entrant"),
    path("entrants/<int:number>/family/", join_family, name="join_family"),
    path("entrants/<int:number>/part/", part_family, name="part_family"),
]
