"""How many had come by each minute, as a drawing beside the session before: in units of its view box."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.arrivals import ONE_MINUTE, arrivals_by_minute
from tournament.arrivals.domain import ArrivalsBoard
from tournament.core.dateformat import time_text

LEFT, RIGHT, TOP, BOTTOM = 34, 540, 14, 142
# The curve goes on so long after the seating time; what comes later is in the figures.
AFTER_SEATING = timedelta(minutes=5)
MAX_MINUTES = 24 * 60
LABELS = 4


@dataclass(frozen=True, slots=True)
class CurveLabel:
    """A word at a place of an axis."""

    at: str
    word: str


@dataclass(frozen=True, slots=True)
class ArrivalsCurve:
    """Paths and places of the drawing. `now` and `then` are empty where nobody had come in the time it shows."""

    now: str
    area: str
    then: str
    seating_x: str
    dot_x: str
    dot_y: str
    count: int
    then_count: int
    rows: Sequence[CurveLabel]
    columns: Sequence[CurveLabel]


@dataclass(frozen=True, slots=True)
class CurveScale:
    """From minutes and people to units."""

    minutes: int
    people: int

    def x(self, minute: float) -> str:
        return f"{LEFT + (RIGHT - LEFT) * minute / max(self.minutes, 1):.1f}"

    def y(self, count: int) -> str:
        return f"{BOTTOM - (BOTTOM - TOP) * count / max(self.people, 1):.1f}"

    def path(self, counts: Sequence[int]) -> str:
        """Straight from minute to minute."""
        return "M" + "L".join(f"{self.x(minute)} {self.y(count)}" for minute, count in enumerate(counts))


def draw_arrivals(board: ArrivalsBoard, before: ArrivalsBoard | None, now: datetime) -> ArrivalsCurve:
    """From the check-in's opening to a few minutes after the seating time; as far as it is now."""
    session = board.session
    first = session.check_in_at.replace(second=0, microsecond=0)
    last = session.seating_at + AFTER_SEATING
    minutes = min(max(int((last - first) / ONE_MINUTE), 1), MAX_MINUTES)
    scale = CurveScale(minutes, board.expected)
    counts = counts_until(board, first, min(now, first + minutes * ONE_MINUTE))
    shift = before.session.check_in_at.replace(second=0, microsecond=0) if before else first
    then = counts_until(before, shift, shift + minutes * ONE_MINUTE) if before and before.here else ()
    line = scale.path(counts) if counts else ""
    end = len(counts) - 1
    return ArrivalsCurve(
        now=line,
        area=f"M{LEFT} {BOTTOM}L{line[1:]}V{BOTTOM}z" if line else "",
        then=scale.path([min(count, board.expected) for count in then]) if then else "",
        seating_x=scale.x(min((session.seating_at - first) / ONE_MINUTE, minutes)),
        dot_x=scale.x(max(end, 0)),
        dot_y=scale.y(counts[end] if counts else 0),
        count=counts[end] if counts else 0,
        then_count=then[-1] if then else 0,
        rows=[CurveLabel(scale.y(count), str(count)) for count in (0, board.expected // 2, board.expected)],
        columns=[
            CurveLabel(scale.x(minute), time_text(first + minute * ONE_MINUTE))
            for minute in range(0, minutes, max(minutes // LABELS, 1))
            if abs(minute - (session.seating_at - first) / ONE_MINUTE) * (RIGHT - LEFT) / minutes > 60
        ],
    )


def counts_until(board: ArrivalsBoard, first: datetime, last: datetime) -> tuple[int, ...]:
    """How many of the board had come by each minute."""
    return arrivals_by_minute([one.arrived_at for one in board.here if one.arrived_at], first, last)
