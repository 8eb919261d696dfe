"""Whom no mail has reached with a word that is in force: who is to be telephoned, as a page and as a workbook."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from tournament.bridge import unreached
from tournament.bridge.unreached import Lack, lacking
from tournament.exports.mail_missing import missing_xlsx
from tournament.models import Entrant, Event
from tournament.permissions import for_act
from tournament.queries import mailings_shown as shown
from tournament.services.personal_exports import record_export
from tournament.views.mailings_words import about

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
A_PAGE = 100
FILE = "to-telephone.xlsx"
WHY: Mapping[str, tuple[str, str]] = {
    unreached.NO_ADDRESS: ("wait", _("no address")),
    unreached.CAME_BACK: ("stop", _("mail came back")),
    unreached.DEAD: ("stop", _("earlier mail came back")),
    unreached.UNWANTED: ("stop", _("reported as unwanted")),
    unreached.FAILED: ("stop", _("mail server refused it")),
    unreached.NOT_MAILED: ("wait", _("not mailed to this address")),
}


def lines_of(event: Event) -> list[dict[str, Any]]:
    """A line an entrant, by number, with each word lacked and why."""
    found, sessions = lacking(event), shown.sessions_by_code(event)
    by_number: dict[int, list[Lack]] = {}
    for one in found:
        by_number.setdefault(one.number, []).append(one)
    chosen = Entrant.objects.filter(event=event, number__in=by_number).select_related("person")
    words = {one.mailing.pk: about(one.mailing, sessions) for one in found}
    return [
        {"entrant": entrant, "lacks": [lack_line(one, words[one.mailing.pk]) for one in by_number[entrant.number]]}
        for entrant in chosen.order_by("number")
    ]


def lack_line(one: Lack, words: str) -> dict[str, Any]:
    """One word, with a badge that says why."""
    kind, why = WHY[one.why]
    return {"mailing": one.mailing, "about": words, "kind": kind, "why": gettext(why)}


@require_safe
@for_act("send_mailing")
def telephone_list(request: HttpRequest) -> HttpResponse:
    """The list; telephones are in the file alone, whose taking is in the log."""
    lines = lines_of(request.event)
    context = {"stage": "mailings", "page": Paginator(lines, A_PAGE).get_page(request.GET.get("page"))}
    return render(request, "mailings/telephone.html", context)


@require_safe
@for_act("send_mailing")
def telephone_file(request: HttpRequest) -> HttpResponse:
    """The same with telephones; in the log."""
    lines = lines_of(request.event)
    record_export(request.event, request.user, FILE, people=len(lines))
    lacks = {
        line["entrant"].number: "; ".join(f"{one['about']} ({one['why']})" for one in line["lacks"]) for line in lines
    }
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"'}
    people = [line["entrant"] for line in lines]
    content = missing_xlsx(people, timezone.now(), title="致電名單", lacks=lacks)
    return HttpResponse(content, content_type=XLSX, headers=headers)


urlpatterns = [
    path("mailings/telephone/", telephone_list, name="telephone_list"),
    path(f"mailings/{FILE}", telephone_file, name="telephone_file"),
]
