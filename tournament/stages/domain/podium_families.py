"""Declared pairs of child and parent as the award takes them, ages and roles looked at once more (R40)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, product

from scoring.eligibility import age_on, family_pair_problems
from scoring.family import (
    NOT_CHILD_AND_PARENT,
    ExcludedFamilyUnit,
    FamilyAward,
    FamilyUnit,
    FamilyUnitMember,
    rank_families,
)
from scoring.ranking import STATUS_OK, UNRANKED_NOT_PLAYED
from scoring.ruleset import Ruleset
from scoring.values import Tally
from tournament.core.enums import FamilyRole
from tournament.core.models.stage import Stage
from tournament.ranking.domain.standings import (
    ZERO_FRACTION,
    LiveRanking,
    RankedEntrant,
    UnrankedEntrant,
    ranking_entrant_id,
)
from tournament.stages.queries import FamilyMemberRow, family_codes, family_member_rows

# Beside what scoring.eligibility finds against two dates of birth.
PAIR_NOT_TWO = "not_two"
# Stands for that of a finalist who has not played: no unit with one is ranked.
PLACEHOLDER_RANK = 1
PAIR_MEMBER_ORDER = (FamilyRole.CHILD.value, FamilyRole.PARENT.value)
# Between a family's code and the numbers that tell its pairs apart.
PAIR_ID_SEPARATOR = "/"


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """One of a pair. `age`: whole years on the child's preliminary date; without a child, on the own;
    None where the date of birth was erased.

    `standing` where ranked in the final, else `because`: `not_played` or the status there, empty for no finalist.
    """

    number: int
    role: str
    name_zh: str
    name_en: str
    consent_name: bool
    age: int | None
    standing: RankedEntrant | None
    because: str

    @property
    def is_finalist(self) -> bool:
        """Whether the list of the final has the entrant."""
        return self.standing is not None or bool(self.because)


@dataclass(frozen=True, slots=True)
class FamilyPair:
    """A declared pair: its members, the child first. `problems`: why it is no child and parent, empty if it is.

    `id` is the family's code where that is the family's one pair; of several each has its own (`unit_ids`). The words
    are those of scoring.eligibility, and `not_two` for a family without a child or without a parent. `day` is the
    child's preliminary date as first planned, on which ages are judged; None without a child.
    """

    id: str
    code: str
    members: tuple[FamilyMember, ...]
    day: date | None
    problems: tuple[str, ...]

    @property
    def consenting(self) -> bool:
        """Whether both agreed to be named, and so may be told to belong together."""
        return all(member.consent_name for member in self.members)

    @property
    def has_finalist(self) -> bool:
        """Whether at least one member plays the final."""
        return any(member.is_finalist for member in self.members)


def lot_texts_of_pairs(ids: Sequence[str]) -> dict[str, str]:
    """The text that each pair is drawn as: 1, 2 ... in the order of the ids, which are typed and not published."""
    return {id: str(place) for place, id in enumerate(sorted(ids), start=1)}


def declared_pairs(stage: Stage, ranking: LiveRanking) -> dict[str, FamilyPair]:
    """Every declared pair of the event by id: of a family each child with each parent; two queries."""
    ranked = {one.number: one for one in ranking.ranked}
    unranked = {one.number: one for one in ranking.unranked}
    codes = family_codes(stage)
    members = {code: list(rows) for code, rows in groupby(family_member_rows(stage), key=lambda row: row.code)}
    found: dict[str, FamilyPair] = {}
    for code in codes:
        for id, rows in _member_rows_by_pair(code, members.get(code, []), codes).items():
            found[id] = _family_pair_of_rows(id, code, rows, ranked, unranked)
    return found


def _member_rows_by_pair(
    code: str, members: Sequence[FamilyMemberRow], codes: Collection[str]
) -> dict[str, list[FamilyMemberRow]]:
    """The rows of each pair in a family by its id; a family without a child or a parent is one unit that is none."""
    children, parents = ([one for one in members if one.role == role] for role in PAIR_MEMBER_ORDER)
    if not children or not parents:
        return {code: list(members)}
    pairs = list(product(children, parents))
    if len(pairs) == 1:
        return {code: list(pairs[0])}
    numbers = {(child.number, parent.number): (child, parent) for child, parent in pairs}
    ids = pair_ids_by_numbers(code, list(numbers), codes)
    return {ids[both]: list(rows) for both, rows in numbers.items()}


def pair_ids_by_numbers(
    code: str, pairs: Sequence[tuple[int, int]], codes: Collection[str]
) -> dict[tuple[int, int], str]:
    """Of several pairs of a family, by the numbers of child and parent: `F-1/0302`, with several parents
    `F-1/0302/0303`; longer by `/` where that is another family's code."""
    several = len({parent for _child, parent in pairs}) > 1
    found = {}
    for child, parent in pairs:
        id = PAIR_ID_SEPARATOR.join(
            [code, ranking_entrant_id(child), *([ranking_entrant_id(parent)] if several else [])]
        )
        while id in codes:
            id += PAIR_ID_SEPARATOR
        found[child, parent] = id
    return found


def is_of_family(id: str, code: str) -> bool:
    """Whether this is the id of the family's pair, or of one of them."""
    return id == code or id.startswith(code + PAIR_ID_SEPARATOR)


def _family_pair_of_rows(
    id: str,
    code: str,
    rows: Sequence[FamilyMemberRow],
    ranked: Mapping[int, RankedEntrant],
    unranked: Mapping[int, UnrankedEntrant],
) -> FamilyPair:
    day = next((row.day for row in rows if row.role == FamilyRole.CHILD), None)
    members = tuple(
        FamilyMember(
            number=row.number,
            role=row.role,
            name_zh=row.name_zh,
            name_en=row.name_en,
            consent_name=row.consent_name,
            age=age_on(row.birth_date, day or row.day) if row.birth_date else None,
            standing=ranked.get(row.number),
            because=unranked[row.number].because if row.number in unranked else "",
        )
        for row in rows
    )
    return FamilyPair(id, code, members, day, _family_pair_problems(rows, day))


def _family_pair_problems(rows: Sequence[FamilyMemberRow], day: date | None) -> tuple[str, ...]:
    """R40 for exactly two: a child of 7 to 18 on its preliminary date, a parent of 18 or over who is older."""
    if day is None or tuple(row.role for row in rows) != PAIR_MEMBER_ORDER:
        return (PAIR_NOT_TWO,)
    child, parent = rows
    if child.birth_date is None or parent.birth_date is None:
        return ()  # erased: they were judged while the dates were there
    return family_pair_problems(child.birth_date, parent.birth_date, day)


def rank_award_pairs(ruleset: Ruleset, families: Mapping[str, FamilyPair]) -> FamilyAward:
    """The award among these. A pair that is no child and parent is out before anything is summed (R40)."""
    pairs = [pair for pair in families.values() if not pair.problems]
    found = rank_families(
        ruleset, [FamilyUnit(pair.id, tuple(map(_award_unit_member, pair.members))) for pair in pairs]
    )
    no_pairs = (ExcludedFamilyUnit(pair.id, NOT_CHILD_AND_PARENT) for pair in families.values() if pair.problems)
    return replace(found, out=_excluded_by_id([*found.out, *no_pairs]))


def _excluded_by_id(out: Iterable[ExcludedFamilyUnit]) -> tuple[ExcludedFamilyUnit, ...]:
    return tuple(sorted(out, key=lambda one: one.id))


def _award_unit_member(member: FamilyMember) -> FamilyUnitMember:
    """What the final gave; nothing yet to a finalist who has not played."""
    if member.standing is not None:
        one = member.standing
        return FamilyUnitMember(
            Tally(ranking_entrant_id(one.number), one.games, one.wins, one.points, one.tiles), member.role, one.rank
        )
    status = STATUS_OK if member.because in ("", UNRANKED_NOT_PLAYED) else member.because
    sums = Tally(ranking_entrant_id(member.number), 0, 0, ZERO_FRACTION, 0, status)
    return FamilyUnitMember(sums, member.role, PLACEHOLDER_RANK if member.is_finalist else None)
