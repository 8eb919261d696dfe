"""The chief judge's decision of a tie across the line: for exactly this tie, with how and why, harmless twice."""

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournament.sheets import mirrored_tables
from tournament.bridge.qualification import live_cut
from tournament.enums import EntrantStatus
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditEntry, Entrant, Session, Stage, TieDecision
from tournament.services.audit_verification import verify
from tournament.services.qualification import decide_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0002 and 0006 share rank 3 in full, one place is left."""
    mirrored_tables(first_session, organiser)
    return first_session.stage


def decide(stage: Stage, by: User, **given: Any) -> TieDecision:
    """A play-off that 0006 has won, unless told otherwise."""
    facts = {"tied": [2, 6], "places": 1, "method": "play_off", "admitted": [6], "reason": "One game, 0006 went out."}
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
        "play_off: 0006 for 1 places. One game, 0006 went out. Order: 0006.",
    )


def test_admitting_all_needs_no_list(stage: Stage, chief_judge: User) -> None:
    decide(stage, chief_judge, method="admit_all", admitted=[], reason="Both are let in.")
    assert advancing(stage) == [1, 5, 2, 6]


def test_lots_are_drawn_from_their_seed_before_witnesses(stage: Stage, chief_judge: User) -> None:
    decision = decide(
        stage, chief_judge, method="lots", admitted=[], seed="7 April", witnesses="Two referees", reason="Lots."
    )
    assert (decision.admitted, decision.seed, decision.witnesses) == ([6], "7 April", "Two referees")


def test_the_lots_order_all_of_them_for_whoever_draws_again(stage: Stage, chief_judge: User) -> None:
    given = {"method": "lots", "admitted": [], "seed": "7 April", "witnesses": "Two referees", "reason": "Lots."}
    decision = decide(stage, chief_judge, **given)
    drawn = sorted([2, 6], key=lambda number: hashlib.sha256(f"7 April\n{number:04d}".encode()).hexdigest())
    assert decision.order == drawn == [6, 2]
    assert AuditEntry.objects.get(action="decide_tie").reason == (
        "lots: 0006 for 1 places. Lots. Seed: 7 April. Order: 0006 0002."
    )


def test_the_games_of_the_play_off_are_kept_as_typed_and_change_no_result(stage: Stage, chief_judge: User) -> None:
    before = live_cut(stage).ranking
    games = [
        [
            {"entrant": 6, "win": 1, "points": "10/3", "tiles": 0},
            {"entrant": 2, "win": 0, "points": "-10/3", "tiles": 4},
        ]
    ]
    decision = decide(stage, chief_judge, games=games)
    assert decision.play_off == [
        [
            {"entrant": 6, "win": 1, "points_twelfths": 40, "tiles": 0},
            {"entrant": 2, "win": 0, "points_twelfths": -40, "tiles": 4},
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
        ({"method": "lots", "admitted": [], "witnesses": "Two"}, "seed_missing"),
        ({"method": "lots", "admitted": [], "seed": "7 April"}, "witnesses_missing"),
        ({"method": "lots", "admitted": [2], "seed": "7 April", "witnesses": "Two"}, "not_these_lots"),
        ({"method": "lots", "order": [2], "seed": "7 April", "witnesses": "Two"}, "not_these_lots"),
        ({"order": [2]}, "wrong_order"),
        ({"order": [6, 6]}, "wrong_order"),
        ({"games": [[{"entrant": 6, "win": 1, "points": "5", "tiles": 0}]]}, "wrong_play_off"),
        ({"games": [[{"entrant": one, "win": 1, "points": "5", "tiles": 0} for one in (2, 6)]]}, "wrong_play_off"),
        ({"games": [[{"entrant": one, "win": 0, "points": "x", "tiles": 0} for one in (2, 6)]]}, "points_unreadable"),
        ({"reason": "  "}, "reason_missing"),
        ({"reason": "chan tai2 man agreed."}, "reason_names_somebody"),
        ({"reason": "張大心勝出"}, "reason_names_somebody"),
    ],
)
def test_a_decision_that_cannot_stand_is_refused(
    stage: Stage, chief_judge: User, given: dict[str, Any], code: str
) -> None:
    Entrant.objects.get(number=2).person.__class__.objects.filter(entrant__number=2).update(name_zh="張大心")
    with pytest.raises(BadInput) as refused:
        decide(stage, chief_judge, **given)
    assert refused.value.code == code
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


def test_another_decision_replaces_only_the_one_its_maker_has_seen(stage: Stage, chief_judge: User) -> None:
    first = decide(stage, chief_judge)
    with pytest.raises(Refused) as refused:
        decide(stage, chief_judge, admitted=[2], reason="0002 won.")
    assert refused.value.code == "already_decided"
    second = decide(stage, chief_judge, admitted=[2], reason="0002 won.", replaces=first.pk)
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
