"""A page with panels as the tablet has them, over a store in memory: no server, no database."""

import json
from pathlib import Path
from typing import Any

from django.template import engines
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Browser, Page, Route

from scoring.ruleset import PRESETS
from tournament.core.templatetags.display_icons import ICONS
from tournament.events.domain import ruleset_fields
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.tablets.views.tablet import tablet_catalogue, tablet_labels

STATIC = Path(__file__).resolve().parents[3] / "tournament" / "static"
STORE = Path(__file__).with_name("panel_store.js")
KINDS = {".js": "text/javascript", ".css": "text/css"}
PARTS = "tokens base type tile button field badge bar card note dialog table board referee tablet-shell sheet"
SHEETS = [*PARTS.split(" "), "ask", "tablet-ice", "tablet"]
NAMES = {
    5: ("陳曉𤧬", "何栢熙", "WONG Ka Yan", "蘇凱楹"),
    6: ("梁芷晴", "CHAN Tai Man", "區詠霖", "鄧鈺彤"),
}
Data = dict[str, Any]


def table(number: int, **changed: Any) -> Data:
    """A table of four as bridge.tablet tells it, nothing typed yet; `seats` may be shorter or otherwise marked."""
    seats = [
        {
            "letter": letter,
            "number": number * 100 + place,
            "name_zh": name,
            "name_en": "" if not name.isascii() else name,
            "status": "ok",
            "signs": True,
            "warnings": 0,
        }
        for place, (letter, name) in enumerate(zip("ABCD", NAMES[number], strict=True))
    ]
    sheet = {
        "version": 1,
        "revision": 0,
        "state": "open",
        "form": "rack",
        "typed": empty_typed_sheet(3),
        "confirmations": {},
        "digest": "",
        "receipt": "",
        "signed": [],
        "locked_at": None,
        "dispute": None,
    }
    told = {
        "number": number,
        "serial": f"0406-3-{number:02d}",
        "ends_at": None,
        "pause": None,
        "overtime": 0,
        "games": 3,
        "seats": seats,
        "sheet": sheet,
        "calls": [],
        "incidents": [],
    }
    return told | changed


def state(*tables: Data, ruleset: str = "hk-2026", **session: Any) -> Data:
    """The whole state of a tablet while its session is played."""
    return {
        "session": {"number": 3, "code": "0406-3", "number_of_day": 3, "state": "playing"} | session,
        "clock": {"started_at": "2026-04-06T08:15:00Z", "ends_at": "2026-04-06T09:15:00Z"},
        "referee": {"id": 7, "name": "馮婉𤧬"},
        "ruleset": ruleset_fields(PRESETS[ruleset]),
        "tables": list(tables),
    }


def page_text(told: Data, language: str) -> str:
    """The page: the icons, the labels, a link to the catalogue, an element for the panels."""
    with translation.override(language):
        data = json.dumps({"books": {language: {"labels": tablet_labels()}}, "state": told})
    template = engines["django"].from_string(
        '<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link href="/words.json" hreflang="zh-hant" data-catalogue>'
        '{% for sheet in sheets %}<link rel="stylesheet" href="/css/{{ sheet }}.css">{% endfor %}</head>'
        '<body class="referee"><svg class="defs">{% for name, drawing in icons.items %}'
        '<symbol id="i-{{ name }}" viewBox="0 0 24 24">{{ drawing|safe }}</symbol>{% endfor %}</svg>'
        '<header class="bar"><b>bar</b></header><main class="pair" id="page"></main>'
        '<script type="application/json" id="page-data">{{ data|safe }}</script>'
        '<script type="module" src="/panel_store.js"></script></body></html>'
    )
    return str(template.render({"sheets": SHEETS, "icons": ICONS, "data": data, "language": language}))


def panel_page(
    browser: Browser, told: Data, *, width: int = 1024, height: int = 768, language: str = "zh-hant", **options: Any
) -> Page:
    """The panels of a state, drawn."""
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, **options).new_page()

    def give(route: Route) -> None:
        path = route.request.url.removeprefix("http://panel.test/")
        if not path:
            route.fulfill(body=page_text(told, language), content_type="text/html; charset=utf-8")
            return
        if path == "words.json":
            catalogue = tablet_catalogue(RequestFactory().get("/tablet/words.json"))
            route.fulfill(body=catalogue.content, content_type="application/json")
            return
        file = STORE if path == STORE.name else STATIC / path
        if not file.exists():
            route.fulfill(status=404)
            return
        route.fulfill(body=file.read_text(encoding="utf-8"), content_type=KINDS[file.suffix])

    page.route("http://panel.test/**", give)
    page.goto("http://panel.test/")
    page.wait_for_function("window.store")
    return page
