"""What the figures of the tree count, on a small tree of either layout."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.house_figures import (
    complex_functions,
    docstring_figures,
    figures,
    names_with_several_meanings,
    two_way_pairs,
)

ROOT = Path(__file__).resolve().parent.parent.parent

BY_LAYERS = {
    "scoring/game.py": (
        '"""One game and its points."""\n\nLIMIT = 3\n\n\ndef read() -> None:\n    """Four words are few."""\n'
    ),
    "tournament/services/seating.py": "from tournament.services import clock\n\n\ndef read() -> None:\n    pass\n",
    "tournament/services/clock.py": "from tournament.queries import seating_rooms\n\nROOT = 1\n",
    "tournament/queries/seating_rooms.py": "ROOT = 2\n\n\ndef _read() -> None:\n    pass\n",
    "tournament/static/vendor/code.js": "one\ntwo\n",
    "tests/tournament/services/test_clock.py": '"""So."""\n',
}
BY_ROOMS = {
    "tournament/events/models.py": "from tournament.seating import queries\n",
    "tournament/seating/__init__.py": 'OFFERS = ("queries",)\n',
    "tournament/seating/queries.py": "",
    "tournament/seating/services.py": "from tournament.events.models import Event\n",
    "tournament/events/__init__.py": "",
    "tournament/events/urls.py": "from tournament.events.models import Event\n",
    "tests/seating/test_draw.py": "LINES = 1\n",
}


def make(folder: Path, files: dict[str, str]) -> Path:
    """A tree with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    """A tree by layers, with one of everything that is counted."""
    return make(tmp_path, BY_LAYERS)


def test_a_name_counts_once_for_all_modules_that_define_it_and_conventions_do_not(layers: Path) -> None:
    assert names_with_several_meanings(layers) == {"read": ["scoring.game", "tournament.services.seating"]}


def test_docstrings_under_five_words_are_counted_beside_all(layers: Path) -> None:
    assert docstring_figures(layers, "scoring") == {"all": 2, "under_five_words": 1}
    assert docstring_figures(layers, "tests") == {"all": 1, "under_five_words": 1}


def test_by_layers_features_that_import_each_other_are_a_pair(layers: Path) -> None:
    assert two_way_pairs(layers) == ["clock seating"]


def test_by_rooms_rooms_that_import_each_other_are_a_pair(tmp_path: Path) -> None:
    found = figures(make(tmp_path, BY_ROOMS))
    assert found["two_way_pairs"] == {"count": 1, "of": "rooms", "pairs": ["events seating"]}
    assert found["imports_past_init"]["where"] == ["tournament.seating.services imports tournament.events.models"]
    assert found["size"]["seating"] == {"product_files": 3, "product_lines": 2, "test_files": 1, "test_lines": 1}


def test_vendored_files_are_nobodys_lines(layers: Path) -> None:
    assert figures(layers)["total"] == {"product_files": 4, "product_lines": 20, "test_files": 1, "test_lines": 1}


def test_a_function_of_many_branches_is_named_with_its_place(tmp_path: Path) -> None:
    branches = "".join(f"    if x == {number}:\n        return {number}\n" for number in range(21))
    found = complex_functions(make(tmp_path, {"scoring/long.py": f"def f(x):\n{branches}"}))
    assert found == ["scoring/long.py:1 `f` is too complex (22 > 20)"]


def test_it_runs_alone_on_any_checkout(layers: Path) -> None:
    command = [sys.executable, "-I", str(ROOT / "scripts" / "house_figures.py"), str(layers), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stdout)["two_way_pairs"]["count"]) == (0, 1)
