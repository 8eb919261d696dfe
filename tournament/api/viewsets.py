"""The viewsets of every room: whoever their audience is, and those of accounts with a role at one event."""

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.models import User
from django.utils.cache import patch_vary_headers
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DynamicRoute, SimpleRouter
from rest_framework.viewsets import GenericViewSet

from tournament.api.errors import not_found_error, not_signed_in
from tournament.api.keys import ChangeAuthor, RequestData, format_etag
from tournament.api.operations import Operation
from tournament.core.enums import Role
from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.permissions import OWN_PASSWORD_FIRST, memberships_in_effect, require_act


class ApiViewSet(GenericViewSet[Any]):
    """Operations of one subject, whoever their audience is: its `permission_classes` say by exception who is not of it.

    `security` is the name of the audience's scheme in the OpenAPI document, `chapter` that of its part there;
    `refuses`: the statuses of refusals beside what every address has; `versioned`: its answers have an ETag though they
    tell no revision; `match`: its changes need If-Match, where they do not say otherwise.
    """

    http_method_names = ["get", "head", "post", "put"]
    chapter: str
    security: str
    refuses: tuple[int, ...] = ()
    versioned = False
    match = False
    event: Event

    @property
    def operation(self) -> Operation | None:
        """What is asked for; None where the address does not offer the method."""
        return getattr(getattr(self, self.action or "", None), "operation", None)

    @property
    def needs_match(self) -> bool:
        """Whether a change says which version its author has seen."""
        own = self.operation.match if self.operation else None
        return self.match if own is None else own

    def offered(self) -> Operation:
        """What is asked for; 405 where the address does not offer it."""
        if self.operation is None:
            raise MethodNotAllowed(str(self.request.method))
        return self.operation

    def get_object(self) -> Any:
        """The thing that the address names; 404 where this event has none."""
        return self.event

    def told(self, found: Any) -> Any:
        """The thing as it is answered after a change."""
        return self.get_object()

    def author(self) -> ChangeAuthor:
        """In whose name a change is made."""
        raise NotImplementedError

    def members(self, refusal: Refused, found: Any, given: RequestData) -> Mapping[str, Any]:
        """What stands now, how it differs, what blocks: read after the refusal, when nothing was changed."""
        return {}

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Any]]:
        """The operation's own, or what all of the viewset answer with."""
        return (self.operation and self.operation.gives) or super().get_serializer_class()

    def etag_revision(self, data: Mapping[str, Any]) -> int | None:
        """The version of what is answered; None where it has none."""
        return data.get("revision")

    def respond(self, subject: Any, status: int = 200) -> Response:
        data = self.get_serializer(subject).data
        revision = self.etag_revision(data)
        return Response(data, status, headers={} if revision is None else {"ETag": format_etag(revision)})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What is answered depends on who asks."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ("Authorization", "Cookie", "Accept-Language"))
        return response


class HasRight(BasePermission):
    """An account, a role at the event, the right: 401, 404, 405, 403, in this order."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Sets the event and the account's roles there."""
        if not request.user.is_authenticated:
            raise not_signed_in()
        slug = view.kwargs.get("event")
        if slug is not None:
            held = memberships_in_effect(request.user, slug)
            if not held:
                raise not_found_error()
            if held[0].initial:
                raise Forbidden("own_password_first", OWN_PASSWORD_FIRST)
            view.event = held[0].event
            view.roles = frozenset(membership.role for membership in held)
        if act := view.offered().act:
            require_act(view.roles, act)
        return True


class EventViewSet(ApiViewSet):
    """For accounts; their keys are their own."""

    permission_classes = [HasRight]
    security = "bearer"
    roles: frozenset[Role | str]

    @property
    def account(self) -> User:
        """Whose token it is; nobody else gets past the permission."""
        return cast(User, self.request.user)

    def author(self) -> ChangeAuthor:
        return ChangeAuthor(self.account, f"api:{self.account.pk}")


class VersionedViewSet(EventViewSet):
    """Of things with a revision: who changes another than the newest is shown it."""

    serializer_class: type[serializers.Serializer[Any]]
    # What somebody else has left is told by it, where that is not the viewset's own answer.
    current_class: type[serializers.Serializer[Any]] | None = None
    match = True

    def members(self, refusal: Refused, found: Any, given: RequestData) -> Mapping[str, Any]:
        """The thing as somebody else has left it, and the versions that differ."""
        if not isinstance(refusal, StaleVersion):
            return {}
        now = (self.current_class or self.serializer_class)(self.told(found)).data
        differing = {"where": "revision", "mine": given.revision, "theirs": now["revision"]}
        return {"current": now, "differences": [differing]}


class ApiRouter(SimpleRouter):
    """Addresses as the operations say them behind the viewset's prefix; none is answered without its slash."""

    def __init__(self, named: str = "api_") -> None:
        self.routes = [DynamicRoute("{prefix}{url_path}", f"{named}{{url_name}}", detail=False, initkwargs={})]
        super().__init__(use_regex_path=False)

    def get_default_basename(self, viewset: Any) -> str:
        return str(viewset.__name__)
