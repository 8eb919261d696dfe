"""A small sample of generated days, and that the oracle's eye is sharp: a careless merge is found out."""

from tests.reliability.sky import figure


def test_no_generated_day_is_called_against_the_rules() -> None:
    made = figure(400, 5)
    assert (made.failures, made.facts["first"]) == (0, [])
    assert min(made.facts[rule] for rule in ("listed now", "listed after the line", "was so", "was clear")) > 100


def test_a_careless_merge_is_found_out() -> None:
    assert figure(400, 5, control=True).failures > 5
