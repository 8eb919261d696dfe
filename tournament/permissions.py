"""Who may do what: one table, read by pages now and by the API later. A view fetches with its audience in one call."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_noop as _

from tournament.enums import Role, StageKind
from tournament.errors import Forbidden
from tournament.form_keys import not_acted
from tournament.models import InitialPassword, Membership, Stage
from tournament.names import search_keys

ORGANISER, CLERK, REFEREE, JUDGE, AUDITOR = (
    Role.ORGANISER,
    Role.CLERK,
    Role.REFEREE,
    Role.CHIEF_JUDGE,
    Role.AUDITOR,
)
READERS = frozenset({ORGANISER, CLERK, JUDGE, AUDITOR})
# Who reads results before the public does, and where mail went: typing needs neither.
REVIEWERS = frozenset({ORGANISER, JUDGE, AUDITOR})
# As many as a search finds and a person reads. A list of more takes personal data out.
FEW = 20

ACTS: dict[str, frozenset[Role]] = {
    "see_desk": READERS | {REFEREE},
    "import_entrants": frozenset({ORGANISER, CLERK}),
    "decide_entry": frozenset({ORGANISER}),
    "see_entrants": READERS,
    "export_people": frozenset({ORGANISER}),
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
    "settle_marks": frozenset({ORGANISER, CLERK, JUDGE}),
    "see_tablets": READERS,
    "pair_tablets": frozenset({ORGANISER, CLERK}),
    "unlock_pins": frozenset({ORGANISER, CLERK, JUDGE}),
    "settle_held": frozenset({ORGANISER, JUDGE}),
    "count_held_signatures": frozenset({JUDGE}),
    "see_standings": REVIEWERS,
    "decide_tie": frozenset({JUDGE}),
    "agree_decision": frozenset({ORGANISER, JUDGE}),
    "see_release": REVIEWERS,
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
    "see_mailings": frozenset({ORGANISER, AUDITOR}),
    "send_mailing": frozenset({ORGANISER}),
    "set_up_event": frozenset({ORGANISER}),
    "manage_accounts": frozenset({ORGANISER}),
    "see_proposals": READERS,
    "see_proposed_change": frozenset({ORGANISER, CLERK, JUDGE}),
    "answer_proposal": frozenset({ORGANISER, JUDGE}),
    "agree_role": frozenset({ORGANISER, JUDGE, AUDITOR}),
    "see_audit": frozenset({ORGANISER, JUDGE, AUDITOR}),
    "make_backup": frozenset({ORGANISER}),
    "erase_personal_data": frozenset({ORGANISER}),
}


OWN_PASSWORD_FIRST = _("This password was given to you. Change it on the page of your own password first.")


def allowed(roles: frozenset[str], act: str) -> bool:
    """Whether an account with these roles at the event may do this act."""
    return bool(ACTS[act] & roles)


def require(roles: frozenset[str], act: str) -> None:
    """Refuse with a sentence that says who may."""
    if not allowed(roles, act):
        raise Forbidden("not_your_role", _("Your account has no right to do this at this event. Ask an organiser."))


def sees_school_and_family(roles: frozenset[str], *, text: str, found: int) -> bool:
    """Whether a list of entrants tells them: to who may take out personal data in bulk; else only where a text was
    searched for that finds few."""
    return allowed(roles, "export_people") or (bool(search_keys(text)) and found <= FEW)


def may_create_event(user: Any) -> bool:
    """An event is made by who is an organiser somewhere, or by an account that looks after the installation."""
    return user.is_staff or Membership.objects.filter(user=user, role=ORGANISER).exists()


def held_at(user: Any, event: str) -> list[Membership]:
    """The account's roles in effect at one event, in one query; none: it has nothing to do with it.

    Each with its `event`, `has_final`, and `initial`: whether its password was given to it.
    """
    final = Stage.objects.filter(event=OuterRef("event"), kind=StageKind.FINAL)
    given = InitialPassword.objects.filter(user=OuterRef("user"))
    mine = Membership.objects.filter(user=user, event__slug=event).select_related("event")
    return list(mine.annotate(has_final=Exists(final), initial=Exists(given)))


View = Callable[..., HttpResponse]


def for_act(act: str) -> Callable[[View], View]:
    """Open a page of one event to those who may do `act`; sets `event`, `roles` and `has_final` of the request.

    Nobody signed in: to the sign-in page. No role at the event, or no such event: the same 404. A role without the
    right: 403. A password that somebody else knows: to the page where its owner makes an own one.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, event: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return not_acted(redirect_to_login(request.get_full_path()))
            held = held_at(request.user, event)
            if not held:
                raise Http404
            if held[0].initial:
                return not_acted(redirect("own_password"))
            request.event, request.has_final = held[0].event, held[0].has_final
            request.roles = frozenset(membership.role for membership in held)
            require(request.roles, act)
            return view(request, *args, **kwargs)

        guarded.act = act
        return guarded

    return decorate
