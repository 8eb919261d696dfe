"""No verifier finds anything where only the services have written, whatever they did in whatever order."""

import pytest

from tests.reliability import false_alarms, histories


@pytest.mark.django_db
def test_a_random_legal_history_raises_no_alarm() -> None:
    found, done = false_alarms.run(histories.make_event(), 8, 1)
    assert found == []
    assert sum(done.values()) == 8 * histories.STEPS
    assert len(set(done) & set(histories.ACTS)) > 20
