"""A session stamped to its last sheet is over, whatever its clock says: nobody decides about it or waits for it."""

from django.contrib.auth.models import User

from tests.core.finals import invented
from tests.sheets.sheets import lock_sheets
from tests.weather.services.test_postponing_replay import WHY, broken, press, refusal_of, state, undecide
from tournament.accounts.models import Proposal
from tournament.core.enums import StageKind
from tournament.core.models.stage import Session
from tournament.ranking.queries.open_stages import still_open
from tournament.ranking.queries.standings import sessions_waited_for
from tournament.sheets.queries.session_life import session_life_of
from tournament.weather.services import postponing_replay as replays
from tournament.weather.services.postponing_replay import agree_replay, keep_session_results

__all__ = ["broken"]


def all_stamped(session: Session, by: User) -> None:
    """The third table's sheet too: the session is over."""
    third = session.tables.filter(number=3)
    lock_sheets(third, invented(third, seed=6), by)


def test_a_session_that_was_broken_off_is_no_more_decided_about_when_its_last_sheet_is_stamped(
    broken: Session, organiser: User, chief_judge: User
) -> None:
    asked = replays.replay_session(broken, reason=WHY, by=organiser)
    assert isinstance(asked, Proposal)
    all_stamped(broken, organiser)
    decided = [
        lambda act=act: act(broken, reason=WHY, by=organiser) for act in (keep_session_results, replays.replay_session)
    ]
    assert [refusal_of(act) for act in decided] == ["not_interrupted"] * 2
    assert refusal_of(lambda: agree_replay(broken.stage.event, asked.pk, by=chief_judge)) == "proposal_outdated"
    assert refusal_of(lambda: press(broken, "resume", organiser)) == "session_stamped"
    assert (state(broken), session_life_of(Session.objects.get(pk=broken.pk)).stage) == ("suspended", "stamped")


def test_neither_release_nor_ranking_waits_for_a_suspended_session_that_is_over(
    broken: Session, organiser: User
) -> None:
    event = broken.stage.event
    waits = lambda: (still_open(broken.stage).stopped, sessions_waited_for(event, StageKind.PRELIMINARY))  # noqa: E731
    assert waits() == ([broken], [broken])
    all_stamped(broken, organiser)
    assert waits() == ([], [])


def test_a_decision_about_a_session_that_is_over_since_stands(broken: Session, organiser: User) -> None:
    keep_session_results(broken, reason=WHY, by=organiser)
    all_stamped(broken, organiser)
    assert (refusal_of(lambda: undecide(broken, by=organiser)), state(broken)) == ("session_stamped", "checking")
