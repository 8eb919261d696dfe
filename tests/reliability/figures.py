"""One figure of a reliability test: what was asked, how often, how often it failed, and what the control showed."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Figure:
    """`n` trials, `failures` of them; `control_failures` of `control_n` with the safety switched off.

    A control that shows nothing makes the figure a failure, since a test that cannot fail is not counted.
    """

    id: str
    title: str
    database: str
    n: int
    failures: int
    wanted_n: int
    seed: int = 0
    control_n: int = 0
    control_failures: int = 0
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """No failure in enough trials, and a control that found what it must."""
        return not self.failures and self.n >= self.wanted_n and self.control_failures > 0

    @property
    def bound(self) -> float | None:
        """The 95 % upper bound of the failure rate after 0 of n: 3/n."""
        return 3 / self.n if self.n and not self.failures else None

    def as_data(self) -> dict[str, Any]:
        rate = control_rate(self.control_failures, self.control_n)
        return {**asdict(self), "passed": self.passed, "bound_95": self.bound, "control_rate": rate}


def control_rate(failures: int, n: int) -> float | None:
    """How often the control has failed, over everything that was tried of it; None where nothing was."""
    return failures / n if n else None
