"""Whether people are as a release froze them: the digests of then beside those of today, and what the log says between.

A release keeps a keyed digest of each person. Whoever's differs has an entry that ends at the digest of today, or the
database was changed past the program.
"""

from dataclasses import dataclass

from tournament.audit.models import AuditEntry
from tournament.entrants.models.people import Entrant
from tournament.entrants.services import digests_of
from tournament.publication.queries.changed_people import PersonChanged, people_changed
from tournament.releases.models import Release

RELEASED_PERSON_RELATIONS = ("person", "session", "family")


@dataclass(frozen=True, slots=True)
class DifferingPerson:
    """An entrant whose record is another than the release froze, by the number as it is shown; `changes` since, the
    newest first; `logged`: an entry of the log ends at what stands now."""

    number: str
    changes: tuple[PersonChanged, ...]
    logged: bool


def differing_people(made: Release) -> list[DifferingPerson]:
    """By number. Who was entered later is not in the release and is not compared."""
    event = made.stage.event
    now = digests_of(Entrant.objects.filter(event=event).select_related(*RELEASED_PERSON_RELATIONS))
    numbers = sorted(number for number, digest in made.people.items() if now.get(number) != digest)
    if not numbers:
        return []
    since = AuditEntry.objects.filter(event=event, seq__gt=made.audit_seq)
    ends = set(since.filter(action="change_entrant").values_list("subject", "digest_after"))
    erased = since.filter(action="erase_personal_data").exists()
    changed = [one for one in people_changed(event, made.audit_seq) if one.since_release]
    return [
        DifferingPerson(
            number,
            tuple(one for one in changed if one.number == int(number)),
            erased if not now.get(number) else (f"entrant {number}", now[number]) in ends,
        )
        for number in numbers
    ]
