"""Halls for the tests of merging: small ones by chance, every arrangement of them, and a plan counted afresh."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement

from scoring.merging import AttendedTable
from scoring.seating import Sitter

MOST_TABLES = 7
# An exhaustive search of a hall looks at so many choices of a table at most.
MOST_TRIED = 60_000


def sitters_of(text):
    """`a b:Lee c:Lee/North d:/North`: ids with family and school where they have one."""
    return tuple(
        Sitter(id, family or None, school or None)
        for id, family, school in (
            (id, *(names.partition("/")[::2])) for id, _, names in (one.partition(":") for one in text.split())
        )
    )


def tables_of(*texts):
    """Tables from 1 on by who sits there; a `!` before them locks the table."""
    return [
        AttendedTable(number, sitters_of(text.removeprefix("!")), text.startswith("!"))
        for number, text in enumerate(texts, start=1)
    ]


def small_halls(seed, count):
    """Random halls of up to seven tables whose arrangements can all be tried: (tables, sizes, order of preference)."""
    dice, made = random.Random(seed), 0
    while made < count:
        tables = small_hall(dice)
        sizes = dice.choice([(4, 3)] * 6 + [(4, 3, 2), (4, 2), (3, 4), (4,)])
        if tried_by_exhausting(tables, sizes) <= MOST_TRIED:
            made += 1
            yield tables, sizes, dice.choice(["moves", "sizes"])


def small_hall(dice):
    families = [None, *(f"F{number}" for number in range(dice.randint(0, 3)))]
    schools = [None, *(f"S{number}" for number in range(dice.randint(0, 3)))]
    tables = []
    for number in range(1, dice.randint(1, MOST_TABLES) + 1):
        there = dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6])
        tables.append(
            AttendedTable(
                number,
                tuple(Sitter(f"{number}{n}", dice.choice(families), dice.choice(schools)) for n in range(there)),
                dice.random() < 0.08,
            )
        )
    return tables


def tried_by_exhausting(tables, sizes):
    kinds = Counter(kind_of(sitter) for table in tables for sitter in table.sitters)
    states = 1
    for many in kinds.values():
        states *= many + 1
    choices = sum(len(list(combinations_with_replacement(kinds, size))) for size in sizes)
    return states * choices * sum(not table.locked for table in tables)


def kind_of(sitter):
    return sitter.family, sitter.school


def pairs_alike(names):
    return sum(one is not None and one == other for one, other in combinations(names, 2))


def fewest_by_exhausting(tables, sizes, order):
    """The least of the four criteria by this order over every arrangement, as kinds of people by table; None where
    there is none. Nothing of ours is asked."""
    kinds = sorted({kind_of(sitter) for table in tables for sitter in table.sitters}, key=repr)
    left = tuple(sum(kind_of(sitter) == kind for table in tables for sitter in table.sitters) for kind in kinds)
    best = {left: (0, 0, 0, 0)}
    for table in tables:
        before = Counter(kind_of(sitter) for sitter in table.sitters)
        choices = [()] + [one for size in sizes for one in combinations_with_replacement(range(len(kinds)), size)]
        if table.locked:
            stay = tuple(sorted(kinds.index(kind_of(sitter)) for sitter in table.sitters))
            choices = [stay] if len(stay) in (0, *sizes) else []
        priced = [(choice, cost_of(choice, kinds, before, sizes, order)) for choice in choices]
        after = {}
        for rest, cost in best.items():
            for choice, more in priced:
                remaining = list(rest)
                for kind in choice:
                    remaining[kind] -= 1
                if min(remaining, default=0) >= 0:
                    key, total = tuple(remaining), tuple(map(sum, zip(cost, more, strict=True)))
                    if key not in after or total < after[key]:
                        after[key] = total
        best = after
    return best.get((0,) * len(kinds))


def cost_of(choice, kinds, before, sizes, order):
    there = [kinds[kind] for kind in choice]
    moved = sum((Counter(there) - before).values())
    criteria = (
        pairs_alike([family for family, _ in there]),
        moved,
        int(len(choice) not in (0, sizes[0])),
        pairs_alike([school for _, school in there]),
    )
    return tuple(criteria[place] for place in order)


def fewest_person_by_person(tables, sizes, order):
    """The same for a tiny hall, everybody sent to every table in turn."""
    people = [(sitter, table) for table in tables for sitter in table.sitters]
    found = []

    def send(number, seated):
        if number < len(people):
            sitter, home = people[number]
            for table in tables:
                if table is home or not (home.locked or table.locked):
                    seated[table.number].append(sitter)
                    send(number + 1, seated)
                    seated[table.number].pop()
            return
        if all(len(there) in (0, *sizes) for there in seated.values()):
            criteria = count_criteria(tables, seated, sizes)
            found.append(tuple(criteria[place] for place in order))

    send(0, {table.number: [] for table in tables})
    return min(found, default=None)


def count_criteria(tables, seated, sizes):
    """The four criteria of an arrangement: whoever sits at each table afterwards, by its number."""
    home = {sitter.id: table.number for table in tables for sitter in table.sitters}
    return (
        sum(pairs_alike([sitter.family for sitter in there]) for there in seated.values()),
        sum(home[sitter.id] != number for number, there in seated.items() for sitter in there),
        sum(len(there) not in (0, sizes[0]) for there in seated.values()),
        sum(pairs_alike([sitter.school for sitter in there]) for there in seated.values()),
    )


def seated_after(tables, plan):
    """Who sits at each table once everybody has moved."""
    known = {sitter.id: sitter for table in tables for sitter in table.sitters}
    going = {move.id: move for move in plan.moves}
    seated = {table.number: [sitter for sitter in table.sitters if sitter.id not in going] for table in tables}
    for move in plan.moves:
        seated[move.destination].append(known[move.id])
    return seated
