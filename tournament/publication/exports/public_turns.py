"""The turns of one entrant on the page of the own result, where sheets count turns: the words laid, what each turn
counts, the jokers left (R58)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext

from tournament.core.numberformat import from_twelfths
from tournament.publication.exports.released import ReleasedEntrant
from tournament.ranking.exports.words import quantity_markup

PublishedTurn = Mapping[str, Any]


def turns_markup(entrant: ReleasedEntrant, rounds: int) -> str:
    """The card with the turns of all the games; where there are several rounds, each under its head."""
    per_round = -(-len(entrant.games) // rounds)
    parts = []
    for place, (game, turns) in enumerate(zip(entrant.games, entrant.turns, strict=False)):
        if rounds > 1 and place % per_round == 0:
            head = gettext("Round %(n)s") % {"n": place // per_round + 1}
            parts.append(format_html('<tr><th scope="rowgroup" colspan="3">{}</th></tr>', head))
        parts.append(_game_rows(game, turns))
    parts.append(
        format_html(
            '<tr class="strong"><td colspan="2">{}</td><td class="n">{}</td></tr>',
            gettext("Sum"),
            _points_markup(int(entrant.points)),
        )
    )
    heads = format_html(
        '<th scope="col">{}</th><th scope="col">{}</th><th scope="col" class="n">{}</th>',
        pgettext("line", "Turn"),
        gettext("Words"),
        gettext("Points"),
    )
    return format_html(
        '<section class="card"><header><h2>{}</h2></header><table class="grid"><thead><tr>{}</tr></thead>'
        '<tbody>{}</tbody></table><p class="small gap-top">{}</p></section>',
        gettext("The turns"),
        heads,
        mark_safe("".join(parts)),
        gettext(
            "Table: made with tiles of the table, the longest of these words counts alone. ×2: the rack was emptied, "
            "and the turn counts double."
        ),
    )


def _game_rows(game: list[int] | None, turns: Sequence[PublishedTurn]) -> SafeString:
    """A row a turn up to the last with words, then what the jokers left cost."""
    if game is None:
        return format_html('<tr><td colspan="2">{}</td><td></td></tr>', gettext("not played"))
    by_number = {turn["turn"]: turn for turn in turns}
    rows = [_turn_row(number, by_number.get(number)) for number in range(1, max(by_number, default=0) + 1)]
    _win, twelfths, jokers = game
    cost = int(from_twelfths(twelfths)) - sum(turn["points"] for turn in turns)
    if jokers:
        rows.append(
            format_html(
                '<tr><td colspan="2">{} {}</td><td class="n">{}</td></tr>',
                gettext("Jokers left"),
                jokers,
                _points_markup(cost),
            )
        )
    return mark_safe("".join(rows))


def _turn_row(number: int, turn: PublishedTurn | None) -> SafeString:
    if turn is None:
        drawn = gettext("a tile was drawn")
        return format_html('<tr><td>{}</td><td class="quiet">{}</td><td class="n">0</td></tr>', number, drawn)
    table = format_html('<span class="small quiet">{}</span> ', pgettext("words", "Table"))
    marks = (mark_safe(""), table)
    said = [(mark, turn[cell]) for mark, cell in zip(marks, ("own", "rearranged"), strict=True) if turn[cell]]
    words = format_html_join(mark_safe("<br>"), '{}<span lang="en">{}</span>', said)
    doubled = mark_safe(' <span class="small quiet">×2</span>') if turn["emptied"] else ""
    return format_html('<tr><td>{}</td><td>{}</td><td class="n">{}{}</td></tr>', number, words, turn["points"], doubled)


def _points_markup(points: int) -> SafeString:
    return mark_safe(quantity_markup(points, signed=True))
