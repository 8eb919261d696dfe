"""Event, its stages and its sessions 場: where and when, how many, by which rules."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament.core.enums import Role
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded, RecordedManager


class Event(Recorded):
    """One tournament 賽事. Times are UTC in the rows and shown in the event's zone."""

    recorded = Evidence.of("pk", plain="slug name_zh name_en", salt="audit_head__salt")

    slug = models.SlugField(unique=True)
    name_zh = models.CharField(max_length=200)
    name_en = models.CharField(max_length=200)
    venue_zh = models.CharField(max_length=300, blank=True)
    venue_en = models.CharField(max_length=300, blank=True)
    contact = models.CharField(
        max_length=200, blank=True, help_text="how families reach the organiser: telephone, e-mail or address"
    )
    quota = models.PositiveIntegerField(help_text="places in all, first come first served (R2)")
    results_at = models.DateTimeField(help_text="the embargo: no release before this moment (R9)")
    retention_on = models.DateField(null=True, help_text="the day after which personal data is erased")
    erase_by_itself = models.BooleanField(
        default=False, help_text="a worker erases after that day; otherwise it only reminds an organiser"
    )
    several_pairs = models.BooleanField(
        default=False, help_text="a family may be more than one child and one parent; each two of them are a pair (R40)"
    )
    rehearsal = models.BooleanField(default=False, help_text="a copy to practise on: marked, in no public list")
    revision = models.PositiveIntegerField(default=1, help_text="grows with each change of the set-up")
    announced_at = models.DateTimeField(
        null=True, help_text="since when the public has its page; the first notice or release also announce it"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(quota__gt=0), name="event_quota_positive")]

    def __str__(self) -> str:
        return self.slug


class RolesInEffect(RecordedManager["Membership"]):
    """Only these give a right: accepted by their account, and past what they wait for."""

    def get_queryset(self) -> QuerySet["Membership"]:
        """Asked anew each time, so that a delay ends by itself."""
        over = Q(waits_until=None) | Q(waits_until__lte=timezone.now())
        return super().get_queryset().filter(over, awaits_acceptance=False)


class Membership(Recorded):
    """A role that an account holds at one event. `objects` are the roles in effect; who asks about rights asks these.

    `granted` are all, with those that wait: for the account's own yes (`awaits_acceptance`), or for a third person's
    or the end of a delay (`waits_until`).
    """

    recorded = Evidence.of("event")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role)
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="who gave it, or last gave its account a password; empty: the program, at the founding",
    )
    granted_at = models.DateTimeField(null=True)
    awaits_acceptance = models.BooleanField(default=False, help_text="given by an event that had no say over it")
    waits_until = models.DateTimeField(null=True, help_text="it would complete a pair; empty: it waits for nobody")

    granted = RecordedManager()
    objects: ClassVar[RolesInEffect] = RolesInEffect()

    class Meta:
        default_manager_name = "objects"
        constraints = [models.UniqueConstraint(fields=["event", "user", "role"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.event_id}"

    @property
    def in_effect(self) -> bool:
        """The same condition as that of `objects`."""
        return not self.awaits_acceptance and (self.waits_until is None or self.waits_until <= timezone.now())


class InitialPassword(Recorded):
    """This account's password was given to it, and is known to who gave it: its owner makes an own one first."""

    recorded = Evidence.of_account("user__password")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="initial_password")
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"initial password {self.user_id}"
