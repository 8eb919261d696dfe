"""The chief judge's decision between equals on the podium or for the award: exactly for these, harmless twice."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.podium import PodiumHolder, PodiumTie
from scoring.tie_break import draw_lots
from tests.stages.deciding import draw_lots as drawn_lots
from tests.stages.deciding import game
from tests.stages.podiums import LEADERS, level_final, make_families_level, make_larger_family
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.enums import DecisionOf, EntrantStatus
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.ranking.domain.standings import live_ranking
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import agree_decision, decide_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def decide(stage: Stage, by: User, **given: Any) -> TieBreak:
    """A choice of 0002, 0003, 0001, unless told otherwise."""
    order = ["0002", "0003", "0001"]
    facts = {"of": "podium", "tied": LEADERS, "places": 3, "method": "pick", "order": order, "reason": "By the runs."}
    return decide_tie(stage, by=by, **{**facts, **given})


def play_off(stage: Stage, by: User, second: User, **given: Any) -> TieBreak:
    """A play-off whose games another account has compared."""
    return agree_decision(stage.event, decide(stage, by, **{"method": "play_off", "order": [], **given}).pk, by=second)


GAME = game((1, 0, "-12", 3), (2, 1, "+30", 0), (3, 0, "-18", 5))
FAMILY_GAME = game((1, 0, "-5", 2), (2, 1, "+5", 0))


def holders(stage: Stage) -> list[str]:
    return [holder.id for holder in live_podium(stage).podium.holders]


def test_a_decision_settles_the_podium_with_its_entry_in_the_log(final: Stage, chief_judge: User) -> None:
    made = decide(final, chief_judge)
    assert holders(final) == ["0002", "0003", "0001"]
    entry = AuditEntry.objects.get(action="decide_tie")
    assert (entry.subject, entry.actor, entry.at) == ("stage final", chief_judge, made.at)
    assert entry.reason == "podium pick: 0002 0003 0001 of 0001 0002 0003 for 3 places. By the runs."


def test_the_same_sent_twice_is_one_decision_and_another_must_name_what_it_replaces(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    made = decide(final, chief_judge)
    assert decide(final, chief_judge) == made
    with pytest.raises(Refused) as refused:
        decide(final, chief_judge, order=["0003"])
    assert refused.value.code == "already_decided"
    waiting = decide(final, chief_judge, order=["0003"], replaces=made.pk)
    assert holders(final) == ["0002", "0003", "0001"]
    agree_decision(final.event, waiting.pk, by=organiser)
    assert (holders(final), TieBreak.objects.count()) == (["0003"], 2)
    assert live_podium(final).podium.contests == (PodiumTie(2, 2, ("0001", "0002")),)


def test_those_left_level_are_parted_by_a_decision_of_their_own(final: Stage, chief_judge: User) -> None:
    decide(final, chief_judge, order=["0002"])
    with pytest.raises(StaleVersion) as refused:
        decide(final, chief_judge, tied=["0001", "0003"], places=1, order=["0003"])
    assert refused.value.code == "contest_changed"
    decide(final, chief_judge, tied=["0001", "0003"], places=2, order=["0003"])
    assert holders(final) == ["0002", "0003", "0001"]


def test_a_play_off_gives_the_order_and_counts_for_nothing_else(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    before = live_ranking(final)
    made = play_off(final, chief_judge, organiser, games=[GAME])
    assert (made.order, holders(final)) == (["0002", "0001", "0003"], ["0002", "0001", "0003"])
    assert made.play_off[0][1] == {
        "entrant": 2,
        "win": 1,
        "points_twelfths": 360,
        "tiles": 0,
        "ended_by": "rummikub",
    }
    assert live_ranking(final) == before


def test_who_does_not_come_to_the_play_off_stands_after_all_who_played_it(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    played = game((1, 0, "-9", 4), (3, 1, "+9", 0))
    made = play_off(final, chief_judge, organiser, games=[played])
    assert made.order == ["0003", "0001", "0002"]


SECOND = game((1, 1, "+9", 0), (3, 0, "-9", 4))


@pytest.mark.parametrize("order", [["0002", "0001", "0003"], ["0001", "0003", "0002"]])
def test_where_some_play_on_the_chief_judge_says_who_had_left_and_who_had_no_need_to(
    order: list[str], final: Stage, chief_judge: User, organiser: User
) -> None:
    assert play_off(final, chief_judge, organiser, order=order, games=[GAME, SECOND]).order == order


def test_a_play_off_that_leaves_all_level_decides_nothing(final: Stage, chief_judge: User) -> None:
    other = game((1, 1, "+12", 0), (2, 0, "-6", 5), (3, 0, "-6", 5))
    games = [other, game((1, 0, "-6", 5), (2, 1, "+12", 0), (3, 0, "-6", 5))]
    games.append(game((1, 0, "-6", 5), (2, 0, "-6", 5), (3, 1, "+12", 0)))
    with pytest.raises(BadInput) as refused:
        decide(final, chief_judge, method="play_off", order=[], games=games)
    assert refused.value.code == "play_off_level"


def test_lots_are_drawn_from_the_announced_head_and_the_value_for_all_of_them(final: Stage, chief_judge: User) -> None:
    head = AuditHead.objects.get(event=final.event_id)
    made = drawn_lots(final, "podium", chief_judge, tied=LEADERS, places=3)
    assert tuple(made.order) == draw_lots(LEADERS, 3, f"{head.hash} 24123.5")


def test_the_award_s_tie_is_decided_between_the_families(final: Stage, chief_judge: User, organiser: User) -> None:
    make_families_level(final.event)
    award = {"of": DecisionOf.AWARD, "tied": ["F1", "F2"], "places": 1}
    made = play_off(final, chief_judge, organiser, **award, games=[FAMILY_GAME])
    assert made.order == ["F2", "F1"]
    assert live_podium(final).award_place.holders == (PodiumHolder(1, "F2", True),)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"order": []}, "wrong_order_of_contest"),
    ({"order": ["0002", "0002"]}, "wrong_order_of_contest"),
    ({"order": ["0004"]}, "wrong_order_of_contest"),
    ({"reason": " "}, "reason_missing"),
    ({"reason": "CHAN Tai1 Man was better"}, "text_names_somebody"),
    ({"method": "admit_all", "order": []}, "wrong_method"),
    ({"method": "lots", "order": [], "value": "5"}, "witnesses_missing"),
    ({"method": "lots", "order": [], "value": "5", "witnesses": "all"}, "lots_not_announced"),
    ({"method": "hand_lots"}, "witnesses_missing"),
    ({"method": "play_off"}, "play_off_missing"),
    ({"method": "play_off", "games": [GAME]}, "not_this_order"),
    ({"method": "play_off", "games": [GAME, SECOND], "order": []}, "play_off_uneven"),
    ({"method": "play_off", "games": [GAME, SECOND], "order": ["0003", "0001"]}, "not_this_order"),
    ({"method": "play_off", "games": [game((1, 1, "+9", 0), (4, 0, "-9", 3))]}, "wrong_play_off"),
    ({"method": "play_off", "games": [game((1, 1, "a lot", 0), (2, 0, "-9", 3))]}, "play_off_impossible"),
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
    assert TieBreak.objects.count() == 0


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


def test_two_siblings_level_with_one_parent_play_it_off_themselves(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    make_larger_family(final.event)
    facts: dict[str, Any] = {"of": "award", "tied": ["F1/0005", "F1/0006"], "places": 1}
    with pytest.raises(BadInput) as refused:
        play_off(final, chief_judge, organiser, **facts, games=[game((1, 0, "-5", 2), (5, 1, "+5", 0))])
    assert (refused.value.code, refused.value.facts) == ("plays_for_several", {"number": "0001"})
    made = play_off(final, chief_judge, organiser, **facts, games=[game((5, 0, "-5", 2), (6, 1, "+5", 0))])
    assert (made.order, live_podium(final).award_place.holders) == (
        ["F1/0006", "F1/0005"],
        (PodiumHolder(1, "F1/0006", True),),
    )


def test_pairs_that_share_every_member_cannot_play_it_off(final: Stage, chief_judge: User, organiser: User) -> None:
    make_larger_family(final.event, children=(5, 6), parents=(1, 2))
    (contest,) = live_podium(final).award_place.contests
    assert contest.ids == ("F1/0005/0001", "F1/0005/0002", "F1/0006/0001", "F1/0006/0002")
    facts: dict[str, Any] = {"of": "award", "tied": list(contest.ids), "places": 1}
    with pytest.raises(BadInput) as refused:
        play_off(final, chief_judge, organiser, **facts, games=[game((5, 0, "-5", 2), (6, 1, "+5", 0))])
    assert refused.value.code == "plays_for_several"
    decide(final, chief_judge, **facts, order=["F1/0006/0002"])
    assert live_podium(final).award_place.holders == (PodiumHolder(1, "F1/0006/0002", True),)
