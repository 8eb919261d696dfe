"""A play-off as it stands on its papers, and a draw as it is announced: what the chief judge types of either."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from django import forms
from django.http import QueryDict
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from scoring.entry import read_whole
from scoring.values import SEATS
from tournament.enums import GameEnd
from tournament.exports.released_draws import words_to_announce
from tournament.forms.published_text import LANGUAGES, LONGEST_TOKEN, JudgedTextForm, PreviewedForm
from tournament.forms.sheet_grid import PAPER_CELLS, Cell, by_field
from tournament.forms.sheet_sentences import Place, Sentence, sentences
from tournament.services.play_off import PlayOffCheck

MOST_GAMES = 12
LONGEST_CELL = 60
ENDINGS = [(str(end), end.label) for end in (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME)]


def naming(ids: Iterable[str]) -> str:
    """Ids as an address and a form name them: a space parts them, and one within a family's code is quoted."""
    return " ".join(quote(id, safe="/") for id in ids)


def ids_named(text: str) -> list[str]:
    """The ids that `naming` wrote."""
    return [unquote(part) for part in text.split()]


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
    words_confirmed = forms.CharField(max_length=LONGEST_TOKEN, required=False)

    def preview(self) -> Sequence[tuple[str, str]]:
        """What will stand of the draw, in each language."""
        said, tied = [], ids_named(self.data.get("tied", ""))
        value, known = self.cleaned_data["public_value"], self.cleaned_data["known_from"]
        for language, lang in LANGUAGES:
            with translation.override(language):
                said.append((lang, words_to_announce(tied, value, known, timezone.now())))
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
        """The order as ids."""
        return [part for part in re.split(r"[\s,、，;；]+", self.cleaned_data["order"]) if part]


@dataclass(frozen=True)
class PlayerRow:
    """One player of one game: who, and the cells of the paper."""

    letter: str
    name: str
    chosen: str
    cells: Sequence[Cell]


@dataclass(frozen=True)
class PlayOffGame:
    """One game on the page."""

    number: int
    ended_by: Cell
    players: Sequence[PlayerRow]
    says: Sequence[Sentence]


@dataclass
class PlayOffTyped:
    """The games as they were typed, each text as it was written; `people` are (number, label) of who may play."""

    people: Sequence[tuple[int, str]]
    texts: Mapping[str, str] = field(default_factory=dict)
    count: int = 1
    faults: Sequence[Sentence] = ()

    @classmethod
    def sent(cls, people: Sequence[tuple[int, str]], post: QueryDict) -> "PlayOffTyped":
        """As it came from the page; a game more where that was asked for."""
        count = read_whole(post.get("count", "1")) or 1
        count = min(count + (post.get("do") == "more"), MOST_GAMES)
        texts = {name: value[:LONGEST_CELL] for name, value in post.items() if name.startswith("games-")}
        return cls(people, texts, count)

    @property
    def seats(self) -> Sequence[str]:
        """As many as sit at a table of these."""
        return SEATS[: min(len(self.people), len(SEATS))]

    def text(self, name: str) -> str:
        """One cell; who sits where is proposed as long as nothing was sent."""
        return self.texts.get(name, "")

    def player(self, game: int, letter: str) -> str:
        """The number of who sits there; all of few sit in their order from the first."""
        name, place = f"games-{game}-{letter}-entrant", SEATS.index(letter)
        if name in self.texts or len(self.people) > len(SEATS):
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
        sitting = [(letter, read_whole(self.player(game, letter))) for letter in self.seats]
        lines = [
            {"entrant": int(number), **{name: self.text(f"games-{game}-{letter}-{name}") for name in PAPER_CELLS}}
            for letter, number in sitting
            if number
        ]
        return {"ended_by": self.text(f"games-{game}-ended_by"), "lines": lines}

    def mark(self, check: PlayOffCheck) -> None:
        """Show what is wrong at its cell."""
        self.faults = sentences(check.mend)

    def grid(self) -> list[PlayOffGame]:
        """The games as the page draws them."""
        at = by_field(self.faults)

        def cell(game: int, name: str, letter: str = "") -> Cell:
            place = Place(game, letter, name)
            return Cell(place.field, self.text(place.field), place, at.get(place.field, ()))

        return [
            PlayOffGame(
                game + 1,
                cell(game, "ended_by"),
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
