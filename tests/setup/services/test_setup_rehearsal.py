"""A rehearsal: the same event to practise on, marked, without contacts, with no row in common with the real one."""

from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from tests.conftest import account
from tests.guards_lifted import lifted
from tests.seated import enter
from tournament.audit.models import AuditHead
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services import public_pages
from tournament.seating.services import seating
from tournament.setup import queries
from tournament.setup.services import changes, setup
from tournament.setup.services.rehearsal import make_rehearsal


@pytest.fixture
def rehearsal(event: Event, organiser: User, clerk: User, first_session: Session) -> Event:
    """The rehearsal of an event with eight entrants who can be reached and one who withdrew."""
    enter(first_session, 9, families={1: "F1", 2: "F1"}, schools={3: "聖士提反"})
    Person.objects.update(
        phone="+85291234567", email="a@example.com", guardian="陳母", birth_date="2015-06-30", consent_name=True
    )
    Entrant.objects.filter(number=9).update(status="withdrawn")
    return make_rehearsal(event, by=organiser)


def test_it_has_the_sessions_the_roles_and_who_takes_part(event: Event, rehearsal: Event) -> None:
    assert (rehearsal.slug, rehearsal.rehearsal) == ("hk-2026-rehearsal", True)
    same = {"slug": "", "name_zh": "", "name_en": "", "results_at": ""}
    assert setup.event_as_data(rehearsal) | same == setup.event_as_data(event) | same
    roles = {(held.user.username, held.role) for held in rehearsal.memberships.all()}
    assert roles == {("organiser", "organiser"), ("clerk", "clerk")}
    entrants = rehearsal.entrants.select_related("session", "person", "family")
    assert [(each.number, each.session.code) for each in entrants] == [(n, "0328-1") for n in range(1, 9)]
    assert [each.family.code if each.family else "" for each in entrants][:3] == ["F1", "F1", ""]
    assert entrants[2].person.school == "聖士提反"


def test_one_that_cannot_be_made_to_the_end_leaves_nothing(event: Event, organiser: User) -> None:
    with lifted():
        AuditHead.objects.filter(event=event).delete()
    with pytest.raises(AuditHead.DoesNotExist):
        make_rehearsal(event, by=organiser)
    assert list(Event.objects.all()) == [event]


def test_it_and_a_copy_type_as_many_sheets_twice_as_the_event(event: Event, organiser: User) -> None:
    event.stages.update(second_typing_percent=25)
    copy = setup.copy_event(
        event, slug="hk-2027", name_zh="明年", name_en="Next", first_day=date(2027, 3, 27), by=organiser
    )
    kept = [list(one.stages.values_list("second_typing_percent", flat=True)) for one in (event, copy)]
    practised = list(make_rehearsal(event, by=organiser).stages.values_list("second_typing_percent", flat=True))
    assert [*kept, practised] == [[25] * event.stages.count()] * 3


def test_nobody_can_be_reached_from_it_and_no_name_is_shown_in_public(rehearsal: Event) -> None:
    people = Person.objects.filter(entrant__event=rehearsal)
    fields = ("phone", "email", "guardian", "consent_guardian", "consent_name", "consent_photo", "consent_marketing")
    assert set(people.values_list(*fields)) == {("", "", "", False, False, False, False)}
    assert {str(day) for day in people.values_list("birth_date", flat=True)} == {"2015-01-01"}


def test_it_is_marked_in_its_names_and_stays_marked(rehearsal: Event, organiser: User) -> None:
    assert rehearsal.name_zh.startswith("【演練】Rummikub 75週年")
    assert rehearsal.name_en.startswith("REHEARSAL: Rummikub 75th")
    facts = {name: getattr(rehearsal, name) for name in changes.EVENT_FACT_FIELDS} | {
        "name_zh": "真",
        "name_en": "Real",
    }
    changed = changes.change_event(rehearsal, revision=rehearsal.revision, facts=facts, by=organiser)
    assert (changed.name_zh, changed.name_en) == ("【演練】真", "REHEARSAL: Real")


def test_what_is_done_in_it_leaves_the_real_event_as_it_was(event: Event, rehearsal: Event, organiser: User) -> None:
    before = picture(event)
    practised = Session.objects.get(stage__event=rehearsal, number=1)
    seating.draw_session(practised, seed=1, by=organiser)
    Entrant.objects.filter(event=rehearsal).update(status="withdrawn")
    Person.objects.filter(entrant__event=rehearsal).update(name_zh="改")
    assert picture(event) == before
    assert queries.setup_progress_of(event).play_begun is False


def picture(event: Event) -> list[Any]:
    """Entrants, persons, draws and the audit's head of an event."""
    return [
        list(Entrant.objects.filter(event=event).order_by("pk").values()),
        list(Person.objects.filter(entrant__event=event).order_by("pk").values()),
        [hasattr(session, "draw") for session in Session.objects.filter(stage__event=event)],
        event.audit_head.__class__.objects.get(event=event).seq,
    ]


def test_it_stands_in_no_public_list(event: Event, rehearsal: Event) -> None:
    for each in (event, rehearsal):
        public_pages.rebuild_public_files(each)
    bodies = [file.read_bytes() for file in (settings.PUBLIC_ROOT / "files").iterdir()]
    assert any(b"/p/hk-2026/" in body for body in bodies)
    assert not any(b"/p/hk-2026-rehearsal/" in body for body in bodies)


def test_there_is_one_of_each_event_and_none_of_a_rehearsal(event: Event, rehearsal: Event, organiser: User) -> None:
    second = account(event, Role.ORGANISER, "second")
    assert make_rehearsal(event, by=second).pk == rehearsal.pk
    assert rehearsal.memberships.filter(user=second, role=Role.ORGANISER).exists()
    with pytest.raises(Refused) as refused:
        make_rehearsal(rehearsal, by=organiser)
    assert refused.value.code == "rehearsal_of_rehearsal"
