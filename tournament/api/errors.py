"""One shape for every refusal: problem+json (RFC 9457) with a stable `code` and the pages' sentence."""

import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from django.db import OperationalError
from django.http import Http404, JsonResponse
from django.utils.translation import gettext_noop as _
from rest_framework import exceptions
from rest_framework.response import Response

from tournament.audit import triggers
from tournament.core import storage
from tournament.core.errors import BadInput, Forbidden, ProblemMembers, Refused, TooManyRequests, WrongType

Found = TypeVar("Found")
logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
PROBLEM_TEXT_MAX_LENGTH = 200
RETRY_AFTER_SECONDS = "2"


class NotSignedIn(Refused):
    """Nobody knows who asks (401)."""

    status = 401


class NotFound(Refused):
    """Not there, or not to be known by this account: the same for both (404)."""

    status = 404


class MethodNotOffered(Refused):
    """The address is there, this method is not (405)."""

    status = 405


class PreconditionMissing(Refused):
    """A change without the version that its author has seen (428)."""

    status = 428


class DatabaseBusy(Refused):
    """The database does not answer in time (503): the same request with the same key may be sent again."""

    status = 503


class ProblemError(Exception):
    """A refusal with what its reader needs to go on: what stands now, how it differs, what blocks."""

    def __init__(self, refusal: Refused, **members: Any) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.members = members


def not_found_error() -> NotFound:
    return NotFound("not_found", _("There is no such thing here, or none that your account may know of."))


def found_or_404(found: Found | None) -> Found:
    """What was looked for, if it is there."""
    if found is None:
        raise not_found_error()
    return found


def not_signed_in() -> NotSignedIn:
    """The one 401 without a token."""
    return NotSignedIn(
        "not_signed_in", _("Send a token as Authorization: Bearer. The command manage.py token makes one.")
    )


DJANGO_ERROR_REFUSALS: Mapping[type[Exception], Refused] = {
    Http404: not_found_error(),
    exceptions.NotFound: not_found_error(),
    exceptions.NotAuthenticated: not_signed_in(),
    exceptions.AuthenticationFailed: not_signed_in(),
    exceptions.PermissionDenied: Forbidden(
        "not_your_role", _("Your account has no right to do this at this event. Ask an organiser.")
    ),
    exceptions.MethodNotAllowed: MethodNotOffered("method_not_allowed", _("This address does not take this method.")),
    exceptions.UnsupportedMediaType: WrongType("wrong_type", _("Send JSON, with Content-Type: application/json.")),
    OperationalError: DatabaseBusy("busy", _("The database is busy. Send the same request again, with the same key.")),
}
REQUEST_FIELDS_INVALID = _("The fields of the request are not what they must be: %(count)s faults.")


def problem_response(refusal: Refused, members: Mapping[str, Any] | None = None) -> JsonResponse:
    """A refusal outside of any view."""
    body = problem_members(refusal, members or {})
    return JsonResponse(body, status=refusal.status, content_type=MEDIA_TYPE, headers=headers_of(refusal))


def answer_to(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to whatever a view raised; None where it is our own fault."""
    members: Mapping[str, Any] = {}
    if isinstance(exception, ProblemError):
        refusal, members = exception.refusal, exception.members
    elif isinstance(exception, Refused):
        refusal = exception
    elif isinstance(exception, exceptions.ValidationError):
        faults = list(faults_in(exception.detail))
        refusal = BadInput("fields_not_valid", REQUEST_FIELDS_INVALID, count=len(faults))
        members = {"faults": faults}
    else:
        known = (refusal for kind, refusal in DJANGO_ERROR_REFUSALS.items() if isinstance(exception, kind))
        found = storage.storage_refusal_of(exception) or next(known, None) or triggers.trigger_refusal_of(exception)
        if found is None:
            return None
        if isinstance(found, DatabaseBusy):
            logger.warning("the database was busy: %s", exception)
        refusal = found
    return Response(
        problem_members(refusal, members), status=refusal.status, content_type=MEDIA_TYPE, headers=headers_of(refusal)
    )


def problem_members(refusal: Refused, members: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a problem, in the language of the moment."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(refusal.status).phrase,
        "status": refusal.status,
        "detail": str(refusal),
        "code": refusal.code,
        **(refusal.about.members() if isinstance(refusal.about, ProblemMembers) else {}),
        **members,
    }


def headers_of(refusal: Refused) -> dict[str, str]:
    """What the status asks to be said beside it."""
    if isinstance(refusal, NotSignedIn):
        return {"WWW-Authenticate": "Bearer"}
    if isinstance(refusal, TooManyRequests | storage.StorageFull):
        return {"Retry-After": str(refusal.wait)}
    return {"Retry-After": RETRY_AFTER_SECONDS} if refusal.status == DatabaseBusy.status else {}


def faults_in(detail: Any, where: str = "") -> Iterator[dict[str, str]]:
    """Every fault of a request: its place (`typed.games[0].seats.A.win`), a code and a sentence."""
    if isinstance(detail, Mapping):
        for name, part in detail.items():
            if isinstance(name, int):
                inner = f"{where}[{name}]"
            else:
                inner = where if name == "non_field_errors" else f"{where}.{name}" if where else str(name)
            yield from faults_in(part, inner)
    elif isinstance(detail, list) and any(isinstance(part, Mapping | list) for part in detail):
        for index, part in enumerate(detail):
            yield from faults_in(part, f"{where}[{index}]")
    elif isinstance(detail, list):
        for part in detail:
            yield {"where": where[:PROBLEM_TEXT_MAX_LENGTH], "code": str(part.code), "sentence": str(part)}


def unknown_address(request: Any, **path: Any) -> JsonResponse:
    """Whatever no address of the API is: the same 404, never a redirect to another spelling."""
    return problem_response(not_found_error())
