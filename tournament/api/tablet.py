"""What every address of a tablet has: its token, its tables, the form of its items, and one shape of answer.

A custom header and a SameSite=Strict cookie stand for a CSRF token: no other site's page can send the one or make the
browser send the other. The server's clock orders everything; `made_at` is a claim.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.errors import Problem, Unknown, not_found
from tournament.api.fields import Nothing, Strict, Text, Whole, read
from tournament.api.keys import REPLAY, Answer, Author, Given, key_of
from tournament.api.resource import Address, Operation, asked_once, writes
from tournament.bridge.tablet import SCHEMA, receipt_of, state_of
from tournament.enums import HeldBecause, HeldOutcome
from tournament.errors import BadInput, Forbidden, Outdated, Refused
from tournament.models import Device, Scoresheet, Table, Unlock
from tournament.queries import devices as queries
from tournament.queries import receipts
from tournament.queries.receipts import Sheet
from tournament.services import devices, devices_held, devices_pin, epochs
from tournament.services.scoresheets import newest
from tournament.services.tokens import digest_of

COOKIE = "tablet"
LONGEST_TOKEN = 64
# A tablet keeps what it made of a sheet until that is safe: of a day's sessions, two tables each, and some more.
MOST_SHEETS = 60
SHEET = re.compile(r"([0-9]{1,3})/([0-9]{1,4})", re.ASCII)
MOST_WAITING, MOST_CLIENT = 9999, 999
DELIVERED, SETTLED = "tournament_delivered_for", "tournament_settled_by"

NOT_PAIRED = _("This tablet is not paired. Show it the desk's code.")
ENDED = {
    devices.Standing.REVOKED: ("tablet_revoked", _("The desk has cut this tablet off. What it has not sent is kept.")),
    devices.Standing.FOLLOWED: ("tablet_followed", _("This tablet has gone on to its next session.")),
    devices.Standing.EXPIRED: ("tablet_expired", _("The time of this tablet is over. Pair it again.")),
}
SCHEMA_MISSING = _("Send X-Client-Schema, the number of the form of the items.")
RELOAD = _("The page is older than the server takes. Send what waits, then load it again.")
SESSION_OVER = _("This session is closed. What this tablet has not sent is kept for the chief judge.")
PIN_NEEDED = _("This referee has not opened this tablet with a PIN.")
AFTER_LOCK = _("This was made while the tablet was locked. It is kept; the chief judge decides.")
PUT_ASIDE = _("The desk has set this aside: %(reason)s")


class Settling(NamedTuple):
    """Who enters a held item of a table at the desk, having seen this revision of its sheet."""

    by: AbstractUser
    table: Table
    seen: int


class MadeAfterLock(Refused):
    """An item that was made while nobody had the tablet open."""


class PairedTablets(BaseAuthentication):
    """The cookie, looked up in the database on every request; also one whose time is over, for what it still holds."""

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        """The tablet as `request.auth`; whose hands it is in as `request.user`."""
        delivered: Device | None = getattr(request._request, DELIVERED, None)
        device = delivered or device_of(request._request)
        return None if device is None else (device.opened_by or AnonymousUser(), device)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Tablet"


def sheets_of(request: Request) -> list[Sheet]:
    """X-Sheets: of which sheets the tablet keeps items, as "7/1 7/2": session and table."""
    text = request.headers.get("X-Sheets", "")
    found = [SHEET.fullmatch(one) for one in text.split()[:MOST_SHEETS]]
    return [(int(one[1]), int(one[2])) for one in found if one]


def device_of(request: HttpRequest) -> Device | None:
    """Whose cookie this is."""
    token = request.COOKIES.get(COOKIE, "")
    return queries.by_digest(digest_of(token)) if 0 < len(token) <= LONGEST_TOKEN else None


class ItemRequest(Strict):
    """What every item carries: whose PIN was open when it was made, and when that was by the tablet's clock."""

    referee = Whole(min_value=1)
    made_at = serializers.DateTimeField()


class ReasonRequest(ItemRequest):
    """An item with a reason."""

    reason = Text(max_length=500)


class TabletAnswer(serializers.Serializer):
    """`key` is the request's own, so that nobody else's answer is taken for it."""

    key = serializers.CharField()
    receipt = serializers.CharField(allow_blank=True)
    state = serializers.DictField()


class Recorded(serializers.Serializer):
    """The part of an answer that is kept; the state is read anew each time."""

    key = serializers.CharField()
    receipt = serializers.CharField(allow_blank=True)


class TabletAddress(Address):
    """An address for tablets. `dead_too`: also for one whose token holds no more."""

    authentication_classes = [PairedTablets]
    security = "tablet"
    refuses = (426, 429)
    dead_too = False
    device: Device
    settling: Settling | None = None

    def admit(self, request: Request) -> None:
        """405 before 401: the method, the token, that it holds, the form of its items. A person who settles needs no
        token that holds."""
        operation = self.offered(request)
        if not isinstance(request.auth, Device):
            raise Problem(Unknown("tablet_not_paired", NOT_PAIRED), epoch=epochs.known())
        self.device, self.event = request.auth, request.auth.event
        self.settling = getattr(request._request, SETTLED, None)
        worth = devices.standing(self.device)
        if worth is not devices.Standing.LIVE and not self.dead_too and self.settling is None:
            raise Problem(Unknown(*ENDED[worth]), epoch=epochs.known())
        if operation.takes is not None:
            require_schema(request)

    def author(self, request: Request) -> Author:
        """Whoever has the tablet open; its keys are the tablet's own."""
        return Author(self.device.opened_by, f"device:{self.device.pk}")

    def members(self, refusal: Refused, found: Any, given: Given) -> dict[str, Any]:
        """The key, and the state as it is, so that the page goes on from it."""
        return {"key": given.key, "state": self.state()}

    def state(self) -> dict[str, Any]:
        """The whole state, read now."""
        self.device = Device.objects.select_related(
            "event", "session__stage__event", "session__draw", "referee", "opened_by", "handed_out"
        ).get(pk=self.device.pk)
        return state_of(self.device, timezone.now(), epochs.current(), sheets_of(self.request))


class TabletResource(TabletAddress):
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
        if self.device.session.state in devices.OVER:
            raise Unknown("session_over", SESSION_OVER)
        delivered = getattr(request._request, DELIVERED, None) is not None
        if self.device.handed_out_id and not self.while_handed_out and not delivered:
            raise Forbidden("signing_only", devices.SIGNING_ONLY)

    def find(self, **path: Any) -> Table:
        """One of its tables; any other is not there."""
        if self.settling is not None:
            return self.settling.table
        table = queries.find_table(self.device, int(path["table"]))
        if table is None:
            raise not_found()
        return table

    def referee(self, given: Given) -> AbstractUser:
        """The referee in whose name the item was made, if their PIN has opened this tablet; else 403 `pin_needed`. Of
        a held item it is who settles it."""
        if self.settling is not None:
            return self.settling.by
        if getattr(self.request._request, DELIVERED, None) is None:
            refuse_made_after_lock(self.device, given.data["made_at"])
        wanted = given.data["referee"]
        opened = Unlock.objects.filter(device=self.device, referee=wanted, referee__is_active=True)
        unlock = opened.select_related("referee").first()
        if unlock is None:
            raise Forbidden("pin_needed", PIN_NEEDED)
        person: AbstractUser = unlock.referee
        return person


def refuse_made_after_lock(device: Device, made_at: datetime) -> None:
    """Whoever has a tablet that is locked has no referee's name: what they make is held, whatever it says, also once
    a PIN has opened it again (F9)."""
    if devices_pin.was_locked(device, made_at):
        raise MadeAfterLock("signed_conflict", AFTER_LOCK, about=device)


def require_schema(request: Request) -> None:
    """400 without X-Client-Schema, 426 where it is older than ours."""
    said = request.headers.get("X-Client-Schema", "").strip()
    if not (said.isascii() and said.isdecimal() and len(said) <= 3 and int(said) <= SCHEMA):
        raise BadInput("client_schema_missing", SCHEMA_MISSING)
    if int(said) < SCHEMA:
        raise Outdated("reload_after_sync", RELOAD)


def receipt_for(sheet: Scoresheet) -> str:
    """What an act at a sheet returns: the receipt code once it is locked."""
    return receipt_of(sheet)


Handler = Callable[[Any, Any, Given], str]


def changes(
    name: str,
    act: str,
    summary: str,
    *,
    takes: type[Strict] = Nothing,
    match: bool = False,
    kept: bool = True,
    holds: Callable[[Refused], bool] | None = None,
) -> Callable[[Handler], Callable[..., Response]]:
    """A tablet's change: `handle(self, found, given)` returns the receipt code (`receipt_for`),
    "" where there is none.

    Once for its key, as `writes` does it; `kept=False` for a PIN, of which nothing is kept. `act` is its name in the
    outbox. `holds` says of which refusals the whole item is kept for the chief judge, beside those of what was made on
    a locked tablet: it is answered 409 `signed_conflict` and held by its key, so that a second sending finds it held.
    What an earlier tablet had carried out under this key is answered as a replay.
    """

    def decorate(handle: Handler) -> Callable[..., Response]:
        def kept_part(self: Any, found: Any, given: Given) -> Answer:
            return Answer({"key": given.key, "receipt": handle(self, found, given)})

        stored = writes(name, act, summary, Recorded, takes=takes, match=match)(kept_part)

        @wraps(handle)
        def change(self: TabletAddress, request: Request, event: str = "", **path: Any) -> Response:
            refuse_settled(self, request)
            try:
                response = replay_of_another(self, request, path) if kept else None
                response = response or (
                    stored(self, request, **path) if kept else not_kept(self, request, handle, takes, path)
                )
            except Problem as problem:
                because = reason_to_hold(problem.refusal, holds)
                if because is None or self.settling is not None:
                    raise
                raise held(self, request, act, problem, path, because) from problem
            response.data = {**response.data, "state": self.state()}
            return response

        change.operation = replace(stored.operation, gives=TabletAnswer)  # type: ignore[attr-defined]
        return change

    return decorate


def refuse_settled(address: TabletAddress, request: Request) -> None:
    """409 for an item that a person has set aside at the desk, or has before them: it is not done because it comes
    again."""
    item = devices_held.known(address.device, key_of(request))
    if item is None or address.settling is not None or item.outcome == HeldOutcome.ENTERED:
        return
    # A package that met another sheet may have found its own since: the tablet's second sending is judged anew.
    if not item.outcome and item.because == HeldBecause.CONFLICT:
        return
    if item.outcome == HeldOutcome.SET_ASIDE:
        raise Refused("put_aside", PUT_ASIDE, about=item, reason=item.settled_reason)
    refusal = Refused("signed_conflict", devices_held.WAITS, about=item)
    raise Problem(refusal, key=key_of(request), held=item.because, state=address.state())


def replay_of_another(address: TabletAddress, request: Request, path: dict[str, Any]) -> Response | None:
    """The answer to an item that the tablet had carried out before it was paired again: nothing is done."""
    key = key_of(request)
    if "table" not in path or address.settling is not None or not receipts.of_another(address.device, key):
        return None
    sheet = newest(address.find(**path))
    return Response({"key": key, "receipt": receipt_of(sheet)}, headers={REPLAY: "true"})


def reason_to_hold(refusal: Refused, holds: Callable[[Refused], bool] | None) -> HeldBecause | None:
    """Why an item that was refused is kept for a person; None where it is not."""
    if isinstance(refusal, MadeAfterLock):
        return HeldBecause.LOCKED
    return HeldBecause.CONFLICT if holds is not None and holds(refusal) else None


def not_kept(
    address: TabletAddress, request: Request, handle: Handler, takes: type[Strict], path: dict[str, Any]
) -> Response:
    """Done as often as it is sent, and no answer stored; what is counted stays counted when it is refused."""
    found = address.find(**path)
    read(Nothing, asked_once(request))
    given = Given(address.author(request), key_of(request), None, read(takes, request.data))
    try:
        return Response({"key": given.key, "receipt": handle(address, found, given)})
    except Refused as refusal:
        raise Problem(refusal, key=given.key) from refusal


def held(
    address: TabletAddress, request: Request, act: str, problem: Problem, path: dict[str, Any], because: HeldBecause
) -> Problem:
    """Keep the whole item for a person, and say so."""
    table = address.find(**path)
    match = request.headers.get("If-Match", "").strip('"v ')
    item = devices_held.Item(
        key=key_of(request),
        act=act,
        session=table.session.number,
        table=table.number,
        revision=int(match) if match else None,
        body=dict(request.data),
    )
    devices_held.hold(address.device, [item], because, problem.refusal.code)
    sentence = AFTER_LOCK if because is HeldBecause.LOCKED else devices_held.CONFLICT
    members = {"key": item.key, **problem.members, "held": because.value, "state": address.state()}
    return Problem(Refused("signed_conflict", sentence, about=table), because=problem.refusal.code, **members)


def operation_without_once(
    name: str, summary: str, gives: type[serializers.Serializer], takes: type[Strict] | None, status: int = 200
) -> Operation:
    """The declaration of an act that is not run by its key: pairing, going on, what came late."""
    return Operation(name, "", summary, gives, takes=takes, status=status)
