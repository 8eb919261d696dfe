"""What holds for every page that looks at a user: never kept by a cache, and refusals shown as a page."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from tournament import guards
from tournament.api.errors import problem
from tournament.errors import Refused, Unavailable

READING = frozenset({"GET", "HEAD", "OPTIONS"})
# Signing in and out and the language are nobody's results.
PROGRAMS = "/api/"
GUARDED = ("/desk/", "/place/", PROGRAMS)


class StaffMiddleware:
    """`Cache-Control: no-store` on all that Django answers; the public's files never come this far."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = self.without_guards(request)
        response = self.refused(request, refusal) if refusal else self.get_response(request)
        add_never_cache_headers(response)
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    def without_guards(self, request: HttpRequest) -> Unavailable | None:
        """Nothing is written while the database's own guards are missing; asked once a process, not once a request."""
        if request.method in READING or not request.path.startswith(GUARDED):
            return None
        try:
            guards.require_standing()
        except Unavailable as missing:
            return missing
        return None

    def refused(self, request: HttpRequest, refusal: Refused) -> HttpResponse:
        """A refusal as a page, or as the API's one shape."""
        if request.path.startswith(PROGRAMS):
            return problem(refusal)
        return render(request, "failures/refused.html", {"refusal": refusal}, status=refusal.status)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A refusal that no view has caught becomes a page with its sentence and status; so does a guard's."""
        refusal = exception if isinstance(exception, Refused) else guards.refusal_of(exception)
        return self.refused(request, refusal) if refusal else None
