"""Every answer of the program has its mark, so that a page knows what something in between has said."""

from typing import Any

import pytest
from django.test import Client

from tournament.core.marker_middleware import MARKER_HEADER, MARKER_VALUE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/sign-in/", 200),
        ("/desk/", 302),
        ("/no-such-page/", 404),
        ("/p/", 404),
        ("/p/no-such/", 404),
        ("/api/v1/nothing/", 404),
        ("/tablet/worker.js", 200),
        ("/timer/", 200),
        ("/timer/worker.js", 200),
    ],
)
def test_each_answer_has_the_mark(path: str, status: int) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer.headers[MARKER_HEADER]) == (status, MARKER_VALUE)


def test_a_fault_of_ours_has_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("our own fault")

    monkeypatch.setattr("django.contrib.auth.views.LoginView.get", broken)
    answer = Client(raise_request_exception=False).get("/sign-in/")
    assert (answer.status_code, answer.headers[MARKER_HEADER]) == (500, MARKER_VALUE)


def test_a_form_without_its_token_has_it_too() -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "somebody"})
    assert (answer.status_code, answer.headers[MARKER_HEADER]) == (403, MARKER_VALUE)
