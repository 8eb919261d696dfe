"""The chief judge's decision of a tie across the line: for exactly this tie, with how and why, harmless twice."""

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournament.deciding import draw_lots, game
from tests.tournament.sheets import mirrored_tables
from tournament.bridge.qualification import live_cut
from tournament.enums import EntrantStatus
from tournament.errors import Forbidden, Refused, StaleVersion
from tournament.models import AuditEntry, AuditHead, Entrant, Proposal, Session, Stage, TieDecision
from tournament.services.audit_verification import verify
from tournament.services.decisions import agree
from tournament.services.qualification import decide_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0002 and 0006 share rank 3 in full, one place is left."""
    mirrored_tables(first_session, organiser)
    return first_session.stage


def decide(stage: Stage, by: User, **given: Any) -> TieDecision:
    """A choice of 0006, unless told otherwise."""
    facts = {"tied": [2, 6], "places": 1, "method": "pick", "admitted": [6], "reason": "0006 had the longer run."}
    return decide_tie(stage, by=by, **{**facts, **given})


def decisions_altered() -> list[str]:
    """What the verifier finds wrong with decisions; the sheets of these tests are rows without a log."""
    return [finding.code for finding in verify(files=False).findings if "decision" in finding.code]


def advancing(stage: Stage) -> list[int]:
    return [entrant.number for entrant in live_cut(stage).advancing]


def test_without_a_decision_the_tie_is_open(stage: Stage) -> None:
    cut = live_cut(stage)
    assert (advancing(stage), [entrant.number for entrant in cut.tie], cut.tie_places) == ([1, 5], [2, 6], 1)
    assert cut.settled.unresolved is not None


def test_the_decided_advance_and_the_other_is_the_first_reserve(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    cut = live_cut(stage)
    assert (advancing(stage), cut.settled.unresolved, cut.decision) == ([1, 5, 6], None, decision)
    assert [(entrant.number, place, tied) for entrant, place, tied in cut.reserves] == [
        (2, 1, False),
        (3, 2, True),
        (7, 2, True),
        (4, 4, True),
        (8, 4, True),
    ]


def test_the_decision_is_in_the_audit_log_by_numbers(stage: Stage, chief_judge: User) -> None:
    decide(stage, chief_judge)
    entry = AuditEntry.objects.get(action="decide_tie")
    assert (entry.actor, entry.thing, entry.reason) == (
        chief_judge,
        "stage preliminary",
        "pick: 0006 for 1 places. 0006 had the longer run.",
    )


def test_admitting_all_needs_no_list(stage: Stage, chief_judge: User) -> None:
    decide(stage, chief_judge, method="admit_all", admitted=[], reason="Both are let in.")
    assert advancing(stage) == [1, 5, 2, 6]


def test_lots_are_drawn_from_the_announced_head_and_the_value_before_witnesses(stage: Stage, chief_judge: User) -> None:
    head = AuditHead.objects.get(event=stage.event_id)
    decision = draw_lots(stage, "line", chief_judge, tied=[2, 6], places=1)
    seed = f"{head.hash} 24123.5"
    drawn = sorted([2, 6], key=lambda number: hashlib.sha256(f"{seed}\n{number:04d}".encode()).hexdigest())
    assert (decision.seed, decision.order, decision.admitted) == (seed, drawn, drawn[:1])
    assert decision.witnesses == "two parents"
    order = " ".join(f"{number:04d}" for number in drawn)
    assert AuditEntry.objects.get(action="decide_tie").reason == (
        f"lots: {drawn[0]:04d} for 1 places. Lots. Seed: {seed}. Order: {order}."
    )
    assert decisions_altered() == []


def test_the_games_of_the_play_off_are_kept_and_change_no_result(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    before = live_cut(stage).ranking
    games = [game((6, 1, "+10", 0), (2, 0, "-10", 4))]
    waiting = decide(stage, chief_judge, method="play_off", admitted=[], games=games)
    assert (live_cut(stage).decision, TieDecision.objects.count()) == (None, 0)
    decision = agree(stage.event, waiting.pk, by=organiser)
    assert (decision.order, decision.admitted, decision.by, decision.agreed_by) == ([6, 2], [6], chief_judge, organiser)
    assert decision.play_off == [
        [
            {"entrant": 6, "win": 1, "points_twelfths": 120, "tiles": 0, "ended_by": "rummikub"},
            {"entrant": 2, "win": 0, "points_twelfths": -120, "tiles": 4, "ended_by": "rummikub"},
        ]
    ]
    assert live_cut(stage).ranking == before
    assert decisions_altered() == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"admitted": []}, "wrong_number_admitted"),
        ({"admitted": [2, 6]}, "wrong_number_admitted"),
        ({"admitted": [3]}, "wrong_number_admitted"),
        ({"method": "pick", "admitted": [6, 6]}, "wrong_number_admitted"),
        ({"method": "admit_all", "admitted": [6]}, "wrong_number_admitted"),
        ({"method": "lots", "admitted": [], "witnesses": "Two", "value": "5"}, "lots_not_announced"),
        ({"method": "lots", "admitted": [], "value": "5"}, "witnesses_missing"),
        ({"method": "hand_lots", "order": [6]}, "witnesses_missing"),
        ({"method": "hand_lots", "witnesses": "Two"}, "order_missing"),
        ({"method": "play_off"}, "play_off_missing"),
        (
            {"method": "play_off", "games": [game((6, 1, "+10", 0), (2, 0, "-10", 4))], "admitted": [2]},
            "not_this_order",
        ),
        ({"order": [2]}, "wrong_order"),
        ({"order": [6, 6]}, "wrong_order"),
        ({"reason": "  "}, "reason_missing"),
        ({"reason": "chan tai2 man agreed."}, "text_names_somebody"),
        ({"reason": "張大心勝出"}, "text_names_somebody"),
    ],
)
def test_a_decision_that_cannot_stand_is_refused(
    stage: Stage, chief_judge: User, given: dict[str, Any], code: str
) -> None:
    Entrant.objects.get(number=2).person.__class__.objects.filter(entrant__number=2).update(name_zh="張大心")
    with pytest.raises(Refused) as refused:
        decide(stage, chief_judge, **given)
    assert refused.value.code == code
    assert not Proposal.objects.exists()
    assert not TieDecision.objects.exists()


@pytest.mark.parametrize("given", [{"tied": [2, 6, 3]}, {"tied": [2]}, {"places": 2, "admitted": [2, 6]}, {"tied": []}])
def test_a_decision_for_a_tie_that_is_not_there_is_stale(
    stage: Stage, chief_judge: User, given: dict[str, Any]
) -> None:
    with pytest.raises(StaleVersion) as refused:
        decide(stage, chief_judge, **given)
    assert refused.value.code == "tie_changed"


def test_sent_twice_it_is_recorded_once(stage: Stage, chief_judge: User) -> None:
    assert decide(stage, chief_judge) == decide(stage, chief_judge)
    assert AuditEntry.objects.filter(action="decide_tie").count() == 1


def test_another_decision_replaces_the_one_its_maker_has_seen_with_a_second_person(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    first = decide(stage, chief_judge)
    with pytest.raises(Refused) as refused:
        decide(stage, chief_judge, admitted=[2], reason="0002 won.")
    assert refused.value.code == "already_decided"
    waiting = decide(stage, chief_judge, admitted=[2], reason="0002 won.", replaces=first.pk)
    assert live_cut(stage).decision == first
    with pytest.raises(Forbidden):
        agree(stage.event, waiting.pk, by=chief_judge)
    second = agree(stage.event, waiting.pk, by=organiser)
    cut = live_cut(stage)
    assert (advancing(stage), cut.decision, cut.lapsed) == ([1, 5, 2], second, ())


def test_a_decision_lapses_when_the_tie_is_another(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.WITHDRAWN)
    cut = live_cut(stage)
    assert (advancing(stage), cut.decision, cut.lapsed) == ([1, 2, 6], None, (decision,))


def test_a_decision_counts_again_when_its_tie_is_back(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.WITHDRAWN)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.OK)
    assert live_cut(stage).decision == decision
