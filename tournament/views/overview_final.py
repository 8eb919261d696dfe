"""The final at a glance: what it is and how far it has come, with the way to each of its pages."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.bridge.rulesets import ruleset_of
from tournament.enums import StageKind
from tournament.forms.setup import RULESETS
from tournament.forms.setup_rules import clauses, preset_of
from tournament.permissions import allowed, for_act
from tournament.queries import setup as queries
from tournament.queries.overview import figures_of, preliminary
from tournament.views.overview_strip import final_strip
from tournament.views.overview_waiting import lines_for, waits_for_final


@require_safe
@for_act("see_seating")
def final(request: HttpRequest) -> HttpResponse:
    """What the final is and how far it has come, in the order in which it is done, with the way to each page."""
    event, roles = request.event, request.roles
    first = preliminary(event)
    figures = figures_of(event, first)
    strip = final_strip(event, first) if request.has_final else None
    context: dict[str, Any] = {
        "stage": "final",
        "event": event,
        "now": timezone.now(),
        "final": strip,
        "released": figures.released,
        "may_set_up": allowed(roles, "set_up_event"),
        "may_see_ranks": allowed(roles, "see_standings"),
        "waiting": lines_for(event, roles, waits_for_final(event, figures, strip)),
    }
    if strip:
        ruleset = strip.of.stage.ruleset
        context |= {
            "begun": queries.progress_of(event, StageKind.FINAL).play_begun,
            "preset": RULESETS.get(preset_of(ruleset)),
            "clauses": clauses(ruleset_of(strip.of.stage)),
        }
    return render(request, "overview/final.html", context)


urlpatterns = [
    path("final/", final, name="final"),
]
