"""A pytest plugin for `make reliability`: every property test draws EXAMPLES examples, however few the suite draws."""

import os

import pytest
from hypothesis import is_hypothesis_test, settings


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the property tests alone, each with so many examples."""
    properties = [item for item in items if is_hypothesis_test(getattr(item, "obj", None))]
    config.hook.pytest_deselected(items=[item for item in items if item not in properties])
    items[:] = properties
    for item in properties:
        test = getattr(item.obj, "__func__", item.obj)
        own = test._hypothesis_internal_use_settings
        # By the run's seed, where the suite draws the same each time.
        drawn = settings(own, max_examples=int(os.environ["EXAMPLES"]), deadline=None, derandomize=False)
        test._hypothesis_internal_use_settings = drawn
