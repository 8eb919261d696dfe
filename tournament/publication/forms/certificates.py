"""The form that says which certificates are wanted."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import CertificateKind


class CertificatesForm(forms.Form):
    """A kind; of one entrant alone where `number` is typed."""

    kind = forms.ChoiceField(choices=CertificateKind.choices, widget=forms.HiddenInput)
    number = forms.IntegerField(
        label=_("Entrant's number"),
        required=False,
        min_value=1,
        max_value=10**9,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
