"""Who was given which role, password or PIN, told from the log: what was taken back since is told too."""

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event, Membership

TWO_PERSON_ROLES = (Role.ORGANISER, Role.CHIEF_JUDGE)
ACT_OF_GIVING_ROLE, ACT_OF_TAKING_ROLE, ACT_OF_RESETTING_PASSWORD, ACT_OF_SETTING_PIN = (
    "grant_role",
    "revoke_role",
    "reset_password",
    "set_pin",
)


@dataclass(frozen=True, slots=True)
class RoleTenure:
    """A role that an account holds or has held. `given` and `taken` are entries of the log: no `given`, or one of
    nobody, is of the founding; `membership` is None once the role was taken back. `resets`: entries of the passwords
    that somebody else gave the account, the newest first."""

    user: User
    role: Role
    given: AuditEntry | None
    taken: AuditEntry | None
    membership: Membership | None
    resets: tuple[AuditEntry, ...]

    @property
    def in_effect(self) -> bool:
        """Neither taken back nor waiting."""
        return self.membership is not None and self.membership.in_effect

    @property
    def by_a_person(self) -> bool:
        """Whether somebody gave the role, or a password to its account."""
        return bool((self.given and self.given.actor_id) or self.resets)

    def held_at(self, entry: AuditEntry) -> bool:
        """Whether the account had been given the role when the entry was written."""
        since = self.given.seq if self.given else 0
        return since < entry.seq and (self.taken is None or entry.seq < self.taken.seq)


@dataclass(frozen=True, slots=True)
class RoleGiven:
    """A role with the act by which somebody gave it, or gave its account a password or a PIN."""

    tenure: RoleTenure
    entry: AuditEntry


def holders_of_pairs(event: Event) -> list[RoleTenure]:
    """Everybody who may be one of the two people of an act, whenever the role was given, or may have been one since
    the first seats were confirmed: by role and name."""
    first = first_seats_entry(event)
    found = [one for one in role_tenures_at(event) if one.role in TWO_PERSON_ROLES]
    kept = [one for one in found if one.taken is None or (first is not None and one.taken.seq > first.seq)]
    return sorted(kept, key=lambda one: (one.role != Role.ORGANISER, one.user.username, one.taken is not None))


def roles_given_in_play(event: Event) -> list[RoleGiven]:
    """Every giving since the first seats were confirmed, the newest first: of a role, and of a password or a PIN to an
    account that held one."""
    first = first_seats_entry(event)
    if first is None:
        return []
    found = role_tenures_at(event)
    given = [RoleGiven(one, one.given) for one in found if one.given and one.given.actor_id]
    given += [RoleGiven(one, reset) for one in found for reset in one.resets if one.held_at(reset)]
    given += [
        RoleGiven(one, pin)
        for account, entries in secrets_given_by_others(event, ACT_OF_SETTING_PIN).items()
        for pin in entries
        for one in found
        if one.user.pk == account and one.role == Role.REFEREE and one.held_at(pin)
    ]
    return sorted((one for one in given if one.entry.seq > first.seq), key=lambda one: -one.entry.seq)


def first_seats_entry(event: Event) -> AuditEntry | None:
    """The entry with which play began; None before any seats were confirmed."""
    return AuditEntry.objects.filter(event=event, action="confirm_seats").order_by("seq").first()


def role_tenures_at(event: Event) -> list[RoleTenure]:
    """Every role that is or was held at the event, as often as it was given."""
    rows = {(row.user_id, row.role): row for row in Membership.granted.filter(event=event)}
    spans = role_spans_of(event)
    standing = {(account, role) for account, role, _given, taken in spans if taken is None}
    spans += [(*key, None, None) for key in rows if key not in standing]
    users = User.objects.in_bulk({account for account, *_rest in spans})
    resets = secrets_given_by_others(event, ACT_OF_RESETTING_PASSWORD)
    return [
        RoleTenure(
            users[account],
            Role(role),
            given,
            taken,
            None if taken else rows.get((account, role)),
            tuple(resets.get(account, ())),
        )
        for account, role, given, taken in spans
    ]


def role_spans_of(event: Event) -> list[tuple[int, str, AuditEntry | None, AuditEntry | None]]:
    """Account, role, the entry that gave it and the one that took it, as the log has them."""
    found = []
    open_spans: dict[str, AuditEntry] = {}
    entries = (
        AuditEntry.objects.filter(event=event, action__in=(ACT_OF_GIVING_ROLE, ACT_OF_TAKING_ROLE))
        .select_related("actor")
        .order_by("seq")
    )
    for entry in entries:
        if entry.action == ACT_OF_GIVING_ROLE:
            open_spans[entry.subject] = entry
        else:
            found.append((*account_and_role_named(entry.subject), open_spans.pop(entry.subject, None), entry))
    return found + [(*account_and_role_named(subject), entry, None) for subject, entry in open_spans.items()]


def account_and_role_named(subject: str) -> tuple[int, str]:
    """The account and the role, as roles.subject_of writes them."""
    _word, account, role = subject.split(" ")
    return int(account), role


def secrets_given_by_others(event: Event, act: str) -> dict[int, list[AuditEntry]]:
    """By account: the passwords, or the PINs, that somebody else gave it, the newest first."""
    found: dict[int, list[AuditEntry]] = defaultdict(list)
    for entry in AuditEntry.objects.filter(event=event, action=act).select_related("actor").order_by("-seq"):
        account = int(entry.subject.removeprefix("account "))
        if entry.actor_id != account:
            found[account].append(entry)
    return found
