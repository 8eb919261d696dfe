"""What is typed to find entrants and to record what becomes of them."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session

ABSENCE_STATUSES = (EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED)


class EntrantSearch(forms.Form):
    """Find by number, name or the last four digits or more of a phone; by session; by status.

    What cannot be is no filter.
    """

    q = forms.CharField(required=False, max_length=100)
    session = forms.ChoiceField(required=False)
    status = forms.ChoiceField(required=False, choices=[("", _("Every status")), *EntrantStatus.choices])

    def __init__(self, *args: Any, sessions: list[tuple[Session, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = [(str(session.number), word) for session, word in sessions]
        cast(forms.ChoiceField, self.fields["session"]).choices = [("", _("Every session")), *words]
        self.fields["q"].label = _("Number, name, or phone (last 4 digits or more)")
        cast(forms.TextInput, self.fields["q"].widget).input_type = "search"
        self.fields["q"].widget.attrs.update({"class": "input", "data-find": "", "autocomplete": "off"})
        for name, label in (("session", _("Session")), ("status", _("Status"))):
            self.fields[name].label = label
            self.fields[name].widget.attrs["class"] = "input"

    def asked(self) -> dict[str, Any]:
        """The search as arguments of `queries.entrants.search_entrants`."""
        self.is_valid()
        wanted = self.cleaned_data
        text = wanted.get("q") or ""
        session = wanted.get("session") or ""
        return {"text": text, "session": int(session) if session else None, "status": wanted.get("status") or ""}


class StatusReasonForm(forms.Form):
    """A reason, and the status that the person had before them."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("It stays in the log for good: no names."),
        error_messages={
            "required": _("Say in a few words why (at most 500 characters)."),
            "max_length": _("Say in a few words why (at most 500 characters)."),
        },
    )
    seen = forms.ChoiceField(choices=EntrantStatus.choices, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].widget.attrs["autocomplete"] = "off"


class AbsenceForm(StatusReasonForm):
    """No-show, withdrawn, or disqualified by those who may."""

    status = forms.ChoiceField(label=_("What happened"), error_messages={"required": _("Choose what happened.")})
    field_order = ("status", "reason", "seen")

    def __init__(self, *args: Any, may_disqualify: bool, now: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        onward = ABSENCE_STATUSES if now == EntrantStatus.OK else (EntrantStatus.DISQUALIFIED,)
        possible = [status for status in onward if may_disqualify or status != EntrantStatus.DISQUALIFIED]
        choices = [("", _("Choose")), *((status.value, status.label) for status in possible)]
        cast(forms.ChoiceField, self.fields["status"]).choices = choices
        self.any_possible = bool(possible) and now != EntrantStatus.DISQUALIFIED
