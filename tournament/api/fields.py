"""Fields that take what they say and nothing like it: no 1 for true, no "5" for 5, no field that nobody asked for."""

import re
from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

Row = TypeVar("Row", bound=Model)
API_SESSION_YEARS = range(2000, 2100)

SMALL_INTEGER_MAX = 10**9 - 1  # nine digits: fits every column and every database
API_PAGE_SIZE_MAX, API_PAGE_SIZE_DEFAULT = 200, 100
QUERY_INTEGER_RE = re.compile(r"[0-9]{1,9}", re.ASCII)
WRITTEN_FIGURE_MAX_LENGTH = 60
REASON_MAX_LENGTH = 500


class StrictBody(serializers.Serializer[Any]):
    """The body of a request: what it does not know is refused, never passed on."""

    def to_internal_value(self, data: Any) -> Any:
        """Unknown fields first, then each field."""
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            said = ErrorDetail(str(_("Nothing here has a field of this name.")), code="unknown_field")
            raise ValidationError({name: [said] for name in unknown})
        return super().to_internal_value(data)


class Nothing(StrictBody):
    """A change that needs no further word: {} or no body."""


class PlainTextField(serializers.CharField):
    """A text, kept as it was written."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        """No number for a text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class ReasonRequest(StrictBody):
    reason = PlainTextField(max_length=REASON_MAX_LENGTH)


class MaybeReasonRequest(StrictBody):
    """Why, if anything is to be said."""

    reason = PlainTextField(required=False, allow_blank=True, max_length=REASON_MAX_LENGTH)


class StrictIntegerField(serializers.IntegerField):
    """A whole number, written as one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": SMALL_INTEGER_MAX, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        """Neither true nor "5" nor 5.0."""
        if type(data) is not int:
            self.fail("invalid")
        return data


class QueryIntegerField(serializers.IntegerField):
    """A whole number in an address: digits alone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": SMALL_INTEGER_MAX, "required": False, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        """Neither 1_000 nor a full-width five."""
        if not QUERY_INTEGER_RE.fullmatch(str(data)):
            self.fail("invalid")
        return int(data)


class StrictBooleanField(serializers.BooleanField):
    """true or false, and null where that is said."""

    def to_internal_value(self, data: Any) -> Any:
        if data is None and self.allow_null:
            return None
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class WordChoiceField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        """A text that is one of them."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": -SMALL_INTEGER_MAX, "maximum": SMALL_INTEGER_MAX},
            {"type": "string", "maxLength": WRITTEN_FIGURE_MAX_LENGTH},
        ]
    }
)
class WrittenFigureField(serializers.Field[Any, Any, Any, Any]):
    """A figure as it stands on the paper: a whole number, or a text such as 23/2, 11 1/2, 11.5, ""."""

    default_error_messages = {"invalid": _("Write a whole number, or a text of at most 60 characters.")}

    def to_internal_value(self, data: Any) -> str:
        """As the text that a page would send."""
        whole = type(data) is int and -SMALL_INTEGER_MAX <= data <= SMALL_INTEGER_MAX
        if not whole and not (isinstance(data, str) and len(data) <= WRITTEN_FIGURE_MAX_LENGTH):
            self.fail("invalid")
        return str(data)

    def to_representation(self, value: Any) -> str:
        """The text that is kept."""
        return str(value)


@extend_schema_field({"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"})
class FractionField(serializers.Field[Any, Any, Any, Any]):
    """An exact figure in lowest terms: 30, -5, 23/2. Never a float."""

    def to_representation(self, value: Fraction) -> str:
        """As the rules write it."""
        return str(Fraction(value))


class PageParams(StrictBody):
    """A part of a list: at most so many after this number."""

    after = QueryIntegerField(default=0)
    limit = QueryIntegerField(default=API_PAGE_SIZE_DEFAULT, min_value=1, max_value=API_PAGE_SIZE_MAX)


def page_of(rows: QuerySet[Row], column: str, after: int, limit: int) -> tuple[list[Row], int | None]:
    """A part of the rows by this column, and the `after` of the next part; null where there is none."""
    found = list(rows.filter(**{f"{column}__gt": after})[: limit + 1])
    following = attrgetter(column.replace("__", "."))(found[limit - 1]) if len(found) > limit else None
    return found[:limit], following


def validate_with(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """The data as this body says, or ValidationError with every fault."""
    given = kind(data=data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


class EventDateTimeField(serializers.DateTimeField):
    """ISO 8601 with an offset; without one by the event's clock."""

    default_error_messages = {"year": gettext_lazy("Write a moment from 2000 to 2099.")}

    def to_internal_value(self, value: Any) -> datetime:
        """Of this century: every zone knows it."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DDThh:mm[:ss][+HH:MM]")
        if not value[:4].isdecimal() or int(value[:4]) not in API_SESSION_YEARS:
            self.fail("year")
        found: datetime = super().to_internal_value(value)
        return found
