"""The parent-child award is for two who complete a final (R40): an event that ends with its first stage gives none."""

from datetime import UTC, date, datetime
from typing import Any

from django.urls import reverse

from tests.conftest import account
from tests.sheets.sheets import lock_sheets
from tests.sheets.tables import settle
from tests.small_event import league_data
from tests.stages.podiums import SHEET
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.publication.services.release import judge_release
from tournament.ranking.domain.standings import live_ranking
from tournament.setup.services import setup
from tournament.stages.domain.podium import live_podium
from tournament.stages.domain.podium_families import declared_pairs, rank_award_pairs

LATER = datetime(2027, 1, 1, tzinfo=UTC)
# Two tables of four that end alike: who sits at A of one with who sits at B of the other.
PAIRS = {"F1": (301, 306), "F2": (305, 302)}


def test_pairs_level_in_everything_leave_no_award_to_decide_and_none_is_published(db: None, signed_in: Any) -> None:
    event = setup.create_event(league_data("hk-2026", 8))
    organiser = account(event, Role.ORGANISER)
    session = Session.objects.select_related("stage__event").get(stage__event=event)
    lock_sheets(settle(session, organiser, (4, 4)), [SHEET, SHEET], organiser)
    for code, (child, parent) in PAIRS.items():
        family = Family.objects.create(event=event, code=code)
        for number, role in ((child, "child"), (parent, "parent")):
            Entrant.objects.filter(event=event, number=number).update(family=family, family_role=role)
        Person.objects.filter(entrant__number=parent).update(birth_date=date(1980, 1, 1))
    stage, ranking = session.stage, live_ranking(session.stage)
    level = rank_award_pairs(ranking.ruleset, declared_pairs(stage, ranking)).standings
    assert [(one.id, one.rank) for one in level] == [("F1", 1), ("F2", 1)]

    live = live_podium(stage)
    assert (dict(live.families), live.award.standings, live.award_place.contests) == ({}, (), ())
    verdict = judge_release(stage, LATER)
    assert verdict.content["award"] is None
    assert "award_unresolved" not in [block.code for block in verdict.blocks]
    desk = signed_in(organiser)
    answer = desk.get(reverse("award", args=[event.slug, stage.kind]))
    assert answer.headers["Location"] == reverse("podium", args=[event.slug, stage.kind])
