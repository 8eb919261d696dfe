"""Why am I 121st: one small page an entrant and language, from a release's content alone (mock-up 06b).

Two thousand and four hundred pages are written at a release, so that the page is rendered once a language with marks in
the places of what differs, and each entrant's parts are joined into it as plain text.
"""

import re
from collections.abc import Iterator
from html import escape

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import conditional_escape
from django.utils.translation import gettext

from scoring.separation import neighbours_in_ranking, separate_standings
from scoring.values import Standing
from tournament.core.numberformat import entrant_number_text, from_twelfths
from tournament.publication.exports.decisions import DecisionText
from tournament.publication.exports.podium import read_podium
from tournament.publication.exports.public_turns import turns_markup
from tournament.publication.exports.released import ReleasedEntrant, ReleasedRanking
from tournament.ranking.exports.picture import PictureEntrant, RankingPicture, picture_legend
from tournament.ranking.exports.words import (
    CriterionComparisonWords,
    comparison_words_for_entrant,
    criterion_head_words,
    quantity_markup,
    rank_and_number_words,
)

PAGE_TEMPLATE_MARKS = ("number", "place", "name", "badge", "trio", "why", "picture", "games")
PAGE_TEMPLATE_MARK = re.compile(r"@@(\w+)@@")


class EntrantPages:
    """The pages of one release in one language. `folder` is the release's own address."""

    def __init__(self, released: ReleasedRanking, language: str, *, urls: dict[str, str]) -> None:
        self.released, self.language = released, language
        self.order = released.content["order"]
        self.by_average = "average" in self.order
        self.podium = read_podium(released)
        self.standings = [_standing_of_entrant(entrant) for entrant in released.ranking]
        self.spots = [self._spot(entrant) for entrant in released.ranking]
        line = released.advancing
        across = (self.spots[line - 1], self.spots[line]) if 0 < line < len(self.spots) else None
        self.picture = RankingPicture(self.spots, across)
        context = {
            "released": released,
            "language": language,
            "legend": picture_legend(self.picture, by_average=self.by_average),
            "marks": {name: f"@@{name}@@" for name in PAGE_TEMPLATE_MARKS},
            **urls,
        }
        page = render_to_string("publication/public/entrant.html", context)
        # Text, mark, text, mark ... text.
        self.parts = PAGE_TEMPLATE_MARK.split(page)

    def pages(self) -> Iterator[tuple[int, bytes]]:
        """Each entrant's number and page, in the order of the ranking."""
        for position, entrant in enumerate(self.released.ranking):
            number = entrant_number_text(entrant.number)
            facts = {
                "number": number,
                "place": entrant.rank_text,
                "name": entrant.name_markup,
                "badge": self._badge(entrant),
                "trio": self._trio(entrant),
                "why": self._why(position, entrant),
                "picture": str(self.picture.svg(self.spots[position], called=gettext("you"))),
                "games": self._games(entrant),
            }
            yield (
                entrant.number,
                "".join(facts[part] if place % 2 else part for place, part in enumerate(self.parts)).encode(),
            )

    def _spot(self, entrant: ReleasedEntrant) -> PictureEntrant:
        value = entrant.average if self.by_average and entrant.average is not None else entrant.points
        # Filled are those above the line; of a final, which has none, those on the podium.
        inside = entrant.advancing or bool(self.podium and self.podium.place_of(entrant.number))
        return PictureEntrant(entrant.wins if self.order[0] == "wins" else None, value, inside)

    def _badge(self, entrant: ReleasedEntrant) -> str:
        place = self.podium.place_of(entrant.number) if self.podium else None
        if place:
            return f'<span class="badge done">{place.title}</span>'
        if entrant.advancing:
            advancing = gettext("advancing")
            return f'<span class="badge done">{advancing}</span>'
        if entrant.reserve_place is None:
            return ""
        reserve = gettext("reserve")
        return f'<span class="badge none">{reserve} {entrant.reserve_text}</span>'

    def _trio(self, entrant: ReleasedEntrant) -> str:
        shown = [(gettext("Wins"), str(entrant.wins))]
        if self.by_average and entrant.average is not None:
            shown.append((gettext("Average"), quantity_markup(entrant.average)))
        else:
            shown.append((gettext("Points"), quantity_markup(entrant.points, signed=True)))
        shown.append((gettext(self.released.tiles_left_head), str(entrant.tiles)))
        return "".join(f"<div><b>{value}</b><span>{word}</span></div>" for word, value in shown)

    def _why(self, position: int, entrant: ReleasedEntrant) -> str:
        """Who is level, then the next better, then the nearest on the other side of the line where that is another."""
        neighbours = neighbours_in_ranking(self.standings, position)
        cards = []
        if neighbours.level:
            cards.append(self._level(entrant, neighbours.level))
        line = self.released.advancing
        if entrant.advancing:
            across = self.standings[line] if line < len(self.standings) else None
        else:
            across = self.standings[line - 1] if line else None
        if neighbours.above and not (across and not entrant.advancing and across.rank == neighbours.above.rank):
            cards.append(self._card(position, neighbours.above, gettext("Why not rank %(rank)s?")))
        if across and across.rank != entrant.rank:
            title = gettext("Why above the line?") if entrant.advancing else gettext("Why not rank %(rank)s?")
            cards.append(self._card(position, across, title, at_line=True))
        elif across:
            cards.append(
                f'<section class="card"><p>{conditional_escape(self.released.decision_words or "")}</p></section>'
            )
        return "".join(cards)

    def _level(self, entrant: ReleasedEntrant, level: tuple[Standing, ...]) -> str:
        sentence = gettext("You share rank %(rank)s with %(others)s: equal in everything that is compared.") % {
            "rank": entrant.rank_text,
            "others": gettext(", ").join(one.id for one in level),
        }
        decided = "".join(f"<p>{conditional_escape(words)}</p>" for words in self._parted(entrant))
        return f'<section class="card"><p>{sentence}</p>{decided}</section>'

    def _parted(self, entrant: ReleasedEntrant) -> list[DecisionText]:
        """How equals of the podium were parted, for those it was about."""
        if not self.podium:
            return []
        number = entrant_number_text(entrant.number)
        about = [number in decision["tied"] for decision in reversed(self.podium.decisions)]
        return [words for words, mine in zip(self.podium.decision_words, about, strict=True) if mine]

    def _card(self, position: int, other: Standing, title: str, *, at_line: bool = False) -> str:
        steps = comparison_words_for_entrant(
            separate_standings(self.order, self.standings[position], other),
            other=rank_and_number_words(other.rank, int(other.id), tied=other.tied),
        )
        mark = ""
        if at_line:
            above = other.rank < self.standings[position].rank
            words = gettext("last above the line") if above else gettext("first below the line")
            mark = f'<span class="small quiet push">{words}</span>'
        listed = "".join(map(_comparison_step_markup, steps))
        head = escape(title % {"rank": f"{other.rank}{'=' if other.tied else ''}"} if "%" in title else title)
        return f'<section class="card"><header><h2>{head}</h2>{mark}</header><ol class="why">{listed}</ol></section>'

    def _games(self, entrant: ReleasedEntrant) -> str:
        if not entrant.games:
            return ""
        if entrant.turns:
            return turns_markup(entrant, self.released.rounds)
        rows = "".join(self._round(number, games) for number, games in enumerate(self._rounds(entrant), start=1))
        tiles = gettext("Jokers left") if self.released.counts_turns else gettext("Tiles")
        words = (gettext("Win"), gettext("Points"), tiles)
        heads = "".join(f'<th scope="col" class="n">{word}</th>' for word in words)
        title = gettext("Scoresheet") if self.released.counts_turns else gettext("The games")
        game, sum_words = gettext("Game"), gettext("Sum")
        total = (
            f'<tr class="strong"><td>{sum_words}</td><td class="n">{entrant.wins}</td>'
            f'<td class="n">{quantity_markup(entrant.points, signed=True)}</td><td class="n">{entrant.tiles}</td></tr>'
        )
        return (
            f'<section class="card"><header><h2>{title}</h2></header><table class="grid"><thead><tr>'
            f'<th scope="col">{game}</th>{heads}</tr></thead><tbody>{rows}{total}</tbody></table>'
            f"{self._division(entrant)}</section>"
        )

    def _rounds(self, entrant: ReleasedEntrant) -> list[tuple[list[int] | None, ...]]:
        """The games of each round; all of them in one where there is one."""
        size = -(-len(entrant.games) // self.released.rounds)
        return [entrant.games[start : start + size] for start in range(0, len(entrant.games), size)]

    def _round(self, number: int, games: tuple[list[int] | None, ...]) -> str:
        rows = "".join(self._game(game, figures) for game, figures in enumerate(games, start=1))
        if self.released.rounds == 1:
            return rows
        head = gettext("Round %(n)s") % {"n": number}
        return f'<tr><th scope="rowgroup" colspan="4">{head}</th></tr>{rows}'

    @staticmethod
    def _game(number: int, game: list[int] | None) -> str:
        if game is None:
            not_played = gettext("not played")
            return f'<tr><td>{number}</td><td class="n" colspan="3">{not_played}</td></tr>'
        win, twelfths, tiles = game
        points = quantity_markup(from_twelfths(twelfths), signed=True)
        return (
            f'<tr><td>{number}</td><td class="n">{win}</td><td class="n">{points}</td><td class="n">{tiles}</td></tr>'
        )

    def _division(self, entrant: ReleasedEntrant) -> str:
        if not self.by_average or entrant.average is None:
            return ""
        fixed = self.released.content["average_over"] == "games"
        divisor = self.released.content["games"] if fixed else sum(game is not None for game in entrant.games)
        average = f"{quantity_markup(entrant.points)} ÷ {divisor} = {quantity_markup(entrant.average)}"
        word, exact = gettext("Average"), gettext("The ranking compares exact fractions, never rounded.")
        return f'<p class="small gap-top">{word} = {average}<br>{exact}</p>'


def entrant_pages(released: ReleasedRanking, language: str, *, urls: dict[str, str]) -> list[tuple[int, bytes]]:
    """Every entrant's page in one language."""
    with translation.override(language):
        return list(EntrantPages(released, language, urls=urls).pages())


def _standing_of_entrant(entrant: ReleasedEntrant) -> Standing:
    return Standing(
        entrant_number_text(entrant.number),
        entrant.rank,
        entrant.tied,
        entrant.wins,
        entrant.points,
        entrant.average,
        entrant.tiles,
    )


def _comparison_step_markup(said: CriterionComparisonWords) -> str:
    kind = "badge live" if said.decided else "badge"
    return f'<li><span class="{kind}">{criterion_head_words(said.criterion)}</span><span>{said.sentence}</span></li>'
