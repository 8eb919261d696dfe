"""Whom a published text must not tell of: the people of an event, as it could name them."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser

from tournament.enums import Role
from tournament.models import Entrant, Event


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """An entrant with all that a text could give away; text of the entry form, as it was typed."""

    number: int
    name_zh: str
    name_en: str
    school: str = ""
    guardian: str = ""
    phone: str = ""
    email: str = ""


FIELDS = ("name_zh", "name_en", "school", "guardian", "phone", "email")


def people_of(events: Collection[Event]) -> list[KnownPerson]:
    """All entrants of these events, whatever became of them, by number; one query."""
    rows = Entrant.objects.filter(event__in=events).order_by("number")
    return [KnownPerson(*row) for row in rows.values_list("number", *(f"person__{name}" for name in FIELDS))]


def events_organised_by(account: AbstractUser) -> list[Event]:
    """The events whose people this account may know of anyway."""
    return list(Event.objects.filter(memberships__user=account, memberships__role=Role.ORGANISER).distinct())
