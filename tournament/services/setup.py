"""An event, its stage, sessions and accounts, from data that people can read (fixtures/event.json)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import AbstractUser, User
from django.db import transaction

from tournament.enums import Role
from tournament.models import AuditHead, Event, Membership, Session, Stage
from tournament.services import audit


@transaction.atomic
def create_event(data: Mapping[str, Any], by: AbstractUser | None = None) -> Event:
    """Make an event with its stages and sessions.

    `data` is the shape of fixtures/event.json: names, venue, quota, `results_at` and session times as ISO 8601 with an
    offset, each stage with `kind`, `ruleset`, `advance` and its `sessions`. An event whose slug exists is returned as it
    stands: sent twice it does nothing.

    1. the event and its audit head; 2. its stages; 3. their sessions; 4. the audit entry.
    """
    existing = Event.objects.filter(slug=data["slug"]).first()
    if existing:
        return existing
    event = Event.objects.create(
        slug=data["slug"],
        name_zh=data["name_zh"],
        name_en=data["name_en"],
        venue_zh=data["venue_zh"],
        venue_en=data["venue_en"],
        quota=data["quota"],
        results_at=datetime.fromisoformat(data["results_at"]),
        retention_on=date.fromisoformat(data["retention_on"]),
    )
    AuditHead.objects.create(event=event)
    for stage_data in data["stages"]:
        create_stage(event, stage_data)
    audit.record(event, by, "create_event", f"event {event.slug}")
    return event


def create_stage(event: Event, data: Mapping[str, Any]) -> Stage:
    """One stage and its sessions, numbered in the order given."""
    stage = Stage.objects.create(
        event=event, kind=data["kind"], ruleset=data["ruleset"], advance=data["advance"]
    )
    sessions: Sequence[Mapping[str, Any]] = data["sessions"]
    for number, session in enumerate(sessions, start=1):
        Session.objects.create(
            stage=stage,
            number=number,
            number_of_day=session["number_of_day"],
            original_date=datetime.fromisoformat(session["check_in_at"]).date(),
            check_in_at=datetime.fromisoformat(session["check_in_at"]),
            seating_at=datetime.fromisoformat(session["seating_at"]),
            play_at=datetime.fromisoformat(session["play_at"]),
            ends_at=datetime.fromisoformat(session["ends_at"]),
            table_count=session["table_count"],
            capacity=session["capacity"],
        )
    return stage


@transaction.atomic
def create_account(
    event: Event, username: str, password: str, name: str, roles: Sequence[Role], by: AbstractUser | None = None
) -> User:
    """An account with these roles at the event; one that exists keeps its password and gains the roles it lacks."""
    user, made = User.objects.get_or_create(username=username, defaults={"first_name": name})
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
    for role in roles:
        _, gained = Membership.objects.get_or_create(event=event, user=user, role=role)
        if gained:
            audit.record(event, by, "grant_role", f"account {user.pk} {role}")
    return user
