"""What random histories do once sheets are locked: ties, releases, withdrawals, answers about places."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tournament.bridge.qualification import live_cut
from tournament.enums import Answer, TieMethod
from tournament.errors import Refused
from tournament.models import PlaceAnswer, Release, Session, Table
from tournament.services import qualification, release, release_places

# What is tried on each table before a release.
CLEARED = ("decide", "give_up", "type_again", "settle", "certify", "reject", "submit", "type_again", "settle", "finish")


class RankingActs:
    """The acts, for a history that has its accounts, its stage and its dice."""

    people: dict[str, User]
    random: Random
    session: Session
    stage: Any
    key: Callable[[], str]
    again: Callable[[Table], Table]

    def decide_tie(self, table: Table) -> None:
        cut = live_cut(self.stage)
        if cut.tie:
            lots = {"method": TieMethod.LOTS, "reason": "all three equal", "witnesses": "W", "seed": self.key()}
            tied = [entrant.number for entrant in cut.tie]
            replaces = cut.decision.pk if cut.decision else None
            qualification.decide_tie(
                self.stage, tied=tied, places=cut.tie_places, by=self.people["judge"], replaces=replaces, **lots
            )

    def release(self, table: Table) -> None:
        """All that stands in its way first: disputes, corrections, sheets typed once, others not signed."""
        for place in Table.objects.filter(session=self.session).order_by("number"):
            for name in CLEARED:
                with suppress(Refused):
                    getattr(self, name)(self.again(place))
        self.decide_tie(table)
        release.release(self.stage, by=self.people["organiser"])

    def withdraw(self, table: Table) -> None:
        made = Release.objects.filter(stage=self.stage, withdrawn_at=None).order_by("-number").first()
        if made:
            release.withdraw(made, reason="a sheet is wrong", by=self.people["organiser"])

    def answer(self, table: Table) -> None:
        last = PlaceAnswer.objects.filter(stage=self.stage).order_by("-pk").first()
        holders = release_places.live_places(self.stage).places.holders
        if holders:
            number = int(self.random.choice(holders).id)
            said = self.random.choice([Answer.ACCEPTED, Answer.DECLINED])
            seen = last.pk if last and last.entrant.number == number else 0
            release_places.record_answer(
                self.stage, number=number, answer=said, reason="on holiday", seen=seen, by=self.people["clerk"]
            )
