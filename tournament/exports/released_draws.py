"""Every draw that was announced, and every decision that is no longer in force, in words. No database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import TieMethod
from tournament.exports.released_decisions import METHODS, SPACE, ended, how_to_check, in_english, named
from tournament.moments import datetime_text

ANNOUNCED = _(
    "Lots between %(tied)s were announced on %(at)s. The seed is the head of the audit log at that moment "
    "(entry %(seq)s, %(hash)s), a space, and this public figure: %(public_value)s. It is announced for %(known)s."
)
DRAWN = _("Drawn with the seed %(seed)s. Order after the draw: %(order)s.")


def draw_words(content: Mapping[str, Any]) -> list[str]:
    """Every draw that was announced, then every decision that is not in force, the oldest first."""
    lots = [_lots(one) for one in content.get("lots", ())]
    return lots + [_earlier(one) for one in content.get("earlier_decisions", ())]


def words_to_announce(tied: Sequence[str], public_value: str, known_from: datetime, at: datetime) -> str:
    """What will stand of a draw before it is announced; the entry of the log is not there yet."""
    facts = {"tied": _listed(tied), "at": datetime_text(at), "known": datetime_text(known_from)}
    return ended(gettext(ANNOUNCED) % {**facts, "seq": "…", "hash": "…", "public_value": public_value})


def _lots(one: Mapping[str, Any]) -> str:
    facts = {"tied": _listed(one["tied"]), "at": _moment(one["at"]), "known": _moment(one["known_from"])}
    facts |= {"seq": one["head"]["seq"], "hash": one["head"]["hash"], "public_value": one["public_value"]}
    said = [gettext(ANNOUNCED) % facts]
    if one["reason"]:
        said.append(gettext("Announced again, agreed to by a second person: %(reason)s") % {"reason": one["reason"]})
    if one["seed"]:
        said += [gettext(DRAWN) % {"seed": one["seed"], "order": _listed(one["order"])}, how_to_check()]
    else:
        said.append(gettext("These lots had not been drawn when this was released."))
    return _joined([*said, *_drawn_as(one)])


def _earlier(one: Mapping[str, Any]) -> str:
    facts = {"tied": _listed(one["tied"]), "at": _moment(one["at"]), "first": _listed(one["first"])}
    facts |= {"method": _method(one), "reason": one["reason"]}
    said = [
        gettext(
            "Decided earlier, on %(at)s, between %(tied)s: %(method)s. First: %(first)s. "
            "Reason given by the chief judge: %(reason)s"
        )
        % facts
    ]
    replaced = one["replaced"]
    if replaced:
        facts = {"at": _moment(replaced["at"]), "reason": replaced["reason"]}
        said.append(gettext("Replaced on %(at)s by a later decision: %(reason)s") % facts)
    else:
        said.append(gettext("It no longer applies: those tied are others now."))
    return _joined(said)


def _method(decision: Mapping[str, Any]) -> str:
    """How, with the seed of lots, and whether a second person agreed."""
    words = gettext(METHODS[TieMethod(decision["method"])])
    if decision["seed"]:
        words = gettext("%(method)s (seed: %(seed)s)") % {"method": words, "seed": decision["seed"]}
    if decision["agreed"]:
        words = gettext("%(method)s, agreed to by a second person") % {"method": words}
    return words


def _drawn_as(one: Mapping[str, Any]) -> list[str]:
    """Under which text each was in the lots, where that is not the number."""
    texts = [f"{id} = {text}" for id, text in zip(named(one["tied"]), one["drawn_as"], strict=True) if id != text]
    return [gettext("In the lots: %(texts)s.") % {"texts": gettext(", ").join(texts)}] if texts else []


def _joined(said: Sequence[str]) -> str:
    return SPACE[in_english()].join(ended(text) for text in said)


def _listed(ids: Sequence[str]) -> str:
    return gettext(", ").join(named(ids))


def _moment(text: str) -> str:
    return datetime_text(datetime.fromisoformat(text))
