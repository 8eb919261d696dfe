"""What each role may do at an event, said once more by role; and the right that each page asks for, by the matrix."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tournament.core.acts import RIGHTS

MATRIX: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "permissions_matrix.json").read_text())
READS = "see_desk see_weather"
DESK = (
    f"{READS} see_arrivals see_conduct see_entrants see_notices see_proposals see_scoresheets see_seating see_tablets"
)
ENTERS = (
    "correct_scoresheet certify_scoresheet dispute_scoresheet enter_weather record_absence settle_marks unlock_pins"
)
JUDGES = "agree_correction agree_decision answer_proposal move_session see_drawings settle_held void_scoresheet"
REVIEWS = "agree_role see_audit see_release see_standings"
TYPES = "change_entrant check_in import_entrants pair_tablets print_scoresheets type_scoresheet"
ALONE = (
    "decide_entry decide_weather draw_seats erase_personal_data export_people freeze_finalists invite_finalists"
    " make_backup manage_accounts print_certificates publish_notice record_answer release send_mailing set_up_event"
    " stamp"
)
OF_THE_JUDGE = "answer_call certify_without_signature count_held_signatures decide_dispute decide_tie disqualify"
MAY = {
    "organiser": f"{DESK} {ENTERS} {JUDGES} {REVIEWS} {TYPES} {ALONE} see_mailings see_proposed_change",
    "clerk": f"{DESK} {ENTERS} {TYPES} see_proposed_change",
    "referee": READS,
    "chief_judge": f"{DESK} {ENTERS} {JUDGES} {REVIEWS} {OF_THE_JUDGE} see_proposed_change",
    "auditor": f"{DESK} {REVIEWS} see_mailings",
}


@pytest.mark.parametrize("role", MAY)
def test_a_role_has_these_rights_and_no_other(role: str) -> None:
    assert sorted(right for right, roles in RIGHTS.items() if role in roles) == sorted(MAY[role].split())


def guarded_pages() -> Iterator[tuple[str, str]]:
    """Name and right of each page of an event."""
    waiting: list[URLPattern | URLResolver] = list(get_resolver().url_patterns)
    while waiting:
        one = waiting.pop()
        if isinstance(one, URLResolver):
            waiting += one.url_patterns
        elif right := getattr(one.callback, "act", ""):
            yield str(one.name), right


def test_a_page_asks_for_a_right_of_exactly_those_whom_the_matrix_names() -> None:
    pages = dict(guarded_pages())
    named = {name: {*MATRIX[name].get("GET", "").split(), *MATRIX[name].get("POST", "").split()} for name in pages}
    assert len(pages) > 150
    assert named == {name: {role.value for role in RIGHTS[right]} for name, right in pages.items()}
