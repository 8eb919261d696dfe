"""What differs between two releases, entrant by entrant: old and new rank, who came above the line, who fell below."""

from dataclasses import dataclass

from django.utils.translation import gettext

from tournament.exports.released import BECAUSE, ReleasedEntrant, ReleasedRanking

# Across the line; another result of their own; moved because others did.
CROSSED, CORRECTED, MOVED = "crossed", "corrected", "moved"
KINDS = (CROSSED, CORRECTED, MOVED)


@dataclass(frozen=True, slots=True)
class Difference:
    """One entrant in two releases: the line of each, or the reason why there is none; nothing where unknown then."""

    number: int
    old: ReleasedEntrant | None
    new: ReleasedEntrant | None
    old_because: str
    new_because: str

    @property
    def kind(self) -> str:
        """The weightiest of what happened."""
        if _inside(self.old) != _inside(self.new):
            return CROSSED
        return MOVED if _figures(self.old) == _figures(self.new) else CORRECTED

    @property
    def came_in(self) -> bool:
        """Above the line now and not before."""
        return _inside(self.new) and not _inside(self.old)

    @property
    def fell_out(self) -> bool:
        """Above the line before and not now."""
        return _inside(self.old) and not _inside(self.new)

    @property
    def name(self) -> str:
        """The masked name; nothing for who has no rank any more."""
        return self.new.name if self.new else ""

    @property
    def old_place(self) -> str:
        """118=, or why there was no rank."""
        return _place(self.old, self.old_because)

    @property
    def new_place(self) -> str:
        """The same now."""
        return _place(self.new, self.new_because)


def differences(older: ReleasedRanking, newer: ReleasedRanking) -> dict[str, list[Difference]]:
    """By kind, each by new rank, then old, then number for display; who stands as before is left out."""
    old, new = ({one.number: one for one in release.ranking} for release in (older, newer))
    was, now = ({entry["number"]: entry["because"] for entry in one.content["unranked"]} for one in (older, newer))
    found: dict[str, list[Difference]] = {kind: [] for kind in KINDS}
    for number in sorted({*old, *new, *was, *now}):
        one = Difference(number, old.get(number), new.get(number), was.get(number, ""), now.get(number, ""))
        if _all(one.old, one.old_because) != _all(one.new, one.new_because):
            found[one.kind].append(one)
    for listed in found.values():
        listed.sort(key=lambda one: (_rank(one.new), _rank(one.old), one.number))
    return found


def _inside(entrant: ReleasedEntrant | None) -> bool:
    return entrant is not None and entrant.advancing


def _figures(entrant: ReleasedEntrant | None) -> tuple[object, ...] | None:
    return entrant and (entrant.wins, entrant.points, entrant.tiles, entrant.name_zh, entrant.name_en)


def _all(entrant: ReleasedEntrant | None, because: str) -> tuple[object, ...]:
    return (
        because,
        entrant and (entrant.rank_text, entrant.advancing, entrant.reserve_text, *(_figures(entrant) or ())),
    )


def _rank(entrant: ReleasedEntrant | None) -> int:
    return entrant.rank if entrant else 1_000_000


def _place(entrant: ReleasedEntrant | None, because: str) -> str:
    if entrant:
        return entrant.rank_text
    return gettext(BECAUSE[because]) if because else gettext("not entered")
