"""The podium of the final: who stands on it, who contests a place, and the chief judge's decision (R39)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from scoring.podium import Contest
from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.standings import RankedEntrant
from tournament.enums import ContestOf
from tournament.errors import BadInput, Refused
from tournament.forms.decisions import naming
from tournament.forms.podium import ContestForm, tied_in
from tournament.forms.published_text import add_refusal
from tournament.models import ContestDecision, Proposal, Stage
from tournament.permissions import allowed, for_act, require
from tournament.queries.finalists import final_of
from tournament.queries.standings import session_counts, sheet_counts
from tournament.services.podium import contest_changed, decide_contest
from tournament.views.qualification import aside_of, told_of
from tournament.views.standings_final import Rounds


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the podium: the place, also where several contest it (`2–3`), and who."""

    place: str
    entrant: RankedEntrant
    decided: bool
    contested: bool


@dataclass
class Part:
    """A contest with its form, or the decision in force about it with the form that replaces it."""

    contest: Contest
    decision: ContestDecision | None
    form: ContestForm

    @property
    def tied(self) -> str:
        """Those it is about, as an address names them."""
        return naming(self.contest.ids)

    @property
    def places(self) -> str:
        """The places it is about: 1, 2–3."""
        return span(self.contest)


@dataclass
class Decisions:
    """The contests of a page with their forms; `sent` is the form that came back, `lost` one about no contest now."""

    parts: list[Part]
    sent: ContestForm | None = None
    lost: str = ""
    typed: str = ""
    status: int = 200
    made: ContestDecision | Proposal | None = None


def span(contest: Contest) -> str:
    """The places of the podium that are contested."""
    last = contest.place + contest.places - 1
    return f"{contest.place}" if last == contest.place else f"{contest.place}–{last}"


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def podium(request: HttpRequest) -> HttpResponse:
    """Places 1 to 3; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = final_of(request.event)
    if stage is None:
        return redirect("final", request.event.slug)
    live = live_podium(stage)
    labels = {id: f"{id} {one.name_zh or one.name_en}" for id, one in live.entrants.items()}
    decisions = decided(request, stage, live, ContestOf.PODIUM, labels)
    if decisions.made is not None:
        return told_of(request, decisions.made, "podium")
    context = {
        **shared(request, stage, live, decisions),
        "of_award": False,
        "rows": rows_of(live),
        "by_average": "average" in live.ranking.ruleset.order,
        "place": live.podium,
    }
    return render(request, "podium/podium.html", context, status=decisions.status)


def shared(request: HttpRequest, stage: Stage, live: LivePodium, decisions: Decisions) -> dict[str, Any]:
    """What the pages of podium and award have in common."""
    of = ContestOf.AWARD if request.resolver_match.url_name == "award" else ContestOf.PODIUM
    return {
        "stage": "podium",
        "of": stage,
        "of_equals": str(of),
        "aside": aside_of(stage, of),
        "live": live.ranking,
        "is_over": live.is_over,
        "is_settled": live.is_settled,
        "rounds": Rounds(stage.rounds, tuple(session_counts(stage))),
        "sheets": sheet_counts(stage),
        "decisions": decisions,
        "lapsed": [one for one in live.lapsed if one.of == of],
        "may_decide": allowed(request.roles, "decide_tie") and live.is_over,
        "standings_url": reverse("final_standings", args=[request.event.slug]),
    }


def rows_of(live: LivePodium) -> list[Row]:
    """Holders and those who contest a place, best first."""
    entrants = live.entrants
    held = [(one.place, Row(f"{one.place}", entrants[one.id], one.decided, False)) for one in live.podium.holders]
    contested = [
        (contest.place, Row(span(contest), entrants[id], False, True))
        for contest in live.podium.contests
        for id in contest.ids
    ]
    return [row for _place, row in sorted([*held, *contested], key=lambda one: (one[0], one[1].entrant.number))]


def decided(request: HttpRequest, stage: Stage, live: LivePodium, of: str, labels: Mapping[str, str]) -> Decisions:
    """The contests to show; `made` is what a decision that was sent has become."""
    found = Decisions([Part(one, None, ContestForm(one, None, labels)) for one in live.place_of(of).contests])
    for decision in reversed(live.decided(of)):
        contest, _standing = live.contest(of, decision.tied)
        if contest is not None:
            found.parts.append(Part(contest, decision, ContestForm(contest, decision, labels)))
    if request.method != "POST":
        return found
    require(request.roles, "decide_tie")
    part = part_of(found.parts, tied_in(request.POST.get("tied", "")))
    if part is None:
        refused = contest_changed(stage, live)
        found.lost, found.typed, found.status = str(refused), request.POST.get("reason", ""), refused.status
        return found
    found.sent = part.form = form_sent(part, labels, request.POST)
    found.status = 400
    if part.form.is_valid():
        try:
            found.made = decide_contest(stage, of=of, by=request.user, **part.form.decision())
        except Refused as refused:
            add_refusal(part.form, refused, FIELDS.get(refused.code) if isinstance(refused, BadInput) else None)
            found.status = refused.status
        else:
            found.status = 302
    return found


def part_of(parts: Sequence[Part], tied: Sequence[str]) -> Part | None:
    """The contest between exactly these."""
    return next((part for part in parts if set(part.contest.ids) == set(tied)), None)


def form_sent(part: Part, labels: Mapping[str, str], given: QueryDict) -> ContestForm:
    """The form as it came."""
    return ContestForm(part.contest, part.decision, labels, given)


FIELDS = {
    "wrong_method": "method",
    "value_missing": "value",
    "value_unreadable": "value",
    "witnesses_missing": "witnesses",
    "reason_missing": "reason",
}

urlpatterns = [path("final/podium/", podium, name="podium")]
