"""Every change of an event: by whom, when, why, to be searched."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournament.audit import queries
from tournament.audit.models import AuditHead
from tournament.core.permissions import EventRequest, for_act
from tournament.core.templatetags.display import account_name
from tournament.log.forms import AuditSearch
from tournament.log.templatetags.audit import act_words

AUDIT_PAGE_SIZE = 100


@require_safe
@for_act("see_audit")
def audit_log_page(request: EventRequest) -> HttpResponse:
    """The entries, the newest first, under the head, to be compared with what was written down elsewhere."""
    acts = sorted(
        ((action, act_words(action)) for action in queries.audit_actions(request.event)), key=lambda act: act[1]
    )
    people = [(actor.pk, account_name(actor)) for actor in queries.audit_actors(request.event)]
    form = AuditSearch(request.GET or None, actions=acts, actors=people)
    asked = form.asked() if form.is_bound else {}
    context = {
        "stage": "audit",
        "form": form,
        "page": Paginator(queries.find_audit_entries(request.event, **asked), AUDIT_PAGE_SIZE).get_page(
            request.GET.get("page")
        ),
        "filtered": bool(asked),
        "head": AuditHead.objects.get(event=request.event),
    }
    return render(request, "log/audit.html", context)


urlpatterns = [path("audit/", audit_log_page, name="audit")]
