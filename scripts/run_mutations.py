"""`make mutations`: mutants of scoring, of triggers and of permissions, and which of them no test notices (Q22).

One process collects the tests once and becomes each mutant in a child of its own, so that no file is touched and
nothing is imported twice. SCALE makes the sample smaller or larger; AREAS="triggers" asks for less. Writes
reports/mutations.json. A survivor that tests/explained_mutants.toml does not explain fails the command.
"""

import json
import os
import random
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings

import tests.reliability.django_ready  # noqa: F401  # before any model is imported
from scripts import mutants_of_rules
from scripts.mutants import Mutant, python_mutants, spread
from scripts.mutation_child import Outcome, call_item, in_child, run_items, timed_items
from scripts.mutation_database import database_in_memory

PROJECT_ROOT = Path(__file__).resolve().parent.parent
REPORT = PROJECT_ROOT / "reports" / "mutations.json"
EXPLAINED = PROJECT_ROOT / "tests" / "explained_mutants.toml"
SEED = 20260328
COUNTS = {"scoring": 180, "triggers": 60, "permissions": 60}
LEAST_KILLED = 0.9
GUARD_TESTS = ("tests/audit/test_guard_rules.py", "tests/audit/test_guard_records.py", "tests/audit/test_guards.py")
ROLE_TESTS = ("tests/core/test_rights.py", "tests/accounts/services/test_roles.py")
MATRIX_TEST = "tests/core/test_permissions_matrix.py::test_every_role_at_every_address_gets_what_its_row_says"
TESTS = {"scoring": ("tests/scoring",), "triggers": GUARD_TESTS, "permissions": (*ROLE_TESTS, MATRIX_TEST)}
PERMISSION_FILES = (
    "tournament/core/permissions.py",
    "tournament/core/queries/roles.py",
    "tournament/accounts/services/roles.py",
)
# So many addresses of the matrix for a mutant that is not about one of them.
ADDRESSES = 30
Results = list[tuple[Mutant, Outcome]]


def survivors_explained() -> dict[str, str]:
    """Reason by name."""
    listed = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("explained", [])
    return {one["mutant"]: one["reason"] for one in listed}


class Progress:
    """Says every ten mutants, and each survivor, where it stands."""

    def __init__(self, area: str, count: int) -> None:
        self.area, self.count, self.results, self.began = area, count, Results(), time.monotonic()

    def add(self, mutant: Mutant, outcome: Outcome) -> None:
        self.results.append((mutant, outcome))
        if outcome.result == "survived":
            print(f"survived: {mutant.name}", flush=True)
        if len(self.results) % 10 == 0:
            spent = time.monotonic() - self.began
            print(f"{self.area}: {len(self.results)} of {self.count}, {spent:.0f} s", flush=True)


def run_scoring(items: Sequence[pytest.Item], count: int, chance: random.Random) -> Results:
    """Each mutant against the tests that call its function, the quick ones first."""
    timed = timed_items(items)
    refuse_red([name for name, one in timed.items() if not one.passed])
    files = sorted((PROJECT_ROOT / "scoring").glob("*.py"))
    mutants = [one for path in files for one in python_mutants("scoring", PROJECT_ROOT, path)]
    progress = Progress("scoring", count)
    print(f"scoring: {len(mutants)} mutants, {len(items)} tests", flush=True)
    for mutant in spread(mutants, len(mutants), chance):
        if len(progress.results) == count:
            break
        own = [item for item in items if mutant.reach in timed[item.nodeid].reached]
        outcome = in_child(mutant.put, partial(run_items, sorted(own, key=lambda item: timed[item.nodeid].seconds)))
        if outcome.result != "left out":
            progress.add(mutant, outcome)
    return progress.results


def refuse_red(failed: Sequence[str]) -> None:
    """A test that fails without a mutant tells nothing of one."""
    if failed:
        sys.exit("fails without a mutant: " + ", ".join(failed[:5]))


def run_rules(area: str, items: Sequence[pytest.Item], mutants: Sequence[Mutant]) -> Results:
    """First the tests that need no database, all in one child a mutant; then each of the others, whose world is made
    once, here, and asked by a child for each mutant that is alive."""
    plain = [item for item in items if not asks_database(item)]
    refuse_red([name for name, one in timed_items(plain).items() if not one.passed])
    progress, alive = Progress(area, len(mutants)), list(mutants)

    def ask_alive(run: Callable[[Mutant], str]) -> None:
        for mutant in list(alive):
            outcome = in_child(mutant.put, partial(run, mutant))
            if outcome.result != "survived":
                alive.remove(mutant)
            if outcome.result not in ("survived", "left out"):
                progress.add(mutant, outcome)

    ask_alive(lambda mutant: run_items(sorted(plain, key=lambda item: mutant.subject not in item.nodeid)))
    asking = [item for item in items if asks_database(item)]
    for item, following in zip(asking, [*asking[1:], None], strict=True):
        if alive:
            item._initrequest()  # type: ignore[attr-defined]
            # The report, too: fixtures that keep something for a failed test look into it when they end.
            made = pytest.CallInfo.from_call(partial(item.ihook.pytest_runtest_setup, item=item), when="setup")
            item.ihook.pytest_runtest_makereport(item=item, call=made)
            refuse_red([item.nodeid] if made.excinfo else [])
            refuse_red([item.nodeid] if in_child(nothing, partial(ask, item, None)).result != "survived" else [])
            ask_alive(partial(ask, item))
            item.ihook.pytest_runtest_teardown(item=item, nextitem=following)
    for mutant in alive:
        progress.add(mutant, Outcome("survived"))
    return progress.results


def asks_database(item: pytest.Item) -> bool:
    return item.get_closest_marker("django_db") is not None or "db" in getattr(item, "fixturenames", ())


def nothing() -> None:
    """No mutant."""


def ask(item: pytest.Item, mutant: Mutant | None) -> str:
    """The test; the matrix at few addresses."""
    module: Any = getattr(item, "module", None)
    if hasattr(module, "MATRIX"):
        every = dict(module.addresses())
        chosen = addresses_for(mutant, sorted(every))
        module.MATRIX = {name: module.MATRIX[name] for name in chosen}
        module.addresses = lambda: iter([(name, every[name]) for name in chosen])
    return call_item(item)


def addresses_for(mutant: Mutant | None, names: Sequence[str]) -> list[str]:
    """Those that the mutant is about, or a sample."""
    from_where = mutant.where.split(" ") if mutant else [""]
    if from_where[0] == "page":
        return [from_where[1]]
    if from_where[0] == "right":
        return [name for name, page in mutants_of_rules.pages() if vars(page)["act"] == from_where[1]][:6]
    return random.Random(SEED).sample(names, min(ADDRESSES, len(names)))


def run_triggers(items: Sequence[pytest.Item], count: int, chance: random.Random) -> Results:
    mutants = list(mutants_of_rules.trigger_mutants())
    print(f"triggers: {len(mutants)} mutants, {len(items)} tests", flush=True)
    return run_rules("triggers", items, spread(mutants, count, chance))


def run_permissions(items: Sequence[pytest.Item], count: int, chance: random.Random) -> Results:
    """A third each: rights, pages, the functions that judge."""
    paths = [PROJECT_ROOT / name for name in PERMISSION_FILES]
    python = [one for path in paths for one in python_mutants("permissions", PROJECT_ROOT, path)]
    pools = (list(mutants_of_rules.right_mutants()), list(mutants_of_rules.door_mutants()), python)
    print(f"permissions: {sum(map(len, pools))} mutants, {len(items)} tests", flush=True)
    chosen = [one for pool in pools for one in spread(pool, max(count // 3, 1), chance)]
    return run_rules("permissions", items, chosen)


RUNS = {"scoring": run_scoring, "triggers": run_triggers, "permissions": run_permissions}


class MutationRun:
    """The pytest plugin that runs mutants in place of tests."""

    def __init__(self, areas: Sequence[str], scale: float) -> None:
        self.areas, self.scale, self.results = areas, scale, Results()

    def pytest_collection(self) -> None:
        """After conftest's profile, before any database: the same examples each time, and none made smaller."""
        phases = (Phase.explicit, Phase.generate)
        hypothesis_settings.register_profile("mutants", deadline=None, derandomize=True, database=None, phases=phases)
        hypothesis_settings.load_profile("mutants")
        database_in_memory()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for area in self.areas:
            own = [item for item in session.items if item.nodeid.startswith(TESTS[area]) and not commits(item)]
            count = max(int(COUNTS[area] * self.scale), 3)
            self.results += RUNS[area](own, count, random.Random(SEED))
        return True


def commits(item: pytest.Item) -> bool:
    """Whether the test needs a database that others see too."""
    marked = item.get_closest_marker("django_db")
    return marked is not None and marked.kwargs.get("transaction", False)


def summarize(results: Results, explained: Iterable[str]) -> dict[str, dict[str, Any]]:
    """By area: counts, and the share that was killed of those that can be told."""
    areas: dict[str, dict[str, Any]] = {}
    known = set(explained)
    for area in dict.fromkeys(mutant.area for mutant, _ in results):
        own = [(mutant, outcome) for mutant, outcome in results if mutant.area == area]
        alive = [mutant.name for mutant, outcome in own if outcome.result == "survived"]
        unexplained = [name for name in alive if name not in known]
        killed = len(own) - len(alive)
        told = killed + len(unexplained)
        areas[area] = {
            "run": len(own),
            "killed": killed,
            "too_slow": sum(outcome.result == "too slow" for _, outcome in own),
            "explained": len(alive) - len(unexplained),
            "survived": len(unexplained),
            "share": round(killed / told, 3) if told else 1.0,
            "kinds": dict(sorted(Counter(mutant.kind for mutant, _ in own).items())),
            "survivors": alive,
        }
    return areas


def print_table(areas: dict[str, dict[str, Any]]) -> None:
    print(f"\n{'area':12}{'run':>6}{'killed':>8}{'explained':>11}{'survived':>10}{'share':>8}")
    for area, row in areas.items():
        print(f"{area:12}{row['run']:6}{row['killed']:8}{row['explained']:11}{row['survived']:10}{row['share']:8.1%}")


def main() -> int:
    """All areas, or those of AREAS."""
    scale, began = float(os.environ.get("SCALE", "1")), time.monotonic()
    areas = os.environ.get("AREAS", " ".join(RUNS)).split()
    run = MutationRun(areas, scale)
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    paths = [path for area in areas for path in TESTS[area]]
    status = pytest.main(["-q", "-p", "no:cacheprovider", *paths], plugins=[run])
    explained = survivors_explained()
    summary = summarize(run.results, explained)
    each = [{"area": one.area, "mutant": one.name, **outcome._asdict()} for one, outcome in run.results]
    REPORT.parent.mkdir(exist_ok=True)
    report = {"id": "Q22", "seed": SEED, "scale": scale, "areas": summary, "mutants": each}
    REPORT.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print_table(summary)
    print(f"{REPORT.relative_to(PROJECT_ROOT)} written, {time.monotonic() - began:.0f} s")
    good = status == 0 and all(not row["survived"] and row["share"] >= LEAST_KILLED for row in summary.values())
    return 0 if good and summary else 1


if __name__ == "__main__":
    sys.exit(main())
