"""The list of entrants, one entrant, and what becomes of an entry at the desk."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from scoring.eligibility import age_on
from tournament import moments
from tournament.enums import EntrantStatus, Role, SessionState
from tournament.errors import Refused
from tournament.forms.registration import AbsenceForm, EntrantSearch, ReasonForm
from tournament.forms.registration_changes import JoinForm, MoveForm, PartForm
from tournament.models import AuditEntry, Entrant, Event, Ruling, Seat, Session
from tournament.names import public_name
from tournament.permissions import allowed, for_act, require, sees_school_and_family
from tournament.queries import conduct
from tournament.queries import entrants as entrants_query
from tournament.readers.columns import BY_NAME
from tournament.services import registration
from tournament.services.importing_checks import has_both
from tournament.services.importing_second import waiting_change
from tournament.templatetags.audit import act_words, reason_words

A_PAGE = 100
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
CONTACTS_FOR = frozenset({Role.ORGANISER, Role.CLERK})


def sees_contacts(request: HttpRequest) -> bool:
    """Phone, e-mail and date of birth are for those who write to people and check documents."""
    return bool(request.roles & CONTACTS_FOR)


@require_safe
@for_act("see_entrants")
def entrants(request: HttpRequest) -> HttpResponse:
    """Everyone who is entered, found by number, name or phone, by session and status."""
    form = EntrantSearch(request.GET or None, sessions=session_words(request.event))
    asked = form.asked() if form.is_bound else {}
    seats = Prefetch("seats", queryset=Seat.objects.select_related("table"), to_attr="seats_here")
    found = entrants_query.matching(request.event, **asked, phones=sees_contacts(request)).prefetch_related(seats)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "stage": "registration",
        "form": form,
        "page": page,
        "filtered": any(asked.values()),
        "may_import": allowed(request.roles, "import_entrants"),
        "may_export": allowed(request.roles, "export_people"),
        "contacts": sees_contacts(request),
        "in_full": sees_school_and_family(request.roles, text=asked.get("text", ""), found=page.paginator.count),
    }
    return render(request, "registration/entrants.html", context)


def entrant_or_404(request: HttpRequest, number: int) -> Entrant:
    """The event's entrant of this number."""
    found = entrants_query.entrant_of(request.event, number)
    if found is None:
        raise Http404
    return found


class HistoryLine:
    """An entry of the audit chain about this entrant, in words: fields by their column's name."""

    def __init__(self, entry: AuditEntry) -> None:
        self.word = ACTION_WORDS.get(entry.action) or act_words(entry.action)
        self.seq, self.by, self.at = entry.seq, entry.actor, entry.at
        self.fields, self.reason = "", reason_words(entry)
        if entry.action == "change_entrant":
            fields, _between, self.reason = entry.reason.partition(": ")
            known = [name for name in fields.split(", ") if name in BY_NAME]
            self.fields = ("、" if moments.chinese() else ", ").join(str(BY_NAME[name].label) for name in known)


def told_rulings(found: Entrant) -> list[tuple[Any, Ruling]]:
    """Each ruling with its word."""
    words = {**dict(EntrantStatus.choices), **RULING_WORDS}
    return [(words.get(ruling.kind, ruling.kind), ruling) for ruling in entrants_query.rulings_of(found)]


def session_words(event: Event) -> list[tuple[Session, str]]:
    """The sessions with their words, for a choice; nobody is entered for a void one."""
    sessions = (each for each in entrants_query.preliminary_sessions(event) if each.state != SessionState.VOID)
    return [(each, moments.session_text(each.original_date, *each.name_of_day)) for each in sessions]


@require_safe
@for_act("see_entrants")
def entrant(request: HttpRequest, number: int) -> HttpResponse:
    """All about one entrant that this account may see."""
    return show_entrant(request, entrant_or_404(request, number))


def show_entrant(
    request: HttpRequest, found: Entrant, form: Any = None, refusal: Refused | None = None, **sent: Any
) -> HttpResponse:
    """The page, with the form that was refused in its place: `form` an absence, else `readmitting`, `moving` ..."""
    seat = entrants_query.seat_of(found)
    may_disqualify = allowed(request.roles, "disqualify")
    is_reserved = not request.roles & registration.RANKERS and registration.has_played(found)
    if form is None:
        form = AbsenceForm(initial={"seen": found.status}, may_disqualify=may_disqualify, now=found.status)
    context = {
        "stage": "registration",
        "entrant": found,
        "contacts": sees_contacts(request),
        "seat": seat,
        "finalist": getattr(found, "finalist", None),
        "final_seats": entrants_query.final_seats_of(found),
        "locked_sheet": entrants_query.locked_sheet_of(seat),
        "relatives": entrants_query.relatives_of(found),
        "sheets": entrants_query.sheets_of(found),
        "rulings": told_rulings(found),
        "file": entrants_query.brought_by(found),
        "may_import": allowed(request.roles, "import_entrants"),
        "may_see_results": allowed(request.roles, "see_standings"),
        "warnings": (warnings := list(conduct.warnings_of(found))),
        "warnings_standing": sum(one.outcome is None for one in warnings),
        "incidents": conduct.incidents_about(found),
        "history": [HistoryLine(entry) for entry in entrants_query.history_of(found)],
        "age": age_on(found.person.birth_date, found.session.original_date) if found.person.birth_date else None,
        "words": f"{_('given')},{_('not given')}",
        "public_name": public_name(found.person.name_zh, found.person.name_en),
        "form": form,
        "readmitting": sent.get("readmitting") or ReasonForm(initial={"seen": found.status}, auto_id="readmit_%s"),
        "refusal": refusal,
        "what_to_do": refusal.about[0].do if refusal and isinstance(refusal.about, tuple) and refusal.about else "",
        "may_record": allowed(request.roles, "record_absence") and form.any_possible and not is_reserved,
        "may_readmit": found.status != EntrantStatus.OK and may_readmit(request, found) and not is_reserved,
        "is_reserved": allowed(request.roles, "record_absence") and is_reserved,
        "may_erase": allowed(request.roles, "erase_personal_data") and found.person.erased_at is None,
        "may_change": allowed(request.roles, "change_entrant"),
        **(change_forms(request, found, refusal, sent) if allowed(request.roles, "change_entrant") else {}),
    }
    faulty = form.errors or any(each.errors for each in sent.values())
    status = refusal.status if refusal else 400 if faulty else 200
    return render(request, "registration/entrant.html", context, status=status)


def change_forms(
    request: HttpRequest, found: Entrant, refusal: Refused | None, sent: Mapping[str, Any]
) -> dict[str, Any]:
    """The forms of another session and of the family; a boundary birthday is asked about only where it is met."""
    initial = {"revision": found.revision}
    moving = sent.get("moving")
    asks = bool(refusal and refusal.code == "birthday_on_the_day" and allowed(request.roles, "decide_entry"))
    others = [(each, word) for each, word in session_words(request.event) if each.pk != found.session_id]
    return {
        "moving": moving or MoveForm(initial=initial, sessions=others),
        "joining": sent.get("joining") or JoinForm(initial=initial),
        "two_people": entrants_query.is_behind_locked_sheet(found),
        "waiting": waiting_change(found),
        "others_stay": has_both(entrants_query.relatives_of(found)),
        "parting": sent.get("parting") or PartForm(initial=initial, auto_id="part_%s"),
        "may_free_seat": allowed(request.roles, "draw_seats"),
        "asks_birthday": asks or bool(moving and moving.data.get("accept_birthday")),
    }


def may_readmit(request: HttpRequest, found: Entrant) -> bool:
    """A disqualification is taken back by those who may disqualify."""
    act = "disqualify" if found.status == EntrantStatus.DISQUALIFIED else "record_absence"
    return allowed(request.roles, act)


@require_POST
@for_act("record_absence")
def record_absence(request: HttpRequest, number: int) -> HttpResponse:
    """Record a no-show, a withdrawal or a disqualification with its reason."""
    found = entrant_or_404(request, number)
    may_disqualify = allowed(request.roles, "disqualify")
    if request.POST.get("status") == EntrantStatus.DISQUALIFIED:
        require(request.roles, "disqualify")
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
def readmit(request: HttpRequest, number: int) -> HttpResponse:
    """Take an absence or a disqualification back."""
    found = entrant_or_404(request, number)
    if found.status == EntrantStatus.DISQUALIFIED:
        require(request.roles, "disqualify")
    form = ReasonForm(request.POST, auto_id="readmit_%s")
    if not form.is_valid():
        return show_entrant(request, found, readmitting=form)
    try:
        registration.readmit(
            found, reason=form.cleaned_data["reason"], by=request.user, seen=EntrantStatus(form.cleaned_data["seen"])
        )
    except Refused as refused:
        return show_entrant(request, entrant_or_404(request, number), readmitting=form, refusal=refused)
    messages.success(request, _("Recorded: takes part again."))
    return redirect("entrant", request.event.slug, number)


urlpatterns = [
    path("entrants/", entrants, name="entrants"),
    path("entrants/<int:number>/", entrant, name="entrant"),
    path("entrants/<int:number>/absence/", record_absence, name="record_absence"),
    path("entrants/<int:number>/readmit/", readmit, name="readmit"),
]
