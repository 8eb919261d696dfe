"""The questions that the page of changes can be asked."""

from datetime import datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

ChoicePairs = list[tuple[Any, str]]


class AuditSearch(forms.Form):
    """By thing, act, account and days; each may be left out, and what cannot be read is left out too."""

    thing = forms.CharField(label=_("Thing"), required=False, max_length=80)
    action = forms.ChoiceField(label=_("Act"), required=False)
    actor = forms.TypedChoiceField(label=_("Account"), required=False, coerce=int, empty_value=None)
    since = forms.DateField(label=_("From day"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To day"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, actions: ChoicePairs, actors: ChoicePairs, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["action"]).choices = [("", _("all")), *actions]
        cast(forms.ChoiceField, self.fields["actor"]).choices = [("", _("all")), *actors]
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def asked(self) -> dict[str, Any]:
        """As the query takes it: days are whole, in the event's zone."""
        self.is_valid()
        asked = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        if "thing" in asked:
            asked["subject"] = asked.pop("thing")
        if "since" in asked:
            asked["since"] = first_moment_of_day(asked["since"])
        if "until" in asked:
            asked["until"] = first_moment_of_day(asked["until"] + timedelta(days=1))
        return asked


def first_moment_of_day(day: Any) -> datetime:
    """Midnight in the event's time zone."""
    return timezone.make_aware(datetime.combine(day, time()))
