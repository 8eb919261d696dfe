"""What is sent from the page of arrivals: numbers of entrants, the time on a paper, what was seen at the door."""

import re
from datetime import datetime, time

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import DoorCheckKind
from tournament.core.models.stage import Session

NUMBER_SEPARATORS = re.compile(r"[\s,;、，；]+")
MAX_NUMBERS = 400
NUMBERS_NOT_READABLE = _("Type entrants' numbers, with spaces or commas between them.")


class NumbersField(forms.CharField):
    """Numbers of entrants in one text, `0301 302,303`: each once, in the order in which they were typed."""

    default_error_messages = {"invalid": NUMBERS_NOT_READABLE}

    def to_python(self, value: object) -> list[int]:  # type: ignore[override]
        """The numbers; ValidationError `invalid` where one is none."""
        parts = [part for part in NUMBER_SEPARATORS.split(str(super().to_python(value) or "")) if part]
        if len(parts) > MAX_NUMBERS or not all(re.fullmatch(r"[0-9]{1,6}", part) for part in parts):
            raise ValidationError(self.error_messages["invalid"], "invalid")
        return list(dict.fromkeys(map(int, parts)))


class CheckInForm(forms.Form):
    """Who has come; of ticks on paper with their time on the day of the session."""

    numbers = NumbersField(label=_("Numbers"), max_length=4000)
    came_at = forms.TimeField(label=_("Time on the paper"), required=False)

    def claimed_at(self, session: Session) -> datetime | None:
        """The typed time on the session's day; None where none was typed."""
        typed: time | None = self.cleaned_data["came_at"]
        if typed is None:
            return None
        day = timezone.localtime(session.check_in_at).date()
        return timezone.make_aware(datetime.combine(day, typed))


class UndoCheckInForm(forms.Form):
    """Whose check-in is taken back, and why if somebody says so."""

    number = forms.IntegerField(min_value=0, max_value=999_999, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason (may be left out)"), max_length=500, required=False)


class DoorCheckForm(forms.Form):
    """What was seen of whom; `undo` takes it back."""

    number = forms.IntegerField(min_value=0, max_value=999_999, widget=forms.HiddenInput)
    kind = forms.ChoiceField(choices=DoorCheckKind.choices, widget=forms.HiddenInput)
    undo = forms.BooleanField(required=False, widget=forms.HiddenInput)


class ForfeitForm(forms.Form):
    """Those who were listed when it was pressed."""

    numbers = NumbersField(max_length=4000)
