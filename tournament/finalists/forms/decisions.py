"""A play-off as it stands on its papers, and a draw as it is announced: what the chief judge types of either."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from scoring.entry import read_whole_number
from scoring.values import ALL_SEAT_LETTERS
from tournament.core.enums import GameEnd, GameRuling
from tournament.messages.forms import LANGUAGE_SUFFIX_TAGS, MAX_CONFIRMATION_TOKEN, JudgedTextForm, PreviewedForm
from tournament.publication.exports.draws import lots_announcement_words
from tournament.sheets.forms.sheet_grid import PAPER_CELLS, SheetCell, sentences_by_field
from tournament.sheets.forms.sheet_place import SheetPlace
from tournament.sheets.forms.sheet_sentences import ProblemSentence, problem_sentences
from tournament.stages.forms.ids_in_address import split_ids_of_form
from tournament.stages.services.play_off import PlayOffCheck

MAX_PLAY_OFF_GAMES = 12
MAX_PLAY_OFF_CELL = 60
PLAY_OFF_GAME_ENDINGS = [(str(end), end.label) for end in (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME)]


class LotsForm(PreviewedForm):
    """`tied` and `places` are those that the page showed; the service compares."""

    public_value = forms.CharField(
        label=_("Which public figure"),
        max_length=200,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_(
            "One that everybody can look up and nobody knows yet, and how it is written: "
            "the Hang Seng Index at the close of 30 November, two decimals."
        ),
        error_messages={"required": _("Write which public figure will be taken, and how it is written.")},
    )
    known_from = forms.DateTimeField(
        label=_("Known from"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        error_messages={
            "required": _("Write when the figure comes out."),
            "invalid": _("Write day and hour as 2026-04-12 18:00."),
        },
    )
    reason = forms.CharField(
        label=_("Why it is drawn again"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only where these were drawn or decided before: published, entrant numbers, no names."),
    )
    words_confirmed = forms.CharField(max_length=MAX_CONFIRMATION_TOKEN, required=False)

    def preview(self) -> Sequence[tuple[str, str]]:
        """What will stand of the draw, in each language."""
        said, tied = [], split_ids_of_form(self.data.get("tied", ""))
        value, known = self.cleaned_data["public_value"], self.cleaned_data["known_from"]
        for language, lang in LANGUAGE_SUFFIX_TAGS:
            with translation.override(language):
                said.append((lang, lots_announcement_words(tied, value, known, timezone.now())))
        return said


class PlayOffWordsForm(JudgedTextForm):
    """What goes with the games. `order`: ids in order, needed only where not all have played as many games."""

    order = forms.CharField(
        label=_("Order, if not all played as many games"),
        max_length=3000,
        required=False,
        help_text=_("The first first. Otherwise leave it empty: the games give the order."),
    )

    def ids(self) -> list[str]:
        return [part for part in re.split(r"[\s,、，;；]+", self.cleaned_data["order"]) if part]


@dataclass(frozen=True)
class PlayerRow:
    """One player of one game: who, and the cells of the paper."""

    letter: str
    name: str
    chosen: str
    cells: Sequence[SheetCell]


@dataclass(frozen=True)
class PlayOffGame:
    """One game on the page."""

    number: int
    ended_by: SheetCell
    ruling: SheetCell
    players: Sequence[PlayerRow]
    says: Sequence[ProblemSentence]


@dataclass
class PlayOffTyped:
    """The games as they were typed, each text as it was written; `people` are (number, label) of who may play,
    `possible_rulings` those that a game may need under the rules of the stage."""

    people: Sequence[tuple[int, str]]
    possible_rulings: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    count: int = 1
    faults: Sequence[ProblemSentence] = ()

    @classmethod
    def sent(
        cls, people: Sequence[tuple[int, str]], possible_rulings: Sequence[str], post: QueryDict
    ) -> "PlayOffTyped":
        """As it came from the page; a game more where that was asked for."""
        count = read_whole_number(post.get("count", "1")) or 1
        count = min(count + (post.get("do") == "more"), MAX_PLAY_OFF_GAMES)
        texts = {name: post.get(name, "")[:MAX_PLAY_OFF_CELL] for name in post if name.startswith("games-")}
        return cls(people, possible_rulings, texts, count)

    @property
    def rulings(self) -> Sequence[tuple[str, str]]:
        """The choices of a ruling with their words; none where the rules decide every game."""
        return [(str(one), str(one.label)) for one in GameRuling if one in self.possible_rulings]

    @property
    def seats(self) -> Sequence[str]:
        """As many as sit at a table of these."""
        return ALL_SEAT_LETTERS[: min(len(self.people), len(ALL_SEAT_LETTERS))]

    def text(self, name: str) -> str:
        """One cell; who sits where is proposed as long as nothing was sent."""
        return self.texts.get(name, "")

    def player(self, game: int, letter: str) -> str:
        """The number of who sits there; all of few sit in their order from the first."""
        name, place = f"games-{game}-{letter}-entrant", ALL_SEAT_LETTERS.index(letter)
        if name in self.texts or len(self.people) > len(ALL_SEAT_LETTERS):
            return self.text(name)
        return str(self.people[place][0])

    def is_blank(self, game: int) -> bool:
        """Whether nothing of it is written."""
        cells = [f"games-{game}-{letter}-{name}" for letter in self.seats for name in PAPER_CELLS]
        return not any(self.text(name).strip() for name in (f"games-{game}-ended_by", *cells))

    def games(self) -> list[dict[str, Any]]:
        """What services.play_off takes; a game of which nothing is written is none."""
        return [self._game(game) for game in range(self.count) if not self.is_blank(game)]

    def _game(self, game: int) -> dict[str, Any]:
        sitting = [(letter, read_whole_number(self.player(game, letter))) for letter in self.seats]
        lines = [
            {"entrant": int(number), **{name: self.text(f"games-{game}-{letter}-{name}") for name in PAPER_CELLS}}
            for letter, number in sitting
            if number
        ]
        ruling = self.text(f"games-{game}-ruling")
        ruled = {"ruling": ruling} if ruling else {}
        return {"ended_by": self.text(f"games-{game}-ended_by"), **ruled, "lines": lines}

    def mark(self, check: PlayOffCheck) -> None:
        """Show what is wrong at its cell."""
        self.faults = problem_sentences(check.mend)

    def grid(self) -> list[PlayOffGame]:
        """The games as the page draws them."""
        at = sentences_by_field(self.faults)

        def cell(game: int, name: str, letter: str = "") -> SheetCell:
            place = SheetPlace(game, letter, name)
            return SheetCell(place.field, self.text(place.field), place, at.get(place.field, ()))

        return [
            PlayOffGame(
                game + 1,
                cell(game, "ended_by"),
                cell(game, "ruling"),
                [
                    PlayerRow(
                        letter,
                        f"games-{game}-{letter}-entrant",
                        self.player(game, letter),
                        [cell(game, name, letter) for name in PAPER_CELLS],
                    )
                    for letter in self.seats
                ],
                [one for one in self.faults if one.place.game == game],
            )
            for game in range(self.count)
        ]
