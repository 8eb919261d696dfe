"""Certificates of the final: what there is to print, and the files. To print is an act, and is logged."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.enums import CertificateKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text
from tournament.core.permissions import EventRequest, for_act
from tournament.publication.forms.certificates import CertificatesForm
from tournament.publication.services import certificates as service
from tournament.releases.models import Release
from tournament.releases.queries import current_release

CERTIFICATE_NUMBERS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """One file that can be printed: how many pages, and by number whom they name, the first of them."""

    kind: CertificateKind
    label: str
    pages: int
    named: str


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("print_certificates")
def certificates_page(request: EventRequest) -> HttpResponse:
    """What the current release gives; a POST prints one file."""
    stage = request.stage
    if stage is None or not stage.is_last:
        raise Http404
    if request.method != "POST":
        return render_certificates(request, stage, CertificatesForm())
    form = CertificatesForm(request.POST)
    if not form.is_valid():
        return render_certificates(request, stage, form, status=400)
    kind, number = CertificateKind(form.cleaned_data["kind"]), form.cleaned_data["number"]
    try:
        file = service.print_certificates(stage, kind, by=request.user, number=number)
    except Refused as refused:
        return render_certificates(request, stage, form, refused=str(refused), status=refused.status)
    response = HttpResponse(file, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="certificates-{kind.value}.pdf"'
    return response


def render_certificates(
    request: HttpRequest, stage: Stage, form: CertificatesForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    """The files there are; without a release of the final, when they come."""
    made = current_release(stage)
    context = {
        "stage": "release",
        "made": made,
        "files": [build_certificate_file(made, kind) for kind in CertificateKind] if made else [],
        "form": form,
        "refused": refused,
    }
    return render(request, "publication/certificates.html", context, status=status)


def build_certificate_file(made: Release, kind: CertificateKind) -> CertificateFile:
    """One line of the page."""
    pages = service.certificates_of(made, kind)
    numbers = [entrant_number_text(person.number) for one in pages for person in one.people]
    more = (
        _(" and %(n)s more") % {"n": len(numbers) - CERTIFICATE_NUMBERS_SHOWN}
        if len(numbers) > CERTIFICATE_NUMBERS_SHOWN
        else ""
    )
    everybody = kind == CertificateKind.FINALISTS and made.stage.is_first
    label = _("all who are ranked") if everybody else str(kind.label)
    return CertificateFile(kind, label, len(pages), _(", ").join(numbers[:CERTIFICATE_NUMBERS_SHOWN]) + more)


urlpatterns = [path("<slug:stage>/certificates/", certificates_page, name="certificates")]
