"""Tampering with what happened at the tables and with the tablets (reliability 3.9): changed, deleted, inserted rows.

They are found in the world that `make_conduct` leaves behind: each of these once at least, by the real services.
"""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.reliability.tamper_kinds import kind
from tournament.models import (
    ClockEvent,
    Device,
    DeviceTable,
    HeldItem,
    Incident,
    JudgeCall,
    NoteEnd,
    Pairing,
    Table,
    Warning,
)
from tournament.services import clock, conduct, conduct_notes, devices, devices_held


def first(model: Any, **where: Any) -> Any:
    """The oldest row."""
    return model.objects.filter(**where).order_by("pk")[0]


def change(row: Any, **values: Any) -> None:
    """By SQL, past every service."""
    type(row).objects.filter(pk=row.pk).update(**values)


def copied(row: Any, **values: Any) -> Any:
    """One more row, as this one but for some values."""
    for name, value in {"pk": None, **values}.items():
        setattr(row, name, value)
    row.save(force_insert=True)
    return row


def somebody_else() -> User:
    """An account that did none of it."""
    return User.objects.get(username="clerk3")


# --- Warnings, incidents --------------------------------------------------------------------------------
@kind(conduct=True)
def change_a_warning_s_reason() -> str:
    row = first(Warning)
    change(row, reason="another")
    return f"entrant {row.entrant.number:04d}"


@kind(conduct=True)
def give_a_warning_to_another() -> str:
    row = first(Warning)
    change(row, entrant=row.entrant.event.entrants.exclude(pk=row.entrant_id).order_by("pk")[0])
    return f"entrant {row.entrant.number:04d}"


@kind(conduct=True)
def delete_a_warning() -> str:
    row = first(Warning)
    Warning.objects.filter(pk=row.pk).delete()
    return f"entrant {row.entrant.number:04d}"


@kind(conduct=True)
def insert_a_warning() -> str:
    row = first(Warning)
    copied(row, number=2)
    return f"entrant {row.entrant.number:04d}"


@kind(conduct=True)
def change_an_incident_s_seat() -> str:
    row = first(Incident)
    change(row, letter="A")
    return conduct.thing(row.table)


@kind(conduct=True)
def move_an_incident_to_another_table() -> str:
    row = first(Incident)
    change(row, table=Table.objects.filter(session=row.table.session).exclude(pk=row.table_id).order_by("pk")[0])
    return conduct.thing(row.table)


@kind(conduct=True)
def delete_an_incident() -> str:
    row = first(Incident)
    Incident.objects.filter(pk=row.pk).delete()
    return conduct.thing(row.table)


@kind(conduct=True)
def insert_an_incident() -> str:
    return conduct.thing(copied(first(Incident)).table)


# --- Calls ----------------------------------------------------------------------------------------------
@kind(conduct=True)
def change_why_the_chief_judge_was_called() -> str:
    row = first(JudgeCall)
    change(row, reason="another")
    return conduct.call_thing(row)


@kind(conduct=True)
def change_what_was_ruled() -> str:
    row = first(JudgeCall, answered_at__isnull=False)
    change(row, answer="the other way round")
    return conduct.call_thing(row)


@kind(conduct=True)
def change_who_ruled() -> str:
    row = first(JudgeCall, answered_at__isnull=False)
    change(row, answered_by=somebody_else())
    return conduct.call_thing(row)


@kind(conduct=True)
def take_a_ruling_back() -> str:
    row = first(JudgeCall, answered_at__isnull=False)
    change(row, answer="", answered_by=None, answered_at=None)
    return conduct.call_thing(row)


@kind(conduct=True)
def answer_a_call_in_silence() -> str:
    row = first(JudgeCall, answered_at=None)
    change(row, answer="the turn stands", answered_by=row.raised_by, answered_at=timezone.now())
    return conduct.call_thing(row)


@kind(conduct=True)
def change_when_a_call_was_taken() -> str:
    row = first(JudgeCall, taken_at__isnull=False)
    change(row, taken_at=row.taken_at - timedelta(minutes=5))
    return conduct.call_thing(row)


@kind(conduct=True)
def delete_a_call() -> str:
    row = first(JudgeCall)
    JudgeCall.objects.filter(pk=row.pk).delete()
    return conduct.call_thing(row)


@kind(conduct=True)
def insert_a_call() -> str:
    return conduct.call_thing(copied(first(JudgeCall)))


# --- What became of notes --------------------------------------------------------------------------------
@kind(conduct=True)
def change_why_a_note_was_taken_back() -> str:
    row = first(NoteEnd)
    change(row, reason="another")
    return conduct_notes.thing_of_end(row)


@kind(conduct=True)
def let_a_note_stand_that_was_taken_back() -> str:
    row = first(NoteEnd)
    NoteEnd.objects.filter(pk=row.pk).delete()
    return conduct_notes.thing_of_end(row)


# --- Clocks ---------------------------------------------------------------------------------------------
@kind(conduct=True)
def change_how_long_a_table_plays_on() -> str:
    row = first(ClockEvent, kind="overtime")
    change(row, minutes=30)
    return clock.thing_of(row)


@kind(conduct=True)
def change_when_a_session_started() -> str:
    row = first(ClockEvent, kind="start")
    change(row, at=row.at - timedelta(minutes=9))
    return clock.thing_of(row)


@kind(conduct=True)
def change_the_escort_of_a_pause() -> str:
    row = first(ClockEvent, kind="pause")
    change(row, escort="nobody")
    return clock.thing_of(row)


@kind(conduct=True)
def delete_a_pause_s_end() -> str:
    row = first(ClockEvent, kind="unpause")
    ClockEvent.objects.filter(pk=row.pk).delete()
    return clock.thing_of(row)


@kind(conduct=True)
def insert_an_overtime() -> str:
    return clock.thing_of(copied(first(ClockEvent, kind="overtime")))


# --- Tablets --------------------------------------------------------------------------------------------
@kind(conduct=True)
def change_for_whom_a_code_was_made() -> str:
    row = first(Pairing)
    change(row, referee=somebody_else())
    return devices.thing_of(row.session, row.tables)


@kind(conduct=True)
def make_a_used_code_new() -> str:
    row = first(Pairing, used_at__isnull=False)
    change(row, used_at=None)
    return devices.thing_of(row.session, row.tables)


@kind(conduct=True)
def delete_a_code() -> str:
    row = first(Pairing)
    Pairing.objects.filter(pk=row.pk).delete()
    return devices.thing_of(row.session, row.tables)


@kind(conduct=True)
def insert_a_code() -> str:
    row = copied(first(Pairing), digest="c" * 64)
    return devices.thing_of(row.session, row.tables)


@kind(conduct=True)
def give_a_tablet_another_token() -> str:
    row = first(Device)
    change(row, digest="d" * 64)
    return str(row)


@kind(conduct=True)
def give_a_tablet_one_more_table() -> str:
    row = first(Device)
    bound = row.device_tables.values("table")
    table = Table.objects.filter(session=row.session).exclude(pk__in=bound).order_by("pk")[0]
    DeviceTable.objects.create(device=row, table=table, ended_at=timezone.now())
    return str(row)


@kind(conduct=True)
def let_a_tablet_live_longer() -> str:
    row = first(Device)
    change(row, expires_at=row.expires_at + timedelta(days=1))
    return str(row)


@kind(conduct=True)
def bring_a_revoked_tablet_back() -> str:
    row = first(Device, revoked_at__isnull=False)
    change(row, revoked_at=None, revoked_by=None, revoked_reason="")
    return str(row)


@kind(conduct=True)
def change_why_a_tablet_was_revoked() -> str:
    row = Device.objects.filter(revoked_at__isnull=False).order_by("-pk")[0]
    change(row, revoked_reason="was stolen")
    return str(row)


@kind(conduct=True)
def insert_a_tablet() -> str:
    return str(copied(first(Device), number=99, digest="e" * 64, followed_by=None))


# --- Held items -----------------------------------------------------------------------------------------
@kind(conduct=True)
def change_what_is_told_of_a_held_item() -> str:
    row = first(HeldItem)
    change(row, body={**row.body, "reason": "another"})
    return devices_held.thing_of(row)


@kind(conduct=True)
def change_the_sealed_body_of_a_held_item() -> str:
    row = first(HeldItem)
    change(row, sealed=bytes(row.sealed)[:-1] + b"!")
    return devices_held.thing_of(row)


@kind(conduct=True)
def change_how_a_held_item_was_settled() -> str:
    row = first(HeldItem, outcome="entered")
    change(row, outcome="set_aside")
    return devices_held.thing_of(row)


@kind(conduct=True)
def change_who_settled_a_held_item() -> str:
    row = first(HeldItem, settled_at__isnull=False)
    change(row, settled_by=somebody_else())
    return devices_held.thing_of(row)


@kind(conduct=True)
def make_a_settled_item_wait_again() -> str:
    row = first(HeldItem, settled_at__isnull=False)
    change(row, outcome="", settled_at=None, settled_by=None, settled_reason="")
    return devices_held.thing_of(row)


@kind(conduct=True)
def delete_a_held_item() -> str:
    row = first(HeldItem)
    HeldItem.objects.filter(pk=row.pk).delete()
    return devices_held.thing_of(row)


@kind(conduct=True)
def insert_a_held_item() -> str:
    return devices_held.thing_of(copied(first(HeldItem), key="another-key"))
