"""What a change of a person behind a locked sheet does: to ranking, public name, age, award, and what shows the old."""

from dataclasses import dataclass
from typing import Any

from scoring.eligibility import age_on, judge_minimum_age
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.names import parts_of_key, public_name
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrants import entered_entrants
from tournament.entrants.services import had_name
from tournament.messages.models import Delivery
from tournament.publication.queries.changed_people import PERSON_NAME_COLUMNS
from tournament.ranking.domain.standings import live_ranking
from tournament.registration.services.importing_changes import EntrantChange
from tournament.registration.services.importing_second import FAMILY_FIELDS
from tournament.registration.services.second import EntrantChangeProposal
from tournament.releases.models import Release


@dataclass(frozen=True, slots=True)
class NamesakeEntrant:
    """Another entrant who has this very name now, or had it before."""

    number: int
    now: bool


@dataclass(frozen=True, slots=True)
class StageEffect:
    """A stage's line as it would be printed: its rank now, before and after by public name."""

    stage: Stage
    rank: int
    tied: bool


@dataclass(frozen=True, slots=True)
class EntrantChangeEffect:
    """What one entrant's change does; `ages` and `entries` are before and after, empty where the date stays.

    `releases`, `letters`, `mails`, `certificates`: what has the old, by number or count.
    """

    change: EntrantChange
    public: tuple[str, str]
    places: list[StageEffect]
    ages: tuple[int, int] | None
    entries: tuple[str, str] | None
    namesakes: list[NamesakeEntrant]
    releases: list[int]
    letters: int
    mails: int
    certificates: int

    @property
    def entrant(self) -> Entrant:
        return self.change.entrant

    @property
    def renames(self) -> bool:
        return bool(self.change.columns & PERSON_NAME_COLUMNS)

    @property
    def refits_family(self) -> bool:
        """Whether the pair that the award knows changes, by its members or by their ages (R40)."""
        return bool(self.change.columns & {*FAMILY_FIELDS, "birth_date"})


def entrant_change_effects(event: Event, found: EntrantChangeProposal) -> list[EntrantChangeEffect]:
    """Of every entrant of a proposal; the rankings, releases and entrants are read once."""
    everybody = entered_entrants(event)
    rankings = [(stage, live_ranking(stage)) for stage in event.stages.all()]
    releases = list(Release.objects.filter(stage__event=event, withdrawn_at=None).order_by("number"))
    return [entrant_change_effect(change, everybody, rankings, releases) for change in found.changes if change.cells]


def entrant_change_effect(
    change: EntrantChange, everybody: list[Entrant], rankings: list[Any], releases: list[Release]
) -> EntrantChangeEffect:
    """What one change does, given the event's entrants, rankings and releases."""
    entrant, row = change.entrant, change.row
    person = entrant.person
    places = [
        StageEffect(stage, one.rank, one.tied)
        for stage, ranking in rankings
        for one in ranking.ranked
        if one.number == entrant.number
    ]
    dates = None
    if "birth_date" in change.columns and row.birth_date and person.birth_date:
        dates = (person.birth_date, row.birth_date)
    day = entrant.session.original_date
    prints = AuditEntry.objects.filter(event=entrant.event_id, action="print_certificates")
    return EntrantChangeEffect(
        change=change,
        public=(public_name(person.name_zh, person.name_en), public_name(row.name_zh, row.name_en)),
        places=places,
        ages=(age_on(dates[0], day), age_on(dates[1], day)) if dates else None,
        entries=(judge_minimum_age(dates[0], day), judge_minimum_age(dates[1], day)) if dates else None,
        namesakes=find_namesakes(change, everybody),
        releases=[one.number for one in releases if is_in_release(one, entrant.number)],
        letters=Invitation.objects.filter(entrant=entrant).count(),
        mails=Delivery.objects.filter(entrant=entrant, sent_at__isnull=False).count(),
        certificates=prints.count(),
    )


def is_in_release(release: Release, number: int) -> bool:
    """Whether the release has a line of this number."""
    return any(line["number"] == number for line in release.content["ranking"])


def find_namesakes(change: EntrantChange, everybody: list[Entrant]) -> list[NamesakeEntrant]:
    """Who has, or had, a name that is given here: two who are exchanged show it at the second step."""
    if not change.columns & PERSON_NAME_COLUMNS:
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
            found.append(NamesakeEntrant(other.number, now=True))
        elif had_name(other, given):
            found.append(NamesakeEntrant(other.number, now=False))
    return found
