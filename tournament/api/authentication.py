"""Who asks: a program by its token, or a page of ours by its session. With a token no cookie is looked at."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_noop as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tournament.api.errors import Unknown
from tournament.errors import Forbidden
from tournament.services.tokens import account_of

LONGEST = 200

NO_SUCH_TOKEN = _("This token is unknown, has expired or was revoked, or its account is closed.")
NOT_FROM_HERE = _("A page of ours sends its CSRF token with every change; a program sends a token instead of a cookie.")


class BearerTokens(BaseAuthentication):
    """`Authorization: Bearer rk_...`, looked up in the database on every request."""

    def authenticate(self, request: Request) -> tuple[AbstractUser, None] | None:
        """The token's account; None only where no such header was sent at all."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _space, text = header.partition(" ")
        account = account_of(text.strip()) if scheme.lower() == "bearer" and len(text) <= LONGEST else None
        if account is None:
            raise Unknown("token_not_valid", NO_SUCH_TOKEN)
        return account, None

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class OwnPages(SessionAuthentication):
    """The session of a page, with its CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        """A change from another site's page is refused in one shape with all else."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise Forbidden("csrf_failed", NOT_FROM_HERE) from None


class Nobody(BasePermission):
    """What says nothing of who may, nobody may."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """No."""
        return False
