"""The public's door: files made at a release, answered before session, language or database are touched.

A public page never asks the database, never sets a cookie and looks at nothing of the visitor but the path, what the
browser already has, and whether it takes gzip. What is not there as a file does not exist.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PREFIX = "/p/"


class PublicFilesMiddleware:
    """Serves `PUBLIC_ROOT` under `/p/`; the release service alone writes there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
