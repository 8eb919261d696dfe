"""Who may enter, and who may be a pair of child and parent (R1, R40). Dates in, words out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Literal

MINIMUM_AGE = 7
CHILD_AGES = (7, 18)
PARENT_AGE = 18
# Under this age a guardian consents.
ADULT_AGE = 18

EligibilityVerdict = Literal["yes", "no", "organiser_decides"]

CHILD_TOO_YOUNG = "child_too_young"
CHILD_TOO_OLD = "child_too_old"
PARENT_TOO_YOUNG = "parent_too_young"
PARENT_NOT_OLDER = "parent_not_older"


def birthday_in_year(birth: date, year: int) -> date:
    """The birthday in a year; 29 February counts as 1 March in common years (R1)."""
    try:
        return birth.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def age_on(birth: date, day: date) -> int:
    """Whole years lived on a day, the birthday itself counted; negative before the birth."""
    return day.year - birth.year - (birthday_in_year(birth, day.year) > day)


def judge_minimum_age(birth: date, day: date, minimum_age: int = MINIMUM_AGE) -> EligibilityVerdict:
    """Whether somebody is old enough on the entrant's own, original preliminary date (R1).

    The birthday of that age lies strictly before the day: yes. On the very day the text does not say;
    an organiser decides and the decision is recorded."""
    reached = birthday_in_year(birth, birth.year + minimum_age)
    if reached == day:
        return "organiser_decides"
    return "yes" if reached < day else "no"


def is_age_to_be_looked_at(birth: date, day: date) -> bool:
    """Whether somebody is so near the lowest age (R1) that a document has to show it: in the first year after it."""
    return age_on(birth, day) <= MINIMUM_AGE


def needs_guardian_consent(birth: date, day: date) -> bool:
    """Whether a guardian has to consent on that day."""
    return age_on(birth, day) < ADULT_AGE


def family_pair_problems(child_birth: date, parent_birth: date, day: date) -> tuple[str, ...]:
    """What stands against a declared pair on the child's preliminary date (R40); empty: nothing.

    A child is 7 to 18, both included; a parent is 18 or over and older than the child."""
    child, parent = age_on(child_birth, day), age_on(parent_birth, day)
    found = (
        (CHILD_TOO_YOUNG, child < CHILD_AGES[0]),
        (CHILD_TOO_OLD, child > CHILD_AGES[1]),
        (PARENT_TOO_YOUNG, parent < PARENT_AGE),
        (PARENT_NOT_OLDER, parent_birth >= child_birth),
    )
    return tuple(code for code, holds in found if holds)


def ids_in_too_many_pairs(pairs: Iterable[tuple[str, str]], pairs_a_person: int = 1) -> tuple[str, ...]:
    """Who stands in more declared pairs than a person may (R40, one by default), by id; a pair is two ids."""
    counts = Counter(person for pair in pairs for person in set(pair))
    return tuple(sorted(person for person, count in counts.items() if count > pairs_a_person))
