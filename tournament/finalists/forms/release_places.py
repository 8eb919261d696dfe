"""A finalist's answer, and the last moment for answers, as they are typed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import ANSWERS_OF_FINALISTS
from tournament.messages.forms import QuestionedForm


class PlaceAnswerForm(QuestionedForm):
    """`seen` is the id of the answer that the page showed; 0 for none."""

    answer = forms.ChoiceField(choices=ANSWERS_OF_FINALISTS)
    reason = forms.CharField(label=_("Reason"), max_length=500, required=False, strip=True)
    seen = forms.IntegerField(min_value=0)


class AnswersUntilForm(forms.Form):
    """`seen` is the moment that the page showed, as it was written there; both empty for none."""

    until = forms.DateTimeField(
        label=_("Answers until"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        error_messages={"invalid": _("Write day and hour as 2026-04-12 18:00.")},
    )
    seen = forms.DateTimeField(required=False, widget=forms.HiddenInput)
