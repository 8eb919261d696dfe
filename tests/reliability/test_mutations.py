"""A small sample of Q11, and that its eye is sharp: a reader without the house's limits is found out."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.reliability import mutations
from tests.reliability.forgeries import SEEDS
from tournament.core.models.event import Event


def test_every_seed_is_read_and_imported_whole(event: Event, organiser: User) -> None:
    for seed in SEEDS:
        told = mutations.read_safely(event, organiser, seed.content)
        assert (
            seed.name,
            told["faults"],
            told["entered"],
            mutations.faults_of(seed, seed.content, {**told, "resident": 0}),
        ) == (
            seed.name,
            [],
            6,
            [],
        )


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_sixty_damaged_lists_are_read_as_their_seeds_or_refused(event: Event, organiser: User) -> None:
    outcome = mutations.run(event, organiser, 60, 1)
    assert (outcome.tried, outcome.failures, outcome.refused + outcome.read) == (60, {}, 60)


def test_a_careless_reader_is_found_out() -> None:
    seed = next(seed for seed in SEEDS if seed.name == "big5-hkscs")
    rows = list(csv.reader(io.StringIO(seed.content.decode("gb18030", "replace"))))
    told: dict[str, Any] = {"status": 200, "encoding": seed.encoding, "cells": rows[1], "resident": 0}
    assert mutations.faults_of(seed, seed.content, told) == ["wrong_text"]
    assert mutations.faults_of(seed, seed.content, {**told, "cells": [], "entered": 3, "wanted": 6}) == ["partial"]
    assert mutations.faults_of(seed, seed.content, {"hung": True}) == ["hung"]
