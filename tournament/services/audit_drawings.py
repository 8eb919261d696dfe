"""Every drawn signature against the log: there, of these values, not another's, and its strokes as they were drawn."""

from collections.abc import Mapping
from typing import NamedTuple

from tournament.enums import SheetState
from tournament.models import Scoresheet, Signature
from tournament.services import drawings
from tournament.services.audit import instant
from tournament.services.audit_acts import LEADS_TO
from tournament.services.audit_chain import Act, Chain
from tournament.services.audit_erasure import is_erased

SIGNS = "sign_scoresheet"
# After these whatever was signed counts no more.
UNSIGNS = frozenset(
    action for action, state in LEADS_TO.items() if state in (SheetState.DRAFT, SheetState.DISPUTED, SheetState.VOID)
)
NO_KEY = "the signatures' strokes were not compared: there is no SIGNATURE_KEY here, or another."


class Mark(NamedTuple):
    """What pairs a signature with its entry: seat and moment in microseconds."""

    letter: str
    at: str


def is_drawn(signature: Signature) -> bool:
    """Whether it was drawn on a tablet, as its row has it."""
    return hasattr(signature, "drawing")


def is_blank(chain: Chain, signature: Signature) -> bool:
    """Whether its strokes were erased, as the log knows; the row and its digest are still there."""
    gone = is_drawn(signature) and not signature.drawing.salt and not signature.drawing.strokes
    return gone and is_erased(chain, signature.entrant.number)


def check_drawings(chain: Chain, sheets: Mapping[str, Scoresheet]) -> None:
    """All of an event. Where no drawing at all can be read the key is another, and nothing is said of the strokes."""
    unread = []
    for thing, sheet in sheets.items():
        unread += check_drawn(chain, thing, sheet)
    signed = [one for sheet in sheets.values() for one in sheet.signatures.all()]
    drawn = sum(is_drawn(one) and not is_blank(chain, one) for one in signed)
    if drawn and len(unread) == drawn:
        chain.incomplete.append(NO_KEY)
        return
    for where in unread:
        chain.find("drawing_altered", where)


def check_drawn(chain: Chain, thing: str, sheet: Scoresheet) -> list[str]:
    """One version: each entry has its signature and each drawn signature its entry; whose strokes cannot be read."""
    acts = chain.by_sheet.get(thing, [])
    said = {Mark(act.reason[:1], act.at): act for act in acts if act.action == SIGNS}
    rows = [one for one in sheet.signatures.all() if is_drawn(one) or one.superseded_at or one.device_id]
    found = {Mark(one.letter, instant(one.recorded_at)): one for one in rows}
    for mark in sorted(said.keys() - found.keys()):
        chain.find("signature_missing", f"{thing} signature {mark.letter}")
    for mark in sorted(found.keys() - said.keys()):
        chain.find("signature_without_an_entry", f"{thing} signature {mark.letter}")
    for mark in sorted(said.keys() & found.keys()):
        where = f"{thing} signature {mark.letter}"
        compare(chain, where, found[mark], said[mark], [act for act in acts if act.moves])
    unread = [one for one in rows if is_drawn(one) and not is_blank(chain, one) and drawings.readable(one) is None]
    return [f"{thing} signature {one.letter}" for one in unread]


def compare(chain: Chain, where: str, signature: Signature, act: Act, moves: list[Act]) -> None:
    """One signature and its entry: the account, the values, the drawing, and whether it counts."""
    if signature.recorded_by_id != act.actor:
        chain.find("signature_recorded", where, f"account {act.actor}", f"account {signature.recorded_by_id}")
    signed = next((move.digest for move in reversed(moves) if move.seq < act.seq), "")
    if signature.digest != signed:
        chain.find("signature_of_other_values", where, signed[:16], signature.digest[:16])
    if not is_drawn(signature):
        chain.find("drawing_missing", where, act.digest[:16])
    elif signature.drawing.digest != act.digest:
        chain.find("drawing_altered", where, act.digest[:16], signature.drawing.digest[:16])
    if not signature.present:
        chain.find("signature_present", where)
    counts = not any(move.seq > act.seq and move.action in UNSIGNS for move in moves)
    if counts != (signature.superseded_at is None):
        chain.find("signature_superseded", where, "counts" if counts else "superseded", signature.superseded_at or "")
