"""The places of the next stage: who holds one, what they answered, who is called next, and when nobody is left."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.final_places import HELD_AS_RESERVE
from tournament.core.enums import Answer, DecisionOf
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.entrants.queries.finalists import next_stage
from tournament.finalists.domain.release_places import LivePlaces, live_places
from tournament.finalists.forms.release_places import AnswersUntilForm, PlaceAnswerForm
from tournament.finalists.services import release_places as service
from tournament.finalists.services import release_ties as service_ties
from tournament.messages.forms import add_refusal
from tournament.ranking.queries.standings import EntrantRow
from tournament.releases.models import PlaceAnswer
from tournament.stages.forms.qualification import TieDecisionForm, entrant_numbers_in_text
from tournament.stages.services.decisions import decide_tie
from tournament.stages.views.qualification import field_of, open_lots_context, redirect_after_tie_decision

RESERVES_SHOWN_WITH_PLACES = 10


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One line of the page: the entrant, the rank as released, whether called as a reserve, the newest answer."""

    entrant: EntrantRow
    rank: int
    tied: bool
    called: bool
    answer: PlaceAnswer | None

    @property
    def seen(self) -> int:
        """What a form says that its maker saw."""
        return self.answer.pk if self.answer else 0


@require_safe
@for_act("see_release")
def place_list(request: EventRequest) -> HttpResponse:
    """All places with their answers."""
    return render_places(request, stage_of(request))


@require_POST
@for_act("record_answer")
def record_answer_view(request: EventRequest, number: int) -> HttpResponse:
    """Record what a finalist answered; a refusal is said on the page and keeps the reason."""
    stage = stage_of(request)
    get_object_or_404(request.event.entrants.all(), number=number)
    form = PlaceAnswerForm(request.POST)
    if not form.is_valid():
        return render_places(request, stage, refused=_("Choose accepted or declined."), number=number, status=400)
    try:
        service.record_place_answer(stage, number=number, by=request.user, **form.cleaned_data)
    except Refused as refused:
        reason = form.cleaned_data["reason"]
        return render_places(request, stage, refused=str(refused), number=number, reason=reason, status=refused.status)
    messages.success(request, _("The answer is recorded."))
    return redirect(f"{reverse('places', args=[request.event.slug, stage.kind])}#n{number:04d}")


@require_POST
@for_act("decide_tie")
def decide_reserve_tie_view(request: EventRequest) -> HttpResponse:
    """Record the chief judge's order of a shared reserve place; a refusal keeps what was typed."""
    stage = stage_of(request)
    form = decision_form(live_places(stage), request.POST) or TieDecisionForm([], 0, None, request.POST)
    status = 400
    if form.is_valid():
        try:
            made = decide_tie(stage, of=DecisionOf.RESERVE, by=request.user, **form.decision())
        except Refused as refused:
            add_refusal(form, refused, field_of(refused))
            status = refused.status
        else:
            return redirect_after_tie_decision(request, made, "places")
    return render_places(request, stage, decision=form, status=status)


def decision_form(live: LivePlaces, *given: QueryDict) -> TieDecisionForm | None:
    """The form for the sharers who block the call, or for the newest decision while it holds; None for neither."""
    undecided = live.places.undecided
    if undecided:
        return TieDecisionForm([live.entrants[id] for id in undecided.ids], undecided.places, None, *given)
    newest = next(iter(live.decisions), None)
    if newest and service_ties.is_reserve_decision_valid(live, newest):
        tie = [row for id, row in live.entrants.items() if id in newest.tied]
        return TieDecisionForm(tie, newest.places, newest, *given)
    return None


def tied_ids(form: TieDecisionForm | None) -> str:
    """Those a form is about, as an address names them; nothing without one."""
    numbers = entrant_numbers_in_text(str(form["tied"].value() or "")) if form else []
    return " ".join(entrant_number_text(number) for number in sorted(numbers))


@require_POST
@for_act("record_answer")
def set_answers_until_view(request: EventRequest) -> HttpResponse:
    """Set the last moment for answers."""
    stage = stage_of(request)
    form = AnswersUntilForm(request.POST)
    if form.is_valid():
        try:
            service.set_answers_until(stage, by=request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
            return render_places(request, stage, form=form, status=refused.status)
        messages.success(request, _("The last moment for answers is set."))
        return redirect("places", request.event.slug, stage.kind)
    return render_places(request, stage, form=form, status=400)


def render_places(
    request: EventRequest,
    stage: Stage,
    *,
    form: AnswersUntilForm | None = None,
    decision: TieDecisionForm | None = None,
    refused: str = "",
    number: int = 0,
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page, with what was refused for one entrant."""
    live = live_places(stage)
    lines = {f"{line['number']:04d}": line for line in live.release.content["ranking"]} if live.release else {}
    holders = [
        build_place_line(live, lines, holder.id, called=holder.by == HELD_AS_RESERVE) for holder in live.places.holders
    ]
    given_up = [build_place_line(live, lines, id) for id in live.places.given_up if id in lines]
    waiting = [build_place_line(live, lines, id) for id in live.places.waiting]
    undecided = [build_place_line(live, lines, id) for id in live.places.undecided.ids] if live.places.undecided else []
    until, final = timezone.localtime(stage.answers_until) if stage.answers_until else None, next_stage(stage)
    context = {
        "stage": "release",
        "live": live,
        "holders": holders,
        "accepted": sum(one.answer is not None for one in holders),
        "given_up": given_up,
        "next": waiting[:RESERVES_SHOWN_WITH_PLACES],
        "more": max(len(waiting) - RESERVES_SHOWN_WITH_PLACES, 0),
        "undecided": undecided,
        "decision_form": decision or decision_form(live),
        "aside": open_lots_context(stage, DecisionOf.RESERVE),
        "decision_tied": tied_ids(decision or decision_form(live)),
        "decision_open": bool(undecided or decision),
        "may_decide": is_act_allowed(request.roles, "decide_tie"),
        "until": until,
        "closed": until is not None and timezone.now() >= until,
        "following": final.kind if final else request.last_stage,
        "frozen": final is not None and final.frozen_at is not None,
        "form": form or AnswersUntilForm(initial={"until": until, "seen": stage.answers_until}),
        "may_record": is_act_allowed(request.roles, "record_answer"),
        "refused": refused,
        "refused_number": number,
        "reason": reason,
        "accept": Answer.ACCEPTED.value,
        "decline": Answer.DECLINED.value,
    }
    return render(request, "publication/places.html", context, status=status)


def build_place_line(live: LivePlaces, lines: dict[str, dict[str, int]], id: str, *, called: bool = False) -> PlaceLine:
    """One entrant of the release with the newest answer."""
    line = lines[id]
    return PlaceLine(live.entrants[id], line["rank"], bool(line["tied"]), called, live.answers.get(id))


def stage_of(request: EventRequest) -> Stage:
    """The stage whose places are answered: one from which somebody advances."""
    if request.stage is None or request.stage.is_last:
        raise Http404
    return request.stage


urlpatterns = [
    path("<slug:stage>/places/", place_list, name="places"),
    path("<slug:stage>/places/decide/", decide_reserve_tie_view, name="decide_reserve_tie"),
    path("<slug:stage>/places/until/", set_answers_until_view, name="set_answers_until"),
    path("<slug:stage>/places/<int:number>/answer/", record_answer_view, name="record_answer"),
]
