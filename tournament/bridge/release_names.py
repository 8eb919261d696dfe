"""The names in a release's frozen content: taken out at an erasure, while every figure stays as it was released.

The release's entry in the log has, beside the digest of the content, the digest of the content without any name. So
whoever compares can tell that names were erased and nothing else.
"""

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from tournament.bridge.release import Content, digest_of
from tournament.bridge.release_consent import NAMES
from tournament.names import ERASED_NAME, ERASED_NAMES

# What an erasure adds to the content: whose names were taken out of it.
ERASED = "erased"
# What stands in each column's place: of one person that it is erased, of a whole event nothing.
SAID = {"name": ERASED_NAME, "name_zh": ERASED_NAMES[0], "name_en": ERASED_NAMES[1]}
NOTHING = dict.fromkeys(NAMES, "")


def people_in(content: Any) -> Iterator[dict[str, Any]]:
    """Every part of a content that gives a person's number with a name: lines, the podium's holders, the family."""
    if isinstance(content, dict):
        if "number" in content and any(name in content for name in NAMES):
            yield content
        for part in content.values():
            yield from people_in(part)
    elif isinstance(content, list):
        for part in content:
            yield from people_in(part)


def is_named(person: Mapping[str, Any]) -> bool:
    """Whether a name is left in the part."""
    return any(person[name] not in ("", SAID[name]) for name in NAMES if name in person)


def without_names(content: Content, numbers: Collection[int], instead: Mapping[str, str] = NOTHING) -> Content:
    """The content with `instead`, by column, in the place of the names of these numbers."""
    made = deepcopy(content)
    gone = {person["number"] for person in people_in(made)} & set(numbers)
    for person in people_in(made):
        if person["number"] in gone:
            person.update({name: instead[name] for name in NAMES if name in person})
    if gone:
        made[ERASED] = sorted({*made.get(ERASED, []), *gone})
    return made


def nameless_digest(content: Content) -> str:
    """SHA-256 of the content with no name in it: the same before an erasure and after."""
    made = without_names(content, {person["number"] for person in people_in(content)})
    made.pop(ERASED, None)
    return digest_of(made)
