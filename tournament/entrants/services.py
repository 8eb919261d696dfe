"""What the log and a release keep of a person: a keyed digest, which tells that something changed and not what.

The key is the installation's, the salt the person's own: erased with the person, the digest tells nothing any more.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any

from tournament.core.entrant_columns import COLUMN_BY_KEY, ENTRANT_COLUMNS
from tournament.core.services.keyed_digest import keyed_digest
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import value_of

# Names that one entrant had before, at most.
FORMER_NAMES_MAX = 40


def person_record(entrant: Entrant) -> dict[str, Any]:
    """What is entered of a person, as plain data, later columns only where filled. Needs person, session, family."""
    record = {column.key: plain_value(value_of(entrant, column.key)) for column in ENTRANT_COLUMNS}
    record["number"] = entrant.number
    return {key: value for key, value in record.items() if value or not COLUMN_BY_KEY[key].later}


def plain_value(value: Any) -> Any:
    """A value as JSON has it: a day as text, an erased one as an empty text."""
    return "" if value is None else value.isoformat() if isinstance(value, date) else value


def person_digest(entrant: Entrant) -> str:
    """The keyed digest of the record as it stands; nothing for a person whose salt was erased."""
    salt = entrant.person.salt
    return keyed_digest(person_record(entrant), salt) if salt else ""


def digests_of(entrants: Iterable[Entrant]) -> dict[str, str]:
    """By number as it is shown: 0287."""
    return {str(entrant): person_digest(entrant) for entrant in entrants}


def name_digests(entrant: Entrant, name_key: str) -> frozenset[str]:
    """A keyed digest of each part of a folded name, salted with the salt of this entrant."""
    salt = entrant.person.salt
    return (
        frozenset(keyed_digest(["name", part], salt) for part in name_key.split("|") if part) if salt else frozenset()
    )


def former_names(entrant: Entrant, now: str) -> list[str]:
    """What is kept of the names an entrant had: the digests of before and of the name that `now` replaces."""
    before = entrant.person.former_names
    left = name_digests(entrant, entrant.person.name_key) - name_digests(entrant, now) - set(before)
    return [*before, *sorted(left)][-FORMER_NAMES_MAX:]


def had_name(entrant: Entrant, name_key: str) -> bool:
    """Whether the entrant once had one of these names."""
    former = set(entrant.person.former_names)
    return bool(former) and bool(former & name_digests(entrant, name_key))
