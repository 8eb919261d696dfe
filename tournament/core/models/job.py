"""Long work as a row: written by a service, claimed by a worker, so that a page can say how far it is."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.enums import OPEN_JOBS, JobKind, JobState
from tournament.core.models.event import Event


class Job(models.Model):
    """One piece of work about one thing. `claim` is the worker's own mark: who lost it changes the row no more.

    `sentence` is an untranslated msgid that `facts` fill: each reader has it in their own language.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=24, choices=JobKind)
    subject = models.CharField(max_length=80, help_text="entrant file 12")
    payload = models.JSONField(default=dict, help_text="ids and digests, no personal data")
    state = models.CharField(max_length=8, choices=JobState, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    sentence = models.CharField(max_length=300, blank=True)
    facts = models.JSONField(default=dict)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    claim = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    beat_at = models.DateTimeField(null=True, help_text="the worker's last sign of life")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "kind", "subject"],
                name="job_open_once",
                condition=Q(state__in=[state.value for state in OPEN_JOBS]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Worker(models.Model):
    """A process that claims jobs, by its own mark, and when it last looked for one."""

    name = models.CharField(max_length=64, unique=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
