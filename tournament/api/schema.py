"""The OpenAPI document, written from what each operation declares of itself: fields, headers and every status."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from tournament.api.errors import MEDIA_TYPE
from tournament.api.fields import PlainTextField, StrictBody
from tournament.api.keys import REPLAY_HEADER
from tournament.api.operations import Operation
from tournament.core.acts.rights import RIGHTS

# In place of what 202 means for a tablet.
WAITS_FOR_SECOND_PERSON = _("Not recorded yet: it waits for a second person. See `proposal`.")
RESPONSE_DESCRIPTIONS: Mapping[int, str] = {
    200: _("Done, or found."),
    201: _("Made."),
    202: _("Kept for a person to settle."),
    400: _("The request cannot be read or breaks a rule; `faults` names each field."),
    401: _("No token, or one that is unknown, expired or revoked."),
    403: _("Known, but without the right."),
    404: _("Not there, or not to be known."),
    409: _("Not in the present state."),
    410: _("Used up, or its time is over."),
    412: _("Changed since it was read; `current` is what stands, `differences` what differs."),
    413: _("The body is too large."),
    415: _("The body is no JSON."),
    422: _("The Idempotency-Key was used for another request."),
    423: _("Locked: signed or certified."),
    426: _("The page is older than what the server takes."),
    428: _("If-Match is missing."),
    429: _("Asked too often; Retry-After says when again."),
    503: _("Busy: send the same again, with the same key."),
}
READ_STATUS_CODES = (400, 401, 403, 404, 503)
WRITE_STATUS_CODES = (400, 401, 403, 404, 409, 412, 413, 415, 422, 423, 503)
IDEMPOTENCY_KEY_DESCRIPTION = _("A new one for each act; the same when it is sent again.")
IF_MATCH_DESCRIPTION = _("The ETag that was seen.")
REPLAY_DESCRIPTION = _("true: answered before, nothing was done.")


class FaultAnswer(serializers.Serializer[Any]):
    """One fault of a request."""

    where = serializers.CharField()
    code = serializers.CharField()
    sentence = serializers.CharField()


class ProblemAnswer(serializers.Serializer[Any]):
    """A refusal (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    faults = FaultAnswer(many=True, required=False)
    current = serializers.DictField(required=False)
    differences = serializers.ListField(child=serializers.DictField(), required=False)
    blocks = serializers.ListField(child=serializers.DictField(), required=False)
    problems = serializers.ListField(child=serializers.DictField(), required=False)


class ApiSchema(AutoSchema):
    """What every operation has, beside what it says of itself by `extend_schema`."""

    view: Any  # an ApiViewSet

    @property
    def operation(self) -> Operation:
        found: Operation = self.view.operation
        return found

    @property
    def needs_match(self) -> bool:
        return self.method != "GET" and bool(self.view.needs_match)

    def get_tags(self) -> list[str]:
        """The chapter of the viewset."""
        return [self.view.chapter]

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it, which has no types
        """What the view's own docstring says is for its readers here."""
        return ""

    def get_extensions(self) -> dict[str, Any]:
        """Whose right it is, where it is an account's."""
        roles = RIGHTS[self.operation.act] if self.view.security == "bearer" and self.operation.act else ()
        return {"x-roles": sorted(map(str, roles))} if roles else {}

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The token of the address's audience; none where it lets in whoever has a code."""
        return [{self.view.security: []}] if self.view.security else [{}]

    def get_response_serializers(self) -> Any:
        """The answer, and one shape for every refusal."""
        gives, status = self.view.get_serializer_class(), self.operation.status
        answers = {(status, "application/json"): described_response(gives, RESPONSE_DESCRIPTIONS[status])}
        if self.operation.waits:
            answers[202, "application/json"] = described_response(gives, WAITS_FOR_SECOND_PERSON)
        usual = READ_STATUS_CODES if self.method == "GET" else WRITE_STATUS_CODES
        statuses = {*usual, *([428] if self.needs_match else []), *self.view.refuses}
        refusals = {
            (status, MEDIA_TYPE): described_response(ProblemAnswer, RESPONSE_DESCRIPTIONS[status])
            for status in sorted(statuses)
        }
        return {**answers, **refusals}

    def get_override_parameters(self) -> list[Any]:
        """What is said in headers."""
        found, status = list[Any](), self.operation.status
        if self.method != "GET":
            says = gettext(IDEMPOTENCY_KEY_DESCRIPTION)
            found.append(request_header_parameter("Idempotency-Key", says, "^[A-Za-z0-9._:~-]{1,64}$"))
            found.append(response_header_parameter(REPLAY_HEADER, gettext(REPLAY_DESCRIPTION), status))
        if self.needs_match:
            found.append(request_header_parameter("If-Match", gettext(IF_MATCH_DESCRIPTION), '^"v[0-9]{1,9}"$'))
        if self.needs_match or self.view.versioned or "revision" in self.view.get_serializer_class()().fields:
            found.append(response_header_parameter("ETag", "", status))
        return found

    def _is_list_view(self, serializer: Any = None) -> bool:
        """No answer is a bare list."""
        return False

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        schema.pop("description", None)
        for name, field in schema.get("properties", {}).items():
            field.pop("x-spec-enum-id", None)
            own = serializer.fields[name]
            if isinstance(serializer, StrictBody) and isinstance(own, PlainTextField) and not own.allow_blank:
                field["minLength"] = 1
        return {**schema, "additionalProperties": False} if isinstance(serializer, StrictBody) else schema

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """A body that needs no field may be left out."""
        found: Any = super().get_operation(*args, **kwargs)
        takes: Any = self.get_request_serializer() if "requestBody" in (found or {}) else None
        if takes and not any(field.required for field in takes().fields.values()):
            found["requestBody"]["required"] = False
        return found


def described_response(gives: Any, says: str) -> OpenApiResponse:
    return OpenApiResponse(gives, description=gettext(says))


def request_header_parameter(name: str, says: str, pattern: str) -> OpenApiParameter:
    """A header that a request must have."""
    schema = {"type": "string", "pattern": pattern}
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, required=True, description=says)


def response_header_parameter(name: str, says: str, status: int) -> OpenApiParameter:
    """A header of the answer."""
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, response=[status], description=says)


@cache
def openapi_document(language: str) -> dict[str, Any]:
    """The whole document with its sentences in this language; made once a process."""
    with override(language):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found
