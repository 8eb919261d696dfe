"""Official sheets to the rules' ranking and back: one ranking over all sessions and days (R34-R37)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scoring.certainty import Certainty, certainties
from scoring.qualification import cut
from scoring.ranking import NOT_PLAYED, rank
from scoring.ruleset import Ruleset
from scoring.values import Cut, Ranking, Tally
from tournament.bridge.rulesets import places_of, ruleset_over_stage
from tournament.enums import EntrantStatus
from tournament.models import Stage
from tournament.quantities import entrant_number_text, from_twelfths
from tournament.queries.standings import EntrantRow, PlayedSheet, entrant_rows, played_sheets, unplayed

# Games, wins, twelfths, tiles, games left early of an entrant without a sheet.
NOTHING = (0, 0, 0, 0, 0)
ZERO = Fraction(0)
# Of a final: from it nobody advances.
NO_LINE = Cut((), None, ())


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
    """The ranking as it stands now. `ranking` and `line` are the rules' own values; their ids are `entrant_id`s.

    `unplayed`: numbers of those who take part and have no result yet; nobody has decided that there is none.
    """

    ruleset: Ruleset
    places: int | None
    ranking: Ranking
    line: Cut
    ranked: tuple[RankedEntrant, ...]
    unranked: tuple[UnrankedEntrant, ...]
    unplayed: frozenset[int] = frozenset()

    @property
    def provisional(self) -> int:
        """How many of the ranked rest on a sheet without its stamp."""
        return sum(entrant.provisional for entrant in self.ranked)


def entrant_id(number: int) -> str:
    """An entrant's id in the rules: four digits, as on paper. Ids order a display, never a rank."""
    return entrant_number_text(number)


def tallies(entrants: Iterable[EntrantRow], played: Iterable[PlayedSheet]) -> list[Tally]:
    """Each entrant's games summed. Who left a table is not ranked (R36), whatever the desk has recorded so far."""
    # Written out: twelve hundred pass here with every look at the ranking.
    sums: dict[int, list[int]] = {}
    for entrant, _sheet, _stamp, *figures in played:
        kept = sums.get(entrant)
        sums[entrant] = figures if kept is None else [one + more for one, more in zip(kept, figures, strict=True)]
    return [_tally(entrant, sums.get(entrant.id, NOTHING)) for entrant in entrants]


def _tally(entrant: EntrantRow, figures: Sequence[int]) -> Tally:
    games, wins, points_twelfths, tiles, left = figures
    status = entrant.status
    if left and status == EntrantStatus.OK:
        status = EntrantStatus.WITHDRAWN.value
    return Tally(entrant_id(entrant.number), games, wins, _fraction(points_twelfths), tiles, status)


@lru_cache(maxsize=65536)
def _fraction(twelfths: int) -> Fraction:
    """A fraction is dear to make and the same totals come again."""
    return from_twelfths(twelfths)


def rank_stage(stage: Stage) -> Ranking:
    """The bare ranking of a stage: two queries and the rules."""
    return rank(ruleset_over_stage(stage), tallies(entrant_rows(stage), played_sheets(stage)))


def live_ranking(stage: Stage, until: int | None = None) -> LiveRanking:
    """The ranking over all sessions with its line, as the locked sheets have it at this moment; two queries, and one
    more while somebody has not played.

    `until` the number of a session: by the sheets of the sessions up to it, as after a round of a final.
    """
    ruleset, places = ruleset_over_stage(stage), places_of(stage)
    entrants, played = entrant_rows(stage), played_sheets(stage, until)
    sums = tallies(entrants, played)
    ranking = rank(ruleset, sums)
    facts = {entrant_id(entrant.number): entrant for entrant in entrants}
    games = {tally.id: tally.games for tally in sums}
    sizes, unstamped = _tables(entrants, played)
    waits = any(one.because == NOT_PLAYED for one in ranking.unranked)
    return LiveRanking(
        unplayed=frozenset(unplayed(stage)) if waits else frozenset(),
        ruleset=ruleset,
        places=places,
        ranking=ranking,
        line=cut(ruleset, ranking, places) if places != 0 else NO_LINE,
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


def certainty_of(live: LiveRanking) -> dict[int, Certainty]:
    """By number: in or out whatever sheets still come, provisional, not yet played (R37); nobody who cannot be ranked.

    An entrant is complete when the sheet is locked, or was made void by two. Whoever else takes part and has no result
    has still to finish, also where the whole session is void: nobody is called certain too early.
    """
    ranked = [Tally(entrant_id(one.number), one.games, one.wins, one.points, one.tiles) for one in live.ranked]
    waiting = [Tally(entrant_id(one.number), 0, 0, ZERO, 0) for one in live.unranked if one.number in live.unplayed]
    found = certainties(
        live.ruleset, [*ranked, *waiting], incomplete={tally.id for tally in waiting}, places=live.places
    )
    return {int(one.id): one for one in found}


def _tables(entrants: Sequence[EntrantRow], played: Sequence[PlayedSheet]) -> tuple[dict[str, int], set[str]]:
    """How many played at each entrant's table (R13), and whose sheets are not all stamped."""
    at_table = Counter(sheet.sheet for sheet in played)
    ids = {entrant.id: entrant_id(entrant.number) for entrant in entrants}
    sizes: dict[str, int] = {}
    unstamped: set[str] = set()
    for sheet in played:
        name = ids[sheet.entrant]
        sizes[name] = min(at_table[sheet.sheet], sizes.get(name, at_table[sheet.sheet]))
        if sheet.stamp is None:
            unstamped.add(name)
    return sizes, unstamped
