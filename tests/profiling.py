"""Where the suite's time goes: seconds by test and by fixture, for reports/profile-*.jsonl.

Loaded by `-p tests.profiling` with SUITE_PROFILE naming the file that each process appends its lines to. `wall` is what
a person waits, `cpu` what the process and the programs that it waited for computed.
"""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

lines: list[dict[str, Any]] = []
# Seconds of fixtures that ran inside the one being made, to be taken off it.
inner: list[list[float]] = [[0.0, 0.0]]


def now() -> tuple[float, float]:
    used = os.times()
    return time.monotonic(), used.user + used.system + used.children_user + used.children_system


def measured(kind: str, name: str) -> Generator[None, Any, Any]:
    wall, cpu = now()
    inner.append([0.0, 0.0])
    try:
        return (yield)
    finally:
        wall, cpu = (after - before for after, before in zip(now(), (wall, cpu), strict=True))
        inside = inner.pop()
        inner[-1][0] += wall
        inner[-1][1] += cpu
        lines.append({"kind": kind, "name": name, "wall": wall, "cpu": cpu, "own": wall - inside[0]})


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from measured("test", item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, Any, Any]:
    return (yield from measured("set-up", f"{fixturedef.baseid}::{fixturedef.argname}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, Any, Any]:
    return (yield from measured("set-up", "::teardown"))


def pytest_sessionfinish() -> None:
    path = os.environ.get("SUITE_PROFILE")
    if path and lines:
        with Path(path).open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
