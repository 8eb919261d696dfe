"""The figure of the last word in small, and that its control shows what it must."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.reliability.databases import database_url
from tests.reliability.last_word import run
from tests.reliability.mail_workers import unasking, without_broker
from tournament.core.models.event import Event


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("without", ["", "careless", "deaf"], ids=["as it is", "asking nothing", "deaf"])
def test_the_last_mail_of_each_family_is_the_newest_notice_or_it_is_on_the_list(
    without: str, event: Event, organiser: User, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"count": 40, "rounds": 3, "kills": 1, "seed": 2, "patience": 60}
    careless, deaf = without == "careless", without == "deaf"
    hands, given = unasking if careless else without_broker, {**given, "careless": careless, "deaf": deaf}
    outcome = run(event, organiser, hands, tmp_path, database=database_url(), **given)
    assert (outcome.notices, outcome.wrong > 0, outcome.stopped > 0) == (3, bool(without), not careless), outcome
    assert outcome.returned > 0
