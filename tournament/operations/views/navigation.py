"""The stages in the bar: in the order of the day, only those that this account may see."""

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import pgettext_lazy

from tournament.core.permissions import EventRequest, is_act_allowed


class NavigationItem(NamedTuple):
    """One stage in the bar. `covers` names the stages whose pages belong to it: a file is imported under Entrants."""

    stage: str
    covers: tuple[str, ...]
    address: str
    word: str


class NavigationTab(NamedTuple):
    """One page of weather and notices, by its URL name."""

    name: str
    word: str


STAGES_COVERED_BY_ITEM = {
    "registration": ("importing", "registration"),
    "scoresheets": ("scoresheets", "signing", "corrections"),
    "final": ("final", "finalists", "podium", "award"),
    "weather": ("weather", "postponing", "notices", "mailings"),
}

# stage, URL name, the right that opens it, its word
NAVIGATION_STAGES = (
    ("registration", "entrants", "see_entrants", pgettext_lazy("stage", "Entrants")),
    ("seating", "seating", "see_seating", pgettext_lazy("stage", "Seating")),
    ("arrivals", "arrivals", "see_arrivals", pgettext_lazy("stage", "Check-in")),
    ("devices", "tablets", "see_tablets", pgettext_lazy("stage", "Tablets")),
    ("conduct", "judge_queue", "see_conduct", pgettext_lazy("stage", "Calls")),
    ("scoresheets", "scoresheets", "see_scoresheets", pgettext_lazy("stage", "Scoresheets")),
    ("standings", "standings", "see_standings", pgettext_lazy("stage", "Ranking")),
    ("qualification", "qualification", "see_standings", pgettext_lazy("stage", "Cut")),
    ("final", "final", "see_seating", pgettext_lazy("stage", "Final")),
    ("release", "releases", "see_release", pgettext_lazy("stage", "Release")),
    ("weather", "weather", "see_weather", pgettext_lazy("stage", "Weather, notices")),
)

# The row at the top of the pages that the last stage covers: URL name, the right that opens it, its word.
WEATHER_TABS = (
    ("weather", "see_weather", pgettext_lazy("weather tab", "Weather decision")),
    ("postponed", "see_weather", pgettext_lazy("weather tab", "Postponed sessions")),
    ("notices", "see_notices", pgettext_lazy("weather tab", "Notices")),
    ("mailings", "see_mailings", pgettext_lazy("weather tab", "Mail")),
)


def navigation_url(name: str, *args: Any) -> str:
    """The page's address by its URL name."""
    return reverse(name, args=args)


def of_stage(request: EventRequest, name: str) -> tuple[str, ...]:
    """The stage that a page of the bar is first shown of; nothing for a page of the whole event."""
    return (request.first_stage,) if name in ("standings", "qualification") else ()


def is_stage_of_event(request: EventRequest, stage: str) -> bool:
    """Whether the event has this stage of its work: a final where one is set up, a cut where somebody advances."""
    if stage == "final":
        return getattr(request, "has_final", False)
    return stage != "qualification" or request.first_stage != request.last_stage


def navigation_context(request: EventRequest) -> dict[str, Any]:
    """`navigation_context` for the bar, `weather_tabs` for the row of its last; nothing outside an event, no final
    where none is.

    Asks no query: `for_act` has set all.
    """
    event = getattr(request, "event", None)
    roles: frozenset[str] = getattr(request, "roles", frozenset())
    if event is None:
        return {}
    shown = [
        NavigationItem(
            stage,
            STAGES_COVERED_BY_ITEM.get(stage, (stage,)),
            navigation_url(name, event.slug, *of_stage(request, name)),
            str(word),
        )
        for stage, name, act, word in NAVIGATION_STAGES
        if is_act_allowed(roles, act) and is_stage_of_event(request, stage)
    ]
    tabs = [NavigationTab(name, str(word)) for name, act, word in WEATHER_TABS if is_act_allowed(roles, act)]
    return {"stages": shown, "weather_tabs": tabs}
