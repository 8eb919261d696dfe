"""The chief judge's decision of a tie across the line: for exactly this tie, with how and why, harmless twice."""

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.recorded import altered_rows
from tests.sheets.sheets import mirrored_tables
from tests.stages.deciding import draw_lots, game
from tournament.accounts.models import Proposal
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.enums import EntrantStatus
from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import agree_decision, decide_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0002 and 0006 share rank 3 in full, one place is left."""
    mirrored_tables(first_session, organiser)
    return first_session.stage


def decide(stage: Stage, by: User, **given: Any) -> TieBreak:
    """A choice of 0006, unless told otherwise."""
    facts = {
        "tied": ["0002", "0006"],
        "places": 1,
        "method": "pick",
        "admitted": ["0006"],
        "reason": "0006 had the longer run.",
    }
    return decide_tie(stage, of="line", by=by, **{**facts, **given})


def advancing(stage: Stage) -> list[int]:
    return [entrant.number for entrant in live_qualification(stage).advancing]


def test_without_a_decision_the_tie_is_open(stage: Stage) -> None:
    cut = live_qualification(stage)
    assert (advancing(stage), [entrant.number for entrant in cut.tie], cut.tie_places) == ([1, 5], [2, 6], 1)
    assert cut.settled.unresolved is not None


def test_the_decided_advance_and_the_other_is_the_first_reserve(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    cut = live_qualification(stage)
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
    assert (entry.actor, entry.subject, entry.reason) == (
        chief_judge,
        "stage preliminary",
        "line pick: 0006 of 0002 0006 for 1 places. 0006 had the longer run.",
    )


def test_admitting_all_needs_no_list(stage: Stage, chief_judge: User) -> None:
    decide(stage, chief_judge, method="admit_all", admitted=[], reason="Both are let in.")
    assert advancing(stage) == [1, 5, 2, 6]


def test_lots_are_drawn_from_the_announced_head_and_the_value_before_witnesses(stage: Stage, chief_judge: User) -> None:
    head = AuditHead.objects.get(event=stage.event_id)
    decision = draw_lots(stage, "line", chief_judge, tied=["0002", "0006"], places=1)
    seed = f"{head.hash} 24123.5"
    drawn = sorted(["0002", "0006"], key=lambda id: hashlib.sha256(f"{seed}\n{id}".encode()).hexdigest())
    assert (decision.seed, decision.order, decision.admitted) == (seed, drawn, drawn[:1])
    assert decision.witnesses == "two parents"
    assert AuditEntry.objects.get(action="decide_tie").reason == (
        f"line lots: {' '.join(drawn)} of 0002 0006 for 1 places. Lots. Seed: {seed}."
    )
    assert altered_rows() == []


def test_the_games_of_the_play_off_are_kept_and_change_no_result(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    before = live_qualification(stage).ranking
    games = [game((6, 1, "+10", 0), (2, 0, "-10", 4))]
    waiting = decide(stage, chief_judge, method="play_off", admitted=[], games=games)
    assert (live_qualification(stage).decision, TieBreak.objects.count()) == (None, 0)
    decision = agree_decision(stage.event, waiting.pk, by=organiser)
    assert (decision.order, decision.admitted, decision.by, decision.agreed_by) == (
        ["0006", "0002"],
        ["0006"],
        chief_judge,
        organiser,
    )
    assert decision.play_off == [
        [
            {"entrant": 6, "win": 1, "points_twelfths": 120, "tiles": 0, "ended_by": "rummikub"},
            {"entrant": 2, "win": 0, "points_twelfths": -120, "tiles": 4, "ended_by": "rummikub"},
        ]
    ]
    assert live_qualification(stage).ranking == before
    assert altered_rows() == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"admitted": []}, "wrong_number_admitted"),
        ({"admitted": ["0002", "0006"]}, "wrong_number_admitted"),
        ({"admitted": ["0003"]}, "wrong_number_admitted"),
        ({"method": "pick", "admitted": ["0006", "0006"]}, "wrong_number_admitted"),
        ({"method": "admit_all", "admitted": ["0006"]}, "wrong_number_admitted"),
        ({"method": "lots", "admitted": [], "witnesses": "Two", "value": "5"}, "lots_not_announced"),
        ({"method": "lots", "admitted": [], "value": "5"}, "witnesses_missing"),
        ({"method": "hand_lots", "order": ["0006"]}, "witnesses_missing"),
        ({"method": "hand_lots", "witnesses": "Two"}, "order_missing"),
        ({"method": "play_off"}, "play_off_missing"),
        (
            {"method": "play_off", "games": [game((6, 1, "+10", 0), (2, 0, "-10", 4))], "admitted": ["0002"]},
            "not_this_order",
        ),
        ({"order": ["0002"]}, "wrong_order"),
        ({"order": ["0006", "0006"]}, "wrong_order"),
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
    assert not TieBreak.objects.exists()


@pytest.mark.parametrize(
    "given",
    [{"tied": ["0002", "0006", "0003"]}, {"tied": ["0002"]}, {"places": 2, "admitted": ["0002", "0006"]}, {"tied": []}],
)
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
        decide(stage, chief_judge, admitted=["0002"], reason="0002 won.")
    assert refused.value.code == "already_decided"
    waiting = decide(stage, chief_judge, admitted=["0002"], reason="0002 won.", replaces=first.pk)
    assert live_qualification(stage).decision == first
    with pytest.raises(Forbidden):
        agree_decision(stage.event, waiting.pk, by=chief_judge)
    second = agree_decision(stage.event, waiting.pk, by=organiser)
    cut = live_qualification(stage)
    assert (advancing(stage), cut.decision, cut.lapsed) == ([1, 5, 2], second, ())


def test_a_decision_lapses_when_the_tie_is_another(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.WITHDRAWN)
    cut = live_qualification(stage)
    assert (advancing(stage), cut.decision, cut.lapsed) == ([1, 2, 6], None, (decision,))


def test_a_decision_counts_again_when_its_tie_is_back(stage: Stage, chief_judge: User) -> None:
    decision = decide(stage, chief_judge)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.WITHDRAWN)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.OK)
    assert live_qualification(stage).decision == decision
