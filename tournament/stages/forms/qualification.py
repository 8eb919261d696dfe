"""The chief judge's decision of a tie across the line or of a reserve place, as it is typed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import TieMethod
from tournament.core.numberformat import entrant_number_text
from tournament.messages.forms import JudgedTextForm
from tournament.ranking.models.tie_break import TieBreak


class TiedEntrantLike(Protocol):
    """One of the tied as the form shows them."""

    @property
    def number(self) -> int: ...
    @property
    def name_zh(self) -> str: ...
    @property
    def name_en(self) -> str: ...


class NumbersField(forms.CharField):
    """Entrants' numbers in order, with anything between them."""

    def clean(self, value: Any) -> list[int]:
        """The numbers as they stand."""
        return entrant_numbers_in_text(super().clean(value))


def entrant_numbers_in_text(text: str) -> list[int]:
    """The entrants' numbers that a text has, in its order."""
    return [int(part) for part in re.findall(r"[0-9]+", text, re.ASCII) if len(part) < LONGEST_NUMBER]


LONGEST_NUMBER = 10


# A play-off has a page of its own, with its games.
METHODS_WITHOUT_GAMES = [choice for choice in TieMethod.choices if choice[0] != TieMethod.PLAY_OFF]


class JudgedForm(JudgedTextForm):
    """Any decision but by a play-off, whose games are typed; `places` are as the page showed them."""

    value = forms.CharField(
        label=_("The public figure"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        help_text=_("For announced lots: the figure as it came out, digits alone: 24123.5."),
    )
    witnesses = forms.CharField(
        label=_("Witnesses"),
        max_length=300,
        required=False,
        help_text=_("For lots of either kind. Kept, not published."),
    )
    places = forms.IntegerField(widget=forms.HiddenInput)


class TieDecisionForm(JudgedForm):
    """`tied`, `places` and `replaces` are the tie and the decision as the page showed them; the service compares."""

    method = forms.ChoiceField(label=_("How it is decided"), choices=METHODS_WITHOUT_GAMES, widget=forms.RadioSelect)
    admitted = forms.TypedMultipleChoiceField(
        label=_("Who advances"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("For a choice: as many as there are places. Lots and admitting all need no choice."),
    )
    order = NumbersField(
        label=_("Order, as far as it is decided"),
        max_length=3000,
        required=False,
        help_text=_(
            "For a choice or lots drawn by hand: numbers, the first first: 0006 0002. Who is left out stays tied."
        ),
    )
    tied = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        tie: Sequence[TiedEntrantLike],
        places: int,
        standing: TieBreak | None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """This tie for so many places, unless something was sent; `standing` is the decision in force."""
        initial = {
            "tied": ",".join(str(entrant.number) for entrant in tie),
            "places": places,
            "replaces": standing.pk if standing else None,
        }
        super().__init__(data, initial=initial, **kwargs)
        numbers = self.sent_numbers() or [entrant.number for entrant in tie]
        names = {entrant.number: entrant.name_zh or entrant.name_en for entrant in tie}
        cast(forms.ChoiceField, self.fields["admitted"]).choices = [
            (number, f"{entrant_number_text(number)} {names.get(number, '')}".strip()) for number in numbers
        ]
        self.fields["method"].error_messages["required"] = _("Choose how it is decided.")

    def sent_numbers(self) -> Sequence[int]:
        """The tie as it was when the page was made."""
        return entrant_numbers_in_text(self.data.get("tied", "")) if self.is_bound else []

    def decision(self) -> dict[str, Any]:
        """The keyword arguments of services.tie_breaks.TieBreakGiven."""
        given = self.cleaned_data
        by_hand = given["method"] in (TieMethod.HAND_LOTS, TieMethod.PICK)
        return {
            "tied": list(map(entrant_number_text, self.sent_numbers())),
            "places": given["places"],
            "method": given["method"],
            "admitted": list(map(entrant_number_text, given["admitted"])) if by_hand else (),
            "order": list(map(entrant_number_text, given["order"])) if by_hand else (),
            "reason": given["reason"],
            "witnesses": given["witnesses"],
            "value": given["value"],
            "replaces": given["replaces"],
            "words_confirmed": given["words_confirmed"],
        }
