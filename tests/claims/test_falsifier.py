"""The falsifier in small: what pages say before and after a few acts; and its sentences are those of the pages."""

from pathlib import Path
from random import Random

import pytest

from tests.claims.claims import CLAIMS
from tests.claims.falsifier import Outcome, at_home, notices, one_moment, seeded
from tests.tournament.translatable import everything_said


def test_every_sentence_that_is_asked_is_one_that_pages_say() -> None:
    said = {" ".join(sentence.rpartition("|")[2].split()) for sentence, _where in everything_said()}
    assert [claim.msgid for claim in CLAIMS if " ".join(claim.msgid.split()) not in said] == []


@pytest.mark.django_db
def test_no_page_says_what_is_not_true_and_a_ground_that_is_lost_is_noticed(tmp_path: Path) -> None:
    found = Outcome()
    with at_home(tmp_path):
        event = seeded("released", 2, tmp_path)
        for chain in (["nothing"], ["somebody is disqualified"], ["results are mailed", "a release is withdrawn"]):
            one_moment(event, "released", chain, Random(1), found)
        assert (found.wrong, found.trials, sum(found.read.values()) > 50) == ([], 3, True)
        assert notices(event, "in force")
