"""A tablet is paired, opened by a PIN, handed out, goes on; asks for its state; brings what came late."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import not_found
from tournament.api.fields import Nothing, Strict, Text, Whole, read
from tournament.api.keys import Given, key_of
from tournament.api.resource import asked_once
from tournament.api.tablet import (
    COOKIE,
    MOST_CLIENT,
    MOST_WAITING,
    TabletAddress,
    TabletAnswer,
    TabletResource,
    changes,
    operation_without_once,
    require_schema,
    sheets_of,
)
from tournament.bridge.tablet import state_of
from tournament.enums import HeldBecause
from tournament.models import Event, Table
from tournament.queries.devices import by_digest
from tournament.services import audit, devices, devices_held, devices_pin, epochs

MOST_SKEW_MS = 2**31 - 1
LATEST_MS = 10**13  # the year 2286
LONGEST_CODE, LONGEST_PIN, MOST_ITEMS, MOST_SPANS = 64, 8, 200, 100


class PairRequest(Strict):
    """The event, and the code that stood after the # of the QR code's address."""

    event = Text(max_length=50)
    code = Text(max_length=LONGEST_CODE)


class LockedSpan(Strict):
    """From when to when a tablet was locked, by its own clock; without an end: until now."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField(required=False)


class PinRequest(Strict):
    """Who, and the PIN; when the tablet was locked since the server has seen the last one."""

    referee = Whole(min_value=1)
    pin = Text(max_length=LONGEST_PIN)
    locked = LockedSpan(many=True, required=False, max_length=MOST_SPANS)


class LockRequest(Strict):
    """Since when by the tablet's clock, where it locked itself before this is sent."""

    made_at = serializers.DateTimeField(required=False)


class LateItemRequest(Strict):
    """One item of the outbox, as it would have been sent."""

    key = serializers.RegexField(r"^[A-Za-z0-9._:~-]{1,64}$")
    act = serializers.RegexField(r"^[a-z-]{1,24}$")
    session = Whole(min_value=1, max_value=999)
    table = Whole(min_value=1, max_value=9999)
    revision = Whole(required=False, allow_null=True, default=None)
    body = serializers.DictField()


class LateRequest(Strict):
    """What a tablet holds whose time is over."""

    items = LateItemRequest(many=True, max_length=MOST_ITEMS)


class LateAnswer(serializers.Serializer):
    """By key: what waits for a person, what had been recorded before."""

    held = serializers.ListField(child=serializers.CharField())
    recorded = serializers.ListField(child=serializers.CharField())


class StateAnswer(serializers.Serializer):
    """All that a tablet is told; its parts are said in bridge.tablet."""

    server_now = serializers.CharField()
    schema = serializers.IntegerField()
    epoch = serializers.CharField()
    receipts = serializers.ListField(child=serializers.DictField())
    device = serializers.DictField()
    event = serializers.DictField()
    session = serializers.DictField()
    clock = serializers.DictField()
    referee = serializers.DictField(allow_null=True)
    referees = serializers.ListField(child=serializers.DictField())
    next = serializers.DictField(allow_null=True)
    ruleset = serializers.DictField()
    games = serializers.IntegerField()
    tables = serializers.ListField(child=serializers.DictField())


def give_cookie(request: Request, response: Response, paired: devices.Paired) -> Response:
    """The token, where no script reads it and no other site's page sends it; Secure where there is TLS."""
    lives = paired.device.expires_at - timezone.now()
    response.set_cookie(
        COOKIE,
        paired.token,
        max_age=max(lives, timedelta(0)),
        path="/",
        secure=settings.HTTPS or request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return response


# --- Pairing --------------------------------------------------------------------------------------------
class Pair(TabletAddress):
    """Anybody with the desk's code; ten wrong ones a minute and no more are looked at."""

    authentication_classes: list[Any] = []
    security = ""
    refuses = (410, 426, 429)

    def admit(self, request: Request) -> None:
        """The method, and the form of the items."""
        self.offered(request)
        require_schema(request)

    def post(self, request: Request) -> Response:
        """A tablet bound to the code's tables, and its token."""
        read(Nothing, asked_once(request))
        key, data = key_of(request), read(PairRequest, request.data)
        event = Event.objects.filter(slug=data["event"]).first()
        if event is None:
            raise not_found()
        paired = devices.pair(event, data["code"], key)
        device = by_digest(paired.device.digest)
        state = state_of(device or paired.device, timezone.now(), epochs.current(), sheets_of(request))
        answer = {"key": key, "receipt": "", "state": state}
        return give_cookie(request, Response(answer, status=201), paired)

    post.operation = operation_without_once(  # type: ignore[attr-defined]
        "pair_tablet", _("Pair a tablet with the desk's code"), TabletAnswer, PairRequest, 201
    )


class Next(TabletAddress):
    """On to the same referee's next session."""

    dead_too = True
    refuses = (410, 426, 429)

    def admit(self, request: Request) -> None:
        """Also one that has gone on, if its answer was lost; no other whose time is over."""
        super().admit(request)
        if devices.standing(self.device) is not devices.Standing.FOLLOWED:
            self.dead_too = False
            super().admit(request)

    def post(self, request: Request) -> Response:
        """The tablet that follows, and its token."""
        read(Nothing, asked_once(request))
        read(Nothing, request.data)
        key = key_of(request)
        waiting = number_of(request, "X-Waiting", MOST_WAITING)
        paired = devices.go_on(self.device, request.COOKIES.get(COOKIE, ""), key, waiting)
        self.device = paired.device
        return give_cookie(request, Response({"key": key, "receipt": "", "state": self.state()}), paired)

    post.operation = operation_without_once(  # type: ignore[attr-defined]
        "go_on_tablet", _("Go on to the referee's next session"), TabletAnswer, Nothing
    )


# --- The state ------------------------------------------------------------------------------------------
class State(TabletAddress):
    """Asked every few seconds; 304 while nothing has changed."""

    def get(self, request: Request) -> Response:
        """The state; what the tablet says of itself is noted."""
        read(Nothing, asked_once(request))
        now = timezone.now()
        devices.seen(self.device, said_by(request, now), now)
        state = state_of(self.device, now, epochs.current(), sheets_of(request))
        mark = f'"{audit.digest_of({**state, "server_now": None})[:32]}"'
        if request.headers.get("If-None-Match") == mark:
            return Response(status=304, headers={"ETag": mark})
        return Response(state, headers={"ETag": mark})

    def head(self, request: Request) -> Response:
        """Whether the token holds, which is asked whenever the tablet is touched: nothing is read for it."""
        read(Nothing, asked_once(request))
        return Response()

    get.operation = operation_without_once(  # type: ignore[attr-defined]
        "get_tablet_state", _("All that this tablet is told"), StateAnswer, None
    )


def number_of(request: Request, name: str, most: int) -> int | None:
    """A whole number of a header; None where it is none."""
    text = request.headers.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 16 and int(text) <= most else None


def clock_of(request: Request) -> datetime | None:
    """What the tablet's clock shows, where it says so and it is a moment."""
    milliseconds = number_of(request, "X-Client-Time", LATEST_MS)
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def locked_of(request: Request, given: Given) -> dict[str, Any]:
    """When the tablet was locked as it says, and what its clock shows."""
    clock = clock_of(request)
    spans = [(span["since"], span.get("until") or clock) for span in given.data.get("locked", [])]
    return {"locked": [span for span in spans if span[1] is not None], "clock": clock}


def said_by(request: Request, now: Any) -> dict[str, int | None]:
    """What the headers say of the tablet."""
    clock = number_of(request, "X-Client-Time", 10**16)
    skew = None if clock is None else clock - round(now.timestamp() * 1000)
    return {
        "waiting": number_of(request, "X-Waiting", MOST_WAITING),
        "skew_ms": None if skew is None else max(-MOST_SKEW_MS, min(MOST_SKEW_MS, skew)),
        "client": number_of(request, "X-Client-Schema", MOST_CLIENT),
        "battery": number_of(request, "X-Battery", 100),
    }


# --- In whose hands -------------------------------------------------------------------------------------
class Pin(TabletAddress):
    """Opened in a referee's name."""

    @changes("open_tablet", "pin", _("Open the tablet with a referee's PIN"), takes=PinRequest, kept=False)
    def post(self, found: Event, given: Given) -> str:
        """After wrong ones this referee waits, longer each time."""
        devices_pin.open_with(self.device, given.data["referee"], given.data["pin"], **locked_of(self.request, given))
        return ""


class Lock(TabletAddress):
    """Nobody's."""

    @changes("lock_tablet", "lock", _("Lock the tablet"), takes=LockRequest, kept=False)
    def post(self, found: Event, given: Given) -> str:
        """Until a PIN is typed."""
        devices_pin.lock(self.device, given.data.get("made_at") or clock_of(self.request))
        return ""


class HandOut(TabletResource):
    """The players hold it."""

    while_handed_out = True

    @changes("hand_out_tablet", "hand-out", _("Hand the tablet to a table's players to sign"))
    def post(self, found: Table, given: Given) -> str:
        """From now on it signs, and nothing else."""
        devices_pin.hand_out(self.device, found)
        return ""


class TakeBack(TabletAddress):
    """The referee holds it again."""

    @changes("take_back_tablet", "take-back", _("Take the tablet back with the PIN"), takes=PinRequest, kept=False)
    def post(self, found: Event, given: Given) -> str:
        """With the PIN, which the players do not know."""
        devices_pin.take_back(self.device, given.data["referee"], given.data["pin"], **locked_of(self.request, given))
        return ""


# --- What came late -------------------------------------------------------------------------------------
class Late(TabletAddress):
    """Whatever a token was worth once: nothing that was recorded is lost, nothing is taken unseen."""

    dead_too = True

    def post(self, request: Request) -> Response:
        """Each item is kept for a person, by its key; the desk learns what the tablet holds after that."""
        read(Nothing, asked_once(request))
        key_of(request)
        items = [devices_held.Item(**dict(item)) for item in read(LateRequest, request.data)["items"]]
        kept = devices_held.hold(self.device, items, HeldBecause.LATE)
        devices.seen(self.device, {"waiting": number_of(request, "X-Waiting", MOST_WAITING)})
        return Response(kept._asdict(), status=202)

    post.operation = operation_without_once(  # type: ignore[attr-defined]
        "deliver_late", _("Deliver what a tablet holds whose time is over"), LateAnswer, LateRequest, 202
    )


urlpatterns = [
    path("state/", State.as_view(), name="tablet_state"),
    path("pair/", Pair.as_view(), name="tablet_pair"),
    path("pin/", Pin.as_view(), name="tablet_pin"),
    path("lock/", Lock.as_view(), name="tablet_lock"),
    path("next/", Next.as_view(), name="tablet_next"),
    path("take-back/", TakeBack.as_view(), name="tablet_take_back"),
    path("late/", Late.as_view(), name="tablet_late"),
    path("tables/<int:table>/hand-out/", HandOut.as_view(), name="tablet_hand_out"),
]
