"""The rows of a file that is imported, written as persons and entrants, and the rulings on them."""

from django.contrib.auth.models import User

from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.readers.entrants import ImportedRow
from tournament.registration.services.importing_changes import (
    ENTRY_KEYS,
    PERSON_KEYS,
    accept_age,
    families_of,
    value_in,
)
from tournament.registration.services.importing_preview import ImportPreview


def preliminary_sessions_by_number(event: Event) -> dict[int, Session]:
    """The sessions that entrants are entered for, by number."""
    return {session.number: session for session in entrants_query.preliminary_sessions(event)}


def create_entrants(event: Event, shown: ImportPreview) -> dict[int, Entrant]:
    """Make the entrants, by row. Blank numbers are given in the order of the rows, after the highest of all."""
    rows = shown.entering
    families = families_of(event, rows)
    sessions = preliminary_sessions_by_number(event)
    people = Person.objects.bulk_create([person_of(row) for row in rows], batch_size=500)
    given = max(entrants_query.highest_number(event), *(row.number or 0 for row in rows), 0) if rows else 0
    entrants = []
    for row, person in zip(rows, people, strict=True):
        given += row.number is None
        entrants.append(
            Entrant(
                event=event,
                number=row.number or given,
                person=person,
                session=sessions[row.session.number] if row.session else None,
                family=families.get(row.family_key),
                **{key: value_in(row, key) for key in ENTRY_KEYS},
            )
        )
    made = Entrant.objects.bulk_create(entrants, batch_size=500)
    return {row.row: entrant for row, entrant in zip(rows, made, strict=True)}


def person_of(row: ImportedRow) -> Person:
    """The row's person, not yet saved."""
    return Person(name_key=row.name_key, **{key: value_in(row, key) for key in PERSON_KEYS})


def record_rulings(shown: ImportPreview, entrants: dict[int, Entrant], by: User | None) -> None:
    """Each boundary birthday that was accepted becomes a ruling with its own audit entry (R1, R46)."""
    for fault in shown.faults:
        if fault.code != "birthday_on_the_day" or fault.row not in entrants:
            continue
        decision = shown.accepted[fault.row, fault.code]
        accept_age(entrants[fault.row], decision.reason, by, decision.by)
