"""Certificates printed from the figures of the final's current release, with names in full, and who printed them."""

from collections.abc import Callable

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import CertificateKind
from tournament.errors import Refused
from tournament.exports.certificates_pdf import (
    AWARDED,
    CERTIFICATE,
    PLAYED,
    WON,
    Certificate,
    Certified,
    Occasion,
    certificates_pdf,
    each,
    rank_words,
)
from tournament.exports.released import ReleasedRanking, read_release
from tournament.exports.released_podium import AWARD, PLACES, ROLES, ReleasedPodium, read_podium
from tournament.models import Release, Stage
from tournament.queries.release import current_release, full_names, last_day
from tournament.services import audit

Names = dict[int, tuple[str, str]]


def print_certificates(stage: Stage, kind: CertificateKind, *, by: AbstractUser, number: int | None = None) -> bytes:
    """The certificates of one kind as one PDF, from the final's current release; `number`: one entrant's alone.

    Names are those of the entries as they are now, whole, whether or not the public may read them. Refused (409)
    `not_released` without a current release, `no_certificate` where nobody is to be given one.
    1. The release. 2. The pages. 3. The audit entry, which counts and names nobody.
    """
    release = current_release(stage)
    if release is None:
        raise Refused("not_released", _("Certificates are printed from the final's release: there is none now."))
    certificates = certificates_of(release, kind, number)
    if not certificates:
        raise Refused("no_certificate", _("This release gives nobody such a certificate."))
    file = certificates_pdf(certificates, occasion_of(release))
    said = f"{kind.value}: {len(certificates)}" + (f", entrant {number:04d}" if number else "")
    with transaction.atomic():
        audit.record(stage.event, by, "print_certificates", f"release {release.number}", reason=said)
    return file


def occasion_of(release: Release) -> Occasion:
    """Event, day and figures, as every page says them."""
    event = release.stage.event
    return Occasion(
        event=(event.name_zh, event.name_en),
        venue=(event.venue_zh, event.venue_en),
        day=last_day(release.stage) or read_release(release.content, release.digest).released_at.date(),
        release=release.number,
        digest=release.digest,
    )


def certificates_of(release: Release, kind: CertificateKind, number: int | None = None) -> list[Certificate]:
    """The pages of one kind in the order of their places; with `number` those that name this entrant."""
    ranking = read_release(release.content, release.digest)
    podium = read_podium(ranking)
    if podium is None:
        return []
    numbers = [entrant.number for entrant in ranking.ranking]
    found = MAKERS[kind](ranking, podium, full_names(release.stage, numbers))
    return [one for one in found if number is None or number in [person.number for person in one.people]]


def _certified(number: int, names: Names, role: str = "") -> Certified:
    return Certified(number, *names[number], each(lambda: gettext(role)) if role else ("", ""))


def of_podium(ranking: ReleasedRanking, podium: ReleasedPodium, names: Names) -> list[Certificate]:
    """One for each place."""
    found = []
    for one in podium.places:
        place = each(lambda place=one.place: gettext(PLACES[place]))
        found.append(Certificate(AWARDED, (_certified(one.winner.number, names),), WON, place))
    return found


def of_award(ranking: ReleasedRanking, podium: ReleasedPodium, names: Names) -> list[Certificate]:
    """One for the family, with both names; none where the award is not given."""
    members = podium.award.members if podium.award else []
    people = tuple(_certified(winner.number, names, ROLES[role]) for role, winner in members)
    return [Certificate(AWARDED, people, WON, each(lambda: gettext(AWARD)))] if people else []


def of_finalists(ranking: ReleasedRanking, podium: ReleasedPodium, names: Names) -> list[Certificate]:
    """One for everyone who is ranked in the final, with the rank there, or the place on the podium."""
    found = []
    for entrant in ranking.ranking:
        held = podium.place_of(entrant.number)
        rank = held.place if held else entrant.rank
        words = rank_words(rank, len(ranking.ranking), shared=entrant.tied and not held)
        found.append(Certificate(CERTIFICATE, (_certified(entrant.number, names),), PLAYED, words))
    return found


MAKERS: dict[CertificateKind, Callable[[ReleasedRanking, ReleasedPodium, Names], list[Certificate]]] = {
    CertificateKind.PODIUM: of_podium,
    CertificateKind.AWARD: of_award,
    CertificateKind.FINALISTS: of_finalists,
}
