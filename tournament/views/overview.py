"""An event at a glance: its stages in the order of the day, and what waits for a person."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.bridge import grounds
from tournament.enums import Role
from tournament.permissions import READERS, allowed, for_act
from tournament.queries.overview import figures_of, preliminary, tables_of_referee
from tournament.views.overview_strip import final_strip
from tournament.views.overview_waiting import lines_for, undecided_tie, what_waits


@require_safe
@for_act("see_desk")
def overview(request: HttpRequest) -> HttpResponse:
    """The event's stages with their figures; a referee sees the own tables, and those alone without another role."""
    event, roles = request.event, request.roles
    stage = preliminary(event)
    context: dict[str, Any] = {
        "event": event,
        "now": timezone.now(),
        "may_set_up": allowed(roles, "set_up_event"),
        "may_see_ranks": allowed(roles, "see_standings"),
        "may_see_audit": allowed(roles, "see_audit"),
        "may_back_up": allowed(roles, "make_backup"),
    }
    if roles & READERS:
        figures = figures_of(event, stage)
        tied = undecided_tie(stage, figures)
        final = final_strip(event, stage) if request.has_final else None
        context["figures"] = figures
        context["final"] = final
        context["tied"] = tied
        context["settled"] = figures.open is not None and grounds.settled(figures.open, contested=bool(tied))
        context["waiting"] = lines_for(event, roles, what_waits(event, figures, tied, final))
        context["advance"] = stage.advance if stage else None
    if Role.REFEREE in roles:
        context["own_tables"] = tables_of_referee(event, request.user)
    return render(request, "overview/overview.html", context)


urlpatterns = [
    path("", overview, name="overview"),
]
