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

from tournament.adapters.client_address import client_address
from tournament.bridge.invitations import LinkPage, link_page
from tournament.enums import OWN_ANSWERS
from tournament.errors import Refused, TooMany
from tournament.forms.invitations import LinkAnswerForm
from tournament.models import Invitation
from tournament.services import invitations as services


@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, token: str) -> HttpResponse:
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
        response = render(request, "invitations/no_link.html", {"refusal": refusal}, status=refusal.status)
        if isinstance(refusal, TooMany):
            response["Retry-After"] = str(refusal.wait)
        return response
    speak(request, invitation)
    if request.method == "POST":
        return answer(request, invitation)
    place = link_page(invitation, timezone.now())
    asked = request.GET.get("answer", "")
    asking = asked if place.open and asked in dict(OWN_ANSWERS) and asked != place.state else ""
    return page(request, invitation, place, asking=asking)


def answer(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Record it, then show how the place stands; a refusal is said above what stands now."""
    form, refused, status = LinkAnswerForm(request.POST), _("Choose one of the two answers."), 400
    if form.is_valid():
        try:
            services.answer_by_link(invitation, **form.cleaned_data)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(request.path)
    return page(request, invitation, link_page(invitation, timezone.now()), refused=refused, status=status)


def page(
    request: HttpRequest,
    invitation: Invitation,
    place: LinkPage,
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
    return render(request, "invitations/place.html", context, status=status)


def speak(request: HttpRequest, invitation: Invitation) -> None:
    """The holder's own language, until one is chosen on the page."""
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        translation.activate(invitation.entrant.person.language)
        request.LANGUAGE_CODE = translation.get_language()


urlpatterns = [path("<str:token>/", place, name="place")]
