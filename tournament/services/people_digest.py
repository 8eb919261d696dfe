"""What the log and a release keep of a person: a keyed digest, which tells that something changed and not what.

The key is the installation's, the salt the person's own: erased with the person, the digest tells nothing any more.
"""

from collections.abc import Iterable
from typing import Any

from tournament.models import Entrant
from tournament.services.keyed_digest import keyed_digest

TEXTS = ("name_zh", "name_en", "phone", "email", "language", "school", "guardian")
CONSENTS = ("consent_guardian", "consent_name", "consent_photo", "consent_marketing")
# Names that one entrant had before, at most.
MOST_FORMER = 40


def person_record(entrant: Entrant) -> dict[str, Any]:
    """Everything that is entered of a person, as plain data. Needs person, session and family."""
    person = entrant.person
    return {
        "number": entrant.number,
        **{name: getattr(person, name) for name in TEXTS},
        "birth_date": person.birth_date.isoformat() if person.birth_date else "",
        **{name: getattr(person, name) for name in CONSENTS},
        "session": entrant.session.code,
        "family": entrant.family.code if entrant.family else "",
        "family_role": entrant.family_role,
        "fee": entrant.fee,
    }


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
    return [*before, *sorted(left)][-MOST_FORMER:]


def had_name(entrant: Entrant, name_key: str) -> bool:
    """Whether the entrant once had one of these names."""
    former = set(entrant.person.former_names)
    return bool(former) and bool(former & name_digests(entrant, name_key))
