"""What a replay does not show: that the digests which people signed and released are those of the values themselves,
and that no mail went out after what it told had ended."""

from datetime import datetime, timedelta

from tournament.core.canonical import instant
from tournament.core.enums import LOCKED_STATES, DeliveryState, MailingKind, SheetState
from tournament.core.models.event import Event
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.services.mailings import mailing_subject_ref
from tournament.operations.queries import audit_rows
from tournament.operations.services.audit_chain import AuditChain
from tournament.publication.domain.names import digest_without_names
from tournament.publication.domain.release import canonical_digest, event_zone_text
from tournament.releases.models import Release
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import sheet_subject

VALUED = (SheetState.READY, *LOCKED_STATES)
# What a worker had in hand when its subject ended may still go out.
IN_HAND = timedelta(minutes=1)
Digests = dict[tuple[str, int, int], str]


def check_sheets(chain: AuditChain, using: str) -> Digests:
    """The digest of every version, by session code, table and version; one that has values gives it by them."""
    found: Digests = {}
    for sheet in audit_rows.all_sheet_versions(chain.event, using):
        found[sheet.table.session.code, sheet.table.number, sheet.version] = sheet.digest
        if sheet.state in VALUED or (sheet.state == SheetState.DISPUTED and sheet.digest):
            check_values(chain, sheet)
    return found


def check_values(chain: AuditChain, sheet: Scoresheet) -> None:
    """R41: what was signed is what the rows hold, each line of the entrant who sat there."""
    subject, seats = sheet_subject(sheet.table, sheet.version), list(sheet.table.seats.all())
    games = bridge.stored_game_rows(sheet.games.all())
    own = bridge.canonical_text_digest(
        bridge.canonical_sheet_text(sheet.table, sheet.version, seats, games, sheet.confirmations)
    )
    if own != sheet.digest:
        chain.find("sheet_values", subject, sheet.digest[:16], own[:16])
    sitting = {seat.letter: seat.entrant_id for seat in seats}
    for game, lines in games:
        for line, _turns in lines:
            if sitting.get(line.letter) != line.entrant_id:
                chain.find("line_of_another_entrant", f"{subject} game {game.number} {line.letter}")


# --- Releases -------------------------------------------------------------------------------------------
def check_releases(chain: AuditChain, sheets: Digests, using: str) -> int:
    """Every release; how many were compared."""
    made = audit_rows.releases_in_order(chain.event, using)
    for release in made:
        check_release(chain, release, sheets)
    return len(made)


def check_release(chain: AuditChain, release: Release, sheets: Digests) -> None:
    """One release: content and digest, what its content says of its row, its sheets, its place in the log."""
    subject, content = f"release {release.number}", release.content
    check_content(chain, subject, release)
    head = {"seq": release.audit_seq, "hash": release.audit_hash}
    own = {"number": release.number, "stage": release.stage.kind, "released_at": event_zone_text(release.released_at)}
    for name, value in {**own, "audit": head}.items():
        if content.get(name) != value:
            chain.find("release_row", subject, f"{name} {content.get(name)}", value)
    if release.audit_seq >= len(chain.hashes) or chain.hashes[release.audit_seq] != release.audit_hash:
        chain.find("release_read_at_another_log", subject, f"entry {release.audit_seq}")
    listed = {"count": len(release.sheets), "digest": canonical_digest(release.sheets)}
    if content.get("sheets") != listed:
        chain.find("release_sheets", subject, content.get("sheets"), listed)
    for session, table, version, digest in release.sheets:
        if sheets.get((session, table, version)) != digest:
            now = sheets.get((session, table, version), "none")[:16]
            chain.find("release_sheet", f"{subject}, scoresheet {session}-{table:02d} v{version}", digest[:16], now)


def check_content(chain: AuditChain, subject: str, release: Release) -> None:
    """The content gives its digest, or the one after names were erased from it; its figures are those released."""
    before = release.digest
    for one in (act for act in chain.by_action["erase_names"] if act.subject == subject):
        if one.digest_before != before:
            chain.find("erasures_of_a_release_do_not_follow", subject, one.digest_before[:16], before[:16])
        before = one.digest
    if (found := canonical_digest(release.content)) != before:
        chain.find("release_content", subject, before[:16], found[:16])
    acts = [act for act in chain.by_action["release"] if (act.subject, act.digest) == (subject, release.digest)]
    if [act.actor for act in acts] != [release.released_by_id]:
        chain.find("release_without_an_entry", subject, "", release.digest[:16])
    figures = digest_without_names(release.content)
    if any(act.digest_before != figures for act in acts):
        chain.find("release_figures", subject, acts[0].digest_before[:16], figures[:16])


# --- Mails ----------------------------------------------------------------------------------------------
def check_mails(chain: AuditChain, using: str) -> None:
    """Every mailing whose subject has ended, withdrawn, released anew or corrected: no mail of it was begun after."""
    ends = {**release_ends(chain.event, using), **notice_ends(chain.event, using)}
    for mailing in audit_rows.all_mailings(chain.event, using):
        end = ends.get(about(mailing))
        if end is None:
            continue
        sent = Delivery.objects.using(using).filter(mailing=mailing, state=DeliveryState.SENT)
        if late := sent.filter(claimed_at__gt=end + IN_HAND).count():
            chain.find("mailed_after_its_end", mailing_subject_ref(mailing), instant(end), f"{late} mails")


def about(mailing: Mailing) -> str:
    """As the ends are called; empty where its subject has no end of this kind."""
    if mailing.kind == MailingKind.RESULTS:
        return mailing.subject
    return f"notice {mailing.notice_id}" if mailing.notice_id else ""


def release_ends(event: Event, using: str) -> dict[str, datetime]:
    """When each was withdrawn, or the next of its stage released."""
    rows = list(Release.objects.using(using).filter(stage__event=event).defer("content", "people").order_by("number"))
    found = {}
    for place, row in enumerate(rows):
        newer = [one.released_at for one in rows[place + 1 :] if one.stage_id == row.stage_id][:1]
        if times := [*([row.withdrawn_at] if row.withdrawn_at else []), *newer]:
            found[f"release {row.number}"] = min(times)
    return found


def notice_ends(event: Event, using: str) -> dict[str, datetime]:
    """When each was corrected by another that is published."""
    rows = Notice.objects.using(using).filter(event=event, number__isnull=False, corrects__isnull=False)
    found: dict[str, datetime] = {}
    for row in rows.order_by("number"):
        if row.published_at:
            found.setdefault(f"notice {row.corrects_id}", row.published_at)
    return found
