"""The figure of the last word in small, and that its control shows what it must."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.reliability.databases import database_url
from tests.reliability.last_word import run
from tests.reliability.mail_workers import unasking, without_broker
from tournament.models import Event


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("careless", [False, True], ids=["as it is", "asking nothing"])
def test_the_last_mail_of_each_family_is_the_newest_notice_or_it_is_on_the_list(
    careless: bool, event: Event, organiser: User, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"count": 40, "rounds": 3, "kills": 1, "seed": 2, "patience": 60}
    hands = unasking if careless else without_broker
    outcome = run(event, organiser, hands, tmp_path, careless=careless, database=database_url(), **given)
    assert (outcome.notices, outcome.wrong > 0, outcome.stopped > 0) == (3, careless, not careless), outcome
