"""A small sample of the names in public files, and that its eye is sharp: masking by a field's label is found out."""

from tests.reliability.names import figure


def test_no_public_file_shows_more_of_a_name_than_the_rule_allows() -> None:
    made = figure(300, 5)
    assert (made.failures, made.facts["first"]) == (0, [])


def test_masks_by_the_fields_label_are_found_out() -> None:
    assert figure(300, 5, control=True).failures > 50
