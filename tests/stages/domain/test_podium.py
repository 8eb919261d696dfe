"""The podium and the award from official sheets, recorded decisions and declared pairs (R39, R40)."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from scoring.family import ExcludedFamilyUnit, FamilyStanding
from scoring.podium import PodiumHolder, PodiumTie
from scoring.tie_break import split_by_tie_breaks
from tests.core.finals import add_final, freeze, preliminary_played
from tests.stages.podiums import LEADERS, level_final, make_families_level, make_larger_family
from tournament.core.enums import DecisionOf, EntrantStatus, TieMethod
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.ranking.domain.tie_breaks import decision_value
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import live_podium, podium_decisions_in_force
from tournament.stages.domain.podium_families import lot_texts_of_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    return level_final(first_session, organiser)


def decide(stage: Stage, by: User, order: list[str], tied: list[str], **given: Any) -> TieBreak:
    """A decision of the podium as a row."""
    row = {"of": DecisionOf.PODIUM, "places": 3, "method": TieMethod.PICK, "reason": "the longest run"} | given
    row["admitted"] = order[: row["places"]]
    return TieBreak.objects.create(stage=stage, tied=tied, order=order, by=by, at=timezone.now(), **row)


def test_equals_contest_the_podium_until_a_decision_orders_them(final: Stage, organiser: User) -> None:
    before = live_podium(final)
    assert (before.podium.holders, before.podium.contests) == ((), (PodiumTie(1, 3, tuple(LEADERS)),))
    first = decide(final, organiser, ["0002"], LEADERS)
    between = live_podium(final)
    assert between.podium.holders == (PodiumHolder(1, "0002", True),)
    assert between.podium.contests == (PodiumTie(2, 2, ("0001", "0003")),)
    assert (between.decisions, between.lapsed) == ((first,), ())
    second = decide(final, organiser, ["0003"], ["0001", "0003"], places=2)
    after = live_podium(final)
    assert after.podium.holders == (
        PodiumHolder(1, "0002", True),
        PodiumHolder(2, "0003", True),
        PodiumHolder(3, "0001", True),
    )
    assert (after.podium.is_settled, after.decisions, after.lapsed) == (True, (second, first), ())


def test_a_decision_lapses_when_those_tied_change_and_holds_again_when_they_are_back(
    final: Stage, organiser: User
) -> None:
    made = decide(final, organiser, LEADERS, LEADERS)
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    gone = live_podium(final)
    assert gone.podium.contests == (PodiumTie(1, 2, ("0002", "0003")), PodiumTie(3, 1, ("0004", "0005", "0006")))
    assert (gone.decisions, gone.lapsed) == ((), (made,))
    Entrant.objects.filter(number=1).update(status=EntrantStatus.OK)
    assert live_podium(final).decisions == (made,)


def test_a_newer_decision_about_the_same_replaces_the_older_one_and_what_followed_it(
    final: Stage, organiser: User
) -> None:
    decide(final, organiser, ["0002"], LEADERS)
    followed = decide(final, organiser, ["0003"], ["0001", "0003"], places=2)
    newest = decide(final, organiser, ["0001", "0003"], LEADERS)
    live = live_podium(final)
    assert [holder.id for holder in live.podium.holders] == ["0001", "0003", "0002"]
    assert (live.decisions, live.lapsed) == ((newest,), (followed,))


def test_the_award_sums_both_members_and_the_one_family_ahead_has_it(final: Stage) -> None:
    live = live_podium(final)
    assert live.award.winner == "F1"
    assert live.award.standings == (
        FamilyStanding("F1", 1, False, 4, Fraction(42), Fraction(14), 4, 1, 1),
        FamilyStanding("F2", 2, False, 2, Fraction(6), Fraction(2), 16, 4, 4),
    )
    assert live.award_place.holders == (PodiumHolder(1, "F1", False),)
    family = live.families["F1"]
    assert [(one.number, one.role, one.age, one.is_finalist) for one in family.members] == [
        (2, "child", 12, True),
        (1, "parent", 46, True),
    ]


def test_who_left_the_final_or_never_played_it_takes_the_family_out(final: Stage, first_session: Session) -> None:
    Entrant.objects.filter(number=1).update(status=EntrantStatus.WITHDRAWN)
    family = Family.objects.create(event=final.event, code="F0")
    Entrant.objects.filter(number=7).update(family=family, family_role="child")
    alone = live_podium(final)
    assert alone.award.out == (ExcludedFamilyUnit("F0", "not_child_and_parent"), ExcludedFamilyUnit("F1", "withdrawn"))
    assert alone.families["F0"].problems == ("not_two",)
    assert alone.award.winner == "F2"


def test_a_pair_of_the_wrong_ages_is_no_child_and_parent(final: Stage) -> None:
    Person.objects.filter(entrant__number=1).update(birth_date=date(2009, 1, 1))
    live = live_podium(final)
    assert live.award.out == (ExcludedFamilyUnit("F1", "not_child_and_parent"),)
    assert live.families["F1"].problems == ("parent_too_young",)


def test_before_the_final_is_played_its_families_have_not_finished(first_session: Session, organiser: User) -> None:
    stage = add_final(preliminary_played(first_session, organiser).event)
    freeze(stage, organiser, [1, 2, 4])
    live = live_podium(stage)
    assert live.award.out == (ExcludedFamilyUnit("F1", "not_finished"), ExcludedFamilyUnit("F2", "not_finalist"))
    assert (live.podium.holders, live.award.standings, live.award_place.is_settled) == ((), (), True)


def test_a_contest_of_the_award_is_between_families_level_down_the_whole_ladder(final: Stage, organiser: User) -> None:
    make_families_level(final.event)
    live = live_podium(final)
    assert live.award.unresolved == ("F1", "F2")
    assert [rung.step for rung in live.award.rungs] == ["wins", "total", "tiles", "better_rank", "other_rank"]
    assert live.award_place.contests == (PodiumTie(1, 1, ("F1", "F2")),)
    made = decide(final, organiser, ["F2"], ["F1", "F2"], of=DecisionOf.AWARD, places=1)
    assert live_podium(final).award_place.holders == (PodiumHolder(1, "F2", True),)
    assert live_podium(final).decisions == (made,)


def test_a_parent_of_three_stands_with_each_child_as_a_pair_of_its_own(final: Stage) -> None:
    make_larger_family(final.event)
    live = live_podium(final)
    assert live.award.standings == (
        FamilyStanding("F1/0005", 1, True, 3, Fraction(24), Fraction(8), 10, 1, 4),
        FamilyStanding("F1/0006", 1, True, 3, Fraction(24), Fraction(8), 10, 1, 4),
        FamilyStanding("F1/0008", 3, False, 2, Fraction(15), Fraction(5), 12, 1, 7),
    )
    assert live.award.out == (ExcludedFamilyUnit("F2", "not_child_and_parent"),)
    assert live.award_place.contests == (PodiumTie(1, 1, ("F1/0005", "F1/0006")),)
    assert {id: (pair.code, [one.number for one in pair.members]) for id, pair in live.families.items()} == {
        "F1/0005": ("F1", [5, 1]),
        "F1/0006": ("F1", [6, 1]),
        "F1/0008": ("F1", [8, 1]),
        "F2": ("F2", []),
    }
    assert lot_texts_of_pairs(list(live.families)) == {"F1/0005": "1", "F1/0006": "2", "F1/0008": "3", "F2": "4"}


def test_one_child_of_two_parents_is_two_pairs_and_a_pair_alone_keeps_the_code(final: Stage) -> None:
    make_larger_family(final.event, children=(5,), parents=(1, 2))
    assert list(live_podium(final).families) == ["F1/0005/0001", "F1/0005/0002", "F2"]
    Entrant.objects.filter(number=2).update(family=None, family_role="")
    assert list(live_podium(final).families) == ["F1", "F2"]


def test_a_pair_of_a_larger_family_never_has_the_id_of_another_family(final: Stage) -> None:
    make_larger_family(final.event, children=(5, 6))
    Family.objects.create(event=final.event, code="F1/0005")
    assert [(id, pair.code) for id, pair in live_podium(final).families.items()] == [
        ("F1/0005/", "F1"),
        ("F1/0006", "F1"),
        ("F1/0005", "F1/0005"),
        ("F2", "F2"),
    ]


def test_of_a_larger_family_only_the_pair_of_the_wrong_ages_is_out(final: Stage) -> None:
    make_larger_family(final.event)
    Person.objects.filter(entrant__number=6).update(birth_date=date(2001, 1, 1))
    live = live_podium(final)
    assert live.award.out == (
        ExcludedFamilyUnit("F1/0006", "not_child_and_parent"),
        ExcludedFamilyUnit("F2", "not_child_and_parent"),
    )
    assert live.award.winner == "F1/0005"


def test_the_podium_asks_as_many_queries_for_many_families_as_for_two(final: Stage) -> None:
    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            live_podium(final)
        return len(queries)

    before = asked()
    for number in (7, 8, 9):
        family = Family.objects.create(event=final.event, code=f"F{number}")
        Entrant.objects.filter(number=number).update(family=family, family_role="child")
    assert asked() == before


LEVELS = [("a", "b", "c", "d"), ("e",), ("f", "g")]
NAMES = [name for level in LEVELS for name in level]


def rows(made: list[tuple[list[str], list[str]]]) -> list[TieBreak]:
    """Decisions newest first, not saved; each orders some of those it is about."""
    return [
        TieBreak(pk=place, of=DecisionOf.PODIUM, tied=sorted(tied), places=1, admitted=order[:1], order=order)
        for place, (tied, order) in enumerate(made, start=1)
    ]


@given(
    st.lists(
        st.sets(st.sampled_from(NAMES), min_size=2).flatmap(
            lambda tied: st.tuples(st.just(sorted(tied)), st.lists(st.sampled_from(sorted(tied)), unique=True))
        ),
        max_size=7,
    )
)
def test_those_in_force_alone_part_everybody_as_all_that_were_ever_made_do(
    made: list[tuple[list[str], list[str]]],
) -> None:
    decisions = rows(made)
    used = podium_decisions_in_force(LEVELS, decisions)
    kept = [one for one in decisions if one in used]
    for level in LEVELS:
        by_all, by_kept = (
            split_by_tie_breaks(level, level, list(map(decision_value, some))) for some in (decisions, kept)
        )
        assert by_all == by_kept
