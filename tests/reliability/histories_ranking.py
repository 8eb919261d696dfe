"""What random histories do once sheets are locked: ties, releases, withdrawals, answers, links, lists of finalists."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tournament.core.enums import Answer, DecisionOf, EntrantStatus, TieMethod
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.queries import final_of
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.queries import links_in_force
from tournament.finalists.services import finalists, invitations, release_places
from tournament.publication.services import release
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.ranking.queries.standings import numbers_without_games
from tournament.releases.models import PlaceAnswer, Release
from tournament.setup.services import later_stage
from tournament.sheets.services import registration
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services import decisions
from tournament.tables.models import Table

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
        cut = live_qualification(self.stage)
        if cut.tie:
            lots = {"method": TieMethod.HAND_LOTS, "reason": f"all three equal {self.key()}", "witnesses": "W"}
            tied = [ranking_entrant_id(entrant.number) for entrant in cut.tie]
            order = self.random.sample(tied, len(tied))
            replaces = cut.decision.pk if cut.decision else None
            with suppress(Refused):
                waiting = decisions.decide_tie(
                    self.stage,
                    of=DecisionOf.LINE,
                    tied=tied,
                    places=cut.tie_places,
                    by=self.people["judge"],
                    replaces=replaces,
                    order=order,
                    **lots,
                )
                decisions.agree_decision(self.stage.event, waiting.pk, by=self.people["organiser"])

    def release(self, table: Table) -> None:
        """All that stands in its way first: disputes, corrections, sheets typed once, others not signed, and who takes
        part without a result."""
        for place in Table.objects.filter(session=self.session).order_by("number"):
            for name in CLEARED:
                with suppress(Refused):
                    getattr(self, name)(self.again(place))
        for number in numbers_without_games(self.stage):
            entrant = Entrant.objects.select_related("event").get(event=self.stage.event_id, number=number)
            facts = {"status": EntrantStatus.WITHDRAWN, "reason": "played nowhere", "by": self.people["organiser"]}
            registration.record_absence(entrant, **facts)
        self.decide_tie(table)
        release.release_results(self.stage, by=self.people["organiser"])

    def withdraw(self, table: Table) -> None:
        made = Release.objects.filter(stage=self.stage, withdrawn_at=None).order_by("-number").first()
        if made:
            release.withdraw_release(made, reason="a sheet is wrong", by=self.people["organiser"])

    def answer(self, table: Table) -> None:
        last = PlaceAnswer.objects.filter(stage=self.stage).order_by("-pk").first()
        holders = live_places(self.stage).places.holders
        if holders:
            number = int(self.random.choice(holders).id)
            said = self.random.choice([Answer.ACCEPTED, Answer.DECLINED])
            seen = last.pk if last and last.entrant.number == number else 0
            release_places.record_place_answer(
                self.stage, number=number, answer=said, reason="on holiday", seen=seen, by=self.people["clerk"]
            )

    def invite(self, table: Table) -> None:
        """A final beside it, a link for all who hold a place; one answers by it, another gets a new one."""
        by, event = self.people["organiser"], Event.objects.get(pk=self.stage.event_id)
        if final_of(event) is None:
            later_stage.set_up_stage(event, revision=event.revision, plan=later_stage.StagePlan("hk-2026", 1), by=by)
        invitations.make_place_links(self.stage, by=by)
        links = list(links_in_force(self.stage).values())
        if not links:
            return
        seen = PlaceAnswer.objects.filter(entrant=links[0].entrant_id).order_by("-pk").values_list("pk", flat=True)
        number, reason = links[-1].entrant.number, "sent to another"
        invitations.replace_place_link(self.stage, number=number, seen=links[-1].pk, reason=reason, by=by)
        invitations.answer_by_link(links[0], answer=Answer.ACCEPTED, seen=seen.first() or 0)

    def fix_list(self, table: Table) -> None:
        """The list of finalists is fixed, or opened where it is."""
        by, final = self.people["organiser"], final_of(self.stage.event)
        if final is not None and final.frozen_at is None:
            seen = finalists.finalists_seen_digest(live_places(self.stage))
            finalists.freeze_finalists(final, seen=seen, strike=True, reason="no answer", by=by)
        elif final is not None:
            numbers = final.finalists.values_list("entrant__number", flat=True)
            finalists.thaw_finalists(
                final,
                seen=finalists.finalists_seen_digest(live_places(self.stage), numbers),
                reason="one fell ill",
                by=by,
            )
