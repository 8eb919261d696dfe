"""A mutant of `make mutations` is put into what is loaded, in a child that alone has it."""

import gc
from pathlib import Path

import pytest

from scoring import entry
from scripts.mutants import python_mutants
from scripts.mutation_child import in_child

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = {one.name: one for one in python_mutants("scoring", ROOT, ROOT / "scoring" / "entry.py")}
DECIMAL = "scoring/entry.py _read_decimal | other operator | int(found[2]) * unit -> int(found[2]) + unit"


def read_points() -> str:
    return str(entry.read_typed_points("11.5"))


def test_a_function_that_is_loaded_becomes_the_mutant_in_the_child_alone_though_garbage_is_frozen() -> None:
    before = read_points()
    gc.freeze()
    outcome = in_child(MUTANTS[DECIMAL].put, lambda: "" if read_points() == before else "another answer")
    assert (outcome.result, outcome.by, read_points()) == ("killed", "another answer", before)


def test_every_mutant_of_a_file_has_a_name_of_its_own() -> None:
    assert len(MUTANTS) == len(python_mutants("scoring", ROOT, ROOT / "scoring" / "entry.py")) > 50


def test_a_mutant_that_cannot_be_put_in_for_an_unknown_reason_is_not_left_out_in_silence() -> None:
    def fail() -> None:
        raise LookupError("no such app")

    with pytest.raises(RuntimeError, match="no such app"):
        in_child(fail, lambda: "")
