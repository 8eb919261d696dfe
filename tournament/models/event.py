"""Event, its stages and its sessions 場: where and when, how many, by which rules."""

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament.enums import Role, SessionState, StageKind


class Event(models.Model):
    """One tournament 賽事. Times are UTC in the rows and shown in the event's zone."""

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


class RolesInEffect(models.Manager["Membership"]):
    """Only these give a right: accepted by their account, and past what they wait for."""

    def get_queryset(self) -> QuerySet["Membership"]:
        """Asked anew each time, so that a delay ends by itself."""
        over = Q(waits_until=None) | Q(waits_until__lte=timezone.now())
        return super().get_queryset().filter(over, awaits_acceptance=False)


class Membership(models.Model):
    """A role that an account holds at one event. `objects` are the roles in effect; who asks about rights asks these.

    `granted` are all, with those that wait: for the account's own yes (`awaits_acceptance`), or for a third person's
    or the end of a delay (`waits_until`).
    """

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

    granted = models.Manager()
    objects = RolesInEffect()

    class Meta:
        default_manager_name = "objects"
        constraints = [models.UniqueConstraint(fields=["event", "user", "role"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.event_id}"

    @property
    def in_effect(self) -> bool:
        """As `objects` has it."""
        return not self.awaits_acceptance and (self.waits_until is None or self.waits_until <= timezone.now())


class InitialPassword(models.Model):
    """This account's password was given to it, and is known to who gave it: its owner makes an own one first."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="initial_password")
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"initial password {self.user_id}"


class RefereePin(models.Model):
    """The PIN that a referee types at a tablet of one event; only its hash is kept."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="referee_pins")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="referee_pins")
    hash = models.CharField(max_length=128)
    set_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="referee_pin_once")]

    def __str__(self) -> str:
        return f"PIN {self.user_id} {self.event_id}"


class Stage(models.Model):
    """Preliminary or final: a ruleset as data, and how many advance (R37, R38)."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="stages")
    kind = models.CharField(max_length=16, choices=StageKind)
    ruleset = models.JSONField(
        help_text='a preset\'s name, or {"base": name, field: value}, as scoring.ruleset reads it'
    )
    advance = models.PositiveIntegerField(null=True, help_text="places in the next stage; empty: the ruleset's")
    second_typing_percent = models.PositiveSmallIntegerField(
        default=0, help_text="the share of sheets that a second account types blind: 0 none, 100 all"
    )

    rounds = models.PositiveSmallIntegerField(
        default=1, help_text="how often the same entrants play, each time a session with a draw of its own (R38)"
    )
    answers_until = models.DateTimeField(null=True, help_text="those who advance answer before this moment")
    frozen_at = models.DateTimeField(null=True, help_text="of a final: since when its finalists are fixed for seating")
    frozen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "kind"], name="stage_kind_once"),
            models.CheckConstraint(
                condition=models.Q(second_typing_percent__lte=100), name="stage_second_typing_at_most_100"
            ),
            models.CheckConstraint(condition=models.Q(rounds__gt=0), name="stage_rounds_positive"),
        ]

    def __str__(self) -> str:
        return self.kind


class Session(models.Model):
    """One session 場 of a stage; of a final, one of its rounds. `original_date` never moves: ages are judged on it
    (R1)."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField(
        help_text="1, 2, 3 ... over the event, those of the final after all others"
    )
    number_of_day = models.PositiveSmallIntegerField(help_text="第幾場 on its day, as the paper says")
    original_date = models.DateField()
    check_in_at = models.DateTimeField()
    seating_at = models.DateTimeField()
    play_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    table_count = models.PositiveSmallIntegerField()
    capacity = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16, choices=SessionState, default=SessionState.PLANNED)
    replays = models.OneToOneField(
        "self",
        null=True,
        on_delete=models.PROTECT,
        related_name="replay",
        help_text="the void session that is played anew",
    )
    known_number_of_day = models.PositiveSmallIntegerField(
        null=True, help_text="of a replay: 第幾場 its families know it as, that of the session it was made for"
    )

    class Meta:
        ordering = ["stage_id", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="session_number_once")]

    def __str__(self) -> str:
        return self.code

    @property
    def is_replay(self) -> bool:
        """Whether it was made to be played in the place of another, whatever became of it since."""
        return self.known_number_of_day is not None

    @property
    def name_of_day(self) -> tuple[int, bool]:
        """第幾場 by which its families know it, and whether it is a replay of that one."""
        return self.known_number_of_day or self.number_of_day, self.is_replay

    @property
    def code(self) -> str:
        """Month, day and the day's session number, the first part of a sheet's serial: `0406-3`."""
        return f"{self.original_date:%m%d}-{self.number_of_day}"
