"""The tags of the visual language. They are builtins: no {% load %}; i18n and static are builtins too.

Figures (plain functions in `tournament/core/numberformat.py`, for files too)
    {{ average|quantity }}                      a Fraction as markup, always with its .fr; {{ x|quantity:"signed" }}
    {{ line.points_twelfths|points }}           twelfths of a row, with + or −   (= |twelfths|quantity:"signed")
    {{ average|quantity_text }}  {{ n|points_text }}   plain: −10 1/3 (title, aria-label)
    {{ entrant.number|entrant_number }}         0302;  put it in <span class="no">
    {{ rank|rank:shared }}                      118=
    {{ 1200|count }}                            1,200
Days and hours (plain functions in `tournament/core/dateformat.py`)
    {{ at|hk_time }} 17:26   {{ at|hk_date }} 4 月 6 日   {{ at|hk_datetime }} 4 月 6 日 17:26
    {{ at|hk_full_date }} 2026 年 4 月 6 日   {{ at|hk_weekday }} 4 月 6 日（星期一）
    {{ first|hk_days:last }}                    2026 年 3 月 28 日–4 月 7 日; 28 March–7 April 2026
    {{ session|session_name }}                  4 月 6 日第三場; 6 April, session 3
    {{ session|session_of_day }}                第三場
Names
    {% both_names person %}                     Chinese with English beside it; either may be missing
    {{ event|in_language:"name" }}              event.name_zh or event.name_en (also "venue")
    {{ user|account_name }}
Things in the hall
    {% tile "r" 10 %} {% tile "b" 8 size="s" %} {% joker "r" size="xs" %} {% table_tile table.number size="m" %}
States: colour, form and word
    {% badge "wait" _("to be decided") %}       live wait stop done, "" = not begun; {% badge "stop" 2 %}
    {% sheet_badge sheet.state %} {% session_badge session.state %} {% status_badge entrant.status %} {% seal %}
    {{ sheet.state|sheet_kind }}                the class alone, for a table on the map (.tbl); session_kind likewise
Messages
    {% note "stop" _("This sheet was changed by somebody else") %}<span class="small">...</span>{% endnote %}
    {% nothing _("No scoresheets yet") %}<p class="small">...</p><a class="btn" ...>{% endnothing %}      the empty page
    {% icon "warn" %}                           names in look_icons.py; always beside a word
Forms
    {% field form.reason %} {% field form.reason hint=_("...") %}   label, input, hint, fault, wired for screen readers
    {% form_faults form %}                      what belongs to no field
    {% request_key %}                           hidden input that makes the form harmless when sent twice
Lists
    {% pager page %}                            a Paginator's page; keeps the rest of the query string
    {% progress done total %}                   the bar of a long job or of sheets received
"""

import secrets
from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django import template
from django.contrib.auth.models import User
from django.core.paginator import Page
from django.forms import BoundField, Form
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from tournament.core import dateformat, numberformat
from tournament.core.enums import UNRANKED_REASON_WORDS, EntrantStatus, SessionState, SheetState
from tournament.core.names import has_latin_letter
from tournament.core.templatetags.display_icons import ICONS, JOKER_ICON_PATH

register = template.Library()

TILE_COLOUR_CODES = "rbko"
BADGE_KIND_OF_SHEET: Mapping[str, str] = {
    SheetState.OPEN: "",
    SheetState.DRAFT: "live",
    SheetState.READY: "wait",
    SheetState.DISPUTED: "stop",
    SheetState.SIGNED: "done",
    SheetState.CERTIFIED: "done",
    SheetState.VOID: "stop",
}
BADGE_KIND_OF_SESSION: Mapping[str, str] = {
    SessionState.PLANNED: "",
    SessionState.CHECK_IN: "live",
    SessionState.SEATED: "live",
    SessionState.PLAYING: "live",
    SessionState.ENTERING: "live",
    SessionState.CHECKING: "wait",
    SessionState.SUSPENDED: "wait",
    SessionState.POSTPONED: "wait",
    SessionState.VOID: "stop",
    SessionState.CLOSED: "done",
}
BADGE_KIND_OF_STATUS: Mapping[str, str] = {
    EntrantStatus.OK: "",
    EntrantStatus.FORFEITED: "wait",
    EntrantStatus.WITHDRAWN: "wait",
    EntrantStatus.DISQUALIFIED: "stop",
}


# Figures
@register.filter
def twelfths(value: int | None) -> Fraction | None:
    """Whole twelfths of a row as a Fraction."""
    return None if value is None else numberformat.from_twelfths(value)


@register.filter
def quantity(value: Fraction | int | None, option: str = "") -> SafeString:
    """Sign, whole part, fraction in its own slot; "signed" for points. Nothing where there is no value."""
    if value is None:
        return SafeString("")
    taken = numberformat.split_quantity(value, signed=option == "signed")
    fraction = SafeString("")
    if taken.numerator:
        space = " " if taken.whole else ""
        fraction = format_html("{}<sup>{}</sup>/<sub>{}</sub>", space, taken.numerator, taken.denominator)
    return format_html('<span class="q">{}{}<span class="fr">{}</span></span>', taken.sign, taken.whole, fraction)


@register.filter
def points(value: int | None) -> SafeString:
    """A row's points in twelfths, with + or −."""
    return quantity(twelfths(value), "signed")


@register.filter
def quantity_text(value: Fraction | int | None, option: str = "") -> str:
    """The same as plain text."""
    return "" if value is None else numberformat.format_quantity(value, signed=option == "signed")


@register.filter
def points_text(value: int | None) -> str:
    """A row's points in twelfths as plain text, with + or −."""
    return "" if value is None else numberformat.format_points(value)


@register.filter
def entrant_number(value: int | None) -> str:
    """Four digits, such as 0302; empty for None."""
    return "" if value is None else numberformat.entrant_number_text(value)


@register.filter
def rank(value: int | None, shared: bool = False) -> str:
    """A rank, with = where it is shared."""
    return "" if value is None else numberformat.rank_text(value, shared=shared)


@register.filter
def count(value: int | None) -> str:
    """A count with its thousands apart."""
    return "" if value is None else numberformat.count_text(value)


# Days and hours
@register.filter
def hk_time(value: datetime | None) -> str:
    """Such as 17:26, in the event's zone; empty for None."""
    return "" if value is None else dateformat.time_text(value)


@register.filter
def hk_date(value: date | datetime | None) -> str:
    """4 月 6 日 or 6 April; empty for None."""
    return "" if value is None else dateformat.date_text(value)


@register.filter
def hk_datetime(value: datetime | None) -> str:
    """4 月 6 日 17:26."""
    return "" if value is None else dateformat.datetime_text(value)


@register.filter
def hk_full_date(value: date | datetime | None) -> str:
    """2026 年 4 月 6 日."""
    return "" if value is None else dateformat.full_date_text(value)


@register.filter
def hk_weekday(value: date | datetime | None) -> str:
    """4 月 6 日（星期一） or Monday 6 April; empty for None."""
    return "" if value is None else dateformat.weekday_date_text(value)


@register.filter
def hk_days(first: date | None, last: date) -> str:
    """From the first day to the last."""
    return "" if first is None else dateformat.days_text(first, last)


@register.filter
def session_name(session: Any) -> str:
    """Its original day and its number on it: 4 月 6 日第三場."""
    return dateformat.session_with_day_text(session.original_date, *session.name_of_day)


@register.filter
def session_of_day(session: Any) -> str:
    """Its number on its day: 第三場, session 3."""
    return dateformat.session_of_day_text(*session.name_of_day)


# Names
@register.simple_tag
def html_lang() -> str:
    """The page's language as <html lang> wants it; `_lang` of the other language's runs is written by hand."""
    return "zh-Hant-HK" if dateformat.is_chinese() else "en"


@register.simple_tag
def both_names(person: Any) -> SafeString:
    """The Chinese name with the English beside it, each in its language; whichever there is."""
    chinese = format_html('<span lang="zh-Hant-HK">{}</span>', person.name_zh)
    if not person.name_zh:
        return format_html('<span lang="en">{}</span>', person.name_en)
    if not person.name_en:
        return chinese
    return format_html('{} <span class="en" lang="en">{}</span>', chinese, person.name_en)


@register.simple_tag
def masked_name(name: str) -> SafeString:
    """A public name in its own language, which may be another than the page's: there is one mask a person."""
    return format_html('<span lang="{}">{}</span>', "en" if has_latin_letter(name) else "zh-Hant-HK", name)


@register.filter
def in_language(row: Any, field_name: str) -> str:
    """A field that a row has in both languages (`name_zh`, `name_en`), in the page's; the other where it is empty."""
    texts: tuple[str, str] = (getattr(row, f"{field_name}_zh"), getattr(row, f"{field_name}_en"))
    own, other = texts if dateformat.is_chinese() else texts[::-1]
    return own or other


@register.filter
def account_name(user: User) -> str:
    """The name an account is called by, else its user name."""
    return user.first_name or user.get_username()


# Things in the hall
@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon; the word stands beside it, so it is hidden from screen readers."""
    return format_html('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', mark_safe(ICONS[name]))


@register.simple_tag
def tile(colour: str, number: int, size: str = "") -> SafeString:
    """A tile: r b k o and its number; size xs s m l."""
    return format_html('<span class="{}">{}</span>', " ".join(filter(None, ("tile", colour, size))), number)


@register.simple_tag
def joker(colour: str = "r", size: str = "") -> SafeString:
    """A joker, named for those who do not see it."""
    return format_html(
        '<span class="{}" role="img" aria-label="{}"><svg viewBox="0 0 24 24">{}</svg></span>',
        " ".join(filter(None, ("tile joker", colour, size))),
        gettext("joker"),
        mark_safe(JOKER_ICON_PATH),
    )


@register.simple_tag
def table_tile(number: int, size: str = "") -> SafeString:
    """A table's number in its own colour, so that a referee's two never agree."""
    return tile(TILE_COLOUR_CODES[(number - 1) % len(TILE_COLOUR_CODES)], number, size)


# States
@register.simple_tag
def badge(kind: str, word: Any) -> SafeString:
    """A state: `kind` is live, wait, stop, done, or nothing for what has not begun."""
    return format_html('<span class="{}">{}</span>', f"badge {kind}".strip(), word)


@register.simple_tag
def sheet_badge(state: str) -> SafeString:
    """The state of a scoresheet."""
    return badge(BADGE_KIND_OF_SHEET[state], SheetState(state).label)


@register.simple_tag
def session_badge(state: str) -> SafeString:
    """The state of a session."""
    return badge(BADGE_KIND_OF_SESSION[state], SessionState(state).label)


@register.simple_tag
def status_badge(status: str) -> SafeString:
    """`status` is a value of EntrantStatus."""
    return badge(BADGE_KIND_OF_STATUS[status], EntrantStatus(status).label)


@register.filter
def unranked_because(because: str) -> str:
    """Why somebody has no rank, in words of the desk."""
    return str(UNRANKED_REASON_WORDS[because])


@register.filter
def sheet_kind(state: str) -> str:
    """The class of a sheet's state; "none" for what has not come."""
    return BADGE_KIND_OF_SHEET[state] or "none"


@register.filter
def session_kind(state: str) -> str:
    """The class of a session's state; "none" before it begins."""
    return BADGE_KIND_OF_SESSION[state] or "none"


@register.simple_tag
def seal() -> SafeString:
    """大會蓋印: only where a sheet is official and stamped."""
    return format_html('<span class="chop small">{}</span>', gettext("stamped"))


# Messages
@register.simple_block_tag
def note(content: str, kind: str, sentence: Any, sign: str = "") -> SafeString:
    """A message in the page: icon, one bold sentence, then what is inside the block."""
    role = SafeString(' role="alert"') if kind == "stop" else SafeString("")
    shown = icon(sign or {"live": "info", "wait": "warn", "stop": "warn", "done": "tick"}.get(kind, "info"))
    return format_html(
        '<div class="{}"{}>{}<b>{}</b>{}</div>',
        f"note {kind}".strip(),
        role,
        shown,
        sentence,
        mark_safe(content.strip()),
    )


@register.simple_block_tag
def nothing(content: str, title: Any, sign: str = "joker") -> SafeString:
    """An empty page: what will come, when, by whose hand, with the one act that is possible."""
    return format_html('<div class="empty">{}<h2>{}</h2>{}</div>', icon(sign), title, mark_safe(content.strip()))


@register.simple_tag
def progress(done: int, total: int, label: str = "") -> SafeString:
    """A bar of what is done; words and figures stand beside it."""
    return format_html(
        '<div class="progress{4}" role="progressbar" aria-label="{2}" aria-valuemin="0" aria-valuenow="{0}"'
        ' aria-valuemax="{1}"><svg viewBox="0 0 {3} 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{0}" height="10"/></svg></div>',
        done,
        total,
        label or gettext("progress"),
        max(total, 1),
        " done" if done >= total > 0 else "",
    )


# Forms
@register.inclusion_tag("_fragments/_field.html")
def field(bound: BoundField, hint: str = "") -> dict[str, Any]:
    """One field with its label, hint and faults; the input knows them by `aria-describedby`."""
    help_text = hint or bound.help_text
    described = [f"{bound.id_for_label}_hint"] if help_text else []
    checkbox = bound.widget_type == "checkbox"
    attributes: dict[str, Any] = {} if checkbox else {"class": "input"}
    if bound.errors:
        described.append(f"{bound.id_for_label}_fault")
        attributes["aria-invalid"] = "true"
    attributes["aria-describedby"] = " ".join(described) or False
    return {"bound": bound, "control": bound.as_widget(attrs=attributes), "checkbox": checkbox, "hint": help_text}


@register.inclusion_tag("_fragments/_form_faults.html")
def form_faults(form: Form) -> dict[str, Any]:
    """The faults that belong to no field."""
    return {"faults": form.non_field_errors()}


@register.simple_tag
def request_key() -> SafeString:
    """A key of this rendering: the form sent twice is carried out once (D2)."""
    return format_html('<input type="hidden" name="request_key" value="{}">', secrets.token_urlsafe(24))


# Lists
@register.inclusion_tag("_fragments/_pager.html", takes_context=True)
def pager(context: Context, page: Page[Any]) -> dict[str, Any]:
    """Pages of a list; the search and filters of the query string stay."""
    query = context["request"].GET.copy()

    def address(number: int) -> str:
        query["page"] = str(number)
        return f"?{query.urlencode()}"

    return {
        "page": page,
        "previous": address(page.previous_page_number()) if page.has_previous() else "",
        "next": address(page.next_page_number()) if page.has_next() else "",
    }


@register.simple_tag
def other_language() -> dict[str, str]:
    """The language the page is not in: its code, its tag and its own name."""
    if (get_language() or "").startswith("en"):
        return {"code": "zh-hant", "lang": "zh-Hant-HK", "name": "中文"}
    return {"code": "en", "lang": "en", "name": "English"}
