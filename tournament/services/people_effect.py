"""What a change of a person behind a locked sheet does: to ranking, public name, age, award, and what shows the old."""

from dataclasses import dataclass
from typing import Any

from scoring.eligibility import age_on, may_enter
from tournament.bridge.standings import live_ranking
from tournament.models import AuditEntry, Delivery, Entrant, Event, Invitation, Release, Stage
from tournament.names import parts_of_key, public_name
from tournament.queries.entrants import entered
from tournament.services.importing_changes import Change
from tournament.services.people_digest import had_name
from tournament.services.registration_second import Proposed


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another entrant who has this very name now, or had it before."""

    number: int
    now: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A stage's line as it would be printed: its rank now, before and after by public name."""

    stage: Stage
    rank: int
    tied: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What one entrant's change does; `ages` and `entries` are before and after, empty where the date stays.

    `releases`, `letters`, `mails`, `certificates`: what has the old, by number or count.
    """

    change: Change
    public: tuple[str, str]
    places: list[Place]
    ages: tuple[int, int] | None
    entries: tuple[str, str] | None
    namesakes: list[Namesake]
    releases: list[int]
    letters: int
    mails: int
    certificates: int

    @property
    def entrant(self) -> Entrant:
        """Who changes."""
        return self.change.entrant

    @property
    def renames(self) -> bool:
        """Whether a name changes."""
        return bool(self.change.columns & {"name_zh", "name_en"})

    @property
    def refits_family(self) -> bool:
        """Whether the pair that the award knows changes, by its members or by their ages (R40)."""
        return bool(self.change.columns & {"family", "family_role", "birth_date"})


def effects(event: Event, found: Proposed) -> list[Effect]:
    """Of every entrant of a proposal; the rankings, releases and entrants are read once."""
    everybody = entered(event)
    rankings = [(stage, live_ranking(stage)) for stage in event.stages.all()]
    releases = list(Release.objects.filter(stage__event=event, withdrawn_at=None).order_by("number"))
    return [effect(change, everybody, rankings, releases) for change in found.changes if change.cells]


def effect(change: Change, everybody: list[Entrant], rankings: list[Any], releases: list[Release]) -> Effect:
    """Of one."""
    entrant, row = change.entrant, change.row
    person = entrant.person
    places = [
        Place(stage, one.rank, one.tied)
        for stage, ranking in rankings
        for one in ranking.ranked
        if one.number == entrant.number
    ]
    dates = None
    if "birth_date" in change.columns and row.birth_date and person.birth_date:
        dates = (person.birth_date, row.birth_date)
    day = entrant.session.original_date
    prints = AuditEntry.objects.filter(event=entrant.event_id, action="print_certificates")
    return Effect(
        change=change,
        public=(public_name(person.name_zh, person.name_en), public_name(row.name_zh, row.name_en)),
        places=places,
        ages=(age_on(dates[0], day), age_on(dates[1], day)) if dates else None,
        entries=(may_enter(dates[0], day), may_enter(dates[1], day)) if dates else None,
        namesakes=namesakes(change, everybody),
        releases=[one.number for one in releases if is_in(one, entrant.number)],
        letters=Invitation.objects.filter(entrant=entrant).count(),
        mails=Delivery.objects.filter(entrant=entrant, sent_at__isnull=False).count(),
        certificates=prints.count(),
    )


def is_in(release: Release, number: int) -> bool:
    """Whether the release has a line of this number."""
    return any(line["number"] == number for line in release.content["ranking"])


def namesakes(change: Change, everybody: list[Entrant]) -> list[Namesake]:
    """Who has, or had, a name that is given here: two who are exchanged show it at the second step."""
    if not change.columns & {"name_zh", "name_en"}:
        return []
    wanted = change.row.name_key
    old = parts_of_key(change.entrant.person.name_key)
    given = "|".join(new if new != before else "" for new, before in zip(parts_of_key(wanted), old, strict=True))
    found = []
    for other in everybody:
        if other.pk == change.entrant.pk:
            continue
        parts = parts_of_key(other.person.name_key)
        if any(one and one == two for one, two in zip(parts, parts_of_key(given), strict=True)):
            found.append(Namesake(other.number, now=True))
        elif had_name(other, given):
            found.append(Namesake(other.number, now=False))
    return found
