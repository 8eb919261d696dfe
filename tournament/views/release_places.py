"""The places of the next stage: who holds one, what they answered, who is called next, and when nobody is left."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.places import CALLED
from tournament.bridge.release_places import LivePlaces, live_places
from tournament.enums import Answer, DecisionOf, StageKind
from tournament.errors import Refused
from tournament.forms.published_text import add_refusal
from tournament.forms.qualification import DecisionForm, numbers_in
from tournament.forms.release_places import AnswerForm, AnswersUntilForm
from tournament.models import PlaceAnswer, Stage
from tournament.permissions import allowed, for_act
from tournament.quantities import entrant_number_text
from tournament.queries.finalists import final_of
from tournament.queries.standings import EntrantRow
from tournament.services import release_places as service
from tournament.services import release_ties as service_ties
from tournament.views.qualification import aside_of, field_of, told_of

NEXT_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Place:
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
def places(request: HttpRequest) -> HttpResponse:
    """All places with their answers."""
    return page(request, preliminary_of(request))


@require_POST
@for_act("record_answer")
def record_answer(request: HttpRequest, number: int) -> HttpResponse:
    """Record what a finalist answered; a refusal is said on the page and keeps the reason."""
    stage = preliminary_of(request)
    get_object_or_404(request.event.entrants.all(), number=number)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return page(request, stage, refused=_("Choose accepted or declined."), number=number, status=400)
    try:
        service.record_answer(stage, number=number, by=request.user, **form.cleaned_data)
    except Refused as refused:
        reason = form.cleaned_data["reason"]
        return page(request, stage, refused=str(refused), number=number, reason=reason, status=refused.status)
    messages.success(request, _("The answer is recorded."))
    return redirect(f"{reverse('places', args=[request.event.slug])}#n{number:04d}")


@require_POST
@for_act("decide_tie")
def decide_reserve_tie(request: HttpRequest) -> HttpResponse:
    """Record the chief judge's order of a shared reserve place; a refusal keeps what was typed."""
    stage = preliminary_of(request)
    form = decision_form(live_places(stage), request.POST) or DecisionForm([], 0, None, request.POST)
    status = 400
    if form.is_valid():
        try:
            made = service_ties.decide_reserve_tie(stage, by=request.user, **form.decision())
        except Refused as refused:
            add_refusal(form, refused, field_of(refused))
            status = refused.status
        else:
            return told_of(request, made, "places")
    return page(request, stage, decision=form, status=status)


def decision_form(live: LivePlaces, *given: QueryDict) -> DecisionForm | None:
    """The form for the sharers who block the call, or for the newest decision while it holds; None for neither."""
    undecided = live.places.undecided
    if undecided:
        return DecisionForm([live.entrants[id] for id in undecided.ids], undecided.places, None, *given)
    newest = next(iter(live.decisions), None)
    if newest and service_ties.holds(live, newest):
        tie = [row for row in live.entrants.values() if row.number in newest.tied]
        return DecisionForm(tie, newest.places, newest, *given)
    return None


def tied_ids(form: DecisionForm | None) -> str:
    """Those a form is about, as an address names them; nothing without one."""
    numbers = numbers_in(str(form["tied"].value() or "")) if form else []
    return " ".join(entrant_number_text(number) for number in sorted(numbers))


@require_POST
@for_act("record_answer")
def set_answers_until(request: HttpRequest) -> HttpResponse:
    """Set the last moment for answers."""
    stage = preliminary_of(request)
    form = AnswersUntilForm(request.POST)
    if form.is_valid():
        try:
            service.set_answers_until(stage, by=request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
            return page(request, stage, form=form, status=refused.status)
        messages.success(request, _("The last moment for answers is set."))
        return redirect("places", request.event.slug)
    return page(request, stage, form=form, status=400)


def page(
    request: HttpRequest,
    stage: Stage,
    *,
    form: AnswersUntilForm | None = None,
    decision: DecisionForm | None = None,
    refused: str = "",
    number: int = 0,
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page, with what was refused for one entrant."""
    live = live_places(stage)
    lines = {f"{line['number']:04d}": line for line in live.release.content["ranking"]} if live.release else {}
    holders = [place_of(live, lines, holder.id, called=holder.by == CALLED) for holder in live.places.holders]
    given_up = [place_of(live, lines, id) for id in live.places.given_up if id in lines]
    waiting = [place_of(live, lines, id) for id in live.places.waiting]
    undecided = [place_of(live, lines, id) for id in live.places.undecided.ids] if live.places.undecided else []
    until, final = timezone.localtime(stage.answers_until) if stage.answers_until else None, final_of(stage.event)
    context = {
        "stage": "release",
        "live": live,
        "holders": holders,
        "accepted": sum(one.answer is not None for one in holders),
        "given_up": given_up,
        "next": waiting[:NEXT_SHOWN],
        "more": max(len(waiting) - NEXT_SHOWN, 0),
        "undecided": undecided,
        "decision_form": decision or decision_form(live),
        "aside": aside_of(stage, DecisionOf.RESERVE),
        "decision_tied": tied_ids(decision or decision_form(live)),
        "decision_open": bool(undecided or decision),
        "may_decide": allowed(request.roles, "decide_tie"),
        "until": until,
        "closed": until is not None and timezone.now() >= until,
        "frozen": final is not None and final.frozen_at is not None,
        "form": form or AnswersUntilForm(initial={"until": until, "seen": stage.answers_until}),
        "may_record": allowed(request.roles, "record_answer"),
        "refused": refused,
        "refused_number": number,
        "reason": reason,
        "accept": Answer.ACCEPTED.value,
        "decline": Answer.DECLINED.value,
    }
    return render(request, "release/places.html", context, status=status)


def place_of(live: LivePlaces, lines: dict[str, dict[str, int]], id: str, *, called: bool = False) -> Place:
    """One entrant of the release with the newest answer."""
    line = lines[id]
    return Place(live.entrants[id], line["rank"], bool(line["tied"]), called, live.answers.get(id))


def preliminary_of(request: HttpRequest) -> Stage:
    """The stage whose places are answered."""
    return get_object_or_404(request.event.stages.all(), kind=StageKind.PRELIMINARY)


urlpatterns = [
    path("places/", places, name="places"),
    path("places/decide/", decide_reserve_tie, name="decide_reserve_tie"),
    path("places/until/", set_answers_until, name="set_answers_until"),
    path("places/<int:number>/answer/", record_answer, name="record_answer"),
]
