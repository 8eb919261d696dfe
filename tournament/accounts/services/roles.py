"""Roles given: who must agree before they are in effect.

An account that already works elsewhere is asked itself: until it accepts, the event has no say over it. Once the seats
of an event are confirmed, a role could make one person both halves of a pair: the giver knows the account's password.
So it waits for a third person's yes, or for `settings.ROLE_DELAY`. An event that is being set up waits for nobody.
"""

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.audit import services
from tournament.core import canonical
from tournament.core.acts import ACTS
from tournament.core.enums import ProposalOutcome, Role
from tournament.core.errors import Forbidden, NotFoundRefused, Refused
from tournament.core.models.event import Event, Membership

ROLE_PROPOSAL_ACT = "grant_role"

OWN_ROLE = _("Nobody gives a role to their own account. Another organiser does.")
NOT_A_THIRD_PERSON = _(
    "You gave this role, or it is yours. A third person agrees: another organiser, the chief judge, an auditor."
)
NO_OFFER = _("No role waits for your answer at this event.")


def are_seats_confirmed(event: Event) -> bool:
    """Whether the seats of any session are confirmed: from then on results can come to be."""
    return Event.objects.filter(pk=event.pk, stages__sessions__draw__confirmed_at__isnull=False).exists()


def make_first_organiser(event: Event, by: User) -> None:
    """Who makes an event is its organiser."""
    _row, gained = Membership.granted.get_or_create(
        event=event, user=by, role=Role.ORGANISER, defaults={"granted_by": by, "granted_at": timezone.now()}
    )
    if gained:
        services.append_audit_entry(event, by, ROLE_PROPOSAL_ACT, f"account {by.pk} {Role.ORGANISER}")


def grant_roles(event: Event, user: User, roles: Collection[Role | str], by: User | None) -> None:
    """Give the account the roles that it lacks, each with its entry. None gives them: the program, in effect at once.

    Refused `own_role`.
    """
    held = set(Membership.granted.filter(event=event, user=user).values_list("role", flat=True))
    missing = [role for role in sorted(roles) if role not in held]
    if missing and by is not None and by.pk == user.pk:
        raise Refused("own_role", OWN_ROLE)
    now = timezone.now()
    waits = {
        "granted_by": by,
        "granted_at": now,
        "awaits_acceptance": by is not None and not is_accepted(event, user) and not has_say_over_account(by, user),
        "waits_until": now + settings.ROLE_DELAY if by is not None and are_seats_confirmed(event) else None,
    }
    for role in missing:
        row = Membership.granted.create(event=event, user=user, role=role, **waits)
        services.append_audit_entry(
            event, by, ROLE_PROPOSAL_ACT, membership_subject_ref(row), reason=waiting_words(row), at=now
        )
        request_third_person(row)


def membership_subject_ref(row: Membership) -> str:
    """As the log has it."""
    return f"account {row.user_id} {row.role}"


def waiting_words(row: Membership) -> str:
    """What of a new role is not yet so, for the log."""
    until = f"waits until {row.waits_until:%Y-%m-%dT%H:%MZ}" if row.waits_until else ""
    return ", ".join(filter(None, (until, "waits for the account's own yes" if row.awaits_acceptance else "")))


def request_third_person(row: Membership) -> None:
    """Put a role that waits before a third person."""
    if row.waits_until is not None:
        assert row.granted_by is not None
        reason = gettext("This role would complete a pair. It was given after the seats were confirmed.")
        proposals.open_new_proposal(
            row.event,
            act=ROLE_PROPOSAL_ACT,
            subject=membership_subject_ref(row),
            payload={},
            seen=version_of(row),
            reason=reason,
            by=row.granted_by,
        )


def version_of(row: Membership) -> str:
    """What a third person agrees to: this giving, not a later one."""
    assert row.granted_at is not None
    return f"{row.granted_by_id} {canonical.instant(row.granted_at)}"


# --- An account that works elsewhere ---------------------------------------------------------------------
def events_with_say(user: User, *, rehearsals: bool = False) -> set[int]:
    """The events that have a say over an account: where it accepted a role. A rehearsal has none beside a real one."""
    rows = Membership.granted.filter(user=user.pk, awaits_acceptance=False)
    held = dict(rows.values_list("event", "event__rehearsal"))
    real = {event for event, rehearsal in held.items() if rehearsals or not rehearsal}
    return real or set(held)


def has_say_over_account(by: User, user: User) -> bool:
    """Whether `by` is an organiser wherever the account works; one that looks after the installation obeys its like."""
    own = set(Membership.objects.filter(user=by, role=Role.ORGANISER).values_list("event", flat=True))
    return events_with_say(user) <= own and (by.is_staff or not user.is_staff)


def is_accepted(event: Event, user: User) -> bool:
    """Whether the account has a role here that it accepted, or that needed no accepting."""
    return Membership.granted.filter(event=event, user=user, awaits_acceptance=False).exists()


@transaction.atomic
def answer_role_offer(event: Event, *, accepts: bool, by: User) -> None:
    """The account's own yes or no to the roles that another event gave it. Accepted already: nothing to do."""
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    rows = list(Membership.granted.filter(event=event, user=by, awaits_acceptance=True).order_by("role"))
    if not rows:
        if accepts and is_accepted(event, by):
            return
        raise NotFoundRefused("no_offer", NO_OFFER)
    for row in rows:
        if accepts:
            Membership.granted.filter(pk=row.pk).update(awaits_acceptance=False)
            services.append_audit_entry(event, by, "accept_role", membership_subject_ref(row))
        else:
            revoke_role(row, by)


def revoke_role(row: Membership, by: User | None) -> None:
    """The role is gone, with the question about it."""
    Membership.granted.filter(pk=row.pk).delete()
    services.append_audit_entry(row.event, by, "revoke_role", membership_subject_ref(row))
    close_question(row, by)


def close_question(row: Membership, by: User | None) -> None:
    """Nobody needs to answer any more."""
    asked = Proposal.objects.filter(
        event=row.event_id, act=ROLE_PROPOSAL_ACT, subject=membership_subject_ref(row), outcome=""
    ).first()
    if asked is not None:
        proposals.close_proposal(asked, ProposalOutcome.LAPSED, by, "")


# --- A third person --------------------------------------------------------------------------------------
def role_of_question(proposal: Proposal) -> Membership | None:
    """The role that a proposal is about, while it waits."""
    _word, account, role = proposal.subject.split(" ")
    rows = Membership.granted.select_related("user", "granted_by").filter(user=int(account), role=role)
    return rows.filter(event=proposal.event_id, waits_until__gt=timezone.now()).first()


def may_confirm_role(row: Membership, by: User) -> bool:
    """Whether this account is a third person: a role in effect here, neither the giver's nor the receiver's."""
    held = Membership.objects.filter(event=row.event_id, user=by.pk, role__in=ACTS["agree_role"].roles)
    return by.pk not in {row.granted_by_id, row.user_id} and held.exists()


@transaction.atomic
def confirm_role(event: Event, number: int, *, by: User) -> None:
    """A third person's yes: the role is in effect. Forbidden `not_a_third`; Missing; Refused `proposal_closed`."""
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    proposal = proposals.open_proposal(event, number, ROLE_PROPOSAL_ACT)
    row = require_third_person(proposal, by)
    proposals.approve_proposal(proposal, seen=version_of(row), by=by)
    Membership.granted.filter(pk=row.pk).update(waits_until=None)
    services.append_audit_entry(event, by, "agree_role", membership_subject_ref(row))


@transaction.atomic
def refuse_role(event: Event, number: int, *, reason: str, by: User) -> None:
    """A third person's no: the role is taken away. As `confirm_role`."""
    require_third_person(proposals.open_proposal(event, number, ROLE_PROPOSAL_ACT), by)
    proposals.refuse_proposal(event, number, reason=reason, by=by)


def require_third_person(proposal: Proposal, by: User) -> Membership:
    """The role that waits, its asker being a third person."""
    row = role_of_question(proposal)
    if row is None:
        raise NotFoundRefused("role_waits_no_more", proposals.PROPOSAL_CLOSED)
    if not may_confirm_role(row, by):
        raise Forbidden("not_a_third", NOT_A_THIRD_PERSON, about=row)
    return row


def drop_refused(proposal: Proposal, by: User | None) -> None:
    """A role that a third person refused, or its giver withdrew, goes; one that is in effect by now stays."""
    row = role_of_question(proposal)
    if row is not None:
        Membership.granted.filter(pk=row.pk).delete()
        services.append_audit_entry(row.event, by, "revoke_role", membership_subject_ref(row))


proposals.PROPOSAL_END_HOOKS[ROLE_PROPOSAL_ACT] = drop_refused


# --- A password that somebody else knows -----------------------------------------------------------------
def suspend_roles(user: User, by: User) -> None:
    """Whoever gave the password could use the account's roles: where play has begun they wait anew."""
    now = timezone.now()
    rows = Membership.granted.filter(user=user, awaits_acceptance=False, event__rehearsal=False)
    for row in rows.filter(play_begun_exists()).select_related("event").order_by("event", "role"):
        row.granted_by, row.granted_at, row.waits_until = by, now, now + settings.ROLE_DELAY
        row.save(update_fields=["granted_by", "granted_at", "waits_until"])
        close_question(row, None)
        request_third_person(row)


def play_begun_exists() -> Exists:
    """Of memberships: those of an event whose seats are confirmed."""
    return Exists(Event.objects.filter(pk=OuterRef("event"), stages__sessions__draw__confirmed_at__isnull=False))


# --- What the delay has ended ----------------------------------------------------------------------------
def settle_expired_delays(now: datetime | None = None) -> int:
    """Write down that roles came into effect by the delay, and close their questions; how many. They are in effect
    without it."""
    over = Membership.granted.filter(waits_until__lte=now or timezone.now())
    return sum(settle_expired_delay(row) for row in over.select_related("event").order_by("event", "pk"))


@transaction.atomic
def settle_expired_delay(row: Membership) -> bool:
    """Whether this call ended the delay: False where another was first."""
    if not Membership.granted.filter(pk=row.pk, waits_until=row.waits_until).update(waits_until=None):
        return False
    services.append_audit_entry(row.event, None, "role_by_delay", membership_subject_ref(row))
    close_question(row, None)
    return True
