"""Draws by weight, from whole numbers alone: every machine draws the same."""

from collections.abc import Sequence
from random import Random


def choose_weighted(random: Random, weights: Sequence[tuple[str, int]]) -> str:
    """One of the words, by its weight."""
    draw = random.randrange(sum(weight for _, weight in weights))
    for word, weight in weights:
        draw -= weight
        if draw < 0:
            return word
    raise AssertionError("weights do not sum up")
