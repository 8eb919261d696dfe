"""Exact figures as people read them: 10 1/3, −10 1/3, 0302, 118=. Plain text, no markup, never a float.

Pages wrap these in markup (templatetags/look.py); files, mails and titles take them as they are. The minus is U+2212.
"""

from dataclasses import dataclass
from fractions import Fraction

MINUS = "\u2212"
PLUS = "+"
TWELFTHS = 12


@dataclass(frozen=True, slots=True)
class Parts:
    """A quantity taken apart: `sign` is "", "+" or U+2212; `whole` is "" where a fraction stands alone."""

    sign: str
    whole: str
    numerator: int
    denominator: int

    @property
    def fraction(self) -> str:
        """1/3, or nothing."""
        return f"{self.numerator}/{self.denominator}" if self.numerator else ""


def from_twelfths(twelfths: int) -> Fraction:
    """The quantity that a row stores as whole twelfths."""
    return Fraction(twelfths, TWELFTHS)


def parts(value: Fraction | int, *, signed: bool = False) -> Parts:
    """Sign, whole part and fraction. Points are `signed` and carry + or −; averages carry − alone. Zero has no sign."""
    amount = abs(Fraction(value))
    whole, rest = divmod(amount.numerator, amount.denominator)
    sign = MINUS if value < 0 else PLUS if signed and value > 0 else ""
    return Parts(sign, "" if rest and not whole else f"{whole}", rest, amount.denominator if rest else 1)


def quantity_text(value: Fraction | int, *, signed: bool = False) -> str:
    """−10 1/3, 12 1/2, 1/2, 9; signed +11 1/2."""
    taken = parts(value, signed=signed)
    return taken.sign + " ".join(part for part in (taken.whole, taken.fraction) if part)


def points_text(twelfths: int) -> str:
    """Points of a row, in twelfths, with their sign."""
    return quantity_text(from_twelfths(twelfths), signed=True)


def entrant_number_text(number: int) -> str:
    """Four digits: 0302."""
    return f"{number:04d}"


def count_text(number: int) -> str:
    """A count with its thousands apart: 1,200."""
    return f"{number:,}"


def rank_text(rank: int, *, shared: bool = False) -> str:
    """A rank; 118= where it is shared."""
    return f"{rank}=" if shared else f"{rank}"
