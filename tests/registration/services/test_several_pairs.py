"""An event where a person may be in several pairs: every child with every parent of one family (R40; PUB-24)."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.translation import override

from tests.api.caller import Caller, code
from tests.entrant_lists import sound_row
from tests.registration.services.test_importing import codes, handed_in, imported, shown
from tests.registration.services.test_importing_changes import locked_games
from tests.registration.services.test_registration_changes import entered, entries, fresh
from tests.seated import seats
from tournament.accounts.models import Proposal
from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.errors import BadInput, Locked, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Family
from tournament.registration.services import changes, importing, importing_preview, second
from tournament.seating.services import seating
from tournament.setup.services import changes as setup_changes
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db
CHILD, PARENT = {"birth_date": "2014-01-15", "consent_guardian": "是"}, {"birth_date": "1980-01-15"}
ROLE = {"子女": CHILD, "家長": PARENT}


def member(number: int, role: str, **changed: Any) -> dict[str, Any]:
    """A row of the family F-1."""
    return sound_row(number, family="F-1", family_role=role, **{**ROLE[role], **changed})


def parent_of_three() -> list[dict[str, Any]]:
    return [member(1, "家長"), *(member(number, "子女") for number in (2, 3, 4))]


def members() -> list[tuple[int, str | None, str]]:
    return list(Entrant.objects.order_by("number").values_list("number", "family__code", "family_role"))


@pytest.fixture
def several(event: Event) -> Event:
    """The event with the setting on."""
    Event.objects.filter(pk=event.pk).update(several_pairs=True)
    event.refresh_from_db()
    return event


def test_a_parent_enters_three_children_in_one_file(several: Event, organiser: User) -> None:
    assert imported(several, parent_of_three(), organiser).count == 4
    assert (members(), Family.objects.count()) == (
        [(1, "F-1", "parent"), (2, "F-1", "child"), (3, "F-1", "child"), (4, "F-1", "child")],
        1,
    )


def test_where_one_pair_a_person_is_allowed_the_file_is_refused_and_says_where_to_change_it(
    event: Event, organiser: User
) -> None:
    preview = shown(event, parent_of_three(), organiser)
    assert codes(preview) == [(row, "family", "family_of_many") for row in (2, 3, 4, 5)]
    with override("en"):
        do = preview.faults[0].do
    assert do == (
        "This event allows one pair a person: clear the code of the others, or let an organiser allow several on the "
        "set-up page."
    )


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([member(1, "家長"), member(2, "家長"), member(3, "子女")], []),
        ([member(1, "家長"), member(2, "家長"), member(3, "子女"), member(4, "子女")], []),
        ([member(1, "家長")], [(2, "family", "family_of_one")]),
        ([member(1, "子女"), member(2, "子女")], [(row, "family_role", "family_same_roles") for row in (2, 3)]),
        ([member(n, "子女") for n in (1, 2, 3)], [(row, "family_role", "family_one_role") for row in (2, 3, 4)]),
        (
            [member(1, "家長"), member(2, "子女"), member(3, "子女", birth_date="2006-01-15")],
            [(4, "family", "child_too_old")],
        ),
        (
            [member(1, "家長", birth_date="2008-01-15"), member(2, "子女"), member(3, "子女", birth_date="2007-12-15")],
            [(2, "family", "parent_not_older")],
        ),
    ],
)
def test_every_child_fits_every_parent_of_its_family(
    several: Event, organiser: User, rows: list[dict[str, Any]], found: list[Any]
) -> None:
    assert codes(shown(several, rows, organiser)) == found


def test_a_third_child_comes_in_a_later_file_and_one_that_does_not_fit_is_refused(
    several: Event, organiser: User
) -> None:
    imported(several, [member(1, "家長"), member(2, "子女")], organiser)
    assert codes(shown(several, [member(3, "子女", birth_date="2006-01-15")], organiser)) == [
        (2, "family", "child_too_old")
    ]
    assert imported(several, [member(3, "子女")], organiser).count == 1
    assert members()[2] == (3, "F-1", "child")


def test_a_third_joins_and_leaves_and_the_last_pair_ends_as_a_whole(several: Event, organiser: User) -> None:
    rows = [sound_row(1, **PARENT), *(sound_row(number, **CHILD) for number in (2, 3))]
    parent, first, other = entered(several, organiser, *rows)
    changes.join_family(first, parent, revision=1, about=first, by=organiser)
    for _ in range(2):
        changes.join_family(other, fresh(1), revision=1, about=other, by=organiser)
    assert members() == [(1, "F-0002", "parent"), (2, "F-0002", "child"), (3, "F-0002", "child")]
    for _ in range(2):
        changes.part_family(fresh(2), revision=fresh(2).revision, by=organiser)
    assert members() == [(1, "F-0002", "parent"), (2, None, ""), (3, "F-0002", "child")]
    changes.part_family(fresh(3), revision=fresh(3).revision, by=organiser)
    assert members() == [(1, None, ""), (2, None, ""), (3, None, "")]
    assert [thing[-1] for thing, *_ in entries()] == ["2", "1", "3", "2", "1", "3"]


def test_without_its_only_parent_nobody_stays_in_a_family(several: Event, organiser: User) -> None:
    imported(several, parent_of_three(), organiser)
    lonely = [sound_row(1, **PARENT)]
    preview = shown(several, lonely, organiser)
    assert codes(preview) == [(2, "family", "family_left_half")]
    assert "0002, 0003, 0004" in preview.faults[0].what
    changes.part_family(fresh(1), revision=1, by=organiser)
    assert Entrant.objects.exclude(family=None).count() == 0


def test_who_is_in_another_family_is_not_taken_out_of_it_unasked(several: Event, organiser: User) -> None:
    other = [{**row, "family": "F-2"} for row in (member(5, "家長"), member(6, "子女"), member(7, "子女"))]
    imported(several, [member(1, "家長"), member(2, "子女"), *other], organiser)
    before = members()
    with pytest.raises(Refused) as refused:
        changes.join_family(fresh(7), fresh(1), revision=1, about=fresh(1), by=organiser)
    assert (refused.value.code, refused.value.facts, members()) == (
        "two_families",
        {"one": "F-1", "other": "F-2"},
        before,
    )


def test_a_pair_with_somebody_on_a_signed_sheet_takes_two_though_only_the_newcomer_changes(
    several: Event, organiser: User, clerk: User
) -> None:
    entered(several, organiser, member(1, "家長"), member(2, "子女"), sound_row(3, **CHILD))
    locked_games(fresh(1))
    waits: list[Proposal] = []
    changes.join_family(fresh(3), fresh(1), revision=1, about=fresh(3), reason="forgotten", by=clerk, waits=waits)
    assert (len(waits), members()[2]) == (1, (3, None, ""))
    second.agree_entrant_change(several, waits[0].pk, by=organiser)
    assert members()[2] == (3, "F-1", "child")
    preview = shown(several, [member(4, "子女", session="2")], organiser)
    assert codes(preview) == [(2, "family", "family_after_results")]
    out: list[Proposal] = []
    changes.part_family(fresh(2), revision=1, reason="a slip", by=clerk, waits=out)
    assert (len(out), members()[1]) == (1, (2, "F-1", "child"))


@pytest.mark.parametrize("state", [SessionState.PLANNED, SessionState.VOID])
def test_a_list_that_puts_another_child_beside_a_signed_parent_takes_two(
    event: Event, organiser: User, state: str
) -> None:
    entered(event, organiser, member(1, "家長"), member(2, "子女"), sound_row(3, **CHILD))
    locked_games(fresh(1))
    Session.objects.filter(pk=fresh(1).session_id).update(state=state)
    refused = codes(shown(event, [member(4, "子女", session="2")], organiser))
    assert refused == [(2, "family", "family_after_results"), (2, "family", "family_of_many")]
    kept = handed_in(event, [sound_row(2, **CHILD), member(3, "子女")], organiser)
    preview = importing_preview.build_preview(kept)
    assert preview.waiting == {2, 3}
    assert importing.import_file(kept, by=organiser, seen=preview.digest).waiting == 2
    assert members() == [(1, "F-1", "parent"), (2, "F-1", "child"), (3, None, "")]


def test_the_whole_family_is_seated_apart(several: Event, organiser: User, first_session: Session) -> None:
    others = [sound_row(number) for number in range(5, 17)]
    imported(several, [*parent_of_three(), *others], organiser)
    draw = seating.draw_session(first_session, seed=3, by=organiser)
    tables = {place[:-1] for place, number in seats(first_session).items() if number <= 4}
    assert (draw.could_not, len(tables)) == ([], 4)


def test_the_setting_is_changed_once_with_its_entry_and_is_copied(event: Event, organiser: User) -> None:
    before = setup.event_setup_digest(event)
    for _ in range(2):
        changed = setup_changes.change_event(event, revision=1, facts={"several_pairs": True}, by=organiser)
    entry = AuditEntry.objects.get(action="change_event")
    assert (changed.several_pairs, entry.reason) == (True, "several_pairs: False > True")
    assert (entry.digest_before, entry.digest_after) == (before, setup.event_setup_digest(changed))
    assert setup.event_as_data(changed)["several_pairs"] is True
    assert "several_pairs" not in setup.event_as_data(event)


def test_one_pair_a_person_is_not_set_over_families_that_are_larger(several: Event, organiser: User) -> None:
    imported(several, parent_of_three(), organiser)
    with pytest.raises(BadInput) as refused:
        setup_changes.change_event(several, revision=1, facts={"several_pairs": False}, by=organiser)
    assert (refused.value.code, refused.value.facts) == ("larger_families", {"codes": "F-1"})
    for number in (3, 4):
        changes.part_family(fresh(number), revision=1, by=organiser)
    assert not setup_changes.change_event(
        several, revision=1, facts={"several_pairs": False}, by=organiser
    ).several_pairs


def test_once_play_has_begun_the_setting_stays(event: Event, organiser: User, first_session: Session) -> None:
    entered(event, organiser, *(sound_row(number) for number in range(1, 5)))
    draw = seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=draw.revision, by=organiser)
    with pytest.raises(Locked) as refused:
        setup_changes.change_event(event, revision=1, facts={"several_pairs": True}, by=organiser)
    assert refused.value.code == "rules_locked"


def test_a_program_joins_a_third_and_takes_one_out(several: Event, organiser: User, clerk: User) -> None:
    entered(several, organiser, member(1, "家長"), member(2, "子女"), sound_row(3, **CHILD))
    program = Caller(clerk)
    joined = program.change("entrants/3/family/", {"role": "child", "other": 1}, seen=1)
    assert (joined.status_code, joined.json()["family"], joined.json()["family_role"]) == (200, "F-1", "child")
    parted = program.change("entrants/2/part/", seen=1)
    assert (parted.status_code, members()) == (200, [(1, "F-1", "parent"), (2, None, ""), (3, "F-1", "child")])
    Event.objects.filter(pk=several.pk).update(several_pairs=False)
    refused = program.change("entrants/2/family/", {"role": "child", "other": 1}, seen=2)
    assert code(refused) == (409, "family_of_many")


def test_the_setting_counts_as_it_stands_under_the_lock(several: Event, organiser: User) -> None:
    _parent, _child, other = entered(several, organiser, member(1, "家長"), member(2, "子女"), sound_row(3, **CHILD))
    assert other.event.several_pairs
    Event.objects.filter(pk=several.pk).update(several_pairs=False)
    with pytest.raises(Refused) as refused:
        changes.join_family(other, fresh(1), revision=1, about=other, by=organiser)
    assert refused.value.code == "family_of_many"
