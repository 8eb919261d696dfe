"""Fields that take what they say and nothing like it: no 1 for true, no "5" for 5, no field that nobody asked for."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

SMALL = 10**9 - 1  # nine digits: fits every column and every database
MOST_A_PAGE, A_PAGE = 200, 100
DIGITS = re.compile(r"[0-9]{1,9}", re.ASCII)
WRITTEN = 60


class Strict(serializers.Serializer):
    """The body of a request: what it does not know is refused, never passed on."""

    def to_internal_value(self, data: Any) -> Any:
        """Unknown fields first, then each field."""
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            said = ErrorDetail(_("Nothing here has a field of this name."), code="unknown_field")
            raise ValidationError({name: [said] for name in unknown})
        return super().to_internal_value(data)


class Nothing(Strict):
    """A change that needs no further word: {} or no body."""


class Whole(serializers.IntegerField):
    """A whole number, written as one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": SMALL, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        """Neither true nor "5" nor 5.0."""
        if type(data) is not int:
            self.fail("invalid")
        return data


class Asked(serializers.IntegerField):
    """A whole number in an address: digits alone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": SMALL, "required": False, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        """Neither 1_000 nor a full-width five."""
        if not DIGITS.fullmatch(str(data)):
            self.fail("invalid")
        return int(data)


class Text(serializers.CharField):
    """A text, kept as it was written."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        """No number for a text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Truth(serializers.BooleanField):
    """true or false, and null where that is said."""

    def to_internal_value(self, data: Any) -> Any:
        """Neither 1 nor "yes"."""
        if data is None and self.allow_null:
            return None
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """One of these words."""

    def to_internal_value(self, data: Any) -> Any:
        """A text that is one of them."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


@extend_schema_field(
    {"oneOf": [{"type": "integer", "minimum": -SMALL, "maximum": SMALL}, {"type": "string", "maxLength": WRITTEN}]}
)
class Written(serializers.Field):
    """A figure as it stands on the paper: a whole number, or a text such as 23/2, 11 1/2, 11.5, ""."""

    default_error_messages = {"invalid": _("Write a whole number, or a text of at most 60 characters.")}

    def to_internal_value(self, data: Any) -> str:
        """As the text that a page would send."""
        whole = type(data) is int and -SMALL <= data <= SMALL
        if not whole and not (isinstance(data, str) and len(data) <= WRITTEN):
            self.fail("invalid")
        return str(data)

    def to_representation(self, value: Any) -> str:
        """The text that is kept."""
        return str(value)


@extend_schema_field({"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"})
class Exact(serializers.Field):
    """An exact figure in lowest terms: 30, -5, 23/2. Never a float."""

    def to_representation(self, value: Fraction) -> str:
        """As the rules write it."""
        return str(Fraction(value))


class Page(Strict):
    """A part of a list: at most so many after this number."""

    after = Asked(default=0)
    limit = Asked(default=A_PAGE, min_value=1, max_value=MOST_A_PAGE)


def read(kind: type[serializers.Serializer], data: Any) -> dict[str, Any]:
    """The data as this body says, or ValidationError with every fault."""
    given = kind(data=data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
