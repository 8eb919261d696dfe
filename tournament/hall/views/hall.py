"""The hall's clock for a projector and for phones: public, no account, no session, both languages.

What it says is made once after each act that the log has, and kept by the log's last link: however many phones ask
within a second, the answer costs one query. The server's time is added to each answer as it goes out.
"""

import json
from datetime import date
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_safe

from tournament.audit.models import AuditHead
from tournament.hall.views.hall_facts import HALL_LANGUAGES, epoch_ms, hall_facts

# A front may give the same answer to all who ask within a second: the page knows that its time may be so old.
HALL_CACHE_CONTROL = "public, max-age=1"


@require_safe
def hall_page(request: HttpRequest, event: str, language: str = HALL_LANGUAGES[0]) -> HttpResponse:
    """The page with what it shows first; in the hand it has one language, on the wall both."""
    head = head_of(event)
    with override(language):
        shown = {
            "event": head.event,
            "facts": mark_safe(facts_json(head)),
            "words": [(own, words_in(own)) for own in HALL_LANGUAGES],
            "other_language": next(other for other in HALL_LANGUAGES if other != language),
        }
        response = render(request, "hall/hall.html", shown)
    response["Content-Language"] = language
    return response


@require_safe
def hall_now(request: HttpRequest, event: str) -> HttpResponse:
    """What the page asks for again: the facts, and the server's time."""
    response = HttpResponse(facts_json(head_of(event)), content_type="application/json")
    response["Cache-Control"] = HALL_CACHE_CONTROL
    return response


def head_of(event: str) -> AuditHead:
    """The last link of the event's log, with the event; 404 where there is no such event."""
    head = AuditHead.objects.select_related("event").filter(event__slug=event).first()
    if head is None:
        raise Http404
    return head


def facts_json(head: AuditHead) -> str:
    """The facts as text, with the time of now. What would end a script's element is escaped."""
    return f'{{"now": {epoch_ms(timezone.now())}, {kept_facts(head.hash, timezone.localdate(), head)[1:]}'


@lru_cache(maxsize=4)
def kept_facts(link: str, day: date, head: AuditHead) -> str:
    """The facts since this link of the log; one head equals another of the same event."""
    facts = json.dumps(hall_facts(head.event, timezone.now()), ensure_ascii=False)
    return facts.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def words_in(language: str) -> str:
    """Every sentence that the page's script may say, in one language."""
    with override(language):
        return render_to_string("hall/_words.html")


urlpatterns = [
    path("<slug:event>/", hall_page, name="hall"),
    path("<slug:event>/en/", hall_page, {"language": "en"}, name="hall_english"),
    path("<slug:event>/now.json", hall_now, name="hall_now"),
]
