"""The declared pairs of child and parent, as the award reads them (R40). One query, however many there are."""

from datetime import date
from typing import NamedTuple

from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant, Family


class FamilyMemberRow(NamedTuple):
    """One member of a declared pair; `day` is the date of the own preliminary session as first planned (R1)."""

    code: str
    number: int
    role: str
    name_zh: str
    name_en: str
    consent_name: bool
    birth_date: date | None
    day: date


def family_codes(stage: Stage) -> list[str]:
    """Every declared pair of the event by code, also one that has lost its members."""
    return list(Family.objects.filter(event=stage.event_id).order_by("code").values_list("code", flat=True))


def family_member_rows(stage: Stage) -> list[FamilyMemberRow]:
    """Every member of a declared pair of the event, by code, role and number."""
    rows = (
        Entrant.objects.filter(family__event=stage.event_id)
        .order_by("family__code", "family_role", "number")
        .values_list(
            "family__code",
            "number",
            "family_role",
            "person__name_zh",
            "person__name_en",
            "person__consent_name",
            "person__birth_date",
            "session__original_date",
        )
    )
    return list(map(FamilyMemberRow._make, rows))
