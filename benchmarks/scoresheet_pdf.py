"""300 scoresheets against the same pages drawn bare: `python benchmarks/scoresheet_pdf.py`.

Every call that the export makes on reportlab's canvas is written down once, those of the QR paths too. Bare is those
calls alone, made again on a fresh canvas: no fitting of names, no fallback of fonts, no search for a QR's mask. Both
files must be the same, byte for byte; the figure is the ratio of the medians of the rounds, taken in turn.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from datetime import time as hour
from io import BytesIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

from tournament.core.exports import pdf_fonts
from tournament.sheets.exports.pdf import scoresheets_pdf
from tournament.sheets.exports.printed import PrintedSeat, PrintedSheet

SHEETS = 300
ROUNDS = 5
SURNAMES, GIVEN = "陳李張黃何郭歐司徒𨋢衞羅", "大文志明嘉欣詠琛𠮷峯穎琳𤧬浩然慧敏"

Call = tuple[str, tuple[Any, ...], dict[str, Any]]


class Recorder:
    """A canvas that also writes down what is asked of it; a path is written down call by call."""

    def __init__(self, real: Any, calls: list[Any]) -> None:
        self._real = real
        self._calls = calls

    def __getattr__(self, name: str) -> Callable[..., Any]:
        real = getattr(self._real, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            if name == "beginPath":
                path: list[Any] = []
                self._calls.append(("path", path))
                return Recorder(real(), path)
            if name == "drawPath":
                self._calls.append(("drawPath", kwargs))
                return real(args[0]._real, **kwargs)
            self._calls.append((name, args, kwargs))
            return real(*args, **kwargs)

        return call


def replay(calls: list[Any], page: Any) -> None:
    """The same calls on another canvas."""
    path: Any = None
    for call in calls:
        if call[0] == "path":
            path = page.beginPath()
            for name, args, kwargs in call[1]:
                getattr(path, name)(*args, **kwargs)
        elif call[0] == "drawPath":
            page.drawPath(path, **call[1])
        else:
            name, args, kwargs = call
            getattr(page, name)(*args, **kwargs)


def sheet(number: int) -> PrintedSheet:
    """A sheet as the event has it: twelve sessions of 25 tables, four names each."""
    session, table = number // 25 + 1, number % 25 + 1

    def seat(place: int) -> PrintedSeat:
        one = number * 4 + place
        name = SURNAMES[one % len(SURNAMES)] + GIVEN[one % len(GIVEN)] + GIVEN[one * 7 % len(GIVEN)]
        return PrintedSeat(one + 1, name, f"CHAN Tai Man {one}")

    return PrintedSheet(
        event_zh="Rummikub 75週年派對暨遊戲王爭霸賽",
        event_en="Rummikub 75th Anniversary Party and King of Games Championship",
        stage="preliminary",
        day=date(2026, 4, 6),
        session=session,
        starts=hour(16, 15),
        ends=hour(17, 15),
        table=table,
        referee=f"評審員{table}",
        games=3,
        seats={letter: seat(place) for place, letter in enumerate("ABCD")},
        serial=f"0406-{session}-{table:02d}",
        url=f"https://tournament.example.hk/desk/hk-2026/scoresheets/{session}/{table}/",
    )


def main() -> None:
    sheets = [sheet(number) for number in range(SHEETS)]
    real_canvas = pdf_fonts.make_pdf_canvas
    calls: list[Any] = []
    made: dict[Any, Any] = {}

    def recorded(file: Any, size: Any, title: str, author: str = "") -> Any:
        made.update(size=size, title=title, author=author)
        return Recorder(real_canvas(file, size, title, author), calls)

    pdf_fonts.make_pdf_canvas = recorded
    whole = scoresheets_pdf(sheets)
    pdf_fonts.make_pdf_canvas = real_canvas

    def bare() -> bytes:
        file = BytesIO()
        replay(calls, real_canvas(file, **made))
        return file.getvalue()

    if bare() != whole:
        raise SystemExit("the bare pages are not the same file")
    full_times, bare_times = [], []
    for _ in range(ROUNDS):
        full_times.append(seconds(lambda: scoresheets_pdf(sheets)))
        bare_times.append(seconds(bare))
    full, least = statistics.median(full_times), statistics.median(bare_times)
    print(f"{SHEETS} scoresheets, {len(whole) / 1024:.0f} KB, {ROUNDS} rounds")
    print(f"as exported   {full:6.2f} s   {full / SHEETS * 1000:5.2f} ms a sheet")
    print(f"drawn bare    {least:6.2f} s   {least / SHEETS * 1000:5.2f} ms a sheet")
    print(f"ratio         {full / least:6.2f}")


def seconds(act: Callable[[], Any]) -> float:
    """Wall clock of one call."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
