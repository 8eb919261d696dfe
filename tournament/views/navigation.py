"""The stages in the bar: in the order of the day, only those that this account may see."""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import pgettext_lazy

from tournament.permissions import allowed


class Item(NamedTuple):
    """One stage in the bar. `covers` names the stages whose pages belong to it: a file is imported under Entrants."""

    stage: str
    covers: tuple[str, ...]
    address: str
    word: str


class Tab(NamedTuple):
    """One page of weather and notices, by its URL name."""

    name: str
    word: str


COVERS = {
    "registration": ("importing", "registration"),
    "scoresheets": ("scoresheets", "signing", "corrections"),
    "final": ("final", "finalists", "podium", "award"),
    "weather": ("weather", "postponing", "notices", "mailings"),
}

# stage, URL name, the right that opens it, its word
STAGES = (
    ("registration", "entrants", "see_entrants", pgettext_lazy("stage", "Entrants")),
    ("seating", "seating", "see_seating", pgettext_lazy("stage", "Seating")),
    ("devices", "tablets", "see_tablets", pgettext_lazy("stage", "Tablets")),
    ("conduct", "judge_queue", "see_conduct", pgettext_lazy("stage", "Calls")),
    ("scoresheets", "scoresheets", "see_scoresheets", pgettext_lazy("stage", "Scoresheets")),
    ("standings", "standings", "see_standings", pgettext_lazy("stage", "Ranking")),
    ("qualification", "qualification", "see_standings", pgettext_lazy("stage", "Cut")),
    ("final", "final", "see_seating", pgettext_lazy("stage", "Final")),
    ("release", "releases", "see_release", pgettext_lazy("stage", "Release")),
    ("weather", "weather", "see_weather", pgettext_lazy("stage", "Weather and notices")),
)

# The row at the top of the pages that the last stage covers: URL name, the right that opens it, its word.
WEATHER_TABS = (
    ("weather", "see_weather", pgettext_lazy("weather tab", "Weather decision")),
    ("postponed", "see_weather", pgettext_lazy("weather tab", "Postponed sessions")),
    ("notices", "see_notices", pgettext_lazy("weather tab", "Notices")),
    ("mailings", "see_mailings", pgettext_lazy("weather tab", "Mail")),
)


def address_of(name: str, *args: Any) -> str:
    """The page's address by its URL name."""
    return reverse(name, args=args)


def stages(request: HttpRequest) -> dict[str, Any]:
    """`stages` for the bar, `weather_tabs` for the row of its last; nothing outside an event, no final where none is.

    Asks no query: `for_act` has set all.
    """
    event = getattr(request, "event", None)
    roles = getattr(request, "roles", frozenset())
    if event is None:
        return {}
    shown = [
        Item(stage, COVERS.get(stage, (stage,)), address_of(name, event.slug), str(word))
        for stage, name, act, word in STAGES
        if allowed(roles, act) and (stage != "final" or getattr(request, "has_final", False))
    ]
    tabs = [Tab(name, str(word)) for name, act, word in WEATHER_TABS if allowed(roles, act)]
    return {"stages": shown, "weather_tabs": tabs}
