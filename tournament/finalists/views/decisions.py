"""Decisions between equals that have a page of their own: a play-off, a draw announced, the second person's yes."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from tournament.accounts import views
from tournament.accounts.models import Proposal
from tournament.core.enums import DecisionOf, TieMethod
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.form_keys import mark_not_acted
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.events.domain import ruleset_of_stage
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.forms.decisions import PLAY_OFF_GAME_ENDINGS, LotsForm, PlayOffTyped, PlayOffWordsForm
from tournament.finalists.services import release_ties
from tournament.messages.forms import add_refusal
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.ranking.queries.lots import CUTOFF_DECISION_KINDS, announced_lots, decisions_about
from tournament.stages.domain.podium import live_podium
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.forms.ids_in_address import join_ids_for_form, split_ids_of_form
from tournament.stages.services import decisions, podium
from tournament.stages.services.play_off import PlayOffCheck, play_off_rulings

PAGE_OF_DECISION_KIND = {
    DecisionOf.LINE: "qualification",
    DecisionOf.RESERVE: "places",
    DecisionOf.PODIUM: "podium",
    DecisionOf.AWARD: "award",
}


@dataclass(frozen=True)
class TiedEntrants:
    """Those a page is about, as they stand now; `labels` by id, `people` who may play for them."""

    stage: Stage
    of: str
    ids: tuple[str, ...]
    places: int
    standing: int | None
    labels: dict[str, str]
    people: tuple[tuple[int, str], ...]


def find_tied_entrants(request: EventRequest, of: str, ids: list[str]) -> TiedEntrants | None:
    """Exactly these, where they are equals for whom something may be decided; None where they are not."""
    stage = request.stage
    if stage is None or stage.is_last == (of in CUTOFF_DECISION_KINDS):
        raise Http404
    try:
        if of == DecisionOf.LINE:
            return tied_at_cutoff(stage, ids)
        return of_a_reserve_place(stage, ids) if of == DecisionOf.RESERVE else of_the_final(stage, of, ids)
    except StaleVersion:
        return None


def tied_at_cutoff(stage: Stage, ids: list[str]) -> TiedEntrants | None:
    """Those tied across the line."""
    cut = live_qualification(stage)
    labels = {ranking_entrant_id(one.number): one.name_zh or one.name_en for one in cut.tie}
    if not labels or set(labels) != set(ids):
        return None
    standing = cut.decision.pk if cut.decision else None
    return TiedEntrants(
        stage, DecisionOf.LINE, tuple(sorted(labels)), cut.tie_places, standing, labels, numbered_people(labels)
    )


def of_a_reserve_place(stage: Stage, ids: list[str]) -> TiedEntrants | None:
    """The sharers of a reserve place who wait, or who were ordered by the newest decision."""
    live = live_places(stage)
    newest = next(iter(live.decisions), None)
    waiting = live.places.undecided
    if waiting and set(waiting.ids) == set(ids):
        places, standing = waiting.places, None
    elif newest and release_ties.is_reserve_decision_valid(live, newest) and set(newest.tied) == set(ids):
        places, standing = newest.places, newest.pk
    else:
        return None
    labels = {id: live.entrants[id].name_zh or live.entrants[id].name_en for id in ids}
    return TiedEntrants(
        stage, DecisionOf.RESERVE, tuple(sorted(labels)), places, standing, labels, numbered_people(labels)
    )


def of_the_final(stage: Stage, of: str, ids: list[str]) -> TiedEntrants | None:
    """Those who contest a place of the podium, or families level for the award."""
    live = live_podium(stage)
    contest, standing = live.contest(of, ids)
    if contest is None:
        return None
    entrants = live.entrants
    if of == DecisionOf.AWARD:
        labels = {
            id: " ".join(ranking_entrant_id(one.number) for one in live.families[id].members) for id in contest.ids
        }
        people = tuple((one.number, one.name_zh or one.name_en) for one in podium.players_of(live, of, contest.ids))
    else:
        labels = {id: entrants[id].name_zh or entrants[id].name_en for id in contest.ids}
        people = numbered_people(labels)
    return TiedEntrants(stage, of, contest.ids, contest.places, standing.pk if standing else None, labels, people)


def numbered_people(labels: dict[str, str]) -> tuple[tuple[int, str], ...]:
    """Entrants by number, each with a name."""
    return tuple((int(id), name) for id, name in sorted(labels.items()))


def tied_or_redirect(request: EventRequest, of: str) -> tuple[TiedEntrants | None, HttpResponse]:
    """The equals that the address names; else the way back, with why."""
    if of not in DecisionOf.values:
        raise Http404
    named = (request.POST or request.GET).get("tied", "") or request.GET.get("tied", "")
    equals = find_tied_entrants(request, of, split_ids_of_form(named))
    stage = request.stage.kind if request.stage else request.last_stage
    back = redirect(PAGE_OF_DECISION_KIND[DecisionOf(of)], request.event.slug, stage)
    if equals is None:
        messages.error(request, _("Those who are level have changed: look again before you decide."))
        mark_not_acted(back)
    return equals, back


def tied_entrants_context(equals: TiedEntrants, **more: Any) -> dict[str, Any]:
    """What both pages show of them."""
    back = reverse(PAGE_OF_DECISION_KIND[DecisionOf(equals.of)], args=[equals.stage.event.slug, equals.stage.kind])
    again = decisions_about(equals.stage, equals.of, equals.ids)
    return {
        "stage": "podium" if equals.stage.is_last else "qualification",
        "equals": equals,
        "named": sorted(equals.labels.items()),
        "tied": join_ids_for_form(equals.ids),
        "back": back,
        "decided_before": bool(again),
        **more,
    }


# --- A play-off -----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_tie")
def play_off(request: EventRequest, of: str) -> HttpResponse:
    """The games as they stand on the papers; sent, they wait for who compares them."""
    equals, back = tied_or_redirect(request, of)
    if equals is None:
        return back
    rulings = play_off_rulings(ruleset_of_stage(equals.stage))
    typed, status = PlayOffTyped(equals.people, rulings), 200
    form = PlayOffWordsForm(initial={"replaces": equals.standing})
    if request.method == "POST":
        typed, form = PlayOffTyped.sent(equals.people, rulings, request.POST), PlayOffWordsForm(request.POST)
        if request.POST.get("do") == "more":
            form = PlayOffWordsForm(initial=request.POST.dict())
        else:
            made, status = send_play_off(request, equals, typed, form)
            if made is not None:
                return redirect_after_decision(request, equals, made)
    facts = {
        "form": form,
        "games": typed.grid(),
        "count": typed.count,
        "people": equals.people,
        "endings": PLAY_OFF_GAME_ENDINGS,
        "rulings": typed.rulings,
    }
    return render(request, "stages/decisions/play_off.html", tied_entrants_context(equals, **facts), status=status)


def send_play_off(
    request: EventRequest, equals: TiedEntrants, typed: PlayOffTyped, form: PlayOffWordsForm
) -> tuple[Any, int]:
    """What was made of it; a refusal is shown in the form and at the cells."""
    if not form.is_valid():
        return None, 400
    given = form.cleaned_data
    order = [id.zfill(4) if id.isdecimal() else id for id in form.ids()]
    facts = {"tied": equals.ids, "places": equals.places, "method": TieMethod.PLAY_OFF, "order": order}
    facts |= {"games": typed.games(), **{name: given[name] for name in ("reason", "replaces", "words_confirmed")}}
    try:
        return decisions.decide_tie(equals.stage, of=equals.of, by=request.user, second=None, now=None, **facts), 302
    except Refused as refused:
        if isinstance(refused.about, PlayOffCheck):
            typed.mark(refused.about)
        add_refusal(form, refused, {"reason_missing": "reason", "play_off_uneven": "order"}.get(refused.code))
        return None, refused.status


def redirect_after_decision(request: EventRequest, equals: TiedEntrants, made: Any) -> HttpResponse:
    """To what waits for a second person, or back."""
    if isinstance(made, Proposal):
        messages.success(request, _("It waits for a second person. Nothing counts before they have agreed."))
        return redirect("decision_proposal", request.event.slug, made.pk)
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect(PAGE_OF_DECISION_KIND[DecisionOf(equals.of)], request.event.slug, equals.stage.kind)


# --- Lots -----------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_tie")
def lots_page(request: EventRequest, of: str) -> HttpResponse:
    """Announce which public figure will be taken, before anybody knows it."""
    equals, back = tied_or_redirect(request, of)
    if equals is None:
        return back
    form, status = LotsForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                facts = {"tied": equals.ids, "places": equals.places, **form.cleaned_data}
                made = decisions.announce_tie_lots(equals.stage, of=equals.of, by=request.user, **facts)
            except Refused as refused:
                add_refusal(form, refused, LOTS_FIELDS.get(refused.code))
                status = refused.status
            else:
                return redirect_after_announcement(request, equals, made)
    waiting = announced_lots(equals.stage, equals.of, equals.ids)
    return render(
        request, "stages/decisions/lots.html", tied_entrants_context(equals, form=form, waiting=waiting), status=status
    )


LOTS_FIELDS = {"public_value_missing": "public_value", "value_known_already": "known_from", "reason_missing": "reason"}


def redirect_after_announcement(request: EventRequest, equals: TiedEntrants, made: Any) -> HttpResponse:
    """To what waits for a second person, or back to where the figure will be written in."""
    if isinstance(made, Proposal):
        return redirect_after_decision(request, equals, made)
    messages.success(request, _("The draw is announced and stands in the log. Write the figure in once it is out."))
    return redirect(PAGE_OF_DECISION_KIND[DecisionOf(equals.of)], request.event.slug, equals.stage.kind)


# --- The second person ----------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_proposals")
def decision_proposal(request: EventRequest, decision: int) -> HttpResponse:
    """What is proposed, with what it would give; a POST is the second person's yes."""
    refusal: Refused | None = None
    if request.method == "POST":
        answer = handle_decision_agreement(request, decision)
        if isinstance(answer, HttpResponse):
            return answer
        refusal = answer
    found = Proposal.objects.filter(
        event=request.event, pk=decision, act__in=decisions.PROPOSABLE_DECISION_ACTS
    ).first()
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
        "known_from": decisions.decision_arguments(found).get("known_from") if found.payload else None,
        "own": found.proposed_by_id == request.user.pk,
        "may_agree": may_agree_decision(request),
        "refusal": refusal,
    }
    return render(request, "stages/decisions/agree.html", context, status=refusal.status if refusal else 200)


def may_agree_decision(request: EventRequest) -> bool:
    """Whether this account may be the second person."""
    return is_act_allowed(request.roles, "agree_decision")


def handle_decision_agreement(request: EventRequest, proposal: int) -> HttpResponse | Refused:
    """The yes, with the figures compared; else why not."""
    require_act(request.roles, "agree_decision")
    try:
        if request.POST.get("compared") != "on":
            raise BadInput("not_compared", gettext_noop("Compare every figure with the paper, then tick that you did."))
        decisions.agree_decision(request.event, proposal, by=request.user)
    except Refused as refused:
        return refused
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect("proposals", request.event.slug)


def decision_proposal_url(proposal: Proposal) -> str:
    """Where a proposal about equals is seen and agreed to."""
    return reverse("decision_proposal", args=[proposal.event.slug, proposal.pk])


views.PROPOSAL_URL_OF_ACT |= dict.fromkeys(decisions.PROPOSABLE_DECISION_ACTS, decision_proposal_url)

urlpatterns = [
    path("<slug:stage>/play-off/<slug:of>/", play_off, name="play_off"),
    path("<slug:stage>/lots/<slug:of>/", lots_page, name="lots"),
    path("decisions/<int:decision>/", decision_proposal, name="decision_proposal"),
]
