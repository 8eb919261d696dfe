"""A small sample of Q10 in the suite, and its control: a document that promises less makes the tool speak up."""

import pytest

from tests.reliability import fuzz
from tests.reliability.fuzz_world import FuzzWorld, make_fuzz_world


@pytest.fixture
def world(db: None) -> FuzzWorld:
    """Three events."""
    return make_fuzz_world()


@pytest.mark.fault("V4")
@pytest.mark.fault("V10")
def test_no_request_of_an_organiser_or_of_nobody_gets_an_answer_that_is_not_documented(world: FuzzWorld) -> None:
    found = fuzz.fuzz(world, each=2, seed_of_run=1, roles=("organiser", "anonymous"))
    assert found.failures == []
    assert found.sent >= 2 * 2 * (len(found.answers) - 1)


def test_the_tool_speaks_up_where_the_document_is_wrong(world: FuzzWorld) -> None:
    found = fuzz.fuzz(world, each=1, seed_of_run=1, roles=("organiser",), document_tried=fuzz.false_document())
    assert any("/api/v1/events/" in failure for failure in found.failures)
