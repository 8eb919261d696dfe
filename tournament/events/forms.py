"""What a page that was opened before something was locked sends all the same: found, shown beside what is in force.

A locked field is disabled, and a disabled field is not read from what was sent. Left at that, a stale page would be
told that it is saved.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.forms import Field, Form
from django.utils.translation import gettext_noop as _

from tournament.core.errors import Locked

LOCKED_MEANWHILE = _(
    "Nothing was saved: part of what you sent has been locked since your page was opened. Below stands what is in "
    "force and what you sent."
)


class DroppedValue(NamedTuple):
    """One value that was sent and is locked: its label, what is in force, what was sent."""

    label: str
    in_force: Any
    sent: Any


def dropped_values(form: Form, of: str = "") -> Iterator[DroppedValue]:
    """Every disabled field that was sent with another value than is in force; `of` stands before the label."""
    if not form.is_bound:
        return
    for name, field in form.fields.items():
        place = form.add_prefix(name)
        if not field.disabled or place not in form.data:
            continue
        now = field.prepare_value(form.get_initial_for_field(field, name))
        sent = field.widget.value_from_datadict(form.data, form.files, place)
        if differs_from_field_value(field, now, sent):
            label = str(field.label or name)
            yield DroppedValue(f"{of} {label}".strip(), field_value_words(field, now), field_value_words(field, sent))


def differs_from_field_value(field: Field, now: Any, sent: Any) -> bool:
    """Whether both mean another value to the field; what it cannot read is another."""
    try:
        return bool(field.to_python(now) != field.to_python(sent))
    except ValidationError:
        return True


def field_value_words(field: Field, value: Any) -> Any:
    """A choice in its words, anything else as it is."""
    return {str(key): label for key, label in getattr(field, "choices", ())}.get(str(value), value)


def locked_meanwhile_refusal() -> Locked:
    return Locked("fields_locked", LOCKED_MEANWHILE)
