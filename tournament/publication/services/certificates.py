"""Certificates printed from the figures of the final's current release, with names in full, and who printed them."""

from collections.abc import Callable
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.enums import CertificateKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.publication.exports.certificates_pdf import (
    AWARD_TITLE,
    CERTIFICATE_TITLE,
    PLAYED_EVENT_WORDS,
    PLAYED_FINAL_WORDS,
    WON_WORDS,
    Certificate,
    CertificateOccasion,
    CertifiedPerson,
    certificates_pdf_file,
    rank_words,
    text_in_each_language,
)
from tournament.publication.exports.podium import (
    AWARD_TITLE_WORDS,
    FAMILY_ROLE_WORDS,
    PODIUM_PLACE_WORDS,
    ReleasedPodium,
    read_podium,
)
from tournament.publication.exports.released import ReleasedRanking, read_release
from tournament.publication.queries.release import full_names, last_day_of_stage
from tournament.releases.models import Release
from tournament.releases.queries import current_release

NamesByNumber = dict[int, tuple[str, str]]


def print_certificates(stage: Stage, kind: CertificateKind, *, by: User, number: int | None = None) -> bytes:
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
    file = certificates_pdf_file(certificates, occasion_of(release))
    said = f"{kind.value}: {len(certificates)}" + (f", entrant {number:04d}" if number else "")
    with transaction.atomic():
        services.append_audit_entry(stage.event, by, "print_certificates", f"release {release.number}", reason=said)
    return file


def occasion_of(release: Release) -> CertificateOccasion:
    """Event, day and figures, as every page says them."""
    event = release.stage.event
    return CertificateOccasion(
        event=(event.name_zh, event.name_en),
        venue=(event.venue_zh, event.venue_en),
        day=last_day_of_stage(release.stage) or read_release(release.content, release.digest).released_at.date(),
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
    found = CERTIFICATE_MAKERS[kind](ranking, podium, full_names(release.stage, numbers))
    return [one for one in found if number is None or number in [person.number for person in one.people]]


def certified_person(number: int, names: NamesByNumber, role: str = "") -> CertifiedPerson:
    """A person on a certificate: number, names in both languages, and the role in both."""
    return CertifiedPerson(number, *names[number], text_in_each_language(lambda: gettext(role)) if role else ("", ""))


def podium_certificates(ranking: ReleasedRanking, podium: ReleasedPodium, names: NamesByNumber) -> list[Certificate]:
    """One certificate for each place of the podium."""
    found = []
    for one in podium.places:
        place = text_in_each_language(partial(gettext, PODIUM_PLACE_WORDS[one.place]))
        found.append(Certificate(AWARD_TITLE, (certified_person(one.winner.number, names),), WON_WORDS, place))
    return found


def award_certificates(ranking: ReleasedRanking, podium: ReleasedPodium, names: NamesByNumber) -> list[Certificate]:
    """One for the family, with both names; none where the award is not given."""
    members = podium.award.members if podium.award else []
    people = tuple(certified_person(winner.number, names, FAMILY_ROLE_WORDS[role]) for role, winner in members)
    return (
        [Certificate(AWARD_TITLE, people, WON_WORDS, text_in_each_language(lambda: gettext(AWARD_TITLE_WORDS)))]
        if people
        else []
    )


def finalist_certificates(ranking: ReleasedRanking, podium: ReleasedPodium, names: NamesByNumber) -> list[Certificate]:
    """One for everyone who is ranked in the last stage, with the rank there, or the place on the podium."""
    found = []
    played = PLAYED_EVENT_WORDS if ranking.is_of_first_stage else PLAYED_FINAL_WORDS
    for entrant in ranking.ranking:
        held = podium.place_of(entrant.number)
        rank = held.place if held else entrant.rank
        shown = {"shared": entrant.tied and not held, "in_final": not ranking.is_of_first_stage}
        words = rank_words(rank, len(ranking.ranking), **shown)
        found.append(Certificate(CERTIFICATE_TITLE, (certified_person(entrant.number, names),), played, words))
    return found


CERTIFICATE_MAKERS: dict[
    CertificateKind, Callable[[ReleasedRanking, ReleasedPodium, NamesByNumber], list[Certificate]]
] = {
    CertificateKind.PODIUM: podium_certificates,
    CertificateKind.AWARD: award_certificates,
    CertificateKind.FINALISTS: finalist_certificates,
}
