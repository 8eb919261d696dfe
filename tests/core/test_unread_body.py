"""A body that a refusal has not read is read before the answer, so that the front hears the refusal."""

from typing import Any

from django.http import HttpResponse
from django.test import RequestFactory

from tournament.core.unread_body_middleware import UnreadBodyMiddleware


def refused(body: bytes) -> tuple[int, int]:
    """The status, and how much of the body was left when the answer went out."""
    request = RequestFactory().post("/no-such-page/", body, content_type="image/jpeg")
    answer = UnreadBodyMiddleware(lambda _request: HttpResponse(status=404))(request)
    return answer.status_code, len(request.read())


def test_nothing_is_left_of_a_body_that_nobody_has_read() -> None:
    assert refused(b"x" * 300_000) == (404, 0)


def test_no_more_is_read_than_the_largest_body_that_is_taken(settings: Any) -> None:
    settings.MOST_BODY = 131_072
    assert refused(b"x" * 300_000) == (404, 300_000 - 131_072)
