"""The page of changes: acts, things and reasons in the language of the page, as the log has them in one form."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.translation import override

from tournament.models import AuditEntry, Event
from tournament.services import audit
from tournament.services.audit_acts import KNOWN
from tournament.templatetags.audit import ACTS, reason_words, thing_words


def test_every_act_that_the_log_may_have_has_words() -> None:
    assert set(ACTS) == set(KNOWN)


def test_a_thing_is_said_in_the_language_of_the_page() -> None:
    things = (
        "scoresheet 0328-1-01 v2",
        "entrant file 3 row 12",
        "held 4 table 0406-3-21",
        "session 0406-3 tables 1 2",
        "account 7 chief_judge",
        "event hk-2026-rehearsal",
    )
    assert [thing_words(thing) for thing in things] == [
        "計分紙 0328-1-01·第 2 版",
        "名單 3 行 12",
        "保留項目 4 枱 0406-3-21",
        "場次 0406-3 枱 1 2",
        "帳戶 7 總評判",
        "賽事 hk-2026-rehearsal",
    ]
    with override("en"):
        assert [thing_words(thing) for thing in things][:2] == [
            "scoresheet 0328-1-01·version 2",
            "list of entrants 3 row 12",
        ]


@pytest.mark.parametrize(
    ("action", "reason", "said"),
    [
        ("record_incident", "pushed_over 2 C 14 twice", "推牌·2 C 14 twice"),
        ("record_answer", "declined. an exam", "放棄·an exam"),
        ("hold_item", "tablet 2: call, conflict", "平板 2·召總評判·伺服器已有不同數值"),
        ("set_second_typing", "0% -> 100%", "0% → 100%"),
        ("record_bounce", "hard 5.1.1", "退回 5.1.1"),
        ("make_rehearsal", "hk-2026: 1185 entrants", "複製自 hk-2026，1185 人"),
        ("change_entrant", "birth_date: as on the form", "出生日期: as on the form"),
        ("dispute_scoresheet", "the table says: event", "the table says: event"),
    ],
)
def test_what_the_program_put_into_a_reason_is_said_in_words_and_what_a_person_wrote_stays(
    action: str, reason: str, said: str
) -> None:
    assert reason_words(AuditEntry(action=action, reason=reason)) == said


def test_the_page_shows_words_and_finds_by_the_name_that_the_log_has(
    event: Event, organiser: User, signed_in: Any
) -> None:
    audit.record(event, None, "hold_item", "held 4 table 0328-1-02", reason="tablet 2: call, conflict")
    page = signed_in(organiser).get(f"/desk/{event.slug}/audit/?thing=held+4").content.decode()
    cells = [cell.split("</td>")[0] for cell in page.split("<tbody>")[1].split("<td")[3:]]
    assert ["系統" in cells[0], "保留平板項目" in cells[1], "保留項目 4 枱 0328-1-02" in cells[2]] == [True, True, True]
