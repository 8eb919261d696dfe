"""A provider's reports: taken with the secret alone, once, in a small form; counted, never guessed at."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.messages.bounced import RETURN, mailed
from tournament.api.services import make_token
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.messages.models import Delivery
from tournament.messages.queries.bounces import bounce_token_of

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X5")]
SECRET = "a-secret-of-the-installation-0123"


@pytest.fixture(autouse=True)
def secret(settings: Any) -> None:
    settings.MAIL_BOUNCES, settings.MAIL_BOUNCES_SECRET = RETURN, SECRET


def send(body: Any, secret: str = SECRET, **headers: str) -> HttpResponse:
    """As a provider's adapter does."""
    given = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "one", **headers}
    return Client().post(reverse("api_bounces"), body, content_type="application/json", headers=given)


def report(mail: str, kind: str = "hard", **more: Any) -> dict[str, Any]:
    return {"bounces": [{"mail": mail, "kind": kind, **more}]}


def test_a_report_is_taken_by_message_id_return_address_or_token_and_twice_it_does_nothing(
    event: Event, organiser: User
) -> None:
    rows = mailed(event, organiser)[1]
    token = bounce_token_of(rows[1])
    body = {
        "bounces": [
            {"mail": rows[0].message_id, "kind": "hard", "status": "5.1.1", "diagnostic": "no such user"},
            {"mail": f"bounces+{token.upper()}@desk.example", "kind": "complaint", "at": "2026-03-28T07:00:00+08:00"},
            {"mail": bounce_token_of(rows[2]), "kind": "soft", "at": None},
            {"mail": "<unheard@of.example>", "kind": "hard"},
        ]
    }
    first, again = send(body), send(body)
    assert (first.status_code, first.json()) == (200, {"recorded": 3, "repeated": 0, "unknown": 1})
    assert again.json() == {"recorded": 0, "repeated": 3, "unknown": 1}
    assert [Delivery.objects.get(pk=row.pk).bounce for row in rows] == ["hard", "complaint", "soft"]
    assert (Delivery.objects.get(pk=rows[0].pk).bounce_words, RequestKey.objects.count()) == ("no such user", 0)


def test_without_the_very_secret_nothing_is_taken(event: Event, organiser: User, settings: Any) -> None:
    row = mailed(event, organiser)[1][0]
    body, account = report(row.message_id), make_token(organiser, name="a program")[1]
    answers = [send(body, one) for one in ("", SECRET[:-1], SECRET.upper(), account, "x" * 400, "é")]
    settings.MAIL_BOUNCES_SECRET = "short"
    answers.append(send(body, "short"))
    settings.MAIL_BOUNCES_SECRET = ""
    answers += [send(body, ""), send(body)]
    found = {(one.status_code, one.json()["code"], one["WWW-Authenticate"]) for one in answers}
    assert found == {(401, "bounce_secret_wrong", "Bearer")}
    signed_in = Client(enforce_csrf_checks=True)
    signed_in.force_login(organiser)
    assert signed_in.post(reverse("api_bounces"), body, content_type="application/json").status_code == 401
    assert Delivery.objects.get(pk=row.pk).bounce == ""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"bounces": "x"}, 400),
        (report("<a@b.example>", "gone"), 400),
        (report("<a@b.example>", event="x"), 400),
        (report("<a@b.example>", status="5.1"), 400),
        (report("<a@b.example>", at="yesterday"), 400),
        (report("x" * 301), 400),
        (report("<a@b.example>", diagnostic="x" * 2001), 400),
        ({"bounces": [{"mail": "<a@b.example>", "kind": "hard"}] * 501}, 400),
        (report("<a@b.example>", diagnostic="x" * 400_000), 413),
        ({"bounces": []}, 200),
        (report("\u202e<a@b.example>"), 200),
        (report("f" * 15 + "-" + "0" * 20), 200),
    ],
)
def test_what_is_no_report_is_refused_whole_and_what_is_about_no_mail_is_counted(body: Any, status: int) -> None:
    assert send(body).status_code == status


def test_a_form_or_a_page_of_another_site_is_refused() -> None:
    headers = {"Authorization": f"Bearer {SECRET}", "Idempotency-Key": "one"}
    answer = Client().post(reverse("api_bounces"), {"bounces": "[]"}, headers=headers)
    assert (answer.status_code, Client().get(reverse("api_bounces")).status_code) == (415, 405)
