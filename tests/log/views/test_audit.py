"""The page of changes: acts, things and reasons in the language of the page, as the log has them in one form."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.translation import override

from tests.squeezed import squeezed
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.acts import ACTS
from tournament.core.models.event import Event
from tournament.log.templatetags.audit import DETAILS, audit_subject_words, reason_words


def test_a_thing_is_said_in_the_language_of_the_page() -> None:
    things = (
        "scoresheet 0328-1-01 v2",
        "entrant file 3 row 12",
        "held 4 table 0406-3-21",
        "session 0406-3 tables 1 2",
        "account 7 chief_judge",
        "event hk-2026-rehearsal",
    )
    assert [audit_subject_words(thing) for thing in things] == [
        "計分紙 0328-1-01·第 2 版",
        "名單 3 行 12",
        "保留項目 4 枱 0406-3-21",
        "場次 0406-3 枱 1 2",
        "帳戶 7 總評判",
        "賽事 hk-2026-rehearsal",
    ]
    with override("en"):
        assert [audit_subject_words(thing) for thing in things][:2] == [
            "scoresheet 0328-1-01·version 2",
            "list of entrants 3 row 12",
        ]


@pytest.mark.parametrize(
    ("action", "details", "reason", "said"),
    [
        (
            "record_incident",
            {"kind": "pushed_over", "game": 2, "letter": "C", "tiles": 14},
            "twice",
            "推牌·2 C 14 twice",
        ),
        ("record_answer", {"answer": "declined"}, "an exam", "放棄·an exam"),
        ("record_answer", {"answer": "declined"}, "", "放棄"),
        ("hold_item", {"tablet": 2, "act": "call", "because": "conflict"}, "", "平板 2·召總評判·伺服器已有不同數值"),
        ("set_second_typing", {}, "0% -> 100%", "0% → 100%"),
        ("record_bounce", {"kind": "hard", "code": "5.1.1"}, "", "退回 5.1.1"),
        ("make_rehearsal", {"copied_from": "hk-2026", "entrants": 1185}, "", "複製自 hk-2026，1185 人"),
        ("make_rehearsal", {"copied_to": "hk-2026-rehearsal"}, "", "hk-2026-rehearsal"),
        ("change_entrant", {"columns": ["birth_date"]}, "as on the form", "出生日期: as on the form"),
        ("seed_event", {"stage": "final", "seed": 7}, "", "種子 7"),
        ("freeze_finalists", {"finalists": 120}, "", "120 名決賽者"),
        ("propose_act", {"act": "decide_tie"}, "lots by hand", "同分已定: lots by hand"),
        ("dispute_scoresheet", {}, "the table says: event", "the table says: event"),
        ("draw_seats", {}, "seed 7", "種子 7"),
    ],
)
def test_what_the_program_says_is_put_into_words_and_what_a_person_wrote_stays(
    action: str, details: dict[str, Any], reason: str, said: str
) -> None:
    assert reason_words(AuditEntry(action=action, details=details, reason=reason)) == said


def test_details_have_words_for_every_act_that_the_program_says_them_of() -> None:
    assert set(DETAILS) <= set(ACTS)


def test_the_page_shows_words_and_finds_by_the_name_that_the_log_has(
    event: Event, organiser: User, signed_in: Any
) -> None:
    details = {"tablet": 2, "act": "call", "because": "conflict"}
    services.append_audit_entry(event, None, "hold_item", "held 4 table 0328-1-02", details=details)
    page = squeezed(signed_in(organiser).get(f"/desk/{event.slug}/audit/?thing=held+4").content.decode())
    cells = [cell.split("</td>")[0] for cell in page.split("<tbody>")[1].split("<td")[3:]]
    assert ["系統" in cells[0], "保留平板項目" in cells[1], "保留項目 4 枱 0328-1-02" in cells[2]] == [True, True, True]
