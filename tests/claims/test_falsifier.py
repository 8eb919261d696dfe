"""The falsifier in small: what pages say before and after a few acts; and its sentences are those of the pages."""

import json
from pathlib import Path
from random import Random

import pytest

from tests.claims.agreement import disagreements, said_by
from tests.claims.claims import CLAIMS
from tests.claims.falsifier import Outcome, at_home, notices, one_moment, read_of, seeded
from tests.claims.pages import Read, pages_of
from tests.core.translatable import everything_said


def test_every_sentence_that_is_asked_is_one_that_pages_say() -> None:
    said = {" ".join(sentence.rpartition("|")[2].split()) for sentence, _where in everything_said()}
    assert [claim.msgid for claim in CLAIMS if " ".join(claim.msgid.split()) not in said] == []


def test_a_page_that_calls_settled_what_the_api_calls_open_is_named_with_it() -> None:
    api = {"blocks": [{"code": "items_held"}], "final": None, "releases": []}
    pages = [Read("overview", "Cut settled 12 advance"), Read("api/releases/", json.dumps(api))]
    [found] = disagreements(pages)
    assert found.startswith("results of the preliminary: {'settled': ['overview'], 'open': ['api/releases/']")
    assert disagreements([Read("overview", "Cut open"), pages[1]]) == []


@pytest.mark.long
@pytest.mark.once
@pytest.mark.django_db
def test_no_page_says_what_is_not_true_and_a_ground_that_is_lost_is_noticed(tmp_path: Path) -> None:
    found = Outcome()
    with at_home(tmp_path):
        event = seeded("released", 2, tmp_path)
        for chain in (["nothing"], ["somebody is disqualified"], ["results are mailed", "a release is withdrawn"]):
            one_moment(event, "released", chain, Random(1), found)
        assert (found.wrong, found.trials, sum(found.read.values()) > 50) == ([], 3, True)
        assert notices(event, "in force")
        told = [(thing, page.name) for page in pages_of(event, read_of(event)) for thing, _value in said_by(page)]
        assert {("results of the preliminary", "overview"), ("results of the preliminary", "api/releases/")} <= {*told}
        assert {"sheets of the preliminary", "release in public", "anything in public"} <= {
            thing for thing, _name in told
        }
