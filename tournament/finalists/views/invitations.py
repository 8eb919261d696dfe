"""A private link as its holder opens it: without an account, in either language, answered in two steps.

First a page says what the answer means (GET with the answer chosen), then it is sent (POST); both work without script.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.adapters.client_address import client_address
from tournament.core.enums import ANSWERS_OF_FINALISTS
from tournament.core.errors import Refused, TooManyRequests
from tournament.entrants.models.final import Invitation
from tournament.finalists.domain.invitations import InvitationPage, invitation_page
from tournament.finalists.forms.invitations import LinkAnswerForm
from tournament.finalists.services import invitations as services


@require_http_methods(["GET", "HEAD", "POST"])
def place_link_view(request: HttpRequest, token: str) -> HttpResponse:
    """The page, whose address is the secret: of it no request that the page makes tells more than the host.

    `no-referrer` would keep the host too, which CSRF over https asks for.
    """
    response = place_page(request, token)
    response["Referrer-Policy"] = "strict-origin"
    return response


def place_page(request: HttpRequest, token: str) -> HttpResponse:
    """The place that this link is about; a link that opens nothing says why and what to do."""
    try:
        invitation = services.find_link(token, source=client_address(request))
    except Refused as refusal:
        response = render(request, "finalists/invitations/no_link.html", {"refusal": refusal}, status=refusal.status)
        if isinstance(refusal, TooManyRequests):
            response["Retry-After"] = str(refusal.wait)
        return response
    activate_holder_language(request, invitation)
    if request.method == "POST":
        return handle_place_answer(request, invitation)
    place = invitation_page(invitation, timezone.now())
    asked = request.GET.get("answer", "")
    asking = asked if place.open and asked in dict(ANSWERS_OF_FINALISTS) and asked != place.state else ""
    return render_place_link(request, invitation, place, asking=asking)


def handle_place_answer(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Record it, then show how the place stands; a refusal is said above what stands now."""
    form, refused, status = LinkAnswerForm(request.POST), _("Choose one of the two answers."), 400
    if form.is_valid():
        try:
            services.answer_by_link(invitation, **form.cleaned_data)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(request.path)
    return render_place_link(
        request, invitation, invitation_page(invitation, timezone.now()), refused=refused, status=status
    )


def render_place_link(
    request: HttpRequest,
    invitation: Invitation,
    place: InvitationPage,
    *,
    asking: str = "",
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Names and number, no birth date, phone or e-mail: whoever holds the link sees this."""
    context = {
        "event": invitation.stage.event,
        "entrant": invitation.entrant,
        "person": invitation.entrant.person,
        "place": place,
        "until": invitation.stage.answers_until,
        "asking": asking,
        "refused": refused,
    }
    return render(request, "finalists/invitations/place.html", context, status=status)


def activate_holder_language(request: HttpRequest, invitation: Invitation) -> None:
    """The holder's own language, until one is chosen on the page."""
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        translation.activate(invitation.entrant.person.language)
        request.LANGUAGE_CODE = translation.get_language()


urlpatterns = [path("<str:token>/", place_link_view, name="place")]
