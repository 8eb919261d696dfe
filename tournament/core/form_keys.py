"""A form of the desk is carried out once for its request key, whichever view it goes to.

Three ways, one of them for every view that acts:
- as it comes: the act and its key in one transaction. Sent again, the form leads to where the first led, nothing done;
- `key_before_act`: for an act that is no transaction (a backup, files swept), its key is kept first;
- `keyed_by_service`: the service itself takes the key; nothing is done here.

A form without a key is carried out as ever: only forms that carry one are told that they are never done twice.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.core.errors import Refused
from tournament.core.services import requests

KeyedView = TypeVar("KeyedView", bound=Callable[..., Any])
ProceedCall = Callable[[], Any]
REQUEST_KEY_FIELD = "request_key"
FIELDS_OUTSIDE_KEY = frozenset({REQUEST_KEY_FIELD, "csrfmiddlewaretoken"})


def keyed_by_service(view: KeyedView) -> KeyedView:
    """The service takes the form's key itself."""
    vars(view)["form_key"] = "service"
    return view


def key_before_act(view: KeyedView) -> KeyedView:
    """The act is no transaction of the database: its key is kept before it begins."""
    vars(view)["form_key"] = "before"
    return view


def mark_acted(response: HttpResponse, then: str) -> HttpResponse:
    """A page that shows what an act has made, this once; sent again, the form leads to `then`."""
    vars(response)["acted_then"] = then
    return response


def mark_not_acted(response: HttpResponse) -> HttpResponse:
    """A redirect that a door or a refusal gave: nothing was done, so the form's key is not used up."""
    vars(response)["turned_away"] = True
    return response


def has_form_key(request: HttpRequest) -> bool:
    """Whether the form that came has a key."""
    return request.method == "POST" and bool(request.POST.get(REQUEST_KEY_FIELD))


def run_form_once(request: HttpRequest, view: Callable[..., Any], proceed: ProceedCall) -> Any:
    """What `proceed` answers, or for a form that was carried out before where that one led."""
    way = getattr(view, "form_key", "with")
    scope = request_key_scope(request)
    if way == "service" or not has_form_key(request) or not scope:
        return proceed()
    key = form_request_key(request)
    return (
        run_act_after_key(request, scope, key, proceed)
        if way == "before"
        else run_act_with_key(request, scope, key, proceed)
    )


def request_key_scope(request: HttpRequest) -> str:
    """Whose keys: the account's, or those of a finalist's private link; nobody else has a form that acts."""
    if request.user.is_authenticated:
        return f"form:{request.user.pk}"
    if request.path.startswith("/place/"):
        return f"form:{hashlib.sha256(request.path.encode()).hexdigest()[:48]}"
    return ""


def form_request_key(request: HttpRequest) -> str:
    """The form's key with what it held: gone back to and changed, a form is another one. Passwords are left out."""
    digest = hashlib.sha256(request.path.encode())
    fields = [(name, text) for name, texts in sorted(request.POST.lists()) for text in texts]
    for name, text in [(REQUEST_KEY_FIELD, request.POST[REQUEST_KEY_FIELD]), *fields]:
        if name not in FIELDS_OUTSIDE_KEY - {REQUEST_KEY_FIELD} and "password" not in name and "pin" not in name:
            digest.update(f"\x00{name}\x00{text}".encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            digest.update(f"\x00{name}\x00{file.name}\x00".encode())
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
    return digest.hexdigest()


def run_act_with_key(request: HttpRequest, scope: str, key: str, proceed: ProceedCall) -> Any:
    """The act and its key, both or neither; what was refused or only shown uses no key up."""
    came: list[Any] = []

    def do() -> Mapping[str, Any] | None:
        try:
            came.append(proceed())
        except Refused as refusal:
            came.append(refusal)
            return None
        return redirect_record(came[0])

    answer, replayed = requests.once_if_done(scope, key, "form", request.path, do)
    if replayed:
        return answer_repeated_form(request, answer["location"])
    if isinstance(came[0], Refused):
        raise came[0]
    return came[0]


def run_act_after_key(request: HttpRequest, scope: str, key: str, proceed: ProceedCall) -> Any:
    """The key first: sent again while the first runs, or after it broke off, the form does nothing."""
    kept = requests.begin_request(scope, key, "form", request.path)
    if kept is not None:
        return answer_repeated_form(request, kept["location"]) if kept else answer_unfinished_form(request)
    try:
        response = proceed()
    except Refused:
        requests.forget_request(scope, key)
        raise
    answer = redirect_record(response)
    if answer is None:
        requests.forget_request(scope, key)
    else:
        requests.finish_request(scope, key, answer)
    return response


def redirect_record(response: Any) -> dict[str, Any] | None:
    """Where an act that was done led; None for a page that was only shown, or a refusal."""
    then = getattr(response, "acted_then", "")
    if then:
        return {"location": then}
    if getattr(response, "turned_away", False):
        return None
    return {"location": address_without_names(response["Location"])} if 300 <= response.status_code < 400 else None


def address_without_names(location: str) -> str:
    """An address as it is kept: of its questions only numbers and the stage, since a search may be somebody's name."""
    parts = urlsplit(location)
    asked = [(name, text) for name, text in parse_qsl(parts.query) if text.isdecimal() or name == "stage"]
    return urlunsplit(parts._replace(query=urlencode(asked)))


def answer_repeated_form(request: HttpRequest, location: str) -> HttpResponse:
    """Where the first led, and that nothing was done now."""
    if request.user.is_authenticated:
        messages.info(
            request,
            _(
                "This form had been carried out already; nothing was done a second time. What is shown once is not "
                "shown again."
            ),
        )
    return redirect(location)


def answer_unfinished_form(request: HttpRequest) -> HttpResponse:
    """Sent while the first still runs, or after it broke off."""
    messages.warning(
        request,
        _(
            "This form was sent before and has not ended, or broke off. Look at what this page shows before you press "
            "again."
        ),
    )
    return redirect(request.path)
