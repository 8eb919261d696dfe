"""What a mail provider reports of mails that it took: they came back, are late, or were called unwanted.

No account asks here but a program with the installation's own secret (MAIL_BOUNCES_SECRET). What is said twice is
recorded once, so that no answer is kept by its key.
"""

from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import NotSignedIn
from tournament.api.fields import (
    EventDateTimeField,
    Nothing,
    PlainTextField,
    StrictBody,
    WordChoiceField,
    validate_with,
)
from tournament.api.keys import read_idempotency_key
from tournament.api.operations import Operation, operation, single_query_params
from tournament.api.viewsets import ApiViewSet
from tournament.core.enums import BounceKind
from tournament.mail.services import bounces

BOUNCE_MAX_REPORTS, BOUNCE_MAIL_MAX_LENGTH, BOUNCE_DIAGNOSTIC_MAX_LENGTH, BOUNCE_HEADER_MAX_LENGTH = 500, 300, 2000, 300

NO_SECRET = _(
    "Send the installation's MAIL_BOUNCES_SECRET as Authorization: Bearer. Without that setting none is taken."
)


class BounceRequest(StrictBody):
    """One report. `mail`: the envelope's sender, its token, or the Message-ID. `kind`: `hard`, it will not be
    delivered; `soft`, it is tried again; `complaint`, its recipient called it unwanted. `status`: RFC 3463, as
    5.1.1."""

    mail = PlainTextField(max_length=BOUNCE_MAIL_MAX_LENGTH)
    kind = WordChoiceField(choices=BounceKind.choices)
    at = EventDateTimeField(required=False, allow_null=True)
    status = serializers.RegexField(r"^[245]\.[0-9]{1,3}\.[0-9]{1,3}$", required=False)
    diagnostic = PlainTextField(required=False, allow_blank=True, max_length=BOUNCE_DIAGNOSTIC_MAX_LENGTH)


class BouncesRequest(StrictBody):
    bounces = serializers.ListSerializer[Any](child=BounceRequest(), max_length=BOUNCE_MAX_REPORTS)


class BouncesAnswer(serializers.Serializer[Any]):
    """How many of them were new, said nothing new, and were about no mail of this installation."""

    recorded = serializers.IntegerField()
    repeated = serializers.IntegerField()
    unknown = serializers.IntegerField()


class WithoutAccount(BaseAuthentication):
    """Nobody signs in here; a 401 asks for the secret."""

    def authenticate(self, request: Request) -> None:
        """None: the request has no account."""

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class KnowsSecret(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        view.offered()
        scheme, _space, given = request.headers.get("Authorization", "")[:BOUNCE_HEADER_MAX_LENGTH].partition(" ")
        secret = settings.MAIL_BOUNCES_SECRET
        right = constant_time_compare(given.strip(), secret)
        if scheme.lower() != "bearer" or len(secret) < settings.SHORTEST_BOUNCES_SECRET or not right:
            raise NotSignedIn("bounce_secret_wrong", NO_SECRET)
        return True


class BounceReportsViewSet(ApiViewSet):
    chapter = "mailings"
    authentication_classes = [WithoutAccount]
    permission_classes = [KnowsSecret]
    security = "bounces"
    serializer_class = BouncesAnswer

    @operation(
        "/",
        Operation(""),
        _("Report mails that came back, are late or were called unwanted"),
        takes=BouncesRequest,
        method="post",
        name="bounces",
    )
    def report_bounces(self, request: Request) -> Response:
        validate_with(Nothing, single_query_params(request))
        read_idempotency_key(request)
        data = validate_with(BouncesRequest, request.data)
        return self.respond(bounces.process_bounce_reports(data["bounces"]))
