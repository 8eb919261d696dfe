"""What differs between two releases of a stage, entrant by entrant: old and new rank, who came above the line, who
fell below; of a final, who came onto the podium, and the award."""

from dataclasses import dataclass

from django.utils.translation import gettext

from tournament.exports.released import BECAUSE, ReleasedEntrant, ReleasedRanking
from tournament.exports.released_podium import PodiumPlace, award_words, read_podium

# Across the line, or to another place of the podium; another result of their own; moved because others did.
CROSSED, CORRECTED, MOVED = "crossed", "corrected", "moved"
KINDS = (CROSSED, CORRECTED, MOVED)
# Listed beside the kinds: whose name is shown in another way, whatever else happened to them.
NAMED = "named"


@dataclass(frozen=True, slots=True)
class Difference:
    """One entrant in two releases: the line of each, or the reason why there is none; nothing where unknown then."""

    number: int
    old: ReleasedEntrant | None
    new: ReleasedEntrant | None
    old_because: str
    new_because: str
    old_podium: PodiumPlace | None = None
    new_podium: PodiumPlace | None = None
    old_name: str = ""
    new_name: str = ""

    @property
    def kind(self) -> str:
        """The weightiest of what happened."""
        if _inside(self.old) != _inside(self.new) or _at(self.old_podium) != _at(self.new_podium):
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
    def name_markup(self) -> str:
        """The masked name; nothing for who has no rank any more."""
        return self.new.name_markup if self.new else ""

    @property
    def old_place(self) -> str:
        """118=, or why there was no rank."""
        return _place(self.old, self.old_because, self.old_podium)

    @property
    def new_place(self) -> str:
        """The same now."""
        return _place(self.new, self.new_because, self.new_podium)


def differences(older: ReleasedRanking, newer: ReleasedRanking) -> dict[str, list[Difference]]:
    """By kind, each by new rank, then old, then number for display; who stands as before is left out."""
    old, new = ({one.number: one for one in release.ranking} for release in (older, newer))
    was, now = ({entry["number"]: entry["because"] for entry in one.content["unranked"]} for one in (older, newer))
    podiums = [read_podium(one) for one in (older, newer)]
    before, after = ({one.winner.number: one for one in podium.places} if podium else {} for podium in podiums)
    found: dict[str, list[Difference]] = {kind: [] for kind in KINDS}
    for number in sorted({*old, *new, *was, *now}):
        facts = (old.get(number), new.get(number), was.get(number, ""), now.get(number, ""))
        one = Difference(number, *facts, before.get(number), after.get(number))
        if _all(one.old, one.old_because, one.old_podium) != _all(one.new, one.new_because, one.new_podium):
            found[one.kind].append(one)
    for listed in found.values():
        listed.sort(key=lambda one: (_rank(one.new), _rank(one.old), one.number))
    first, then = shown_names(older), shown_names(newer)
    found[NAMED] = [
        Difference(number, old[number], new[number], "", "", old_name=first[number], new_name=then[number])
        for number in sorted(first.keys() & then.keys() & old.keys() & new.keys())
        if first[number] != then[number]
    ]
    return found


def shown_names(released: ReleasedRanking) -> dict[int, str]:
    """By number the name as a release shows it: masked, or in full on the podium and for the award."""
    podium = read_podium(released)
    winners = podium.winners if podium else []
    return {one.number: one.name for one in released.ranking} | {one.number: one.both_names for one in winners}


def only_names(found: dict[str, list[Difference]], award: tuple[str, str] | None) -> bool:
    """Whether nothing but names is shown in another way: no rank, no figure, nobody's place, no award."""
    return bool(found[NAMED]) and not award and not any(found[kind] for kind in KINDS)


def _inside(entrant: ReleasedEntrant | None) -> bool:
    return entrant is not None and entrant.advancing


def _figures(entrant: ReleasedEntrant | None) -> tuple[object, ...] | None:
    return entrant and (entrant.wins, entrant.points, entrant.tiles)


def _at(place: PodiumPlace | None) -> int:
    return place.place if place else 0


def _all(entrant: ReleasedEntrant | None, because: str, podium: PodiumPlace | None) -> tuple[object, ...]:
    return (
        because,
        podium and podium.place,
        entrant and (entrant.rank_text, entrant.advancing, entrant.reserve_text, *(_figures(entrant) or ())),
    )


def _rank(entrant: ReleasedEntrant | None) -> int:
    return entrant.rank if entrant else 1_000_000


def _place(entrant: ReleasedEntrant | None, because: str, podium: PodiumPlace | None) -> str:
    if podium:
        return podium.title
    if entrant:
        return entrant.rank_text
    return gettext(BECAUSE[because]) if because else gettext("not entered")


def award_change(older: ReleasedRanking, newer: ReleasedRanking) -> tuple[str, str] | None:
    """The award in words before and now; None where it goes to the same family, whatever names it shows."""
    said, families = [], []
    for one in (older, newer):
        podium = read_podium(one)
        unit = podium.award.unit if podium and podium.award else None
        families.append((bool(podium and podium.award), unit and (unit.child, unit.parent)))
        said.append(award_words(podium.award) if podium and podium.award else gettext("no award"))
    return None if families[0] == families[1] else (said[0], said[1])
