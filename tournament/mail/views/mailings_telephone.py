"""Whom no mail has reached with a word that is in force: who is to be telephoned, as a page and as a workbook."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.core.models.event import Event
from tournament.core.permissions import EventRequest, for_act
from tournament.entrants.models.people import Entrant
from tournament.mail.domain import unreached
from tournament.mail.domain.unreached import UnreachedEntrant, unreached_entrants
from tournament.messages.exports.mail_missing import missing_mail_xlsx
from tournament.messages.queries import mailing_counts as shown
from tournament.messages.views.mailings_words import mailing_subject_text

XLSX_TYPE_OF_TELEPHONE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TELEPHONE_PAGE_SIZE = 100
TELEPHONE_FILE_NAME = "to-telephone.xlsx"
UNREACHED_REASON_WORDS: Mapping[str, tuple[str, str]] = {
    unreached.UNREACHED_NO_ADDRESS: ("wait", _("no address")),
    unreached.UNREACHED_CAME_BACK: ("stop", _("mail came back")),
    unreached.UNREACHED_DEAD_ADDRESS: ("stop", _("earlier mail came back")),
    unreached.UNREACHED_UNWANTED: ("stop", _("reported as unwanted")),
    unreached.UNREACHED_FAILED: ("stop", _("mail server refused it")),
    unreached.UNREACHED_NOT_MAILED: ("wait", _("not mailed to this address")),
}


def telephone_lines(event: Event) -> list[dict[str, Any]]:
    """A line an entrant, by number, with each word lacked and why."""
    found, sessions = unreached_entrants(event), shown.sessions_by_code(event)
    by_number: dict[int, list[UnreachedEntrant]] = {}
    for one in found:
        by_number.setdefault(one.number, []).append(one)
    chosen = Entrant.objects.filter(event=event, number__in=by_number).select_related("person")
    words = {one.mailing.pk: mailing_subject_text(one.mailing, sessions) for one in found}
    return [
        {
            "entrant": entrant,
            "lacks": [missed_mail_line(one, words[one.mailing.pk]) for one in by_number[entrant.number]],
        }
        for entrant in chosen.order_by("number")
    ]


def missed_mail_line(one: UnreachedEntrant, words: str) -> dict[str, Any]:
    """One word, with a badge that says why."""
    kind, why = UNREACHED_REASON_WORDS[one.why]
    return {"mailing": one.mailing, "about": words, "kind": kind, "why": gettext(why)}


@require_safe
@for_act("send_mailing")
def telephone_list(request: EventRequest) -> HttpResponse:
    """The list; telephones are in the file alone, whose taking is in the log."""
    lines = telephone_lines(request.event)
    context = {"stage": "mailings", "page": Paginator(lines, TELEPHONE_PAGE_SIZE).get_page(request.GET.get("page"))}
    return render(request, "mail/mailings/telephone.html", context)


@require_safe
@for_act("send_mailing")
def telephone_file(request: EventRequest) -> HttpResponse:
    """The same with telephones; in the log."""
    lines = telephone_lines(request.event)
    record_export(request.event, request.user, TELEPHONE_FILE_NAME, people=len(lines))
    lacks = {
        line["entrant"].number: "; ".join(f"{one['about']} ({one['why']})" for one in line["lacks"]) for line in lines
    }
    headers = {"Content-Disposition": f'attachment; filename="{TELEPHONE_FILE_NAME}"'}
    people = [line["entrant"] for line in lines]
    content = missing_mail_xlsx(people, timezone.now(), title="致電名單", lacks=lacks)
    return HttpResponse(content, content_type=XLSX_TYPE_OF_TELEPHONE, headers=headers)


urlpatterns = [
    path("mailings/telephone/", telephone_list, name="telephone_list"),
    path(f"mailings/{TELEPHONE_FILE_NAME}", telephone_file, name="telephone_file"),
]
