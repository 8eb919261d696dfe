"""The ranking as it stands: live, for officials, from what is certified; and why somebody stands where they stand."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from scoring import certainty
from tournament.bridge import grounds
from tournament.bridge.standings import LiveRanking, RankedEntrant, UnrankedEntrant, live_ranking
from tournament.bridge.standings_decision import in_force
from tournament.bridge.standings_reasons import Explained, explain, games_in_order, without_rank
from tournament.enums import UNRANKED_BECAUSE, StageKind
from tournament.exports.standings_picture import Picture, Spot, legend
from tournament.exports.standings_words import criterion_words, said_to_officials
from tournament.models import Stage, TieDecision
from tournament.names import is_found
from tournament.permissions import for_act
from tournament.quantities import entrant_number_text
from tournament.queries.standings import games_of_entrant, sheet_counts

STATES = {
    certainty.IN: _("in as it stands"),
    certainty.PROVISIONAL: _("provisional"),
    certainty.OUT: _("out as it stands"),
    certainty.NOT_YET_PLAYED: _("not yet played"),
}
# What may be asked for: certainty of those who may be ranked, the reason of the others.
STATUSES = {**STATES, **{because: word for because, word in UNRANKED_BECAUSE.items() if because != "not_played"}}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list is narrowed to; each empty where nothing is asked."""

    text: str = ""
    session: str = ""
    school: str = ""
    status: str = ""

    @property
    def everything(self) -> bool:
        """Nothing is asked for."""
        return not (self.text or self.session or self.school or self.status)

    def fits(self, entrant: RankedEntrant | UnrankedEntrant, status: str) -> bool:
        """Whether the entrant is among those asked for."""
        if self.session and str(entrant.session) != self.session:
            return False
        if (self.school and entrant.school.strip() != self.school) or (self.status and status != self.status):
            return False
        if self.text.isdigit():
            return entrant_number_text(entrant.number) == self.text.zfill(4)
        return is_found(self.text, entrant.name_zh, entrant.name_en)


@require_safe
@for_act("see_standings")
def standings(request: HttpRequest) -> HttpResponse:
    """All entrants on one page: the ranked with their line, then who has no rank and why."""
    stage = preliminary_of(request)
    live = live_ranking(stage)
    wanted = Wanted(*(request.GET.get(name, "").strip() for name in ("q", "session", "school", "status")))
    states = {number: one.state for number, one in grounds.certain(live).items()}
    ranked = [one for one in live.ranked if wanted.fits(one, states[one.number])]
    unranked = [one for one in live.unranked if wanted.fits(one, states.get(one.number, one.because))]
    everybody = [*live.ranked, *live.unranked]
    counts = Counter(states.values())
    picture = picture_of(live)
    context = {
        "stage": "standings",
        "live": live,
        "wanted": wanted,
        "rows": [(one, states[one.number]) for one in ranked],
        "unranked": unranked,
        "reasons": reasons(live),
        "counts": [(state, counts[state]) for state in STATES if counts[state]],
        "sessions": sorted({one.session for one in everybody}),
        "schools": sorted({one.school.strip() for one in everybody} - {""}),
        "statuses": {status: gettext(word) for status, word in STATUSES.items()},
        "line_after": line_after(live, ranked),
        "by_average": "average" in live.ruleset.order,
        "games": live.ruleset.games,
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug]),
        "picture": picture.svg(),
        "legend": legend(picture, by_average="average" in live.ruleset.order),
    }
    return render(request, "standings/standings.html", context)


@require_safe
@for_act("see_standings")
def standing(request: HttpRequest, number: int) -> HttpResponse:
    """One entrant: the place, how certain it is, what separates it from the neighbours and the line, the games."""
    stage = preliminary_of(request)
    live = live_ranking(stage)
    explained, unranked = explain(live, number), without_rank(live, number)
    if explained is None and unranked is None:
        raise Http404
    picture = picture_of(live)
    called = entrant_number_text(number)
    context = {
        "stage": "standings",
        "live": live,
        "entrant": explained.entrant if explained else unranked,
        "explained": explained,
        "in_final": request.has_final and request.event.entrants.filter(number=number, finalist__isnull=False).exists(),
        "decision": decision_about(live, stage, explained),
        "certainty": explained.certainty if explained else grounds.certain(live).get(number),
        "comparisons": [(one, said_to_officials(one.separation)) for one in explained.comparisons] if explained else [],
        "by_average": "average" in live.ruleset.order,
        "order": [criterion_words(name) for name in live.ruleset.order],
        "games": games_in_order(games_of_entrant(stage, number), live.ruleset.games) if explained else [],
        "divisor": divisor(live, explained),
        "picture": picture.svg(spot(live, explained.entrant, inside=False), called=called) if explained else "",
        "legend": legend(picture, by_average="average" in live.ruleset.order),
        "standings_url": reverse("standings", args=[request.event.slug]),
    }
    return render(request, "standings/standing.html", context)


def preliminary_of(request: HttpRequest) -> Stage:
    """The stage that is ranked."""
    return get_object_or_404(request.event.stages.all(), kind=StageKind.PRELIMINARY)


def decision_about(live: LiveRanking, stage: Stage, explained: Explained | None) -> TieDecision | None:
    """The decision in force, for one of those whom it is about."""
    if explained is None or not explained.in_tie:
        return None
    return in_force(stage.tie_decisions.order_by("-at", "-id"), live.line)


def divisor(live: LiveRanking, explained: Explained | None) -> int | None:
    """What this entrant's average divides by."""
    if explained is None or "average" not in live.ruleset.order:
        return None
    return live.ruleset.games if live.ruleset.average_over == "games" else explained.entrant.games


def spot(live: LiveRanking, entrant: RankedEntrant, *, inside: bool) -> Spot:
    """An entrant in the picture."""
    wins = entrant.wins if live.ruleset.order[0] == "wins" else None
    value = entrant.average if "average" in live.ruleset.order and entrant.average is not None else entrant.points
    return Spot(wins, value, inside)


def picture_of(live: LiveRanking) -> Picture:
    """The ranking as bars; those of a tie across the line are not above it yet."""
    advancing = len(live.line.advancing)
    spots = [spot(live, one, inside=place < advancing) for place, one in enumerate(live.ranked)]
    line = (spots[advancing - 1], spots[advancing]) if 0 < advancing < len(spots) else None
    return Picture(spots, line)


def line_after(live: LiveRanking, ranked: list[RankedEntrant]) -> int:
    """The number of the last entrant above the line; 0 where the line is not drawn: nobody below, a tie, a search."""
    advancing = len(live.line.advancing)
    whole = len(ranked) == len(live.ranked)
    return ranked[advancing - 1].number if whole and advancing and not live.line.unresolved else 0


def reasons(live: LiveRanking) -> list[dict[str, Any]]:
    """How many have no rank, by reason."""
    counts = Counter(entrant.because for entrant in live.unranked)
    return [{"because": because, "count": counts[because]} for because in UNRANKED_BECAUSE if counts[because]]


urlpatterns = [
    path("standings/", standings, name="standings"),
    path("standings/<int:number>/", standing, name="standing"),
]
