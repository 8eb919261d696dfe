"""What is sent by a private link's page, and what an organiser types about links and the list of finalists."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import ANSWERS_OF_FINALISTS


class LinkAnswerForm(forms.Form):
    """`seen` is the id of the answer that the page showed; 0 for none."""

    answer = forms.ChoiceField(choices=ANSWERS_OF_FINALISTS)
    seen = forms.IntegerField(min_value=0)


class LinkReasonForm(forms.Form):
    """Why a link is replaced or revoked; `seen` is the link that the page showed, 0 for none."""

    reason = forms.CharField(label=_("Reason"), max_length=500, required=False, strip=True)
    seen = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class ReopenListForm(forms.Form):
    """Why the list is opened again; `seen` is what the page showed of places and list (services.finalists.seen_of)."""

    reason = forms.CharField(label=_("Reason"), max_length=500, required=False, strip=True)
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


class FixListForm(forms.Form):
    """`seen` is what the page showed of the places (services.finalists.seen_of)."""

    strike = forms.BooleanField(label=_("Strike who has not answered"), required=False)
    reason = forms.CharField(label=_("Reason for striking them"), max_length=500, required=False, strip=True)
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)


class ReplaceFinalistForm(forms.Form):
    """Who gives a place of the fixed list up, and whether the next reserve takes it; either may be left out.
    `seen` is what the page showed of places and list (services.finalists.seen_of)."""

    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    number = forms.IntegerField(label=_("Gives the place up: number"), min_value=1, required=False)
    reserve = forms.IntegerField(min_value=1, required=False)
    reason = forms.CharField(label=_("Reason"), max_length=500, required=False, strip=True)
