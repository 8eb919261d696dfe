"""Pages for what went wrong: each first says that nothing was lost, then what to do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or too old."""
    return render(request, "failures/csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """It does not exist, or this visitor may not know that it does: the same page for both."""
    return render(request, "failures/not_found.html", status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """A known person, not their act."""
    return render(request, "failures/refused.html", {"refusal": exception}, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Our fault: it is in the log."""
    return render(request, "failures/broken.html", status=500)
