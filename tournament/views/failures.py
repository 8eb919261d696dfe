"""Pages for what went wrong: each first says that nothing was lost, then what to do."""

import logging
import secrets
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_BAD_ORIGIN
from django.shortcuts import render
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)

NOT_KEPT = ("csrfmiddlewaretoken", "password")


def from_this_page(request: HttpRequest) -> bool:
    """Whether the browser says that the form stood on a page of ours."""
    return urlsplit(request.headers.get("Origin", "")).netloc == request.get_host()


def typed_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """What the form held, to be sent again; never a password."""
    return [(name, text) for name, texts in request.POST.lists() if name not in NOT_KEPT for text in texts]


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or too old: what was typed can be sent again, if it came from a page of ours."""
    ours = from_this_page(request) and not reason.startswith(REASON_BAD_ORIGIN.split("%")[0])
    fields = typed_fields(request) if ours and request.user.is_authenticated else []
    return render(request, "failures/csrf.html", {"fields": fields}, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """It does not exist, or this visitor may not know that it does: the same page for both."""
    return render(request, "failures/not_found.html", status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A known person, not their act."""
    return render(request, "failures/refused.html", {"refusal": exception}, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Our fault. The page asks neither database nor session; its number is in the log beside the traceback."""
    drawn = secrets.token_hex(3).upper()
    number = f"{drawn[:4]}-{drawn[4:]}"
    logger.error("incident %s at %s", number, request.path)
    return HttpResponse(render_to_string("failures/broken.html", {"number": number}), status=500)
