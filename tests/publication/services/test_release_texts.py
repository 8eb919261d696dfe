"""A release looks once more at the words that it freezes: whoever was entered since is not given away by them."""

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tests.stages.deciding import decide
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Person
from tournament.publication.services.release import judge_release, release_results
from tournament.publication.services.texts import PUBLIC_TEXT_REMOVED
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import Release
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
PAGE = "/desk/hk-2026/releases/"


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Two tables, all stamped; 0002 and 0006 tie across the line."""
    mirrored_tables(first_session, organiser, advance=3)
    return first_session.stage


def decided(stage: Stage, by: User, reason: str, **given: Any) -> None:
    decide_tie(
        stage,
        of="line",
        tied=["0002", "0006"],
        places=1,
        method="pick",
        admitted=["0006"],
        reason=reason,
        by=by,
        **given,
    )


def renamed(number: int, zh: str) -> None:
    """Entered under this name after all that."""
    Person.objects.filter(entrant__number=number).update(name_zh=zh)


def test_a_reason_that_names_somebody_entered_since_blocks_until_it_is_recorded_anew_and_its_words_are_left_out(
    stage: Stage, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    decided(stage, chief_judge, "由龔裏琳見證")
    assert judge_release(stage, ANNOUNCED).blocks == ()
    renamed(8, "龔裏琳")
    [block] = judge_release(stage, ANNOUNCED).blocks
    assert (block.code, block.facts["of"]) == ("text_names_somebody", "line")
    page = squeezed(signed_in(organiser).get(PAGE).content.decode())
    said = (
        "「龔裏琳」是 0008 的姓名（理由）",
        "總評判以另一理由再次記錄決定",
        'href="/desk/hk-2026/preliminary/qualification/"',
    )
    assert [one for one in said if one not in page] == []

    decision = TieBreak.objects.get()
    again = {"tied": ["0002", "0006"], "places": 1, "method": "pick", "admitted": ["0006"], "replaces": decision.pk}
    decide(stage, "line", chief_judge, second=organiser, reason="0006 在先", **again)
    assert judge_release(stage, ANNOUNCED).blocks == ()
    made = release_results(stage, by=organiser, now=ANNOUNCED)
    [earlier] = made.content["earlier_decisions"]
    assert (made.content["decision"]["reason"], earlier["reason"]) == ("0006 在先", PUBLIC_TEXT_REMOVED)


def test_words_that_may_be_a_name_of_now_are_asked_about_once_and_the_log_keeps_who_confirmed(
    stage: Stage, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    decided(stage, chief_judge, "家樂廳內抽籤")
    renamed(8, "歐陽家樂")
    with pytest.raises(BadInput) as refused:
        release_results(stage, by=organiser, now=ANNOUNCED)
    assert (refused.value.code, Release.objects.exists()) == ("text_may_name_somebody", False)
    client: Client = signed_in(organiser)
    page = squeezed(client.get(PAGE).content.decode())
    assert ("「家樂」是 0008 的名字（理由）" in page, refused.value.about.token in page) == (True, True)
    sent = {"number": "1", "count": "8"}
    assert client.post(PAGE, sent).status_code == 400
    assert client.post(PAGE, {**sent, "words_confirmed": refused.value.about.token}).status_code == 302
    entry = AuditEntry.objects.get(action="confirm_published_words")
    assert (entry.subject, entry.reason) == ("release 1", "reason: given_name of 0008")
    assert judge_release(stage, ANNOUNCED).asked is None


def test_what_was_confirmed_when_it_was_recorded_is_not_asked_about_again(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    renamed(8, "歐陽家樂")
    with pytest.raises(BadInput) as refused:
        decided(stage, chief_judge, "家樂廳內抽籤")
    decided(stage, chief_judge, "家樂廳內抽籤", words_confirmed=refused.value.about.token)
    assert release_results(stage, by=organiser, now=ANNOUNCED).number == 1
