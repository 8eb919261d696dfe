"""A tablet is paired, opened by a PIN, handed out, goes on; asks for its state; brings what came late."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import found_or_404
from tournament.api.fields import Nothing, PlainTextField, StrictBody, StrictIntegerField, validate_with
from tournament.api.keys import RequestData, read_idempotency_key
from tournament.api.operations import Operation, operation, single_query_params
from tournament.core import canonical
from tournament.core.enums import QuarantineReason
from tournament.core.models.event import Event
from tournament.devices.queries import device_by_token_digest
from tournament.devices.services import devices, epochs, pin
from tournament.tables.models import Table
from tournament.tablets.api.tablet import (
    TABLET_COOKIE_NAME,
    X_CLIENT_MAX,
    X_WAITING_MAX,
    TabletAnswer,
    TabletTableViewSet,
    TabletViewSet,
    read_x_sheets,
    require_schema,
    tablet_changes,
)
from tournament.tablets.domain import tablet_state
from tournament.tablets.services import held

CLOCK_SKEW_MS_MAX = 2**31 - 1
LATEST_MS = 10**13  # the year 2286
PAIRING_CODE_MAX_LENGTH, PIN_MAX_LENGTH, LATE_MAX_ITEMS, LOCKED_MAX_SPANS = 64, 8, 200, 100


class PairRequest(StrictBody):
    """The event, and the code that stood after the # of the QR code's address."""

    event = PlainTextField(max_length=50)
    code = PlainTextField(max_length=PAIRING_CODE_MAX_LENGTH)


class LockedSpan(StrictBody):
    """From when to when a tablet was locked, by its own clock; without an end: until now."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField(required=False)


class PinRequest(StrictBody):
    """Who, and the PIN; when the tablet was locked since the server has seen the last one."""

    referee = StrictIntegerField(min_value=1)
    pin = PlainTextField(max_length=PIN_MAX_LENGTH)
    locked = serializers.ListSerializer[Any](child=LockedSpan(), required=False, max_length=LOCKED_MAX_SPANS)


class LockRequest(StrictBody):
    """Since when by the tablet's clock, where it locked itself before this is sent."""

    made_at = serializers.DateTimeField(required=False)


class LateItemRequest(StrictBody):
    """One item of the outbox, as it would have been sent."""

    key = serializers.RegexField(r"^[A-Za-z0-9._:~-]{1,64}$")
    act = serializers.RegexField(r"^[a-z-]{1,24}$")
    session = StrictIntegerField(min_value=1, max_value=999)
    table = StrictIntegerField(min_value=1, max_value=9999)
    revision = StrictIntegerField(required=False, allow_null=True, default=None)
    body = serializers.DictField()


class LateRequest(StrictBody):
    """What a tablet holds whose time is over."""

    items = serializers.ListSerializer[Any](child=LateItemRequest(), max_length=LATE_MAX_ITEMS)


class LateAnswer(serializers.Serializer[Any]):
    """By key: what waits for a person, what had been recorded before."""

    held = serializers.ListField(child=serializers.CharField())
    recorded = serializers.ListField(child=serializers.CharField())


class StateAnswer(serializers.Serializer[Any]):
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


def set_tablet_cookie(request: Request, response: Response, paired: devices.PairedTablet) -> Response:
    """The token, where no script reads it and no other site's page sends it; Secure where there is TLS."""
    lives = paired.device.expires_at - timezone.now()
    response.set_cookie(
        TABLET_COOKIE_NAME,
        paired.token,
        max_age=max(lives, timedelta(0)),
        path="/",
        secure=settings.HTTPS or request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return response


# --- Pairing --------------------------------------------------------------------------------------------
class PairTabletViewSet(TabletViewSet):
    """Anybody with the desk's code; ten wrong ones a minute and no more are looked at."""

    authentication_classes: list[Any] = []
    security = ""
    refuses = (410, 426, 429)

    def admit(self, request: Request) -> None:
        """The method, and the form of the items."""
        self.offered()
        require_schema(request)

    @operation(
        "/pair/",
        Operation("", TabletAnswer, status=201),
        _("Pair a tablet with the desk's code"),
        takes=PairRequest,
        method="post",
        name="pair",
    )
    def pair_tablet(self, request: Request) -> Response:
        """A tablet bound to the code's tables, and its token."""
        validate_with(Nothing, single_query_params(request))
        key, data = read_idempotency_key(request), validate_with(PairRequest, request.data)
        event = found_or_404(Event.objects.filter(slug=data["event"]).first())
        paired = devices.pair_tablet(event, data["code"], key)
        device = device_by_token_digest(paired.device.digest)
        state = tablet_state(
            device or paired.device, timezone.now(), epochs.current_epoch_mark(), read_x_sheets(request)
        )
        answer = {"key": key, "receipt": "", "state": state}
        return set_tablet_cookie(request, Response(answer, status=201), paired)


class NextSessionViewSet(TabletViewSet):
    """On to the same referee's next session."""

    dead_too = True
    refuses = (410, 426, 429)

    def admit(self, request: Request) -> None:
        """Also one that has gone on, if its answer was lost; no other whose time is over."""
        super().admit(request)
        if devices.token_status(self.device) is not devices.TokenStatus.FOLLOWED:
            self.dead_too = False
            super().admit(request)

    @operation(
        "/next/",
        Operation("", TabletAnswer),
        _("Go on to the referee's next session"),
        takes=Nothing,
        method="post",
        name="next",
    )
    def go_on_tablet(self, request: Request) -> Response:
        """The tablet that follows, and its token."""
        validate_with(Nothing, single_query_params(request))
        validate_with(Nothing, request.data)
        key = read_idempotency_key(request)
        waiting = read_integer_header(request, "X-Waiting", X_WAITING_MAX)
        paired = devices.move_tablet_to_next_session(
            self.device, request.COOKIES.get(TABLET_COOKIE_NAME, ""), key, waiting
        )
        self.device = paired.device
        return set_tablet_cookie(request, Response({"key": key, "receipt": "", "state": self.state()}), paired)


# --- The state ------------------------------------------------------------------------------------------
class TabletStateViewSet(TabletViewSet):
    """Asked every few seconds; 304 while nothing has changed."""

    @operation("/state/", Operation("", StateAnswer), _("All that this tablet is told"), name="state")
    def get_tablet_state(self, request: Request) -> Response:
        """The state; what the tablet says of itself is noted."""
        validate_with(Nothing, single_query_params(request))
        now = timezone.now()
        devices.record_tablet_seen(self.device, read_tablet_headers(request, now), now)
        state = tablet_state(self.device, now, epochs.current_epoch_mark(), read_x_sheets(request))
        mark = f'"{canonical.digest_of({**state, "server_now": None})[:32]}"'
        if request.headers.get("If-None-Match") == mark:
            return Response(status=304, headers={"ETag": mark})
        return Response(state, headers={"ETag": mark})

    @get_tablet_state.mapping.head
    @operation("", Operation("", StateAnswer), "")
    def check_tablet_token(self, request: Request) -> Response:
        """Whether the token holds, which is asked whenever the tablet is touched: nothing is read for it."""
        validate_with(Nothing, single_query_params(request))
        return Response()


def read_integer_header(request: Request, name: str, most: int) -> int | None:
    """A whole number of a header; None where it is none."""
    text = request.headers.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 16 and int(text) <= most else None


def read_client_clock(request: Request) -> datetime | None:
    """What the tablet's clock shows, where it says so and it is a moment."""
    milliseconds = read_integer_header(request, "X-Client-Time", LATEST_MS)
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def read_locked_spans(request: Request, given: RequestData) -> dict[str, Any]:
    """When the tablet was locked as it says, and what its clock shows."""
    clock = read_client_clock(request)
    spans = [(span["since"], span.get("until") or clock) for span in given.data.get("locked", [])]
    return {"locked": [span for span in spans if span[1] is not None], "clock": clock}


def read_tablet_headers(request: Request, now: Any) -> dict[str, int | None]:
    """What the headers say of the tablet."""
    clock = read_integer_header(request, "X-Client-Time", 10**16)
    skew = None if clock is None else clock - round(now.timestamp() * 1000)
    return {
        "waiting": read_integer_header(request, "X-Waiting", X_WAITING_MAX),
        "skew_ms": None if skew is None else max(-CLOCK_SKEW_MS_MAX, min(CLOCK_SKEW_MS_MAX, skew)),
        "client": read_integer_header(request, "X-Client-Schema", X_CLIENT_MAX),
        "battery": read_integer_header(request, "X-Battery", 100),
    }


# --- In whose hands -------------------------------------------------------------------------------------
class OpenWithPinViewSet(TabletViewSet):
    """Opened in a referee's name."""

    @tablet_changes("pin", _("Open the tablet with a referee's PIN"), takes=PinRequest, kept=False)
    def open_tablet(self, found: Event, given: RequestData) -> str:
        """After wrong ones this referee waits, longer each time."""
        pin.open_tablet_with_pin(
            self.device, given.data["referee"], given.data["pin"], **read_locked_spans(self.request, given)
        )
        return ""


class LockTabletViewSet(TabletViewSet):
    @tablet_changes("lock", _("Lock the tablet"), takes=LockRequest, kept=False)
    def lock_tablet(self, found: Event, given: RequestData) -> str:
        """Until a PIN is typed."""
        pin.lock_tablet(self.device, given.data.get("made_at") or read_client_clock(self.request))
        return ""


class HandOutTabletViewSet(TabletTableViewSet):
    while_handed_out = True

    @tablet_changes("hand-out", _("Hand the tablet to a table's players to sign"))
    def hand_out_tablet(self, found: Table, given: RequestData) -> str:
        """From now on it signs, and nothing else."""
        pin.hand_out_tablet(self.device, found)
        return ""


class TakeBackTabletViewSet(TabletViewSet):
    """The referee holds it again."""

    @tablet_changes("take-back", _("Take the tablet back with the PIN"), takes=PinRequest, kept=False)
    def take_back_tablet(self, found: Event, given: RequestData) -> str:
        """With the PIN, which the players do not know."""
        pin.take_back_tablet(
            self.device, given.data["referee"], given.data["pin"], **read_locked_spans(self.request, given)
        )
        return ""


# --- What came late -------------------------------------------------------------------------------------
class LateSubmissionsViewSet(TabletViewSet):
    """Whatever a token was worth once: nothing that was recorded is lost, nothing is taken unseen."""

    dead_too = True

    @operation(
        "/late/",
        Operation("", LateAnswer, status=202),
        _("Deliver what a tablet holds whose time is over"),
        takes=LateRequest,
        method="post",
        name="late",
    )
    def deliver_late(self, request: Request) -> Response:
        """Each item is kept for a person, by its key; the desk learns what the tablet holds after that."""
        validate_with(Nothing, single_query_params(request))
        read_idempotency_key(request)
        items = [held.OutboxItem(**dict(item)) for item in validate_with(LateRequest, request.data)["items"]]
        kept = held.quarantine_items(self.device, items, QuarantineReason.LATE)
        devices.record_tablet_seen(self.device, {"waiting": read_integer_header(request, "X-Waiting", X_WAITING_MAX)})
        return Response(kept._asdict(), status=202)
