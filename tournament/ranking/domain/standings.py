"""Official sheets to the rules' ranking and back: one ranking over all sessions and days (R34-R37)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scoring.certainty import Certainty, judge_certainties
from scoring.ranking import UNRANKED_NOT_PLAYED, rank_records
from scoring.ruleset import Ruleset
from scoring.values import Qualification, Ranking, Tally
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text, from_twelfths
from tournament.events.domain import advancing_places_of_stage, ruleset_over_stage
from tournament.ranking.domain.qualifying import QUALIFYING
from tournament.ranking.queries.standings import (
    EntrantRow,
    PlayedSheet,
    entrant_rows,
    numbers_without_games,
    played_sheets,
)

# Games, wins, twelfths, tiles, games left early of an entrant without a sheet.
ZERO_FIGURES = (0, 0, 0, 0, 0)
ZERO_FRACTION = Fraction(0)


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """One line of the ranking. `points` and `average` exact; `provisional`: a sheet of it is not stamped yet."""

    number: int
    name_zh: str
    name_en: str
    session: int
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int
    games: int
    table_size: int
    provisional: bool
    school: str


@dataclass(frozen=True, slots=True)
class UnrankedEntrant:
    """Without a rank: `because` is `not_played` or the entrant's status."""

    number: int
    name_zh: str
    name_en: str
    session: int
    because: str
    school: str


@dataclass(frozen=True, slots=True)
class LiveRanking:
    """The ranking as it stands now. `ranking` and `line` are the rules' own values; their ids are
    `ranking_entrant_id`s.

    `unplayed`: numbers of those who take part and have no result yet; nobody has decided that there is none.
    """

    ruleset: Ruleset
    places: int | None
    ranking: Ranking
    line: Qualification
    ranked: tuple[RankedEntrant, ...]
    unranked: tuple[UnrankedEntrant, ...]
    unplayed: frozenset[int] = frozenset()

    @property
    def has_line(self) -> bool:
        """Whether anybody advances, so that somebody is in or out."""
        return self.places != 0

    @property
    def provisional(self) -> int:
        """How many of the ranked rest on a sheet without its stamp."""
        return sum(entrant.provisional for entrant in self.ranked)


def ranking_entrant_id(number: int) -> str:
    """An entrant's id in the rules: four digits, as on paper. Ids order a display, never a rank."""
    return entrant_number_text(number)


def tally_entrants(entrants: Iterable[EntrantRow], played: Iterable[PlayedSheet]) -> list[Tally]:
    """Each entrant's games summed. Who left a table is not ranked (R36), whatever the desk has recorded so far."""
    # Written out: twelve hundred pass here with every look at the ranking.
    sums: dict[int, list[int]] = {}
    for entrant, _sheet, _stamp, *figures in played:
        kept = sums.get(entrant)
        sums[entrant] = figures if kept is None else [one + more for one, more in zip(kept, figures, strict=True)]
    return [_tally_from_figures(entrant, sums.get(entrant.id, ZERO_FIGURES)) for entrant in entrants]


def _tally_from_figures(entrant: EntrantRow, figures: Sequence[int]) -> Tally:
    games, wins, points_twelfths, tiles, left = figures
    status = entrant.status
    if left and status == EntrantStatus.OK:
        status = EntrantStatus.WITHDRAWN.value
    return Tally(ranking_entrant_id(entrant.number), games, wins, _fraction_of_twelfths(points_twelfths), tiles, status)


@lru_cache(maxsize=65536)
def _fraction_of_twelfths(twelfths: int) -> Fraction:
    """A fraction is dear to make and the same totals come again."""
    return from_twelfths(twelfths)


def rank_stage(stage: Stage) -> Ranking:
    """The bare ranking of a stage: two queries and the rules."""
    return rank_records(ruleset_over_stage(stage), tally_entrants(entrant_rows(stage), played_sheets(stage)))


def live_ranking(stage: Stage, until: int | None = None) -> LiveRanking:
    """The ranking over all sessions with its line, as the locked sheets have it at this moment; two queries, and one
    more while somebody has not played.

    `until` the number of a session: by the sheets of the sessions up to it, as after a round of a final.
    """
    ruleset, places = ruleset_over_stage(stage), advancing_places_of_stage(stage)
    entrants, played = entrant_rows(stage), played_sheets(stage, until)
    sums = tally_entrants(entrants, played)
    ranking = rank_records(ruleset, sums)
    facts = {ranking_entrant_id(entrant.number): entrant for entrant in entrants}
    games = {tally.id: tally.games for tally in sums}
    sizes, unstamped = _table_sizes_and_unstamped(entrants, played)
    waits = any(one.because == UNRANKED_NOT_PLAYED for one in ranking.unranked)
    return LiveRanking(
        unplayed=frozenset(numbers_without_games(stage)) if waits else frozenset(),
        ruleset=ruleset,
        places=places,
        ranking=ranking,
        line=QUALIFYING[stage.qualifying].line(ruleset, ranking, places),
        ranked=tuple(
            RankedEntrant(
                number=facts[standing.id].number,
                name_zh=facts[standing.id].name_zh,
                name_en=facts[standing.id].name_en,
                session=facts[standing.id].session,
                rank=standing.rank,
                tied=standing.tied,
                wins=standing.wins,
                points=standing.points,
                average=standing.average,
                tiles=standing.tiles,
                games=games[standing.id],
                table_size=sizes[standing.id],
                provisional=standing.id in unstamped,
                school=facts[standing.id].school,
            )
            for standing in ranking.standings
        ),
        unranked=tuple(
            UnrankedEntrant(
                number=facts[entrant.id].number,
                name_zh=facts[entrant.id].name_zh,
                name_en=facts[entrant.id].name_en,
                session=facts[entrant.id].session,
                because=entrant.because,
                school=facts[entrant.id].school,
            )
            for entrant in ranking.unranked
        ),
    )


def certainty_by_number(live: LiveRanking) -> dict[int, Certainty]:
    """By number: in or out whatever sheets still come, provisional, not yet played (R37); nobody who cannot be ranked,
    and nobody at all where nobody advances.

    An entrant is complete when the sheet is locked, or was made void by two. Whoever else takes part and has no result
    has still to finish, also where the whole session is void: nobody is called certain too early.
    """
    if not live.has_line:
        return {}
    ranked = [Tally(ranking_entrant_id(one.number), one.games, one.wins, one.points, one.tiles) for one in live.ranked]
    waiting = [
        Tally(ranking_entrant_id(one.number), 0, 0, ZERO_FRACTION, 0)
        for one in live.unranked
        if one.number in live.unplayed
    ]
    found = judge_certainties(
        live.ruleset, [*ranked, *waiting], incomplete={tally.id for tally in waiting}, places=live.places
    )
    return {int(one.id): one for one in found}


def _table_sizes_and_unstamped(
    entrants: Sequence[EntrantRow], played: Sequence[PlayedSheet]
) -> tuple[dict[str, int], set[str]]:
    """How many played at each entrant's table (R13), and whose sheets are not all stamped."""
    at_table = Counter(sheet.sheet for sheet in played)
    ids = {entrant.id: ranking_entrant_id(entrant.number) for entrant in entrants}
    sizes: dict[str, int] = {}
    unstamped: set[str] = set()
    for sheet in played:
        name = ids[sheet.entrant]
        sizes[name] = min(at_table[sheet.sheet], sizes.get(name, at_table[sheet.sheet]))
        if sheet.stamp is None:
            unstamped.add(name)
    return sizes, unstamped
