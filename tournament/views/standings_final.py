"""The ranking of the final: over all games of all rounds, after each of them; from it nobody advances (R38)."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.standings import live_ranking
from tournament.bridge.standings_reasons import explain, games_by_session, without_rank
from tournament.exports.standings_picture import legend
from tournament.exports.standings_words import criterion_words, said_to_officials
from tournament.models import Stage
from tournament.permissions import for_act
from tournament.quantities import entrant_number_text
from tournament.queries.finalists import final_of, rounds_in_order
from tournament.queries.standings import SessionCount, games_of_entrant, session_counts, sheet_counts
from tournament.views.standings import Wanted, divisor, picture_of, reasons, spot


@dataclass(frozen=True, slots=True)
class Rounds:
    """How far the rounds have come: `played` are whole, `running` is the one that is coming in."""

    of: int
    counts: tuple[SessionCount, ...]

    @property
    def played(self) -> list[SessionCount]:
        """Those of which every sheet is in."""
        return [one for one in self.counts if one.locked and not one.waiting]

    @property
    def running(self) -> SessionCount | None:
        """The last with a sheet of which others are still to come."""
        return next((one for one in reversed(self.counts) if one.locked and one.waiting), None)

    @property
    def last(self) -> SessionCount | None:
        """The last that is whole."""
        return next(reversed(self.played), None)

    def after(self, asked: str) -> SessionCount | None:
        """The whole round that is asked for by its place; None for all that is in."""
        return next((one for one in self.played if str(one.place) == asked), None)


@require_safe
@for_act("see_standings")
def final_standings(request: HttpRequest) -> HttpResponse:
    """All finalists on one page: as it stands, or after one of the rounds that are whole."""
    stage = final_of(request.event)
    if stage is None:
        return redirect("final", request.event.slug)
    rounds = rounds_played(stage)
    after = rounds.after(request.GET.get("after", ""))
    live = live_ranking(stage, after.number if after else None)
    wanted = Wanted(text=request.GET.get("q", "").strip())
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
        "reasons": reasons(live),
        "by_average": by_average,
        "order": [criterion_words(name) for name in live.ruleset.order],
        "games": live.ruleset.games,
        "sheets": sheet_counts(stage),
        "standings_url": reverse("final_standings", args=[request.event.slug]),
        "picture": picture.svg(),
        "legend": legend(picture, by_average=by_average),
    }
    return render(request, "standings/final_standings.html", context)


@require_safe
@for_act("see_standings")
def final_standing(request: HttpRequest, number: int) -> HttpResponse:
    """One finalist: the place, what separates it from the neighbours, the games round by round.

    Who is no finalist is explained where they stand: in the preliminary.
    """
    get_object_or_404(request.event.entrants, number=number)
    stage = final_of(request.event)
    if stage is None:
        return redirect("final", request.event.slug)
    live = live_ranking(stage)
    explained, unranked = explain(live, number), without_rank(live, number)
    if explained is None and unranked is None:
        return redirect("standing", request.event.slug, number)
    picture = picture_of(live)
    called = entrant_number_text(number)
    by_average = "average" in live.ruleset.order
    sessions = [one.number for one in rounds_in_order(stage)]
    context = {
        "stage": "final",
        "of": stage,
        "live": live,
        "entrant": explained.entrant if explained else unranked,
        "explained": explained,
        "comparisons": [(one, said_to_officials(one.separation)) for one in explained.comparisons] if explained else [],
        "by_average": by_average,
        "order": [criterion_words(name) for name in live.ruleset.order],
        "games_of_rounds": games_by_session(games_of_entrant(stage, number), sessions, ruleset_of(stage).games),
        "divisor": divisor(live, explained),
        "picture": picture.svg(spot(live, explained.entrant, inside=False), called=called) if explained else "",
        "legend": legend(picture, by_average=by_average),
        "standings_url": reverse("final_standings", args=[request.event.slug]),
    }
    return render(request, "standings/final_standing.html", context)


def rounds_played(stage: Stage) -> Rounds:
    """How far the stage has come."""
    return Rounds(stage.rounds, tuple(session_counts(stage)))


urlpatterns = [
    path("final/standings/", final_standings, name="final_standings"),
    path("final/standings/<int:number>/", final_standing, name="final_standing"),
]
