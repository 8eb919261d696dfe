"""A copy of an event to practise on: an event of its own, marked in its name, that shares no row with the real one."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import EntrantStatus, SessionState
from tournament.errors import Refused
from tournament.models import Entrant, Event, Family, Membership, Person, Session
from tournament.services import audit
from tournament.services.roles import found
from tournament.services.setup import event_as_data, in_time_order, open_event, text_of
from tournament.services.setup_changes import marked

SUFFIX = "-rehearsal"


def rehearsal_slug(event: Event) -> str:
    """The address of the event's rehearsal: one of each event."""
    slug = event.slug + SUFFIX
    if len(slug) > Event._meta.get_field("slug").max_length:
        raise Refused("slug_too_long", _("The address of this event is too long to have a rehearsal beside it."))
    return slug


def rehearsal_of(event: Event) -> Event | None:
    """The event's rehearsal, where there is one."""
    return Event.objects.filter(slug=rehearsal_slug(event), rehearsal=True).first()


@transaction.atomic
def make_rehearsal(event: Event, *, by: AbstractUser) -> Event:
    """Copy the event to practise on; the one that is there is returned as it stands.

    Structure, accounts' roles and the entrants who take part, with number, name, session, school and family. Phones,
    e-mail, guardians and consents are not copied, and of a birth date only the year; without consent every name is
    masked in what is released. Its embargo is over, so that a release can be practised. Refused:
    `rehearsal_of_rehearsal`, `slug_too_long`.

    1. The event, by `open_event`. 2. Roles. 3. Families, persons, entrants. 4. An audit entry at both events.
    """
    if event.rehearsal:
        raise Refused("rehearsal_of_rehearsal", _("This is a rehearsal already. Copy the real event instead."))
    existing = rehearsal_of(event)
    if existing:
        found(existing, by)
        return existing
    data = event_as_data(event) | marked(event.name_zh, event.name_en)
    data["stages"] = in_time_order(data)
    data |= {"slug": rehearsal_slug(event), "results_at": text_of(timezone.now().replace(second=0, microsecond=0))}
    copy = open_event(data, by=by, rehearsal=True)
    copy_roles(event, copy, by)
    count = copy_entrants(event, copy)
    audit.record(copy, by, "make_rehearsal", f"event {copy.slug}", reason=f"{event.slug}: {count} entrants")
    audit.record(event, by, "make_rehearsal", f"event {event.slug}", reason=copy.slug)
    return copy


def copy_roles(event: Event, copy: Event, by: AbstractUser) -> None:
    """The same accounts practise in the same roles, each with its entry; PINs are not copied."""
    there = set(Membership.granted.filter(event=copy).values_list("user_id", "role"))
    wanted = event.memberships.order_by("user_id", "role").values_list("user_id", "role")
    for user, role in wanted:
        if (user, role) not in there:
            Membership.granted.create(event=copy, user_id=user, role=role, granted_by=by, granted_at=timezone.now())
            audit.record(copy, by, "grant_role", f"account {user} {role}")


def copy_entrants(event: Event, copy: Event) -> int:
    """Entrants who take part, as persons of their own; how many."""
    sessions = copies_of_sessions(event, copy)
    rows = Entrant.objects.filter(event=event, status=EntrantStatus.OK)
    entrants = list(rows.select_related("person", "session__stage", "family").order_by("number"))
    codes = {entrant.family.code for entrant in entrants if entrant.family}
    families = {family.code: family for family in Family.objects.bulk_create(Family(event=copy, code=c) for c in codes)}
    people = Person.objects.bulk_create(practising(entrant.person) for entrant in entrants)
    made = Entrant.objects.bulk_create(
        Entrant(
            event=copy,
            number=entrant.number,
            person=person,
            session=sessions[entrant.session_id],
            family=families[entrant.family.code] if entrant.family else None,
            family_role=entrant.family_role,
        )
        for entrant, person in zip(entrants, people, strict=True)
    )
    return len(made)


def copies_of_sessions(event: Event, copy: Event) -> dict[int, Session]:
    """The copy of each session that is not void, by its key: both stages have theirs by their hours."""
    there = Session.objects.exclude(state=SessionState.VOID).order_by("stage__kind", "check_in_at", "number")
    pairs = zip(there.filter(stage__event=event), there.filter(stage__event=copy), strict=True)
    return {session.pk: copied for session, copied in pairs}


def practising(person: Person) -> Person:
    """A person with a name to call and nothing to reach them by."""
    return Person(
        name_zh=person.name_zh,
        name_en=person.name_en,
        name_key=person.name_key,
        birth_date=person.birth_date.replace(month=1, day=1) if person.birth_date else None,
        erased_at=person.erased_at,
        language=person.language,
        school=person.school,
    )
