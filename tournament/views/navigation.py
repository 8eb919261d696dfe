"""The stages in the bar: in the order of the day, only those that this account may see."""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext, gettext_noop

from tournament.permissions import allowed


class Item(NamedTuple):
    """One stage in the bar."""

    stage: str
    address: str
    word: str


# stage, URL name, the right that opens it, its word
STAGES = (
    ("registration", "entrants", "see_entrants", gettext_noop("Entrants")),
    ("seating", "seating", "see_seating", gettext_noop("Seating")),
    ("scoresheets", "scoresheets", "see_scoresheets", gettext_noop("Scoresheets")),
    ("standings", "standings", "see_standings", gettext_noop("Ranking")),
    ("qualification", "qualification", "see_standings", gettext_noop("Cut")),
    ("release", "releases", "see_release", gettext_noop("Release")),
)


def stages(request: HttpRequest) -> dict[str, Any]:
    """`stages` for the bar; nothing outside an event. Asks no query: `for_act` has set event and roles."""
    event = getattr(request, "event", None)
    roles = getattr(request, "roles", frozenset())
    if event is None:
        return {}
    items = []
    for stage, name, act, word in STAGES:
        if not allowed(roles, act):
            continue
        try:
            items.append(Item(stage, reverse(name, args=[event.slug]), gettext(word)))
        except NoReverseMatch:
            continue
    return {"stages": items}
