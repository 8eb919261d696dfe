"""Exact figures as people read them: 10 1/3, −10 1/3, 0302, 118=. Plain text, no markup, never a float.

Pages wrap these in markup (core/templatetags/display.py); files, mails and titles take them as they are. The minus is
U+2212.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

MINUS_SIGN = "\u2212"
PLUS_SIGN = "+"
QUANTITY_TWELFTHS = 12
# A sentence names so many entrants; the page behind it has all.
NUMBERS_NAMED = 6


@dataclass(frozen=True, slots=True)
class QuantityParts:
    """A quantity taken apart: `sign` is "", "+" or U+2212; `whole` is "" where a fraction stands alone."""

    sign: str
    whole: str
    numerator: int
    denominator: int

    @property
    def fraction(self) -> str:
        """Such as 1/3; empty for a whole number."""
        return f"{self.numerator}/{self.denominator}" if self.numerator else ""


def from_twelfths(twelfths: int) -> Fraction:
    """The quantity that a row stores as whole twelfths."""
    return Fraction(twelfths, QUANTITY_TWELFTHS)


def split_quantity(value: Fraction | int, *, signed: bool = False) -> QuantityParts:
    """Sign, whole part and fraction. Points are `signed` and carry + or −; averages carry − alone. Zero has no sign."""
    amount = abs(Fraction(value))
    whole, rest = divmod(amount.numerator, amount.denominator)
    sign = MINUS_SIGN if value < 0 else PLUS_SIGN if signed and value > 0 else ""
    return QuantityParts(sign, "" if rest and not whole else f"{whole}", rest, amount.denominator if rest else 1)


def format_quantity(value: Fraction | int, *, signed: bool = False) -> str:
    """−10 1/3, 12 1/2, 1/2, 9; signed +11 1/2."""
    taken = split_quantity(value, signed=signed)
    return taken.sign + " ".join(part for part in (taken.whole, taken.fraction) if part)


def format_points(twelfths: int) -> str:
    """Points of a row, in twelfths, with their sign."""
    return format_quantity(from_twelfths(twelfths), signed=True)


def entrant_number_text(number: int) -> str:
    """The number with four digits, such as 0302."""
    return f"{number:04d}"


def count_text(number: int) -> str:
    """A count with its thousands apart: 1,200."""
    return f"{number:,}"


def rank_text(rank: int, *, shared: bool = False) -> str:
    """A rank; 118= where it is shared."""
    return f"{rank}=" if shared else f"{rank}"


def first_numbers_text(numbers: Sequence[int]) -> str:
    """The first of them, and that there are more."""
    said = _(", ").join(f"{number:04d}" for number in numbers[:NUMBERS_NAMED])
    return said + ("…" if len(numbers) > NUMBERS_NAMED else "")
