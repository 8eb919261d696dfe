"""What random histories do with people: entrants who wait for a second session, families, and accounts' roles."""

from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.queries import roles
from tournament.entrants.models.people import Entrant, Person
from tournament.registration.services import changes
from tournament.tables.models import Table

WAITING = range(901, 905)
BIRTHS = (date(1985, 3, 4), date(1986, 3, 4), date(2016, 5, 5), date(2017, 6, 6))


def make_waiting(event: Event) -> None:
    """Two adults and two children whose seats are not drawn, in the event's first session."""
    session = Session.objects.filter(stage__event=event).order_by("number")[0]
    for number, born in zip(WAITING, BIRTHS, strict=True):
        name = f"WONG {number}"
        person = Person.objects.create(name_zh="黃小明", name_en=name, name_key=name.lower(), birth_date=born)
        Entrant.objects.create(event=event, number=number, person=person, session=session)


class PeopleActs:
    """The acts, for a history that has its accounts, its stage and its dice."""

    people: dict[str, User]
    random: Random
    stage: Any
    anybody: Callable[..., User]

    def waiting(self, places: slice = slice(None)) -> Entrant:
        """One of those who wait."""
        number = self.random.choice(WAITING[places])
        return Entrant.objects.select_related("event", "session").get(event=self.stage.event, number=number)

    def move_entrant(self, table: Table) -> None:
        entrant = self.waiting()
        changes.move_to_session(
            entrant, session=self.random.choice([1, 2]), revision=entrant.revision, reason="asked for another day",
            by=self.people["organiser"], accept_birthday=True,
        )  # fmt: skip

    def join_family(self, table: Table) -> None:
        child, parent = self.waiting(slice(2, 4)), self.waiting(slice(0, 2))
        changes.join_family(child, parent, revision=child.revision, about=child, by=self.people["organiser"])

    def part_family(self, table: Table) -> None:
        entrant = self.waiting()
        changes.part_family(entrant, revision=entrant.revision, by=self.people["organiser"])

    def change_role(self, table: Table) -> None:
        """The third clerk, who signs, becomes a referee as well, or is a clerk alone again."""
        user, event = self.people["clerk3"], self.stage.event
        seen = roles.roles_at(event, user)
        also = {Role.REFEREE} - seen
        accounts.change_roles(event, user, roles={Role.CLERK, *also}, seen=seen, by=self.people["organiser2"])
