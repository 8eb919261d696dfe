"""A program that calls the API: every answer is held against the OpenAPI document before a test sees it."""

import itertools
import json
import re
from functools import cache
from typing import Any

import jsonschema
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from tournament.api.schema import openapi_document
from tournament.api.services import make_token

EVENT = "/api/v1/events/hk-2026/"
KEYS = itertools.count(1)


@cache
def described() -> dict[str, Any]:
    return openapi_document("en")


@cache
def operations() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Each address of the document as a pattern, with its methods."""
    return [
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", address) + "$"), methods)
        for address, methods in described()["paths"].items()
    ]


def operation_at(method: str, path: str) -> dict[str, Any] | None:
    """What the document says of this request; None where it does not offer it."""
    for pattern, methods in operations():
        if pattern.match(path):
            return methods.get(method.lower())
    return None


def held_against_the_document(method: str, path: str, response: HttpResponse) -> None:
    """Status, media type and shape of an answer are documented; an unknown address or method is 404 or 405."""
    operation = operation_at(method, path)
    if operation is None:
        assert response.status_code in (401, 404, 405), f"{method} {path}: {response.status_code}"
        return
    documented = operation["responses"].get(str(response.status_code))
    assert documented is not None, f"{method} {path}: {response.status_code} {response.content[:300]!r}"
    [(media_type, content)] = documented["content"].items()
    assert response["Content-Type"] == media_type
    schema = {**content["schema"], "components": described()["components"]}
    jsonschema.Draft202012Validator(schema).validate(json.loads(response.content))


class Caller:
    """One account's program. Keys are new for each change unless one is given."""

    def __init__(self, user: User | None, **token: Any) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers = {"Accept-Language": "en"}
        if user is not None:
            _row, text = make_token(user, name="test", **token)
            self.headers["Authorization"] = f"Bearer {text}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Any request; `body` as JSON, or as it is where it is bytes."""
        address = path if path.startswith("/") else EVENT + path
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        content_type = sent.pop("Content-Type", "application/json")
        response = self.client.generic(method, address, content, content_type=content_type, headers=sent)
        if resolve(address.partition("?")[0]).url_name != "api_unknown":
            held_against_the_document(method, address.partition("?")[0], response)
        return response

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.ask("GET", path, **headers)

    def change(
        self, path: str, body: Any = None, *, method: str = "POST", seen: int | None = None, key: str = ""
    ) -> HttpResponse:
        """Change, with a key of its own and the revision that was seen."""
        headers = {"Idempotency-Key": key or f"test-{next(KEYS)}"}
        if seen is not None:
            headers["If-Match"] = f'"v{seen}"'
        return self.ask(method, path, {} if body is None else body, **headers)


def code(response: HttpResponse) -> tuple[int, str]:
    """Status and stable code of a refusal."""
    return response.status_code, response.json()["code"]
