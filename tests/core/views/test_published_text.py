"""A text that will be published, on its page: looked at in both languages, asked about, recorded with the answer."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.ranking.models.tie_break import TieBreak

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/preliminary/qualification/"
GIVEN = {
    "tied": "2,6", "places": "1", "method": "pick", "admitted": ["6"], "reason": "由美玲同學勝出",
}  # fmt: skip


@pytest.fixture
def client(first_session: Session, organiser: User, chief_judge: User, signed_in: Any) -> Any:
    """The chief judge; 0002 and 0006 are tied, and one entrant is called 陳美玲."""
    mirrored_tables(first_session, organiser)
    Person.objects.filter(entrant__number=4).update(name_zh="陳美玲")
    return signed_in(chief_judge)


def test_it_is_looked_at_in_both_languages_before_it_is_recorded(client: Any) -> None:
    page = squeezed(client.post(PAGE, {**GIVEN, "reason": "加賽後決定", "look": "1"}).content.decode())
    assert [
        '<p lang="zh-Hant-HK">總評判的理由：加賽後決定。</p>' in page,
        '<p lang="en">Reason given by the chief judge: <span lang="zh-Hant-HK">加賽後決定。</span></p>' in page,
        TieBreak.objects.exists(),
    ] == [True, True, False]


def test_words_that_may_name_somebody_are_confirmed_with_a_tick(client: Any) -> None:
    asked = client.post(PAGE, GIVEN)
    found = re.search(r'name="words_confirmed" value="([0-9a-f]+)"', squeezed(asked.content.decode()))
    assert (asked.status_code, "「美玲」是 0004 的名字（理由）" in squeezed(asked.content.decode())) == (400, True)
    assert found is not None
    assert client.post(PAGE, {**GIVEN, "words_confirmed": found[1]}).status_code == 302
    assert [TieBreak.objects.get().reason, AuditEntry.objects.filter(action="confirm_published_words").count()] == [
        "由美玲同學勝出",
        1,
    ]


def test_a_whole_name_is_refused_with_where_it_stands_and_no_box_to_tick(client: Any) -> None:
    answer = client.post(PAGE, {**GIVEN, "reason": "由陳　美玲勝出"})
    page = squeezed(answer.content.decode())
    assert [answer.status_code, "是 0004 的姓名（理由）" in page, 'type="checkbox" name="words_confirmed"' in page] == [
        400,
        True,
        False,
    ]


def test_an_event_is_looked_at_before_it_is_changed(event: Event, organiser: User, signed_in: Any) -> None:
    facts = {
        "name_zh": "新盃", "name_en": "New Cup", "venue_zh": "大堂", "venue_en": "Hall", "quota": "1200",
        "results_on": "2026-04-09", "results_hour": "00:00", "retention_on": "2026-07-31", "revision": event.revision,
        "look": "1",
    }  # fmt: skip
    page = squeezed(signed_in(organiser).post("/desk/hk-2026/setup/event/", facts).content.decode())
    assert ['lang="en"><b>New Cup</b><br>Hall<' in page, Event.objects.get().name_en == "New Cup"] == [True, False]
