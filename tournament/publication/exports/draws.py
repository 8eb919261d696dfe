"""Every draw that was announced, and every decision that is no longer in force, in words. No database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core.dateformat import datetime_text
from tournament.core.enums import TieMethod
from tournament.messages.exports.typed_words import end_with_stop, is_english_active
from tournament.publication.exports.decisions import (
    SENTENCE_SPACE,
    TIE_METHOD_WORDS,
    lots_check_sentence,
    published_ids,
)

LOTS_ANNOUNCED_SENTENCE = _(
    "Lots between %(tied)s were announced on %(at)s. The seed is the head of the audit log at that moment "
    "(entry %(seq)s, %(hash)s), a space, and this public figure: %(public_value)s. It is announced for %(known)s."
)
LOTS_DRAWN_SENTENCE = _("Drawn with the seed %(seed)s. Order after the draw: %(order)s.")


def lots_and_decisions_words(content: Mapping[str, Any]) -> list[str]:
    """Every draw that was announced, then every decision that is not in force, the oldest first."""
    lots = [_announced_lots_words(one) for one in content["lots"]]
    return lots + [_earlier_decision_words(one) for one in content["earlier_decisions"]]


def lots_announcement_words(tied: Sequence[str], public_value: str, known_from: datetime, at: datetime) -> str:
    """What will stand of a draw before it is announced; the entry of the log is not there yet."""
    facts = {"tied": _list_ids(tied), "at": datetime_text(at), "known": datetime_text(known_from)}
    return end_with_stop(
        gettext(LOTS_ANNOUNCED_SENTENCE) % {**facts, "seq": "…", "hash": "…", "public_value": public_value}
    )


def _announced_lots_words(one: Mapping[str, Any]) -> str:
    facts = {
        "tied": _list_ids(one["tied"]),
        "at": _lots_moment_text(one["at"]),
        "known": _lots_moment_text(one["known_from"]),
    }
    facts |= {"seq": one["head"]["seq"], "hash": one["head"]["hash"], "public_value": one["public_value"]}
    said = [gettext(LOTS_ANNOUNCED_SENTENCE) % facts]
    if one["reason"]:
        said.append(gettext("Announced again, agreed to by a second person: %(reason)s") % {"reason": one["reason"]})
    if one["seed"]:
        said += [
            gettext(LOTS_DRAWN_SENTENCE) % {"seed": one["seed"], "order": _list_ids(one["order"])},
            lots_check_sentence(),
        ]
    else:
        said.append(gettext("These lots had not been drawn when this was released."))
    return _join_sentences([*said, *_lot_text_words(one)])


def _earlier_decision_words(one: Mapping[str, Any]) -> str:
    facts = {"tied": _list_ids(one["tied"]), "at": _lots_moment_text(one["at"]), "first": _list_ids(one["first"])}
    facts |= {"method": _decision_method_words(one), "reason": one["reason"]}
    said = [
        gettext(
            "Decided earlier, on %(at)s, between %(tied)s: %(method)s. First: %(first)s. "
            "Reason given by the chief judge: %(reason)s"
        )
        % facts
    ]
    replaced = one["replaced"]
    if replaced:
        facts = {"at": _lots_moment_text(replaced["at"]), "reason": replaced["reason"]}
        said.append(gettext("Replaced on %(at)s by a later decision: %(reason)s") % facts)
    else:
        said.append(gettext("It no longer applies: those tied are others now."))
    return _join_sentences(said)


def _decision_method_words(decision: Mapping[str, Any]) -> str:
    """How, with the seed of lots, and whether a second person agreed."""
    words = gettext(TIE_METHOD_WORDS[TieMethod(decision["method"])])
    if decision["seed"]:
        words = gettext("%(method)s (seed: %(seed)s)") % {"method": words, "seed": decision["seed"]}
    if decision["agreed"]:
        words = gettext("%(method)s, agreed to by a second person") % {"method": words}
    return words


def _lot_text_words(one: Mapping[str, Any]) -> list[str]:
    """Under which text each was in the lots, where that is not the number."""
    texts = [
        f"{id} = {text}" for id, text in zip(published_ids(one["tied"]), one["drawn_as"], strict=True) if id != text
    ]
    return [gettext("In the lots: %(texts)s.") % {"texts": gettext(", ").join(texts)}] if texts else []


def _join_sentences(said: Sequence[str]) -> str:
    return SENTENCE_SPACE[is_english_active()].join(end_with_stop(text) for text in said)


def _list_ids(ids: Sequence[str]) -> str:
    return gettext(", ").join(published_ids(ids))


def _lots_moment_text(text: str) -> str:
    return datetime_text(datetime.fromisoformat(text))
