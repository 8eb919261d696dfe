"""An act of two people between the first and the second (accounts/services/proposals.py)."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.audit.models import AuditEntry
from tournament.core.enums import ProposalOutcome
from tournament.core.errors import BadInput, Forbidden, NotFoundRefused, Refused, StaleVersion
from tournament.core.models.event import Event

GIVEN = {"act": "change_entrant", "subject": "entrant 0287", "seen": "4", "reason": "The passport says so."}
NAME = {"name_en": "CHAN Tai Man"}


def proposed(event: Event, by: User, payload: dict[str, str] = NAME) -> Proposal:
    return proposals.open_new_proposal(event, payload=payload, by=by, **GIVEN)


def entries(event: Event) -> list[tuple[str, str, str]]:
    found = AuditEntry.objects.filter(event=event, subject="entrant 0287")
    return list(found.order_by("seq").values_list("action", "actor__username", "reason"))


def test_what_one_proposes_another_agrees_to_and_only_digests_are_left(
    event: Event, organiser: User, chief_judge: User
) -> None:
    made = proposed(event, organiser)
    assert made.payload == NAME
    with transaction.atomic():
        proposals.approve_proposal(proposals.open_proposal(event, made.pk), seen="4", by=chief_judge)
    kept = Proposal.objects.get()
    assert (kept.outcome, kept.closed_by, kept.payload) == (ProposalOutcome.APPROVED, chief_judge, {})
    assert entries(event) == [
        ("propose_act", "organiser", "The passport says so."),
        ("approve_proposal", "chief_judge", ""),
    ]
    assert "CHAN" not in str(list(AuditEntry.objects.values_list()))


def test_who_proposed_does_not_agree(event: Event, organiser: User) -> None:
    made = proposed(event, organiser)
    with transaction.atomic(), pytest.raises(Forbidden) as refused:
        proposals.approve_proposal(made, seen="4", by=organiser)
    assert refused.value.code == "proposer_cannot_approve"
    with pytest.raises(IntegrityError), transaction.atomic():
        Proposal.objects.filter(pk=made.pk).update(outcome="approved", closed_by=organiser, closed_at=made.proposed_at)


def test_what_was_prepared_on_an_older_version_is_not_agreed_to(
    event: Event, organiser: User, chief_judge: User
) -> None:
    made = proposed(event, organiser)
    with transaction.atomic(), pytest.raises(StaleVersion) as refused:
        proposals.approve_proposal(made, seen="5", by=chief_judge)
    assert refused.value.code == "proposal_outdated"
    assert Proposal.objects.get().outcome == ""


def test_proposed_twice_it_is_one_and_another_text_waits_its_turn(event: Event, organiser: User) -> None:
    assert proposed(event, organiser) == proposed(event, organiser)
    with pytest.raises(Refused) as refused:
        proposed(event, organiser, {"name_en": "CHAN Siu Man"})
    assert refused.value.code == "proposed_already"


def test_refused_takes_a_reason_withdrawn_takes_its_author_and_each_is_harmless_again(
    event: Event, organiser: User, chief_judge: User
) -> None:
    made = proposed(event, organiser)
    with pytest.raises(BadInput):
        proposals.refuse_proposal(event, made.pk, reason=" ", by=chief_judge)
    with pytest.raises(Refused) as forbidden:
        proposals.withdraw_proposal(event, made.pk, by=chief_judge)
    assert forbidden.value.code == "not_your_proposal"
    for _again in range(2):
        assert proposals.withdraw_proposal(event, made.pk, by=organiser).outcome == ProposalOutcome.WITHDRAWN
    with pytest.raises(Refused) as closed:
        proposals.refuse_proposal(event, made.pk, reason="no", by=chief_judge)
    assert closed.value.code == "proposal_closed"
    again = proposed(event, organiser)
    for _again in range(2):
        assert proposals.refuse_proposal(event, again.pk, reason="no", by=chief_judge).closing_reason == "no"
    assert [action for action, *_rest in entries(event)] == [
        *("propose_act", "withdraw_proposal"),
        *("propose_act", "refuse_proposal"),
    ]


def test_a_proposal_of_another_event_is_none(event: Event, organiser: User, chief_judge: User) -> None:
    made = proposed(event, organiser)
    other = Event.objects.create(slug="other", name_zh="", name_en="", quota=1, results_at=event.results_at)
    with pytest.raises(NotFoundRefused):
        proposals.refuse_proposal(other, made.pk, reason="no", by=chief_judge)


def test_the_database_keeps_what_was_proposed_and_what_became_of_it(
    event: Event, organiser: User, chief_judge: User
) -> None:
    made = proposed(event, organiser)
    rows = Proposal.objects.filter(pk=made.pk)
    for changed in ({"reason": "another"}, {"proposed_by": chief_judge}, {"subject": "entrant 0001"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**changed)
    proposals.refuse_proposal(event, made.pk, reason="no", by=chief_judge)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(closing_reason="yes")
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.delete()
