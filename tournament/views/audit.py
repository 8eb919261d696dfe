"""Every change of an event: by whom, when, why, to be searched."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournament.forms.audit import AuditSearch
from tournament.models import AuditHead
from tournament.permissions import for_act
from tournament.queries import audit as queries
from tournament.templatetags.audit import act_words
from tournament.templatetags.look import account_name

A_PAGE = 100


@require_safe
@for_act("see_audit")
def audit(request: HttpRequest) -> HttpResponse:
    """The entries, the newest first, under the head, to be compared with what was written down elsewhere."""
    acts = sorted(((action, act_words(action)) for action in queries.actions(request.event)), key=lambda act: act[1])
    people = [(actor.pk, account_name(actor)) for actor in queries.actors(request.event)]
    form = AuditSearch(request.GET or None, actions=acts, actors=people)
    asked = form.asked() if form.is_bound else {}
    context = {
        "stage": "audit",
        "form": form,
        "page": Paginator(queries.entries(request.event, **asked), A_PAGE).get_page(request.GET.get("page")),
        "filtered": bool(asked),
        "head": AuditHead.objects.get(event=request.event),
    }
    return render(request, "audit/audit.html", context)


urlpatterns = [path("audit/", audit, name="audit")]
