"""An address of the API: every method says its right, what it takes and what it gives, and is held to it.

The same declaration checks the request, shapes the answer and writes the OpenAPI document (schema.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed, ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.api.errors import Problem, not_found, not_signed_in
from tournament.api.fields import Nothing, Strict, read
from tournament.api.keys import Answer, Author, Given, key_of, once, revision_of, tag
from tournament.enums import Role
from tournament.errors import Forbidden, Refused
from tournament.models import Event
from tournament.permissions import ACTS, OWN_PASSWORD_FIRST, held_at, require

Handler = Callable[..., Answer]


@dataclass(frozen=True)
class Operation:
    """One method of one address. `match`: needs If-Match; `waits`: answers 202 where a second person agrees first.

    `act` is a right of the audience (of accounts: one of permissions.ACTS); "": everybody of it.
    """

    name: str
    act: str
    summary: str
    gives: type[serializers.Serializer]
    takes: type[Strict] | None = None
    asks: type[Strict] | None = None
    match: bool = False
    versioned: bool = False
    status: int = 200
    waits: bool = False


class Admitted(BasePermission):
    """Whoever the address itself lets in; it says by exception who is not (401, 404, 405, 403, in this order)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises what is wanting."""
        view.admit(request)
        return True


class Address(APIView):
    """One address of the API, whoever its audience is; a subclass says who may ask and in whose name a change is made.

    `find` is the thing it is about; `members` is what a refusal tells beside its sentence. `security` is the name of
    the audience's scheme in the OpenAPI document.
    """

    permission_classes = [Admitted]
    http_method_names = ["get", "head", "post", "put"]
    security: str
    # What it refuses with beside what every address does.
    refuses: tuple[int, ...] = ()
    event: Event

    def admit(self, request: Request) -> None:
        """Set what the address needs to know of who asks, `event` above all, or raise why not."""
        raise NotImplementedError

    def author(self, request: Request) -> Author:
        """In whose name a change is made."""
        raise NotImplementedError

    @classmethod
    def roles_for(cls, act: str) -> list[str]:
        """Whose right an act is, for the document; empty where no role matters."""
        return []

    @classmethod
    def operation_of(cls, method: str | None) -> Operation | None:
        """What this method is here; None where it is not offered."""
        name = (method or "").lower()
        return getattr(getattr(cls, "get" if name == "head" else name, None), "operation", None)

    def offered(self, request: Request) -> Operation:
        """What is asked for; 405 where the address does not offer it."""
        operation = self.operation_of(request.method)
        if operation is None:
            raise MethodNotAllowed(request.method)
        return operation

    def find(self, **path: Any) -> Any:
        """The thing that the address names; `not_found()` where this event has none."""
        return self.event

    def members(self, refusal: Refused, found: Any, given: Given) -> Mapping[str, Any]:
        """What stands now, how it differs, what blocks: read after the refusal, when nothing was changed."""
        return {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What is answered depends on who asks."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ("Authorization", "Cookie", "Accept-Language"))
        return response


class Resource(Address):
    """An address for accounts: an account, a role at the event, the right."""

    security = "bearer"
    roles: frozenset[Role | str]

    def admit(self, request: Request) -> None:
        """Sets `event` and `roles`."""
        if not request.user.is_authenticated:
            raise not_signed_in()
        slug = self.kwargs.get("event")
        if slug is not None:
            held = held_at(request.user, slug)
            if not held:
                raise not_found()
            if held[0].initial:
                raise Forbidden("own_password_first", OWN_PASSWORD_FIRST)
            self.event = held[0].event
            self.roles = frozenset(membership.role for membership in held)
        operation = self.offered(request)
        if operation.act:
            require(self.roles, operation.act)

    def author(self, request: Request) -> Author:
        """The account; its keys are its own."""
        return Author(request.user, f"api:{request.user.pk}")

    @classmethod
    def roles_for(cls, act: str) -> list[str]:
        """As the desk's pages have it."""
        return sorted(str(role) for role in ACTS[act]) if act else []


def reads(
    name: str,
    act: str,
    summary: str,
    gives: type[serializers.Serializer],
    *,
    asks: type[Strict] = Nothing,
    versioned: bool = False,
) -> Callable[[Handler], Callable[..., Response]]:
    """A GET: `handle(self, found, asked)`."""

    def decorate(handle: Handler) -> Callable[..., Response]:
        @wraps(handle)
        def get(self: Address, request: Request, event: str = "", **path: Any) -> Response:
            found = self.find(**path)
            answer = handle(self, found, read(asks, asked_once(request)))
            headers = {"ETag": tag(answer.revision)} if answer.revision is not None else {}
            return Response(gives(answer.thing).data, headers=headers)

        get.operation = Operation(name, act, summary, gives, asks=asks, versioned=versioned)  # type: ignore[attr-defined]
        return get

    return decorate


def asked_once(request: Request) -> dict[str, str]:
    """What the address asks after its `?`; the same asked twice would be answered by chance."""
    for name, texts in request.query_params.lists():
        if len(texts) > 1:
            raise ValidationError({name: [_("Asked for twice.")]})
    return request.query_params.dict()


def writes(
    name: str,
    act: str,
    summary: str,
    gives: type[serializers.Serializer],
    *,
    takes: type[Strict] = Nothing,
    match: bool = False,
    status: int = 200,
    waits: bool = False,
) -> Callable[[Handler], Callable[..., Response]]:
    """A change: `handle(self, found, given)`, run once for its key.

    1. the thing is there; 2. key and version; 3. the body; 4. the service, in one transaction with key and answer.
    """

    def decorate(handle: Handler) -> Callable[..., Response]:
        @wraps(handle)
        def change(self: Address, request: Request, event: str = "", **path: Any) -> Response:
            found = self.find(**path)
            read(Nothing, asked_once(request))
            key = key_of(request)
            revision = revision_of(request) if match else None
            given = Given(self.author(request), key, revision, read(takes, request.data))

            def run() -> tuple[Answer, Any]:
                answer = handle(self, found, given)
                return answer, gives(answer.thing).data

            try:
                return once(request, given, status, run)
            except Refused as refusal:
                raise Problem(refusal, **self.members(refusal, found, given)) from refusal

        change.operation = Operation(
            name, act, summary, gives, takes=takes, match=match, versioned=match, status=status, waits=waits
        )  # type: ignore[attr-defined]
        return change

    return decorate
