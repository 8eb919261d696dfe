"""What the rules say of a rulebook's examples, in words: tiles, verdicts and reasons, each from the rules' answer."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import move as moves
from scoring import sets
from scoring.rulebook_examples import JokerPlace, MoveExample, SetExample, joker_places
from scoring.rulebook_games import WordExample, WorkedTurn
from scoring.set_readings import DOUBLE_JOKER, KIND_GROUP, KIND_RUN
from scoring.values import SeatScore
from tournament.sheets.exports.mark_words import MARK_WORDS
from tournament.sheets.exports.rule_words import join_sentences

COLOUR_WORDS: Mapping[str, Any] = {"R": _("red"), "B": _("blue"), "K": _("black"), "O": _("orange")}
JOKER_NAMES: Mapping[str, Any] = {
    "J": _("joker"),
    "JD": _("double joker"),
    "JC": _("colour-change joker"),
    "JM": _("mirror joker"),
}
SET_FAULTS: Mapping[str, Any] = {
    sets.SET_TOO_SHORT: _("A set has at least 3 tiles."),
    sets.SET_TOO_LONG: _("Too many tiles: a group has at most 4, a run at most 13."),
    sets.SET_MIXED: _("Neither one colour in a row (a run) nor one number in different colours (a group)."),
    sets.COLOUR_TWICE: _("In a group each colour is there once only; here one is there twice."),
    sets.NOT_CONSECUTIVE: _("The numbers of the run do not follow one another."),
    sets.NOT_IN_ORDER: _("The numbers of the run are not in order."),
    sets.PAST_13: _("The run would go beyond 13; after 13 comes no 1."),
    sets.BELOW_1: _("The run would begin below 1."),
}
MOVE_FAULTS: Mapping[str, Any] = {
    moves.TILES_DO_NOT_MATCH: _("What lay on the table must still lie there; a joker does not go to the rack."),
    moves.NO_OWN_TILE: _("No tile of one's own is played."),
    moves.ILLEGAL_SET: _("A set that is left is not valid."),
    moves.TABLE_TOUCHED_BEFORE_OPENING: _("Before breaking the ice the table stays as it is."),
    moves.OPENING_BELOW: _("%(total)s in all, less than %(needed)s."),
    moves.JOKER_IN_OPENING: _("No joker when breaking the ice."),
    moves.JOKER_NOT_FROM_HAND: _("The tile that the joker stands for does not come from the rack."),
    moves.JOKER_FOR_JOKER: _("A joker of another kind took its place."),
    moves.MIRROR_NOT_MENDED: _("The set was not even when it was moved, and still is not."),
}
SET_WORTH: Mapping[str, Any] = {
    KIND_RUN: _("Run, %(value)s in all."),
    KIND_GROUP: _("Group, %(value)s in all."),
}
SET_VERDICTS: Mapping[str, Any] = {"valid": _("Valid"), "uneven": _("Not even"), "wrong": _("Not valid")}
MOVE_VERDICTS: Mapping[str, Any] = {"valid": _("Allowed"), "wrong": _("Not allowed")}
JOKER_PLACE, TWO_TILES, EITHER_TILE = (
    _("%(joker)s: %(tiles)s."),
    _("%(first)s and %(second)s"),
    _("%(first)s or %(second)s"),
)
# What is to be seen in a set; of a wrong one it is said in place of the general reason.
SET_NOTES: Mapping[str, Any] = {
    "after_13": _("After 13 comes no 1."),
    "double_below_1": _("Before 2 there is only 1: no room for two."),
    "double_past_13": _("After 12 there is only 13: no room for two."),
    "colour_same": _("Both sides are red."),
    "colour_group": _("It lies in runs only."),
    "mirror_run": _("Of several readings the highest value counts."),
    "mirror_group": _("The numbers must be the same, not the colours."),
    "mirror_unequal": _("The two sides have different numbers."),
    "mirror_unbalanced": _("Whoever next moves this set evens it out."),
}
SCORE_REASONS: Mapping[str, Any] = {
    "went_out": _("went out"),
    "joker_held": _("a joker on the rack"),
    "ice_unable": _("not opened, could not"),
    "ice_able": _("not opened, could have"),
    "could_open_overruled": _("ruled by the referee"),
    "left": _("had left"),
    "lowest_rack": _("lowest rack"),
    "fewest_tiles": _("fewest tiles"),
    "more_tiles": _("more tiles"),
    "shared": _("shares the sum"),
    **{name: _(words.cell) for name, words in MARK_WORDS.items()},
}
ENDING_WORDS: Mapping[tuple[str, ...], Any] = {
    ("rummikub",): _("Example: A goes out"),
    ("pool",): _("Example: the pool is empty"),
    ("time",): _("Example: time is up"),
    ("pool", "time"): _("Example: the pool is empty, or time is up"),
}


class Verdict(Enum):
    """How an example is marked: by badge and word."""

    VALID = "done"
    UNEVEN = "wait"
    WRONG = "stop"


def set_verdict(example: SetExample) -> tuple[Verdict, str]:
    """The mark of a set with its word."""
    if not example.judged.legal:
        return Verdict.WRONG, str(SET_VERDICTS["wrong"])
    if example.judged.unbalanced:
        return Verdict.UNEVEN, str(SET_VERDICTS["uneven"])
    return Verdict.VALID, str(SET_VERDICTS["valid"])


def move_verdict(example: MoveExample) -> tuple[Verdict, str]:
    """The mark of a turn with its word."""
    return _turn_verdict(example.judged.legal)


def _turn_verdict(allowed: bool) -> tuple[Verdict, str]:
    return (Verdict.VALID, str(MOVE_VERDICTS["valid"])) if allowed else (Verdict.WRONG, str(MOVE_VERDICTS["wrong"]))


def tile_text(name: str) -> str:
    """Black 8, a joker by its kind."""
    if name in JOKER_NAMES:
        return str(JOKER_NAMES[name])
    return gettext("%(colour)s %(number)s") % {"colour": COLOUR_WORDS[name[0]], "number": name[1:]}


def joker_title(kind: str, *, alone: bool) -> str:
    """What a kind is called: a plain one is just a joker where there is no other."""
    return capfirst(str(JOKER_NAMES[kind]) if alone or kind != "J" else gettext("plain joker"))


def set_text(example: SetExample) -> str:
    """Its kind and value and what its jokers stand for, or what is wrong with it."""
    note = str(SET_NOTES.get(example.code, ""))
    if not example.judged.legal:
        return note or join_sentences([str(SET_FAULTS[code]) for code in example.judged.because])
    places = joker_places(example.tiles, example.judged)
    return join_sentences(
        [
            str(SET_WORTH[str(example.judged.kind)]) % {"value": example.judged.value},
            *map(_place_sentence, places),
            note,
        ]
    )


def move_text(example: MoveExample) -> str:
    """What an opening is worth, or where a joker was and is; then what speaks against it."""
    faults = [
        str(MOVE_FAULTS[code] % {"total": example.total, "needed": example.needed}) for code in example.judged.because
    ]
    if example.opened:
        return join_sentences([*_moved_jokers(example), *faults])
    worth = (
        []
        if moves.OPENING_BELOW in example.judged.because
        else [gettext("%(total)s in all.") % {"total": example.total}]
    )
    return join_sentences([*worth, *faults])


def word_verdict(example: WordExample) -> tuple[Verdict, str]:
    """The mark of a first word with its word."""
    return _turn_verdict(example.opens)


def turn_text(turn: WorkedTurn) -> str:
    """The words of a turn, where they come from."""
    words = ", ".join(word.letters for word in turn.turn.words)
    own = all(word.from_rack_only for word in turn.turn.words)
    said = gettext("%(words)s, from the rack alone") if own else gettext("%(words)s, rearranged on the table")
    emptied = gettext("the rack is emptied") if turn.turn.rack_emptied else ""
    return gettext(", ").join(part for part in (said % {"words": words}, emptied) if part)


def score_text(score: SeatScore) -> str:
    """Why a seat has its value and its points."""
    return gettext(", ").join(str(SCORE_REASONS[code]) for code in score.because)


def _place_sentence(place: JokerPlace) -> str:
    facts = {"joker": capfirst(str(JOKER_NAMES[place.joker])), "tiles": places_text(place)}
    return str(JOKER_PLACE) % facts


def _moved_jokers(example: MoveExample) -> list[str]:
    """Each kind of the table's jokers of which there is one: where it lay, and where it lies now."""
    said = []
    before, after = ({place.joker: place for place in places} for places in example.jokers)
    for joker, place in before.items():
        facts = {"joker": capfirst(str(JOKER_NAMES[joker])), "before": places_text(place)}
        if joker in after and places_text(after[joker]) != facts["before"]:
            facts["after"] = places_text(after[joker])
            said.append(gettext("%(joker)s: first %(before)s, then %(after)s.") % facts)
        else:
            said.append(str(JOKER_PLACE) % {"joker": facts["joker"], "tiles": facts["before"]})
    return said


def places_text(place: JokerPlace) -> str:
    """The tiles that a joker may stand for; of a double the two of each choice together."""
    names = [tile_text(name) for name in place.stands_for]
    if place.joker == DOUBLE_JOKER and (place.set_kind == KIND_RUN or len(names) == 2):
        names = [
            str(TWO_TILES) % {"first": first, "second": second}
            for first, second in zip(names[::2], names[1::2], strict=True)
        ]
    return _alternatives(names)


def _alternatives(names: Sequence[str]) -> str:
    *others, last = names
    if not others:
        return last
    return str(EITHER_TILE) % {"first": gettext(", ").join(others), "second": last}
