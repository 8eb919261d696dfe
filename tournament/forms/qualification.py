"""The chief judge's decision of a tie across the line or of a reserve place, as it is typed."""

import re
from collections.abc import Sequence
from typing import Any, Protocol

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.entry import read_whole
from tournament.enums import TieMethod
from tournament.models import TieDecision
from tournament.quantities import entrant_number_text


class Tied(Protocol):
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
        return numbers_in(super().clean(value))


class PlayOffField(forms.CharField):
    """The games of a play-off: a line for each player, `game number win points tiles`, as it stands on the sheet."""

    def clean(self, value: Any) -> list[list[dict[str, Any]]]:
        """The games in order, each its lines; the points as text."""
        games: dict[int, list[dict[str, Any]]] = {}
        for place, line in enumerate(super().clean(value).splitlines(), start=1):
            cells = line.split()
            if not cells:
                continue
            figures = [read_whole(cells[at]) for at in (0, 1, 2, 4)] if len(cells) == len(PLAY_OFF_CELLS) else [None]
            if None in figures or figures[2] not in (0, 1):
                raise forms.ValidationError(
                    _("Line %(line)s: write game, number, win (1 or 0), points and tiles, with spaces between them."),
                    params={"line": place},
                )
            game, entrant, win, tiles = (figure or 0 for figure in figures)
            games.setdefault(game, []).append({"entrant": entrant, "win": win, "points": cells[3], "tiles": tiles})
        return [games[number] for number in sorted(games)]


PLAY_OFF_CELLS = ("game", "number", "win", "points", "tiles")


def numbers_in(text: str) -> list[int]:
    """The entrants' numbers that a text has, in its order."""
    return [int(part) for part in re.findall(r"[0-9]+", text, re.ASCII) if len(part) < LONGEST_NUMBER]


LONGEST_NUMBER = 10


class JudgedForm(forms.Form):
    """What the chief judge writes down of any decision between equals, whatever is decided.

    `places` and `replaces` are as the page showed them; the service compares.
    """

    games = PlayOffField(
        label=_("Games of the play-off"),
        max_length=6000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_(
            "A line for each player: game, number, win (1 or 0), points, tiles: 1 0006 1 +12 0. "
            "Published; it counts for nothing else."
        ),
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
    places = forms.IntegerField(widget=forms.HiddenInput)
    replaces = forms.IntegerField(widget=forms.HiddenInput, required=False)


class DecisionForm(JudgedForm):
    """`tied`, `places` and `replaces` are the tie and the decision as the page showed them; the service compares."""

    method = forms.ChoiceField(label=_("How it is decided"), choices=TieMethod.choices, widget=forms.RadioSelect)
    admitted = forms.TypedMultipleChoiceField(
        label=_("Who advances"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("For a play-off or a choice: as many as there are places. Lots and admitting all need no choice."),
    )
    order = NumbersField(
        label=_("Order, as far as it is decided"),
        max_length=3000,
        required=False,
        help_text=_("For a play-off or a choice: numbers, the first first: 0006 0002. Who is left out stays tied."),
    )
    tied = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, tie: Sequence[Tied], places: int, standing: TieDecision | None, *args: Any, **kwargs: Any
    ) -> None:
        """This tie for so many places, unless something was sent; `standing` is the decision in force."""
        initial = {
            "tied": ",".join(str(entrant.number) for entrant in tie),
            "places": places,
            "replaces": standing.pk if standing else None,
        }
        super().__init__(*args, initial=initial, **kwargs)
        numbers = self.sent_numbers() or [entrant.number for entrant in tie]
        names = {entrant.number: entrant.name_zh or entrant.name_en for entrant in tie}
        self.fields["admitted"].choices = [
            (number, f"{entrant_number_text(number)} {names.get(number, '')}".strip()) for number in numbers
        ]
        self.fields["method"].error_messages["required"] = _("Choose how it is decided.")

    def sent_numbers(self) -> Sequence[int]:
        """The tie as it was when the page was made."""
        return numbers_in(self.data.get("tied", "")) if self.is_bound else []

    def decision(self) -> dict[str, Any]:
        """What services.qualification.Decided takes."""
        given = self.cleaned_data
        by_hand = given["method"] in (TieMethod.PLAY_OFF, TieMethod.PICK)
        return {
            "tied": self.sent_numbers(),
            "places": given["places"],
            "method": given["method"],
            "admitted": given["admitted"] if by_hand else (),
            "order": given["order"] if by_hand else (),
            "games": given["games"],
            "reason": given["reason"],
            "witnesses": given["witnesses"],
            "seed": given["seed"],
            "replaces": given["replaces"],
        }
