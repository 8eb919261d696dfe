"""What is erased, kind by kind: each says how many there are and erases them, harmless when called again.

The persons' rows are the last: until then it is known what to look for in texts.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.bridge.release_names import NOTHING, SAID, is_named, people_in, without_names
from tournament.enums import DeliveryState, Language, ProposalOutcome
from tournament.models import (
    Delivery,
    Drawing,
    EntrantFile,
    Erasure,
    Family,
    HeldItem,
    Invitation,
    Notice,
    Proposal,
    Release,
    RequestKey,
    Scan,
    Signature,
)
from tournament.names import ERASED_NAMES
from tournament.services import audit, devices_bodies, erasure_files, proposals, seating_contents
from tournament.services.erasure_scope import Scope
from tournament.services.erasure_texts import changed, cited, is_cited, rename, renamed
from tournament.services.release_places import link_digest

WHY = "personal data erased"


@dataclass(frozen=True)
class Kind:
    """One kind: its stable name, its words, how many are there, and how they are erased (how many were)."""

    name: str
    label: Promise
    count: Callable[[Scope], int]
    erase: Callable[[Scope, Erasure], int]


# --- Lists of entrants ----------------------------------------------------------------------------------
def previews(scope: Scope) -> list[EntrantFile]:
    """Lists that wait, with all their rows; of one person those that hold something of theirs."""
    waiting = EntrantFile.objects.filter(event=scope.event, imported_at=None)
    return [one for one in waiting if scope.whole or scope.is_named_in(plain([one.name, one.rows, one.decisions]))]


def named_files(scope: Scope) -> list[EntrantFile]:
    """Lists that were imported, whose cells are gone and whose names may say who sent them."""
    imported = EntrantFile.objects.filter(event=scope.event).exclude(imported_at=None)
    return [one for one in imported if one.name != plain_name(one) and (scope.whole or scope.is_named_in(one.name))]


def plain_name(file: EntrantFile) -> str:
    """A name that says nothing of anybody."""
    return f"list-{file.pk}.{file.kind}"


def erase_lists(scope: Scope, erasure: Erasure) -> int:
    """Previews whole, of imported lists the name."""
    waiting, named = previews(scope), named_files(scope)
    EntrantFile.objects.filter(pk__in=[one.pk for one in waiting]).delete()
    for one in named:
        EntrantFile.objects.filter(pk=one.pk).update(name=plain_name(one), rows=[], decisions={})
    return len(waiting) + len(named)


def plain(data: Any) -> str:
    """Data as a text in which one can look for names."""
    return json.dumps(data, ensure_ascii=False)


# --- Signatures and papers ------------------------------------------------------------------------------
def drawings(scope: Scope) -> QuerySet[Drawing]:
    """Signatures that were drawn; of an erased one the row stays, with the digest that the log has."""
    signed = Signature.objects.filter(entrant__in=scope.entrants)
    return Drawing.objects.filter(signature__in=signed).exclude(salt="")


def scans(scope: Scope) -> list[Scan]:
    """Pictures of papers; of one person those of the tables where they sat, with what others wrote there."""
    every = Scan.objects.filter(session__stage__event=scope.event)
    return [one for one in every if scope.whole or (one.session_id, one.table_number) in scope.tables]


def erase_scans(scope: Scope, erasure: Erasure) -> int:
    """The file first, so that no file is left without a row that knows it."""
    found = scans(scope)
    mine = {one.pk for one in found}
    for one in found:
        if not Scan.objects.filter(sha256=one.sha256).exclude(pk__in=mine).exists():
            erasure_files.remove_scan(one)
    Scan.objects.filter(pk__in=mine).delete()
    return len(found)


def held(scope: Scope) -> list[HeldItem]:
    """What tablets brought and a person had to settle: the whole of it, signatures included."""
    every = HeldItem.objects.filter(event=scope.event, erased_digest="").select_related("device", "table")
    return [
        one for one in every if scope.whole or (one.table and (one.table.session_id, one.table.number) in scope.tables)
    ]


def erase_held(scope: Scope, erasure: Erasure) -> int:
    """What it said is gone; its digest stays, to which the log holds it."""
    found = held(scope)
    for one in found:
        digest = devices_bodies.digest_of(one)
        HeldItem.objects.filter(pk=one.pk).update(body={}, sealed=None, erased_digest=digest)
    return len(found)


def copies(scope: Scope) -> list[Path]:
    """Copies of all that is held of one, made at their request and still here."""
    return erasure_files.copies(erasure_files.copy_name(one) for one in scope.entrants.select_related("event"))


def erase_copies(scope: Scope, erasure: Erasure) -> int:
    """The files."""
    found = copies(scope)
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


# --- Mail and links -------------------------------------------------------------------------------------
def mails(scope: Scope) -> list[Delivery]:
    """Mails to them, or that were sent for them as well, of which an address or a file is left."""
    every = Delivery.objects.filter(mailing__event=scope.event).select_related("entrant")
    mine = [one for one in every if {one.entrant.number, *one.also} & scope.numbers]
    return [one for one in mine if (one.entrant.number in scope.numbers and one.address) or erasure_files.has_mail(one)]


def erase_mails(scope: Scope, erasure: Erasure) -> int:
    """Files first, then addresses and all servers' words; what still waits for an erased person is not sent."""
    found = mails(scope)
    for one in found:
        erasure_files.remove_mail(one)
    own = Delivery.objects.filter(pk__in=[one.pk for one in found if one.entrant.number in scope.numbers])
    own.filter(state=DeliveryState.WAITING).update(state=DeliveryState.STOPPED)
    own.update(address="", answer="", bounce_words="")
    return len(found)


def links(scope: Scope) -> QuerySet[Invitation]:
    """Private links, from whose nonce the installation could make them again."""
    return Invitation.objects.filter(entrant__in=scope.entrants, erased_digest="").select_related("stage", "entrant")


def erase_links(scope: Scope, erasure: Erasure) -> int:
    """Revoked where one was in force; the digest stays, to which the log holds it."""
    found = list(links(scope))
    for one in found:
        digest, now = link_digest(one), timezone.now()
        if one.revoked_at is None:
            Invitation.objects.filter(pk=one.pk).update(revoked_at=now)
            thing, told = f"entrant {one.entrant}", (digest, digest)
            audit.record(scope.event, erasure.by, "revoke_link", thing, digest=told, reason=WHY, at=now)
        Invitation.objects.filter(pk=one.pk).update(nonce="", erased_digest=digest)
    return len(found)


# --- Texts and answers ----------------------------------------------------------------------------------
def drafts(scope: Scope) -> list[Notice]:
    """Notices that were never published, put aside or not; of one person those that hold something of theirs."""
    every = Notice.objects.filter(event=scope.event, published_at=None)
    texts = ("title_zh", "title_en", "body_zh", "body_en")
    return [one for one in every if scope.whole or any(scope.is_named_in(getattr(one, name)) for name in texts)]


def erase_drafts(scope: Scope, erasure: Erasure) -> int:
    """Whole."""
    found = drafts(scope)
    Notice.objects.filter(pk__in=[one.pk for one in found]).delete()
    return len(found)


def answers(scope: Scope) -> list[tuple[RequestKey, dict[str, Any]]]:
    """Answers of the API that are kept to be given again, with what each is without personal data."""
    found = []
    for key in RequestKey.objects.filter(answer__has_key="body").iterator():
        body = json.loads(key.answer["body"] or "null")
        scrubbed = changed(body, lambda text: "" if text in scope.leaves else scope.without_names(text))
        if scrubbed != body:
            found.append((key, {**key.answer, "body": json.dumps(scrubbed, ensure_ascii=False)}))
    return found


def erase_answers(scope: Scope, erasure: Erasure) -> int:
    """Sent again, a request is answered without them."""
    found = answers(scope)
    for key, answer in found:
        RequestKey.objects.filter(pk=key.pk).update(answer=answer)
    return len(found)


def proposed(scope: Scope) -> list[Proposal]:
    """What one person proposed and nobody agreed to yet, with the values that it would set."""
    every = Proposal.objects.filter(event=scope.event, outcome="").exclude(payload={})
    things = {f"entrant {number:04d}" for number in scope.numbers}
    return [one for one in every if scope.whole or one.subject in things or scope.is_named_in(plain(one.payload))]


def erase_proposed(scope: Scope, erasure: Erasure) -> int:
    """They lapse, which empties them."""
    found = proposed(scope)
    for one in found:
        proposals.close(one, ProposalOutcome.LAPSED, None, WHY)
    return len(found)


# --- Releases and persons -------------------------------------------------------------------------------
def releases(scope: Scope) -> list[Release]:
    """Releases whose frozen content has a name of theirs."""
    every = Release.objects.filter(stage__event=scope.event).order_by("number")
    return [
        one
        for one in every
        if any(person["number"] in scope.numbers and is_named(person) for person in people_in(one.content))
    ]


def erase_releases(scope: Scope, erasure: Erasure) -> int:
    """The names alone; the log has the digest of the content before and after, so that figures are held to it."""
    found = releases(scope)
    instead = NOTHING if scope.whole else SAID
    for one in found:
        content = without_names(one.content, scope.numbers, instead)
        digest = (audit.digest_of(one.content), audit.digest_of(content))
        audit.record(scope.event, erasure.by, "erase_names", f"release {one.number}", digest=digest)
        Release.objects.filter(pk=one.pk).update(content=content)
    return len(found)


def families(scope: Scope) -> list[Family]:
    """Codes of families as they were typed, which may be a name; those that a decision of the final cites stay."""
    every = Family.objects.filter(event=scope.event).prefetch_related("members")
    ids = cited(scope.event.pk)
    free = [one for one in every if not is_cited(one, ids)]
    return [one for one in free if one.code != code_of(one) and (scope.whole or members_of(one) & scope.numbers)]


def members_of(family: Family) -> set[int]:
    """The members' numbers."""
    return {member.number for member in family.members.all()}


def code_of(family: Family) -> str:
    """A code that says nothing of anybody."""
    return f"family-{family.pk}"


def erase_families(scope: Scope, erasure: Erasure) -> int:
    """The pair stays a pair, since the award was decided by it."""
    found = families(scope)
    for one in found:
        Family.objects.filter(pk=one.pk).update(code=code_of(one))
    return len(found)


def erase_people(scope: Scope, erasure: Erasure) -> int:
    """What is left is a number, a session and a status: results stay by them."""
    people = list(scope.people.values_list("pk", flat=True))
    scope.entrants.exclude(fee="").update(fee="")
    blank: Iterable[str] = ("name_key", "phone", "email", "school", "guardian", "salt")
    consents = ("consent_guardian", "consent_name", "consent_photo", "consent_marketing")
    scope.people.model.objects.filter(pk__in=people).update(
        name_zh=ERASED_NAMES[0],
        name_en=ERASED_NAMES[1],
        birth_date=None,
        former_names=[],
        language=Language.CHINESE,
        erased_at=timezone.now(),
        **dict.fromkeys(blank, ""),
        **dict.fromkeys(consents, False),
    )
    return len(people)


def numbers_of(scope: Scope) -> frozenset[int] | None:
    """The numbers of one person; None: of everybody."""
    return None if scope.whole else scope.numbers


KINDS = (
    Kind(
        "lists",
        _("lists of entrants that were sent in"),
        lambda scope: len(previews(scope) + named_files(scope)),
        erase_lists,
    ),
    Kind(
        "drawings",
        _("drawn signatures"),
        lambda scope: drawings(scope).count(),
        lambda scope, _: drawings(scope).update(strokes=b"", salt=""),
    ),
    Kind(
        "papers",
        _("names on printed scoresheets that are kept"),
        lambda scope: len(seating_contents.naming(scope.event, numbers_of(scope))),
        lambda scope, _: seating_contents.forget(scope.event, numbers_of(scope)),
    ),
    Kind("scans", _("scans and photos of papers"), lambda scope: len(scans(scope)), erase_scans),
    Kind("copies", _("copies made for persons who asked"), lambda scope: len(copies(scope)), erase_copies),
    Kind("held_items", _("what tablets brought late"), lambda scope: len(held(scope)), erase_held),
    Kind("mails", _("mails: addresses and files"), lambda scope: len(mails(scope)), erase_mails),
    Kind("links", _("private links"), lambda scope: links(scope).count(), erase_links),
    Kind("drafts", _("notices that were never published"), lambda scope: len(drafts(scope)), erase_drafts),
    Kind("proposals", _("proposals that wait for a second person"), lambda scope: len(proposed(scope)), erase_proposed),
    Kind("answers", _("kept answers of the API"), lambda scope: len(answers(scope)), erase_answers),
    Kind("releases", _("releases with names"), lambda scope: len(releases(scope)), erase_releases),
    Kind(
        "texts",
        _("names in texts that people typed: the number stands instead"),
        lambda scope: sum(1 for _each in renamed(scope)),
        lambda scope, _: rename(scope),
    ),
    Kind("families", _("codes of families"), lambda scope: len(families(scope)), erase_families),
    Kind(
        "people",
        _("persons: names, date of birth, contact data, consents, fee"),
        lambda scope: scope.people.count(),
        erase_people,
    ),
)
