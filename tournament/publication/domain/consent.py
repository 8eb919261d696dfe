"""Who of a release may still be named in full: a consent that was withdrawn masks every release, also older ones (4).

The frozen content and its digest stay as they are. What is shown of it is made from `publishable_content`, which puts
the masked name of the ranking's own line in the place of a full one.
"""

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from django.db.models import Q

from tournament.core.names import MASK_WORD
from tournament.entrants.models.people import Entrant
from tournament.publication.domain.release import ReleaseContent
from tournament.releases.models import Release

# What of a part of the content is a name; everything else of it is figures.
NAME_KEYS = ("name", "name_zh", "name_en")
# Told in what is shown: whose full names were taken out, so that nobody expects it to give the release's digest.
MASKED_KEY = "masked"


def winner_parts_in(content: ReleaseContent) -> Iterator[dict[str, Any]]:
    """Every part that may hold a name in full: the podium's holders and the award's family."""
    yield from (content.get("podium") or {}).get("holders", ())
    winner = (content.get("award") or {}).get("winner") or {}
    yield from (winner[role] for role in ("child", "parent") if role in winner)


def name_part_of(part: ReleaseContent) -> ReleaseContent:
    return {name: part[name] for name in NAME_KEYS if name in part}


def masked_names(content: ReleaseContent) -> dict[int, ReleaseContent]:
    """By number what the ranking's lines have as names."""
    return {line["number"]: name_part_of(line) for line in content.get("ranking", ())}


def frozen_in_full(content: ReleaseContent) -> frozenset[int]:
    """The numbers of those whom the content names in another way than their line does: in full."""
    masks = masked_names(content)
    return frozenset(one["number"] for one in winner_parts_in(content) if name_part_of(one) != masks.get(one["number"]))


def families_in(content: ReleaseContent) -> frozenset[int]:
    """The numbers of those whom the content tells to belong together without the award naming them."""
    award = content.get("award") or {}
    told = [unit for unit in award.get("families", ()) if not is_award_winner(award, unit)]
    return frozenset(number for unit in told for number in (unit["child"], unit["parent"]))


def is_award_winner(award: ReleaseContent, unit: ReleaseContent) -> bool:
    """Whether this is the pair that the award names."""
    winner = award.get("winner") or {}
    return bool(winner) and all(winner[role]["number"] == unit[role] for role in ("child", "parent"))


def no_longer_in_full(release: Release) -> frozenset[int]:
    """Whom the release froze in full and may not name so now: the consent is off, or was withdrawn after the release.

    A consent that is given again counts from the next release on.
    """
    named = frozen_in_full(release.content) | families_in(release.content)
    if not named:
        return named
    withdrawn = Q(person__consent_name_ended_at__isnull=False, person__consent_name_ended_at__gte=release.released_at)
    entrants = Entrant.objects.filter(event=release.stage.event_id, number__in=named, person__consent_name=True)
    return named - frozenset(entrants.exclude(withdrawn).values_list("number", flat=True))


def mask_names_of(content: ReleaseContent, numbers: Collection[int]) -> ReleaseContent:
    """The content with the masked names of these; the same object where there is nobody to mask."""
    if not numbers:
        return content
    made, masks = deepcopy(content), masked_names(content)
    for one in winner_parts_in(made):
        if one["number"] in numbers:
            for name in name_part_of(one):
                del one[name]
            one.update(masks.get(one["number"], {"name": MASK_WORD}))
    if made.get("award"):
        made["award"] = remove_families_of(made["award"], families_in(content) & set(numbers))
    return {**made, MASKED_KEY: sorted(numbers)}


def remove_families_of(award: ReleaseContent, numbers: Collection[int]) -> ReleaseContent:
    """The award without who belongs to whom of these: their units are counted, their pairs have no numbers."""
    kept = [
        unit
        for unit in award["families"]
        if is_award_winner(award, unit) or not {unit["child"], unit["parent"]} & set(numbers)
    ]
    hidden = {f"{unit['child']:04d}+{unit['parent']:04d}" for unit in award["families"] if unit not in kept}

    def told(ids: list[str]) -> list[str]:
        return ["" if id in hidden else id for id in ids]

    decisions = [{**one, "tied": told(one["tied"]), "order": told(one["order"])} for one in award["decisions"]]
    others = award.get("others", 0) + len(award["families"]) - len(kept)
    return {**award, "families": kept, "others": others, "decisions": decisions}


def publishable_content(release: Release) -> ReleaseContent:
    """What may be shown of a release at this moment."""
    return mask_names_of(release.content, no_longer_in_full(release))
