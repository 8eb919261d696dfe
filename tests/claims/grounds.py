"""The control: each of the product's grounds replaced by what always lets its sentence be said.

Beside it stand a stage and the acts after which that sentence is false.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from scoring.certainty import CERTAIN_IN, CERTAINTY_PROVISIONAL, Certainty
from tournament.operations.services.backup_kept import BackupStatus, kept_backups
from tournament.ranking.domain.standings import LiveRanking, certainty_by_number
from tournament.ranking.queries.open_stages import StillOpen

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
    return {
        number: replace(one, state=CERTAIN_IN) if one.state == CERTAINTY_PROVISIONAL else one
        for number, one in found.items()
    }


def newest_is_whole() -> BackupStatus:
    """The newest backup, called whole without a look at its bytes."""
    there = kept_backups()
    return BackupStatus(there[0] if there else None, [], None)


CERTAINTY_OF = certainty_by_number

GROUNDS = {
    "finished": Ground("playing", ("nothing",), {"tournament.ranking.queries.open_stages.still_open": nothing_open}),
    "settled": Ground(
        "results", ("a sheet is corrected",), {"tournament.ranking.queries.open_stages.StillOpen.is_settled": yes}
    ),
    "counts": Ground(
        "playing",
        (
            "a sheet is handed on",
            "a sheet is certified",
            "a session is broken off",
            "a session is void and replayed",
        ),
        {"tournament.sheets.queries.scoresheets.is_ranked": yes},
    ),
    "certain": Ground("playing", ("nothing",), {"tournament.ranking.domain.standings.certainty_by_number": all_in}),
    "told": Ground(
        "released",
        ("results are mailed", "a notice is published"),
        {"tournament.messages.domain.told.is_mailed_already": yes},
    ),
    "recorded": Ground(
        "playing", ("a tablet brings something late",), {"tournament.devices.queries.unresolved_submissions": nothing}
    ),
    "backed up": Ground(
        "playing",
        ("a backup is cut off",),
        {"tournament.operations.services.backup_kept.backup_status": newest_is_whole},
    ),
    "in force": Ground(
        "released",
        ("results are mailed", "a release is withdrawn"),
        {"tournament.messages.domain.mail_subjects.mailing_ended_reason": none},
    ),
    "printed": Ground(
        "seated", ("seats are swapped",), {"tournament.tables.queries.seating.changed_paper_parts": nothing}
    ),
    "agreed": Ground(
        "awarded", ("a consent is withdrawn",), {"tournament.publication.domain.consent.no_longer_in_full": nobody}
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
