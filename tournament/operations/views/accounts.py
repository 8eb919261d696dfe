"""Accounts of an event: who may do what, passwords that are shown once, referees' PINs; and one's own password."""

from collections.abc import Callable
from typing import Annotated, Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_stubs_ext import Annotations

from tournament.accounts.forms.accounts import ROLE_DESCRIPTIONS, AccountForm, OwnPasswordForm, PinForm, RolesForm
from tournament.accounts.queries import accounts as queries
from tournament.accounts.queries.accounts import RolesHere
from tournament.accounts.services import accounts as service
from tournament.accounts.services import sign_in_delays
from tournament.accounts.services.roles import are_seats_confirmed, has_say_over_account
from tournament.api.models import ApiToken
from tournament.api.services import revoke_token
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.form_keys import mark_acted
from tournament.core.permissions import EventRequest, SignedInRequest, for_act
from tournament.devices.services import open_sign_ins, pins

ACCOUNT_ACT_WORDS = {
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
def account_list(request: EventRequest) -> HttpResponse:
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
        "has_begun": are_seats_confirmed(request.event),
        "refusal": refused,
        "roles": [(role.label, ROLE_DESCRIPTIONS[role]) for role in Role],
    }
    status = refused.status if refused else 400 if form.errors else 200
    response = render(request, "accounts/accounts.html", context, status=status)
    return mark_acted(response, reverse("accounts", args=[request.event.slug])) if shown else response


def account_or_404(request: EventRequest, account: int) -> Annotated[User, Annotations[RolesHere]]:
    """Somebody with a role at this event."""
    found = queries.account_at_event(request.event, account)
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("manage_accounts")
def account_detail(request: EventRequest, account: int) -> HttpResponse:
    """One account: its roles, PIN, and what was done to it by whom."""
    return show_account(request, account_or_404(request, account))


def show_account(
    request: EventRequest,
    found: Annotated[User, Annotations[RolesHere]],
    refused: Refused | None = None,
    password: str = "",
    **forms: Any,
) -> HttpResponse:
    """The page, with the form that was refused in its place."""
    held = [role.value for role in Role if role in {row.role for row in found.held_here}]
    says = has_say_over_account(request.user, found)
    context = {
        "stage": "accounts",
        "account": found,
        "refusal": refused,
        "password": password,
        "roles_form": RolesForm(initial={"roles": held, "seen": ",".join(held)}),
        "pin_form": PinForm(),
        "has_begun": are_seats_confirmed(request.event),
        "may_have_pin": bool(pins.ROLES_WITH_PIN & set(found.roles_here)),
        "own": found.pk == request.user.pk,
        "waits": sign_in_delays.account_wait_seconds(found),
        "has_say": says,
        "sign_ins": open_sign_ins.signed_in(found) if says else [],
        "tokens": open_sign_ins.valid_tokens_of(found) if says else [],
        "history": [(_(ACCOUNT_ACT_WORDS.get(entry.action, entry.action)), role_in(entry.subject), entry) for entry in
                    queries.audit_entries_about_account(request.event, found.pk)],
        **forms,
    }  # fmt: skip
    status = refused.status if refused else 400 if any(form.errors for form in forms.values()) else 200
    return render(request, "accounts/account.html", context, status=status)


def role_in(subject: str) -> str:
    """`account 5 clerk` names a role."""
    word = subject.split(" ")[-1]
    return str(Role(word).label) if word in Role.values else ""


@require_POST
@for_act("manage_accounts")
def change_roles_view(request: EventRequest, account: int) -> HttpResponse:
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
    return redirect(
        "accounts" if not form.cleaned_data["roles"] else "account", *redirect_after_roles(request, found, form)
    )


def redirect_after_roles(request: EventRequest, found: User, form: RolesForm) -> tuple[Any, ...]:
    """The account's page while it has a role here, else the list."""
    return (request.event.slug, found.pk) if form.cleaned_data["roles"] else (request.event.slug,)


def run_account_act(
    request: EventRequest, found: Annotated[User, Annotations[RolesHere]], do: Callable[[], object], said: str
) -> HttpResponse:
    """What a button of the account's page does: the page again with what was done, or with why it is refused."""
    try:
        do()
    except Refused as refused:
        return show_account(request, found, refused)
    messages.success(request, said % {"name": found.username})
    return redirect("account", request.event.slug, found.pk)


@require_POST
@for_act("manage_accounts")
def close_account_view(request: EventRequest, account: int) -> HttpResponse:
    """Nobody signs in with it any more."""
    found = account_or_404(request, account)
    said = _("%(name)s can no longer sign in.")
    return run_account_act(request, found, lambda: service.close_account(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def reopen_account_view(request: EventRequest, account: int) -> HttpResponse:
    """It can sign in again."""
    found = account_or_404(request, account)
    said = _("%(name)s can sign in again.")
    return run_account_act(request, found, lambda: service.reopen_account(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def reset_password_view(request: EventRequest, account: int) -> HttpResponse:
    """A new initial password, shown in the answer to this request and never again."""
    found = account_or_404(request, account)
    try:
        password = service.reset_password(found, by=request.user)
    except Refused as refused:
        return show_account(request, found, refused)
    return mark_acted(
        show_account(request, found, password=password), reverse("account", args=[request.event.slug, found.pk])
    )


@require_POST
@for_act("manage_accounts")
def lift_sign_in_delay(request: EventRequest, account: int) -> HttpResponse:
    """After wrong passwords it may be tried at once."""
    found = account_or_404(request, account)
    said = _("%(name)s may sign in at once.")
    return run_account_act(request, found, lambda: sign_in_delays.lift_delay(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def end_sign_ins_view(request: EventRequest, account: int) -> HttpResponse:
    """Whoever is signed in with it is out."""
    found = account_or_404(request, account)
    said = _(
        "%(name)s is signed out everywhere, and its tokens have ended; tablets opened with it ask for a PIN "
        "at their next contact."
    )
    return run_account_act(request, found, lambda: service.end_sign_ins(found, by=request.user), said)


@require_POST
@for_act("manage_accounts")
def set_pin_view(request: EventRequest, account: int) -> HttpResponse:
    """A referee's or chief judge's PIN."""
    found = account_or_404(request, account)
    form = PinForm(request.POST)
    if not form.is_valid():
        return show_account(request, found, pin_form=form)
    pin, said = form.cleaned_data["pin"], _("The PIN of %(name)s is set.")
    return run_account_act(request, found, lambda: pins.set_pin(request.event, found, pin=pin, by=request.user), said)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def own_password(request: SignedInRequest) -> HttpResponse:
    """One's own password: who was given an initial one makes it theirs, and no organiser knows it any more."""
    form = OwnPasswordForm(request.user, request.POST or None, request=request)
    if request.method == "POST" and form.is_valid():
        sign_in_delays.forget_sign_in_tries(request.user)
        service.change_own_password(request.user, form.cleaned_data["new_password1"], here=request.session.session_key)
        update_session_auth_hash(request, request.user)
        messages.success(request, _("Your password is changed."))
        return redirect("desk")
    context = {
        "form": form,
        "is_initial": queries.has_initial_password(request.user),
        "sign_ins": open_sign_ins.signed_in(request.user, request.session.session_key),
        "tokens": open_sign_ins.valid_tokens_of(request.user),
    }
    response = render(request, "accounts/own_password.html", context, status=400 if form.errors else 200)
    if form.wait:
        response.status_code, response["Retry-After"] = 429, str(form.wait)
    return response


@require_POST
@login_required
def end_own_sign_ins(request: SignedInRequest) -> HttpResponse:
    """One of one's own sessions, by `id`; without it all others, the tokens and the opened tablets."""
    if given := request.POST.get("id"):
        open_sign_ins.end_sign_in(request.user, id=given, by=request.user)
        messages.success(request, _("That browser is signed out."))
    else:
        open_sign_ins.end_all_sign_ins(request.user, by=request.user, but=request.session.session_key)
        said = _(
            "You are signed in here and nowhere else, and your tokens have ended; tablets that you opened ask for a "
            "PIN at their next contact."
        )
        messages.success(request, said)
    return redirect("own_password")


@require_POST
@login_required
def end_own_token(request: SignedInRequest, own_token: int) -> HttpResponse:
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
    path("accounts/", account_list, name="accounts"),
    path("accounts/<int:account>/", account_detail, name="account"),
    path("accounts/<int:account>/roles/", change_roles_view, name="change_roles"),
    path("accounts/<int:account>/close/", close_account_view, name="close_account"),
    path("accounts/<int:account>/reopen/", reopen_account_view, name="reopen_account"),
    path("accounts/<int:account>/password/", reset_password_view, name="reset_password"),
    path("accounts/<int:account>/sign-ins/end/", end_sign_ins_view, name="end_sign_ins"),
    path("accounts/<int:account>/pin/", set_pin_view, name="set_pin"),
    path("accounts/<int:account>/sign-in/", lift_sign_in_delay, name="lift_sign_in_delay"),
]
