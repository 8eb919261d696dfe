"""What every address of a tablet has: its token, its tables, the form of its items, and one shape of answer.

A custom header and a SameSite=Strict cookie stand for a CSRF token: no other site's page can send the one or make the
browser send the other. The server's clock orders everything; `made_at` is a claim.
"""

import re
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import NotSignedIn, ProblemError, found_or_404
from tournament.api.fields import Nothing, PlainTextField, StrictBody, StrictIntegerField, validate_with
from tournament.api.keys import REPLAY_HEADER, ChangeAuthor, RequestData, read_idempotency_key
from tournament.api.operations import Operation, OperationView, changes, operation, single_query_params
from tournament.api.services import api_token_digest
from tournament.api.viewsets import ApiViewSet
from tournament.core import enums
from tournament.core.enums import QuarantineReason, SubmissionOutcome
from tournament.core.errors import BadInput, Forbidden, Outdated, Refused
from tournament.devices import queries
from tournament.devices.models.device import Device, Unlock
from tournament.devices.services import devices, epochs, pin
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services.scoresheets import newest_version
from tournament.tables.models import Table
from tournament.tablets.domain import TABLET_SCHEMA, tablet_state
from tournament.tablets.queries import receipts
from tournament.tablets.queries.receipts import SheetNumbers
from tournament.tablets.services import held

TABLET_COOKIE_NAME = "tablet"
TABLET_TOKEN_MAX_LENGTH = 64
# A tablet keeps what it made of a sheet until that is safe: of a day's sessions, two tables each, and some more.
X_SHEETS_MAX = 60
X_SHEETS_RE = re.compile(r"([0-9]{1,3})/([0-9]{1,4})", re.ASCII)
X_WAITING_MAX, X_CLIENT_MAX = 9999, 999
DELIVERED_FOR_ENVIRON, RESOLVED_BY_ENVIRON = "tournament_delivered_for", "tournament_settled_by"

TABLET_NOT_PAIRED = _("This tablet is not paired. Show it the desk's code.")
TABLET_STATUS_ERRORS = {
    devices.TokenStatus.REVOKED: (
        "tablet_revoked",
        _("The desk has cut this tablet off. What it has not sent is kept."),
    ),
    devices.TokenStatus.FOLLOWED: ("tablet_followed", _("This tablet has gone on to its next session.")),
    devices.TokenStatus.EXPIRED: ("tablet_expired", _("The time of this tablet is over. Pair it again.")),
}
SCHEMA_MISSING = _("Send X-Client-Schema, the number of the form of the items.")
CLIENT_SCHEMA_OUTDATED = _("The page is older than the server takes. Send what waits, then load it again.")
TABLET_SESSION_CLOSED = _("This session is closed. What this tablet has not sent is kept for the chief judge.")
TABLET_NOT_OPENED = _("This referee has not opened this tablet with a PIN.")
ITEM_MADE_AFTER_LOCK = _("This was made while the tablet was locked. It is kept; the chief judge decides.")
SUBMISSION_DISCARDED = _("The desk has set this aside: %(reason)s")


class DeskResolution(NamedTuple):
    """Who enters a held item of a table at the desk, having seen this revision of its sheet."""

    by: User
    table: Table
    seen: int


class MadeAfterLockError(Refused):
    """An item that was made while nobody had the tablet open."""


class PairedTablets(BaseAuthentication):
    """The cookie, looked up in the database on every request; also one whose time is over, for what it still holds."""

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        """The tablet as `request.auth`; whose hands it is in as `request.user`."""
        delivered: Device | None = getattr(request._request, DELIVERED_FOR_ENVIRON, None)
        device = delivered or device_of(request._request)
        return None if device is None else (device.opened_by or AnonymousUser(), device)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Tablet"


def read_x_sheets(request: Request) -> list[SheetNumbers]:
    """X-Sheets: of which sheets the tablet keeps items, as "7/1 7/2": session and table."""
    text = request.headers.get("X-Sheets", "")
    found = [X_SHEETS_RE.fullmatch(one) for one in text.split()[:X_SHEETS_MAX]]
    return [(int(one[1]), int(one[2])) for one in found if one]


def device_of(request: HttpRequest) -> Device | None:
    """The tablet whose cookie this is; None where it is missing or unknown."""
    token = request.COOKIES.get(TABLET_COOKIE_NAME, "")
    return (
        queries.device_by_token_digest(api_token_digest(token)) if 0 < len(token) <= TABLET_TOKEN_MAX_LENGTH else None
    )


class ItemRequest(StrictBody):
    """What every item carries: whose PIN was open when it was made, and when that was by the tablet's clock."""

    referee = StrictIntegerField(min_value=1)
    made_at = serializers.DateTimeField()


class TabletReasonRequest(ItemRequest):
    """An item with a reason."""

    reason = PlainTextField(max_length=500)


class TabletAnswer(serializers.Serializer[Any]):
    """`key` is the request's own, so that nobody else's answer is taken for it."""

    key = serializers.CharField()
    receipt = serializers.CharField(allow_blank=True)
    state = serializers.DictField()


class HoldsTablet(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        """The address itself says by exception who is not let in."""
        view.admit(request)
        return True


class TabletViewSet(ApiViewSet):
    """An address for tablets. `dead_too`: also for one whose token holds no more."""

    authentication_classes = [PairedTablets]
    permission_classes = [HoldsTablet]
    chapter = "tablet"
    security = "tablet"
    refuses: tuple[int, ...] = (426, 429)
    dead_too = False
    device: Device
    settling: DeskResolution | None = None

    def admit(self, request: Request) -> None:
        """405 before 401: the method, the token, that it holds, the form of its items. A person who settles needs no
        token that holds."""
        self.offered()
        if not isinstance(request.auth, Device):
            raise ProblemError(NotSignedIn("tablet_not_paired", TABLET_NOT_PAIRED), epoch=epochs.known_epoch_mark())
        self.device, self.event = request.auth, request.auth.event
        self.settling = getattr(request._request, RESOLVED_BY_ENVIRON, None)
        worth = devices.token_status(self.device)
        if worth is not devices.TokenStatus.LIVE and not self.dead_too and self.settling is None:
            raise ProblemError(NotSignedIn(*TABLET_STATUS_ERRORS[worth]), epoch=epochs.known_epoch_mark())
        if request.method not in SAFE_METHODS:
            require_schema(request)

    def author(self) -> ChangeAuthor:
        """Whoever has the tablet open; its keys are the tablet's own."""
        return ChangeAuthor(self.device.opened_by, f"device:{self.device.pk}")

    def members(self, refusal: Refused, found: Any, given: RequestData) -> dict[str, Any]:
        """The key, and the state as it is, so that the page goes on from it."""
        return {"key": given.key, "state": self.state()}

    def state(self) -> dict[str, Any]:
        """The whole state, read now."""
        self.device = Device.objects.select_related(
            "event", "session__stage__event", "session__draw", "referee", "opened_by", "handed_out"
        ).get(pk=self.device.pk)
        return tablet_state(self.device, timezone.now(), epochs.current_epoch_mark(), read_x_sheets(self.request))


class TabletTableViewSet(TabletViewSet):
    """An act at one of the tablet's tables (`<int:table>`); `while_handed_out`: also while the players hold it.

    `self.referee(given)` is in whose name it is done: call it first.
    """

    while_handed_out = False

    def admit(self, request: Request) -> None:
        """The session is not over; the players' hands change nothing. What the desk delivers from a file is of
        before."""
        super().admit(request)
        if self.settling is not None:
            return
        if self.device.session.state in enums.ENDED:
            raise NotSignedIn("session_over", TABLET_SESSION_CLOSED)
        delivered = getattr(request._request, DELIVERED_FOR_ENVIRON, None) is not None
        if self.device.handed_out_id and not self.while_handed_out and not delivered:
            raise Forbidden("signing_only", devices.SIGNING_ONLY)

    def get_object(self) -> Table:
        """One of its tables; any other is not there."""
        if self.settling is not None:
            return self.settling.table
        return found_or_404(queries.find_table_of_device(self.device, self.kwargs["table"]))

    def referee(self, given: RequestData) -> User:
        """The referee in whose name the item was made, if their PIN has opened this tablet; else 403 `pin_needed`. Of
        a held item it is who settles it."""
        if self.settling is not None:
            return self.settling.by
        if getattr(self.request._request, DELIVERED_FOR_ENVIRON, None) is None:
            refuse_made_after_lock(self.device, given.data["made_at"])
        wanted = given.data["referee"]
        opened = Unlock.objects.filter(device=self.device, referee=wanted, referee__is_active=True)
        unlock = opened.select_related("referee").first()
        if unlock is None:
            raise Forbidden("pin_needed", TABLET_NOT_OPENED)
        person: User = unlock.referee
        return person


def refuse_made_after_lock(device: Device, made_at: datetime) -> None:
    """Whoever has a tablet that is locked has no referee's name: what they make is held, whatever it says, also once
    a PIN has opened it again (X40)."""
    if pin.was_locked(device, made_at):
        raise MadeAfterLockError("signed_conflict", ITEM_MADE_AFTER_LOCK, about=device)


def require_schema(request: Request) -> None:
    """400 without X-Client-Schema, 426 where it is older than ours."""
    said = request.headers.get("X-Client-Schema", "").strip()
    if not (said.isascii() and said.isdecimal() and len(said) <= 3 and int(said) <= TABLET_SCHEMA):
        raise BadInput("client_schema_missing", SCHEMA_MISSING)
    if int(said) < TABLET_SCHEMA:
        raise Outdated("reload_after_sync", CLIENT_SCHEMA_OUTDATED)


def receipt_for(sheet: Scoresheet) -> str:
    """What an act at a sheet returns: the receipt code once it is locked."""
    return receipt_code(sheet)


TabletHandler = Callable[[Any, Any, RequestData], str]


def tablet_changes(
    act: str,
    summary: str,
    *,
    takes: type[StrictBody] = Nothing,
    match: bool = False,
    kept: bool = True,
    holds: Callable[[Refused], bool] | None = None,
) -> Callable[[TabletHandler], OperationView]:
    """A tablet's change: `handle(self, found, given)` returns the receipt code (`receipt_for`),
    "" where there is none.

    Once for its key, as `changes` does it; `kept=False` for a PIN, of which nothing is kept. `act` is its name in the
    outbox and its address. `holds` says of which refusals the whole item is kept for the chief judge, beside those of
    what was made on a locked tablet: it is answered 409 `signed_conflict` and held by its key, so that a second sending
    finds it held. What an earlier tablet had carried out under this key is answered as a replay.
    """

    def decorate(handle: TabletHandler) -> OperationView:
        def kept_part(self: Any, found: Any, given: RequestData) -> Response:
            return Response({"key": given.key, "receipt": handle(self, found, given)})

        stored = changes("", act, summary, takes, match=match)(kept_part)

        @wraps(handle)
        def change(self: TabletViewSet, request: Request, **path: Any) -> Response:
            refuse_resolved_submission(self, request)
            try:
                response = replay_of_another(self, request) if kept else None
                response = response or (
                    stored(self, request) if kept else run_without_stored_answer(self, request, handle, takes)
                )
            except ProblemError as problem:
                because = quarantine_reason(problem.refusal, holds)
                if because is None or self.settling is not None:
                    raise
                raise quarantine_request(self, request, act, problem, because) from problem
            response.data = {**response.data, "state": self.state()}
            return response

        declared, name = Operation(act, TabletAnswer, match), act.replace("-", "_")
        return operation(f"/{act}/", declared, summary, takes=takes, method="post", name=name)(change)

    return decorate


def refuse_resolved_submission(address: TabletViewSet, request: Request) -> None:
    """409 for an item that a person has set aside at the desk, or has before them: it is not done because it comes
    again."""
    item = held.find_submission(address.device, read_idempotency_key(request))
    if item is None or address.settling is not None or item.outcome == SubmissionOutcome.ENTERED:
        return
    # A package that met another sheet may have found its own since: the tablet's second sending is judged anew.
    if not item.outcome and item.because == QuarantineReason.CONFLICT:
        return
    if item.outcome == SubmissionOutcome.SET_ASIDE:
        raise Refused("put_aside", SUBMISSION_DISCARDED, about=item, reason=item.resolved_reason)
    refusal = Refused("signed_conflict", held.SUBMISSION_WAITS_AT_DESK, about=item)
    raise ProblemError(refusal, key=read_idempotency_key(request), held=item.because, state=address.state())


def replay_of_another(address: TabletViewSet, request: Request) -> Response | None:
    """The answer to an item that the tablet had carried out before it was paired again: nothing is done."""
    key = read_idempotency_key(request)
    settled = "table" not in address.kwargs or address.settling is not None
    if settled or not receipts.is_key_of_other_device(address.device, key):
        return None
    sheet = newest_version(address.get_object())
    return Response({"key": key, "receipt": receipt_code(sheet)}, headers={REPLAY_HEADER: "true"})


def quarantine_reason(refusal: Refused, holds: Callable[[Refused], bool] | None) -> QuarantineReason | None:
    """Why an item that was refused is kept for a person; None where it is not."""
    if isinstance(refusal, MadeAfterLockError):
        return QuarantineReason.LOCKED
    return QuarantineReason.CONFLICT if holds is not None and holds(refusal) else None


def run_without_stored_answer(
    address: TabletViewSet, request: Request, handle: TabletHandler, takes: type[StrictBody]
) -> Response:
    """Done as often as it is sent, and no answer stored; what is counted stays counted when it is refused."""
    found = address.get_object()
    validate_with(Nothing, single_query_params(request))
    given = RequestData(address.author(), read_idempotency_key(request), None, validate_with(takes, request.data))
    try:
        return Response({"key": given.key, "receipt": handle(address, found, given)})
    except Refused as refusal:
        raise ProblemError(refusal, key=given.key) from refusal


def quarantine_request(
    address: TabletViewSet,
    request: Request,
    act: str,
    problem: ProblemError,
    because: QuarantineReason,
) -> ProblemError:
    """Keep the whole item for a person, and say so."""
    table = address.get_object()
    match = request.headers.get("If-Match", "").strip('"v ')
    item = held.OutboxItem(
        key=read_idempotency_key(request),
        act=act,
        session=table.session.number,
        table=table.number,
        revision=int(match) if match else None,
        body=dict(request.data),
    )
    held.quarantine_items(address.device, [item], because, problem.refusal.code)
    sentence = ITEM_MADE_AFTER_LOCK if because is QuarantineReason.LOCKED else held.SUBMISSION_CONFLICT
    members = {"key": item.key, **problem.members, "held": because.value, "state": address.state()}
    return ProblemError(Refused("signed_conflict", sentence, about=table), because=problem.refusal.code, **members)
