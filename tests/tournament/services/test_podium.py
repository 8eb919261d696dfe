"""The chief judge's decision between equals on the podium or for the award: exactly for these, harmless twice."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.decision import draw_lots
from scoring.podium import Contest, Holder
from tests.tournament.podiums import LEADERS, level_final, make_families_level
from tournament.bridge.podium import live_podium
from tournament.bridge.standings import live_ranking
from tournament.enums import ContestOf, EntrantStatus
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditEntry, ContestDecision, Entrant, Session, Stage
from tournament.services.podium import decide_contest

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def decide(stage: Stage, by: User, **given: Any) -> ContestDecision:
    """A choice of 0002, 0003, 0001, unless told otherwise."""
    order = ["0002", "0003", "0001"]
    facts = {"of": "podium", "tied": LEADERS, "places": 3, "method": "pick", "order": order, "reason": "By the runs."}
    return decide_contest(stage, by=by, **{**facts, **given})


def line(entrant: int, win: int, points: str, tiles: int = 0) -> dict[str, Any]:
    return {"entrant": entrant, "win": win, "points": points, "tiles": tiles}


GAME = [line(1, 0, "-12", 3), line(2, 1, "+30"), line(3, 0, "-18", 5)]
FAMILY_GAME = [line(1, 0, "-5", 2), line(2, 1, "+5")]


def holders(stage: Stage) -> list[str]:
    return [holder.id for holder in live_podium(stage).podium.holders]


def test_a_decision_settles_the_podium_with_its_entry_in_the_log(final: Stage, chief_judge: User) -> None:
    made = decide(final, chief_judge)
    assert holders(final) == ["0002", "0003", "0001"]
    entry = AuditEntry.objects.get(action="decide_contest")
    assert (entry.thing, entry.actor, entry.at) == ("stage final", chief_judge, made.at)
    assert entry.reason == "podium pick: 0002 0003 0001 of 0001 0002 0003 for 3 places. By the runs."


def test_the_same_sent_twice_is_one_decision_and_another_must_name_what_it_replaces(
    final: Stage, chief_judge: User
) -> None:
    made = decide(final, chief_judge)
    assert decide(final, chief_judge) == made
    with pytest.raises(Refused) as refused:
        decide(final, chief_judge, order=["0003"])
    assert refused.value.code == "already_decided"
    decide(final, chief_judge, order=["0003"], replaces=made.pk)
    assert (holders(final), ContestDecision.objects.count()) == (["0003"], 2)
    assert live_podium(final).podium.contests == (Contest(2, 2, ("0001", "0002")),)


def test_those_left_level_are_parted_by_a_decision_of_their_own(final: Stage, chief_judge: User) -> None:
    decide(final, chief_judge, order=["0002"])
    with pytest.raises(StaleVersion) as refused:
        decide(final, chief_judge, tied=["0001", "0003"], places=1, order=["0003"])
    assert refused.value.code == "contest_changed"
    decide(final, chief_judge, tied=["0001", "0003"], places=2, order=["0003"])
    assert holders(final) == ["0002", "0003", "0001"]


def test_a_play_off_gives_the_order_and_counts_for_nothing_else(final: Stage, chief_judge: User) -> None:
    before = live_ranking(final)
    made = decide(final, chief_judge, method="play_off", order=[], games=[GAME])
    assert (made.order, holders(final)) == (["0002", "0001", "0003"], ["0002", "0001", "0003"])
    assert made.play_off[0][1] == {"entrant": 2, "win": 1, "points_twelfths": 360, "tiles": 0}
    assert live_ranking(final) == before


def test_who_does_not_come_to_the_play_off_stands_after_all_who_played_it(final: Stage, chief_judge: User) -> None:
    game = [line(1, 0, "-9", 4), line(3, 1, "+9")]
    made = decide(final, chief_judge, method="play_off", order=[], games=[game])
    assert made.order == ["0003", "0001", "0002"]


SECOND = [line(1, 1, "+9"), line(3, 0, "-9", 4)]


@pytest.mark.parametrize("order", [["0002", "0001", "0003"], ["0001", "0003", "0002"]])
def test_where_some_play_on_the_chief_judge_says_who_had_left_and_who_had_no_need_to(
    order: list[str], final: Stage, chief_judge: User
) -> None:
    assert decide(final, chief_judge, method="play_off", order=order, games=[GAME, SECOND]).order == order


def test_a_play_off_that_leaves_all_level_decides_nothing(final: Stage, chief_judge: User) -> None:
    level = [line(number, 0, "0", 5) for number in (1, 2, 3)]
    with pytest.raises(BadInput) as refused:
        decide(final, chief_judge, method="play_off", order=[], games=[level])
    assert refused.value.code == "play_off_level"


def test_lots_are_drawn_from_the_seed_for_all_of_them(final: Stage, chief_judge: User) -> None:
    made = decide(final, chief_judge, method="lots", order=[], seed="noon, 11 April", witnesses="two parents")
    assert tuple(made.order) == draw_lots(LEADERS, 3, "noon, 11 April")


def test_the_award_s_tie_is_decided_between_the_families(final: Stage, chief_judge: User) -> None:
    make_families_level(final.event)
    award = {"of": ContestOf.AWARD, "tied": ["F1", "F2"], "places": 1}
    made = decide(final, chief_judge, **award, method="play_off", order=[], games=[FAMILY_GAME])
    assert made.order == ["F2", "F1"]
    assert live_podium(final).award_place.holders == (Holder(1, "F2", True),)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"order": []}, "wrong_order_of_contest"),
    ({"order": ["0002", "0002"]}, "wrong_order_of_contest"),
    ({"order": ["0004"]}, "wrong_order_of_contest"),
    ({"reason": " "}, "reason_missing"),
    ({"reason": "CHAN Tai1 Man was better"}, "reason_names_somebody"),
    ({"method": "admit_all", "order": []}, "wrong_method"),
    ({"method": "lots", "order": []}, "seed_missing"),
    ({"method": "lots", "order": [], "seed": "noon"}, "witnesses_missing"),
    ({"method": "lots", "order": ["0009"], "seed": "noon", "witnesses": "all"}, "not_this_order"),
    ({"method": "play_off"}, "play_off_missing"),
    ({"method": "play_off", "games": [GAME]}, "not_this_order"),
    ({"method": "play_off", "games": [GAME, SECOND], "order": []}, "play_off_uneven"),
    ({"method": "play_off", "games": [GAME, SECOND], "order": ["0003", "0001"]}, "not_this_order"),
    ({"method": "play_off", "games": [[line(1, 1, "+9"), line(4, 0, "-9", 3)]]}, "wrong_play_off"),
    ({"method": "play_off", "games": [[line(1, 1, "a lot"), line(2, 0, "-9", 3)]]}, "points_unreadable"),
    ({"tied": ["0001", "0002"]}, "contest_changed"),
    ({"tied": [*LEADERS, "0001"]}, "contest_changed"),
    ({"places": 2}, "contest_changed"),
    ({"of": "award"}, "contest_changed"),
]


def test_what_decides_nothing_is_refused_and_nothing_is_written(final: Stage, chief_judge: User) -> None:
    codes = []
    for given, _code in REFUSED:
        with pytest.raises(Refused) as refused:
            decide(final, chief_judge, **given)
        codes.append(refused.value.code)
    assert codes == [code for _given, code in REFUSED]
    assert ContestDecision.objects.count() == 0


def test_nothing_is_decided_before_every_sheet_is_in(
    first_session: Session, organiser: User, chief_judge: User
) -> None:
    final = level_final(first_session, organiser, tables=2)
    with pytest.raises(Refused) as refused:
        decide(final, chief_judge, tied=["0001", "0002"], places=2, order=["0001"])
    assert refused.value.code == "final_not_over"


def test_a_decision_whose_tied_have_changed_is_made_anew(final: Stage, chief_judge: User) -> None:
    lapsed = decide(final, chief_judge)
    Entrant.objects.filter(number=3).update(status=EntrantStatus.WITHDRAWN)
    assert (holders(final), live_podium(final).lapsed) == ([], (lapsed,))
    decide(final, chief_judge, tied=["0001", "0002"], places=2, order=["0001"])
    assert holders(final) == ["0001", "0002"]
