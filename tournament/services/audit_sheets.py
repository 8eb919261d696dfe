"""Every version of every sheet against the log: its revision, digest, values, signatures, stamp and which counts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise

from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.enums import LOCKED_STATES, EntrantStatus, SheetState
from tournament.models import Line, Scoresheet, Seat, Signature
from tournament.queries import audit as queries
from tournament.queries.finalists import as_they_sat
from tournament.queries.scoresheets import thing as thing_of
from tournament.services.audit import instant
from tournament.services.audit_acts import AGE, LEADS_TO, LOCKS
from tournament.services.audit_chain import Act, Chain
from tournament.services.audit_drawings import check_drawings, is_drawn

# These write the games and lines, under the entrants' statuses of that moment.
WRITES = frozenset({"ready_scoresheet", "decide_dispute"})
VALUED = (SheetState.READY, SheetState.DISPUTED, *LOCKED_STATES)
CELLS = ("win", "points_twelfths", "tiles", "face_value", "rack", "opened", "could_open", "pushed_over", "left")


def check_sheets(chain: Chain, using: str) -> int:
    """All versions; how many were compared. A sheet that only the log knows was deleted."""
    sheets = queries.sheets_of(chain.event, using)
    things = {thing_of(sheet.table, sheet.version): sheet for sheet in sheets}
    for thing in chain.by_sheet:
        if thing not in things:
            chain.find("sheet_missing", thing)
    for thing, sheet in things.items():
        check_sheet(chain, thing, sheet)
    check_drawings(chain, things)
    check_official(chain, sheets, queries.official_of(chain.event, using))
    return len(sheets)


def check_sheet(chain: Chain, thing: str, sheet: Scoresheet) -> None:
    """One version against its acts: the last that moved it says revision, digest, state, and who locked it when."""
    moves = [act for act in chain.by_sheet.get(thing, ()) if act.moves]
    if not moves:
        chain.find("sheet_without_an_entry", thing)
        return
    last = moves[-1]
    for before, act in pairwise(moves):
        if act.before != before.after:
            chain.find("entries_of_a_sheet_do_not_follow", thing, before.after, act.before)
    if last.after != sheet.revision:
        chain.find("sheet_revision", thing, last.after, sheet.revision)
    if last.digest != sheet.digest:
        chain.find("sheet_digest", thing, last.digest[:16], sheet.digest[:16])
    if LEADS_TO.get(last.action, sheet.state) != sheet.state:
        chain.find("sheet_state", thing, LEADS_TO[last.action], sheet.state)
    check_values(chain, thing, sheet, last)
    check_signatures(chain, thing, sheet, last)
    check_stamp(chain, thing, sheet)


def check_values(chain: Chain, thing: str, sheet: Scoresheet, last: Act) -> None:
    """The digest of what the rows hold now is the one that was signed; the cell is named where the typed texts tell."""
    games = [(game, list(game.lines.all())) for game in sheet.games.all()]
    if sheet.state not in VALUED or (sheet.state == SheetState.DISPUTED and not sheet.digest):
        if games:
            chain.find("values_of_a_sheet_that_has_none", thing, "", f"{len(games)} games")
        return
    seats = list(sheet.table.seats.all())
    found = bridge.digest(bridge.canonical(sheet.table, sheet.version, seats, games, sheet.confirmations))
    written = [act for act in chain.by_sheet[thing] if act.action in WRITES]
    cells = list(differing(chain, sheet, seats, games, written[-1].seq if written else last.seq))
    if found != last.digest:
        where = ", ".join(cells) or "seats, table or confirmations"
        chain.find("sheet_values", f"{thing} ({where})", last.digest[:16], found[:16])
    elif cells:
        chain.find("typed_texts", f"{thing} ({', '.join(cells)})")
    sitting = {seat.letter: seat.entrant_id for seat in seats}
    for game, lines in games:
        for line in lines:
            if sitting.get(line.letter) != line.entrant_id:
                there = next((str(seat.entrant) for seat in seats if seat.letter == line.letter), "nobody")
                chain.find("line_of_another_entrant", f"{thing} game {game.number} {line.letter}", there, line.entrant)


def differing(chain: Chain, sheet: Scoresheet, seats: list[Seat], games: list, seq: int) -> Iterable[str]:
    """The cells that are not what the typed texts come to, under the statuses that held when they were written."""
    for seat in seats:
        seat.entrant.status = chain.status_at(seat.entrant.number, seq)
    stage = sheet.table.session.stage
    try:
        sat = as_they_sat(seats, stage)
        check = bridge.judge(ruleset_of(stage), sheet.form, bridge.clean_typed(sheet.typed), sat)
        typed = {game.number: (game, lines) for game, lines in bridge.rows_of(sheet, check, seats)}
    except Exception:  # texts that cannot be read any more are themselves the finding
        return ["typed texts"]
    rows = {game.number: (game, lines) for game, lines in games}
    found = [f"game {number}" for number in sorted(typed.keys() ^ rows.keys())]
    for number in sorted(typed.keys() & rows.keys()):
        (said, said_lines), (kept, kept_lines) = typed[number], rows[number]
        if (said.ended_by, said.starter) != (kept.ended_by, kept.starter):
            found.append(f"game {number}: its end or starter")
        found += differing_lines(number, said_lines, kept_lines)
    return found


def differing_lines(number: int, said: list[Line], kept: list[Line]) -> list[str]:
    """Seat and field of each difference in one game."""
    typed, rows = {line.letter: line for line in said}, {line.letter: line for line in kept}
    found = [f"game {number} {letter}" for letter in sorted(typed.keys() ^ rows.keys())]
    for letter in sorted(typed.keys() & rows.keys()):
        found += [
            f"game {number} {letter} {cell}"
            for cell in CELLS
            if getattr(typed[letter], cell) != getattr(rows[letter], cell)
        ]
    return found


def check_signatures(chain: Chain, thing: str, sheet: Scoresheet, last: Act) -> None:
    """R41: who had to sign has, these values, at the moment and by the account of the lock; nobody else.

    What was drawn has its own entry, moment and account: services.audit_drawings compares them.
    """
    signatures = {signature.letter: signature for signature in sheet.signatures.all() if not signature.superseded_at}
    if sheet.state not in LOCKED_STATES:
        if recorded := sorted(letter for letter, signature in signatures.items() if not is_drawn(signature)):
            chain.find("signature_without_a_lock", thing, "", ", ".join(recorded))
        return
    if (instant(sheet.locked_at) if sheet.locked_at else "") != last.at:
        chain.find("sheet_locked_at", thing, last.at, sheet.locked_at)
    if sheet.locked_by_id != last.actor:
        chain.find("sheet_locked_by", thing, f"account {last.actor}", f"account {sheet.locked_by_id}")
    if last.action not in LOCKS:
        return
    corrected = last.action == "approve_correction"
    if last.action == "certify_scoresheet" and sheet.typed_by_id == last.actor:
        chain.find("certified_by_its_typist", thing, "", f"account {last.actor}")
    seats = {seat.letter: seat for seat in sheet.table.seats.all()}
    wanted = {
        letter for letter, seat in seats.items() if chain.status_at(seat.entrant.number, last.seq) == EntrantStatus.OK
    }
    for letter in sorted(wanted ^ signatures.keys()):
        code = "signature_missing" if letter in wanted else "signature_too_many"
        chain.find(code, f"{thing} signature {letter}")
    for letter, signature in sorted(signatures.items()):
        where = f"{thing} signature {letter}"
        if signature.digest != last.digest:
            chain.find("signature_of_other_values", where, last.digest[:16], signature.digest[:16])
        if letter in seats and signature.entrant_id != seats[letter].entrant_id:
            chain.find("signature_of_another_entrant", where, seats[letter].entrant, signature.entrant)
        if not is_drawn(signature) and (instant(signature.recorded_at), signature.recorded_by_id) != last[1:3]:
            chain.find("signature_recorded", where, f"{last.at} account {last.actor}", signature.recorded_at)
        if (signature.chief_judge_id is not None) == signature.present or (corrected and signature.present):
            chain.find("signature_present", where)
        if not signature.present:
            check_judge(chain, where, signature.chief_judge_id, last)
        if signature.present and last.action == "lock_scoresheet" and not is_drawn(signature):
            chain.find("drawing_missing", where)
    check_reasons(chain, thing, signatures, last)


def check_judge(chain: Chain, where: str, judge: int | None, last: Act) -> None:
    """R41: a missing signature is decided by a chief judge; in a correction by the one of the two who is."""
    said = {last.actor}
    if last.action == "approve_correction":
        said |= {act.actor for act in chain.by_sheet[last.thing] if act.action == "propose_correction"}
    if judge not in said or "chief_judge" not in chain.roles_at(judge, last.seq):
        accounts = " or ".join(f"account {one}" for one in sorted(said, key=str))
        chain.find("signature_chief_judge", where, f"{accounts} as chief judge", f"account {judge}")


def check_reasons(chain: Chain, thing: str, signatures: Mapping[str, Signature], last: Act) -> None:
    """Why signatures are missing: each with its own reason; in a correction all with the correction's."""
    missing = [f"{letter}: {one.missing_reason}" for letter, one in sorted(signatures.items()) if one.missing_reason]
    found = "; ".join(missing)[:500]
    if last.action == "approve_correction":
        found = "; ".join(sorted({one.missing_reason for one in signatures.values()})) or last.reason
    if found != last.reason:
        chain.find("signature_reasons", thing, last.reason, found)


def check_stamp(chain: Chain, thing: str, sheet: Scoresheet) -> None:
    """R42: a stamp has its entry, an entry its stamp."""
    stamp = getattr(sheet, "stamp", None)
    stamped = [act for act in chain.by_sheet[thing] if act.action == "stamp_scoresheet"]
    if stamp is None or not stamped:
        if stamp is not None:
            chain.find("stamp_without_an_entry", thing)
        elif stamped:
            chain.find("stamp_missing", thing)
        return
    act = stamped[-1]
    if (instant(stamp.at), stamp.by_id) != (act.at, act.actor):
        chain.find(
            "stamp_altered", thing, f"{act.at} account {act.actor}", f"{instant(stamp.at)} account {stamp.by_id}"
        )


def check_official(chain: Chain, sheets: list[Scoresheet], official: dict[int, int]) -> None:
    """Of a table's locked versions the newest counts; a table without one has none."""
    locked = defaultdict(list)
    tables = {sheet.table_id: sheet.table for sheet in sheets}
    for sheet in sheets:
        if sheet.state in LOCKED_STATES:
            locked[sheet.table_id].append(sheet)
    keys = {sheet.pk: sheet for sheet in sheets}
    for table_id, table in tables.items():
        newest = locked[table_id][-1] if locked[table_id] else None
        counts = keys.get(official.get(table_id, 0))
        if counts != newest:
            said, found = (thing_of(table, one.version) if one else "none" for one in (newest, counts))
            chain.find("official_version", thing_of(table, (newest or counts).version), said, found)
    for table_id in official.keys() - tables.keys():
        chain.find("official_version", f"table {table_id}", "none", f"sheet {official[table_id]}")


def check_rulings(chain: Chain, using: str) -> None:
    """R46: every ruling has its entry, every such entry its ruling, and the status is what the log comes to."""
    rulings = Counter(
        (ruling.kind, f"entrant {ruling.entrant}", ruling.reason, None if ruling.kind == AGE else ruling.by_id)
        for ruling in queries.all_rulings(chain.event, using)
    )
    said = chain.rulings()
    for kind, thing, reason, _by in (rulings - said).elements():
        chain.find("ruling_without_an_entry", thing, "", f"{kind}: {reason}")
    for kind, thing, reason, _by in (said - rulings).elements():
        chain.find("ruling_missing", thing, f"{kind}: {reason}")
    for number, status in queries.statuses_of(chain.event, using).items():
        if status != chain.status_now(number):
            chain.find("entrant_status", f"entrant {number:04d}", chain.status_now(number), status)
