"""The ranking as it stands: live, for officials, from what is certified."""

from collections import Counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.http import require_safe

from tournament.bridge.standings import LiveRanking, RankedEntrant, UnrankedEntrant, live_ranking
from tournament.enums import StageKind
from tournament.exports.released import BECAUSE
from tournament.permissions import for_act
from tournament.quantities import entrant_number_text
from tournament.queries.standings import sheet_counts


@require_safe
@for_act("see_standings")
def standings(request: HttpRequest) -> HttpResponse:
    """All entrants on one page: the ranked with their line, then who has no rank and why."""
    stage = get_object_or_404(request.event.stages.all(), kind=StageKind.PRELIMINARY)
    live = live_ranking(stage)
    wanted = request.GET.get("q", "").strip()
    ranked, unranked = found(live, wanted)
    context = {
        "stage": "standings",
        "live": live,
        "wanted": wanted,
        "ranked": ranked,
        "unranked": unranked,
        "reasons": reasons(live),
        "line_after": line_after(live, ranked),
        "by_average": "average" in live.ruleset.order,
        "games": live.ruleset.games,
        "sheets": sheet_counts(stage),
    }
    return render(request, "standings/standings.html", context)


def found(live: LiveRanking, wanted: str) -> tuple[list[RankedEntrant], list[UnrankedEntrant]]:
    """Who is asked for by number or by a part of a name; everybody where nothing is."""
    if not wanted:
        return list(live.ranked), list(live.unranked)

    def fits(entrant: RankedEntrant | UnrankedEntrant) -> bool:
        if wanted.isdigit():
            return entrant_number_text(entrant.number) == wanted.zfill(4)
        return wanted.casefold() in f"{entrant.name_zh} {entrant.name_en}".casefold()

    return [entrant for entrant in live.ranked if fits(entrant)], [
        entrant for entrant in live.unranked if fits(entrant)
    ]


def line_after(live: LiveRanking, ranked: list[RankedEntrant]) -> int:
    """The number of the last entrant above the line; 0 where the line is not drawn: nobody below, a tie, a search."""
    advancing = len(live.line.advancing)
    whole = len(ranked) == len(live.ranked)
    return ranked[advancing - 1].number if whole and advancing and not live.line.unresolved else 0


def reasons(live: LiveRanking) -> list[dict[str, Any]]:
    """How many have no rank, by reason."""
    counts = Counter(entrant.because for entrant in live.unranked)
    return [{"because": because, "count": counts[because]} for because in BECAUSE if counts[because]]


urlpatterns = [path("standings/", standings, name="standings")]
