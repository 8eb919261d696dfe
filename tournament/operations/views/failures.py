"""Pages for what went wrong: each first says that nothing was lost, then what to do."""

import logging
import secrets
import sys
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.middleware.csrf import REASON_BAD_ORIGIN, get_token
from django.shortcuts import render
from django.template.loader import render_to_string

from tournament.api.errors import problem_response
from tournament.core import storage
from tournament.core.form_keys import has_form_key

logger = logging.getLogger(__name__)

FIELDS_NOT_REPEATED = ("csrfmiddlewaretoken", "password")


def is_same_site_form(request: HttpRequest) -> bool:
    """Whether the browser says that the form stood on a page of ours."""
    return urlsplit(request.headers.get("Origin", "")).netloc == request.get_host()


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """What the form held, to be sent again; never a password."""
    return [(name, text) for name, texts in request.POST.lists() if name not in FIELDS_NOT_REPEATED for text in texts]


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or too old: what was typed can be sent again, if it came from a page of ours."""
    ours = is_same_site_form(request) and not reason.startswith(REASON_BAD_ORIGIN.split("%")[0])
    fields = typed_fields(request) if ours and request.user.is_authenticated else []
    return render(request, "operations/failures/csrf.html", {"fields": fields}, status=403)


def not_found_page(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """It does not exist, or this visitor may not know that it does: the same page for both."""
    return render(request, "operations/failures/not_found.html", status=404)


def forbidden_page(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A known person, not their act."""
    return render(request, "operations/failures/refused.html", {"refusal": exception}, status=403)


def server_error_page(request: HttpRequest) -> HttpResponse:
    """Our fault. The page asks neither database nor session; its number is in the log beside the traceback.

    What was typed is on it. "Never done twice" it says only of a form that came with its key. A full disk is nobody's
    fault here and says so, wherever it was met: 503, to be sent again.
    """
    if full := storage.storage_refusal_of(sys.exc_info()[1]):
        return storage_full_response(request, full)
    drawn = secrets.token_hex(3).upper()
    number = f"{drawn[:4]}-{drawn[4:]}"
    logger.error("incident %s at %s", number, request.path)
    shown = {"number": number, "acts": request.method not in ("GET", "HEAD"), **resubmit_context(request)}
    return HttpResponse(render_to_string("operations/failures/broken.html", shown), status=500)


def resubmit_context(request: HttpRequest) -> dict[str, Any]:
    """What the button of the page sends: the form as it came, where it had a key; nothing where it cannot be read."""
    try:
        if not has_form_key(request):
            return {}
        fields, files = typed_fields(request), bool(request.FILES)
    except (OSError, ValueError, MultiPartParserError, SuspiciousOperation):
        return {}
    return {"csrf_token": get_token(request), "fields": fields, "files": files, "action": request.get_full_path()}


def storage_full_response(request: HttpRequest, refusal: storage.StorageFull) -> HttpResponse:
    """The disk is full: as the API's one shape, or as a page that needs nothing of the database and keeps what was
    typed."""
    if request.path.startswith("/api/"):
        return problem_response(refusal)
    page = render_to_string("operations/failures/broken.html", {"refusal": refusal, **resubmit_context(request)})
    return HttpResponse(page, status=refusal.status, headers={"Retry-After": str(refusal.wait)})
