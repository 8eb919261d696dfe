"""Behind a locked sheet a person changes by two people, through every door (rules R40, R41, R46)."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.api.caller import Caller, code
from tests.entrant_lists import csv_of, sound_row
from tests.registration.services.test_importing_changes import locked_games
from tests.registration.services.test_registration_changes import entered, fresh
from tests.squeezed import squeezed
from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import open_proposals
from tournament.accounts.services import proposals
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SessionState
from tournament.core.errors import BadInput, Forbidden, Locked, Refused, StaleVersion
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.publication.queries.changed_people import people_changed
from tournament.registration.services import changes, importing, importing_preview, second
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT
from tournament.registration.services.people_effect import entrant_change_effects
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet

pytestmark = pytest.mark.django_db
ADULT, CHILD = {"birth_date": "1980-02-03"}, {"birth_date": "2015-02-03", "consent_guardian": "是", "guardian": "CHAN"}
NEW = {"name_zh": "黃小明", "name_en": "WONG Siu Ming"}


@pytest.fixture
def three(event: Event, organiser: User) -> list[Entrant]:
    """0001 has played and is locked, 0002 and 0003 not."""
    made = entered(event, organiser, sound_row(1, **ADULT), sound_row(2, **CHILD), sound_row(3))
    locked_games(fresh(1))
    return made


def rename(number: int, by: User, cells: dict[str, str] = NEW, reason: str = "A slip") -> Proposal | None:
    waits: list[Proposal] = []
    now = fresh(number)
    changes.change_person(now, revision=now.revision, cells=cells, reason=reason, by=by, waits=waits)
    return waits[0] if waits else None


def names(number: int) -> tuple[str, str]:
    person = fresh(number).person
    return person.name_zh, person.name_en


def test_one_person_alone_changes_no_name_behind_a_locked_sheet_and_two_do(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    before = names(1)
    made = rename(1, clerk)
    assert made is not None
    assert (names(1), made.subject, made.reason, fresh(1).revision) == (before, "entrant 0001", "A slip", 1)
    with pytest.raises(Forbidden) as own:
        second.agree_entrant_change(fresh(1).event, made.pk, by=clerk)
    assert own.value.code == "proposer_cannot_approve"
    for _again in range(2):
        second.agree_entrant_change(fresh(1).event, made.pk, by=organiser)
    assert (names(1), fresh(1).revision) == (("黃小明", "WONG Siu Ming"), 2)
    made.refresh_from_db()
    assert (made.outcome, made.payload) == ("approved", {})


def test_before_the_first_locked_sheet_one_person_corrects_a_name(three: list[Entrant], clerk: User) -> None:
    assert rename(2, clerk, reason="") is None
    assert names(2) == ("黃小明", "WONG Siu Ming")


@pytest.mark.parametrize("cells", [{"birth_date": "1981-02-03"}, {"guardian": "LEE"}, NEW])
def test_what_takes_two_people_takes_a_reason(three: list[Entrant], clerk: User, cells: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        rename(1, clerk, cells, reason=" ")
    assert (refused.value.code, open_proposals(fresh(1).event).count()) == ("reason_needed", 0)
    assert rename(1, clerk, cells) is not None


def test_contact_data_is_one_persons_act_with_a_reason_and_consents_without_one(
    three: list[Entrant], clerk: User
) -> None:
    with pytest.raises(BadInput):
        rename(1, clerk, {"phone": "9123 4567"}, reason="")
    assert rename(1, clerk, {"phone": "9123 4567"}) is None
    assert rename(1, clerk, {"consent_name": "否", "school": "A"}, reason="") is None
    assert fresh(1).person.phone == "+85291234567"


def test_what_one_person_may_do_is_done_at_once_and_only_the_rest_waits(three: list[Entrant], clerk: User) -> None:
    before = names(1)
    made = rename(1, clerk, {**NEW, "consent_photo": "是"})
    assert made is not None
    assert (fresh(1).person.consent_photo, names(1)) == (True, before)
    assert made.seen == "0001:2"


def test_the_session_of_a_locked_sheet_stays(three: list[Entrant], organiser: User) -> None:
    with pytest.raises(Locked):
        changes.move_to_session(fresh(1), session=2, revision=1, reason="x", by=organiser)


def test_a_session_that_is_void_for_a_while_lets_nobody_rename_its_people_alone(
    three: list[Entrant], clerk: User
) -> None:
    before, played = names(1), fresh(1).session
    for state in (SessionState.VOID, SessionState.SUSPENDED):
        Session.objects.filter(pk=played.pk).update(state=state)
        with pytest.raises(BadInput) as refused:
            rename(1, clerk, reason="")
        assert (refused.value.code, names(1)) == ("reason_needed", before)
    assert (rename(1, clerk) is not None, names(1)) == (True, before)


def test_a_forgotten_pair_is_declared_and_parted_by_two(three: list[Entrant], clerk: User, organiser: User) -> None:
    event, waits = fresh(1).event, []
    told = {"reason": "Forgotten at entry", "by": clerk, "waits": waits}
    changes.join_family(fresh(2), fresh(1), revision=1, about=fresh(1), **told)
    assert (fresh(1).family, fresh(2).family, len(waits)) == (None, None, 1)
    second.agree_entrant_change(event, waits[0].pk, by=organiser)
    assert (fresh(1).family, fresh(1).family_role, fresh(2).family_role) == (fresh(2).family, "parent", "child")
    changes.part_family(fresh(2), revision=2, **told)
    assert (fresh(2).family is not None, len(waits)) == (True, 2)
    second.agree_entrant_change(event, waits[1].pk, by=organiser)
    assert (fresh(1).family, fresh(2).family) == (None, None)


def test_the_second_person_agrees_to_what_they_saw_or_not_at_all(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    made = rename(1, clerk)
    rename(1, clerk, {"school": "Elsewhere"})
    with pytest.raises(StaleVersion):
        second.agree_entrant_change(fresh(1).event, made.pk, by=organiser)
    assert open_proposals(fresh(1).event).get() == made


@pytest.mark.parametrize("lost", ["role", "account", "delayed"])
def test_who_may_propose_no_more_is_no_half_of_a_pair(
    three: list[Entrant], clerk: User, organiser: User, lost: str
) -> None:
    before, made = names(1), rename(1, clerk)
    event, held = fresh(1).event, Membership.objects.filter(user=clerk)
    if lost == "role":
        held.update(role=Role.REFEREE)
    elif lost == "delayed":
        held.update(waits_until=timezone.now() + timedelta(hours=1))
    else:
        User.objects.filter(pk=clerk.pk).update(is_active=False)
    with pytest.raises(Refused) as refused:
        second.agree_entrant_change(event, made.pk, by=organiser)
    assert (refused.value.code, names(1)) == ("proposer_lost_right", before)
    assert proposals.refuse_proposal(event, made.pk, reason="No clerk any more", by=organiser).outcome == "refused"


def test_another_change_of_the_same_person_waits_for_the_first(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    made = rename(1, clerk)
    assert rename(1, clerk) == made
    with pytest.raises(Refused) as refused:
        rename(1, organiser, {"name_en": "HO Another"})
    assert refused.value.code == "proposed_already"
    proposals.refuse_proposal(fresh(1).event, made.pk, reason="Wrong person", by=organiser)
    assert rename(1, organiser, {"name_en": "HO Another"}) != made


def test_a_list_proposes_what_it_may_not_change_and_does_the_rest(
    three: list[Entrant], event: Event, clerk: User
) -> None:
    before = names(1)
    rows = [sound_row(1, **ADULT, name_en="HO Listed", school="B"), sound_row(2, **CHILD, name_en="HO Second")]
    kept = importing.read_file(event, name="b.csv", content=csv_of(rows), by=clerk)
    shown = importing_preview.build_preview(kept)
    assert (shown.importable, sorted(shown.waiting)) == (True, [2])
    done = importing.import_file(kept, by=clerk, seen=shown.digest)
    assert (done.changed, done.waiting) == (2, 1)
    assert (names(1), fresh(1).person.school, names(2)[1]) == (before, "B", "HO Second")
    assert open_proposals(event).get().subject == "entrant 0001"


def test_the_log_has_keyed_digests_of_before_and_after_and_no_name(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    made = rename(1, clerk)
    second.agree_entrant_change(fresh(1).event, made.pk, by=organiser)
    rename(2, clerk, {"name_en": "HO Other"})
    entries = list(AuditEntry.objects.filter(action=CHANGE_ENTRANT_ACT).order_by("seq"))
    assert [(entry.details["columns"], entry.reason) for entry in entries] == [
        (["name_zh", "name_en"], f"(proposal {made.pk}) A slip"),
        (["name_en"], "A slip"),
    ]
    for entry in entries:
        assert len({entry.digest_before, entry.digest_after, ""}) == 3
    assert not AuditEntry.objects.filter(reason__contains="WONG").exists()


def test_the_same_person_has_another_digest_under_another_salt(three: list[Entrant], clerk: User) -> None:
    rename(2, clerk, {"school": "A"})
    rename(2, clerk, {"school": "B"})
    first, then = AuditEntry.objects.filter(action=CHANGE_ENTRANT_ACT).order_by("seq")
    assert first.digest_after == then.digest_before


def test_the_dance_of_three_renames_shows_the_second_person_whose_name_it_was(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    event, old = fresh(1).event, names(1)
    locked_games_of_third(fresh(3))
    first = rename(1, clerk, {"name_zh": "臨時", "name_en": "TEMP Name"})
    second.agree_entrant_change(event, first.pk, by=organiser)
    step = rename(3, clerk, {"name_zh": old[0], "name_en": old[1]})
    [effect] = entrant_change_effects(event, second.read_entrant_proposal(event, step))
    assert [(one.number, one.now) for one in effect.namesakes] == [(1, False)]
    proposals.refuse_proposal(event, step.pk, reason="An exchange", by=organiser)
    step = rename(3, clerk, {"name_zh": "臨時", "name_en": "TEMP Name"})
    [effect] = entrant_change_effects(event, second.read_entrant_proposal(event, step))
    assert [(one.number, one.now) for one in effect.namesakes] == [(1, True)]


def locked_games_of_third(entrant: Entrant) -> None:
    """In the next session, so that both have a table 1 of their own."""
    Entrant.objects.filter(pk=entrant.pk).update(session=entrant.event.stages.get().sessions.get(number=2))
    locked_games(fresh(entrant.number))


def test_by_page_it_waits_and_the_second_person_sees_old_and_new(
    three: list[Entrant], clerk: User, organiser: User, signed_in: Any
) -> None:
    before, program = names(1), signed_in(clerk)
    page = squeezed(program.get("/desk/hk-2026/entrants/1/change/").content.decode())
    assert "由兩人" in page
    person = fresh(1).person
    cells = {"revision": 1, "name_zh": "黃小明", "name_en": "WONG Siu Ming", "birth_date": "1980-02-03"}
    cells |= {"phone": person.phone, "email": person.email, "school": person.school, "guardian": person.guardian}
    cells |= {"language": "中文", "reason": "A slip"}
    answer = program.post("/desk/hk-2026/entrants/1/change/", cells, follow=True)
    assert (names(1), "尚未更改" in squeezed(answer.content.decode())) == (before, True)
    address = f"/desk/hk-2026/proposals/{open_proposals(fresh(1).event).get().pk}/person/"
    assert program.post(address).status_code == 403
    judge = signed_in(organiser)
    shown = squeezed(judge.get(address).content.decode())
    assert all(text in shown for text in (*before, "黃小明", "WONG Siu Ming", "A slip"))
    assert judge.post(address).status_code == 302
    assert names(1) == ("黃小明", "WONG Siu Ming")
    assert judge.get(address).status_code == 200


def test_no_reason_makes_one_persons_change_look_like_two_persons(three: list[Entrant], clerk: User) -> None:
    made = rename(1, clerk)
    assert made is not None
    why = f"(proposal {made.pk}) (proposal {made.pk}) A new number"
    assert rename(1, clerk, {"phone": "9123 4567"}, reason=why) is None
    told = [(one.columns, one.proposer, one.reason) for one in people_changed(fresh(1).event, None)]
    assert told == [(("phone",), None, "A new number")]


def test_a_clerk_who_proposes_a_change_does_not_read_the_unreleased_rank_off_its_effect(
    three: list[Entrant], clerk: User, organiser: User, signed_in: Any
) -> None:
    sheet = Scoresheet.objects.get()
    OfficialSheet.objects.create(table=sheet.table, scoresheet=sheet)
    made = rename(1, clerk)
    assert made is not None
    address = f"/desk/hk-2026/proposals/{made.pk}/person/"
    pages = [
        squeezed(signed_in(one).get(address, headers={"Accept-Language": "en"}).content.decode())
        for one in (clerk, organiser)
    ]
    assert [("rank 1" in page, "WONG Siu Ming" in page) for page in pages] == [(False, True), (True, True)]


def test_a_clerk_reads_no_proposal_about_equals_before_ranks_are_released(
    three: list[Entrant], event: Event, clerk: User, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    rename(1, clerk)
    equals = {"act": "decide_tie", "subject": "stage preliminary line 0003", "payload": {}, "seen": ""}
    proposals.open_new_proposal(event, **equals, reason="The longer run.", by=chief_judge)
    told = {}
    for one in (clerk, organiser):
        page, start = signed_in(one).get("/desk/hk-2026/proposals/"), signed_in(one).get("/desk/hk-2026/")
        acts = {line["act"] for line in Caller(one).get("proposals/").json()["proposals"]}
        seen = ("The longer run." in squeezed(page.content.decode()), "同分決定" in squeezed(start.content.decode()))
        told[one.username] = (acts, *seen, "1 項須由兩人同意的事" in squeezed(start.content.decode()))
    assert told == {
        "clerk": ({CHANGE_ENTRANT_ACT}, False, False, True),
        "organiser": ({CHANGE_ENTRANT_ACT, "decide_tie"}, True, True, True),
    }


def test_through_the_api_it_waits_with_202(three: list[Entrant], clerk: User, organiser: User, auditor: User) -> None:
    before, program, other = names(1), Caller(clerk), Caller(organiser)
    answer = program.change("entrants/1/change/", {**NEW, "reason": "A slip"}, seen=1)
    number = answer.json()["proposal"]
    assert (answer.status_code, answer.json()["revision"], names(1)) == (202, 1, before)
    listed = program.get("proposals/").json()["proposals"]
    assert [(one["number"], one["act"], one["subject"]) for one in listed] == [
        (number, CHANGE_ENTRANT_ACT, "entrant 0001")
    ]
    [change] = other.get(f"proposals/{number}/person/").json()["changes"]
    assert (change["number"], [cell["after"] for cell in change["cells"]]) == (1, ["黃小明", "WONG Siu Ming"])
    assert Caller(auditor).get(f"proposals/{number}/person/").status_code == 403
    assert program.change(f"proposals/{number}/person/", {}).status_code == 403
    assert other.change(f"proposals/{number}/person/", {}).json()["outcome"] == "approved"
    assert names(1) == ("黃小明", "WONG Siu Ming")


def test_a_proposal_is_refused_and_withdrawn_through_the_api(
    three: list[Entrant], clerk: User, organiser: User
) -> None:
    program, other = Caller(clerk), Caller(organiser)
    for act, who, body in (("refuse", other, {"reason": "No"}), ("withdraw", program, {})):
        number = rename(1, clerk).pk
        if act == "withdraw":
            assert code(other.change(f"proposals/{number}/withdraw/", {}))[1] == "not_your_proposal"
        assert who.change(f"proposals/{number}/{act}/", body).status_code == 200
        assert program.get("proposals/").json() == {"proposals": []}


def test_the_release_page_lists_what_changed_around_people_since_the_results(
    three: list[Entrant], clerk: User, organiser: User, signed_in: Any
) -> None:
    second.agree_entrant_change(fresh(1).event, rename(1, clerk, reason="Deed poll seen").pk, by=organiser)
    rename(1, clerk, {"phone": "9123 4567"}, reason="New number")
    changed = people_changed(fresh(1).event, None)
    assert [(one.number, one.columns, one.reason, one.proposer) for one in changed] == [
        (1, ("phone",), "New number", None),
        (1, ("name_zh", "name_en"), "Deed poll seen", clerk),
    ]
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/releases/").content.decode())
    assert all(text in page for text in ("Deed poll seen", "New number", "1 人的姓名", "1 人的聯絡資料"))
