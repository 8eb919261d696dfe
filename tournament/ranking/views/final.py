"""The ranking of the final: over all games of all rounds, after each of them; from it nobody advances (R38)."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text
from tournament.core.permissions import EventRequest, for_act
from tournament.entrants.queries.finalists import previous_stage
from tournament.ranking.domain.reasons import explain_rank, find_unranked_entrant
from tournament.ranking.domain.rounds import games_by_round, rounds_played
from tournament.ranking.domain.standings import live_ranking
from tournament.ranking.exports.picture import picture_legend
from tournament.ranking.exports.words import comparison_words_for_officials, criterion_head_words
from tournament.ranking.queries.standings import sheet_counts
from tournament.ranking.views.standings import (
    RankingFilter,
    average_divisor,
    first_ranking,
    picture_of,
    picture_spot,
    standing_in_the_first,
    unranked_counts,
)


def later_ranking(request: EventRequest, stage: Stage) -> HttpResponse:
    """All finalists on one page: as it stands, or after one of the rounds that are whole."""
    rounds = rounds_played(stage)
    after = rounds.after(request.GET.get("after", ""))
    live = live_ranking(stage, after.number if after else None)
    wanted = RankingFilter(text=request.GET.get("q", "").strip())
    picture = picture_of(live)
    by_average = "average" in live.ruleset.order
    context = {
        "stage": "final",
        "of": stage,
        "rounds": rounds,
        "after": after,
        "live": live,
        "wanted": wanted,
        "rows": [one for one in live.ranked if wanted.fits(one, "")],
        "unranked": [one for one in live.unranked if wanted.fits(one, "")],
        "reasons": unranked_counts(live),
        "by_average": by_average,
        "order": [criterion_head_words(name) for name in live.ruleset.order],
        "games": live.ruleset.games,
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
        "picture": picture.svg(),
        "legend": picture_legend(picture, by_average=by_average),
    }
    return render(request, "ranking/final_standings.html", context)


def standing_in_a_later(request: EventRequest, stage: Stage, number: int) -> HttpResponse:
    """One finalist: the place, what separates it from the neighbours, the games round by round.

    Who is no finalist is explained where they stand: in the preliminary.
    """
    get_object_or_404(request.event.entrants, number=number)
    live = live_ranking(stage)
    explained, unranked = explain_rank(live, number), find_unranked_entrant(live, number)
    if explained is None and unranked is None:
        return redirect("standing", request.event.slug, previous_stage(stage).kind, number)
    picture = picture_of(live)
    called = entrant_number_text(number)
    by_average = "average" in live.ruleset.order
    context = {
        "stage": "final",
        "of": stage,
        "live": live,
        "entrant": explained.entrant if explained else unranked,
        "explained": explained,
        "comparisons": [(one, comparison_words_for_officials(one.separation)) for one in explained.comparisons]
        if explained
        else [],
        "by_average": by_average,
        "order": [criterion_head_words(name) for name in live.ruleset.order],
        "games_of_rounds": games_by_round(stage, number),
        "divisor": average_divisor(live, explained),
        "picture": picture.svg(picture_spot(live, explained.entrant, inside=False), called=called) if explained else "",
        "legend": picture_legend(picture, by_average=by_average),
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
    }
    return render(request, "ranking/final_standing.html", context)


@require_safe
@for_act("see_standings")
def standings(request: EventRequest) -> HttpResponse:
    """The ranking of a stage as it stands."""
    if request.stage is None:
        return redirect("final", request.event.slug)
    return (first_ranking if request.stage.is_first else later_ranking)(request, request.stage)


@require_safe
@for_act("see_standings")
def standing(request: EventRequest, number: int) -> HttpResponse:
    """Why somebody stands in it where they stand."""
    if request.stage is None:
        return redirect("final", request.event.slug)
    page = standing_in_the_first if request.stage.is_first else standing_in_a_later
    return page(request, request.stage, number)


urlpatterns = [
    path("<slug:stage>/ranking/", standings, name="standings"),
    path("<slug:stage>/ranking/<int:number>/", standing, name="standing"),
]
