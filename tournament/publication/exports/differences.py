"""What differs between two releases of a stage, entrant by entrant: old and new rank, who came above the line, who
fell below; of a final, who came onto the podium, and the award."""

from dataclasses import dataclass

from django.utils.translation import gettext

from tournament.publication.exports.podium import PodiumPlace, award_words, read_podium
from tournament.publication.exports.released import PUBLISHED_UNRANKED_WORDS, ReleasedEntrant, ReleasedRanking

# Across the line, or to another place of the podium; another result of their own; moved because others did.
DIFFERENCE_CROSSED, DIFFERENCE_CORRECTED, DIFFERENCE_MOVED = "crossed", "corrected", "moved"
DIFFERENCE_KINDS = (DIFFERENCE_CROSSED, DIFFERENCE_CORRECTED, DIFFERENCE_MOVED)
# Listed beside the kinds: whose name is shown in another way, whatever else happened to them.
DIFFERENCE_IN_NAMES = "named"


@dataclass(frozen=True, slots=True)
class EntrantDifference:
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
        if _is_above_cutoff(self.old) != _is_above_cutoff(self.new) or _podium_position(
            self.old_podium
        ) != _podium_position(self.new_podium):
            return DIFFERENCE_CROSSED
        return (
            DIFFERENCE_MOVED if _figures_of_entrant(self.old) == _figures_of_entrant(self.new) else DIFFERENCE_CORRECTED
        )

    @property
    def came_in(self) -> bool:
        """Above the line now and not before."""
        return _is_above_cutoff(self.new) and not _is_above_cutoff(self.old)

    @property
    def fell_out(self) -> bool:
        """Above the line before and not now."""
        return _is_above_cutoff(self.old) and not _is_above_cutoff(self.new)

    @property
    def name_markup(self) -> str:
        """The masked name; nothing for who has no rank any more."""
        return self.new.name_markup if self.new else ""

    @property
    def old_place(self) -> str:
        """118=, or why there was no rank."""
        return _placing_words(self.old, self.old_because, self.old_podium)

    @property
    def new_place(self) -> str:
        return _placing_words(self.new, self.new_because, self.new_podium)


def entrant_differences(older: ReleasedRanking, newer: ReleasedRanking) -> dict[str, list[EntrantDifference]]:
    """By kind, each by new rank, then old, then number for display; who stands as before is left out."""
    old, new = ({one.number: one for one in release.ranking} for release in (older, newer))
    was, now = ({entry["number"]: entry["because"] for entry in one.content["unranked"]} for one in (older, newer))
    podiums = [read_podium(one) for one in (older, newer)]
    before, after = ({one.winner.number: one for one in podium.places} if podium else {} for podium in podiums)
    found: dict[str, list[EntrantDifference]] = {kind: [] for kind in DIFFERENCE_KINDS}
    for number in sorted({*old, *new, *was, *now}):
        facts = (old.get(number), new.get(number), was.get(number, ""), now.get(number, ""))
        one = EntrantDifference(number, *facts, before.get(number), after.get(number))
        if _everything_published(one.old, one.old_because, one.old_podium) != _everything_published(
            one.new, one.new_because, one.new_podium
        ):
            found[one.kind].append(one)
    for listed in found.values():
        listed.sort(key=lambda one: (_rank_or_zero(one.new), _rank_or_zero(one.old), one.number))
    first, then = names_as_released(older), names_as_released(newer)
    found[DIFFERENCE_IN_NAMES] = [
        EntrantDifference(number, old[number], new[number], "", "", old_name=first[number], new_name=then[number])
        for number in sorted(first.keys() & then.keys() & old.keys() & new.keys())
        if first[number] != then[number]
    ]
    return found


def names_as_released(released: ReleasedRanking) -> dict[int, str]:
    """By number the name as a release shows it: masked, or in full on the podium and for the award."""
    podium = read_podium(released)
    winners = podium.winners if podium else []
    return {one.number: one.name for one in released.ranking} | {one.number: one.both_names for one in winners}


def differs_in_names_only(found: dict[str, list[EntrantDifference]], award: tuple[str, str] | None) -> bool:
    """Whether nothing but names is shown in another way: no rank, no figure, nobody's place, no award."""
    return bool(found[DIFFERENCE_IN_NAMES]) and not award and not any(found[kind] for kind in DIFFERENCE_KINDS)


def _is_above_cutoff(entrant: ReleasedEntrant | None) -> bool:
    return entrant is not None and entrant.advancing


def _figures_of_entrant(entrant: ReleasedEntrant | None) -> tuple[object, ...] | None:
    return None if entrant is None else (entrant.wins, entrant.points, entrant.tiles)


def _podium_position(place: PodiumPlace | None) -> int:
    return place.place if place else 0


def _everything_published(
    entrant: ReleasedEntrant | None, because: str, podium: PodiumPlace | None
) -> tuple[object, ...]:
    return (
        because,
        podium and podium.place,
        entrant and (entrant.rank_text, entrant.advancing, entrant.reserve_text, *(_figures_of_entrant(entrant) or ())),
    )


def _rank_or_zero(entrant: ReleasedEntrant | None) -> int:
    return entrant.rank if entrant else 1_000_000


def _placing_words(entrant: ReleasedEntrant | None, because: str, podium: PodiumPlace | None) -> str:
    if podium:
        return podium.title
    if entrant:
        return entrant.rank_text
    return gettext(PUBLISHED_UNRANKED_WORDS[because]) if because else gettext("not entered")


def award_words_before_and_now(older: ReleasedRanking, newer: ReleasedRanking) -> tuple[str, str] | None:
    """The award in words before and now; None where it goes to the same family, whatever names it shows."""
    said, families = [], []
    for one in (older, newer):
        podium = read_podium(one)
        unit = podium.award.unit if podium and podium.award else None
        families.append((bool(podium and podium.award), unit and (unit.child, unit.parent)))
        said.append(award_words(podium.award) if podium and podium.award else gettext("no award"))
    return None if families[0] == families[1] else (said[0], said[1])
