"""The ranking as it stands: live, for officials, from what is certified; and why somebody stands where they stand."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django_stubs_ext import StrOrPromise

from scoring import certainty
from tournament.core.enums import UNRANKED_REASON_WORDS
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.names import name_matches_search
from tournament.core.numberformat import entrant_number_text
from tournament.core.permissions import EventRequest
from tournament.ranking.domain import grounds_ranking
from tournament.ranking.domain.reasons import RankExplanation, explain_rank, find_unranked_entrant
from tournament.ranking.domain.rounds import games_by_round, rounds_played
from tournament.ranking.domain.standings import LiveRanking, RankedEntrant, UnrankedEntrant, live_ranking
from tournament.ranking.domain.tie_breaks import line_in_force
from tournament.ranking.exports.picture import PictureEntrant, RankingPicture, picture_legend
from tournament.ranking.exports.words import comparison_words_for_officials, criterion_head_words
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.standings import sheet_counts

CERTAINTY_WORDS = {
    certainty.CERTAIN_IN: _("in as it stands"),
    certainty.CERTAINTY_PROVISIONAL: _("provisional"),
    certainty.CERTAIN_OUT: _("out as it stands"),
    certainty.CERTAINTY_NOT_YET_PLAYED: _("not yet played"),
}
# What may be asked for: certainty of those who may be ranked, the reason of the others.
RANKING_FILTER_WORDS: Mapping[str, StrOrPromise] = {
    **CERTAINTY_WORDS,
    **{because: word for because, word in UNRANKED_REASON_WORDS.items() if because != "not_played"},
}


@dataclass(frozen=True, slots=True)
class RankingFilter:
    """What the list is narrowed to; each empty where nothing is asked."""

    text: str = ""
    session: str = ""
    school: str = ""
    status: str = ""

    @property
    def everything(self) -> bool:
        """Whether the list is not narrowed at all."""
        return not (self.text or self.session or self.school or self.status)

    def fits(self, entrant: RankedEntrant | UnrankedEntrant, status: str) -> bool:
        """Whether the entrant is among those asked for."""
        if self.session and str(entrant.session) != self.session:
            return False
        if (self.school and entrant.school.strip() != self.school) or (self.status and status != self.status):
            return False
        if self.text.isdigit():
            return entrant_number_text(entrant.number) == self.text.zfill(4)
        return name_matches_search(self.text, entrant.name_zh, entrant.name_en)


def first_ranking(request: EventRequest, stage: Stage) -> HttpResponse:
    """All entrants on one page: the ranked with their line, then who has no rank and why."""
    rounds = rounds_played(stage)
    after = rounds.after(request.GET.get("after", ""))
    live = live_ranking(stage, after.number if after else None)
    wanted = RankingFilter(*(request.GET.get(name, "").strip() for name in ("q", "session", "school", "status")))
    states = {number: one.state for number, one in grounds_ranking.certainty_now_by_number(live).items()}
    ranked = [one for one in live.ranked if wanted.fits(one, states.get(one.number, ""))]
    unranked = [one for one in live.unranked if wanted.fits(one, states.get(one.number, one.because))]
    everybody: list[RankedEntrant | UnrankedEntrant] = [*live.ranked, *live.unranked]
    counts = Counter(states.values())
    picture = picture_of(live)
    context = {
        "stage": "standings",
        "of": stage,
        "rounds": rounds,
        "after": after,
        "live": live,
        "wanted": wanted,
        "rows": [(one, states.get(one.number, "")) for one in ranked],
        "unranked": unranked,
        "reasons": unranked_counts(live),
        "counts": [(state, counts[state]) for state in CERTAINTY_WORDS if counts[state]],
        "sessions": [] if stage.has_rounds_for_all else sorted({one.session for one in everybody}),
        "schools": sorted({one.school.strip() for one in everybody} - {""}),
        "statuses": {
            status: gettext(str(word))
            for status, word in RANKING_FILTER_WORDS.items()
            if live.has_line or status not in CERTAINTY_WORDS
        },
        "line_after": last_above_cutoff(live, ranked),
        "by_average": "average" in live.ruleset.order,
        "games": live.ruleset.games,
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
        "picture": picture.svg(),
        "legend": picture_legend(picture, by_average="average" in live.ruleset.order),
    }
    return render(request, "ranking/standings.html", context)


def standing_in_the_first(request: EventRequest, stage: Stage, number: int) -> HttpResponse:
    """One entrant: the place, how certain it is, what separates it from the neighbours and the line, the games."""
    live = live_ranking(stage)
    explained, unranked = explain_rank(live, number), find_unranked_entrant(live, number)
    if explained is None and unranked is None:
        raise Http404
    picture = picture_of(live)
    called = entrant_number_text(number)
    context = {
        "stage": "standings",
        "live": live,
        "entrant": explained.entrant if explained else unranked,
        "explained": explained,
        "in_final": request.has_final and is_listed(request.event, number),
        "decision": decision_about(live, stage, explained),
        "certainty": explained.certainty if explained else grounds_ranking.certainty_now_by_number(live).get(number),
        "comparisons": [(one, comparison_words_for_officials(one.separation)) for one in explained.comparisons]
        if explained
        else [],
        "by_average": "average" in live.ruleset.order,
        "order": [criterion_head_words(name) for name in live.ruleset.order],
        "of": stage,
        "games_of_rounds": games_by_round(stage, number) if explained else [],
        "divisor": average_divisor(live, explained),
        "picture": picture.svg(picture_spot(live, explained.entrant, inside=False), called=called) if explained else "",
        "legend": picture_legend(picture, by_average="average" in live.ruleset.order),
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
    }
    return render(request, "ranking/standing.html", context)


def is_listed(event: Event, number: int) -> bool:
    """Whether the list of a later stage has this entrant."""
    return event.entrants.filter(number=number, qualified__isnull=False).exists()


def decision_about(live: LiveRanking, stage: Stage, explained: RankExplanation | None) -> TieBreak | None:
    """The decision in force, for one of those whom it is about."""
    if explained is None or not explained.in_tie:
        return None
    return line_in_force(stage.tie_breaks.order_by("-at", "-id"), live.line)


def average_divisor(live: LiveRanking, explained: RankExplanation | None) -> int | None:
    """What this entrant's average divides by."""
    if explained is None or "average" not in live.ruleset.order:
        return None
    return live.ruleset.games if live.ruleset.average_over == "games" else explained.entrant.games


def picture_spot(live: LiveRanking, entrant: RankedEntrant, *, inside: bool) -> PictureEntrant:
    """An entrant in the picture."""
    wins = entrant.wins if live.ruleset.order[0] == "wins" else None
    value = entrant.average if "average" in live.ruleset.order and entrant.average is not None else entrant.points
    return PictureEntrant(wins, value, inside)


def picture_of(live: LiveRanking) -> RankingPicture:
    """The ranking as bars; those of a tie across the line are not above it yet."""
    advancing = len(live.line.advancing)
    spots = [picture_spot(live, one, inside=place < advancing) for place, one in enumerate(live.ranked)]
    line = (spots[advancing - 1], spots[advancing]) if 0 < advancing < len(spots) else None
    return RankingPicture(spots, line)


def last_above_cutoff(live: LiveRanking, ranked: list[RankedEntrant]) -> int:
    """The number of the last entrant above the line; 0 where the line is not drawn: nobody below, a tie, a search."""
    advancing = len(live.line.advancing)
    whole = len(ranked) == len(live.ranked)
    return ranked[advancing - 1].number if whole and advancing and not live.line.unresolved else 0


def unranked_counts(live: LiveRanking) -> list[dict[str, Any]]:
    """How many have no rank, by reason."""
    counts = Counter(entrant.because for entrant in live.unranked)
    return [{"because": because, "count": counts[because]} for because in UNRANKED_REASON_WORDS if counts[because]]
