"""The turn timer once more, in Python: written after the rules of seed and page, to hold the page's module to."""

from copy import deepcopy
from typing import Any

LETTERS = "ABCD"
UNDO_STEPS = 20


class TurnModel:
    """One table: counts each millisecond by itself, so that no difference of two clock readings can be wrong alike."""

    def __init__(self, seats: int, seconds: int | None, straight: bool = False) -> None:
        self.now: dict[str, Any] = {"seats": seats, "seconds": seconds, "straight": straight}
        self.now |= {"overtime": [[0, 0] for _ in LETTERS]}
        self.before: list[dict[str, Any]] = []
        self.fresh(0)

    def fresh(self, at: int, phase: str = "ready") -> None:
        self.now |= {"at": at, "phase": phase, "spent": 0, "held": 0, "stopped": ""}

    def pass_time(self, ms: int) -> None:
        if self.now["phase"] == "running":
            self.now["spent"] += ms
        if self.now["phase"] == "held":
            self.now["held"] += ms

    def remember(self) -> None:
        self.before = [*self.before, deepcopy(self.now)][-UNDO_STEPS:]

    @property
    def over(self) -> int:
        seconds = self.now["seconds"]
        return 0 if seconds is None else max(0, self.now["spent"] - 1000 * seconds)

    def act(self, name: str, value: Any = None) -> None:
        getattr(self, f"act_{name}")(value)

    def act_wait(self, _value: Any) -> None:
        """Nothing but time."""

    def act_press(self, _value: Any) -> None:
        if self.now["seconds"] is None:
            return
        if self.now["phase"] == "running":
            self.hand_on(counts=True)
        elif self.now["phase"] == "held":
            self.remember()
            self.now |= {"phase": self.now["stopped"], "held": 0, "stopped": ""}
        else:
            self.remember()
            self.now["phase"] = "running"

    def act_intime(self, _value: Any) -> None:
        if self.now["phase"] == "running":
            self.hand_on(counts=False)

    def hand_on(self, counts: bool) -> None:
        self.remember()
        if counts and self.over:
            count, ms = self.now["overtime"][self.now["at"]]
            self.now["overtime"][self.now["at"]] = [count + 1, ms + self.over]
        self.fresh((self.now["at"] + 1) % self.now["seats"], "running" if self.now["straight"] else "ready")

    def act_hold(self, reason: str) -> None:
        if self.now["phase"] != "held":
            self.remember()
            self.now |= {"phase": "held", "held": 0, "stopped": self.now["phase"], "reason": reason}
        elif self.now["reason"] != reason:
            self.remember()
            self.now["reason"] = reason

    def act_seat(self, at: int) -> None:
        self.remember()
        self.fresh(at)

    def act_choose(self, choice: dict[str, Any]) -> None:
        self.remember()
        self.now |= choice
        if "seats" in choice or "seconds" in choice:
            self.fresh(self.now["at"] if self.now["at"] < self.now["seats"] else 0)

    def act_new(self, _value: Any) -> None:
        self.remember()
        self.now["overtime"] = [[0, 0] for _ in LETTERS]
        self.fresh(0)

    def act_undo(self, _value: Any) -> None:
        if self.before:
            self.now = self.before.pop()

    def act_reload(self, _value: Any) -> None:
        """A page that was closed while a turn ran waits in a pause."""
        if self.now["phase"] == "running":
            self.now |= {"phase": "held", "held": 0, "stopped": "running", "reason": "opened"}

    def told(self) -> list[Any]:
        """As the page shows it: state, seat, milliseconds left, over and paused, overtime by seat."""
        seconds = self.now["seconds"]
        left = 0 if seconds is None else max(0, 1000 * seconds - self.now["spent"])
        state = self.now["phase"]
        if seconds is None:
            state = "unset"
        elif state == "running" and (self.over or left <= min(10_000, 500 * seconds)):
            state = "over" if self.over else "warn"
        return [state, LETTERS[self.now["at"]], left, self.over, self.now["held"], deepcopy(self.now["overtime"])]


def played(settings: dict[str, Any], acts: list[tuple[str, int, Any]]) -> list[list[Any]]:
    """What is shown after each act."""
    model = TurnModel(**settings)
    shown = []
    for name, after, value in acts:
        model.pass_time(after)
        model.act(name, value)
        shown.append(model.told())
    return shown
