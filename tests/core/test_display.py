"""The visual language: computed contrast, equal dark blocks, no style and no script in a page."""

import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tournament.core.adapters.bundles import BUNDLES
from tournament.entrants.models.people import Person

ROOT = Path(__file__).resolve().parents[2]
CSS = ROOT / "tournament" / "static" / "css"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TOKENS = (CSS / "tokens.css").read_text()

# What must be read on what, and the least contrast of WCAG 2: 4.5 for text, 3 for borders and circles.
PAIRS = [
    *[(text, ground, 4.5) for text in ("ink", "ink-2") for ground in ("paper", "card", "sunk")],
    *[(text, ground, 4.5) for text in ("blue", "orange", "red") for ground in ("paper", "card")],
    *[(text, f"{text}-soft", 4.5) for text in ("blue", "orange", "red")],
    *[("ink", f"{ground}-soft", 4.5) for ground in ("blue", "orange", "red")],
    *[("on-solid", ground, 4.5) for ground in ("ink", "ink-2", "blue", "orange", "red")],
    *[(text, "ivory", 4.5) for text in ("t-red", "t-blue", "t-black", "t-orange")],
    *[(text, ground, 4.5) for text in ("n-red", "n-blue", "n-black", "n-orange") for ground in ("card", "paper")],
    ("t-dot", "ivory", 3.0),
    ("edge", "paper", 3.0),
    ("edge", "card", 3.0),
]


def tokens(block: str) -> dict[str, str]:
    """The custom properties of one block."""
    return dict(re.findall(r"--([\w-]+): ([^;]+);", block))


def blocks() -> dict[str, dict[str, str]]:
    """The three blocks of tokens.css by their selectors."""
    found = re.findall(r'(:root|:root:not\(\[data-theme="light"\]\)|\[data-theme="dark"\]) \{([^}]*)\}', TOKENS)
    return {selector: tokens(body) for selector, body in found}


LIGHT = blocks()[":root"]
DARK = {**LIGHT, **blocks()['[data-theme="dark"]']}


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio from 1 to 21 (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_is_read_on_every_ground(theme: dict[str, str]) -> None:
    assert [pair for pair in PAIRS if contrast(theme[pair[0]], theme[pair[1]]) < pair[2]] == []


def test_the_two_dark_blocks_are_equal() -> None:
    assert blocks()[':root:not([data-theme="light"])'] == blocks()['[data-theme="dark"]']


def test_dark_changes_only_tokens_that_light_has() -> None:
    assert set(blocks()['[data-theme="dark"]']) - set(LIGHT) == set()


def test_every_token_that_a_part_uses_exists() -> None:
    used = {name for path in CSS.glob("*.css") for name in re.findall(r"var\(--([\w-]+)", path.read_text())}
    # The height of a tile and the width of the timer's button stand where they are used.
    assert used - set(LIGHT) - {"h", "p"} == set()


def test_colours_are_named_in_the_tokens_alone() -> None:
    """But for the Observatory's signals, which are not ours, print, and the shade under what floats."""
    allowed = {"tokens.css", "weather.css", "print.css"}
    named = [
        f"{path.name}: {colour}"
        for path in sorted(CSS.glob("*.css"))
        if path.name not in allowed
        for colour in re.findall(r"#[0-9a-f]{3,6}\b", path.read_text())
    ]
    assert named == []


def test_no_page_carries_a_style_or_a_script_in_itself() -> None:
    forbidden = re.compile(r"\sstyle\s*=|<style|javascript:|data:|\son\w+\s*=|<script(?![^>]*\bsrc=)", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in TEMPLATES
        for match in forbidden.finditer(path.read_text())
    ]
    assert found == []


def test_pages_name_their_surfaces_bundles_and_no_other_static_file() -> None:
    heads = {str(path.relative_to(ROOT / "templates")): path.read_text() for path in TEMPLATES}
    named = {
        name for text in heads.values() for name in re.findall(r"""(?:bundle|sheet=|script=) ?["']([\w.]+)""", text)
    }
    assert named == set(BUNDLES)
    others = r"{% static|static_prefix|<link|<script"
    # The catalogue of the tablet's sentences is no static file.
    at = ["_fragments/_head.html", "_fragments/_script.html", "tablets/_catalogue.html"]
    assert [path for path, text in heads.items() if re.search(others, text)] == at


def test_every_stylesheet_and_every_script_is_in_a_bundle() -> None:
    static = ROOT / "tournament" / "static"
    sources = {str(path.relative_to(static)) for path in static.rglob("*") if path.suffix in {".css", ".js"}}
    bundled = {name for names in BUNDLES.values() for name in names if not name.startswith("img/")}
    # A mail's style stands in the mail; the worker is sent by a page of its own.
    alone = {"css/mail.css", "js/tablet/worker.js"}
    assert sources == {*bundled, *alone}


def test_every_form_that_is_posted_carries_its_token() -> None:
    form = re.compile(r"<form\b[^>]*method=.post.[^>]*>(.*?)</form>", re.DOTALL | re.IGNORECASE)
    bare = [
        str(path.relative_to(ROOT))
        for path in TEMPLATES
        for body in form.findall(path.read_text())
        if "csrf_token" not in body
    ]
    assert bare == []


def rendered(source: str, **context: object) -> str:
    """A piece of a template."""
    return Template(source).render(Context(context))


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [
        (Fraction(-31, 3), "−10 1/3", "−10 1/3"),
        (Fraction(23, 2), "11 1/2", "+11 1/2"),
        (Fraction(44), "44", "+44"),
        (Fraction(0), "0", "0"),
        (Fraction(-1, 2), "−1/2", "−1/2"),
        (Fraction(646, 9), "71 7/9", "+71 7/9"),
    ],
)
def test_a_quantity_reads_the_same_as_markup_and_as_text(value: Fraction, plain: str, signed: str) -> None:
    source = '{{ v|quantity }}|{{ v|quantity:"signed" }}|{{ v|quantity_text }}|{{ v|quantity_text:"signed" }}'
    shown = rendered(source, v=value).split("|")
    read_aloud = [re.sub(r"<[^>]+>", "", part) for part in shown]
    assert read_aloud == [plain, signed, plain, signed]


def test_every_quantity_has_a_slot_for_its_fraction() -> None:
    assert rendered("{{ v|quantity }}", v=Fraction(-31, 3)) == (
        '<span class="q">−10<span class="fr"> <sup>1</sup>/<sub>3</sub></span></span>'
    )
    assert rendered("{{ v|quantity }}", v=Fraction(9)) == '<span class="q">9<span class="fr"></span></span>'


def test_points_are_twelfths_with_their_sign_and_nothing_is_nothing() -> None:
    assert rendered("{{ p|points_text }} {{ z|points_text }}{{ none|points }}", p=-124, z=138, none=None) == (
        "−10 1/3 +11 1/2"
    )


def test_a_referees_two_tables_never_have_one_colour() -> None:
    shown = rendered("{% for n in numbers %}{% table_tile n %}{% endfor %}", numbers=range(1, 9))
    assert re.findall(r'class="tile (\w)">(\d)', shown) == list(zip("rbkorbko", "12345678", strict=True))


def test_a_state_is_said_in_words_beside_its_form() -> None:
    with translation.override("zh-hant"):
        shown = rendered('{% sheet_badge "ready" %}{% session_badge "planned" %}{% seal %}')
    assert shown == (
        '<span class="badge wait">待核對</span><span class="badge">已編</span><span class="chop small">大會蓋印</span>'
    )


def test_days_and_hours_are_those_of_hong_kong_in_both_languages() -> None:
    from_utc = {"at": datetime(2026, 4, 6, 17, 26, tzinfo=UTC)}
    source = "{{ at|hk_datetime }}|{{ at|hk_weekday }}|{{ at|hk_full_date }}"
    with translation.override("zh-hant"):
        assert rendered(source, **from_utc) == "4 月 7 日 01:26|4 月 7 日（星期二）|2026 年 4 月 7 日"
    with translation.override("en"):
        assert rendered(source, **from_utc) == "7 April 01:26|Tuesday 7 April|7 April 2026"


def test_names_stand_in_both_languages_and_either_may_be_missing() -> None:
    source = "{% for p in people %}{% both_names p %};{% endfor %}"
    people = [
        Person(name_zh="關詠峯", name_en="KWAN Wing Fung"),
        Person(name_en="D'SOUZA Maria"),
        Person(name_zh="<陳>"),
    ]
    assert rendered(source, people=people) == (
        '<span lang="zh-Hant-HK">關詠峯</span> <span class="en" lang="en">KWAN Wing Fung</span>;'
        '<span lang="en">D&#x27;SOUZA Maria</span>;<span lang="zh-Hant-HK">&lt;陳&gt;</span>;'
    )


def test_the_pager_keeps_what_was_searched() -> None:
    page = Paginator(range(100), 20).page(2)
    request = RequestFactory().get("/desk/hk-2026/entrants/", {"search": "陳", "session": "3", "page": "2"})
    shown = rendered("{% pager page %}", page=page, request=request)
    assert re.findall(r'href="([^"]+)"', shown) == [
        "?search=%E9%99%B3&amp;session=3&amp;page=1",
        "?search=%E9%99%B3&amp;session=3&amp;page=3",
    ]


class AbsenceForm(forms.Form):
    """A form such as pages have."""

    reason = forms.CharField(label="Reason", help_text="One sentence.")
    told = forms.BooleanField(label="The referee knows", required=False)


def test_a_field_names_its_hint_and_its_fault_to_screen_readers() -> None:
    shown = rendered("{% field form.reason %}", form=AbsenceForm({}))
    assert re.findall(r'aria-describedby="([^"]+)"', shown) == ["id_reason_hint id_reason_fault"]
    assert re.findall(r'id="(id_reason\w*)"', shown) == ["id_reason", "id_reason_hint", "id_reason_fault"]
    assert 'aria-invalid="true"' in shown


def test_a_choice_of_yes_or_no_has_its_word_beside_it() -> None:
    shown = rendered("{% field form.told %}", form=AbsenceForm())
    assert re.findall(r'<label class="check" for="id_told"><input type="checkbox"[^>]*>([^<]+)</label>', shown) == [
        "The referee knows"
    ]


def test_a_message_has_an_icon_a_bold_sentence_and_what_follows() -> None:
    shown = rendered('{% note "wait" sentence %}<span>plain</span>{% endnote %}', sentence="1 < 2")
    assert re.sub(r"<svg.*?</svg>", "*", shown) == '<div class="note wait">*<b>1 &lt; 2</b><span>plain</span></div>'


def test_two_renderings_of_a_form_have_two_keys() -> None:
    keys = re.findall(r'value="([^"]+)"', rendered("{% request_key %}{% request_key %}"))
    assert len(set(keys)) == 2


@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_the_public_base_needs_no_request_and_no_account(language: str) -> None:
    with translation.override(language):
        page = render_to_string("public.html", {"title": "初賽排名", "other_language_url": "/p/hk-2026/en/"})
    assert "csrf" not in page
    assert re.findall(r'<html lang="([^"]+)"', page) == [{"zh-hant": "zh-Hant-HK", "en": "en"}[language]]
    assert all(address.startswith("/static/") for address in re.findall(r'<link [^>]*href="([^"]+)"', page))
