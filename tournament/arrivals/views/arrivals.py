"""The desk's page of arrivals: how many are here, who is missing, checked in by hand, and the press for the absent."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.arrivals import queries
from tournament.arrivals.domain import ArrivalsBoard, ExpectedEntrant, read_arrivals_board
from tournament.arrivals.forms import CheckInForm, DoorCheckForm, ForfeitForm, UndoCheckInForm
from tournament.arrivals.services import check_in as services
from tournament.arrivals.services import forfeits
from tournament.arrivals.views.curve import draw_arrivals
from tournament.core.acts.sessions import BEFORE_PLAY
from tournament.core.enums import ENDED, OFF, DoorCheckKind, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.names import search_keys
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, sees_contacts
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.queries import entrants as entrants_query
from tournament.events.queries import sessions_of_event
from tournament.events.views import seating_session_or_404

# As many as a person reads; more is asked for more exactly.
MOST_FOUND = 20
# Of those who have not come so many stand at the top; the rest is unfolded.
FIRST_ABSENT = 8
FORM_INCOMPLETE = gettext_noop("The form came incomplete. Reload the page and try again.")


@require_safe
@for_act("see_arrivals")
def arrivals(request: EventRequest) -> HttpResponse:
    """To the session whose door is open, or the next one."""
    session = session_at_the_door(request.event)
    if session is None:
        return render(request, "arrivals/none.html", {"stage": "arrivals"})
    return redirect("session_arrivals", request.event.slug, session.number)


def session_at_the_door(event: Event) -> Session | None:
    """The first session that is not over yet, by its time; without one the last; None before any is set up."""
    rows = list(sessions_of_event(event).exclude(state__in=OFF).order_by("check_in_at", "number"))
    now = timezone.now()
    ahead = (row for row in rows if row.ends_at > now and row.state not in ENDED)
    return next(ahead, rows[-1] if rows else None)


@require_safe
@for_act("see_arrivals")
def session_arrivals(request: EventRequest, session: int) -> HttpResponse:
    """One session's arrivals; with `q` those whom a search finds."""
    return arrivals_page(request, seating_session_or_404(request, session))


def arrivals_page(
    request: EventRequest, session: Session, refusal: Refused | None = None, form: Form | None = None
) -> HttpResponse:
    """The page, with what was refused."""
    now, board = timezone.now(), read_arrivals_board(session)
    before = session_before(session)
    press = queries.forfeiture_in_force(session)
    may_check_in = is_act_allowed(request.roles, "check_in") and session.state not in OFF
    may_record = is_act_allowed(request.roles, "record_absence")
    before_play = session.state in BEFORE_PLAY
    shown = {
        "stage": "arrivals",
        "session": session,
        "sessions": sessions_of_event(request.event).exclude(state=SessionState.VOID).order_by("check_in_at", "number"),
        "board": board,
        "first_absent": board.absent[:FIRST_ABSENT],
        "more_absent": board.absent[FIRST_ABSENT:],
        "tables": sorted(board.tables, key=lambda one: -one.missing) if by_missing(request) else board.tables,
        "by_missing": by_missing(request),
        "full": sum(not one.missing for one in board.tables),
        "short": sum(one.is_short for one in board.tables),
        "curve": draw_arrivals(board, read_arrivals_board(before) if before else None, now) if board.people else None,
        "before": before,
        "ages_seen": sum(DoorCheckKind.AGE in one.checks for one in board.people),
        "consents_received": sum(DoorCheckKind.CONSENT in one.checks for one in board.people),
        "press": press,
        "may_press": may_record and before_play and now >= board.forfeits_from and bool(board.forfeits),
        "too_early": now < board.forfeits_from and before_play,
        "may_revert": may_record and before_play and press is not None,
        "may_check_in": may_check_in,
        "may_readmit": may_record,
        "may_print_phones": is_act_allowed(request.roles, "export_people"),
        "is_off": session.state in OFF,
        "refusal": refusal,
        "form": form or CheckInForm(auto_id="paper_%s"),
        **found_by_search(request, session, board),
    }
    return render(request, "arrivals/arrivals.html", shown, status=refusal.status if refusal else 200)


def by_missing(request: EventRequest) -> bool:
    """Whether tables stand in the order of who is missing."""
    return request.GET.get("by") == "missing"


def session_before(session: Session) -> Session | None:
    """The session of the same day and stage before this one, to compare with."""
    begins = timezone.localtime(session.check_in_at).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Session.objects.filter(
        stage=session.stage,
        check_in_at__gte=begins,
        check_in_at__lt=min(session.check_in_at, begins + timedelta(days=1)),
    )
    found = rows.exclude(state__in=OFF).select_related("stage__event")
    return found.order_by("-check_in_at", "-number").first()


def found_by_search(request: EventRequest, session: Session, board: ArrivalsBoard) -> dict[str, Any]:
    """Who has this number, name or telephone: those of this session with their family here, and others."""
    text = request.GET.get("q", "").strip()[:100]
    if not search_keys(text):
        return {"asked": ""}
    rows = list(
        entrants_query.search_entrants(request.event, text=text, phones=sees_contacts(request))[: MOST_FOUND + 1]
    )
    expected = {one.entrant.pk: one for one in board.people}
    here = [expected[row.pk] for row in rows[:MOST_FOUND] if row.pk in expected]
    return {
        "asked": text,
        "found_here": [(one, family_here(one, board)) for one in here],
        "found_elsewhere": [row for row in rows[:MOST_FOUND] if row.pk not in expected],
        "too_many": len(rows) > MOST_FOUND,
    }


def family_here(one: ExpectedEntrant, board: ArrivalsBoard) -> list[ExpectedEntrant]:
    """The members of a family who are expected at this session and have not come, if they are more than one."""
    family = one.entrant.family_id
    kin = [each for each in board.absent if family is not None and each.entrant.family_id == family]
    return kin if len(kin) > 1 else []


# --- Acts -----------------------------------------------------------------------------------------------
@require_POST
@for_act("check_in")
def check_in_entrants(request: EventRequest, session: int) -> HttpResponse:
    """One, a family, or ticks typed from paper with their time."""
    found = seating_session_or_404(request, session)
    form = CheckInForm(request.POST, auto_id="paper_%s")
    if not form.is_valid():
        return arrivals_page(request, found, incomplete(form), form)
    acting = ActingAccount(request.user, "", claimed_at=form.claimed_at(found))
    try:
        made = services.check_in(found, form.cleaned_data["numbers"], acting=acting)
    except Refused as refusal:
        return arrivals_page(request, found, refusal, form)
    if made:
        messages.success(request, _("Checked in: %(numbers)s.") % {"numbers": number_list(made)})
    else:
        messages.info(request, _("They were checked in before."))
    return to_session(request, found)


@require_POST
@for_act("check_in")
def undo_check_in(request: EventRequest, session: int) -> HttpResponse:
    """Take a check-in back."""
    found = seating_session_or_404(request, session)
    form = UndoCheckInForm(request.POST)
    if not form.is_valid():
        return arrivals_page(request, found, incomplete(form))
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    try:
        services.undo_check_in(found, number, reason=reason, acting=ActingAccount(request.user, ""))
    except Refused as refusal:
        return arrivals_page(request, found, refusal)
    messages.success(request, _("Check-in of %(number)s undone.") % {"number": f"{number:04d}"})
    return to_session(request, found)


@require_POST
@for_act("check_in")
def door_check(request: EventRequest, session: int) -> HttpResponse:
    """What was seen or received of one entrant, or taken back."""
    found = seating_session_or_404(request, session)
    form = DoorCheckForm(request.POST)
    if not form.is_valid():
        return arrivals_page(request, found, incomplete(form))
    number, kind = form.cleaned_data["number"], DoorCheckKind(form.cleaned_data["kind"])
    act = services.undo_door_check if form.cleaned_data["undo"] else services.record_door_check
    try:
        act(request.event, number, kind, acting=ActingAccount(request.user, ""))
    except Refused as refusal:
        return arrivals_page(request, found, refusal)
    said = _("Taken back: %(what)s, %(number)s.") if form.cleaned_data["undo"] else _("Noted: %(what)s, %(number)s.")
    messages.success(request, said % {"what": kind.label, "number": f"{number:04d}"})
    return to_session(request, found)


@require_POST
@for_act("record_absence")
def forfeit_absent(request: EventRequest, session: int) -> HttpResponse:
    """Those of the list who are not there by now are recorded as no-shows."""
    found = seating_session_or_404(request, session)
    form = ForfeitForm(request.POST)
    if not form.is_valid():
        return arrivals_page(request, found, incomplete(form))
    try:
        row = forfeits.forfeit_absent(found, form.cleaned_data["numbers"], acting=ActingAccount(request.user, ""))
    except Refused as refusal:
        return arrivals_page(request, found, refusal)
    count = len(row.numbers) if row else 0
    left = len(form.cleaned_data["numbers"]) - count
    said = ngettext("%(count)s entrant recorded as a no-show.", "%(count)s entrants recorded as no-shows.", count)
    messages.success(request, said % {"count": count})
    if left:
        kept = ngettext(
            "%(count)s of the list was not: checked in or changed meanwhile.",
            "%(count)s of the list were not: checked in or changed meanwhile.",
            left,
        )
        messages.warning(request, kept % {"count": left})
    return to_session(request, found)


@require_POST
@for_act("record_absence")
def revert_forfeits(request: EventRequest, session: int) -> HttpResponse:
    """The last press taken back."""
    found = seating_session_or_404(request, session)
    try:
        row = forfeits.revert_forfeits(found, acting=ActingAccount(request.user, ""))
    except Refused as refusal:
        return arrivals_page(request, found, refusal)
    if row:
        messages.success(request, _("Taken back: %(numbers)s take part again.") % {"numbers": number_list(row.numbers)})
    return to_session(request, found)


@require_safe
@for_act("export_people")
def phone_list(request: EventRequest, session: int) -> HttpResponse:
    """Whom to telephone: who has not come, with telephone and guardian, to print. The log has that it was taken."""
    found = seating_session_or_404(request, session)
    board = read_arrivals_board(found)
    record_export(request.event, request.user, "telephones", people=len(board.absent), among=f"absent {found.code}")
    return render(request, "arrivals/phone_list.html", {"stage": "arrivals", "session": found, "board": board})


def incomplete(form: Form) -> BadInput:
    """The refusal of a form that cannot be read, with its first fault where one has words for it."""
    if "numbers" in form.errors:
        return BadInput(
            "numbers_not_readable", gettext_noop("Type entrants' numbers, with spaces or commas between them.")
        )
    return BadInput("form_incomplete", FORM_INCOMPLETE)


def number_list(numbers: Iterable[int]) -> str:
    """`0301, 0302`."""
    return ", ".join(f"{number:04d}" for number in numbers)


def to_session(request: EventRequest, session: Session) -> HttpResponse:
    return redirect("session_arrivals", request.event.slug, session.number)


urlpatterns = [
    path("arrivals/", arrivals, name="arrivals"),
    path("arrivals/<int:session>/", session_arrivals, name="session_arrivals"),
    path("arrivals/<int:session>/check-in/", check_in_entrants, name="check_in"),
    path("arrivals/<int:session>/undo/", undo_check_in, name="undo_check_in"),
    path("arrivals/<int:session>/door-check/", door_check, name="door_check"),
    path("arrivals/<int:session>/forfeit/", forfeit_absent, name="forfeit_absent"),
    path("arrivals/<int:session>/forfeit/undo/", revert_forfeits, name="revert_forfeits"),
    path("arrivals/<int:session>/telephones/", phone_list, name="phone_list"),
]
