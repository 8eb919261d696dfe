"""An event at a glance: its stages in the order of the day, and what waits for a person."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.core.enums import Role
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.events.queries import stages_between
from tournament.operations.queries.overview import figures_of_stage, preliminary_stage, tables_of_referee
from tournament.operations.views.overview_strip import final_strip
from tournament.operations.views.overview_waiting import iter_waiting_tasks, undecided_tie, waiting_lines
from tournament.ranking.domain import grounds_ranking


@require_safe
@for_act("see_desk")
def overview_page(request: EventRequest) -> HttpResponse:
    """The event's stages with their figures; a referee sees the own tables, and those alone without another role."""
    event, roles = request.event, request.roles
    stage = preliminary_stage(event)
    context: dict[str, Any] = {
        "event": event,
        "now": timezone.now(),
        "may_set_up": is_act_allowed(roles, "set_up_event"),
        "may_see_ranks": is_act_allowed(roles, "see_standings"),
        "may_see_audit": is_act_allowed(roles, "see_audit"),
        "may_back_up": is_act_allowed(roles, "make_backup"),
    }
    if is_act_allowed(roles, "see_scoresheets"):
        figures = figures_of_stage(event, stage)
        tied = undecided_tie(stage, figures)
        final = final_strip(event, stage) if request.has_final else None
        context["figures"] = figures
        context["final"] = final
        context["tied"] = tied
        context["settled"] = figures.open is not None and grounds_ranking.is_ready_but_for_hour(
            figures.open, contested=bool(tied)
        )
        context["waiting"] = waiting_lines(
            event, roles, iter_waiting_tasks(event, figures, tied, final, first=request.first_stage)
        )
        context["advance"] = stage.advance if stage else None
        context["between"] = stages_between(event) if request.has_between and context["may_see_ranks"] else []
    if Role.REFEREE in roles:
        context["own_tables"] = tables_of_referee(event, request.user)
    return render(request, "operations/overview/overview.html", context)


urlpatterns = [
    path("", overview_page, name="overview"),
]
