"""Wherever a reason or another text that can reach the public is typed, the page says so: no names."""

import re
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from tournament.finalists.forms.decisions import PlayOffWordsForm
from tournament.operations.forms import EraseOnePersonForm
from tournament.registration.forms.changes import MoveSessionForm
from tournament.registration.forms.registration import StatusReasonForm
from tournament.stages.forms.qualification import TieDecisionForm

TEMPLATES = Path(settings.BASE_DIR) / "templates"
TYPED = re.compile(
    r'<(?:textarea|input(?![^>]*hidden))[^<]*?name="reason"|\{% field \w*\.?(?:reason|public_value|body_zh) '
)
# Their form says it as the hint of the field, to screen readers too.
BY_THE_FORM = {
    "registration/entrant.html": StatusReasonForm,
    "registration/_move.html": MoveSessionForm,
    "stages/qualification/_decide.html": TieDecisionForm,
    "stages/podium/_contest.html": TieDecisionForm,
    "stages/decisions/play_off.html": PlayOffWordsForm,
    "operations/privacy/erase_entrant.html": EraseOnePersonForm,
}
# A row among others: its list says it once, above.
BY_THE_LIST = {
    "publication/_place.html": "publication/places.html",
    "weather/postponing/_acts.html": "weather/postponing/postponed.html",
    "registration/importing/_answer.html": "registration/importing/_faults.html",
    "finalists/_row.html": "finalists/finalists.html",
    "arrivals/_undo.html": "arrivals/_find.html",
}


def test_every_page_that_takes_a_reason_says_that_it_can_become_public() -> None:
    typed = {
        str(path.relative_to(TEMPLATES)): text
        for path in TEMPLATES.rglob("*.html")
        if TYPED.search(text := path.read_text(encoding="utf-8"))
    }
    silent = {name for name, text in typed.items() if "_fragments/_no_names.html" not in text}
    assert silent == {*BY_THE_LIST, *BY_THE_FORM}
    lists = {name: (TEMPLATES / name).read_text(encoding="utf-8") for name in BY_THE_LIST.values()}
    assert {name for name, text in lists.items() if "_fragments/_no_names.html" not in text} == set()
    with override("en"):
        hints = [str(form.base_fields["reason"].help_text) for form in BY_THE_FORM.values()]
    assert [hint for hint in hints if "no names" not in hint] == []
