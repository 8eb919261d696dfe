"""What one method of an address is: DRF's `action`, spectacular's `extend_schema`, a right of core/acts/rights.py.

`reads` and `changes` ask the viewset for the thing, check what was sent, and answer by its serializer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, Protocol, TypeVar, cast

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import ProblemError
from tournament.api.fields import Nothing, StrictBody, validate_with
from tournament.api.keys import RequestData, read_idempotency_key, revision_of, run_idempotent
from tournament.core.errors import Refused

View = TypeVar("View")
Method = Literal["get", "put", "post"]


@dataclass(frozen=True)
class Operation:
    """One method of one address. `match`: needs If-Match; `waits`: answers 202 where a second person agrees first.

    `act` is a right of the audience, "" everybody's of it; `gives` and `match` are said where they are not the
    viewset's own.
    """

    act: str
    gives: type[serializers.Serializer[Any]] | None = None
    match: bool | None = None
    status: int = 200
    waits: bool = False


class FurtherMethods(Protocol):
    """Further methods of one address: DRF's MethodMapper."""

    def get(self, function: View) -> View: ...
    def head(self, function: View) -> View: ...
    def post(self, function: View) -> View: ...
    def put(self, function: View) -> View: ...


class OperationView(Protocol):
    """A handler as DRF calls it; `mapping` is there where it has a path of its own."""

    operation: Operation
    mapping: FurtherMethods

    def __call__(self, *args: Any, **kwargs: Any) -> Response: ...


def operation(
    path: str,
    declared: Operation,
    summary: str,
    *,
    takes: type[StrictBody] | None = None,
    asks: type[StrictBody] = Nothing,
    method: Method = "get",
    name: str = "",
) -> Callable[[Callable[..., Response]], OperationView]:
    """An operation called as its handler is, at `path` behind the viewset's prefix; "" for a further method of an
    address. `name` is that of the address, where it is not the handler's (without get_ or list_)."""

    def decorate(handler: Callable[..., Response]) -> OperationView:
        found, called = cast(OperationView, handler), handler.__name__
        found.operation = declared
        if path:
            known = name or called.removeprefix("get_").removeprefix("list_")
            found = cast(OperationView, action(detail=False, methods=[method], url_path=path, url_name=known)(found))
        parameters: list[Any] = [asks] if asks().fields else []
        return extend_schema(operation_id=called, summary=_(summary), request=takes, parameters=parameters)(found)

    return decorate


def reads(
    path: str,
    act: str,
    summary: str,
    gives: type[serializers.Serializer[Any]] | None = None,
    *,
    asks: type[StrictBody] = Nothing,
    name: str = "",
) -> Callable[[Callable[..., Any]], OperationView]:
    """A GET: `handle(self, found, **asked)` is what its serializer takes."""

    def decorate(handle: Callable[..., Any]) -> OperationView:
        @wraps(handle)
        def view(self: Any, request: Request, **path: Any) -> Response:
            found = self.get_object()
            answer: Response = self.respond(handle(self, found, **validate_with(asks, single_query_params(request))))
            return answer

        return operation(path, Operation(act, gives), summary, asks=asks, name=name)(view)

    return decorate


def changes(
    path: str,
    act: str,
    summary: str,
    takes: type[StrictBody] = Nothing,
    gives: type[serializers.Serializer[Any]] | None = None,
    *,
    match: bool | None = None,
    status: int = 200,
    waits: bool = False,
    method: Method = "post",
    name: str = "",
) -> Callable[[Callable[..., Any]], OperationView]:
    """A change, run once for its key: `handle(self, found, given)` is what its serializer takes, a whole response, or
    None for the thing as the viewset tells it now.

    1. the thing is there; 2. key and version; 3. the body; 4. the service, in one transaction with key and answer.
    """

    def decorate(handle: Callable[..., Any]) -> OperationView:
        @wraps(handle)
        def view(self: Any, request: Request, **path: Any) -> Response:
            found = self.get_object()
            validate_with(Nothing, single_query_params(request))
            key = read_idempotency_key(request)
            revision = revision_of(request) if self.needs_match else None
            given = RequestData(self.author(), key, revision, validate_with(takes, request.data))

            def act_once() -> Response:
                made = handle(self, found, given)
                if isinstance(made, Response):
                    return made
                answer: Response = self.respond(self.told(found) if made is None else made, status)
                return answer

            try:
                return run_idempotent(request, given, act_once)
            except Refused as refusal:
                raise ProblemError(refusal, **self.members(refusal, found, given)) from refusal

        declared = Operation(act, gives, match, status, waits)
        return operation(path, declared, summary, takes=takes, method=method, name=name)(view)

    return decorate


def single_query_params(request: Request) -> dict[str, str]:
    """What the address asks after its `?`; the same asked twice would be answered by chance."""
    for name, texts in request.query_params.lists():
        if len(texts) > 1:
            raise ValidationError({name: [_("Asked for twice.")]})
    return request.query_params.dict()
