"""Who asks: a program by its token, or a page of ours by its session. With a token no cookie is looked at."""

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tournament.api.errors import NotSignedIn
from tournament.api.services import account_of_api_token
from tournament.core.errors import Forbidden

BEARER_TOKEN_MAX_LENGTH = 200

NO_SUCH_TOKEN = _("This token is unknown, has expired or was revoked, or its account is closed.")
CSRF_TOKEN_MISSING = _(
    "A page of ours sends its CSRF token with every change; a program sends a token instead of a cookie."
)


class BearerTokens(BaseAuthentication):
    """`Authorization: Bearer rk_...`, looked up in the database on every request."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """The token's account; None only where no such header was sent at all."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _space, text = header.partition(" ")
        account = (
            account_of_api_token(text.strip())
            if scheme.lower() == "bearer" and len(text) <= BEARER_TOKEN_MAX_LENGTH
            else None
        )
        if account is None:
            raise NotSignedIn("token_not_valid", NO_SUCH_TOKEN)
        return account, None

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class PageSessionAuthentication(SessionAuthentication):
    """The session of a page, with its CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        """A change from another site's page is refused in one shape with all else."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise Forbidden("csrf_failed", CSRF_TOKEN_MISSING) from None


class DenyByDefault(BasePermission):
    """What says nothing of who may, nobody may."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return False
