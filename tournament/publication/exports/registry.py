"""Every artefact of a released ranking: its name in the address, its type, and the sibling that makes it."""

from collections.abc import Callable
from dataclasses import dataclass

from tournament.publication.domain.release import canonical_json_bytes
from tournament.publication.exports.ranking_csv import ranking_csv
from tournament.publication.exports.ranking_pdf import ranking_pdf
from tournament.publication.exports.ranking_xlsx import ranking_xlsx
from tournament.publication.exports.released import ReleasedRanking


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file out: `inline` is shown by the browser, the others are saved; `packed` is compressed already."""

    name: str
    content_type: str
    make: Callable[[ReleasedRanking], bytes]
    inline: bool = False
    packed: bool = False


def ranking_json(released: ReleasedRanking) -> bytes:
    """The canonical content itself: its SHA-256 is the release's digest, for whoever wants to check.

    Not where a full name was taken out since, at its owner's wish: then `masked` in it says whose; nor where
    names were erased as personal data, of whom `erased` has the numbers.
    """
    return canonical_json_bytes(released.content)


RANKING_FILES = (
    ExportedFile(
        "ranking.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ranking_xlsx, packed=True
    ),
    ExportedFile("ranking.csv", "text/csv; charset=utf-8", ranking_csv),
    ExportedFile("ranking.pdf", "application/pdf", ranking_pdf, inline=True, packed=True),
    ExportedFile("ranking.json", "application/json", ranking_json),
)
