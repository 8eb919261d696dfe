"""Referees' tablets: a code that pairs one, the tables it is bound to, whose PIN opened it, what it could not deliver.

Only digests of codes and tokens are kept. Each is looked up in the database on every request, so that revoking is at
once (D6).
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac

from tournament.core.enums import QuarantineReason, SubmissionOutcome
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session
from tournament.tables.models import Table


class Pairing(Recorded):
    """A code shown or printed at the desk for a referee's tables of one session: single use, ten minutes."""

    recorded = Evidence.of("session__stage__event", plain="tables digest")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="pairings")
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    tables = models.JSONField(help_text="table numbers, one or two")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the code, hexadecimal")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    tried_again_at = models.DateTimeField(null=True, help_text="when a second tablet showed a code that was used")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"pairing {self.session_id}"


class PairingTry(models.Model):
    """A code that nobody made, tried at an event: ten a minute and no more are looked at."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="pairing_tries")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"try {self.event_id}"


class Device(Recorded):
    """A paired tablet, bound to one or two tables of one session and to nothing else."""

    recorded = Evidence.of(
        "event",
        plain="digest",
        exempt={
            **dict.fromkeys(
                ("last_seen_at", "waiting", "skew_ms", "client", "battery"), "what it said last, every few seconds"
            ),
            **dict.fromkeys(("opened_by", "locked_at"), "whose it is at this moment; each PIN that opened it is kept"),
        },
    )

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="devices")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="devices")
    number = models.PositiveSmallIntegerField(help_text="1, 2, 3 ... at the event: what it is called at the desk")
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hexadecimal")
    paired_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    paired_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    revoked_reason = models.CharField(max_length=500, blank=True)
    followed_by = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="follows")
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="whose PIN opened it; empty while it is locked",
    )
    handed_out = models.ForeignKey(
        Table, null=True, on_delete=models.PROTECT, related_name="+", help_text="whose players hold it to sign"
    )
    locked_at = models.DateTimeField(
        null=True, help_text="since when nobody has it open, by the tablet's own clock where it said so"
    )
    last_seen_at = models.DateTimeField(null=True)
    waiting = models.PositiveSmallIntegerField(default=0, help_text="items that it says it has not delivered")
    skew_ms = models.IntegerField(null=True, help_text="its clock less the server's")
    client = models.PositiveSmallIntegerField(default=0, help_text="the number of the page's own form of items")
    battery = models.PositiveSmallIntegerField(null=True, help_text="percent")

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="device_number_once")]

    def __str__(self) -> str:
        return f"tablet {self.number}"

    @property
    def seal_key(self) -> str:
        """What it seals with what leaves it by hand: told to this tablet alone, and made from its token's digest."""
        return salted_hmac("tournament.outbox", self.digest, algorithm="sha256").hexdigest()


class DeviceTable(Recorded):
    """That a tablet serves a table; one at a time, the database itself says so."""

    recorded = Evidence.of("device__event")

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="device_tables")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="device_tables")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["device_id", "table_id"]
        constraints = [
            models.UniqueConstraint(fields=["device", "table"], name="device_table_once"),
            models.UniqueConstraint(fields=["table"], condition=Q(ended_at__isnull=True), name="table_one_device"),
        ]

    def __str__(self) -> str:
        return f"{self.device_id} {self.table_id}"


class Unlock(Recorded):
    """That a referee's PIN opened a tablet: what they record on it may be delivered in their name."""

    recorded = Evidence.of("device__event", plain="locked", append_only=True)

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="unlocks")
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    locked = models.JSONField(
        default=list, help_text="from when to when it was locked before, by its own clock: [[from, to], ...]"
    )

    class Meta:
        ordering = ["device_id", "id"]

    def __str__(self) -> str:
        return f"unlock {self.device_id} {self.referee_id}"


class PinTry(models.Model):
    """Wrong PINs of one referee at one tablet since the last right one, and until when it waits for them."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="pin_tries")
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    wrong = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["device", "referee"], name="pin_try_once")]

    def __str__(self) -> str:
        return f"PIN tries {self.device_id} {self.referee_id}"


class QuarantinedSubmission(Recorded):
    """What a tablet recorded and the server could not take: kept whole until a person has settled it, never dropped."""

    recorded = Evidence.of("event", plain="key act refusal erased_digest")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="submissions")
    table = models.ForeignKey(Table, null=True, on_delete=models.PROTECT, related_name="submissions")
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="submissions")
    key = models.CharField(max_length=64)
    act = models.CharField(max_length=24, help_text="save, package, call ... as the address says it")
    revision = models.PositiveIntegerField(null=True, help_text="what the tablet had seen")
    body = models.JSONField(help_text="what of it may lie open: nothing that was drawn")
    sealed = models.BinaryField(null=True, help_text="the whole body, enciphered")
    made_at = models.DateTimeField(null=True, help_text="as the tablet's clock said")
    received_at = models.DateTimeField()
    because = models.CharField(max_length=12, choices=QuarantineReason)
    refusal = models.CharField(max_length=60, blank=True, help_text="the code it was refused with")
    outcome = models.CharField(max_length=12, choices=SubmissionOutcome, blank=True)
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    resolved_at = models.DateTimeField(null=True)
    resolved_reason = models.CharField(max_length=500, blank=True)
    erased_digest = models.CharField(max_length=64, blank=True, help_text="what its digest was, once it is erased")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="submission_once")]

    def __str__(self) -> str:
        return f"held {self.key}"
