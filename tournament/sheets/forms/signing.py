"""The controls of the second person: for each entrant who signs, that the signature is there, or why it is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.values import ALL_SEAT_LETTERS
from tournament.core.enums import EntrantStatus
from tournament.sheets.forms.sheet_grid import SeatColumn
from tournament.sheets.models.signing import Signature


@dataclass(frozen=True)
class Signer:
    """One seat on the page: whether it signs, and what was recorded before the page was shown again.

    `drawn`: it has signed on a tablet; `quick`: within two seconds after this other seat.
    """

    head: SeatColumn
    signs: bool
    present: bool
    missing: str
    drawn: Signature | None = None
    quick: str = ""


def signers_of(
    heads: Sequence[SeatColumn], sent: Mapping[str, str], drawn: Mapping[str, Signature], quick: Mapping[str, str]
) -> list[Signer]:
    """Every seat that has an entrant; one who has left or never came does not sign (R41)."""
    return [
        Signer(
            head,
            head.seat.entrant.status == EntrantStatus.OK,
            f"signed-{head.letter}" in sent,
            sent.get(f"missing-{head.letter}", ""),
            drawn.get(head.letter),
            quick.get(head.letter, ""),
        )
        for head in heads
        if head.seat is not None
    ]


def read_signatures(sent: Mapping[str, str]) -> dict[str, str]:
    """ "" for a signature that is there, else the reason for a missing one; a letter nobody spoke of is left out."""
    found: dict[str, str] = {}
    for letter in ALL_SEAT_LETTERS:
        reason = sent.get(f"missing-{letter}", "").strip()
        if sent.get(f"signed-{letter}"):
            found[letter] = ""
        elif reason:
            found[letter] = reason
    return found
