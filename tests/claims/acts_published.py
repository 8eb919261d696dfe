"""Acts upon what is out: releases, notices, mails, and places in the final."""

from django.test.utils import override_settings

from tests.claims.world import WHY, Act, World
from tests.mail.mails import mail_results
from tests.mail.noticed import told
from tests.messages.mailed import send_all
from tournament.core.enums import Answer, BounceKind, DeliveryState, NoticeKind
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Invitation
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists, invitations, release_places
from tournament.mail.services import bounces, notices
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.services import mailings
from tournament.publication.services import release
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.releases.models import Release
from tournament.releases.queries import current_release
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import decide_tie


# --- What is published ----------------------------------------------------------------------------------
def stage_to_release(world: World) -> Stage:
    return world.final if world.final and current_release(world.preliminary) else world.preliminary


def publish(world: World) -> None:
    release.release_results(stage_to_release(world), by=world.organiser)


def publish_again(world: World) -> None:
    release.release_results(world.preliminary, by=world.organiser)


def withdraw(world: World) -> None:
    if found := Release.objects.filter(stage__event=world.event, withdrawn_at=None).order_by("-number").first():
        release.withdraw_release(found, reason=WHY, by=world.organiser)


def decide_line(world: World) -> None:
    cut = live_qualification(world.preliminary)
    if cut.tie:
        tied = [ranking_entrant_id(one.number) for one in cut.tie]
        given = {"tied": tied, "places": cut.tie_places, "order": tied[: cut.tie_places], "reason": WHY}
        decide_tie(world.preliminary, of="line", by=world.judge, method="pick", **given)


def tell(world: World) -> None:
    told(world.event, world.organiser)


def correct_notice(world: World) -> None:
    if found := Notice.objects.filter(event=world.event, number__isnull=False).order_by("-number").first():
        told(world.event, world.organiser, corrects=found, kind=NoticeKind.STOPPED)


def lower_banner(world: World) -> None:
    if found := Notice.objects.filter(event=world.event, banner=True, banner_down_at=None, number__isnull=False).last():
        notices.take_down_banner(found, by=world.organiser)


def mail(world: World) -> None:
    if Release.objects.filter(stage=world.preliminary).exists():
        with override_settings(MAIL_RATE=1000):
            mail_results(world.event, world.organiser)


def stop_mail(world: World) -> None:
    if found := Mailing.objects.filter(event=world.event).order_by("-pk").first():
        mailings.stop_mailing(found, by=world.organiser)


def mail_comes_back(world: World) -> None:
    """Whatever waits is sent first, the results where nothing does: nothing comes back that no server took."""
    if not Mailing.objects.filter(event=world.event).exists():
        mail(world)
    send_all()
    rows = Delivery.objects.filter(mailing__event=world.event, state=DeliveryState.SENT, bounce="")
    if found := rows.order_by("-pk").first():
        bounces.record_bounce(found, BounceKind.HARD, code="5.1.1", words="user unknown")


# --- Places in the final --------------------------------------------------------------------------------
def make_links(world: World) -> None:
    invitations.make_place_links(world.preliminary, by=world.organiser)


def answer(said: Answer) -> Act:
    def act(world: World) -> None:
        rows = Invitation.objects.filter(entrant__event=world.event, revoked_at=None).order_by("entrant__number")
        if link := rows.filter(entrant__number__in=world.numbers).first() or rows.first():
            seen = link.entrant.place_answers.order_by("-at", "-pk").values_list("pk", flat=True).first() or 0
            invitations.answer_by_link(link, answer=said, seen=seen)

    return act


def decline_at_desk(world: World) -> None:
    holders = [one.id for one in live_places(world.preliminary).places.holders]
    if holders:
        number = live_places(world.preliminary).entrants[holders[0]].number
        about = {"number": number, "answer": Answer.DECLINED, "reason": WHY}
        release_places.record_place_answer(world.preliminary, **about, by=world.organiser)


def fix_list(world: World) -> None:
    if world.final:
        about = {"seen": finalists.finalists_seen_digest(live_places(world.preliminary)), "strike": True, "reason": WHY}
        finalists.freeze_finalists(world.final, **about, by=world.organiser)


def open_list(world: World) -> None:
    if world.final:
        listed = list(world.final.finalists.values_list("entrant__number", flat=True))
        seen = finalists.finalists_seen_digest(live_places(world.preliminary), listed)
        finalists.thaw_finalists(world.final, seen=seen, reason=WHY, by=world.organiser)


def revoke_link(world: World) -> None:
    rows = Invitation.objects.filter(entrant__event=world.event, revoked_at=None).order_by("entrant__number")
    if found := rows.select_related("entrant").first():
        about = {"number": found.entrant.number, "reason": WHY}
        invitations.revoke_place_link(world.preliminary, **about, by=world.organiser)
