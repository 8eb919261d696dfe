"""Every release against the log: its digest, the sheets it counted, the head it was read at, and the files on disk."""

import hashlib
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings

from tournament.bridge.release import digest_of, moment
from tournament.models import Event, Release
from tournament.queries import audit as queries
from tournament.queries.notices import published_of
from tournament.services import release_files
from tournament.services.audit import instant
from tournament.services.audit_chain import Act, Chain
from tournament.services.audit_erasure import content_said
from tournament.services.qualification import digest_of as tie_digest
from tournament.services.qualification import line_of
from tournament.services.release_shelf import BODIES, MANIFEST, Shelf


def check_releases(chain: Chain, using: str) -> int:
    """Every release; how many were compared. One that only the log knows was deleted."""
    made = queries.releases_in_order(chain.event, using)
    said = {act.digest: act for act in chain.by_action["release"]}
    sheets = sheet_digests(chain, using)
    for release in made:
        check_release(chain, release, said.get(release.digest), sheets)
    check_withdrawals(chain, made)
    kept = {release.digest for release in made}
    for digest, act in said.items():
        if digest not in kept:
            chain.find("release_missing", act.thing, digest[:16])
    return len(made)


def sheet_digests(chain: Chain, using: str) -> dict[tuple[str, int, int], str]:
    """The digest of every locked version, as a release lists them: session code, table, version."""
    return {
        (sheet.table.session.code, sheet.table.number, sheet.version): sheet.digest
        for sheet in queries.sheets_of(chain.event, using)
    }


def check_release(chain: Chain, release: Release, act: Act | None, sheets: dict[tuple[str, int, int], str]) -> None:
    """One release: content and digest, its entry, its sheets, its place in the log, and its withdrawal."""
    thing, content = f"release {release.number}", release.content
    found, said = digest_of(content), content_said(chain, release, act)
    if found != said:
        chain.find("release_content", thing, said[:16], found[:16])
    if act is None:
        chain.find("release_without_an_entry", thing, "", release.digest[:16])
    elif (act.thing, act.actor) != (thing, release.released_by_id):
        chain.find("release_row", thing, f"{act.thing} account {act.actor}", f"account {release.released_by_id}")
    head = {"seq": release.audit_seq, "hash": release.audit_hash}
    own = {"number": release.number, "stage": release.stage.kind, "released_at": moment(release.released_at)}
    for name, value in {**own, "audit": head}.items():
        if content.get(name) != value:
            chain.find("release_row", thing, f"{name} {content.get(name)}", value)
    if release.audit_seq >= len(chain.hashes) or chain.hashes[release.audit_seq] != release.audit_hash:
        chain.find("release_read_at_another_log", thing, f"entry {release.audit_seq}")
    listed = {"count": len(release.sheets), "digest": digest_of(release.sheets)}
    if content.get("sheets") != listed:
        chain.find("release_sheets", thing, content.get("sheets"), listed)
    for session, table, version, digest in release.sheets:
        if sheets.get((session, table, version)) != digest:
            now = sheets.get((session, table, version), "none")[:16]
            chain.find("release_sheet", f"{thing}, scoresheet {session}-{table:02d} v{version}", digest[:16], now)
    check_withdrawal(chain, thing, release)


def check_withdrawal(chain: Chain, thing: str, release: Release) -> None:
    """A withdrawal has its entry, with its reason and account."""
    withdrawn = [act for act in chain.by_action["withdraw_release"] if act.thing == thing]
    if release.withdrawn_at is not None:
        row = (release.withdrawn_by_id, release.withdrawn_reason)
        if row not in [(act.actor, act.reason) for act in withdrawn]:
            chain.find("withdrawal_without_an_entry", thing, "", release.withdrawn_reason)


def check_withdrawals(chain: Chain, made: list[Release]) -> None:
    """As many releases of a number are withdrawn as the log says."""
    said = Counter(act.thing for act in chain.by_action["withdraw_release"])
    found = Counter(f"release {release.number}" for release in made if release.withdrawn_at is not None)
    for thing in said - found:
        chain.find("withdrawal_undone", thing)


def check_decisions(chain: Chain, using: str) -> None:
    """R37: every decision of a tie has its entry, and every such entry its decision."""
    acts = list(chain.by_action["decide_tie"])
    for decision in queries.decisions_of(chain.event, using):
        thing, line = f"stage {decision.stage.kind}", line_of(decision)
        own = (thing, line, decision.by_id, instant(decision.at), tie_digest(decision))
        found = next((act for act in acts if (act.thing, act.reason, act.actor, act.at, act.digest) == own), None)
        if found is None:
            chain.find("decision_without_an_entry", thing, "", line)
        else:
            acts.remove(found)
    for act in acts:
        chain.find("decision_missing", f"{act.thing}, audit entry {act.seq}", act.reason)


def check_files(chain: Chain) -> int:
    """What the public reads is what the releases give, byte for byte; how many addresses were compared."""
    event = chain.event
    root = Path(settings.PUBLIC_ROOT) / event.slug
    kept = addresses_on_disk(root)
    told = Release.objects.filter(stage__event=event).exists() or published_of(event)
    if not kept and not told:
        return 0  # nothing was ever published
    wanted = addresses_made_anew(event)
    for path in sorted(wanted.keys() | kept.keys()):
        if wanted.get(path) != kept.get(path):
            chain.find("public_file", f"file {path or '/'}", *(str(one.get(path))[:40] for one in (wanted, kept)))
    return len(wanted)


def addresses_on_disk(root: Path) -> dict[str, Any]:
    """What each address answers now: its entry with the digest of the bytes that are really there."""
    try:
        paths = json.loads((root / MANIFEST).read_bytes())["paths"]
    except (OSError, ValueError, KeyError):
        return {}
    return {path: with_bytes(root, entry) for path, entry in paths.items()}


def with_bytes(root: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with the real digest in the place of each file's name."""
    files = {name: root / "files" / str(entry[name]) for name in BODIES if name in entry}
    real = {
        name: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
        for name, path in files.items()
    }
    return {**entry, **real}


def addresses_made_anew(event: Event) -> dict[str, Any]:
    """What each address must answer: everything made again in a folder that is then removed."""
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        shelf = Shelf(Path(folder), anew=True)
        release_files.fill(shelf, event)
        return {path: with_bytes(Path(folder), entry) for path, entry in shelf.paths.items()}
