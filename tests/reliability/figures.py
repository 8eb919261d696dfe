"""One figure of a reliability test: what was asked, how often, how often it failed, and what the control showed."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Figure:
    """`n` trials, `failures` of them; `control` failures of `control_n` with the safety switched off.

    `need_control` says that a control belongs to this test: one that shows nothing makes the figure a failure, since a
    test that cannot fail is not counted.
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
    need_control: bool = True
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """No failure in enough trials, and a control that found what it must."""
        return not self.failures and self.n >= self.wanted_n and (self.control_failures > 0 or not self.need_control)

    @property
    def bound(self) -> float | None:
        """The 95 % upper bound of the failure rate after 0 of n: 3/n."""
        return 3 / self.n if self.n and not self.failures else None

    def as_data(self) -> dict[str, Any]:
        """For the report."""
        return {**asdict(self), "passed": self.passed, "bound_95": self.bound}
