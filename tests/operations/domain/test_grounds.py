"""One function a word: what it answers after acts that end what was said, and that two ways of asking agree."""

import pytest
from django.contrib.auth.models import User

from tests.finalists.invited import invited
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.messages.domain import grounds_messages
from tournament.messages.domain.mail_subjects import ENDED_RELEASE_REPLACED, ENDED_RELEASE_WITHDRAWN
from tournament.publication.services import release
from tournament.ranking.domain import grounds_ranking
from tournament.releases.models import Release
from tournament.releases.queries import current_release
from tournament.scoresheets.services import corrections
from tournament.setup.queries import setup_progress_of
from tournament.sheets.domain import grounds_sheets
from tournament.sheets.queries.session_life import session_life_of
from tournament.sheets.services import registration

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """A preliminary that is released once."""
    return invited(first_session, organiser)[0]


def released_anew(stage: Stage, by: User) -> Release:
    """Somebody withdraws, so that there is something new to say."""
    entrant = stage.event.entrants.order_by("-number")[0]
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="fell ill", by=by)
    return release.release_results(stage, by=by)


def ended(made: Release) -> str:
    """The code of why it is in force no more; empty while it is."""
    found = grounds_messages.reason_not_in_force(Release.objects.get(pk=made.pk))
    return found.code if found else ""


def test_a_release_that_replaced_another_and_was_withdrawn_leaves_none_in_force(
    stage: Stage, organiser: User, first_session: Session
) -> None:
    first = current_release(stage)
    assert first is not None
    assert (ended(first), session_life_of(first_session).released, setup_progress_of(stage.event).released) == (
        "",
        True,
        1,
    )
    second = released_anew(stage, organiser)
    assert (ended(first), ended(second), current_release(stage)) == (ENDED_RELEASE_REPLACED, "", second)
    release.withdraw_release(second, reason="a sheet was missing", by=organiser)
    assert (ended(first), ended(second), current_release(stage)) == (
        ENDED_RELEASE_REPLACED,
        ENDED_RELEASE_WITHDRAWN,
        None,
    )
    assert (session_life_of(first_session).released, setup_progress_of(stage.event).released) == (False, None)


def test_what_is_settled_blocks_no_release_and_a_correction_that_is_begun_counts_as_before(
    stage: Stage, organiser: User
) -> None:
    still, verdict = grounds_ranking.stage_still_open(stage), release.judge_release(stage)
    contested = verdict.cut.settled.unresolved is not None
    blocks = {one.code for one in verdict.blocks} - {release.ALREADY_RELEASED}
    assert (still.is_finished, grounds_ranking.is_ready_but_for_hour(still, contested=contested)) == (True, not blocks)
    table = stage.sessions.get(number=1).tables.order_by("number")[0]
    sheet = table.official_sheet.scoresheet
    corrections.begin_correction(table, reason="a slip", by=organiser, request_key="begun")
    newer = table.scoresheets.order_by("-version")[0]
    assert (grounds_sheets.is_sheet_ranked_now(sheet), grounds_sheets.is_sheet_ranked_now(newer), newer != sheet) == (
        True,
        False,
        True,
    )
