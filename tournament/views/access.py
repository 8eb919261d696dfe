"""The doors: signing in and out, and the account's events."""

from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.errors import TooMany
from tournament.exports.public_pages import CHINESE, ENGLISH, address
from tournament.forms.access import SignInForm
from tournament.models import Event
from tournament.queries.access import events_of, offers_to
from tournament.queries.announced import announced_events
from tournament.services import open_sign_ins, roles
from tournament.services.sign_in_delays import remember_browser, seconds_to_wait

EVENTS_LINKED = 3
# Half of a process's threads; whoever waits for one of them does so for half a second.
PASSWORDS, PATIENCE = BoundedSemaphore(4), 0.5
MANY_SIGN_IN = gettext_noop("Many are signing in at this moment. Go back and try again in %(wait)s seconds.")


class SignIn(LoginView):
    """The sign-in page. A signed-in account goes on; with one event alone it lands in that event."""

    template_name = "access/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A password costs a third of a second of the machine: so many are looked at at once and no more."""
        if not PASSWORDS.acquire(timeout=PATIENCE):
            raise TooMany("many_sign_in", MANY_SIGN_IN, 2)
        try:
            return super().post(request, *args, **kwargs)
        finally:
            PASSWORDS.release()

    def form_valid(self, form: SignInForm) -> HttpResponse:
        """In, and this browser is known to the account from now on; the session notes since when it is, and where."""
        response = super().form_valid(form)
        open_sign_ins.begin(self.request)
        secure = settings.HTTPS or self.request.is_secure()
        remember_browser(self.request, response, form.get_user().get_username(), secure=secure)
        return response

    def form_invalid(self, form: SignInForm) -> HttpResponse:
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
        language = ENGLISH if english else CHINESE
        return super().get_context_data(
            public_url=address("", language),
            public_events=[
                (event.name_en if english else event.name_zh, address(f"{event.slug}/", language)) for event in events
            ],
            **given,
        )

    def get_default_redirect_url(self) -> str:
        """The account's only event, else the list of its events."""
        events = events_of(self.request.user)
        alone = len(events) == 1 and not offers_to(self.request.user)
        return reverse("overview", args=[events[0].slug]) if alone else reverse("desk")


@require_safe
@login_required
def desk(request: HttpRequest) -> HttpResponse:
    """The account's events, with its roles at each; who may make events is led there."""
    events = events_of(request.user)
    may_create = request.user.is_staff or any(event.organised for event in events)
    context = {"events": events, "may_create": may_create, "offers": offers_to(request.user)}
    return render(request, "desk/desk.html", context)


@require_POST
@login_required
def answer_offer(request: HttpRequest, event: str) -> HttpResponse:
    """The account's own yes or no to roles that another event gave it; 404 where none waits."""
    accepts = request.POST.get("answer") == "accept"
    roles.answer_offer(get_object_or_404(Event, slug=event), accepts=accepts, by=request.user)
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
    request.only_looks = True
    return JsonResponse({"account": request.user.pk, "token": get_token(request)})


@require_safe
@login_required
def signed_in_beside(request: HttpRequest) -> HttpResponse:
    """Signed in in a tab of its own: the page that asked for it goes on by itself."""
    return render(request, "access/signed_in_beside.html")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The bare address leads to the desk; the public's pages are under /p/."""
    return redirect("desk")


urlpatterns = [
    path("", home, name="home"),
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("own-sign-in/", own_sign_in, name="own_sign_in"),
    path("own-sign-in/beside/", signed_in_beside, name="signed_in_beside"),
    path("desk/", desk, name="desk"),
    path("own-roles/<slug:event>/", answer_offer, name="answer_offer"),
]
