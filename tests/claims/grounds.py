"""The control: each of the product's grounds replaced by what always lets its sentence be said.

Beside it stand a stage and the acts after which that sentence is false.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tournament.queries.grounds import StillOpen

NOTHING_OPEN = StillOpen(0, (), (), (), (), ())


@dataclass(frozen=True)
class Ground:
    """The functions that answer it, as the modules that ask have them, and what they answer instead."""

    stage: str
    acts: tuple[str, ...]
    answers: dict[str, Callable[..., Any]]


def nothing(*_args: Any, **_given: Any) -> list[Any]:
    return []


def nobody(*_args: Any, **_given: Any) -> frozenset[int]:
    return frozenset()


def yes(*_args: Any, **_given: Any) -> bool:
    return True


def nothing_open(*_args: Any, **_given: Any) -> StillOpen:
    return NOTHING_OPEN


GROUNDS = {
    "finished": Ground("playing", ("nothing",), {"tournament.queries.overview.still_open": nothing_open}),
    "settled": Ground("results", ("a sheet is corrected",), {"tournament.services.release.still_open": nothing_open}),
    "counts": Ground(
        "playing",
        (
            "a sheet is handed on",
            "a sheet is certified",
            "a session is broken off",
            "a session is void and replayed",
        ),
        {"tournament.queries.scoresheets.is_ranked": yes},
    ),
    "printed": Ground("seated", ("seats are swapped",), {"tournament.queries.seating.changed_parts": nothing}),
    "recorded": Ground(
        "playing", ("a tablet brings something late",), {"tournament.queries.devices.unsettled": nothing}
    ),
    "in force": Ground(
        "released",
        ("results are mailed", "a release is withdrawn"),
        {"tournament.services.mailings_ending.end_outdated": nothing},
    ),
    "agreed": Ground(
        "awarded", ("a consent is withdrawn",), {"tournament.services.release_addresses.no_longer_in_full": nobody}
    ),
}


@contextmanager
def replaced(name: str) -> Iterator[None]:
    """While it is entered; without a name nothing is replaced."""
    kept = []
    for target, answer in GROUNDS[name].answers.items() if name else ():
        module = import_module(target.rpartition(".")[0])
        attribute = target.rpartition(".")[2]
        kept.append((module, attribute, getattr(module, attribute)))
        setattr(module, attribute, answer)
    try:
        yield
    finally:
        for module, attribute, own in kept:
            setattr(module, attribute, own)
