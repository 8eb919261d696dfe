"""Certificates of the final: what there is to print, and the files. To print is an act, and is logged."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.enums import CertificateKind, StageKind
from tournament.errors import Refused
from tournament.forms.release_certificates import CertificatesForm
from tournament.models import Release, Stage
from tournament.permissions import for_act
from tournament.quantities import entrant_number_text
from tournament.queries.release import current_release
from tournament.services import release_certificates as service

NAMED_SHOWN = 6


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """One file that can be printed: how many pages, and by number whom they name, the first of them."""

    kind: CertificateKind
    pages: int
    named: str

    @property
    def label(self) -> str:
        """Podium."""
        return str(self.kind.label)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("print_certificates")
def certificates(request: HttpRequest) -> HttpResponse:
    """What the current release gives; a POST prints one file."""
    stage = get_object_or_404(request.event.stages.select_related("event"), kind=StageKind.FINAL)
    if request.method != "POST":
        return page(request, stage, CertificatesForm())
    form = CertificatesForm(request.POST)
    if not form.is_valid():
        return page(request, stage, form, status=400)
    kind, number = CertificateKind(form.cleaned_data["kind"]), form.cleaned_data["number"]
    try:
        file = service.print_certificates(stage, kind, by=request.user, number=number)
    except Refused as refused:
        return page(request, stage, form, refused=str(refused), status=refused.status)
    response = HttpResponse(file, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="certificates-{kind.value}.pdf"'
    return response


def page(
    request: HttpRequest, stage: Stage, form: CertificatesForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    """The files there are; without a release of the final, when they come."""
    made = current_release(stage)
    context = {
        "stage": "release",
        "made": made,
        "files": [file_of(made, kind) for kind in CertificateKind] if made else [],
        "form": form,
        "refused": refused,
    }
    return render(request, "release/certificates.html", context, status=status)


def file_of(made: Release, kind: CertificateKind) -> CertificateFile:
    """One line of the page."""
    pages = service.certificates_of(made, kind)
    numbers = [entrant_number_text(person.number) for one in pages for person in one.people]
    more = _(" and %(n)s more") % {"n": len(numbers) - NAMED_SHOWN} if len(numbers) > NAMED_SHOWN else ""
    return CertificateFile(kind, len(pages), _(", ").join(numbers[:NAMED_SHOWN]) + more)


urlpatterns = [path("final/certificates/", certificates, name="certificates")]
