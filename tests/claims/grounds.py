"""The control: each of the product's grounds replaced by what always lets its sentence be said.

Beside it stand a stage and the acts after which that sentence is false.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from scoring.certainty import IN, PROVISIONAL, Certainty
from tournament.bridge.standings import LiveRanking, certainty_of
from tournament.queries.grounds import StillOpen
from tournament.services.backup_kept import Standing, kept

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


def none(*_args: Any, **_given: Any) -> None:
    return None


def yes(*_args: Any, **_given: Any) -> bool:
    return True


def nothing_open(*_args: Any, **_given: Any) -> StillOpen:
    return NOTHING_OPEN


def all_in(live: LiveRanking) -> dict[int, Certainty]:
    """Whoever is open is said to be in."""
    found = CERTAINTY_OF(live)
    return {number: replace(one, state=IN) if one.state == PROVISIONAL else one for number, one in found.items()}


def newest_is_whole() -> Standing:
    """Whatever its bytes are."""
    there = kept()
    return Standing(there[0] if there else None, [], None)


CERTAINTY_OF = certainty_of

GROUNDS = {
    "finished": Ground("playing", ("nothing",), {"tournament.queries.grounds.still_open": nothing_open}),
    "settled": Ground("results", ("a sheet is corrected",), {"tournament.queries.grounds.StillOpen.is_settled": yes}),
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
    "certain": Ground("playing", ("nothing",), {"tournament.bridge.standings.certainty_of": all_in}),
    "told": Ground(
        "released", ("results are mailed", "a notice is published"), {"tournament.bridge.recipients.is_told": yes}
    ),
    "recorded": Ground(
        "playing", ("a tablet brings something late",), {"tournament.queries.devices.unsettled": nothing}
    ),
    "backed up": Ground(
        "playing", ("a backup is cut off",), {"tournament.services.backup_kept.backed_up": newest_is_whole}
    ),
    "in force": Ground(
        "released",
        ("results are mailed", "a release is withdrawn"),
        {"tournament.bridge.mailing_subjects.why_ended": none},
    ),
    "printed": Ground("seated", ("seats are swapped",), {"tournament.queries.seating.changed_parts": nothing}),
    "agreed": Ground(
        "awarded", ("a consent is withdrawn",), {"tournament.bridge.release_consent.no_longer_in_full": nobody}
    ),
}


@contextmanager
def replaced(name: str) -> Iterator[None]:
    """While it is entered, in every module that has it; without a name nothing is replaced."""
    kept_own = []
    for target, answer in GROUNDS[name].answers.items() if name else ():
        for owner, attribute in owners(target):
            kept_own.append((owner, attribute, getattr(owner, attribute)))
            setattr(owner, attribute, answer)
    try:
        yield
    finally:
        for owner, attribute, own in kept_own:
            setattr(owner, attribute, own)


def owners(target: str) -> list[tuple[Any, str]]:
    """The class that has it; or its module, and every one of the program's that has imported it."""
    name, _, attribute = target.rpartition(".")
    module, _, last = name.rpartition(".")
    if last[0].isupper():
        return [(getattr(import_module(module), last), attribute)]
    own = getattr(import_module(name), attribute)
    ours = [one for path, one in sys.modules.items() if path.startswith("tournament.")]
    return [(one, attribute) for one in ours if getattr(one, attribute, None) is own]
