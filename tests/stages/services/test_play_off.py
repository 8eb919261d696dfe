"""A play-off is an ordinary sheet: judged by the same rules as a scoresheet, and it counts once two people agree."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.stages.deciding import IMPOSSIBLE, game
from tests.stages.podiums import LEADERS, level_final
from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Membership
from tournament.core.models.stage import Session, Stage
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import agree_decision, decide_tie

pytestmark = pytest.mark.django_db
WON = game((1, 1, "+20", 0), (2, 0, "-20", 3))


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def propose(final: Stage, by: User, *games: dict[str, Any], **given: Any) -> Any:
    facts = {"tied": LEADERS, "places": 3, "method": "play_off", "reason": "One game.", "games": games or [WON]}
    return decide_tie(final, of="podium", by=by, **{**facts, **given})


def champions(final: Stage) -> list[str]:
    return [one.id for one in live_podium(final).podium.holders]


@pytest.mark.parametrize("played", IMPOSSIBLE)
def test_a_game_that_no_scoresheet_could_show_is_refused_with_its_place(
    final: Stage, chief_judge: User, played: dict[str, Any]
) -> None:
    with pytest.raises(BadInput) as refused:
        propose(final, chief_judge, WON, played)
    assert refused.value.code == "play_off_impossible"
    assert {one.where[:8] for one in refused.value.about.mend} == {"games[1]"}
    assert not Proposal.objects.exists()


def test_how_a_game_ended_is_part_of_it(final: Stage, chief_judge: User) -> None:
    for ended_by in ("", "not_played", "pool"):
        with pytest.raises(BadInput) as refused:
            propose(final, chief_judge, {**WON, "ended_by": ended_by})
        assert refused.value.code == "play_off_impossible"


def test_a_single_player_and_a_stranger_are_no_game(final: Stage, chief_judge: User) -> None:
    for lines in ([(1, 1, "0", 0)], [(1, 1, "+9", 0), (1, 0, "-9", 3)], [(1, 1, "+9", 0), (9, 0, "-9", 3)]):
        with pytest.raises(BadInput) as refused:
            propose(final, chief_judge, game(*lines))
        assert refused.value.code == "wrong_play_off"


def test_nothing_counts_before_the_second_person_and_the_first_is_not_the_second(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    waiting = propose(final, chief_judge)
    with pytest.raises(Forbidden) as refused:
        agree_decision(final.event, waiting.pk, by=chief_judge)
    assert (refused.value.code, champions(final)) == ("proposer_cannot_approve", [])
    made = agree_decision(final.event, waiting.pk, by=organiser)
    assert (made.by, made.agreed_by, champions(final)) == (chief_judge, organiser, ["0001", "0002", "0003"])
    said = [(one.action, one.actor) for one in AuditEntry.objects.order_by("seq")][-3:]
    assert said == [
        ("propose_act", chief_judge),
        ("approve_proposal", organiser),
        ("decide_tie", chief_judge),
    ]
    assert f"Agreed to by account {organiser.pk}." in AuditEntry.objects.get(action="decide_tie").reason
    with pytest.raises(Refused) as closed:
        agree_decision(final.event, waiting.pk, by=organiser)
    assert (closed.value.code, TieBreak.objects.count()) == ("proposal_closed", 1)


def test_what_is_refused_or_withdrawn_decides_nothing(final: Stage, chief_judge: User, organiser: User) -> None:
    proposals.refuse_proposal(final.event, propose(final, chief_judge).pk, reason="0002 won", by=organiser)
    proposals.withdraw_proposal(final.event, propose(final, chief_judge).pk, by=chief_judge)
    assert champions(final) == []


def test_what_was_decided_meanwhile_makes_a_proposal_outdated(final: Stage, chief_judge: User, organiser: User) -> None:
    waiting = propose(final, chief_judge)
    pick = {"method": "pick", "order": ["0003", "0002", "0001"], "games": (), "reason": "The runs."}
    made = propose(final, chief_judge, **pick)
    with pytest.raises(Refused) as refused:
        agree_decision(final.event, waiting.pk, by=organiser)
    assert refused.value.code == "already_decided"
    proposals.refuse_proposal(final.event, waiting.pk, reason="decided otherwise", by=organiser)
    again = propose(final, chief_judge, replaces=made.pk)
    mine, judges = User.objects.filter(pk=chief_judge.pk), Membership.objects.filter(user=chief_judge)
    for taken in (lambda: mine.update(is_active=False), lambda: judges.filter(role=Role.CHIEF_JUDGE).delete()):
        taken()
        with pytest.raises(Refused) as refused:
            agree_decision(final.event, again.pk, by=organiser)
        assert refused.value.code == "proposer_not_chief_judge"
        mine.update(is_active=True)


def test_whose_tie_has_changed_is_not_agreed_to(final: Stage, chief_judge: User, organiser: User) -> None:
    waiting = propose(final, chief_judge)
    final.finalists.get(entrant__number=3).entrant.__class__.objects.filter(number=3).update(status="withdrawn")
    with pytest.raises(StaleVersion) as refused:
        agree_decision(final.event, waiting.pk, by=organiser)
    assert refused.value.code == "contest_changed"


def test_lots_drawn_by_hand_take_a_second_person_too(final: Stage, chief_judge: User, organiser: User) -> None:
    drawn = {"method": "hand_lots", "order": ["0003", "0001", "0002"], "witnesses": "two parents", "games": ()}
    waiting = propose(final, chief_judge, **drawn)
    assert champions(final) == []
    agree_decision(final.event, waiting.pk, by=organiser)
    assert champions(final) == ["0003", "0001", "0002"]
