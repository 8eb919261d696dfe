"""The falsifier: acts are done at each stage of an event's day, all pages are read again, and every sentence there that
is not true any more is a failure.

What is true is asked of rows alone (facts.py), sentence by sentence (claims.py). Control: each ground of the product's
is replaced by "true", and a sentence must be found that is not.
"""

import itertools
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from django.conf import settings
from django.db import transaction
from django.test import TestCase, override_settings

from tests.claims.acts import ACTS
from tests.claims.agreement import disagreements
from tests.claims.claims import claims_on
from tests.claims.facts import Facts, numbers_near
from tests.claims.grounds import GROUNDS, replaced
from tests.claims.outgoing import outgoing_of
from tests.claims.pages import Read, pages_of
from tests.claims.world import World
from tests.small_event import ADVANCE, small_fixtures
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.demo.stages import DEMO_STAGES, seed_event
from tournament.operations.services import backup

LATER = "2099-12-31"
LONGEST, TRIES = 3, 8
# The small event's seed: by it the line is tied in full, as every demo needs.
PLAYED = 2
QUIET = {
    "ALLOWED_HOSTS": ["testserver"],
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    "OBSERVATORY_URL": "",
    "SITE_URL": "https://rummikub.example.org",
    "DISK_WARNING": 0,
    "BACKUP_DIR": "",
}


@dataclass
class Outcome:
    """`read` sentences at `trials` moments; those that were `wrong`, with the stage and the acts before."""

    trials: int = 0
    read: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


def chains(count: int, random: Random) -> Iterator[list[str]]:
    """Each act alone, in a random order; then chains of two and three."""
    yield from [[name] for name in random.sample(list(ACTS), k=min(count, len(ACTS)))]
    for _more in range(count - len(ACTS)):
        yield random.sample(list(ACTS), k=random.randint(2, LONGEST))


def run(count: int, seed: int, stages: tuple[str, ...] = DEMO_STAGES) -> tuple[Outcome, dict[str, bool]]:
    """So many moments, spread over the stages; and for each ground whether its replacement by "true" was found."""
    found, random, noticed = Outcome(), Random(seed), dict[str, bool]()
    each = [count // len(stages) + (place < count % len(stages)) for place in range(len(stages))]
    with tempfile.TemporaryDirectory(prefix="claims-") as folder, at_home(Path(folder)):
        for stage, trials in zip(stages, each, strict=True):
            with undone():
                event = seeded(stage, PLAYED, Path(folder))
                for chain in chains(trials, random):
                    one_moment(event, stage, chain, random, found)
                noticed |= {name: notices(event, name) for name, one in GROUNDS.items() if one.stage == stage}
    return found, noticed


def notices(event: Event, ground: str) -> bool:
    """Whether a sentence that is not true is found where this ground says "true"; chance may choose a session that
    cannot be acted upon."""
    own = GROUNDS[ground]
    return any(says_what_is_not_so(event, list(own.acts), Random(again), ground) for again in range(TRIES))


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """Files in a folder of their own; static files as they lie."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    own = {"VAR_DIR": folder, "PUBLIC_ROOT": folder / "public", "STORAGES": {**settings.STORAGES, "staticfiles": plain}}
    with override_settings(**QUIET, **own):
        yield


@contextmanager
def undone() -> Iterator[None]:
    """Rows and public files are put back; what waits for the commit is done before."""
    public = Path(settings.PUBLIC_ROOT)
    kept = public.with_name(f"kept-{len(list(public.parent.glob('kept-*')))}")
    if public.exists():
        shutil.copytree(public, kept, symlinks=True)
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        shutil.rmtree(public, ignore_errors=True)
        shutil.rmtree(backup.backup_folder(), ignore_errors=True)
        if kept.exists():
            kept.rename(public)


def seeded(stage: str, seed: int, folder: Path) -> Event:
    """The small event at this stage; the day of erasing its data is far off, so that nothing of it waits."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        event = seed_event(stage, seed, small_fixtures(folder / "fixtures"))
        Event.objects.filter(pk=event.pk).update(retention_on=LATER)
    return Event.objects.get(pk=event.pk)


def one_moment(event: Event, stage: str, chain: list[str], random: Random, found: Outcome) -> None:
    """The acts are done, all pages read and every sentence asked."""
    with moment(event, chain, random, found) as read:
        pages = list(read)
        said = list(claims_on(event, pages))
        found.trials += 1
        found.read += Counter(sentence for sentence, _wrong in said)
        wrong = [one for _sentence, one in said if one]
        found.wrong += [f"{stage}, {' and '.join(chain)}: {one}" for one in [*wrong, *disagreements(pages)]]


def says_what_is_not_so(event: Event, chain: list[str], random: Random, ground: str) -> bool:
    """The same with this ground replaced; the first page that says so is enough."""
    pages = []
    with moment(event, chain, random, Outcome(), ground) as read:
        for page in read:
            pages.append(page)
            if any(wrong for _sentence, wrong in claims_on(event, [page])):
                return True
        return bool(disagreements(pages))


@contextmanager
def moment(
    event: Event, chain: list[str], random: Random, found: Outcome, ground: str = ""
) -> Iterator[Iterator[Read]]:
    """The pages, and what goes out, after these acts; all is as it was afterwards."""
    with undone(), replaced(ground):
        numbers = read_of(event)
        world = World(event, random, numbers)
        for name in chain:
            do(world, name, found)
        yield itertools.chain(pages_of(event, numbers, world.touched), outgoing_of(event, numbers))


def read_of(event: Event) -> list[int]:
    """Entrants whose own pages are read: on both sides of the line, and who leads the final."""
    near = numbers_near(ADVANCE, Facts(event, "preliminary").ranking)
    first = [line[0] for line in Facts(event, "final").ranking[:2]]
    return list(dict.fromkeys([*first, *near])) or [1, 2]


def do(world: World, name: str, found: Outcome) -> None:
    """An act that the stage refuses changes nothing."""
    try:
        with transaction.atomic(), TestCase.captureOnCommitCallbacks(execute=True):
            ACTS[name](world)
        found.acts[name] += 1
    except Refused:
        found.refused[name] += 1
