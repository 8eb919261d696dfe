"""No line of the log holds a private link (public PUB-3)."""

import logging

import pytest

from tournament.core.log_redaction import RedactSecretsFilter

LINK = "12-7k3fm-00000-11111-22222-33333"


@pytest.mark.parametrize(
    ("message", "args", "said"),
    [
        ("Not Found: %s", (f"/place/{LINK}/",), "Not Found: /place/***/"),
        (f'"GET /place/{LINK}/?answer=accepted HTTP/1.1" 200', (), '"GET /place/***/?answer=accepted HTTP/1.1" 200'),
        ("%s %s", (f"https://hall.example/place/{LINK}", 429), "https://hall.example/place/*** 429"),
        ("Not Found: %s", ("/p/hk-2026/",), "Not Found: /p/hk-2026/"),
    ],
)
def test_a_line_loses_what_opens_a_link_and_nothing_else(message: str, args: tuple[object, ...], said: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, message, args, None)
    assert RedactSecretsFilter().filter(record)
    assert record.getMessage() == said


def test_a_link_that_opens_nothing_leaves_no_secret_in_the_log(client: object, db: None, capsys: object) -> None:
    assert client.get(f"/place/{LINK}/").status_code == 404  # type: ignore[attr-defined]
    said = capsys.readouterr()  # type: ignore[attr-defined]
    assert "7k3fm" not in said.err + said.out
