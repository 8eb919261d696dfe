"""Notices 通告, and mail as rows: a mailing, and one delivery a recipient."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.canonical import digest_of, plain
from tournament.core.enums import (
    OPEN_MAILINGS,
    BannerTone,
    BounceKind,
    DeliveryState,
    Language,
    MailingKind,
    MailingState,
    NoticeKind,
)
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.entrants.models.people import Entrant


class Notice(Recorded):
    """What is told to all, in both languages. A draft until it is published; then only its banner is taken down.

    Texts are plain, paragraphs by empty lines. A correction is a notice of its own that says what it `corrects`.
    """

    recorded = Evidence.of("event", plain="sessions title_zh title_en digest")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="notices")
    number = models.PositiveIntegerField(null=True, help_text="1, 2, 3 ... over the event, given when it is published")
    kind = models.CharField(max_length=12, choices=NoticeKind)
    day = models.DateField(null=True, help_text="of the sessions that it is about")
    sessions = models.JSONField(default=list, help_text="their numbers; none: the whole event")
    title_zh = models.CharField(max_length=120)
    title_en = models.CharField(max_length=200)
    body_zh = models.TextField(max_length=4000)
    body_en = models.TextField(max_length=6000)
    banner = models.BooleanField(default=True)
    tone = models.CharField(max_length=8, choices=BannerTone, default=BannerTone.INFO)
    corrects = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="corrected_by")
    readers_of = models.ForeignKey(
        "Mailing",
        null=True,
        on_delete=models.PROTECT,
        related_name="followed_by",
        help_text="whose mail it follows: it goes to exactly those who got that; none: to those of its sessions",
    )
    revision = models.PositiveIntegerField(default=1)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    discarded_at = models.DateTimeField(null=True, help_text="of a draft that was put aside")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(null=True)
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of all that was published")
    banner_down_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    banner_down_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["event_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="notice_number_once"),
            models.CheckConstraint(
                condition=Q(number=None, published_at=None, published_by=None)
                | Q(number__isnull=False, published_at__isnull=False, published_by__isnull=False),
                name="notice_published_with_number",
            ),
        ]

    def __str__(self) -> str:
        return f"notice {self.number or 'draft'}"

    @property
    def mailing(self) -> "Mailing | None":
        """Its newest mailing: whoever has not got it by then is mailed by another."""
        return max(self.mailings.all(), key=lambda one: one.pk, default=None)


class Mailing(Recorded):
    """One mail to each of many, confirmed with their count; a worker sends it, row by row, at its rate.

    `trouble` is an untranslated msgid: why nothing goes out at the moment, until `wait_until`.
    """

    recorded = Evidence.of(
        "event",
        plain="subject digest ended",
        exempt=dict.fromkeys(("claim", "beat_at", "wait_until", "trouble"), "how the worker that sends it gets on"),
        more={"outcome": lambda row: row.outcome},
    )

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="mailings")
    kind = models.CharField(max_length=8, choices=MailingKind)
    subject = models.CharField(max_length=80, help_text="notice 3, session 0406-3, release 2, stage preliminary")
    notice = models.ForeignKey(Notice, null=True, on_delete=models.PROTECT, related_name="mailings")
    state = models.CharField(max_length=8, choices=MailingState, default=MailingState.SENDING)
    count = models.PositiveIntegerField(help_text="recipients, as they were confirmed")
    digest = models.CharField(max_length=64, help_text="SHA-256 of who gets it: numbers and languages")
    rate = models.PositiveSmallIntegerField(default=10, help_text="mails a second at most")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    claim = models.CharField(max_length=64, blank=True, help_text="the worker that sends it")
    beat_at = models.DateTimeField(null=True, help_text="that worker's last sign of life")
    wait_until = models.DateTimeField(null=True, help_text="the mail server did not take mail: not before this")
    trouble = models.CharField(max_length=300, blank=True)
    finished_at = models.DateTimeField(null=True)
    ended = models.JSONField(default=dict, help_text="why its subject is in force no more, where that stopped it")

    class Meta:
        ordering = ["event_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "kind", "subject"],
                name="mailing_open_once",
                condition=Q(state__in=[state.value for state in OPEN_MAILINGS]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"

    @property
    def outcome(self) -> str:
        """SHA-256 of how each of its mails ended: whose, state, moment of the server's yes, digest of what was sent.
        Empty while it goes on."""
        if self.finished_at is None:
            return ""
        rows = Delivery._base_manager.using(self._state.db).filter(mailing=self.pk).order_by("pk")
        names = ("entrant_id", "state", "sent_at", "digest")
        return digest_of([[plain(value) for value in row] for row in rows.values_list(*names)])


class Delivery(Recorded):
    """One mail to one recipient. `also`: other entrants of the same address and language, told by the same mail.

    `facts` is what the text is made from when it is sent; nothing in it opens a private link.
    """

    recorded = Evidence.of(
        "mailing__event",
        plain="also facts message_id bounce_code",
        salt="entrant__person__salt",
        exempt=dict.fromkeys(
            ("state", "tries", "next_try_at", "claim", "claimed_at", "sent_at", "digest", "answer"),
            "how the worker that sends it gets on; a mailing's record has the outcome of all once it has ended",
        ),
    )

    mailing = models.ForeignKey(Mailing, on_delete=models.PROTECT, related_name="deliveries")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="deliveries")
    also = models.JSONField(default=list, help_text="numbers of entrants, ascending")
    address = models.EmailField()
    language = models.CharField(max_length=8, choices=Language)
    facts = models.JSONField(default=dict)
    message_id = models.CharField(max_length=200, unique=True)
    state = models.CharField(max_length=8, choices=DeliveryState, default=DeliveryState.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True)
    claim = models.CharField(max_length=64, blank=True)
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the message that was sent")
    answer = models.CharField(max_length=300, blank=True, help_text="the mail server's last words about it")
    bounce = models.CharField(
        max_length=10, choices=BounceKind, blank=True, help_text="reported after the server's yes"
    )
    bounced_at = models.DateTimeField(null=True)
    bounce_code = models.CharField(max_length=12, blank=True, help_text="RFC 3463, such as 5.1.1")
    bounce_words = models.CharField(max_length=300, blank=True, help_text="the report's own words")

    class Meta:
        ordering = ["mailing_id", "id"]
        constraints = [models.UniqueConstraint(fields=["mailing", "entrant"], name="delivery_once")]
        indexes = [models.Index(fields=["mailing", "state", "next_try_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"delivery {self.pk}"


class BounceReading(models.Model):
    """How far the mailbox of returned mail has been read, and what came of all reports: one row an installation.

    `trouble` is a code: why the mailbox could not be read at `looked_at`.
    """

    looked_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True, help_text="the last look that the mailbox answered")
    trouble = models.CharField(max_length=20, blank=True)
    uid_validity = models.BigIntegerField(default=0)
    last_uid = models.BigIntegerField(default=0)
    recorded = models.PositiveIntegerField(default=0, help_text="changed what is known of a mail")
    repeated = models.PositiveIntegerField(default=0, help_text="said nothing new")
    ignored = models.PositiveIntegerField(default=0, help_text="automatic answers and receipts")
    unknown = models.PositiveIntegerField(default=0, help_text="about no mail of this installation")
    unreadable = models.PositiveIntegerField(default=0, help_text="not understood, left in the mailbox for a person")

    def __str__(self) -> str:
        return f"bounces read {self.read_at}"
