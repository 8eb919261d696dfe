"""Persons, apart from results, which know only the entrant's number."""

from secrets import token_hex

from django.conf import settings
from django.db import models

from tournament.core.enums import EntrantStatus, FamilyRole, Language
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session


class Person(Recorded):
    """Names as typed, the folded key for search and duplicates, and how to reach them. Never an identity-card
    number."""

    recorded = Evidence.of(
        "entrant__event",
        hidden="birth_date language consent_guardian consent_name consent_photo consent_marketing",
        salt="salt",
    )

    name_zh = models.CharField(max_length=100, blank=True)
    name_en = models.CharField(max_length=100)
    name_key = models.CharField(max_length=220, db_index=True)
    birth_date = models.DateField(null=True, help_text="empty only where it was erased")
    phone = models.CharField(max_length=20, blank=True, help_text="E.164")
    email = models.EmailField(blank=True)
    language = models.CharField(max_length=8, choices=Language, default=Language.CHINESE)
    school = models.CharField(max_length=100, blank=True)
    guardian = models.CharField(max_length=100, blank=True)
    consent_guardian = models.BooleanField(default=False)
    consent_name = models.BooleanField(default=False)
    consent_photo = models.BooleanField(default=False)
    consent_marketing = models.BooleanField(default=False)
    consent_name_ended_at = models.DateTimeField(
        null=True, help_text="when the consent to be named in full was last withdrawn: older releases stay masked"
    )
    salt = models.CharField(max_length=64, default=token_hex, help_text="of the keyed digests; erased with the person")
    erased_at = models.DateTimeField(null=True, help_text="since when nothing personal is left in this row")
    former_names = models.JSONField(
        default=list, help_text="keyed digests, by the salt, of parts of the names that were replaced"
    )

    def __str__(self) -> str:
        return self.name_zh or self.name_en


class Family(Recorded):
    """Who stands for the parent-child award together (R40), known by the code of the entry form: one child and one
    parent, more where the event lets a person be in several pairs. Every change checks it under the event's lock."""

    recorded = Evidence.of("event")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="families")
    code = models.CharField(max_length=30)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "code"], name="family_code_once")]

    def __str__(self) -> str:
        return self.code


class Entrant(Recorded):
    """A person's entry: a number, a session, a status. One entry a person (R2)."""

    recorded = Evidence.of("event", salt="person__salt")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveIntegerField(help_text="shown with four digits")
    person = models.OneToOneField(Person, on_delete=models.PROTECT, related_name="entrant")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="entrants")
    status = models.CharField(max_length=16, choices=EntrantStatus, default=EntrantStatus.OK)
    family = models.ForeignKey(Family, null=True, blank=True, on_delete=models.PROTECT, related_name="members")
    family_role = models.CharField(max_length=8, choices=FamilyRole, blank=True)
    fee = models.CharField(max_length=30, blank=True, help_text="as typed: paid, waived, a receipt number")
    revision = models.PositiveIntegerField(default=1, help_text="grows with each change of the entry or its person")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="entrant_number_once")]

    def __str__(self) -> str:
        return f"{self.number:04d}"


class Ruling(Recorded):
    """A decision about an entrant with who, when and why (R46): age on the boundary day, no-show, withdrawal,
    disqualification."""

    recorded = Evidence.of("entrant__event", plain="kind", append_only=True)

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=24, help_text="age_accepted, forfeited, withdrawn, disqualified, readmitted")
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.entrant_id}"
