"""Whom a published text must not tell of: the people of an event, as it could name them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.core.entrant_column_kinds import Reveals
from tournament.core.entrant_columns import columns_where
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import query_field

REVEALING_COLUMNS = columns_where(lambda column: column.reveals is not None)


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """An entrant with all that a text could give away: `texts` of the entry form as typed, with what each reveals."""

    number: int
    texts: tuple[tuple[Reveals, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(text for reveals, text in self.texts if reveals is Reveals.NAME)


def known_person(number: int, texts: Mapping[str, str]) -> KnownPerson:
    """A person by the texts of their columns; a column that is left out is blank."""
    return KnownPerson(
        number,
        tuple((column.reveals, texts.get(column.key, "")) for column in REVEALING_COLUMNS if column.reveals),
    )


def known_people_of_events(events: Collection[Event]) -> list[KnownPerson]:
    """All entrants of these events, whatever became of them, by number; one query."""
    keys = [column.key for column in REVEALING_COLUMNS]
    entrants = Entrant.objects.filter(event__in=events).order_by("number")
    rows = entrants.values_list("number", *map(query_field, REVEALING_COLUMNS))
    return [known_person(number, dict(zip(keys, texts, strict=True))) for number, *texts in rows]


def events_organised_by(account: User) -> list[Event]:
    """The events whose people this account may know of anyway."""
    return list(Event.objects.filter(memberships__user=account, memberships__role=Role.ORGANISER).distinct())
