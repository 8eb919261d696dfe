"""The turn timer as it is served: its rules, its worker, its sheet, the links that lead to it."""

import io
import json
import re
from typing import Any

import pypdfium2
import pytest
from django.test import Client

from scoring.ruleset import PRESETS
from tests.squeezed import squeezed
from tournament.core.adapters.bundles import bundle_url
from tournament.core.models.event import Event
from tournament.publication.services.files import write_public_files
from tournament.timer.exports.timer_sheet import TimerSheet, timer_sheet_pdf

pytestmark = pytest.mark.django_db

COST_ZH = "超時：收回剛出的牌並還原枱面，罰抽 {} 隻；不能還原的牌收回牌架。"
COST_EN = (
    "Out of time: take back what was played, put the table as it was, draw {}; "
    "what cannot be put back goes to the rack."
)


def data(path: str) -> Any:
    """What the page carries for its scripts."""
    return Client().get(path).context["data"]


def test_standing_alone_it_has_every_preset_with_its_seconds_seats_and_cost() -> None:
    found = data("/timer/")
    presets = [PRESETS[one["code"]] for one in found["rulesets"]]
    assert found["rulesets"] == [
        {"code": one.name, "seconds": one.turn_seconds, "seats": one.table_sizes[0]} for one in presets
    ]
    assert {one.name for one in presets} == set(PRESETS)
    books = {lang: dict(zip(book["names"], book["overtime"], strict=True)) for lang, book in found["books"].items()}
    assert books["en"] == {
        "Hong Kong 2026": COST_EN.format(1),
        "Twist": COST_EN.format(3),
        "School": COST_EN.format(3),
        "WORD": COST_EN.format(3),
        "French": "",
    }
    assert list(books["zh-Hant-HK"].values()) == [COST_ZH.format(1), *[COST_ZH.format(3)] * 3, ""]


def test_an_event_has_its_own_seconds_and_cost_and_a_choice_where_its_stages_differ(event: Event) -> None:
    stage = event.stages.get()
    stage.ruleset = {"base": "hk-2026", "turn_seconds": 45, "overtime_tiles": 2, "opening_minimum": 24}
    stage.save()
    found = data("/timer/hk-2026/")
    assert found["rulesets"] == [{"code": "preliminary", "seconds": 45, "seats": 4}]
    assert found["books"]["en"]["overtime"] == [COST_EN.format(2)]
    # Rules that differ in nothing that a timer knows are no choice.
    event.stages.create(kind="semi", order=2, ruleset=stage.ruleset | {"opening_minimum": 30})
    event.stages.create(kind="final", order=3, ruleset="french")
    found = data("/timer/hk-2026/")
    assert found["rulesets"] == [
        {"code": "preliminary", "seconds": 45, "seats": 4},
        {"code": "final", "seconds": None, "seats": 4},
    ]
    assert Client().get("/timer/another/").status_code == 404


def test_the_cost_is_what_the_public_page_of_rules_says(event: Event) -> None:
    write_public_files(event)
    for language, cost in (("", COST_ZH.format(1)), ("en/", COST_EN.format(1))):
        rules = squeezed(Client().get(f"/p/hk-2026/rules/{language}").content.decode())
        assert cost in rules
        assert 'href="/timer/hk-2026/"' in rules


def test_the_page_asks_for_no_file_but_those_its_worker_keeps_and_the_worker_keeps_no_other_page(event: Event) -> None:
    script = Client().get("/timer/worker.js").content.decode()
    kept = json.loads(script.partition("\n")[0].removeprefix("const KEPT = ").removesuffix(";"))
    assert (kept["name"], kept["scope"], kept["pages"]) == ("timer", "/timer/", ["/timer/"])
    assert kept["files"] == [bundle_url("timer.css"), bundle_url("timer.js"), bundle_url("joker.svg")]
    for path in ("/timer/", "/timer/hk-2026/"):
        page = squeezed(Client().get(path).content.decode())
        assert {*re.findall(r'(?:href|src)="(/static/[^"]+)"', page)} == {*kept["files"]}


@pytest.mark.parametrize("language", ["en", "zh-hant"])
def test_the_sheet_is_one_page_and_says_the_seconds_and_the_cost(event: Event, language: str) -> None:
    answer = Client().get(f"/timer/hk-2026/how-to-{language}.pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    document = pypdfium2.PdfDocument(io.BytesIO(answer.content))
    said = "".join(document[0].get_textpage().get_text_range().split())
    assert len(document) == 1
    cost, seconds = {"en": (COST_EN, "60 seconds a turn"), "zh-hant": (COST_ZH, "每輪 60 秒")}[language]
    assert ["".join(one.split()) in said for one in (cost.format(1), seconds)] == [True, True]


def test_the_sheet_of_other_rules_says_theirs_and_one_without_a_limit_says_so() -> None:
    def said(rules: str) -> str:
        pdf = Client().get(f"/timer/how-to-en.pdf?rules={rules}").content
        return " ".join(pypdfium2.PdfDocument(io.BytesIO(pdf))[0].get_textpage().get_text_range().split())

    assert COST_EN.format(3) in said("twist")
    french = said("french")
    assert ("No time limit by the rules: choose the seconds" in french, "draw 3" in french) == (True, False)
    assert said("no such") == said("hk-2026")
    assert Client().get("/timer/how-to-fr.pdf").status_code == 404


def test_with_the_longest_names_and_a_code_it_is_still_one_page() -> None:
    for language, name in (("zh-hant", "賽" * 60), ("en", "Rummikub Anniversary Championship of Hong Kong " * 3)):
        sheet = TimerSheet(language, name, 60, COST_EN.format(3), "https://example.org/timer/an-event-of-some-length/")
        assert len(pypdfium2.PdfDocument(io.BytesIO(timer_sheet_pdf(sheet)))) == 1
