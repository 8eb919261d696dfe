"""What a person enters about the sky, and what they decide of a day."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from tournament.core.dateformat import datetime_text
from tournament.core.enums import WeatherOutcome
from tournament.events.exports import STOP_SIGNAL_WORDS, SignalWords, words_of_signal
from tournament.setup.forms.setup import day_field, hour_field
from tournament.setup.services.plan import hall_time
from tournament.weather.models import WeatherSignal
from tournament.weather.services.weather import ANNOUNCED_SIGNALS

MAX_WEATHER_TEXT = 500
END_NEEDS_DAY_AND_TIME = _("Give the end's day and its time, or neither of them.")


def signal_choice(code: str, words: SignalWords) -> tuple[str, str]:
    """As it stands in the list: the name, then the code."""
    return code, str(words.name) if words.name == code else f"{words.name} {code}"


class SignalForm(forms.Form):
    """One signal as a whole, with its official times; the end stays empty while it lasts or is not known."""

    code = forms.ChoiceField(label=_("Signal"), error_messages={"required": _("Choose a signal.")})
    issued_on = day_field(_("Issued on"))
    issued = hour_field(_("Issued at"))
    ended_on = day_field(_("Cancelled on"), required=False)
    ended = hour_field(_("Cancelled at"), required=False)
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=MAX_WEATHER_TEXT,
        help_text=_("Where the times are from: the Observatory's page, the radio, by telephone."),
    )

    def __init__(
        self, day: date, about: WeatherSignal | None, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        """`about` is the line that is corrected."""
        super().__init__(data, initial=signal_form_initial(day, about), **kwargs)
        offered = {**STOP_SIGNAL_WORDS, **{code: words_of_signal(code) for code in ANNOUNCED_SIGNALS}}
        own = {} if about is None or about.code in offered else {about.code: words_of_signal(about.code)}
        codes = {**own, **offered}
        empty = [] if about else [("", "—")]
        cast(forms.ChoiceField, self.fields["code"]).choices = [
            *empty,
            *(signal_choice(code, words) for code, words in codes.items()),
        ]

    def clean(self) -> dict[str, Any]:
        """`issued_at` and `ended_at` as moments; the end after the issue, neither to come."""
        given = super().clean() or self.cleaned_data
        on, hour = given.get("ended_on"), given.get("ended")
        if not self.errors and bool(on) != bool(hour):
            self.add_error("ended" if on else "ended_on", END_NEEDS_DAY_AND_TIME)
        if self.errors:
            return given
        given["issued_at"] = hall_time(given["issued_on"], given["issued"])
        given["ended_at"] = hall_time(on, hour) if on and hour else None
        self.check_order(given["issued_at"], given["ended_at"])
        return given

    def check_order(self, issued: datetime, ended: datetime | None) -> None:
        """Every fault with its times."""
        now = timezone.now()
        for name, moment in (("issued", issued), ("ended", ended)):
            if moment and moment > now:
                self.refuse(name, _("%(at)s is still to come. Enter what has happened."), moment)
        if ended and ended < issued:
            self.refuse("ended", _("It cannot have ended before it was issued at %(at)s."), issued)

    def refuse(self, name: str, sentence: StrOrPromise, moment: datetime) -> None:
        """One fault at a field."""
        self.add_error(name, forms.ValidationError(sentence, params={"at": datetime_text(moment)}))


def signal_form_initial(day: date, about: WeatherSignal | None) -> dict[str, Any]:
    """The line as it stands; of a new one the day alone."""
    if about is None:
        return {"issued_on": day}
    found = {"code": about.code, "issued_on": day}
    for name, moment in (("issued", about.issued_at), ("ended", about.ended_at)):
        if moment:
            local = timezone.localtime(moment)
            found |= {f"{name}_on": local.date(), name: local.time()}
    return found


class WithdrawSignalForm(forms.Form):
    """A line that was never so."""

    note = forms.CharField(
        label=_("Why it was never so"),
        max_length=MAX_WEATHER_TEXT,
        error_messages={"required": _("Write down why this line was never so.")},
    )


class WeatherDecisionForm(forms.Form):
    """A person's decision; `seen` is the digest of what the page showed."""

    outcome = forms.ChoiceField(
        label=_("Decision"),
        choices=WeatherOutcome.choices,
        error_messages={"required": _("Choose whether the day is played or called off.")},
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_WEATHER_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Kept with the decision and its evidence."),
    )
    decided = hour_field(_("Decided at"), required=False)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
