"""The picture of a ranking: averages as bars, a row for each number of wins, the line dashed, one entrant marked (06b).

Inline SVG without a style: classes alone. Whole numbers in tenths of a unit throughout, so that the same ranking gives
the same bytes everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from tournament.core.numberformat import format_quantity

PICTURE_WIDTH = 358
PICTURE_LEFT, PICTURE_SPAN = 460, 3120
PICTURE_ROW_HEIGHT, PICTURE_FIRST_ROW, TALLEST_BAR, LEAST_BAR = 480, 340, 300, 15
BAR_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MAX_PICTURE_BARS, MAX_PICTURE_TICKS = 40, 6


@dataclass(frozen=True, slots=True)
class PictureEntrant:
    """One entrant: wins (None where they are not compared first), the average or total, whether above the line."""

    wins: int | None
    value: Fraction
    inside: bool


class RankingPicture:
    """The bars of one ranking, drawn once; `svg` marks an entrant in it. `line`: the last above and the first below."""

    def __init__(self, spots: Sequence[PictureEntrant], line: tuple[PictureEntrant, PictureEntrant] | None) -> None:
        values = [spot.value for spot in spots] or [Fraction(0)]
        self.rows = sorted({spot.wins for spot in spots}, key=lambda wins: -(wins or 0))
        self.step = next(
            (step for step in BAR_STEPS if max(values) // step - min(values) // step < MAX_PICTURE_BARS), BAR_STEPS[-1]
        )
        self.low, self.high = min(values) // self.step, max(values) // self.step + 1
        self.line = line
        self.height = (PICTURE_FIRST_ROW + PICTURE_ROW_HEIGHT * max(len(self.rows) - 1, 0) + 260) // 10
        bars = [
            self._bars(place, [spot for spot in spots if spot.wins == wins]) for place, wins in enumerate(self.rows)
        ]
        self.drawn = "".join([*bars, self._cut(), self._ticks()])

    def svg(self, me: PictureEntrant | None = None, *, called: str = "") -> SafeString:
        """The whole picture, its description with it; `me` is marked and `called` so."""
        mark = self._mark(me, called) if me else ""
        return mark_safe(
            f'<svg class="plot" viewBox="0 0 {PICTURE_WIDTH} {self.height}" role="img"'
            f' aria-label="{escape(self.words())}">'
            f"{self.drawn}{mark}</svg>"
        )

    def words(self) -> str:
        """What the picture shows, for those who do not see it."""
        if not self.line:
            return gettext("Distribution of the results.")
        last, first = self.line
        if last.wins != first.wins:
            return gettext(
                "Distribution of the results by wins. The line lies between %(last)s and %(first)s wins."
            ) % {
                "last": last.wins,
                "first": first.wins,
            }
        facts = {"last": format_quantity(last.value), "first": format_quantity(first.value), "wins": last.wins}
        if last.wins is None:
            return gettext("Distribution of the results. The line lies between %(last)s and %(first)s.") % facts
        return (
            gettext(
                "Distribution of the results by wins. The line lies at %(wins)s wins, between %(last)s and %(first)s."
            )
            % facts
        )

    def _x(self, value: Fraction | int) -> int:
        """A value's place across, in tenths."""
        return PICTURE_LEFT + int(PICTURE_SPAN * (value - self.low * self.step) / ((self.high - self.low) * self.step))

    def _bars(self, place: int, spots: Sequence[PictureEntrant]) -> str:
        base, counts = PICTURE_FIRST_ROW + PICTURE_ROW_HEIGHT * place, dict[int, list[int]]()
        for spot in spots:
            counts.setdefault(spot.value // self.step, [0, 0])[spot.inside] += 1
        tallest = max(sum(both) for both in counts.values())
        paths = {"in": "", "out": ""}
        for bar in sorted(counts):
            outside, inside = counts[bar]
            left, right = self._x(bar * self.step), self._x((bar + 1) * self.step)
            height = max(TALLEST_BAR * (outside + inside) // tallest, LEAST_BAR)
            under = height * outside // (outside + inside)
            for kind, bottom, tall in (("out", base, under), ("in", base - under, height - under)):
                if tall:
                    across, up = decimal_of_tenths(right - left - 10), decimal_of_tenths(tall)
                    start = f"M{decimal_of_tenths(left)} {decimal_of_tenths(bottom)}"
                    paths[kind] += f"{start}h{across}v-{up}h-{across}z"
        label = self._label(self.rows[place])
        drawn = "".join(f'<path class="{kind}" d="{path}"/>' for kind, path in paths.items() if path)
        text = f'<text class="strong" x="0" y="{decimal_of_tenths(base)}">{label}</text>' if label else ""
        axis = f"M{PICTURE_LEFT // 10} {decimal_of_tenths(base + 5)}H{PICTURE_WIDTH}"
        return f'{text}<path class="axis" d="{axis}"/>{drawn}'

    @staticmethod
    def _label(wins: int | None) -> str:
        return "" if wins is None else gettext("wins %(n)d") % {"n": wins}

    def _cut(self) -> str:
        """Dashes where the line falls within one row; between two rows there is nothing to draw."""
        if not self.line or self.line[0].wins != self.line[1].wins:
            return ""
        last, first = self.line
        base = PICTURE_FIRST_ROW + PICTURE_ROW_HEIGHT * self.rows.index(last.wins)
        x = self._x((last.value + first.value) / 2)
        return f'<path class="cut" d="M{decimal_of_tenths(x)} {decimal_of_tenths(base - 380)}v46"/>'

    def _mark(self, me: PictureEntrant, called: str) -> str:
        x, base = self._x(me.value), PICTURE_FIRST_ROW + PICTURE_ROW_HEIGHT * self.rows.index(me.wins)
        # The word stands on the side where there is room for it.
        side, anchor = (-90, "end") if x > PICTURE_LEFT + PICTURE_SPAN // 2 else (90, "start")
        return (
            f'<path class="you" d="M{decimal_of_tenths(x)} {decimal_of_tenths(base + 20)}l5 8h-10z"/>'
            f'<text class="you" x="{decimal_of_tenths(x + side)}" y="{decimal_of_tenths(base + 110)}"'
            f' text-anchor="{anchor}">'
            f"{escape(called)}</text>"
        )

    def _ticks(self) -> str:
        low, high = self.low * self.step, self.high * self.step
        step = next((step for step in BAR_STEPS if (high - low) // step <= MAX_PICTURE_TICKS), 1000)
        y = PICTURE_FIRST_ROW + PICTURE_ROW_HEIGHT * (len(self.rows) - 1) + 220
        values = range(-(-low // step) * step, high + 1, step)
        return "".join(
            f'<text x="{decimal_of_tenths(min(max(self._x(value), 560), 3420))}" y="{decimal_of_tenths(y)}"'
            f' text-anchor="middle">'
            f"{format_quantity(value)}</text>"
            for value in values
        )


def decimal_of_tenths(value: int) -> str:
    """2317 as 231.7; never with a sign of its own alone."""
    whole, rest = divmod(abs(value), 10)
    return f"{'-' if value < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def picture_legend(picture: RankingPicture, *, by_average: bool) -> str:
    """What is across and how bars are drawn."""
    facts = {"step": picture.step}
    if by_average:
        return (
            ngettext(
                "Across: the average, %(step)s point a bar; each row drawn to its own tallest bar.",
                "Across: the average, %(step)s points a bar; each row drawn to its own tallest bar.",
                picture.step,
            )
            % facts
        )
    return (
        ngettext(
            "Across: the points, %(step)s point a bar; each row drawn to its own tallest bar.",
            "Across: the points, %(step)s points a bar; each row drawn to its own tallest bar.",
            picture.step,
        )
        % facts
    )
