"""Q3: a sheet's whole life over HTTP, tablets and desk at once, against a model in plain Python.

Random lives first, each in a world of its own at a real server; then whatever kind of request no life has met. Every
rule asks for something, allowed or not; the model says what must be answered and what must stand then.
"""

import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.reliability import django_ready, lifecycle_sweep
from tests.reliability.figures import Figure
from tests.reliability.lifecycle_acts import PAPER, RACKS, Life
from tests.reliability.lifecycle_model import (
    DONE,
    LETTERS,
    MAY,
    OUTSIDE,
    ROLES,
    TRANSITIONS,
    UNVERSIONED,
    Cell,
    all_cells,
)
from tests.reliability.lifecycle_world import House, InProcess, OverHttp
from tournament.sheets.services import moves

WORKERS = 2
CONTROL_LIVES = 60
# Mostly not: what is refused for one reason hides what is refused for another.
SELDOM = st.sampled_from((False, False, False, True))
TABLET = st.sampled_from(("tablet", "tablet", "tablet", "other table's tablet", "nobody"))
DESK = st.sampled_from(tuple(MAY))
LOCKING = ("certify", "package", "approve void")
Met = Counter[tuple[Cell, int]]

careful = moves.move_sheet


def careless(sheet: Any, act: str, revision: int, **changes: Any) -> Any:
    """The control: whatever its writer has seen."""
    return careful(sheet, act, sheet.revision, **changes)


@dataclass
class Stage:
    """Where the lives of this process are led, and what they have met."""

    house: House
    met: Met


STAGE: list[Stage] = []


class Lives(RuleBasedStateMachine):
    """One sheet from nothing to its end."""

    def __init__(self) -> None:
        super().__init__()
        [stage] = STAGE
        self.life = Life(stage.house.new_world(), stage.met)

    def teardown(self) -> None:
        """Nothing was altered behind the log."""
        self.life.end()

    @property
    def state(self) -> str:
        """As the model has it."""
        return self.life.model.state

    @initialize(far=st.integers(0, 5))
    def begin(self, far: int) -> None:
        """Nothing yet, entered or typed, handed on."""
        if far:
            self.life.do("save" if far < 4 else "type", "tablet" if far < 4 else "clerk")
        if far in (2, 3, 5):
            self.life.do("ready" if far < 4 else "hand on", "tablet" if far < 4 else "clerk")

    @rule(who=TABLET, variant=st.integers(0, 1), stale=SELDOM)
    def save(self, who: str, variant: int, stale: bool) -> None:
        self.life.do("save", who, values=RACKS[variant], stale=stale)

    @rule(who=st.sampled_from((*ROLES, *OUTSIDE)), variant=st.integers(0, 1), stale=SELDOM)
    def type(self, who: str, variant: int, stale: bool) -> None:
        self.life.do("type", who, values=PAPER[variant], stale=stale)

    @rule(who=TABLET, act=st.sampled_from(("ready", "ready", "reopen", "dispute")), stale=SELDOM)
    def at_the_tablet(self, who: str, act: str, stale: bool) -> None:
        self.life.do(act, who, stale=stale)

    @rule(letter=st.sampled_from(LETTERS), stale=SELDOM, wrong=SELDOM)
    def sign(self, letter: str, stale: bool, wrong: bool) -> None:
        self.life.do("sign", "tablet", letter=letter, stale=stale, wrong=wrong)

    @rule(who=TABLET, variant=st.integers(0, 1), stale=SELDOM, seldom=st.integers(0, 5))
    def package(self, who: str, variant: int, stale: bool, seldom: int) -> None:
        self.life.do("save" if seldom else "package", who, values=RACKS[variant], stale=stale)

    @rule(who=st.sampled_from((*ROLES, *OUTSIDE)), act=DESK, stale=SELDOM, seldom=st.integers(0, 3))
    def at_the_desk(self, who: str, act: str, stale: bool, seldom: int) -> None:
        if seldom and act in LOCKING:
            return self.life.look()
        self.life.do(act, who, stale=stale and act not in UNVERSIONED)

    @precondition(lambda self: self.state == "ready")
    @rule(who=st.sampled_from(("organiser", "chief_judge", "clerk")), reasons=st.booleans(), stale=SELDOM)
    def certify(self, who: str, reasons: bool, stale: bool) -> None:
        self.life.do("certify", who, reasons=reasons, stale=stale)

    @precondition(lambda self: self.state == "draft")
    @rule(at_desk=st.booleans())
    def hand_on(self, at_desk: bool) -> None:
        self.life.do("hand on" if at_desk else "ready", "clerk" if at_desk else "tablet")

    @precondition(lambda self: self.state == "disputed" and self.life.model.values)
    @rule(other=st.booleans())
    def judge(self, other: bool) -> None:
        self.life.do("decide", "chief_judge", values=self.life.other_values() if other else None)

    @rule(who=TABLET, twice=st.booleans())
    def take_dispute_back(self, who: str, twice: bool) -> None:
        for _time in range(1 + (twice and self.state == "disputed")):
            self.life.do("take dispute back", who)

    @precondition(lambda self: self.state == "disputed")
    @rule(who=st.sampled_from(("organiser", "chief_judge", "clerk", "second_clerk")), stale=SELDOM)
    def recall_dispute(self, who: str, stale: bool) -> None:
        self.life.do("recall dispute", who, stale=stale)

    @precondition(lambda self: self.state == "ready" and not self.life.ended)
    @rule(few=st.integers(0, 3))
    def sign_all_that_want(self, few: int) -> None:
        wanting = sorted(set(LETTERS) - self.life.model.signed)
        for letter in wanting[: few or None]:
            self.life.do("sign", "tablet", letter=letter)

    @precondition(lambda self: self.state in ("signed", "certified", "void"))
    @rule(act=st.sampled_from(("stamp", "publish", "publish", "withdraw")))
    def make_public(self, act: str) -> None:
        self.life.do(act, "organiser")

    @rule(place=st.integers(0, 999))
    def replay(self, place: int) -> None:
        self.life.replay(place)

    @rule(place=st.integers(0, 999))
    def reuse_a_key(self, place: int) -> None:
        self.life.reuse_a_key(place)

    @rule()
    def lose_the_next_reply(self) -> None:
        """The connection ends after the commit; the same request is sent again."""
        self.life.losing = True

    @rule(how=st.sampled_from(("revoked", "expired")), seldom=st.integers(0, 7))
    def cut_off(self, how: str, seldom: int) -> None:
        if seldom or self.life.ended:
            return self.life.look()
        self.life.cut_off(how)

    @rule(seldom=st.integers(0, 49))
    def restart(self, seldom: int) -> None:
        if not seldom:
            STAGE[0].house.asked.restart()
        self.life.look()


def run(runs: int, steps: int, start: int = 0) -> str:
    """So many lives of so many steps on the stage at hand; "" or the first violation."""
    quiet = settings(
        max_examples=runs,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(seed(start)(Lives), settings=quiet)
    except (AssertionError, Flaky):
        return traceback.format_exc()[-3000:]
    return ""


# --- Several processes, each with a server of its own -------------------------------------------------------
def lead(name: str, runs: int, steps: int, start: int) -> tuple[str, Met]:
    """Lives in a process of its own."""
    with on_stage(name) as stage:
        return run(runs, steps, start), stage.met


def sweep(name: str, cells: Iterable[Cell]) -> tuple[str, Met]:
    """What no life has met, in a process of its own."""
    with on_stage(name) as stage:
        return lifecycle_sweep.run(stage.house, stage.met, cells), stage.met


class on_stage:
    """A server of our own on the database at hand, and a house at it."""

    def __init__(self, name: str) -> None:
        assert django_ready
        self.asked = OverHttp()
        STAGE[:] = [Stage(House(name, self.asked), Counter())]

    def __enter__(self) -> Stage:
        return STAGE[0]

    def __exit__(self, *_problem: object) -> None:
        self.asked.server.kill()


def figure(runs: int, steps: int, database: str, start: int) -> Figure:
    """Q3: the lives, then what they have not met."""
    met: Met = Counter()
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        shares = [runs // WORKERS + (place < runs % WORKERS) for place in range(WORKERS)]
        led = [pool.submit(lead, f"l{place}", share, steps, start + place) for place, share in enumerate(shares)]
        said = [one.result() for one in led]
        lived = sum((one[1] for one in said), met)
        parts = lifecycle_sweep.parts(wanting(lived), WORKERS)
        swept = [pool.submit(sweep, f"s{place}", part) for place, part in enumerate(parts)]
        said += [one.result() for one in swept]
    met = sum((one[1] for one in said), Counter())
    violations = [violation for violation, _met in said if violation]
    return told(met, lived, violations, runs, steps, database)


def wanting(met: Met) -> frozenset[Cell]:
    """Every kind of request that was not met, and every transition that nobody has made."""
    made = {(cell.state, cell.act) for (cell, status) in met if status in DONE}
    undone = {Cell(state, act, "", False) for state, act in TRANSITIONS - made}
    return (all_cells() - {cell for cell, _status in met}) | undone


def told(met: Met, lived: Met, violations: list[str], runs: int, steps: int, database: str) -> Figure:
    """The figure: what is not covered fails it as a violation does."""
    missing = wanting(met)
    title = f"lives of a sheet over HTTP, {steps} steps each, that broke the model, or kinds of request never met"
    made = Figure("Q3", title, database, runs, len(violations) + len(missing), runs)
    refused = {cell for (cell, status) in met if status not in DONE}
    made.facts = {
        "requests": sum(met.values()),
        "requests_of_lives": sum(lived.values()),
        "violations": violations,
        "transitions": len(TRANSITIONS) - sum(cell.who == "" for cell in missing),
        "transitions_wanted": len(TRANSITIONS),
        "kinds_of_request": len(all_cells() - missing),
        "kinds_of_request_wanted": len(all_cells()),
        "kinds_met_by_lives": len(all_cells() & {cell for cell, _status in lived}),
        "kinds_refused": len(all_cells() & refused),
        "not_met": sorted(map(str, missing)),
        "met": table(met),
    }
    return made


def control(runs: int, steps: int, database: str) -> Figure:
    """A writer who overwrites what he has not seen, in this process: the model has to notice."""
    moves.move_sheet = careless
    house = House("control", InProcess())
    STAGE[:] = [Stage(house, Counter())]
    house.new_world()
    # Whether a life saves what has changed meanwhile is chance: it goes on until one does.
    violation, led = "", 0
    while not violation and led < CONTROL_LIVES:
        violation, led = run(runs, steps, led), led + runs
    made = Figure("Q3", "a careless writer's lives", database, led, int(bool(violation)), runs)
    made.facts = {"violation": violation}
    return made


def table(met: Met) -> list[str]:
    """Each state, act and person that was met, with its answers."""
    answers: dict[tuple[str, str, str], Counter[int]] = {}
    for (cell, status), count in met.items():
        answers.setdefault(cell[:3], Counter())[status] += count
    lines = sorted((key, sorted(said.items())) for key, said in answers.items())
    return [", ".join(key) + ": " + ", ".join(f"{status} x{count}" for status, count in said) for key, said in lines]
