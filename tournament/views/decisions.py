"""Decisions between equals that have a page of their own: a play-off, a draw announced, the second person's yes."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from tournament.bridge.podium import live_podium
from tournament.bridge.qualification import live_cut
from tournament.bridge.release_places import live_places
from tournament.bridge.standings import entrant_id
from tournament.enums import ContestOf, DecisionOf, StageKind, TieMethod
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.form_keys import not_acted
from tournament.forms.decisions import ENDINGS, LotsForm, PlayOffTyped, PlayOffWordsForm, ids_named, naming
from tournament.forms.published_text import add_refusal
from tournament.models import Proposal, Stage
from tournament.permissions import allowed, for_act, require
from tournament.queries.lots import announced_lots, decisions_about
from tournament.services import decisions, podium, qualification, release_ties
from tournament.services.play_off import PlayOffCheck
from tournament.views import proposals

PAGES = {
    DecisionOf.LINE: "qualification",
    DecisionOf.RESERVE: "places",
    DecisionOf.PODIUM: "podium",
    DecisionOf.AWARD: "award",
}


@dataclass(frozen=True)
class Equals:
    """Those a page is about, as they stand now; `labels` by id, `people` who may play for them."""

    stage: Stage
    of: str
    ids: tuple[str, ...]
    places: int
    standing: int | None
    labels: dict[str, str]
    people: tuple[tuple[int, str], ...]

    @property
    def tied(self) -> list[Any]:
        """As the service takes them."""
        return [int(id) for id in self.ids] if self.of in (DecisionOf.LINE, DecisionOf.RESERVE) else list(self.ids)


def equals_of(request: HttpRequest, of: str, ids: list[str]) -> Equals | None:
    """Exactly these, where they are equals for whom something may be decided; None where they are not."""
    kind = StageKind.PRELIMINARY if of in (DecisionOf.LINE, DecisionOf.RESERVE) else StageKind.FINAL
    stage = get_object_or_404(Stage.objects.select_related("event"), event=request.event, kind=kind)
    try:
        if of == DecisionOf.LINE:
            return of_the_line(stage, ids)
        return of_a_reserve_place(stage, ids) if of == DecisionOf.RESERVE else of_the_final(stage, of, ids)
    except StaleVersion:
        return None


def of_the_line(stage: Stage, ids: list[str]) -> Equals | None:
    """Those tied across the line."""
    cut = live_cut(stage)
    labels = {entrant_id(one.number): one.name_zh or one.name_en for one in cut.tie}
    if not labels or set(labels) != set(ids):
        return None
    standing = cut.decision.pk if cut.decision else None
    return Equals(stage, DecisionOf.LINE, tuple(sorted(labels)), cut.tie_places, standing, labels, people_in(labels))


def of_a_reserve_place(stage: Stage, ids: list[str]) -> Equals | None:
    """The sharers of a reserve place who wait, or who were ordered by the newest decision."""
    live = live_places(stage)
    newest = next(iter(live.decisions), None)
    waiting = live.places.undecided
    if waiting and set(waiting.ids) == set(ids):
        places, standing = waiting.places, None
    elif newest and release_ties.holds(live, newest) and {entrant_id(one) for one in newest.tied} == set(ids):
        places, standing = newest.places, newest.pk
    else:
        return None
    labels = {id: live.entrants[id].name_zh or live.entrants[id].name_en for id in ids}
    return Equals(stage, DecisionOf.RESERVE, tuple(sorted(labels)), places, standing, labels, people_in(labels))


def of_the_final(stage: Stage, of: str, ids: list[str]) -> Equals | None:
    """Those who contest a place of the podium, or families level for the award."""
    live = live_podium(stage)
    contest, standing = live.contest(of, ids)
    if contest is None:
        return None
    entrants = live.entrants
    if of == ContestOf.AWARD:
        labels = {id: " ".join(entrant_id(one.number) for one in live.families[id].members) for id in contest.ids}
        people = tuple((one.number, one.name_zh or one.name_en) for one in podium.players_of(live, of, contest.ids))
    else:
        labels = {id: entrants[id].name_zh or entrants[id].name_en for id in contest.ids}
        people = people_in(labels)
    return Equals(stage, of, contest.ids, contest.places, standing.pk if standing else None, labels, people)


def people_in(labels: dict[str, str]) -> tuple[tuple[int, str], ...]:
    """Entrants by number, each with a name."""
    return tuple((int(id), name) for id, name in sorted(labels.items()))


def shown(request: HttpRequest, of: str) -> tuple[Equals | None, HttpResponse]:
    """The equals that the address names; else the way back, with why."""
    if of not in DecisionOf.values:
        raise Http404
    named = (request.POST or request.GET).get("tied", "") or request.GET.get("tied", "")
    equals = equals_of(request, of, ids_named(named))
    back = redirect(PAGES[DecisionOf(of)], request.event.slug)
    if equals is None:
        messages.error(request, _("Those who are level have changed: look again before you decide."))
        not_acted(back)
    return equals, back


def context_of(equals: Equals, **more: Any) -> dict[str, Any]:
    """What both pages show of them."""
    back = reverse(PAGES[DecisionOf(equals.of)], args=[equals.stage.event.slug])
    again = decisions_about(equals.stage, equals.of, equals.ids)
    return {
        "stage": "podium" if equals.stage.kind == StageKind.FINAL else "qualification",
        "equals": equals,
        "named": sorted(equals.labels.items()),
        "tied": naming(equals.ids),
        "back": back,
        "decided_before": bool(again),
        **more,
    }


# --- A play-off -----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_tie")
def play_off(request: HttpRequest, of: str) -> HttpResponse:
    """The games as they stand on the papers; sent, they wait for who compares them."""
    equals, back = shown(request, of)
    if equals is None:
        return back
    typed, form, status = PlayOffTyped(equals.people), PlayOffWordsForm(initial={"replaces": equals.standing}), 200
    if request.method == "POST":
        typed, form = PlayOffTyped.sent(equals.people, request.POST), PlayOffWordsForm(request.POST)
        if request.POST.get("do") == "more":
            form = PlayOffWordsForm(initial=request.POST.dict())
        else:
            made, status = send_play_off(request, equals, typed, form)
            if made is not None:
                return after(request, equals, made)
    facts = {"form": form, "games": typed.grid(), "count": typed.count, "people": equals.people, "endings": ENDINGS}
    return render(request, "decisions/play_off.html", context_of(equals, **facts), status=status)


def send_play_off(request: HttpRequest, equals: Equals, typed: PlayOffTyped, form: PlayOffWordsForm) -> tuple[Any, int]:
    """What was made of it; a refusal is shown in the form and at the cells."""
    if not form.is_valid():
        return None, 400
    given = form.cleaned_data
    ids = form.ids()
    order = [int(id) for id in ids if id.isdecimal()] if equals.people == people_in(equals.labels) else ids
    if equals.stage.kind == StageKind.FINAL:
        order = [id.zfill(4) if id.isdecimal() else id for id in ids]
    facts = {"tied": equals.tied, "places": equals.places, "method": TieMethod.PLAY_OFF, "order": order}
    facts |= {"games": typed.games(), "reason": given["reason"], "replaces": given["replaces"]}
    try:
        return decide(equals, by=request.user, **facts, words_confirmed=given["words_confirmed"]), 302
    except Refused as refused:
        if isinstance(refused.about, PlayOffCheck):
            typed.mark(refused.about)
        add_refusal(form, refused, {"reason_missing": "reason", "play_off_uneven": "order"}.get(refused.code))
        return None, refused.status


def decide(equals: Equals, **given: Any) -> Any:
    """By the service of these equals."""
    if equals.of == DecisionOf.LINE:
        return qualification.decide_tie(equals.stage, **given)
    if equals.of == DecisionOf.RESERVE:
        return release_ties.decide_reserve_tie(equals.stage, **given)
    return podium.decide_contest(equals.stage, of=equals.of, **given)


def after(request: HttpRequest, equals: Equals, made: Any) -> HttpResponse:
    """To what waits for a second person, or back."""
    if isinstance(made, Proposal):
        messages.success(request, _("It waits for a second person. Nothing counts before they have agreed."))
        return redirect("decision_proposal", request.event.slug, made.pk)
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect(PAGES[DecisionOf(equals.of)], request.event.slug)


# --- Lots -----------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_tie")
def lots(request: HttpRequest, of: str) -> HttpResponse:
    """Announce which public figure will be taken, before anybody knows it."""
    equals, back = shown(request, of)
    if equals is None:
        return back
    form, status = LotsForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = announce(equals, by=request.user, **form.cleaned_data)
            except Refused as refused:
                add_refusal(form, refused, LOTS_FIELDS.get(refused.code))
                status = refused.status
            else:
                return announced(request, equals, made)
    waiting = announced_lots(equals.stage, equals.of, equals.ids)
    return render(request, "decisions/lots.html", context_of(equals, form=form, waiting=waiting), status=status)


LOTS_FIELDS = {"public_value_missing": "public_value", "value_known_already": "known_from", "reason_missing": "reason"}


def announce(equals: Equals, **given: Any) -> Any:
    """By the service of these equals."""
    facts = {"tied": equals.tied, "places": equals.places, **given}
    if equals.of == DecisionOf.LINE:
        return qualification.announce_line_lots(equals.stage, **facts)
    if equals.of == DecisionOf.RESERVE:
        return release_ties.announce_reserve_lots(equals.stage, **facts)
    return podium.announce_contest_lots(equals.stage, of=equals.of, **facts)


def announced(request: HttpRequest, equals: Equals, made: Any) -> HttpResponse:
    """To what waits for a second person, or back to where the figure will be written in."""
    if isinstance(made, Proposal):
        return after(request, equals, made)
    messages.success(request, _("The draw is announced and stands in the log. Write the figure in once it is out."))
    return redirect(PAGES[DecisionOf(equals.of)], request.event.slug)


# --- The second person ----------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_proposals")
def decision_proposal(request: HttpRequest, decision: int) -> HttpResponse:
    """What is proposed, with what it would give; a POST is the second person's yes."""
    refusal: Refused | None = None
    if request.method == "POST":
        answer = agree(request, decision)
        if isinstance(answer, HttpResponse):
            return answer
        refusal = answer
    found = Proposal.objects.filter(event=request.event, pk=decision, act__in=decisions.PROPOSED).first()
    if found is None:
        raise Http404
    if found.outcome and refusal is None:
        return redirect("proposals", request.event.slug)
    context = {
        "stage": "audit",
        "one": found,
        "payload": found.payload,
        "given": found.payload.get("given", {}),
        "method": TieMethod(found.payload["given"]["method"]).label
        if "method" in found.payload.get("given", {})
        else "",
        "known_from": decisions.given_of(found).get("known_from") if found.payload else None,
        "own": found.proposed_by_id == request.user.pk,
        "may_agree": may_agree(request),
        "refusal": refusal,
    }
    return render(request, "decisions/agree.html", context, status=refusal.status if refusal else 200)


def may_agree(request: HttpRequest) -> bool:
    """Whether this account may be the second person."""
    return allowed(request.roles, "agree_decision")


def agree(request: HttpRequest, proposal: int) -> HttpResponse | Refused:
    """The yes, with the figures compared; else why not."""
    require(request.roles, "agree_decision")
    try:
        if request.POST.get("compared") != "on":
            raise BadInput("not_compared", gettext_noop("Compare every figure with the paper, then tick that you did."))
        decisions.agree(request.event, proposal, by=request.user)
    except Refused as refused:
        return refused
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect("proposals", request.event.slug)


def page_of(proposal: Proposal) -> str:
    """Where a proposal about equals is seen and agreed to."""
    return reverse("decision_proposal", args=[proposal.event.slug, proposal.pk])


proposals.PAGES |= dict.fromkeys(decisions.PROPOSED, page_of)

urlpatterns = [
    path("play-off/<slug:of>/", play_off, name="play_off"),
    path("lots/<slug:of>/", lots, name="lots"),
    path("decisions/<int:decision>/", decision_proposal, name="decision_proposal"),
]
