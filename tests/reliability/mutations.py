"""Q11: lists that were damaged or forged, each read and imported in a child process with limits; what became of them.

Limits of a child: 512 MiB of addresses, 5 s of processor, 10 s by the clock. A list is read as its seed or refused with
a reason; anything else is a failure: a crash, a hang, too much memory, part of a list entered, text that no seed has.
"""

import io
import json
import os
import random
import resource
import select
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from openpyxl import load_workbook

from tests.entrant_lists import FIXTURES
from tests.reliability.forgeries import SEEDS, Seed, mutate
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Person
from tournament.registration.services import importing, importing_preview
from tournament.setup.services import setup

ADDRESSES = 512 * 1024 * 1024
PROCESSOR = 5
CLOCK = 10.0
RESIDENT = 256 * 1024

Read = Callable[[Event, User, bytes], dict[str, Any]]


@dataclass(frozen=True)
class Outcome:
    """`failures` by kind of `tried`; `refused` with a reason, `read`, `imported`; the most memory, KiB."""

    tried: int
    failures: dict[str, int]
    refused: int
    read: int
    imported: int
    most_resident: int


def empty_event() -> tuple[Event, User]:
    """The event with nobody in it, and its organiser."""
    event = setup.create_event(json.loads((FIXTURES / "event.json").read_text(encoding="utf-8")))
    return event, accounts.create_account(event, "organiser", "a long enough password", "organiser", [Role.ORGANISER])


def read_safely(event: Event, by: User, content: bytes) -> dict[str, Any]:
    """The product's own way from bytes to entrants; taken back at the end."""
    before = Entrant.objects.count()
    with transaction.atomic():
        try:
            kept = importing.read_file(event, name="list", content=content, by=by)
        except Refused as refused:
            return {"status": refused.status, "reason": str(refused)}
        shown = importing_preview.build_preview(kept)
        told = {"status": 200, "encoding": kept.encoding, "cells": [cell for _, cells in kept.rows for cell in cells]}
        faults = [f"{fault.what} {fault.do}" for fault in shown.faults]
        wanted = len(shown.entering) if shown.importable else 0
        if shown.importable:
            importing.import_file(kept, by=by, seen=shown.digest)
        entered = Entrant.objects.count() - before
        transaction.set_rollback(True)
    return {**told, "faults": faults, "wanted": wanted, "entered": entered}


def read_carelessly(event: Event, by: User, content: bytes) -> dict[str, Any]:
    """The control: as lists are often read, whatever they hold, in whatever encoding comes without an error."""
    if content[:2] == b"PK":
        sheet = load_workbook(io.BytesIO(content)).active
        cells = [str(cell.value or "") for row in sheet.iter_rows() for cell in row]
    else:
        cells = content.decode("gb18030", "replace").replace("\n", ",").split(",")
    return {"status": 200, "encoding": "", "cells": cells}


def in_child(read: Read, event: Event, by: User, content: bytes) -> dict[str, Any]:
    """What the child answers; `died` or `hung` where it does not."""
    outlet, inlet = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(outlet)
        answer(read, event, by, content, inlet)
    os.close(inlet)
    return wait_for(child, outlet)


def answer(read: Read, event: Event, by: User, content: bytes, inlet: int) -> None:
    """In the child: limits, a connection of its own, the answer down the pipe, and the end."""
    most = already_mapped() + ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
    connection.connection = None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        told = read(event, by, content)
    except BaseException as error:
        told = {"crash": f"{type(error).__name__}: {error}"[:200]}
    told["resident"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    with os.fdopen(inlet, "w") as pipe:
        json.dump(told, pipe)
    os._exit(0)


def already_mapped() -> int:
    """Bytes of addresses that the child got from its parent by forking: what reading takes comes on top of them."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def wait_for(child: int, outlet: int) -> dict[str, Any]:
    """The answer, within the clock's limit."""
    until, text = time.monotonic() + CLOCK, b""
    with os.fdopen(outlet, "rb", buffering=0) as pipe:
        while time.monotonic() < until:
            ready, _, _ = select.select([pipe], [], [], max(until - time.monotonic(), 0))
            piece = pipe.read(65536) if ready else b""
            if not piece:
                break
            text += piece
    if time.monotonic() >= until:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return {"hung": True}
    _pid, status = os.waitpid(child, 0)
    return json.loads(text) if text and status == 0 else {"died": status}


CODECS = {"UTF-8": "utf-8", "UTF-16": "utf-16", "Big5-HKSCS": "big5hkscs"}


def faults_of(seed: Seed, content: bytes, told: dict[str, Any]) -> list[str]:
    """What is wrong with an answer, by kind; nothing: it is as it must be."""
    found = [kind for kind in ("crash", "died", "hung") if kind in told]
    if found:
        return found
    if told["resident"] > RESIDENT:
        found.append("memory")
    if told["status"] != 200:
        return found if told.get("reason") and told["status"] in (400, 413, 415) else [*found, "no_reason"]
    if told.get("entered", 0) != told.get("wanted", 0):
        found.append("partial")
    known = seed.characters
    if seed.encoding:  # a byte that was changed is another character of the same encoding: the file's own
        known |= frozenset(content.decode(CODECS[seed.encoding], "ignore"))
    if any(strange(cell, known) for cell in told["cells"] if cell):
        found.append("wrong_text")
    return found


def strange(cell: str, known: frozenset[str]) -> bool:
    """Chinese that neither a seed nor the file in its own encoding has: read in another one."""
    return any("\u2e80" <= character <= "\U0003ffff" and character not in known for character in cell)


def state_of(event: Event) -> tuple[int, ...]:
    """What no refused file may change."""
    kinds = (Entrant, EntrantFile, Person)
    return tuple(kind.objects.count() for kind in kinds)


def run(event: Event, by: User, n: int, seed: int, read: Read = read_safely) -> Outcome:
    """So many mutations of the seeds in turn, the same for the same number."""
    dice = random.Random(seed)
    kinds: Counter[str] = Counter()
    refused = whole = imported = most = 0
    before = state_of(event)
    for count in range(n):
        chosen = SEEDS[count % len(SEEDS)]
        content = mutate(chosen, dice) if count >= len(SEEDS) else chosen.content
        connection.close()
        told = in_child(read, event, by, content)
        found = faults_of(chosen, content, told)
        if state_of(event) != before:
            found.append("database")
        kinds.update(found[:1])
        refused += told.get("status", 200) != 200
        whole += told.get("status") == 200
        imported += told.get("entered", 0) > 0
        most = max(most, told.get("resident", 0))
    return Outcome(n, dict(kinds), refused, whole, imported, most)
