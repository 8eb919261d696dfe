"""What is erased, kind by kind: each says how many there are and erases them, harmless when called again.

The persons' rows are the last: until then it is known what to look for in texts.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.audit import services
from tournament.core import canonical
from tournament.core.entrant_column_kinds import EMPTY, Erased
from tournament.core.entrant_columns import ENTRY_COLUMNS, PERSON_COLUMNS, keys_where
from tournament.core.enums import DeliveryState, ProposalOutcome
from tournament.core.models.request_key import RequestKey
from tournament.core.names import ERASED_NAMES
from tournament.devices.models.device import QuarantinedSubmission
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Family
from tournament.finalists.services.release_places import link_digest
from tournament.messages.models import Delivery, Notice
from tournament.operations.models import Erasure
from tournament.operations.services import erasure_files
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.operations.services.erasure_texts import (
    cited_families,
    is_cited,
    iter_renamed_rows,
    map_texts,
    replace_names,
)
from tournament.publication.domain.names import (
    EMPTY_NAME_PARTS,
    ERASED_NAME_PARTS,
    has_name_left,
    person_parts_in,
    replace_names_of,
)
from tournament.releases.models import Release
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.signing import Drawing, Signature
from tournament.sheets.services import seating_contents
from tournament.tablets.services import bodies

ERASED_JOB_REASON = "personal data erased"


@dataclass(frozen=True)
class ErasureKind:
    """One kind: its stable name, its words, how many are there, and how they are erased (how many were)."""

    name: str
    label: Promise
    count: Callable[[ErasureScope], int]
    erase: Callable[[ErasureScope, Erasure], int]


# --- Lists of entrants ----------------------------------------------------------------------------------
def waiting_previews(scope: ErasureScope) -> list[EntrantFile]:
    """Lists that wait, with all their rows; of one person those that hold something of theirs."""
    waiting = EntrantFile.objects.filter(event=scope.event, imported_at=None)
    return [
        one for one in waiting if scope.whole or scope.is_named_in(data_as_text([one.name, one.rows, one.decisions]))
    ]


def named_files(scope: ErasureScope) -> list[EntrantFile]:
    """Lists that were imported, whose cells are gone and whose names may say who sent them."""
    imported = EntrantFile.objects.filter(event=scope.event).exclude(imported_at=None)
    return [one for one in imported if one.name != plain_name(one) and (scope.whole or scope.is_named_in(one.name))]


def plain_name(file: EntrantFile) -> str:
    """A name that says nothing of anybody."""
    return f"list-{file.pk}.{file.kind}"


def erase_lists(scope: ErasureScope, erasure: Erasure) -> int:
    """Previews whole, of imported lists the name."""
    waiting, named = waiting_previews(scope), named_files(scope)
    EntrantFile.objects.filter(pk__in=[one.pk for one in waiting]).delete()
    for one in named:
        EntrantFile.objects.filter(pk=one.pk).update(name=plain_name(one), rows=[], decisions={})
    return len(waiting) + len(named)


def data_as_text(data: Any) -> str:
    """Data as a text in which one can look for names."""
    return json.dumps(data, ensure_ascii=False)


# --- Signatures and papers ------------------------------------------------------------------------------
def kept_drawings(scope: ErasureScope) -> QuerySet[Drawing]:
    """Signatures that were drawn; of an erased one the row stays, with the digest that the log has."""
    signed = Signature.objects.filter(entrant__in=scope.entrants)
    return Drawing.objects.filter(signature__in=signed).exclude(salt="")


def scans_in_scope(scope: ErasureScope) -> list[Scan]:
    """Pictures of papers; of one person those of the tables where they sat, with what others wrote there."""
    every = Scan.objects.filter(session__stage__event=scope.event)
    return [one for one in every if scope.whole or (one.session_id, one.table_number) in scope.tables]


def erase_scans(scope: ErasureScope, erasure: Erasure) -> int:
    """The file first, so that no file is left without a row that knows it."""
    found = scans_in_scope(scope)
    mine = {one.pk for one in found}
    for one in found:
        if not Scan.objects.filter(sha256=one.sha256).exclude(pk__in=mine).exists():
            erasure_files.remove_scan(one)
    Scan.objects.filter(pk__in=mine).delete()
    return len(found)


def submissions_in_scope(scope: ErasureScope) -> list[QuarantinedSubmission]:
    """What tablets brought and a person had to settle: the whole of it, signatures included."""
    every = QuarantinedSubmission.objects.filter(event=scope.event, erased_digest="").select_related("device", "table")
    return [
        one for one in every if scope.whole or (one.table and (one.table.session_id, one.table.number) in scope.tables)
    ]


def erase_submissions(scope: ErasureScope, erasure: Erasure) -> int:
    """What it said is gone; its digest stays, to which the log holds it."""
    found = submissions_in_scope(scope)
    for one in found:
        digest = bodies.submission_digest(one)
        QuarantinedSubmission.objects.filter(pk=one.pk).update(body={}, sealed=None, erased_digest=digest)
    return len(found)


def subject_copies_in_scope(scope: ErasureScope) -> list[Path]:
    """Copies of all that is held of one, made at their request and still here."""
    return erasure_files.find_subject_copies(
        erasure_files.copy_name(one) for one in scope.entrants.select_related("event")
    )


def erase_copies(scope: ErasureScope, erasure: Erasure) -> int:
    """Delete the files; return how many there were."""
    found = subject_copies_in_scope(scope)
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


# --- Mail and links -------------------------------------------------------------------------------------
def mails_in_scope(scope: ErasureScope) -> list[Delivery]:
    """Mails to them, or that were sent for them as well, of which an address or a file is left."""
    every = Delivery.objects.filter(mailing__event=scope.event).select_related("entrant")
    mine = [one for one in every if {one.entrant.number, *one.also} & scope.numbers]
    return [one for one in mine if (one.entrant.number in scope.numbers and one.address) or erasure_files.has_mail(one)]


def erase_mails(scope: ErasureScope, erasure: Erasure) -> int:
    """Files first, then addresses and all servers' words; what still waits for an erased person is not sent."""
    found = mails_in_scope(scope)
    for one in found:
        erasure_files.remove_mail(one)
    own = Delivery.objects.filter(pk__in=[one.pk for one in found if one.entrant.number in scope.numbers])
    own.filter(state=DeliveryState.WAITING).update(state=DeliveryState.STOPPED)
    own.update(address="", answer="", bounce_words="")
    return len(found)


def links_in_scope(scope: ErasureScope) -> QuerySet[Invitation]:
    """Private links, from whose nonce the installation could make them again."""
    return Invitation.objects.filter(entrant__in=scope.entrants, erased_digest="").select_related("stage", "entrant")


def erase_links(scope: ErasureScope, erasure: Erasure) -> int:
    """Revoked where one was in force; the digest stays, to which the log holds it."""
    found = list(links_in_scope(scope))
    for one in found:
        digest, now = link_digest(one), timezone.now()
        if one.revoked_at is None:
            Invitation.objects.filter(pk=one.pk).update(revoked_at=now)
            subject, told = f"entrant {one.entrant}", (digest, digest)
            services.append_audit_entry(
                scope.event, erasure.by, "revoke_link", subject, digest=told, reason=ERASED_JOB_REASON, at=now
            )
        Invitation.objects.filter(pk=one.pk).update(nonce="", erased_digest=digest)  # the step's own entry has it
    return len(found)


# --- Texts and answers ----------------------------------------------------------------------------------
def notice_drafts_in_scope(scope: ErasureScope) -> list[Notice]:
    """Notices that were never published, put aside or not; of one person those that hold something of theirs."""
    every = Notice.objects.filter(event=scope.event, published_at=None)
    texts = ("title_zh", "title_en", "body_zh", "body_en")
    return [one for one in every if scope.whole or any(scope.is_named_in(getattr(one, name)) for name in texts)]


def erase_drafts(scope: ErasureScope, erasure: Erasure) -> int:
    """Delete whole drafts, not only the texts that name somebody."""
    found = notice_drafts_in_scope(scope)
    Notice.objects.filter(pk__in=[one.pk for one in found]).delete()
    return len(found)


def stored_answers_in_scope(scope: ErasureScope) -> list[tuple[RequestKey, dict[str, Any]]]:
    """Answers of the API that are kept to be given again, with what each is without personal data."""
    found = []
    for key in RequestKey.objects.filter(answer__has_key="body").iterator():
        body = json.loads(key.answer["body"] or "null")
        scrubbed = map_texts(body, lambda text: "" if text in scope.leaves else scope.without_names(text))
        if scrubbed != body:
            found.append((key, {**key.answer, "body": json.dumps(scrubbed, ensure_ascii=False)}))
    return found


def erase_answers(scope: ErasureScope, erasure: Erasure) -> int:
    """Sent again, a request is answered without them."""
    found = stored_answers_in_scope(scope)
    for key, answer in found:
        RequestKey.objects.filter(pk=key.pk).update(answer=answer)
    return len(found)


def open_proposals_in_scope(scope: ErasureScope) -> list[Proposal]:
    """What one person proposed and nobody agreed to yet, with the values that it would set."""
    every = Proposal.objects.filter(event=scope.event, outcome="").exclude(payload={})
    things = {f"entrant {number:04d}" for number in scope.numbers}
    return [
        one for one in every if scope.whole or one.subject in things or scope.is_named_in(data_as_text(one.payload))
    ]


def erase_proposed(scope: ErasureScope, erasure: Erasure) -> int:
    """They lapse, which empties them."""
    found = open_proposals_in_scope(scope)
    for one in found:
        proposals.close_proposal(one, ProposalOutcome.LAPSED, None, ERASED_JOB_REASON)
    return len(found)


# --- Releases and persons -------------------------------------------------------------------------------
def releases_naming(scope: ErasureScope) -> list[Release]:
    """Releases whose frozen content has a name of theirs."""
    every = Release.objects.filter(stage__event=scope.event).order_by("number")
    return [
        one
        for one in every
        if any(person["number"] in scope.numbers and has_name_left(person) for person in person_parts_in(one.content))
    ]


def erase_releases(scope: ErasureScope, erasure: Erasure) -> int:
    """The names alone; the log has the digest of the content before and after, so that figures are held to it."""
    found = releases_naming(scope)
    instead = EMPTY_NAME_PARTS if scope.whole else ERASED_NAME_PARTS
    for one in found:
        content = replace_names_of(one.content, scope.numbers, instead)
        digest = (canonical.digest_of(one.content), canonical.digest_of(content))
        Release.objects.filter(pk=one.pk).update(content=content)
        services.append_audit_entry(scope.event, erasure.by, "erase_names", f"release {one.number}", digest=digest)
    return len(found)


def families_in_scope(scope: ErasureScope) -> list[Family]:
    """Codes of families as they were typed, which may be a name; those that a decision of the final cites stay."""
    every = Family.objects.filter(event=scope.event).prefetch_related("members")
    ids = cited_families(scope.event.pk)
    free = [one for one in every if not is_cited(one, ids)]
    return [
        one
        for one in free
        if one.code != anonymous_family_code(one) and (scope.whole or members_of(one) & scope.numbers)
    ]


def members_of(family: Family) -> set[int]:
    """The entrant numbers of the family's members."""
    return {member.number for member in family.members.all()}


def anonymous_family_code(family: Family) -> str:
    """A code that says nothing of anybody."""
    return f"family-{family.pk}"


def erase_families(scope: ErasureScope, erasure: Erasure) -> int:
    """The pair stays a pair, since the award was decided by it."""
    found = families_in_scope(scope)
    for one in found:
        Family.objects.filter(pk=one.pk).update(code=anonymous_family_code(one))
    return len(found)


def erase_people(scope: ErasureScope, erasure: Erasure) -> int:
    """What is left is a number, a session and a status: results stay by them."""
    people = list(scope.people.values_list("pk", flat=True))
    emptied = {column.key: EMPTY[column.kind] for column in ENTRY_COLUMNS if column.erased is Erased.EMPTIED}
    scope.entrants.exclude(**emptied).update(**emptied)
    scope.people.model.objects.filter(pk__in=people).update(
        **{column.key: EMPTY[column.kind] for column in PERSON_COLUMNS if column.erased is Erased.EMPTIED},
        **dict(zip(keys_where(lambda column: column.erased is Erased.NAMED_ERASED), ERASED_NAMES, strict=True)),
        name_key="",
        salt="",
        former_names=[],
        erased_at=timezone.now(),
    )
    return len(people)


def numbers_of(scope: ErasureScope) -> frozenset[int] | None:
    """The numbers of one person; None: of everybody."""
    return None if scope.whole else scope.numbers


ERASURE_KINDS = (
    ErasureKind(
        "lists",
        _("lists of entrants that were sent in"),
        lambda scope: len(waiting_previews(scope) + named_files(scope)),
        erase_lists,
    ),
    ErasureKind(
        "drawings",
        _("drawn signatures"),
        lambda scope: kept_drawings(scope).count(),
        lambda scope, _: kept_drawings(scope).update(strokes=b"", salt=""),
    ),
    ErasureKind(
        "papers",
        _("names on printed scoresheets that are kept"),
        lambda scope: len(seating_contents.printed_contents_naming(scope.event, numbers_of(scope))),
        lambda scope, _: seating_contents.blank_names_on_papers(scope.event, numbers_of(scope)),
    ),
    ErasureKind("scans", _("scans and photos of papers"), lambda scope: len(scans_in_scope(scope)), erase_scans),
    ErasureKind(
        "copies",
        _("copies made for persons who asked"),
        lambda scope: len(subject_copies_in_scope(scope)),
        erase_copies,
    ),
    ErasureKind(
        "held_items", _("what tablets brought late"), lambda scope: len(submissions_in_scope(scope)), erase_submissions
    ),
    ErasureKind("mails", _("mails: addresses and files"), lambda scope: len(mails_in_scope(scope)), erase_mails),
    ErasureKind("links", _("private links"), lambda scope: links_in_scope(scope).count(), erase_links),
    ErasureKind(
        "drafts", _("notices that were never published"), lambda scope: len(notice_drafts_in_scope(scope)), erase_drafts
    ),
    ErasureKind(
        "proposals",
        _("proposals that wait for a second person"),
        lambda scope: len(open_proposals_in_scope(scope)),
        erase_proposed,
    ),
    ErasureKind(
        "answers", _("kept answers of the API"), lambda scope: len(stored_answers_in_scope(scope)), erase_answers
    ),
    ErasureKind("releases", _("releases with names"), lambda scope: len(releases_naming(scope)), erase_releases),
    ErasureKind(
        "texts",
        _("names in texts that people typed: the number stands instead"),
        lambda scope: sum(1 for _each in iter_renamed_rows(scope)),
        lambda scope, _: replace_names(scope),
    ),
    ErasureKind("families", _("codes of families"), lambda scope: len(families_in_scope(scope)), erase_families),
    ErasureKind(
        "people",
        _("persons: names, date of birth, contact data, consents, fee"),
        lambda scope: scope.people.count(),
        erase_people,
    ),
)
