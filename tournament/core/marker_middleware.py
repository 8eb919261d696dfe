"""The mark of this program's own answers: what lacks it was said by something in between.

A tablet or a page that gets an answer without it (a portal's sign-in, the front's word that the program restarts) keeps
what it has and asks again.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

MARKER_HEADER, MARKER_VALUE = "X-Tournament", "1"


class MarkerMiddleware:
    """The outermost: every answer has it, whichever middleware, view or failure has made it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers[MARKER_HEADER] = MARKER_VALUE
        return response
