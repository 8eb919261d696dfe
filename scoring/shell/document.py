"""A JSON document, read more strictly than `json` reads it: what a rule must not take is refused with its place.

Refused are floats, NaN and Infinity, a key given twice, half a surrogate pair, an integer or a nesting without
measure. Answers are written as one line of UTF-8.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.problems import Refusal

MAX_JSON_DIGITS = 1000
MAX_JSON_DEPTH = 32
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _UnusableNumber:
    """A number that no rule takes, kept until its place is known."""

    why: str


class _ObjectMembers(list[tuple[str, object]]):
    """The members of an object in the order of the text, repeated keys included."""


def parse_json_document(text: bytes) -> object:
    """The document as dicts, lists, texts, integers, booleans and None. Raises Refusal."""
    try:
        raw = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_ObjectMembers,
            parse_int=_integer,
            parse_float=lambda _: _UnusableNumber("is a float; only integers and fractions as text are exact"),
            parse_constant=lambda name: _UnusableNumber(f"is {name}, which is no number"),
        )
    except UnicodeDecodeError as error:
        raise Refusal("", f"not UTF-8: at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Refusal("", f"not JSON: {error.msg} at line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise Refusal("", "nested too deep") from None
    return _check_json_value(raw, "", 0)


def write_json_line(answer: Mapping[str, object]) -> bytes:
    """One line of UTF-8, newline included."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def printable(text: str) -> str:
    """The text with everything escaped that is no character, or would break a line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _integer(digits: str) -> object:
    if len(digits) > MAX_JSON_DIGITS:
        return _UnusableNumber(f"is an integer of more than {MAX_JSON_DIGITS} digits")
    return int(digits)


def _check_json_value(raw: object, where: str, depth: int) -> object:
    if depth > MAX_JSON_DEPTH:
        raise Refusal("", "nested too deep")
    if isinstance(raw, _UnusableNumber):
        raise Refusal(where, raw.why)
    if isinstance(raw, str):
        _check_text(raw, where)
        return raw
    if isinstance(raw, _ObjectMembers):
        members: dict[str, object] = {}
        for key, value in raw:
            place = member_path(where, key)
            _check_text(key, place)
            if key in members:
                raise Refusal(place, "is there twice")
            members[key] = _check_json_value(value, place, depth + 1)
        return members
    if isinstance(raw, list):
        return [_check_json_value(value, f"{where}[{i}]", depth + 1) for i, value in enumerate(raw)]
    return raw


def member_path(where: str, key: str) -> str:
    """The place of a member of the object at `where`."""
    key = printable(key)
    return f"{where}.{key}" if where else key


def _check_text(text: str, where: str) -> None:
    if _LONE_SURROGATE.search(text):
        raise Refusal(where, "holds half a surrogate pair, which is no character")
