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
from tournament.api.fields import Strict, Text
from tournament.api.keys import REPLAY
from tournament.api.resource import Operation

# In place of what 202 means for a tablet.
WAITS = _("Not recorded yet: it waits for a second person. See `proposal`.")
STATUSES: Mapping[int, str] = {
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
READING = (400, 401, 403, 404, 503)
WRITING = (400, 401, 403, 404, 409, 412, 413, 415, 422, 423, 503)
KEY_SAYS = _("A new one for each act; the same when it is sent again.")
MATCH_SAYS = _("The ETag that was seen.")
REPLAY_SAYS = _("true: answered before, nothing was done.")


class FaultAnswer(serializers.Serializer):
    """One fault of a request."""

    where = serializers.CharField()
    code = serializers.CharField()
    sentence = serializers.CharField()


class ProblemAnswer(serializers.Serializer):
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


class HouseSchema(AutoSchema):
    """Reads an `Operation` instead of guessing."""

    @property
    def operation(self) -> Operation:
        """What the method declares."""
        found: Operation = self.view.operation_of(self.method)
        return found

    def get_operation_id(self) -> str:
        """The name of the act."""
        return self.operation.name

    def get_tags(self) -> list[str]:
        """The stage: the first word of the module's name."""
        return [type(self.view).__module__.rpartition(".")[2].partition("_")[0]]

    def get_summary(self) -> str:
        """One line."""
        return gettext(self.operation.summary)

    def get_description(self) -> str:
        """What the view's own docstring says is for its readers here."""
        return ""

    def get_extensions(self) -> dict[str, Any]:
        """Whose right it is."""
        roles = self.view.roles_for(self.operation.act)
        return {"x-roles": roles} if roles else {}

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The token of the address's audience; none where it lets in whoever has a code."""
        return [{self.view.security: []}] if self.view.security else [{}]

    def get_request_serializer(self) -> Any:
        """The body; none for a GET."""
        return self.operation.takes

    def get_response_serializers(self) -> Any:
        """The answer, and one shape for every refusal."""
        operation = self.operation
        answer = OpenApiResponse(operation.gives, description=gettext(STATUSES[operation.status]))
        usual = WRITING if operation.takes else READING
        statuses = {*usual, *([428] if operation.match else []), *self.view.refuses}
        refusals = {
            (status, MEDIA_TYPE): OpenApiResponse(ProblemAnswer, description=gettext(STATUSES[status]))
            for status in sorted(statuses)
        }
        waits = {(202, "application/json"): OpenApiResponse(operation.gives, description=gettext(WAITS))}
        answers = {(operation.status, "application/json"): answer, **(waits if operation.waits else {})}
        return {**answers, **refusals}

    def get_override_parameters(self) -> list[Any]:
        """What is asked in the address and said in headers."""
        operation = self.operation
        found: list[Any] = [operation.asks] if operation.asks and operation.asks().fields else []
        if operation.takes:
            found.append(header("Idempotency-Key", gettext(KEY_SAYS), "^[A-Za-z0-9._:~-]{1,64}$"))
            found.append(said_back(REPLAY, gettext(REPLAY_SAYS), operation.status))
        if operation.match:
            found.append(header("If-Match", gettext(MATCH_SAYS), '^"v[0-9]{1,9}"$'))
        if operation.versioned:
            found.append(said_back("ETag", "", operation.status))
        return found

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        schema.pop("description", None)
        for name, field in schema.get("properties", {}).items():
            field.pop("x-spec-enum-id", None)
            own = serializer.fields[name]
            if isinstance(serializer, Strict) and isinstance(own, Text) and not own.allow_blank:
                field["minLength"] = 1
        return {**schema, "additionalProperties": False} if isinstance(serializer, Strict) else schema

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """A body that needs no field may be left out."""
        found = super().get_operation(*args, **kwargs)
        takes = self.operation.takes
        if found and takes and not any(field.required for field in takes().fields.values()):
            found["requestBody"]["required"] = False
        return found


def header(name: str, says: str, pattern: str) -> OpenApiParameter:
    """A header that a request must have."""
    schema = {"type": "string", "pattern": pattern}
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, required=True, description=says)


def said_back(name: str, says: str, status: int) -> OpenApiParameter:
    """A header of the answer."""
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, response=[status], description=says)


@cache
def document(language: str) -> dict[str, Any]:
    """The whole document with its sentences in this language; made once a process."""
    with override(language):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found
