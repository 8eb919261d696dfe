"""The OpenAPI document: whole, valid, and nothing said twice."""

import gzip
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.checks import schema_check
from drf_spectacular.validation import validate_schema

from tests.api.caller import described
from tournament.api.schema import READ_STATUS_CODES, WRITE_STATUS_CODES, openapi_document
from tournament.api.viewsets import ApiViewSet
from tournament.core.acts.rights import RIGHTS

LANGUAGES = ("en", "zh-hant")


def offered() -> dict[str, type[ApiViewSet]]:
    """Every method of every address of the API: the name of what is done, and the viewset that does it."""

    def walk(patterns: list[URLPattern | URLResolver]) -> dict[str, type[ApiViewSet]]:
        found: dict[str, type[ApiViewSet]] = {}
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                found |= walk(pattern.url_patterns)
            elif issubclass(getattr(pattern.callback, "cls", object), ApiViewSet):
                actions = pattern.callback.actions.items()
                found |= {name: pattern.callback.cls for method, name in actions if method in ("get", "post", "put")}
        return found

    return walk(get_resolver().url_patterns)


def refusals_of_its_own(operation_id: str) -> set[str]:
    """What the address of an operation refuses with beside what every address does."""
    return {str(status) for status in offered()[operation_id].refuses}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Address, method, what the document says."""
    return [
        (address, method, operation)
        for address, methods in described()["paths"].items()
        for method, operation in methods.items()
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_is_valid_openapi(language: str) -> None:
    validate_schema(openapi_document(language))


def test_no_two_shapes_in_it_have_one_name() -> None:
    assert schema_check(None) == []


def test_every_method_of_every_address_is_in_it_once_under_its_own_name() -> None:
    names = [operation["operationId"] for _address, _method, operation in operations()]
    assert set(names) == set(offered())
    assert len(names) == len(set(names))


def test_every_status_that_can_come_back_is_documented() -> None:
    for _address, method, operation in operations():
        refusals = set(operation["responses"]) - {"200", "201", "202"}
        expected = {str(status) for status in (READ_STATUS_CODES if method == "get" else WRITE_STATUS_CODES)}
        versioned = any(one["name"] == "If-Match" for one in operation.get("parameters", []))
        own = refusals_of_its_own(operation["operationId"])
        assert refusals == expected | own | ({"428"} if versioned else set())
        assert all(one["description"] for one in operation["responses"].values())


def test_every_change_names_its_key_and_the_roles_whose_right_it_is() -> None:
    for _address, method, operation in operations():
        keys = [one["required"] for one in operation.get("parameters", []) if one["name"] == "Idempotency-Key"]
        assert keys == ([] if method == "get" else [True])
        if operation["security"] == [{"bearer": []}] and operation["operationId"] != "list_events":
            assert set(operation["x-roles"]) in [{str(role) for role in roles} for roles in RIGHTS.values()]


def test_every_body_refuses_what_it_does_not_know() -> None:
    schemas = described()["components"]["schemas"]
    taken = {name for name in schemas if name.endswith(("Request", "Typed", "Given", "Nothing"))}
    assert {name for name in taken if schemas[name].get("additionalProperties") is not False} == set()
    assert len(taken) > 10


def test_no_number_in_it_is_a_float() -> None:
    assert '"number"' not in [part for part in json.dumps(described()).split() if part.startswith('"type"')]
    assert '"type": "number"' not in json.dumps(described())


def test_it_is_there_for_everybody_in_the_visitor_s_language(db: None) -> None:
    english = Client().get("/api/schema/", headers={"Accept-Language": "en"})
    chinese = Client().get("/api/schema/", headers={"Accept-Language": "zh-HK"})
    assert (english.status_code, chinese.status_code) == (200, 200)
    assert english["Content-Type"] == "application/vnd.oai.openapi+json"
    assert json.loads(english.content) == openapi_document("en")
    summaries = {
        operation["operationId"]: operation["summary"]
        for methods in json.loads(chinese.content)["paths"].values()
        for operation in methods.values()
    }
    assert summaries["get_standings"] == "即時排名"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_every_operation_and_shape_and_needs_no_script(db: None, language: str) -> None:
    page = Client().get("/api/docs/", headers={"Accept-Language": language})
    # Nobody has stages here: no bar of empty links.
    assert b'class="nav"' not in page.content
    text = page.content.decode()
    names = {operation["operationId"] for _address, _method, operation in operations()}
    shapes = described()["components"]["schemas"]
    assert page.status_code == 200
    assert {name for name in names if f'id="{name}"' not in text} == set()
    assert {name for name in shapes if f'id="shape-{name}"' not in text} == set()
    assert "<script>" not in text and "style=" not in text and "http://" not in text and "https://" not in text


@pytest.mark.fault("X20")
def test_the_document_is_sent_compressed_and_the_page_where_nobody_is_signed_in(clerk: User) -> None:
    asks = {"Accept-Encoding": "gzip"}
    plain, packed = Client().get("/api/schema/"), Client().get("/api/schema/", headers=asks)
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain.content)
    assert len(packed.content) < len(plain.content) / 8
    own = Client()
    own.force_login(clerk)
    pages = [client.get("/api/docs/", headers=asks) for client in (Client(), own)]
    assert [page.get("Content-Encoding") for page in pages] == ["gzip", None]
