"""The chief judge's decision between equals on the podium or for the award, as it is typed."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.podium import PodiumTie
from tournament.core.enums import TieMethod
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.forms.qualification import JudgedForm
from tournament.stages.services.podium import TIE_BREAK_METHODS

METHOD_CHOICES = [(method.value, method.label) for method in TIE_BREAK_METHODS if method != TieMethod.PLAY_OFF]


class PodiumDecisionForm(JudgedForm):
    """`tied`, `places` and `replaces` are the contest and the decision as the page showed them; the service compares.

    `at_0`, `at_1` ... ask for the place of each of the tied, in the order of `tied`; left empty: stays level.
    """

    method = forms.ChoiceField(label=_("How it is decided"), choices=METHOD_CHOICES, widget=forms.RadioSelect)
    tied = forms.JSONField(widget=forms.HiddenInput)

    def __init__(
        self,
        contest: PodiumTie,
        standing: TieBreak | None,
        labels: Mapping[str, str],
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """This contest, with who each of it is; `standing` is the decision in force about it."""
        self.contest = contest
        initial = {
            "tied": list(contest.ids),
            "places": contest.places,
            "replaces": standing.pk if standing else None,
        }
        super().__init__(data, initial=initial, auto_id=f"contest{contest.place}_%s", label_suffix="", **kwargs)
        self.fields["method"].error_messages["required"] = _("Choose how it is decided.")
        positions = [("", _("level"))] + [(str(at), str(at)) for at in range(1, len(contest.ids) + 1)]
        for number, id in enumerate(contest.ids):
            self.fields[f"at_{number}"] = forms.TypedChoiceField(
                label=labels.get(id, id),
                choices=positions,
                coerce=int,
                empty_value=None,
                required=False,
                widget=forms.Select(attrs={"class": "input"}),
            )

    @property
    def positions(self) -> list[forms.BoundField]:
        """The place of each of the tied."""
        return [self[f"at_{number}"] for number in range(len(self.contest.ids))]

    def clean(self) -> dict[str, Any]:
        """The places given are 1, 2, 3 ... each once."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        given = sorted(at for at in self._given() if at)
        if given != list(range(1, len(given) + 1)):
            self.add_error(None, _("Give the places 1, 2, 3 in turn, each once; who is left level gets none."))
        return cleaned

    def decision(self) -> dict[str, Any]:
        """The keyword arguments of services.tie_breaks.TieBreakGiven."""
        given = self.cleaned_data
        by_place = sorted((at, id) for at, id in zip(self._given(), self.contest.ids, strict=True) if at)
        return {
            "tied": given["tied"],
            "places": given["places"],
            "method": given["method"],
            "order": [id for _at, id in by_place],
            "reason": given["reason"],
            "witnesses": given["witnesses"],
            "value": given["value"],
            "replaces": given["replaces"],
            "words_confirmed": given["words_confirmed"],
        }

    def _given(self) -> list[int | None]:
        return [self.cleaned_data.get(f"at_{number}") for number in range(len(self.contest.ids))]


def tied_ids_sent(text: str) -> list[str]:
    """The ids that a page sent as the contest it showed; nobody where it sent none."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return [id for id in found if isinstance(id, str)] if isinstance(found, list) else []
