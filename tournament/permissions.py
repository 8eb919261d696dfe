"""Who may do what: one table, read by pages now and by the API later. A view fetches with its audience in one call."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop as _

from tournament.enums import Role, StageKind
from tournament.errors import Forbidden
from tournament.models import Membership, Stage

ORGANISER, CLERK, REFEREE, JUDGE, AUDITOR = (
    Role.ORGANISER,
    Role.CLERK,
    Role.REFEREE,
    Role.CHIEF_JUDGE,
    Role.AUDITOR,
)
READERS = frozenset({ORGANISER, CLERK, JUDGE, AUDITOR})

ACTS: dict[str, frozenset[Role]] = {
    "see_desk": READERS | {REFEREE},
    "import_entrants": frozenset({ORGANISER, CLERK}),
    "decide_entry": frozenset({ORGANISER}),
    "see_entrants": READERS,
    "change_entrant": frozenset({ORGANISER, CLERK}),
    "record_absence": frozenset({ORGANISER, CLERK, JUDGE}),
    "disqualify": frozenset({JUDGE}),
    "see_seating": READERS,
    "draw_seats": frozenset({ORGANISER}),
    "print_scoresheets": frozenset({ORGANISER, CLERK}),
    "see_scoresheets": READERS,
    "type_scoresheet": frozenset({ORGANISER, CLERK}),
    "certify_scoresheet": frozenset({ORGANISER, CLERK, JUDGE}),
    "certify_without_signature": frozenset({JUDGE}),
    "see_drawings": frozenset({ORGANISER, JUDGE}),
    "stamp": frozenset({ORGANISER}),
    "dispute_scoresheet": frozenset({ORGANISER, CLERK, JUDGE}),
    "decide_dispute": frozenset({JUDGE}),
    "void_scoresheet": frozenset({ORGANISER, JUDGE}),
    "correct_scoresheet": frozenset({ORGANISER, CLERK, JUDGE}),
    "agree_correction": frozenset({ORGANISER, JUDGE}),
    "move_session": frozenset({ORGANISER, JUDGE}),
    "see_conduct": READERS,
    "answer_call": frozenset({JUDGE}),
    "see_tablets": READERS,
    "pair_tablets": frozenset({ORGANISER, CLERK}),
    "settle_held": frozenset({ORGANISER, JUDGE}),
    "count_held_signatures": frozenset({JUDGE}),
    "see_standings": READERS,
    "decide_tie": frozenset({JUDGE}),
    "see_release": READERS,
    "release": frozenset({ORGANISER}),
    "print_certificates": frozenset({ORGANISER}),
    "record_answer": frozenset({ORGANISER}),
    "invite_finalists": frozenset({ORGANISER}),
    "freeze_finalists": frozenset({ORGANISER}),
    "see_weather": READERS | {REFEREE},
    "enter_weather": frozenset({ORGANISER, CLERK, JUDGE}),
    "decide_weather": frozenset({ORGANISER}),
    "see_notices": READERS,
    "publish_notice": frozenset({ORGANISER}),
    "see_mailings": READERS,
    "send_mailing": frozenset({ORGANISER}),
    "set_up_event": frozenset({ORGANISER}),
    "manage_accounts": frozenset({ORGANISER}),
    "see_audit": frozenset({ORGANISER, JUDGE, AUDITOR}),
    "make_backup": frozenset({ORGANISER}),
}


def allowed(roles: frozenset[str], act: str) -> bool:
    """Whether an account with these roles at the event may do this act."""
    return bool(ACTS[act] & roles)


def require(roles: frozenset[str], act: str) -> None:
    """Refuse with a sentence that says who may."""
    if not allowed(roles, act):
        raise Forbidden("not_your_role", _("Your account has no right to do this at this event. Ask an organiser."))


def may_create_event(user: Any) -> bool:
    """An event is made by who is an organiser somewhere, or by an account that looks after the installation."""
    return user.is_staff or Membership.objects.filter(user=user, role=ORGANISER).exists()


View = Callable[..., HttpResponse]


def for_act(act: str) -> Callable[[View], View]:
    """Open a page of one event to those who may do `act`; sets `event`, `roles` and `has_final` of the request.

    Nobody signed in: to the sign-in page. No role at the event, or no such event: the same 404. A role without the
    right: 403.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, event: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            final = Stage.objects.filter(event=OuterRef("event"), kind=StageKind.FINAL)
            mine = Membership.objects.filter(user=request.user, event__slug=event)
            held = list(mine.select_related("event").annotate(has_final=Exists(final)))
            if not held:
                raise Http404
            request.event, request.has_final = held[0].event, held[0].has_final
            request.roles = frozenset(membership.role for membership in held)
            require(request.roles, act)
            return view(request, *args, **kwargs)

        guarded.act = act
        return guarded

    return decorate
