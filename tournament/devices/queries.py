"""Reads about tablets: by token, a session's, what they hold back, who may open one, where one goes on to."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from tournament.core.enums import Role, SessionState
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session, Stage
from tournament.devices.models.device import Device, DeviceTable, Pairing, PinTry, QuarantinedSubmission
from tournament.tables.models import Table

SILENT_AFTER = timedelta(seconds=60)
SKEWED_MS = 120_000
# Nobody sits down at these: over, or put off until there are new times.
ENDED_SESSION_STATES = (SessionState.CLOSED, SessionState.VOID, SessionState.POSTPONED)


def device_by_token_digest(digest: str) -> Device | None:
    """The tablet whose token has this digest, with all that a request asks of it."""
    return (
        Device.objects.filter(digest=digest)
        .select_related("event", "session__stage__event", "session__draw", "referee", "opened_by", "handed_out")
        .first()
    )


def tablet_referees(event: Event) -> list[User]:
    """Who may open a tablet of the event: its referees, and chief judges, with a PIN and an open account, by name."""
    chosen = Membership.objects.filter(event=event, role__in=(Role.REFEREE, Role.CHIEF_JUDGE)).values("user")
    found = User.objects.filter(pk__in=chosen, referee_pins__event=event, is_active=True)
    return list(found.order_by("first_name", "username"))


def tables_of_device(device: Device) -> QuerySet[Table]:
    """The tables that the tablet serves now, by number."""
    return Table.objects.filter(device_tables__device=device, device_tables__ended_at=None).order_by("number")


def find_table_of_device(device: Device, number: int) -> Table | None:
    """A table that the tablet serves now, with all that its sheet needs."""
    return (
        tables_of_device(device)
        .filter(number=number)
        .select_related("session__stage__event", "session__draw", "referee")
        .first()
    )


def find_table_ever_served(device: Device, session: int, number: int) -> Table | None:
    """A table that this tablet, or one that it follows, has ever served."""
    return (
        Table.objects.filter(
            Q(device_tables__device=device) | Q(device_tables__device__followed_by=device),
            session__stage__event=device.event_id,
            session__number=session,
            number=number,
        )
        .select_related("session__stage__event", "session__draw")
        .first()
    )


class NextTables(NamedTuple):
    """Where a tablet goes on to."""

    session: Session
    tables: Sequence[Table]


def next_tables_of(device: Device) -> NextTables | None:
    """The referee's next session by its time, where seats are confirmed: its one or two tables that no other tablet
    serves, nor another tablet of the same referee goes on with, which now has the table of that number."""
    living = {"ended_at": None, "device__revoked_at": None, "device__followed_by": None}
    others = DeviceTable.objects.filter(**living, device__expires_at__gt=timezone.now()).exclude(device=device)
    beside = others.filter(table__session=device.session_id, device__referee=device.referee_id)
    tables = list(
        Table.objects.filter(
            referee=device.referee_id,
            session__stage__event=device.event_id,
            session__play_at__gt=device.session.play_at,
            session__draw__confirmed_at__isnull=False,
        )
        .exclude(session__state__in=ENDED_SESSION_STATES)
        .annotate(served=Exists(others.filter(table=OuterRef("pk"))))
        .annotate(left=Exists(beside.filter(table__number=OuterRef("number"))))
        .select_related("session__stage__event", "session__draw")
        .order_by("session__play_at", "session_id", "number")
    )
    session = tables[0].session if tables else None
    free = [one for one in tables if one.session == session and not (one.served or one.left)]
    return NextTables(session, free[:2]) if session and free else None


class MovedTable(NamedTuple):
    """A table that went from one tablet to another: its number, the other tablet's."""

    table: int
    tablet: int


def tables_taken_from(device: Device) -> list[MovedTable]:
    """Tables that another tablet has taken over from this one."""
    rows = (
        DeviceTable.objects.filter(table__device_tables__device=device, table__device_tables__ended_at__isnull=False)
        .exclude(device=device)
        .filter(device__paired_at__gt=device.paired_at, ended_at=None)
    )
    return [MovedTable(*pair) for pair in rows.values_list("table__number", "device__number").order_by("table__number")]


def tables_taken_by(device: Device) -> list[MovedTable]:
    """Tables that this tablet has taken over from another when it was paired."""
    rows = DeviceTable.objects.filter(
        table__device_tables__device=device, ended_at=device.paired_at, device__event=device.event_id
    ).exclude(device=device)
    return [MovedTable(*pair) for pair in rows.values_list("table__number", "device__number").order_by("table__number")]


# --- The desk -------------------------------------------------------------------------------------------
def active_devices(event: Event) -> list[Device]:
    """Tablets whose token holds, or that said something waits, with their tables; three queries, however many."""
    served_now = DeviceTable.objects.select_related("table").order_by("table__number")
    return list(
        Device.objects.filter(event=event)
        .filter(Q(revoked_at=None, followed_by=None) | Q(waiting__gt=0, followed_by=None))
        .select_related("session__stage", "referee", "opened_by", "handed_out", "revoked_by")
        .prefetch_related(Prefetch("device_tables", queryset=served_now))
        .order_by("-session__play_at", "number")
    )


def wrong_pin_tries(found: Sequence[Device]) -> dict[int, list[PinTry]]:
    """By tablet: whose PINs were typed wrong since the last right one; one query."""
    rows = PinTry.objects.filter(device__in=found, wrong__gt=0).select_related("referee").order_by("referee__username")
    wrong: dict[int, list[PinTry]] = {}
    for row in rows:
        wrong.setdefault(row.device_id, []).append(row)
    return wrong


def devices_holding_items(session: Session) -> list[Device]:
    """Tablets of a session that still say something waits, wherever their token stands."""
    return list(
        Device.objects.filter(session=session, waiting__gt=0, followed_by=None)
        .order_by("number")
        .select_related("referee")
    )


class SilentTablet(NamedTuple):
    """A tablet of which nobody can say what it holds: the numbers of its tables, since when it was not heard."""

    device: Device
    numbers: Sequence[int]
    since: datetime
    minutes: int


def device_serving_table(table: Table, now: datetime) -> Device | None:
    """The tablet that serves a table now, if its token holds."""
    rows = Device.objects.filter(device_tables__table=table, device_tables__ended_at=None, expires_at__gt=now)
    return rows.filter(revoked_at=None, followed_by=None).first()


def silent_tablets(session: Session, now: datetime, before: datetime) -> list[SilentTablet]:
    """Tablets of a session that may still record for it and were not heard since `before`; two queries."""
    served_now = DeviceTable.objects.filter(ended_at=None).select_related("table").order_by("table__number")
    rows = (
        Device.objects.filter(session=session, revoked_at=None, followed_by=None)
        .annotate(heard_at=Greatest("paired_at", Coalesce("last_seen_at", "paired_at")))
        .filter(heard_at__lt=before)
        .select_related("referee")
        .prefetch_related(Prefetch("device_tables", queryset=served_now))
        .order_by("number")
    )
    return [
        SilentTablet(
            device,
            [served.table.number for served in device.device_tables.all()],
            device.heard_at,
            int((now - device.heard_at).total_seconds()) // 60,
        )
        for device in rows
    ]


def unresolved_submissions(event: Event, session: Session | None = None) -> list[QuarantinedSubmission]:
    """What waits for a person: the event's, or one session's, the oldest first."""
    rows = unrecorded_submissions(event)
    if session is not None:
        rows = rows.filter(Q(table__session=session) | Q(table=None, device__session=session))
    return list(rows.select_related("table__session", "device").order_by("id"))


def count_unresolved_submissions(stage: Stage) -> int:
    """How many items of a stage's tables wait for a person."""
    of_stage = Q(table__session__stage=stage) | Q(table=None, device__session__stage=stage)
    return unrecorded_submissions(stage.event_id).filter(of_stage).count()


def tablets_with_waiting_items(stage: Stage) -> list[int]:
    """The numbers of a stage's tablets that say something waits, but those that the desk has cut off with a reason."""
    rows = Device.objects.filter(session__stage=stage, waiting__gt=0, followed_by=None, revoked_at=None)
    return list(rows.order_by("number").values_list("number", flat=True))


def resolved_submissions(event: Event, most: int = 50) -> list[QuarantinedSubmission]:
    """What a person has settled, the newest first."""
    rows = QuarantinedSubmission.objects.filter(event=event).exclude(outcome="")
    return list(rows.select_related("table__session", "device", "resolved_by").order_by("-resolved_at")[:most])


def sessions_to_pair(event: Event) -> list[Session]:
    """Sessions with confirmed seats that are not over, by time."""
    return list(
        Session.objects.filter(stage__event=event, draw__confirmed_at__isnull=False)
        .exclude(state__in=ENDED_SESSION_STATES)
        .select_related("stage__event", "draw")
        .order_by("play_at")
    )


class RefereeTables(NamedTuple):
    """One or two tables of a referee: what one tablet serves."""

    referee: User
    numbers: Sequence[int]


def tables_by_referee(session: Session) -> list[RefereeTables]:
    """A session's tables two by two under their referees."""
    found: dict[User, list[int]] = {}
    rows = Table.objects.filter(session=session).select_related("referee").order_by("number")
    for table in rows:
        if table.referee is not None:
            found.setdefault(table.referee, []).append(table.number)
    return [
        RefereeTables(referee, numbers[place : place + 2])
        for referee, numbers in found.items()
        for place in range(0, len(numbers), 2)
    ]


def find_pairing(event: Event, number: int) -> Pairing | None:
    """A code's row by its number."""
    rows = Pairing.objects.filter(session__stage__event=event, pk=number)
    return rows.select_related("session__stage__event", "session__draw", "referee").first()


def unrecorded_submissions(event: Event | int | None = None) -> QuerySet[QuarantinedSubmission]:
    """What tablets have brought and nobody has recorded or put aside, in no order."""
    rows = QuarantinedSubmission.objects.filter(outcome="")
    return rows if event is None else rows.filter(event=event)
