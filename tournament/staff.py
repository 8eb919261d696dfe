"""What holds for every page that looks at a user: never kept by a cache, and refusals shown as a page."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from tournament.errors import Refused


class StaffMiddleware:
    """`Cache-Control: no-store` on all that Django answers; the public's files never come this far."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        add_never_cache_headers(response)
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A refusal that no view has caught becomes a page with its sentence and status."""
        if not isinstance(exception, Refused):
            return None
        return render(request, "failures/refused.html", {"refusal": exception}, status=exception.status)
