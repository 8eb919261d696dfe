"""Who may: pages and the API ask here, by the rights of `acts`. A view fetches with its audience in one call."""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, TypedDict, cast

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import Exists, OuterRef, Subquery
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_noop as _
from django_stubs_ext import Annotations

from tournament.core.acts.rights import RIGHTS
from tournament.core.enums import Role, StageKind
from tournament.core.errors import Forbidden
from tournament.core.form_keys import mark_not_acted
from tournament.core.models.event import Event, InitialPassword, Membership
from tournament.core.models.stage import Stage
from tournament.core.names import search_keys

PAGE_CONTACT_ROLES = frozenset({Role.ORGANISER, Role.CLERK})

# As many as a search finds and a person reads. A list of more takes personal data out.
MAX_FOUND_WITH_FAMILY = 20

OWN_PASSWORD_FIRST = _("This password was given to you. Change it on the page of your own password first.")


def is_act_allowed(roles: frozenset[str], act: str) -> bool:
    """Whether an account with these roles at the event may do this act."""
    return bool(RIGHTS[act] & roles)


def require_act(roles: frozenset[str], act: str) -> None:
    """Refuse with a sentence that says who may."""
    if not is_act_allowed(roles, act):
        raise Forbidden("not_your_role", _("Your account has no right to do this at this event. Ask an organiser."))


def sees_school_and_family(roles: frozenset[str], *, text: str, found: int) -> bool:
    """Whether a list of entrants tells them: to who may take out personal data in bulk; else only where a text was
    searched for that finds few."""
    return is_act_allowed(roles, "export_people") or (bool(search_keys(text)) and found <= MAX_FOUND_WITH_FAMILY)


def may_create_event(user: Any) -> bool:
    """An event is made by who is an organiser somewhere, or by an account that looks after the installation."""
    return user.is_staff or Membership.objects.filter(user=user, role=Role.ORGANISER).exists()


class MembershipFacts(TypedDict):
    """What `memberships_in_effect` reads with each role; no name where no such stage is set up."""

    has_final: bool
    has_between: bool
    initial: bool
    first_stage: str | None
    last_stage: str | None


def memberships_in_effect(user: User, event: str) -> list[Annotated[Membership, Annotations[MembershipFacts]]]:
    """The account's roles in effect at one event, in one query; none: it has nothing to do with it.

    Each with its `event`, `has_final`, `has_between` (a stage between first and last), the names of its first and last
    stage, and `initial`: whether its password was given to it.
    """
    stages = Stage.objects.filter(event=OuterRef("event"))
    first, last = (stages.filter(**asked).values("kind")[:1] for asked in ({"order": 1}, {"qualifying": ""}))
    given = InitialPassword.objects.filter(user=OuterRef("user"))
    mine = Membership.objects.filter(user=user, event__slug=event).select_related("event")
    final = Exists(stages.filter(order__gt=1, qualifying=""))
    between = Exists(stages.filter(order__gt=1).exclude(qualifying=""))

    found = mine.annotate(
        has_final=final,
        has_between=between,
        initial=Exists(given),
        first_stage=Subquery(first),
        last_stage=Subquery(last),
    )
    return list(found)


class SignedInRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


class EventRequest(SignedInRequest):
    """A request that `for_act` let in: of an account with a role at the event. `stage`: of a page of a stage; None
    where it is the last and not set up yet."""

    event: Event
    roles: frozenset[str]
    has_final: bool
    has_between: bool
    first_stage: str
    last_stage: str
    stage: Stage | None


EventView = Callable[Concatenate[EventRequest, ...], HttpResponseBase]


def stage_asked(event: Event, kind: str, last: str) -> Stage | None:
    """The stage of this name; 404 where there is none, but for the last, which may still be set up."""
    stage = Stage.objects.filter(event=event, kind=kind).first()
    if stage is None and kind != last:
        raise Http404
    if stage is not None:
        stage.event = event
    return stage


def for_act(act: str) -> Callable[[EventView], Callable[..., HttpResponseBase]]:
    """Open a page of one event to those who may do `act`; sets `event`, `roles`, `has_final` and `has_between` of the
    request, of a page of a stage also `stage`: None for a last one that is not set up yet.

    Nobody signed in: to the sign-in page. No role at the event, or no such event: the same 404. A role without the
    right: 403. A password that somebody else knows: to the page where its owner makes an own one.
    """

    def decorate(view: EventView) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, event: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return mark_not_acted(redirect_to_login(request.get_full_path()))
            held = memberships_in_effect(request.user, event)
            if not held:
                raise Http404
            if held[0].initial:
                return mark_not_acted(redirect("own_password"))
            opened = cast(EventRequest, request)
            opened.event, opened.has_final = held[0].event, held[0].has_final
            opened.has_between = held[0].has_between
            opened.first_stage = held[0].first_stage or StageKind.PRELIMINARY.value
            opened.last_stage = held[0].last_stage or StageKind.FINAL.value
            opened.roles = frozenset(membership.role for membership in held)
            require_act(opened.roles, act)
            if "stage" in kwargs:
                opened.stage = stage_asked(opened.event, kwargs.pop("stage"), opened.last_stage)
            return view(opened, *args, **kwargs)

        # A decorator around it takes it over with the rest of `__dict__`.
        vars(guarded)["act"] = act
        return guarded

    return decorate


def sees_contacts(request: EventRequest) -> bool:
    """Phone, e-mail and date of birth are for those who write to people and check documents."""
    return bool(request.roles & PAGE_CONTACT_ROLES)
