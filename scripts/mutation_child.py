"""A child of this process that becomes one mutant and runs tests until one fails; the parent stays as it was."""

import cProfile
import os
import pickle
import signal
import time
from collections.abc import Callable, Sequence
from types import CodeType
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from scripts.mutants import CodeKey, NotPut, code_key

SECONDS_PER_MUTANT = 120
Reached = frozenset[tuple[str, CodeKey]]


class Outcome(NamedTuple):
    """`killed`, `survived`, `too slow` (its time was over: noticed too) or `left out` (no such mutant can be made)."""

    result: str
    by: str = ""
    seconds: float = 0.0


class Timed(NamedTuple):
    """What a test did without a mutant: whether it passed, how long it took, which functions it called."""

    passed: bool
    seconds: float
    reached: Reached


def in_child(put: Callable[[], None], run: Callable[[], str], seconds: int = SECONDS_PER_MUTANT) -> Outcome:
    """Fork, put the mutant in, run; `run` gives the name of the test that failed, or nothing."""
    began = time.monotonic()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        become(put, run, writing, seconds)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _pid, status = os.waitpid(child, 0)
    spent = round(time.monotonic() - began, 2)
    if os.WIFSIGNALED(status):
        return Outcome("too slow" if os.WTERMSIG(status) == signal.SIGALRM else "killed", "the process ended", spent)
    result, by = pickle.loads(told)
    if result == "broken":
        raise RuntimeError(f"the mutant could not be put in: {by}")
    return Outcome(result, by, spent)


def become(put: Callable[[], None], run: Callable[[], str], writing: int, seconds: int) -> None:
    """In the child; never returns."""
    silence = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(silence, number)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)
    try:
        put()
    except NotPut as problem:
        answer = ("left out", repr(problem))
    except Exception as problem:
        answer = ("broken", repr(problem))
    else:
        failed = run()
        answer = ("killed", failed) if failed else ("survived", "")
    os.write(writing, pickle.dumps(answer))
    os._exit(0)


def run_items(items: Sequence[pytest.Item]) -> str:
    """The name of the first test that fails."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
            return item.nodeid
    return ""


def call_item(item: pytest.Item) -> str:
    """The same of one test whose fixtures are made."""
    try:
        item.ihook.pytest_runtest_call(item=item)
    except BaseException:
        return item.nodeid
    return ""


def timed_items(items: Sequence[pytest.Item]) -> dict[str, Timed]:
    """Each test without a mutant, in a child, so that nothing is kept of it here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump({item.nodeid: timed(item) for item in items}, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found: dict[str, Timed] = pickle.load(pipe)
    os.waitpid(child, 0)
    return found


def timed(item: pytest.Item) -> Timed:
    profile, began = cProfile.Profile(), time.process_time()
    profile.enable()
    failed = run_items([item])
    profile.disable()
    codes = (entry.code for entry in profile.getstats() if isinstance(entry.code, CodeType))
    reached = frozenset(
        (code.co_filename, code_key(code)) for code in codes if "/site-packages/" not in code.co_filename
    )
    return Timed(not failed, time.process_time() - began, reached)
