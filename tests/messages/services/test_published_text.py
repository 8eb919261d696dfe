"""The gate before everything that the public reads: refused with what was found, asked about once, kept in the log."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.mail.noticed import wording
from tests.sheets.sheets import mirrored_tables
from tests.stages.deciding import announce
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.services import notices
from tournament.messages.models import Notice
from tournament.messages.services.published_text import PersonalDataQuestion, check_published_texts
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.setup.services import changes, setup
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
WHOLE, GIVEN = "龔裏琳", "裏琳"


@pytest.fixture
def child(first_session: Session) -> Entrant:
    """0304, eight years old, who agreed to nothing."""
    person = Person.objects.create(
        name_zh=WHOLE,
        name_en="KUNG Li Lam",
        name_key="x",
        birth_date=date(2018, 1, 1),
        school="彩虹道幼稚園",
        phone="+85297654321",
    )
    return Entrant.objects.create(event=first_session.stage.event, number=304, person=person, session=first_session)


@pytest.fixture
def stage(first_session: Session, organiser: User, child: Entrant) -> Stage:
    """0002 and 0006 share rank 3 in full, one place is left; the child is none of them."""
    mirrored_tables(first_session, organiser)
    return first_session.stage


def pick(stage: Stage, by: User, **given: Any) -> TieBreak:
    facts = {"tied": ["0002", "0006"], "places": 1, "method": "pick", "admitted": ["0006"], "reason": "抽籤。"}
    return decide_tie(stage, of="line", by=by, **{**facts, **given})


def announced(stage: Stage, by: User, **given: Any) -> LotsAnnouncement:
    return announce(stage, "line", by, tied=["0002", "0006"], places=1, **given)


def refusal(act: Any) -> BadInput:
    with pytest.raises(BadInput) as refused:
        act()
    return refused.value


@pytest.mark.parametrize(
    "given",
    [
        {"public_value": f"{WHOLE}抽到一號"},
        {"reason": f"由{WHOLE}勝出"},
        {"public_value": "9765-4321"},
        {"reason": "Li-Lam KUNG"},
    ],
)
def test_the_figure_announced_and_the_reason_name_no_entrant_of_the_event(
    stage: Stage, chief_judge: User, given: dict[str, str]
) -> None:
    act = announced if "public_value" in given else pick
    refused = refusal(lambda: act(stage, chief_judge, **given))
    assert (refused.code, [one.number for one in refused.about.findings]) == ("text_names_somebody", [304])
    assert not TieBreak.objects.exists()


def test_a_refusal_says_what_was_found_and_where(stage: Stage, chief_judge: User) -> None:
    said = str(refusal(lambda: announced(stage, chief_judge, public_value=f"{WHOLE}抽到一號")))
    assert (
        said == "這段文字會公開，但透露了個人身份：「龔裏琳」是 0304 的姓名（公開數字）。請改寫參賽編號。沒有任何記錄。"
    )


def test_a_given_name_is_asked_about_and_confirmed_with_an_entry_in_the_log(stage: Stage, chief_judge: User) -> None:
    reason = f"加賽由{GIVEN}同學勝出（彩虹道幼稚園）"
    asked = refusal(lambda: pick(stage, chief_judge, reason=reason))
    assert (asked.code, asked.about.sentences) == (
        "text_may_name_somebody",
        ["「裏琳」是 0304 的名字（理由）", "「彩虹道幼稚園」是 0304 的學校（理由）"],
    )
    made = pick(stage, chief_judge, reason=reason, words_confirmed=asked.about.token)
    entry = AuditEntry.objects.get(action="confirm_published_words")
    assert (made.reason, entry.subject, entry.actor, entry.reason) == (
        reason,
        "stage preliminary",
        chief_judge,
        "reason: given_name of 0304, reason: school of 0304",
    )


def test_what_was_confirmed_of_one_text_is_asked_again_of_another(stage: Stage, chief_judge: User) -> None:
    token = refusal(lambda: pick(stage, chief_judge, reason=f"{GIVEN}先")).about.token
    again = refusal(lambda: pick(stage, chief_judge, reason=f"{GIVEN}先到", words_confirmed=token))
    assert (again.code, again.about.token != token) == ("text_may_name_somebody", True)


def test_nothing_confirms_a_whole_name(event: Event, child: Entrant) -> None:
    refused = refusal(lambda: check_published_texts(event, {"reason": WHOLE}))
    assert (
        refused.about.token,
        refusal(lambda: check_published_texts(event, {"reason": WHOLE}, confirmed="")).code,
    ) == (
        "",
        "text_names_somebody",
    )


def test_a_draft_of_a_notice_names_nobody_and_its_publication_asks(
    event: Event, organiser: User, child: Entrant
) -> None:
    refused = refusal(lambda: notices.draft_notice(event, wording(body_zh=f"多謝{WHOLE}"), by=organiser))
    draft = notices.draft_notice(event, wording(body_zh=f"多謝{GIVEN}"), by=organiser)
    publish = {"revision": 1, "confirmed": None, "mail": False, "by": organiser}
    asked = refusal(lambda: notices.publish_notice(draft, **publish))
    told = notices.publish_notice(draft, **publish, words_confirmed=asked.about.token)
    entry = AuditEntry.objects.get(action="confirm_published_words")
    assert [refused.code, asked.code, told.number, entry.subject] == [
        "text_names_somebody",
        "text_may_name_somebody",
        1,
        "notice 1",
    ]


def test_a_notice_that_was_drafted_before_the_people_came_is_looked_at_again(
    event: Event, organiser: User, first_session: Session, request: pytest.FixtureRequest
) -> None:
    draft = notices.draft_notice(event, wording(title_en="For KUNG Li Lam"), by=organiser)
    request.getfixturevalue("child")
    publish = {"revision": 1, "confirmed": None, "mail": False, "by": organiser}
    assert refusal(lambda: notices.publish_notice(draft, **publish)).code == "text_names_somebody"
    assert Notice.objects.get().published_at is None


def changed(event: Event, by: User, **facts: Any) -> Event:
    kept = {name: getattr(event, name) for name in changes.EVENT_FACT_FIELDS}
    return changes.change_event(event, revision=event.revision, facts={**kept, **facts}, by=by)


@pytest.mark.parametrize("field", ["name_zh", "name_en", "venue_zh", "venue_en", "contact"])
def test_names_and_venue_of_an_event_name_nobody(event: Event, organiser: User, child: Entrant, field: str) -> None:
    refused = refusal(lambda: changed(event, organiser, **{field: "Li Lam Kung Hall"}))
    assert (refused.code, refused.about.findings[0].text) == ("text_names_somebody", field)


def test_what_stands_is_not_asked_about_when_something_else_changes(
    event: Event, organiser: User, child: Entrant
) -> None:
    Event.objects.filter(pk=event.pk).update(venue_zh=f"{GIVEN}堂")
    now = Event.objects.get(pk=event.pk)
    assert changed(now, organiser, quota=1300).quota == 1300


def test_a_new_event_names_nobody_whom_its_maker_knows(event: Event, organiser: User, child: Entrant) -> None:
    facts = {"slug": "kung-li-lam-cup", "name_zh": "盃賽", "name_en": "A Cup", "first_day": date(2027, 3, 28)}
    refused = refusal(lambda: setup.copy_event(event, by=organiser, **facts))
    assert (refused.code, refused.about.findings[0].text) == ("text_names_somebody", "slug")
    assert isinstance(refused.about, PersonalDataQuestion)
