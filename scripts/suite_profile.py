"""reports/profile-NAME.txt of what tests/profiling.py has measured: the slowest tests, and the dearest fixtures."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SLOWEST = 60


def table_of_fixtures(lines: Iterable[dict[str, Any]]) -> list[str]:
    """By fixture: the seconds of all its makings without those of the fixtures it asks for, and their number."""
    seconds: dict[str, float] = defaultdict(float)
    times: dict[str, int] = defaultdict(int)
    for line in lines:
        seconds[line["name"]] += line["own"]
        times[line["name"]] += 1
    dearest = sorted(seconds, key=lambda name: -seconds[name])[:SLOWEST]
    return [f"{seconds[name]:9.2f} s {times[name]:6} times  {name}" for name in dearest]


def profile_text(lines: list[dict[str, Any]]) -> str:
    """The whole profile, as a person reads it."""
    tests = [line for line in lines if line["kind"] == "test"]
    files: dict[str, float] = defaultdict(float)
    for line in tests:
        files[line["name"].partition("::")[0]] += line["wall"]
    slowest = sorted(tests, key=lambda line: -line["wall"])[:SLOWEST]
    wall, cpu = (sum(line[name] for line in tests) for name in ("wall", "cpu"))
    return "\n".join(
        [
            f"{len(tests)} tests, {wall:.0f} s in all processes, of them {cpu:.0f} s computing",
            "\nThe slowest tests (seconds, of them computing):",
            *(f"{line['wall']:9.2f} s {line['cpu']:8.2f} s  {line['name']}" for line in slowest),
            "\nFixtures, without those they ask for:",
            *table_of_fixtures(line for line in lines if line["kind"] == "set-up"),
            "\nFiles:",
            *(f"{files[name]:9.2f} s  {name}" for name in sorted(files, key=lambda name: -files[name])[:SLOWEST]),
            "",
        ]
    )


def write_profile(measured: Path, report: Path) -> None:
    """Read the lines of every process of a suite; none where the suite did not begin."""
    if measured.exists():
        text = measured.read_text(encoding="utf-8")
        report.write_text(profile_text([json.loads(line) for line in text.splitlines()]), encoding="utf-8")
