"""The winners of a final: a page for the phone in each language, and one in both for the hall's wall."""

from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from tournament.publication.exports.podium import FAMILY_ROLE_WORDS, PODIUM_PLACE_WORDS, ReleasedWinner, read_podium
from tournament.publication.exports.public_pages import CHINESE_CODE, PublicEvent, page_address, render_public_page
from tournament.publication.exports.released import RELEASE_LANGUAGES, ReleasedRanking

# A name so broad, in halves of an English letter as large as Chinese, is set smaller on the wall, and smaller still.
WALL_NAME_SIZES = ((23, ""), (40, "long"), (110, "longer"))
LONGEST_NAME_SIZE = "longest"


def winners_folder(slug: str, number: int) -> str:
    """Where the winners of one release stand."""
    return f"{slug}/{number}/winners/"


def winners_page(
    released: ReleasedRanking,
    language: str,
    *,
    slug: str,
    folder: str,
    preliminary_url: str,
    replaced_by: int | None = None,
) -> bytes:
    """Podium and award, with the way to both rankings. `folder` is the release's own or the current one."""
    return render_public_page(
        "winners",
        language,
        folder,
        {
            "released": released,
            "podium": read_podium(released),
            "by_average": "average" in released.content["order"],
            "by_tiles": "tiles" in released.content["order"],
            "replaced_by": replaced_by,
            "replaced_by_url": page_address(winners_folder(slug, replaced_by), language) if replaced_by else "",
            "ranking_url": page_address(f"{slug}/{released.number}/", language),
            "preliminary_url": preliminary_url,
        },
    )


@dataclass(frozen=True, slots=True)
class WallName:
    """A winner as the wall shows one: the word beside the name in both languages, and the size the name fits in."""

    winner: ReleasedWinner
    word_zh: str
    word_en: str
    size: str
    place: int = 0


def wall_page(event: PublicEvent, released: ReleasedRanking | None, *, withdrawn: bool = False) -> bytes:
    """The wall in both languages: the winners, or that they come; `withdrawn`: they were taken back."""
    podium = read_podium(released) if released else None
    members = podium.award.members if podium and podium.award else []
    with translation.override(CHINESE_CODE):
        facts = {
            "event": event,
            "released": released,
            "podium": [wall_name(one.winner, PODIUM_PLACE_WORDS[one.place], one.place) for one in podium.places]
            if podium
            else [],
            "award": [wall_name(winner, FAMILY_ROLE_WORDS[role]) for role, winner in members],
            "withdrawn": withdrawn,
        }
        return render_to_string("publication/public/wall.html", facts).encode()


def wall_name(winner: ReleasedWinner, word: str, place: int = 0) -> WallName:
    """One winner under a word."""
    said = []
    for language in RELEASE_LANGUAGES:
        with translation.override(language):
            said.append(gettext(word))
    return WallName(winner, said[0], said[1], wall_name_size(winner), place)


def wall_name_size(winner: ReleasedWinner) -> str:
    """Nothing, `long`, `longer` or `longest`. English alone stands as large as Chinese, beside it half as large."""
    english = len(winner.name_en) * (1 if winner.name_zh else 2)
    breadth = max(4 * len(winner.name_zh), english)
    return next((name for most, name in WALL_NAME_SIZES if breadth < most), LONGEST_NAME_SIZE)
