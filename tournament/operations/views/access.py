"""The doors: signing in and out, and the account's events."""

from threading import BoundedSemaphore
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.forms.access import SignInForm
from tournament.accounts.queries.access import events_with_roles_of, role_offers_to
from tournament.accounts.services import roles
from tournament.accounts.services.sign_in_delays import remember_browser, seconds_to_wait
from tournament.core.errors import TooManyRequests
from tournament.core.models.event import Event
from tournament.core.permissions import SignedInRequest
from tournament.devices.services import open_sign_ins
from tournament.publication.exports.public_pages import CHINESE_CODE, ENGLISH_CODE, page_address
from tournament.publication.queries.announced import announced_events

EVENTS_LINKED = 3
# Half of a process's threads; whoever waits for one of them does so for half a second.
PASSWORD_CHECK_SLOTS, PASSWORD_CHECK_WAIT_SECONDS = BoundedSemaphore(4), 0.5
MANY_SIGN_IN = gettext_noop("Many are signing in at this moment. Go back and try again in %(wait)s seconds.")


class SignIn(LoginView):
    """The sign-in page. A signed-in account goes on; with one event alone it lands in that event."""

    template_name = "operations/access/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A password costs a third of a second of the machine: so many are looked at at once and no more."""
        if not PASSWORD_CHECK_SLOTS.acquire(timeout=PASSWORD_CHECK_WAIT_SECONDS):
            raise TooManyRequests("many_sign_in", MANY_SIGN_IN, 2)
        try:
            return super().post(request, *args, **kwargs)
        finally:
            PASSWORD_CHECK_SLOTS.release()

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """In, and this browser is known to the account from now on; the session notes since when it is, and where."""
        response = super().form_valid(form)
        open_sign_ins.note_sign_in(self.request)
        secure = settings.HTTPS or self.request.is_secure()
        remember_browser(self.request, response, form.get_user().get_username(), secure=secure)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with what was wrong; 429 where the password was not looked at. The user name is kept."""
        refused = getattr(self.request, "sign_in_wait", 0)
        wait = refused or seconds_to_wait(self.request, form.data.get("username", "")) if form.non_field_errors() else 0
        response = self.render_to_response(
            self.get_context_data(form=form, wait=wait, refused=refused), status=429 if refused else 200
        )
        if refused:
            response["Retry-After"] = str(refused)
        return response

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        """Also the way for a parent who came to the bare address."""
        events = reversed(announced_events().order_by("-results_at", "-pk")[:EVENTS_LINKED])
        english = (get_language() or "").startswith("en")
        language = ENGLISH_CODE if english else CHINESE_CODE
        return super().get_context_data(
            public_url=page_address("", language),
            public_events=[
                (event.name_en if english else event.name_zh, page_address(f"{event.slug}/", language))
                for event in events
            ],
            **given,
        )

    def get_default_redirect_url(self) -> str:
        """The account's only event, else the list of its events."""
        user = cast(User, self.request.user)
        events = events_with_roles_of(user)
        alone = len(events) == 1 and not role_offers_to(user)
        return reverse("overview", args=[events[0].slug]) if alone else reverse("desk")


@require_safe
@login_required
def desk_page(request: SignedInRequest) -> HttpResponse:
    """The account's events, with its roles at each; who may make events is led there."""
    events = events_with_roles_of(request.user)
    may_create = request.user.is_staff or any(event.organised for event in events)
    context = {"events": events, "may_create": may_create, "offers": role_offers_to(request.user)}
    return render(request, "desk/desk.html", context)


@require_POST
@login_required
def answer_role_offer_view(request: SignedInRequest, event: str) -> HttpResponse:
    """The account's own yes or no to roles that another event gave it; 404 where none waits."""
    accepts = request.POST.get("answer") == "accept"
    roles.answer_role_offer(get_object_or_404(Event, slug=event), accepts=accepts, by=request.user)
    said = (
        _("You accepted. A role that waits for a third person too is in effect once they agree, or its delay is over.")
        if accepts
        else _("You declined. The event has no say over your account.")
    )
    messages.success(request, said)
    return redirect("desk")


@require_safe
def own_sign_in(request: HttpRequest) -> HttpResponse:
    """Who is signed in in this browser, for a page that is open for long, with the token for its forms.

    Being asked is no sign of life: a page that is left open does not keep its session alive.
    """
    vars(request)["only_looks"] = True
    return JsonResponse({"account": request.user.pk, "token": get_token(request)})


@require_safe
@login_required
def signed_in_in_other_tab(request: HttpRequest) -> HttpResponse:
    """Signed in in a tab of its own: the page that asked for it goes on by itself."""
    return render(request, "operations/access/signed_in_beside.html")


@require_safe
def home_redirect(request: HttpRequest) -> HttpResponse:
    """The bare address leads to the desk; the public's pages are under /p/."""
    return redirect("desk")


urlpatterns = [
    path("", home_redirect, name="home"),
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("own-sign-in/", own_sign_in, name="own_sign_in"),
    path("own-sign-in/beside/", signed_in_in_other_tab, name="signed_in_beside"),
    path("desk/", desk_page, name="desk"),
    path("own-roles/<slug:event>/", answer_role_offer_view, name="answer_offer"),
]
