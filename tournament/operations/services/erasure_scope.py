"""Whose personal data is erased: everybody's of an event, or one person's."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from tournament.core import canonical
from tournament.core.entrant_column_kinds import ColumnKind, Owner, Reveals
from tournament.core.entrant_columns import keys_where
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant, Person
from tournament.messages.queries.published_text import KnownPerson, known_people_of_events
from tournament.messages.readers.personal_candidates import guardian_candidates
from tournament.messages.readers.personal_text import find_personal
from tournament.operations.models import Erasure
from tournament.tables.models import Seat

# Shorter ones are found in any text.
SHORTEST_SEARCH_TERM = 2
# Columns whose values are looked for inside texts, the guardians last, which may be no name; and those that are only
# looked for as the whole of a field.
IN_TEXTS = keys_where(lambda column: column.reveals in (Reveals.NAME, Reveals.PHONE, Reveals.EMAIL))
GUARDIANS = keys_where(lambda column: column.reveals is Reveals.GUARDIAN)
AS_WHOLES = keys_where(
    lambda column: (
        column.owner is Owner.PERSON
        and column.kind in (ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.NAME)
        and column.key not in IN_TEXTS
    )
)
# A person is found in a text by one place of a kind at a time; more than so many are not in one text.
SCOPE_MAX_PLACES = 200


@dataclass(frozen=True)
class ErasureScope:
    """An event, and of it one entrant or all."""

    event: Event
    entrant: Entrant | None = None

    @property
    def subject(self) -> str:
        """As the log names it."""
        return f"entrant {self.entrant}" if self.entrant else f"event {self.event.slug}"

    @property
    def whole(self) -> bool:
        """Whether it is the whole event."""
        return self.entrant is None

    @property
    def entrants(self) -> QuerySet[Entrant]:
        """The entrants that it is about."""
        everybody = Entrant.objects.filter(event=self.event)
        return everybody.filter(pk=self.entrant.pk) if self.entrant else everybody

    @property
    def people(self) -> QuerySet[Person]:
        """Their persons, as far as they are not erased yet."""
        return Person.objects.filter(entrant__in=self.entrants, erased_at=None)

    @cached_property
    def numbers(self) -> frozenset[int]:
        return frozenset(self.entrants.values_list("number", flat=True))

    @cached_property
    def tables(self) -> frozenset[tuple[int, int]]:
        """The tables where they sat, by session and number, the earlier papers of other seats included."""
        seats = Seat.objects.filter(entrant__in=self.entrants)
        return frozenset(seats.values_list("session_id", "table__number"))

    @cached_property
    def number_of(self) -> dict[str, int]:
        """What a text may hold of them, as it is entered, with whose it is: names, telephones, addresses, guardians
        that are named and not only called mother."""
        found: dict[str, int] = {}
        for number, *row in self.entered(*IN_TEXTS, *GUARDIANS):
            texts, guardians = row[: len(IN_TEXTS)], row[len(IN_TEXTS) :]
            named = [guardian for guardian in guardians if any(guardian_candidates(guardian))]
            for text in map(str.strip, [*texts, *named]):
                local = text.removeprefix("+852")
                found.update({one: found.get(one, number) for one in (text, local) if len(one) >= SHORTEST_SEARCH_TERM})
        return found

    def entered(self, *columns: str) -> list[tuple[Any, ...]]:
        """The number of each who is not erased yet, and these columns of theirs."""
        standing = self.entrants.filter(person__erased_at=None).order_by("number")
        return list(standing.values_list("number", *(f"person__{name}" for name in columns)))

    @cached_property
    def values(self) -> frozenset[str]:
        """All that a text may hold of them."""
        return frozenset(self.number_of)

    @cached_property
    def leaves(self) -> frozenset[str]:
        """What a field may hold of them as a whole: the same, with guardians, schools and dates of birth."""
        more = {str(value) for _number, *row in self.entered(*AS_WHOLES) for value in row}
        return self.values | (more - {"", "None"})

    @cached_property
    def known(self) -> list[KnownPerson]:
        """The one person as texts are searched for them; nobody of a whole event, of which all is taken anyway."""
        return (
            []
            if self.whole or not self.values
            else [one for one in known_people_of_events([self.event]) if one.number in self.numbers]
        )

    @cached_property
    def others(self) -> re.Pattern[str]:
        """Names of other people in which one of theirs stands: 陳文 is not meant by 陳文大."""
        names = {name for one in known_people_of_events([self.event]) for name in one.names} if self.known else ()
        longer = [name for name in names if name not in self.values and any(value in name for value in self.values)]
        return re.compile("|".join(map(re.escape, sorted(longer, key=len, reverse=True))) or "(?!)")

    @cached_property
    def exactly(self) -> re.Pattern[str]:
        """Any of their values, the longest first."""
        return re.compile("|".join(map(re.escape, sorted(self.values, key=len, reverse=True))) or "(?!)")

    def is_named_in(self, text: str) -> bool:
        """Whether the text holds anything of theirs, of one person in any layout and spelling as well."""
        if any(value in text for value in self.values):
            return True
        return any(one.certain for one in find_personal({"text": text}, self.known))

    def without_names(self, text: str) -> str:
        """The text with the number in the place of all that it holds of theirs."""
        if not self.is_named_in(text):
            return text
        parts, kept = self.others.split(text), self.others.findall(text)
        said = [self._numbered(part) for part in parts]
        return "".join(part + name for part, name in zip(said, [*kept, ""], strict=True))

    def _numbered(self, text: str) -> str:
        """The same of a text without others' names."""
        text = self.exactly.sub(lambda found: f"{self.number_of[found[0]]:04d}", text)
        for _place in range(SCOPE_MAX_PLACES):
            found = next((one for one in find_personal({"text": text}, self.known) if one.certain), None)
            if found is None:
                break
            text = f"{text[: found.place[0]]}{found.number:04d}{text[found.place[1] :]}"
        return text


def erasure_digest(erasure: Erasure) -> str:
    """Of what was erased, to which the log holds the row."""
    facts: list[Any] = [erasure.audit_seq, erasure.entrant.number if erasure.entrant else None, erasure.reason]
    return canonical.digest_of([*facts, erasure.counts])
