"""A copy of an event to practise on: an event of its own, marked in its name, that shares no row with the real one."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.services.roles import make_first_organiser
from tournament.audit import services
from tournament.core.entrant_column_kinds import Copied, EntrantColumn, Owner
from tournament.core.entrant_columns import PLAIN_KINDS, columns_where
from tournament.core.enums import EntrantStatus, SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.entrants.queries.entrant_values import value_of
from tournament.setup.services.changes import rehearsal_names
from tournament.setup.services.setup import event_as_data, moment_as_text, open_event, stages_in_time_order

REHEARSAL_SUFFIX = "-rehearsal"


def rehearsal_slug(event: Event) -> str:
    """The address of the event's rehearsal: one of each event."""
    slug = event.slug + REHEARSAL_SUFFIX
    if len(slug) > cast(int, Event._meta.get_field("slug").max_length):
        raise Refused("slug_too_long", _("The address of this event is too long to have a rehearsal beside it."))
    return slug


def rehearsal_of_event(event: Event) -> Event | None:
    """The event's rehearsal, where there is one."""
    return Event.objects.filter(slug=rehearsal_slug(event), rehearsal=True).first()


@transaction.atomic
def make_rehearsal(event: Event, *, by: User) -> Event:
    """Copy the event to practise on; the one that is there is returned as it stands.

    Structure, accounts' roles and the entrants who take part, with number, name, session, school and family. Phones,
    e-mail, guardians and consents are not copied, and of a birth date only the year; without consent every name is
    masked in what is released. Its embargo is over, so that a release can be practised. Refused:
    `rehearsal_of_rehearsal`, `slug_too_long`.

    1. The event, by `open_event`. 2. Roles. 3. Families, persons, entrants. 4. An audit entry at both events.
    """
    if event.rehearsal:
        raise Refused("rehearsal_of_rehearsal", _("This is a rehearsal already. Copy the real event instead."))
    existing = rehearsal_of_event(event)
    if existing:
        make_first_organiser(existing, by)
        return existing
    data = event_as_data(event) | rehearsal_names(event.name_zh, event.name_en)
    data["stages"] = stages_in_time_order(data)
    data |= {
        "slug": rehearsal_slug(event),
        "results_at": moment_as_text(timezone.now().replace(second=0, microsecond=0)),
    }
    copy = open_event(data, by=by, rehearsal=True)
    copy_roles(event, copy, by)
    details = {"copied_from": event.slug, "entrants": copy_entrants(event, copy)}
    services.append_audit_entry(copy, by, "make_rehearsal", f"event {copy.slug}", details=details)
    services.append_audit_entry(event, by, "make_rehearsal", f"event {event.slug}", details={"copied_to": copy.slug})
    return copy


def copy_roles(event: Event, copy: Event, by: User) -> None:
    """The same accounts practise in the same roles, each with its entry; PINs are not copied."""
    there = set(Membership.granted.filter(event=copy).values_list("user_id", "role"))
    wanted = event.memberships.order_by("user_id", "role").values_list("user_id", "role")
    for user, role in wanted:
        if (user, role) not in there:
            Membership.granted.create(event=copy, user_id=user, role=role, granted_by=by, granted_at=timezone.now())
            services.append_audit_entry(copy, by, "grant_role", f"account {user} {role}")


def copy_entrants(event: Event, copy: Event) -> int:
    """Entrants who take part, as persons of their own; how many."""
    sessions = copies_of_sessions(event, copy)
    rows = Entrant.objects.filter(event=event, status=EntrantStatus.OK)
    entrants = list(rows.select_related("person", "session__stage", "family").order_by("number"))
    codes = {entrant.family.code for entrant in entrants if entrant.family}
    families = {family.code: family for family in Family.objects.bulk_create(Family(event=copy, code=c) for c in codes)}
    people = Person.objects.bulk_create(rehearsal_person(entrant) for entrant in entrants)
    made = Entrant.objects.bulk_create(
        Entrant(
            event=copy,
            number=entrant.number,
            person=person,
            session=sessions[entrant.session_id],
            family=families[entrant.family.code] if entrant.family else None,
            **copied_fields(entrant, Owner.ENTRY),
        )
        for entrant, person in zip(entrants, people, strict=True)
    )
    return len(made)


def copies_of_sessions(event: Event, copy: Event) -> dict[int, Session]:
    """The copy of each session that is not void, by its key: both stages have theirs by their hours."""
    there = Session.objects.exclude(state=SessionState.VOID).order_by("stage__kind", "check_in_at", "number")
    pairs = zip(there.filter(stage__event=event), there.filter(stage__event=copy), strict=True)
    return {session.pk: copied for session, copied in pairs}


def rehearsal_person(entrant: Entrant) -> Person:
    """A person with a name to call and nothing to reach them by."""
    person = entrant.person
    return Person(name_key=person.name_key, erased_at=person.erased_at, **copied_fields(entrant, Owner.PERSON))


def copied_fields(entrant: Entrant, owner: Owner) -> dict[str, Any]:
    """The fields of the person or the entry that a rehearsal has too; of a date the year alone."""
    kept = columns_where(lambda column: column.owner is owner and column.copied is not Copied.NOT)
    return {
        column.key: rehearsal_value(column, value_of(entrant, column.key))
        for column in kept
        if column.kind in PLAIN_KINDS
    }


def rehearsal_value(column: EntrantColumn, value: Any) -> Any:
    """A value as the rehearsal has it."""
    return value.replace(month=1, day=1) if value and column.copied is Copied.YEAR else value
