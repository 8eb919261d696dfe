"""What scripts say of the rules: tiles, verdicts and reasons by their codes, in the language of the moment.

The words are those of the rules' own examples; the faces are drawn once for paper, pages and scripts.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.core.tile_faces import JOKER_FACES, svg_paths
from tournament.sheets.exports import rule_example_words as words

# Under the key of a kind: what it does, in as few words as stand beside a tile.
JOKER_USES: Mapping[str, Any] = {
    "J": _("for any tile"),
    "JD": _("for two side by side"),
    "JC": _("colours differ beside it"),
    "JM": _("both sides alike"),
}
# Why a set with this joker is neither run nor group; of several the first.
MIXED_WITH: Mapping[str, Any] = {
    "JM": _(
        "Both sides of a mirror joker have the same numbers outwards; no other mirror or colour-change joker is in."
    ),
    "JC": _("A colour-change joker lies in runs only, and the tiles on its two sides are of different colours."),
}


def rule_labels() -> dict[str, Any]:
    """By the names that js/rules gives them."""
    return {
        "colours": _texts(words.COLOUR_WORDS),
        "jokers": _texts(words.JOKER_NAMES),
        "joker_titles": {kind: words.joker_title(kind, alone=False) for kind in words.JOKER_NAMES},
        "joker_uses": _texts(JOKER_USES),
        "faces": {kind: {"height": face.height, "paths": svg_paths(face)} for kind, face in JOKER_FACES.items()},
        "set_verdicts": _texts(words.SET_VERDICTS),
        "set_faults": _texts(words.SET_FAULTS),
        "mixed_with": _texts(MIXED_WITH),
        "set_worth": _texts(words.SET_WORTH),
        "uneven": str(words.SET_NOTES["mirror_unbalanced"]),
        "move_verdicts": _texts(words.MOVE_VERDICTS),
        "move_faults": _texts(words.MOVE_FAULTS),
        "joker_place": str(words.JOKER_PLACE),
        "two_tiles": str(words.TWO_TILES),
        "either_tile": str(words.EITHER_TILE),
        "comma": gettext(", "),
    }


def _texts(lazy: Mapping[str, Any]) -> dict[str, str]:
    return {code: str(text) for code, text in lazy.items()}
