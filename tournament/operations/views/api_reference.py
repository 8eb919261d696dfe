"""The API for its readers: the OpenAPI document, and the same as a page that needs no script and no network."""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from tournament.api.schema import openapi_document
from tournament.core.enums import Role

DOCUMENTED_METHODS = ("get", "put", "post")
API_CHAPTERS: Mapping[str, str] = {
    "events": gettext_noop("Events and sessions"),
    "setup": gettext_noop("Set-up"),
    "registration": gettext_noop("Entrants"),
    "seating": gettext_noop("Seating"),
    "scoresheets": gettext_noop("Scoresheets"),
    "signing": gettext_noop("Certifying and stamping"),
    "corrections": gettext_noop("Corrections"),
    "standings": gettext_noop("Ranking"),
    "qualification": gettext_noop("Who advances"),
    "decisions": gettext_noop("Decisions between equals"),
    "finalists": gettext_noop("Finalists"),
    "podium": gettext_noop("Podium and award"),
    "release": gettext_noop("Releases"),
    "weather": gettext_noop("Weather"),
    "postponing": gettext_noop("Stopped sessions"),
    "notices": gettext_noop("Notices"),
    "mailings": gettext_noop("Mailings"),
    "proposals": gettext_noop("Waiting for a second person"),
    "audit": gettext_noop("Audit log"),
    "tablet": gettext_noop("The referee's tablet"),
}


@require_safe
@vary_on_headers("Accept-Encoding")
def api_schema(request: HttpRequest) -> HttpResponse:
    """OpenAPI 3.1, in the visitor's language. Compressed: nothing in it is anybody's secret."""
    plain, zipped = schema_bodies(get_language() or "en")
    takes = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
    response = HttpResponse(zipped if takes else plain, content_type="application/vnd.oai.openapi+json")
    if takes:
        response.headers["Content-Encoding"] = "gzip"
    return response


@cache
def schema_bodies(language: str) -> tuple[bytes, bytes]:
    """The document as it is sent, plain and packed; made once a process, the same for everybody."""
    plain = json.dumps(openapi_document(language), ensure_ascii=False, indent=1).encode()
    return plain, gzip.compress(plain, 9, mtime=0)


@require_safe
def api_reference(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters and answers, and every shape."""
    response = render(
        request, "operations/api/api_reference.html", {"contents": render_api_contents(get_language() or "en")}
    )
    # Compressed for whoever is not signed in; the page of an account has a name and a token of its own in it.
    return response if request.user.is_authenticated else gzip_page(lambda _request: response)(request)


@cache
def render_api_contents(language: str) -> SafeString:
    """All that is the same for everybody; made once a process, in the language of the moment."""
    described = openapi_document(language)
    shown = {"chapters": list(chapters_of(described)), "shapes": list(shapes_of(described["components"]["schemas"]))}
    return mark_safe(render_to_string("operations/api/_contents.html", shown))


def chapters_of(described: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Operations by stage, in the order of the day."""
    for stage, title in API_CHAPTERS.items():
        operations = [
            describe_operation(address, method, operations[method])
            for address, operations in described["paths"].items()
            for method in DOCUMENTED_METHODS
            if stage in operations.get(method, {}).get("tags", [])
        ]
        yield {"title": _(title), "operations": operations}


def describe_operation(address: str, method: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    """One operation as the page shows it."""
    roles = [str(Role(role).label) for role in operation.get("x-roles", [])]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "address": address,
        "summary": operation["summary"],
        "roles": roles,
        "parameters": [describe_parameter(one) for one in operation.get("parameters", [])],
        "takes": shape_named(body),
        "answers": [describe_response(status, one) for status, one in operation["responses"].items()],
    }


def describe_parameter(one: Mapping[str, Any]) -> dict[str, Any]:
    """Where it stands, and what it may be."""
    return {
        "name": one["name"],
        "place": one["in"],
        "kind": describe_schema_type(one.get("schema", {})),
        "required": one.get("required", False),
        "says": one.get("description", ""),
    }


def describe_response(status: str, one: Mapping[str, Any]) -> dict[str, str]:
    """A status, what it means, its shape."""
    [content] = one.get("content", {"": {}}).values()
    return {"status": status, "says": one.get("description", ""), "shape": shape_named(content.get("schema", {}))}


def shapes_of(schemas: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every shape with its fields."""
    for name, schema in schemas.items():
        required = schema.get("required", [])
        fields = [
            {"name": field, "kind": describe_schema_type(one), "shape": shape_named(one), "required": field in required}
            for field, one in schema.get("properties", {}).items()
        ]
        yield {"name": name, "fields": fields}


def shape_named(schema: Mapping[str, Any]) -> str:
    """The name of the shape that a schema refers to, itself or as the parts of a list; "" for none."""
    for one in (schema, schema.get("items", {}), *schema.get("allOf", []), *schema.get("oneOf", [])):
        if "$ref" in one:
            return str(one["$ref"]).rpartition("/")[2]
    return ""


def describe_schema_type(schema: Mapping[str, Any]) -> str:
    """integer 0 to 200; one of ok, forfeited; text of at most 500."""
    if "enum" in schema:
        return " | ".join(json.dumps(word, ensure_ascii=False) for word in schema["enum"])
    if schema.get("oneOf") and not shape_named(schema):
        return " | ".join(describe_schema_type(one) for one in schema["oneOf"])
    kind = schema.get("type", "object" if shape_named(schema) else "any")
    words = [" | ".join(kind) if isinstance(kind, list) else str(kind)]
    if "items" in schema and not shape_named(schema):
        words.append(describe_schema_type(schema["items"]))
    for bound, sign in (("minimum", "≥"), ("maximum", "≤"), ("maxLength", "≤"), ("pattern", "")):
        if bound in schema:
            words.append(f"{sign}{schema[bound]}")
    return " ".join([*words, *([schema["format"]] if "format" in schema else [])])


urlpatterns = [
    path("schema/", api_schema, name="api_schema"),
    path("docs/", api_reference, name="api_reference"),
]
