"""A decision between equals as the public reads it, in the language of the moment. No database.

The reason is what a person typed, in one language: on a page of the other it stands in its own `lang`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core.enums import GameRuling, TieMethod
from tournament.core.numberformat import format_points
from tournament.messages.exports.typed_words import (
    REASON_PLACEHOLDER,
    SEED_PLACEHOLDER,
    end_with_stop,
    is_english_active,
    mark_text_language,
)

TIE_METHOD_WORDS = {
    TieMethod.ADMIT_ALL: _("all of them are admitted"),
    TieMethod.PLAY_OFF: _("by a play-off"),
    TieMethod.LOTS: _("by lots"),
    TieMethod.PICK: _("by the chief judge's choice"),
    TieMethod.HAND_LOTS: _("by lots drawn by hand"),
}
CUTOFF_TIE_SENTENCE = _(
    "%(count)s entrants are tied at rank %(rank)s, with room for %(places)s. How it was decided: %(method)s. "
    "Qualified: %(admitted)s. Reason given by the chief judge: %(reason)s"
)
RESERVE_TIE_SENTENCE = _(
    "%(count)s reserves are tied at rank %(rank)s, with %(places)s to be called. How it was decided: %(method)s. "
    "Called first: %(admitted)s. Reason given by the chief judge: %(reason)s"
)
PODIUM_TIE_SENTENCE = _(
    "%(tied)s are tied on every count in the final. How it was decided: %(method)s. First: %(first)s. "
    "Reason given by the chief judge: %(reason)s"
)
AWARD_TIE_SENTENCE = _(
    "Pairs %(tied)s are tied on every count. How it was decided: %(method)s. Winner: %(first)s. "
    "Reason given by the chief judge: %(reason)s"
)
# Between two sentences, by whether they are English.
SENTENCE_SPACE = {True: " ", False: ""}
TYPED_PLACEHOLDERS = re.compile(f"[{REASON_PLACEHOLDER}{SEED_PLACEHOLDER}]")


class DecisionText(str):
    """Words, and in a page the same with the reason in its own language."""

    __slots__ = ("markup",)
    markup: SafeString

    def __html__(self) -> str:
        """What a template puts for it."""
        return self.markup


def tie_decision_text(decision: Mapping[str, Any], *, rank: int, reserve: bool = False) -> DecisionText:
    """A decided tie across the line, or of a reserve place, in sentences."""
    facts = {
        "count": len(set(decision["tied"])),
        "rank": rank,
        "places": decision["places"],
        "admitted": gettext(", ").join(decision["admitted"]),
    }
    return fill_decision_text(
        decision, RESERVE_TIE_SENTENCE if reserve else CUTOFF_TIE_SENTENCE, facts, decided_order_sentences(decision)
    )


def podium_decision_text(decision: Mapping[str, Any], *, of_award: bool) -> DecisionText:
    """A decided contest of a place on the podium, or of the award, in sentences."""
    comma = gettext(", ")
    decision = {**decision, "tied": published_ids(decision["tied"]), "order": published_ids(decision["order"])}
    facts = {
        "tied": comma.join(decision["tied"]),
        "first": comma.join(decision["order"][: decision["places"]]),
    }
    drawn = [f"{id} = {text}" for id, text in zip(decision["tied"], decision["drawn_as"], strict=False) if id != text]
    as_words = [gettext("In the lots: %(texts)s.") % {"texts": comma.join(drawn)}] if drawn else []
    sentence = AWARD_TIE_SENTENCE if of_award else PODIUM_TIE_SENTENCE
    return fill_decision_text(decision, sentence, facts, [*decided_order_sentences(decision), *as_words])


def published_ids(ids: Iterable[str]) -> list[str]:
    """Each as it is published; a family that did not agree to be named without its numbers."""
    return [id or gettext("a pair that is not named") for id in ids]


def fill_decision_text(
    decision: Mapping[str, Any], sentence: str, facts: Mapping[str, Any], more: Iterable[str]
) -> DecisionText:
    """The sentence filled, what follows it, and the same as markup."""
    method = gettext(TIE_METHOD_WORDS[TieMethod(decision["method"])])
    if decision["seed"]:
        method = gettext("%(method)s (seed: %(seed)s)") % {"method": method, "seed": SEED_PLACEHOLDER}
    if decision.get("agreed"):
        method = gettext("%(method)s, agreed to by a second person") % {"method": method}
    typed = {REASON_PLACEHOLDER: end_with_stop(decision["reason"]), SEED_PLACEHOLDER: decision["seed"]}
    first = gettext(sentence) % {**facts, "method": method, "reason": REASON_PLACEHOLDER}
    between = " " if is_english_active() or typed[REASON_PLACEHOLDER][-1:].isascii() else ""
    words = between.join([first, SENTENCE_SPACE[is_english_active()].join(more)]).strip()
    said = DecisionText(TYPED_PLACEHOLDERS.sub(lambda sign: typed[sign[0]], words))
    said.markup = mark_safe(TYPED_PLACEHOLDERS.sub(lambda sign: mark_text_language(typed[sign[0]]), escape(words)))
    return said


def decided_order_sentences(decision: Mapping[str, Any]) -> list[str]:
    """The order decided and the play-off's games in words."""
    said = []
    if len(decision["order"]) > 1:
        said.append(gettext("Order after the decision: %(order)s.") % {"order": gettext(", ").join(decision["order"])})
        if decision["seed"]:
            said.append(lots_check_sentence())
    rulings = decision.get("play_off_rulings", [""] * len(decision["play_off"]))
    for number, (game, ruling) in enumerate(zip(decision["play_off"], rulings, strict=True), start=1):
        lines = [
            gettext("%(number)s %(points)s points, %(tiles)s tiles")
            % {"number": id, "points": format_points(points), "tiles": tiles}
            + (gettext(" (won)") if win else "")
            for id, win, points, tiles in game
        ]
        said.append(
            gettext("Play-off game %(game)s: %(lines)s.") % {"game": number, "lines": gettext("; ").join(lines)}
        )
        if ruling:
            ruled = {"game": number, "ruling": GameRuling(ruling).label}
            said.append(gettext("Ruling for game %(game)s: %(ruling)s.") % ruled)
    return said


def lots_check_sentence() -> str:
    """How anyone draws the lots again."""
    return gettext(
        "Anyone can check the draw: take the SHA-256 of the seed, a line feed and each number, and sort in "
        "ascending order."
    )
