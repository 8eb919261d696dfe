"""A decision between equals as the public reads it, in the language of the moment. No database.

The reason is what a person typed, in one language: on a page of the other it stands in its own `lang`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import translation
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import TieMethod
from tournament.quantities import points_text

METHODS = {
    TieMethod.ADMIT_ALL: _("all of them are admitted"),
    TieMethod.PLAY_OFF: _("by a play-off"),
    TieMethod.LOTS: _("by lots"),
    TieMethod.PICK: _("by the chief judge's choice"),
    TieMethod.HAND_LOTS: _("by lots drawn by hand"),
}
SHARE_THE_LINE = _(
    "%(count)s entrants are tied at rank %(rank)s, with room for %(places)s. How it was decided: %(method)s. "
    "Qualified: %(admitted)s. Reason given by the chief judge: %(reason)s"
)
RESERVES_SHARE = _(
    "%(count)s reserves are tied at rank %(rank)s, with %(places)s to be called. How it was decided: %(method)s. "
    "Called first: %(admitted)s. Reason given by the chief judge: %(reason)s"
)
PODIUM_SHARED = _(
    "%(tied)s are tied on every count in the final. How it was decided: %(method)s. First: %(first)s. "
    "Reason given by the chief judge: %(reason)s"
)
AWARD_SHARED = _(
    "Pairs %(tied)s are tied on every count. How it was decided: %(method)s. Winner: %(first)s. "
    "Reason given by the chief judge: %(reason)s"
)
# Between two sentences, by whether they are English.
SPACE = {True: " ", False: ""}
STOPS = ".。!！?？…"
CLOSING = "」』”’\"'）)"
# Stand for what a person typed while the sentences around it are escaped.
REASON, SEED = "\ue000", "\ue001"
TYPED = re.compile(f"[{REASON}{SEED}]")


class Told(str):
    """Words, and in a page the same with the reason in its own language."""

    __slots__ = ("markup",)
    markup: SafeString

    def __html__(self) -> str:
        """What a template puts for it."""
        return self.markup


def told_tie(decision: Mapping[str, Any], *, rank: int, reserve: bool = False) -> Told:
    """A decided tie across the line, or of a reserve place, in sentences."""
    facts = {
        "count": len(set(decision["tied"])),
        "rank": rank,
        "places": decision["places"],
        "admitted": gettext(", ").join(decision["admitted"]),
    }
    return told(decision, RESERVES_SHARE if reserve else SHARE_THE_LINE, facts, in_order(decision))


def told_contest(decision: Mapping[str, Any], *, of_award: bool) -> Told:
    """A decided contest of a place on the podium, or of the award, in sentences."""
    comma = gettext(", ")
    decision = {**decision, "tied": named(decision["tied"]), "order": named(decision["order"])}
    facts = {
        "tied": comma.join(decision["tied"]),
        "first": comma.join(decision["order"][: decision["places"]]),
    }
    drawn = [f"{id} = {text}" for id, text in zip(decision["tied"], decision["drawn_as"], strict=False) if id != text]
    as_words = [gettext("In the lots: %(texts)s.") % {"texts": comma.join(drawn)}] if drawn else []
    sentence = AWARD_SHARED if of_award else PODIUM_SHARED
    return told(decision, sentence, facts, [*in_order(decision), *as_words])


def named(ids: Iterable[str]) -> list[str]:
    """Each as it is published; a family that did not agree to be named without its numbers."""
    return [id or gettext("a pair that is not named") for id in ids]


def told(decision: Mapping[str, Any], sentence: str, facts: Mapping[str, Any], more: Iterable[str]) -> Told:
    """The sentence filled, what follows it, and the same as markup."""
    method = gettext(METHODS[TieMethod(decision["method"])])
    if decision["seed"]:
        method = gettext("%(method)s (seed: %(seed)s)") % {"method": method, "seed": SEED}
    if decision.get("agreed"):
        method = gettext("%(method)s, agreed to by a second person") % {"method": method}
    typed = {REASON: ended(decision["reason"]), SEED: decision["seed"]}
    first = gettext(sentence) % {**facts, "method": method, "reason": REASON}
    between = " " if in_english() or typed[REASON][-1:].isascii() else ""
    words = between.join([first, SPACE[in_english()].join(more)]).strip()
    said = Told(TYPED.sub(lambda sign: typed[sign[0]], words))
    said.markup = mark_safe(TYPED.sub(lambda sign: in_its_language(typed[sign[0]]), escape(words)))
    return said


def ended(sentence: str) -> str:
    """A sentence that a person typed, with its stop where it has none."""
    sentence = sentence.strip()
    if not sentence or sentence.rstrip(CLOSING)[-1:] in STOPS:
        return sentence
    return sentence + ("。" if language_of(sentence[-1]) == CHINESE else ".")


CHINESE, ENGLISH = "zh-Hant-HK", "en"


def language_of(text: str) -> str:
    """The `lang` of a text by its letters, as far as that can be known: Chinese where an ideograph stands in it."""
    if any("\u3400" <= sign <= "\u9fff" or "\U00020000" <= sign <= "\U000323af" or sign in "」』）" for sign in text):
        return CHINESE
    return ENGLISH if any(sign.isalpha() for sign in text) else ""


def in_its_language(text: str) -> str:
    """The text escaped, in an element with its `lang` where that is not the page's."""
    own = language_of(text)
    if not own or (own == ENGLISH) == in_english():
        return str(escape(text))
    return str(format_html('<span lang="{}">{}</span>', own, text))


def in_order(decision: Mapping[str, Any]) -> list[str]:
    """The order decided and the play-off's games in words; nothing in releases of an older content."""
    said = []
    if len(decision.get("order", [])) > 1:
        said.append(gettext("Order after the decision: %(order)s.") % {"order": gettext(", ").join(decision["order"])})
        if decision["seed"]:
            said.append(how_to_check())
    for number, game in enumerate(decision.get("play_off", []), start=1):
        lines = [
            gettext("%(number)s %(points)s points, %(tiles)s tiles")
            % {"number": id, "points": points_text(points), "tiles": tiles}
            + (gettext(" (won)") if win else "")
            for id, win, points, tiles in game
        ]
        said.append(
            gettext("Play-off game %(game)s: %(lines)s.") % {"game": number, "lines": gettext("; ").join(lines)}
        )
    return said


def how_to_check() -> str:
    """How anyone draws the lots again."""
    return gettext(
        "Anyone can check the draw: take the SHA-256 of the seed, a line feed and each number, and sort in "
        "ascending order."
    )


def in_english() -> bool:
    """Whether the language of the moment is English."""
    return (translation.get_language() or "").startswith("en")
