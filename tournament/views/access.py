"""The doors: signing in and out, and the account's events."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from tournament.forms.access import SignInForm
from tournament.queries.access import events_of


class SignIn(LoginView):
    """The sign-in page. A signed-in account goes on; with one event alone it lands in that event."""

    template_name = "access/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        """The account's only event, else the list of its events."""
        events = events_of(self.request.user)
        return reverse("overview", args=[events[0].slug]) if len(events) == 1 else reverse("desk")


@require_safe
@login_required
def desk(request: HttpRequest) -> HttpResponse:
    """The account's events, with its roles at each; who may make events is led there."""
    events = events_of(request.user)
    may_create = request.user.is_staff or any(event.organised for event in events)
    return render(request, "desk/desk.html", {"events": events, "may_create": may_create})


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The bare address leads to the desk; the public's pages are under /p/."""
    return redirect("desk")


urlpatterns = [
    path("", home, name="home"),
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("desk/", desk, name="desk"),
]
