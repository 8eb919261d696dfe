"""The final at a glance: what it is and how far it has come, with the way to each of its pages."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.events.domain import ruleset_of_stage
from tournament.operations.queries.overview import figures_of_stage, preliminary_stage
from tournament.operations.views.overview_strip import final_strip
from tournament.operations.views.overview_waiting import waiting_lines, waits_for_final
from tournament.setup import queries
from tournament.setup.forms.rules import preset_of_ruleset, rule_options_in_words
from tournament.setup.forms.setup import RULESET_CHOICES


@require_safe
@for_act("see_seating")
def final_page(request: EventRequest) -> HttpResponse:
    """What the final is and how far it has come, in the order in which it is done, with the way to each page."""
    event, roles = request.event, request.roles
    first = preliminary_stage(event)
    figures = figures_of_stage(event, first)
    strip = final_strip(event, first) if request.has_final else None
    context: dict[str, Any] = {
        "stage": "final",
        "event": event,
        "now": timezone.now(),
        "final": strip,
        "ends": first is not None and first.is_last,
        "released": figures.released,
        "may_set_up": is_act_allowed(roles, "set_up_event"),
        "may_see_ranks": is_act_allowed(roles, "see_standings"),
        "waiting": waiting_lines(event, roles, waits_for_final(event, figures, strip)),
    }
    if strip:
        ruleset = strip.of.stage.ruleset
        context |= {
            "begun": queries.has_begun(strip.of.stage),
            "preset": RULESET_CHOICES.get(preset_of_ruleset(ruleset)),
            "clauses": rule_options_in_words(ruleset_of_stage(strip.of.stage)),
        }
    return render(request, "operations/overview/final.html", context)


urlpatterns = [
    path("final/", final_page, name="final"),
]
