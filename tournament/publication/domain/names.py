"""The names in a release's frozen content: taken out at an erasure, while every figure stays as it was released.

The release's entry in the log has, beside the digest of the content, the digest of the content without any name. So
whoever compares can tell that names were erased and nothing else.
"""

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from tournament.core.names import ERASED_NAME, ERASED_NAMES
from tournament.publication.domain.consent import NAME_KEYS
from tournament.publication.domain.release import ReleaseContent, canonical_digest

# What an erasure adds to the content: whose names were taken out of it.
ERASED_KEY = "erased"
# What stands in each column's place: of one person that it is erased, of a whole event nothing.
ERASED_NAME_PARTS = {"name": ERASED_NAME, "name_zh": ERASED_NAMES[0], "name_en": ERASED_NAMES[1]}
EMPTY_NAME_PARTS = dict.fromkeys(NAME_KEYS, "")


def person_parts_in(content: Any) -> Iterator[dict[str, Any]]:
    """Every part of a content that gives a person's number with a name: lines, the podium's holders, the family."""
    if isinstance(content, dict):
        if "number" in content and any(name in content for name in NAME_KEYS):
            yield content
        for part in content.values():
            yield from person_parts_in(part)
    elif isinstance(content, list):
        for part in content:
            yield from person_parts_in(part)


def has_name_left(person: Mapping[str, Any]) -> bool:
    """Whether a name is left in the part."""
    return any(person[name] not in ("", ERASED_NAME_PARTS[name]) for name in NAME_KEYS if name in person)


def replace_names_of(
    content: ReleaseContent, numbers: Collection[int], instead: Mapping[str, str] = EMPTY_NAME_PARTS
) -> ReleaseContent:
    """The content with `instead`, by column, in the place of the names of these numbers."""
    made = deepcopy(content)
    gone = {person["number"] for person in person_parts_in(made)} & set(numbers)
    for person in person_parts_in(made):
        if person["number"] in gone:
            person.update({name: instead[name] for name in NAME_KEYS if name in person})
    if gone:
        made[ERASED_KEY] = sorted({*made.get(ERASED_KEY, []), *gone})
    return made


def digest_without_names(content: ReleaseContent) -> str:
    """SHA-256 of the content with no name in it: the same before an erasure and after."""
    made = replace_names_of(content, {person["number"] for person in person_parts_in(content)})
    made.pop(ERASED_KEY, None)
    return canonical_digest(made)
