"""Private links and the list of finalists through the API."""

import json

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.finalists.invited import answered, holders, invited
from tournament.audit.models import AuditEntry
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist, Invitation
from tournament.finalists.services import invitations

pytestmark = pytest.mark.django_db
LIST = "final/finalists/"


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Four advance of twelve; there is a final."""
    return invited(first_session, organiser)[0]


@pytest.fixture
def program(stage: Stage, organiser: User) -> Caller:
    return Caller(organiser)


def test_links_are_made_read_replaced_and_revoked(program: Caller, stage: Stage) -> None:
    made = program.change(f"{LIST}links/").json()["made"]
    assert (sorted(made), program.change(f"{LIST}links/").json()) == (sorted(holders(stage)), {"made": []})
    first = program.get(f"{LIST}links/").json()["links"][0]
    link = Invitation.objects.get(pk=first["id"])
    assert first["path"] == f"/place/{invitations.place_link_token(link)}/"
    address = f"{LIST}{first['number']}/link/"
    assert code(program.change(address, {"seen": first["id"]})) == (400, "reason_missing")
    replaced = program.change(address, {"seen": first["id"], "reason": "sent to another"})
    assert (replaced.status_code, replaced.json()["id"] != first["id"]) == (201, True)
    revoked = program.change(f"{address}revoke/", {"reason": "lost"})
    assert revoked.json() == {"number": first["number"], "id": None}
    assert [one["number"] for one in program.get(f"{LIST}links/").json()["links"]] == sorted(made)[1:]
    taken = AuditEntry.objects.filter(action="take_out_links").order_by("seq")
    told = [(one.actor.username, one.subject, one.details) for one in taken]
    assert told[0] == ("organiser", "stage preliminary", {"what": "api", "links": len(made)})
    assert told[-1] == ("organiser", "stage preliminary", {"what": "api", "links": len(made) - 1})
    assert program.change(f"{LIST}9999/link/", {"seen": 0}).status_code == 404


def test_no_answer_that_is_kept_for_its_key_holds_a_link(program: Caller, stage: Stage) -> None:
    program.change(f"{LIST}links/")
    number = holders(stage)[0]
    seen = Invitation.objects.get(entrant__number=number).pk
    program.change(f"{LIST}{number}/link/", {"seen": seen, "reason": "lost"})
    kept = json.dumps(list(RequestKey.objects.values_list("answer", flat=True)))
    secrets = [invitations.secret_of(one)[:5] for one in Invitation.objects.all()]
    assert (RequestKey.objects.count(), [one for one in secrets if one in kept]) == (2, [])


def test_an_answer_by_link_has_no_account(program: Caller, stage: Stage) -> None:
    program.change(f"{LIST}links/")
    link = Invitation.objects.get(entrant__number=holders(stage)[0])
    invitations.answer_by_link(link, answer="accepted", seen=0)
    assert program.get("places/").json()["holders"][0]["answered"]["by"] is None


def test_the_list_is_fixed_changed_and_opened(program: Caller, stage: Stage, organiser: User) -> None:
    first, second, third, _last = holders(stage)
    for number in (first, second, third):
        answered(stage, organiser, number)
    before = program.get(LIST).json()
    assert (before["frozen_at"], before["finalists"], before["next"]) == (None, [], None)
    assert code(program.change(f"{LIST}freeze/", {"seen": before["seen"]})) == (409, "unanswered")
    struck = {"seen": before["seen"], "strike": True, "reason": "late"}
    fixed = program.change(f"{LIST}freeze/", struck).json()
    assert [one["number"] for one in fixed["finalists"]] == [first, second, third]
    assert (fixed["frozen_by"], fixed["next"]) == (organiser.username, holders(stage)[-1])
    given = {"number": first, "reserve": fixed["next"], "reason": "ill", "seen": fixed["seen"]}
    changed = program.change(f"{LIST}exchange/", given).json()
    assert [one["number"] for one in changed["finalists"]] == [second, third, given["reserve"]]
    older = {"reason": "again", "seen": fixed["seen"]}
    assert code(program.change(f"{LIST}thaw/", older)) == (412, "places_changed")
    assert program.change(f"{LIST}thaw/", {**older, "seen": changed["seen"]}).json()["finalists"] == []
    assert Finalist.objects.count() == 0


def test_an_auditor_reads_the_list_and_no_link_and_a_clerk_neither(stage: Stage, clerk: User, auditor: User) -> None:
    assert [Caller(clerk).get(one).status_code for one in (LIST, f"{LIST}links/")] == [403, 403]
    program = Caller(auditor)
    assert program.get(LIST).status_code == 200
    assert program.get(f"{LIST}links/").status_code == 403
    assert program.change(f"{LIST}thaw/", {"reason": "x"}).status_code == 403
