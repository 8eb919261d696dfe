"""Made-up turns of letters, as the paper has them: for the judge of turns and the re-scorer."""

import random
from collections.abc import Iterator

LETTERS = "AAEEIOULNRST"


def made_up_turns(chance: random.Random, players: int):
    """({letter: [(own words, table words, emptied)]}, {letter: jokers left}, how it ended), without a fault.

    The first word of each is long enough to break the ice; no word comes twice.
    """
    words, lines = _words(chance), chance.randrange(1, 7)
    columns: dict[str, list] = {letter: [] for letter in "ABCD"[:players]}
    for line in range(lines):
        for letter in columns:
            if line == 0:
                turn = ([next(words) + "ING"], [], False)
            else:
                own = [next(words) for _ in range(chance.choice([0, 0, 1, 1, 2]))]
                table = [next(words) for _ in range(chance.choice([0, 0, 0, 1, 3]))]
                turn = (own, table, False)
            columns[letter].append(turn)
    jokers, ended_by = dict.fromkeys(columns, 0), chance.choice(["rummikub", "pool", "time"])
    out = chance.choice(list(columns)) if ended_by == "rummikub" else ""
    if out:
        own, table, _emptied = columns[out][-1]
        columns[out][-1] = (own or [next(words)], table, True)
    for _joker in range(chance.randrange(3)):
        holder = chance.choice([letter for letter in columns if letter != out])
        jokers[holder] += 1
    return columns, jokers, ended_by


def _words(chance: random.Random) -> Iterator[str]:
    """Made-up words of three to six letters, none of them twice, with no letter more than twice."""
    seen: set[str] = set()
    while True:
        word = "".join(chance.sample(LETTERS, chance.randrange(3, 7)))
        if word not in seen:
            seen.add(word)
            yield word
