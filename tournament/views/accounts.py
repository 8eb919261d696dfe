"""Accounts of an event: who may do what, passwords that are shown once, referees' PINs; and one's own password."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.enums import Role
from tournament.errors import Refused
from tournament.form_keys import acted
from tournament.forms.accounts import ROLE_WORDS, AccountForm, OwnPasswordForm, PinForm, RolesForm
from tournament.models import ApiToken
from tournament.permissions import for_act
from tournament.queries import accounts as queries
from tournament.services import accounts as service
from tournament.services import open_sign_ins, sign_in_delays
from tournament.services.roles import has_begun, has_say
from tournament.services.tokens import revoke_token

ACTIONS = {
    "grant_role": gettext_noop("role given"),
    "revoke_role": gettext_noop("role taken"),
    "accept_role": gettext_noop("role accepted by its account"),
    "agree_role": gettext_noop("role agreed to by a third person"),
    "role_by_delay": gettext_noop("role in effect after the delay"),
    "close_account": gettext_noop("account closed"),
    "reopen_account": gettext_noop("opened again"),
    "reset_password": gettext_noop("new initial password"),
    "change_own_password": gettext_noop("own password changed"),
    "set_pin": gettext_noop("PIN set"),
    "lift_sign_in_delay": gettext_noop("wait at signing in lifted"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("manage_accounts")
def accounts(request: HttpRequest) -> HttpResponse:
    """Everyone with a role at the event; a POST adds an account and shows its initial password, this once."""
    form, shown, refused = AccountForm(request.POST or None), None, None
    if request.method == "POST" and form.is_valid():
        try:
            user, password = service.add_account(request.event, **form.cleaned_data, by=request.user)
        except Refused as why:
            refused = why
        else:
            shown, form = (user, password), AccountForm()
    context = {
        "stage": "accounts",
        "accounts": queries.accounts_of(request.event),
        "form": form,
        "shown": shown,
        "has_begun": has_begun(request.event),
        "refusal": refused,
        "roles": [(role.label, ROLE_WORDS[role]) for role in Role],
    }
    status = refused.status if refused else 400 if form.errors else 200
    response = render(request, "accounts/accounts.html", context, status=status)
    return acted(response, reverse("accounts", args=[request.event.slug])) if shown else response


def account_or_404(request: HttpRequest, account: int) -> User:
    """Somebody with a role at this event."""
    found = queries.account_of(request.event, account)
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("manage_accounts")
def account(request: HttpRequest, account: int) -> HttpResponse:
    """One account: its roles, PIN, and what was done to it by whom."""
    return show_account(request, account_or_404(request, account))


def show_account(
    request: HttpRequest, found: User, refused: Refused | None = None, password: str = "", **forms: Any
) -> HttpResponse:
    """The page, with the form that was refused in its place."""
    held = [role.value for role in Role if role in {row.role for row in found.held_here}]
    says = has_say(request.user, found)
    context = {
        "stage": "accounts",
        "account": found,
        "refusal": refused,
        "password": password,
        "roles_form": RolesForm(initial={"roles": held, "seen": ",".join(held)}),
        "pin_form": PinForm(),
        "has_begun": has_begun(request.event),
        "may_have_pin": bool(service.WITH_PIN & set(found.roles_here)),
        "own": found.pk == request.user.pk,
        "waits": sign_in_delays.waits(found),
        "has_say": says,
        "sign_ins": open_sign_ins.signed_in(found) if says else [],
        "tokens": open_sign_ins.tokens_of(found) if says else [],
        "history": [(_(ACTIONS.get(entry.action, entry.action)), role_in(entry.thing), entry) for entry in
                    queries.entries_about(request.event, found.pk)],
        **forms,
    }  # fmt: skip
    status = refused.status if refused else 400 if any(form.errors for form in forms.values()) else 200
    return render(request, "accounts/account.html", context, status=status)


def role_in(thing: str) -> str:
    """`account 5 clerk` names a role."""
    word = thing.split(" ")[-1]
    return str(Role(word).label) if word in Role.values else ""


@require_POST
@for_act("manage_accounts")
def change_roles(request: HttpRequest, account: int) -> HttpResponse:
    """Give and take roles."""
    found = account_or_404(request, account)
    form = RolesForm(request.POST)
    if not form.is_valid():
        return show_account(request, found, roles_form=form)
    try:
        service.change_roles(
            request.event, found, roles=form.cleaned_data["roles"], seen=form.seen_roles(), by=request.user
        )
    except Refused as refused:
        return show_account(request, account_or_404(request, account), refused)
    messages.success(request, _("The roles of %(name)s are saved.") % {"name": found.username})
    return redirect("accounts" if not form.cleaned_data["roles"] else "account", *back(request, found, form))


def back(request: HttpRequest, found: User, form: RolesForm) -> tuple[Any, ...]:
    """The account's page while it has a role here, else the list."""
    return (request.event.slug, found.pk) if form.cleaned_data["roles"] else (request.event.slug,)


def do_and_say(request: HttpRequest, found: User, do: Callable[[], object], said: str) -> HttpResponse:
    """What a button of the account's page does: the page again with what was done, or with why it is refused."""
    try:
        do()
    except Refused as refused:
        return show_account(request, found, refused)
    messages.success(request, said % {"name": found.username})
    return redirect("account", request.event.slug, found.pk)


@require_POST
@for_act("manage_accounts")
def close_account(request: HttpRequest, account: int) -> HttpResponse:
    """Nobody signs in with it any more."""
    found = account_or_404(request, account)
    said = _("%(name)s can no longer sign in.")
    return do_and_say(request, found, lambda: service.close_account(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def reopen_account(request: HttpRequest, account: int) -> HttpResponse:
    """It can sign in again."""
    found = account_or_404(request, account)
    said = _("%(name)s can sign in again.")
    return do_and_say(request, found, lambda: service.reopen_account(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def reset_password(request: HttpRequest, account: int) -> HttpResponse:
    """A new initial password, shown in the answer to this request and never again."""
    found = account_or_404(request, account)
    try:
        password = service.reset_password(found, by=request.user)
    except Refused as refused:
        return show_account(request, found, refused)
    return acted(
        show_account(request, found, password=password), reverse("account", args=[request.event.slug, found.pk])
    )


@require_POST
@for_act("manage_accounts")
def lift_sign_in_delay(request: HttpRequest, account: int) -> HttpResponse:
    """After wrong passwords it may be tried at once."""
    found = account_or_404(request, account)
    said = _("%(name)s may sign in at once.")
    return do_and_say(request, found, lambda: sign_in_delays.lift_delay(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def end_sign_ins(request: HttpRequest, account: int) -> HttpResponse:
    """Whoever is signed in with it is out."""
    found = account_or_404(request, account)
    said = _(
        "%(name)s is signed out everywhere, and its tokens have ended; tablets opened with it ask for a PIN "
        "at their next contact."
    )
    return do_and_say(request, found, lambda: service.end_sign_ins(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def set_pin(request: HttpRequest, account: int) -> HttpResponse:
    """A referee's or chief judge's PIN."""
    found = account_or_404(request, account)
    form = PinForm(request.POST)
    if not form.is_valid():
        return show_account(request, found, pin_form=form)
    pin, said = form.cleaned_data["pin"], _("The PIN of %(name)s is set.")
    return do_and_say(request, found, lambda: service.set_pin(request.event, found, pin=pin, by=request.user), said)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def own_password(request: HttpRequest) -> HttpResponse:
    """One's own password: who was given an initial one makes it theirs, and no organiser knows it any more."""
    form = OwnPasswordForm(request.user, request.POST or None, request=request)
    if request.method == "POST" and form.is_valid():
        sign_in_delays.forget(request.user)
        service.change_own_password(request.user, form.cleaned_data["new_password1"], here=request.session.session_key)
        update_session_auth_hash(request, request.user)
        messages.success(request, _("Your password is changed."))
        return redirect("desk")
    context = {
        "form": form,
        "is_initial": queries.has_initial_password(request.user),
        "sign_ins": open_sign_ins.signed_in(request.user, request.session.session_key),
        "tokens": open_sign_ins.tokens_of(request.user),
    }
    response = render(request, "accounts/own_password.html", context, status=400 if form.errors else 200)
    if form.wait:
        response.status_code, response["Retry-After"] = 429, str(form.wait)
    return response


@require_POST
@login_required
def end_own_sign_ins(request: HttpRequest) -> HttpResponse:
    """One of one's own sessions, by `id`; without it all others, the tokens and the opened tablets."""
    if given := request.POST.get("id"):
        open_sign_ins.end_one(request.user, id=given, by=request.user)
        messages.success(request, _("That browser is signed out."))
    else:
        open_sign_ins.end_all(request.user, by=request.user, but=request.session.session_key)
        said = _(
            "You are signed in here and nowhere else, and your tokens have ended; tablets that you opened ask for a "
            "PIN at their next contact."
        )
        messages.success(request, said)
    return redirect("own_password")


@require_POST
@login_required
def end_own_token(request: HttpRequest, own_token: int) -> HttpResponse:
    """One of one's own tokens; 404 for anybody else's."""
    found = get_object_or_404(ApiToken, pk=own_token, user=request.user)
    revoke_token(found)
    messages.success(request, _("The token has ended."))
    return redirect("own_password")


own_patterns = [
    path("own-password/", own_password, name="own_password"),
    path("own-sign-ins/end/", end_own_sign_ins, name="end_own_sign_ins"),
    path("own-tokens/<int:own_token>/end/", end_own_token, name="end_own_token"),
]
urlpatterns = [
    path("accounts/", accounts, name="accounts"),
    path("accounts/<int:account>/", account, name="account"),
    path("accounts/<int:account>/roles/", change_roles, name="change_roles"),
    path("accounts/<int:account>/close/", close_account, name="close_account"),
    path("accounts/<int:account>/reopen/", reopen_account, name="reopen_account"),
    path("accounts/<int:account>/password/", reset_password, name="reset_password"),
    path("accounts/<int:account>/sign-ins/end/", end_sign_ins, name="end_sign_ins"),
    path("accounts/<int:account>/pin/", set_pin, name="set_pin"),
    path("accounts/<int:account>/sign-in/", lift_sign_in_delay, name="lift_sign_in_delay"),
]
