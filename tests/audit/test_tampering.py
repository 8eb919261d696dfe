"""Q15: whatever is done behind the log's back, to any field of any recorded row, to the log or to the guards, is found
and named by both verifiers."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.reliability import checks_removed, tamper_entries, tampering
from tests.reliability.tamper_world import make_world
from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[Event]:
    """An event with a row of every recorded model, made once; undone with all that is done to it."""
    with django_db_blocker.unblock(), tampering.undone():
        yield make_world()


def test_a_world_in_which_only_services_have_written_is_clean_to_both_verifiers(world: Event) -> None:
    assert tampering.findings(tampering.heads(world)) == [[], []]
    assert tampering.by_script(tampering.heads(world)) == (0, "")


@pytest.mark.once
@pytest.mark.fault("T2")
def test_every_change_of_every_recorded_row_is_named_by_both_verifiers(world: Event) -> None:
    tried, missed = tampering.unfound(tampering.row_cases(world))
    assert missed == []
    assert tried > 600


@pytest.mark.once
@pytest.mark.fault("T3")
@pytest.mark.fault("T4")
@pytest.mark.fault("T6")
@pytest.mark.fault("T9")
def test_every_change_of_the_log_itself_is_found_by_both_verifiers(world: Event) -> None:
    tried, missed = tampering.unfound(tampering.log_cases(world))
    assert missed == []
    assert tried > 20


@pytest.mark.once
def test_what_was_written_with_an_entry_that_fits_is_found_by_what_it_contradicts(world: Event) -> None:
    tried, missed = tampering.unfound(tamper_entries.entry_cases(world))
    assert missed == []
    assert tried > 30


@pytest.mark.long
@pytest.mark.once
def test_each_check_of_both_verifiers_is_missed_by_some_tampering_where_it_is_taken_away(world: Event) -> None:
    checks, unnoticed = checks_removed.unnoticed(tamper_entries.enough_cases(world))
    assert unnoticed == []
    assert checks > 80


@pytest.mark.parametrize(
    ("action", "role", "subject"),
    [
        ("decide_tie", Role.ORGANISER, "stage final"),
        ("decide_dispute", Role.CLERK, "scoresheet 0328-1-01 v9"),
        ("void_scoresheet", Role.CHIEF_JUDGE, "scoresheet 0328-1-01 v9"),
    ],
)
def test_an_entry_of_who_had_no_right_to_the_act_is_found_by_both(
    world: Event, action: str, role: Role, subject: str
) -> None:
    [account, *_others] = User.objects.filter(memberships__event=world, memberships__role=role).order_by("pk")
    with tampering.undone():
        services.append_audit_entry(world, account, action, subject)
        assert [len(said) for said in tampering.findings([])] == [1, 1]


def test_a_row_that_was_altered_is_not_made_lawful_by_the_next_lawful_change(world: Event) -> None:
    person = Person.objects.filter(entrant__event=world, erased_at=None).order_by("pk")[0]
    with tampering.undone():
        Person._base_manager.filter(pk=person.pk).update(name_en="ANOTHER")
        Person.objects.filter(pk=person.pk).update(school="another")
        services.append_audit_entry(world, None, "change_entrant", "entrant 0001")
        said = tampering.findings([])
        assert [any(f"person {person.pk}" in line for line in lines) for lines in said] == [True, True]


def test_a_guard_that_is_missing_or_does_nothing_is_found(world: Event) -> None:
    tried, missed = tampering.unfound_guards()
    assert missed == []
    assert tried > 30
