"""What a mail provider reports of mails that it took: they came back, are late, or were called unwanted.

No account asks here but a program with the installation's own secret (MAIL_BOUNCES_SECRET). What is said twice is
recorded once, so that no answer is kept by its key.
"""

from typing import Any

from django.conf import settings
from django.urls import path
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import Unknown
from tournament.api.fields import Choice, Nothing, Strict, Text, read
from tournament.api.keys import key_of
from tournament.api.resource import Address, Operation, asked_once
from tournament.api.setup_final import Moment
from tournament.enums import BounceKind
from tournament.services import bounces

MOST_REPORTS, LONGEST_MAIL, LONGEST_DIAGNOSTIC, LONGEST_HEADER = 500, 300, 2000, 300

NO_SECRET = _(
    "Send the installation's MAIL_BOUNCES_SECRET as Authorization: Bearer. Without that setting none is taken."
)


class BounceRequest(Strict):
    """One report. `mail`: the envelope's sender, its token, or the Message-ID. `kind`: `hard`, it will not be
    delivered; `soft`, it is tried again; `complaint`, its recipient called it unwanted. `status`: RFC 3463, as
    5.1.1."""

    mail = Text(max_length=LONGEST_MAIL)
    kind = Choice(choices=BounceKind.choices)
    at = Moment(required=False, allow_null=True)
    status = serializers.RegexField(r"^[245]\.[0-9]{1,3}\.[0-9]{1,3}$", required=False)
    diagnostic = Text(required=False, allow_blank=True, max_length=LONGEST_DIAGNOSTIC)


class BouncesRequest(Strict):
    """Several at once."""

    bounces = BounceRequest(many=True, max_length=MOST_REPORTS)


class BouncesAnswer(serializers.Serializer):
    """How many of them were new, said nothing new, and were about no mail of this installation."""

    recorded = serializers.IntegerField()
    repeated = serializers.IntegerField()
    unknown = serializers.IntegerField()


class WithoutAccount(BaseAuthentication):
    """Nobody signs in here; a 401 asks for the secret."""

    def authenticate(self, request: Request) -> None:
        """No account."""

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class Bounces(Address):
    """Reports of a provider."""

    authentication_classes = [WithoutAccount]
    security = "bounces"

    def admit(self, request: Request) -> None:
        """The method and the secret."""
        self.offered(request)
        scheme, _space, given = request.headers.get("Authorization", "")[:LONGEST_HEADER].partition(" ")
        secret = settings.MAIL_BOUNCES_SECRET
        right = constant_time_compare(given.strip(), secret)
        if scheme.lower() != "bearer" or len(secret) < settings.SHORTEST_BOUNCES_SECRET or not right:
            raise Unknown("bounce_secret_wrong", NO_SECRET)

    def post(self, request: Request) -> Response:
        """Each is written down with its mail."""
        read(Nothing, asked_once(request))
        key_of(request)
        data: dict[str, Any] = read(BouncesRequest, request.data)
        return Response(BouncesAnswer(bounces.take_reports(data["bounces"])).data)

    post.operation = Operation(  # type: ignore[attr-defined]
        "report_bounces",
        "",
        _("Report mails that came back, are late or were called unwanted"),
        BouncesAnswer,
        takes=BouncesRequest,
    )


urlpatterns = [path("bounces/", Bounces.as_view(), name="api_bounces")]
