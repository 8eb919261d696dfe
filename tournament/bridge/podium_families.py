"""Declared pairs of child and parent as the award takes them, ages and roles looked at once more (R40)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, product

from scoring.eligibility import age_on, pair_problems
from scoring.family import NOT_CHILD_AND_PARENT, Award, Member, Out, Unit, award
from scoring.ranking import NOT_PLAYED, OK
from scoring.ruleset import Ruleset
from scoring.values import Tally
from tournament.bridge.standings import ZERO, LiveRanking, RankedEntrant, UnrankedEntrant, entrant_id
from tournament.enums import FamilyRole
from tournament.models import Stage
from tournament.queries.podium import FamilyMemberRow, family_codes, family_member_rows

# Beside what scoring.eligibility finds against two dates of birth.
NOT_TWO = "not_two"
# Stands for that of a finalist who has not played: no unit with one is ranked.
ANY_RANK = 1
ROLES = (FamilyRole.CHILD.value, FamilyRole.PARENT.value)
# Between a family's code and the numbers that tell its pairs apart.
PARTING = "/"


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


def lots_of(ids: Sequence[str]) -> dict[str, str]:
    """The text that each pair is drawn as: 1, 2 ... in the order of the ids, which are typed and not published."""
    return {id: str(place) for place, id in enumerate(sorted(ids), start=1)}


def pairs_of(stage: Stage, ranking: LiveRanking) -> dict[str, FamilyPair]:
    """Every declared pair of the event by id: of a family each child with each parent; two queries."""
    ranked = {one.number: one for one in ranking.ranked}
    unranked = {one.number: one for one in ranking.unranked}
    codes = family_codes(stage)
    members = {code: list(rows) for code, rows in groupby(family_member_rows(stage), key=lambda row: row.code)}
    found: dict[str, FamilyPair] = {}
    for code in codes:
        for id, rows in _units(code, members.get(code, []), codes).items():
            found[id] = _pair(id, code, rows, ranked, unranked)
    return found


def _units(code: str, members: Sequence[FamilyMemberRow], codes: Collection[str]) -> dict[str, list[FamilyMemberRow]]:
    """The rows of each pair in a family by its id; a family without a child or a parent is one unit that is none."""
    children, parents = ([one for one in members if one.role == role] for role in ROLES)
    if not children or not parents:
        return {code: list(members)}
    pairs = list(product(children, parents))
    if len(pairs) == 1:
        return {code: list(pairs[0])}
    numbers = {(child.number, parent.number): (child, parent) for child, parent in pairs}
    ids = unit_ids(code, list(numbers), codes)
    return {ids[both]: list(rows) for both, rows in numbers.items()}


def unit_ids(code: str, pairs: Sequence[tuple[int, int]], codes: Collection[str]) -> dict[tuple[int, int], str]:
    """Of several pairs of a family, by the numbers of child and parent: `F-1/0302`, with several parents
    `F-1/0302/0303`; longer by `/` where that is another family's code."""
    several = len({parent for _child, parent in pairs}) > 1
    found = {}
    for child, parent in pairs:
        id = PARTING.join([code, entrant_id(child), *([entrant_id(parent)] if several else [])])
        while id in codes:
            id += PARTING
        found[child, parent] = id
    return found


def is_of_family(id: str, code: str) -> bool:
    """Whether this is the id of the family's pair, or of one of them."""
    return id == code or id.startswith(code + PARTING)


def _pair(
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
    return FamilyPair(id, code, members, day, _problems(rows, day))


def _problems(rows: Sequence[FamilyMemberRow], day: date | None) -> tuple[str, ...]:
    """R40 for exactly two: a child of 7 to 18 on its preliminary date, a parent of 18 or over who is older."""
    if day is None or tuple(row.role for row in rows) != ROLES:
        return (NOT_TWO,)
    child, parent = rows
    if child.birth_date is None or parent.birth_date is None:
        return ()  # erased: they were judged while the dates were there
    return pair_problems(child.birth_date, parent.birth_date, day)


def award_of(ruleset: Ruleset, families: Mapping[str, FamilyPair]) -> Award:
    """The award among these. A pair that is no child and parent is out before anything is summed (R40)."""
    pairs = [pair for pair in families.values() if not pair.problems]
    found = award(ruleset, [Unit(pair.id, tuple(map(_member, pair.members))) for pair in pairs])
    no_pairs = (Out(pair.id, NOT_CHILD_AND_PARENT) for pair in families.values() if pair.problems)
    return replace(found, out=_by_id([*found.out, *no_pairs]))


def _by_id(out: Iterable[Out]) -> tuple[Out, ...]:
    return tuple(sorted(out, key=lambda one: one.id))


def _member(member: FamilyMember) -> Member:
    """What the final gave; nothing yet to a finalist who has not played."""
    if member.standing is not None:
        one = member.standing
        return Member(Tally(entrant_id(one.number), one.games, one.wins, one.points, one.tiles), member.role, one.rank)
    status = OK if member.because in ("", NOT_PLAYED) else member.because
    sums = Tally(entrant_id(member.number), 0, 0, ZERO, 0, status)
    return Member(sums, member.role, ANY_RANK if member.is_finalist else None)
