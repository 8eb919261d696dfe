"""What comes in: JSON alone, of a size that a sheet can have, and nothing that JSON readers understand differently."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from tournament.core.errors import BadInput, TooLarge

JSON_BODY_MAX_BYTES = 320 * 1024  # four drawn signatures of 64 KiB each, and the sheet
JSON_MAX_DEPTH = 20

NOT_JSON = _("The body is no JSON that can be taken: %(why)s.")
JSON_BODY_TOO_LARGE = _("The body is larger than 320 KiB.")


def unreadable_body_error(why: str) -> BadInput:
    """The body cannot be taken."""
    return BadInput("body_not_readable", NOT_JSON, why=why)


def no_float(text: str) -> Any:
    """Points are whole numbers or texts such as 23/2; what a float means depends on who reads it."""
    raise unreadable_body_error(f"{text[:40]} is a float; write a whole number, or a text such as 23/2")


def no_constant(text: str) -> Any:
    """NaN and Infinity are no JSON."""
    raise unreadable_body_error(f"{text} is no JSON")


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are each there once; of two equal keys every reader takes another one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise unreadable_body_error("a key stands twice in one object")
    return found


def check_texts(value: Any, depth: int = 0) -> None:
    """No text that no database can keep, and nothing deeper than anything that is asked for."""
    if depth > JSON_MAX_DEPTH:
        raise unreadable_body_error("it is nested too deeply")
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise unreadable_body_error("a text has a character that is none")
    elif isinstance(value, Mapping):
        for key, part in value.items():
            check_texts(key, depth + 1)
            check_texts(part, depth + 1)
    elif isinstance(value, Sequence):
        for part in value:
            check_texts(part, depth + 1)


def read_json(content: bytes, most: int = JSON_BODY_MAX_BYTES) -> Any:
    """The value of a body, or of a file of at most so many bytes; nothing at all is an empty object."""
    if len(content) > most:
        raise TooLarge("body_too_large", JSON_BODY_TOO_LARGE)
    if not content.strip():
        return {}
    try:
        value = json.loads(
            content.decode("utf-8"),
            parse_float=no_float,
            parse_constant=no_constant,
            object_pairs_hook=reject_duplicate_keys,
        )
    except (ValueError, RecursionError) as fault:
        raise unreadable_body_error(
            "it is not UTF-8" if isinstance(fault, UnicodeError) else "it does not parse"
        ) from None
    check_texts(value)
    return value


class StrictJSON(BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Never reads more than a body may have."""
        return read_json(stream.read(JSON_BODY_MAX_BYTES + 1))


class JSONOnlyNegotiation(DefaultContentNegotiation):
    """There is one form of every answer, whatever `Accept` says."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)
