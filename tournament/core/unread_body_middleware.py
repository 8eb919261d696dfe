"""What a refusal left unread of a request's body is read and thrown away before the answer goes out.

A server that closes with something unread resets the connection. The front, which is then still sending the body, takes
that for a program that is away and says so, in place of the refusal.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

UNREAD_CHUNK = 65536


class UnreadBodyMiddleware:
    """Outside of everything that may answer without having read; no more than the largest body that is taken."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        read_to_end(request)
        return response


def read_to_end(request: HttpRequest) -> None:
    left: int = settings.MOST_BODY
    try:
        while left > 0 and (chunk := request.read(UNREAD_CHUNK)):
            left -= len(chunk)
    except OSError:  # whoever sent it has gone
        return
