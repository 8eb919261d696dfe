"""The list of entrants, one entrant, and what becomes of an entry at the desk."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from scoring.eligibility import age_on
from tournament.audit.models import AuditEntry
from tournament.core import dateformat
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.core.enums import EntrantStatus, SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.names import public_name
from tournament.core.permissions import (
    EventRequest,
    for_act,
    is_act_allowed,
    require_act,
    sees_contacts,
    sees_school_and_family,
)
from tournament.entrants.models.people import Entrant, Ruling
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.queries.finalists import furthest
from tournament.log.templatetags.audit import act_words, reason_words
from tournament.registration.forms.changes import JoinFamilyForm, LeaveFamilyForm, MoveSessionForm
from tournament.registration.forms.registration import AbsenceForm, EntrantSearch, StatusReasonForm
from tournament.registration.services.importing_checks import has_child_and_parent
from tournament.registration.services.importing_second import waiting_change
from tournament.sheets.queries import entrants_played
from tournament.sheets.services import registration
from tournament.tables.models import Seat
from tournament.tablets.queries import conduct

ENTRANTS_PAGE_SIZE = 100
ACTION_WORDS = {
    "accept_age": gettext_lazy("age accepted"),
    "readmit_entrant": gettext_lazy("readmitted"),
    "change_entrant": gettext_lazy("entry changed"),
    "record_no_show": EntrantStatus.FORFEITED.label,
    "record_withdrawal": EntrantStatus.WITHDRAWN.label,
    "disqualify_entrant": EntrantStatus.DISQUALIFIED.label,
    "warn_entrant": gettext_lazy("verbal warning"),
}
RULING_WORDS = {"age_accepted": ACTION_WORDS["accept_age"], "readmitted": ACTION_WORDS["readmit_entrant"]}


@require_safe
@for_act("see_entrants")
def entrant_list(request: EventRequest) -> HttpResponse:
    """Everyone who is entered, found by number, name or phone, by session and status."""
    form = EntrantSearch(request.GET or None, sessions=session_choices_in_words(request.event))
    asked = form.asked() if form.is_bound else {}
    seats = Prefetch("seats", queryset=Seat.objects.select_related("table"), to_attr="seats_here")
    found = entrants_query.search_entrants(request.event, **asked, phones=sees_contacts(request)).prefetch_related(
        seats
    )
    page = Paginator(found, ENTRANTS_PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "stage": "registration",
        "form": form,
        "page": page,
        "filtered": any(asked.values()),
        "may_import": is_act_allowed(request.roles, "import_entrants"),
        "may_export": is_act_allowed(request.roles, "export_people"),
        "contacts": sees_contacts(request),
        "in_full": sees_school_and_family(request.roles, text=asked.get("text", ""), found=page.paginator.count),
    }
    return render(request, "registration/entrants.html", context)


def entrant_or_404(request: EventRequest, number: int) -> Entrant:
    """The event's entrant of this number."""
    found = entrants_query.entrant_of(request.event, number)
    if found is None:
        raise Http404
    return found


class EntrantHistoryLine:
    """An entry of the audit chain about this entrant, in words: fields by their column's name."""

    def __init__(self, entry: AuditEntry) -> None:
        self.word = ACTION_WORDS.get(entry.action) or act_words(entry.action)
        self.seq, self.by, self.at = entry.seq, entry.actor, entry.at
        self.fields, self.reason = "", reason_words(entry)
        if entry.action == "change_entrant":
            self.reason = entry.reason
            known = [name for name in entry.details["columns"] if name in COLUMN_BY_KEY]
            self.fields = ("、" if dateformat.is_chinese() else ", ").join(
                str(COLUMN_BY_KEY[name].label) for name in known
            )


def rulings_in_words(found: Entrant) -> list[tuple[Any, Ruling]]:
    """Each ruling with its word."""
    words = {**dict(EntrantStatus.choices), **RULING_WORDS}
    return [(words.get(ruling.kind, ruling.kind), ruling) for ruling in entrants_query.rulings_of(found)]


def session_choices_in_words(event: Event) -> list[tuple[Session, str]]:
    """The sessions with their words, for a choice; nobody is entered for a void one."""
    sessions = (each for each in entrants_query.preliminary_sessions(event) if each.state != SessionState.VOID)
    return [(each, dateformat.session_with_day_text(each.original_date, *each.name_of_day)) for each in sessions]


@require_safe
@for_act("see_entrants")
def entrant_page(request: EventRequest, number: int) -> HttpResponse:
    """All about one entrant that this account may see."""
    return show_entrant(request, entrant_or_404(request, number))


def show_entrant(
    request: EventRequest, found: Entrant, form: Any = None, refusal: Refused | None = None, **sent: Any
) -> HttpResponse:
    """The page, with the form that was refused in its place: `form` an absence, else `readmitting`, `moving` ..."""
    seat = entrants_played.seat_of(found)
    may_disqualify = is_act_allowed(request.roles, "disqualify")
    is_reserved = not request.roles & registration.ROLES_MAY_CHANGE_RANKING and registration.has_played(found)
    if form is None:
        form = AbsenceForm(initial={"seen": found.status}, may_disqualify=may_disqualify, now=found.status)
    context = {
        "stage": "registration",
        "entrant": found,
        "contacts": sees_contacts(request),
        "seat": seat,
        "finalist": furthest(found),
        "final_seats": entrants_played.final_seats_of(found),
        "locked_sheet": entrants_played.locked_sheet_of(seat),
        "relatives": entrants_query.relatives_of(found),
        "sheets": entrants_played.sheets_of_entrant(found),
        "rulings": rulings_in_words(found),
        "file": entrants_query.entrant_file_of(found),
        "may_import": is_act_allowed(request.roles, "import_entrants"),
        "may_see_results": is_act_allowed(request.roles, "see_standings"),
        "warnings": (warnings := list(conduct.warnings_of(found))),
        "warnings_standing": sum(one.outcome is None for one in warnings),
        "incidents": conduct.incidents_about(found),
        "history": [EntrantHistoryLine(entry) for entry in entrants_query.history_of(found)],
        "age": age_on(found.person.birth_date, found.session.original_date) if found.person.birth_date else None,
        "public_name": public_name(found.person.name_zh, found.person.name_en),
        "form": form,
        "readmitting": sent.get("readmitting")
        or StatusReasonForm(initial={"seen": found.status}, auto_id="readmit_%s"),
        "refusal": refusal,
        "what_to_do": refusal.about[0].do if refusal and isinstance(refusal.about, tuple) and refusal.about else "",
        "may_record": is_act_allowed(request.roles, "record_absence") and form.any_possible and not is_reserved,
        "may_readmit": found.status != EntrantStatus.OK and may_readmit(request, found) and not is_reserved,
        "is_reserved": is_act_allowed(request.roles, "record_absence") and is_reserved,
        "may_erase": is_act_allowed(request.roles, "erase_personal_data") and found.person.erased_at is None,
        "may_change": is_act_allowed(request.roles, "change_entrant"),
        **(change_forms(request, found, refusal, sent) if is_act_allowed(request.roles, "change_entrant") else {}),
    }
    faulty = form.errors or any(each.errors for each in sent.values())
    status = refusal.status if refusal else 400 if faulty else 200
    return render(request, "registration/entrant.html", context, status=status)


def change_forms(
    request: EventRequest, found: Entrant, refusal: Refused | None, sent: Mapping[str, Any]
) -> dict[str, Any]:
    """The forms of another session and of the family; a boundary birthday is asked about only where it is met."""
    initial = {"revision": found.revision}
    moving = sent.get("moving")
    asks = bool(refusal and refusal.code == "birthday_on_the_day" and is_act_allowed(request.roles, "decide_entry"))
    others = [(each, word) for each, word in session_choices_in_words(request.event) if each.pk != found.session_id]
    return {
        "moving": moving or MoveSessionForm(initial=initial, sessions=others),
        "joining": sent.get("joining") or JoinFamilyForm(initial=initial),
        "two_people": entrants_played.is_on_any_locked_sheet(found),
        "waiting": waiting_change(found),
        "others_stay": has_child_and_parent(entrants_query.relatives_of(found)),
        "parting": sent.get("parting") or LeaveFamilyForm(initial=initial, auto_id="part_%s"),
        "may_free_seat": is_act_allowed(request.roles, "draw_seats"),
        "asks_birthday": asks or bool(moving and moving.data.get("accept_birthday")),
    }


def may_readmit(request: EventRequest, found: Entrant) -> bool:
    """A disqualification is taken back by those who may disqualify."""
    act = "disqualify" if found.status == EntrantStatus.DISQUALIFIED else "record_absence"
    return is_act_allowed(request.roles, act)


@require_POST
@for_act("record_absence")
def record_absence_view(request: EventRequest, number: int) -> HttpResponse:
    """Record a no-show, a withdrawal or a disqualification with its reason."""
    found = entrant_or_404(request, number)
    may_disqualify = is_act_allowed(request.roles, "disqualify")
    if request.POST.get("status") == EntrantStatus.DISQUALIFIED:
        require_act(request.roles, "disqualify")
    form = AbsenceForm(request.POST, may_disqualify=may_disqualify, now=EntrantStatus.OK)
    if not form.is_valid():
        return show_entrant(request, found, form=form)
    status, seen = EntrantStatus(form.cleaned_data["status"]), EntrantStatus(form.cleaned_data["seen"])
    try:
        registration.record_absence(
            found, status=status, reason=form.cleaned_data["reason"], by=request.user, seen=seen
        )
    except Refused as refused:
        return show_entrant(request, entrant_or_404(request, number), form=form, refusal=refused)
    messages.success(request, _("Recorded: %(status)s.") % {"status": status.label})
    return redirect("entrant", request.event.slug, number)


@require_POST
@for_act("record_absence")
def readmit_entrant_view(request: EventRequest, number: int) -> HttpResponse:
    """Take an absence or a disqualification back."""
    found = entrant_or_404(request, number)
    if found.status == EntrantStatus.DISQUALIFIED:
        require_act(request.roles, "disqualify")
    form = StatusReasonForm(request.POST, auto_id="readmit_%s")
    if not form.is_valid():
        return show_entrant(request, found, readmitting=form)
    try:
        registration.readmit_entrant(
            found, reason=form.cleaned_data["reason"], by=request.user, seen=EntrantStatus(form.cleaned_data["seen"])
        )
    except Refused as refused:
        return show_entrant(request, entrant_or_404(request, number), readmitting=form, refusal=refused)
    messages.success(request, _("Recorded: takes part again."))
    return redirect("entrant", request.event.slug, number)


urlpatterns = [
    path("entrants/", entrant_list, name="entrants"),
    path("entrants/<int:number>/", entrant_page, name="entrant"),
    path("entrants/<int:number>/absence/", record_absence_view, name="record_absence"),
    path("entrants/<int:number>/readmit/", readmit_entrant_view, name="readmit"),
]
