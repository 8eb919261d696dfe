"""The chief judge's decision of a tie across the line, as it is typed."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.bridge.qualification import LiveCut
from tournament.enums import TieMethod
from tournament.quantities import entrant_number_text


class DecisionForm(forms.Form):
    """`tied`, `places` and `replaces` are the tie and the decision as the page showed them; the service compares."""

    method = forms.ChoiceField(label=_("How it is decided"), choices=TieMethod.choices, widget=forms.RadioSelect)
    admitted = forms.TypedMultipleChoiceField(
        label=_("Who advances"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("For a play-off or a choice: as many as there are places. Lots and admitting all need no choice."),
    )
    seed = forms.CharField(
        label=_("Seed of the lots"),
        max_length=100,
        required=False,
        help_text=_(
            "For lots: any words or figures, written down before witnesses. The same seed always draws the same."
        ),
    )
    witnesses = forms.CharField(
        label=_("Witnesses"), max_length=300, required=False, help_text=_("For lots. Kept, not published.")
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Published with the ranking: entrant numbers, no names."),
        error_messages={"required": _("Write down why it was decided so: the reason is published with the ranking.")},
    )
    tied = forms.CharField(widget=forms.HiddenInput)
    places = forms.IntegerField(widget=forms.HiddenInput)
    replaces = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, cut: LiveCut, *args: Any, **kwargs: Any) -> None:
        """The tie of this cut, unless something was sent."""
        standing = cut.decision
        initial = {
            "tied": ",".join(str(entrant.number) for entrant in cut.tie),
            "places": cut.tie_places,
            "replaces": standing.pk if standing else None,
        }
        super().__init__(*args, initial=initial, **kwargs)
        numbers = self.sent_numbers() or [entrant.number for entrant in cut.tie]
        names = {entrant.number: entrant.name_zh or entrant.name_en for entrant in cut.tie}
        self.fields["admitted"].choices = [
            (number, f"{entrant_number_text(number)} {names.get(number, '')}".strip()) for number in numbers
        ]
        self.fields["method"].error_messages["required"] = _("Choose how it is decided.")

    def sent_numbers(self) -> Sequence[int]:
        """The tie as it was when the page was made."""
        parts = self.data.get("tied", "").split(",") if self.is_bound else []
        return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10]

    def decision(self) -> dict[str, Any]:
        """What services.qualification.decide_tie takes."""
        given = self.cleaned_data
        by_hand = given["method"] in (TieMethod.PLAY_OFF, TieMethod.PICK)
        return {
            "tied": self.sent_numbers(),
            "places": given["places"],
            "method": given["method"],
            "admitted": given["admitted"] if by_hand else (),
            "reason": given["reason"],
            "witnesses": given["witnesses"],
            "seed": given["seed"],
            "replaces": given["replaces"],
        }
