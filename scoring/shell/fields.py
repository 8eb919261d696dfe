"""Members of a document by name and type. Nothing is converted: a boolean is no integer, null is no text."""

import re
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from scoring.problems import Refusal
from scoring.ranking import TWELFTHS_PER_POINT
from scoring.shell.document import MAX_JSON_DIGITS, member_path

_POINTS = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,6})?)?"
    r"|[0-9]{8}T[0-9]{4}([0-9]{2}([.,][0-9]{1,6})?)?)"
    r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)"
)


class Fields:
    """An object whose members are all known. Raises Refusal for an unknown or a missing one, at its place."""

    def __init__(self, value: object, where: str, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        if not isinstance(value, dict):
            raise Refusal(where, "must be an object")
        for name in value:
            if name not in required and name not in optional:
                raise Refusal(member_path(where, name), "is not a field here")
        for name in required:
            if name not in value:
                raise Refusal(member_path(where, name), "is missing")
        self._members: dict[str, object] = value
        self._where = where

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def raw(self, name: str) -> object:
        """The member as it stands."""
        return self._members[name]

    def place(self, name: str) -> str:
        """The path of the member in the document."""
        return member_path(self._where, name)

    def text(self, name: str) -> str:
        return read_text(self.raw(name), self.place(name))

    def text_or_null(self, name: str) -> str | None:
        """A text, or None for null."""
        return None if self.raw(name) is None else self.text(name)

    def integer(self, name: str) -> int:
        return read_integer(self.raw(name), self.place(name))

    def truth(self, name: str, otherwise: bool = False) -> bool:
        """A boolean; `otherwise` where it is left out."""
        if name not in self:
            return otherwise
        value = self.raw(name)
        if not isinstance(value, bool):
            raise Refusal(self.place(name), "must be true or false")
        return value

    def items(self, name: str) -> list[tuple[object, str]]:
        """The items of a list, each with its place."""
        return read_items(self.raw(name), self.place(name))

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(read_text(item, where) for item, where in self.items(name))

    def lists_of_texts(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""
        return tuple(
            tuple(read_text(text, place) for text, place in read_items(item, where)) for item, where in self.items(name)
        )

    def time(self, name: str) -> datetime:
        """An ISO 8601 time with an offset."""
        return read_time(self.raw(name), self.place(name))


def read_text(value: object, where: str) -> str:
    """A text as it stands. Raises Refusal."""
    if not isinstance(value, str):
        raise Refusal(where, "must be a text")
    return value


def read_integer(value: object, where: str, least: int | None = None) -> int:
    """An integer, `least` or more. Raises Refusal; a boolean is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal(where, "must be an integer")
    if least is not None and value < least:
        raise Refusal(where, f"must be at least {least}")
    return value


def read_items(value: object, where: str) -> list[tuple[object, str]]:
    """The items of a list, each with its place. Raises Refusal."""
    if not isinstance(value, list):
        raise Refusal(where, "must be a list")
    return [(item, f"{where}[{i}]") for i, item in enumerate(value)]


def read_points_field(value: object, where: str) -> Fraction:
    """Points: an integer, or a text such as "-5" or "23/2" whose denominator as written divides 12."""
    if isinstance(value, str):
        written = _POINTS.fullmatch(value)
        if not written or len(value) > MAX_JSON_DIGITS:
            raise Refusal(where, "must be an integer or a text such as -5 or 23/2")
        denominator = int(written[2] or 1)
        if denominator == 0 or TWELFTHS_PER_POINT % denominator:
            raise Refusal(where, f"the denominator {denominator} does not divide {TWELFTHS_PER_POINT}")
        return Fraction(int(written[1]), denominator)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal(where, "must be an integer or a text such as -5 or 23/2")
    return Fraction(value)


def read_time(value: object, where: str) -> datetime:
    """An ISO 8601 time with an offset, such as 2026-03-28T12:00:00+08:00. Raises Refusal."""
    text = read_text(value, where)
    try:
        if not _TIME.fullmatch(text):
            raise ValueError
        return datetime.fromisoformat(text)
    except ValueError:
        raise Refusal(where, "must be an ISO 8601 time with an offset") from None
