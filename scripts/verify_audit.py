"""Verify an event's evidence without the program that made it: `verify_audit.py EXPORT [ANCHORS]`.

EXPORT is what `manage.py audit export` wrote, ANCHORS what `manage.py audit anchor` has appended to over time. It
needs Python's standard library alone and shares no line with the program. Exit 0: all agrees; 2: something was altered,
each finding on a line; 3: a file is incomplete or cannot be read.

Recomputed: the hash of every entry over its framed fields and the hash before it; every row by replaying the payloads
of the entries, each write with the digest of what was before it; who held which role when two people or a chief judge
had to decide; the digest of every scoresheet's values; the digest of every release and the scoresheets it lists. Texts
of persons are in the evidence as keyed digests alone.
"""

import hashlib
import json
import sys
import unicodedata
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

Line = dict[str, Any]
LINE_CELLS = ["win", "points_twelfths", "tiles", "face_value", "rack", "opened", "could_open", "pushed_over", "left"]
TURN_CELLS = ["number", "own", "rearranged", "emptied", "points"]
# What takes a chief judge and an organiser, with the act by which the first of them proposed it.
PROPOSING_ACT = {"approve_correction": "propose_correction", "void_scoresheet": "propose_void"}
JUDGED = {"decide_dispute", "decide_tie", "announce_lots"}


def sha256_hex(data: str | bytes) -> str:
    """SHA-256, hexadecimal, of bytes or of a text in UTF-8."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def canonical_text(value: Any) -> str:
    """JSON with sorted keys, no spaces, every character as itself."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def entry_hash_of(event_id: str, entry: Line) -> str:
    """Each field with its length in four bytes before it, after the domain's name."""
    fields = [entry["prev"], entry["canon_version"], event_id]
    fields += [entry[name] for name in ("seq", "at", "actor", "action", "subject", "revision_before", "revision_after")]
    fields += [entry[name] for name in ("digest_before", "digest_after", "reason", "request_key")]
    texts = ["" if one is None else str(one) for one in fields]
    texts += [canonical_text(entry["details"]), canonical_text(entry["payload"])]
    return sha256_hex(b"rummikub-audit-1" + b"".join(len(t.encode()).to_bytes(4, "big") + t.encode() for t in texts))


def without_person_names(part: Any, top: bool = True) -> Any:
    """A release's content with nothing in the place of each person's name: what an erasure leaves as it was."""
    if isinstance(part, list):
        return [without_person_names(one, False) for one in part]
    if not isinstance(part, dict):
        return part
    made = {name: without_person_names(value, False) for name, value in part.items() if not (top and name == "erased")}
    names = {"name", "name_zh", "name_en"} & made.keys() if "number" in made else ()
    return {**made, **dict.fromkeys(names, "")}


class EventVerifier:
    """One event's lines and what is wrong with them."""

    def __init__(self, event: Line) -> None:
        self.event, self.hashes = event, ["0" * 64]
        self.lines: dict[str, list[Line]] = defaultdict(list)
        self.findings: list[str] = []
        self.replayed: dict[tuple[str, int], Line] = {}
        self.proposers: dict[tuple[str, str], str] = {}
        self.rows: dict[str, dict[int, Line]] = defaultdict(dict)

    def find(self, subject: str, what: str) -> None:
        self.findings.append(f"{self.event['slug']}: {subject}: {what}")

    def check(self, anchors: list[Line]) -> list[str]:
        """Everything of this event, in order."""
        for entry in self.lines["entry"]:
            self.check_entry(entry)
            self.check_right(entry)
            for item in entry["payload"]:
                self.replay(entry, item)
        if self.event["head"] != {"seq": len(self.hashes) - 1, "hash": self.hashes[-1]}:
            self.find("audit head", "is not the last entry")
        for anchor in (anchor for anchor in anchors if anchor["event"] == self.event["slug"]):
            found = self.hashes[anchor["seq"]] if anchor["seq"] < len(self.hashes) else ""
            if found != anchor["hash"]:
                how = "is not the one that was anchored" if found else "was anchored and is no longer there"
                self.find(f"audit entry {anchor['seq']}", how)
        for line in self.lines["row"]:
            self.rows[line["model"]][line["pk"]] = line["record"]
        self.check_rows()
        if not self.findings:  # rows that are as they were written lead to one another
            self.check_values()
            self.check_releases()
        return self.findings

    def check_entry(self, entry: Line) -> None:
        """No gap, the link to the entry before, and the entry's own hash."""
        subject = f"audit entry {entry['seq']}, {entry['action']} {entry['subject']}"
        if entry["seq"] != len(self.hashes):
            self.find(subject, f"is number {len(self.hashes)} in the log")
        if entry["prev"] != self.hashes[-1]:
            self.find(subject, "does not follow the entry before it")
        if entry["canon_version"] != 1 or entry_hash_of(self.event["id"], entry) != entry["hash"]:
            self.find(subject, "was altered, or has a form that is not known here")
        self.hashes.append(entry["hash"])

    def check_right(self, entry: Line) -> None:
        """Two people on two sides, and the chief judge, by the roles that were in effect just then."""
        action, subject, actor = entry["action"], entry["subject"], entry["actor"]
        if action in PROPOSING_ACT.values():
            self.proposers[action, subject] = actor
        if action in PROPOSING_ACT:
            other = self.proposers.get((PROPOSING_ACT[action], subject))
            mine, theirs = self.roles(actor, entry["at"]), self.roles(other, entry["at"])
            sides = ((mine, theirs), (theirs, mine))
            if actor == other or not any("chief_judge" in a and "organiser" in b for a, b in sides):
                self.find(subject, f"{action} without a chief judge and an organiser, two accounts")
        if action in JUDGED and "chief_judge" not in self.roles(actor, entry["at"]):
            self.find(subject, f"{action} by somebody who was not the chief judge")

    def roles(self, account: Any, at: str) -> set[str]:
        """The roles that an account holds at this point of the replay."""
        held = [record for (model, _pk), record in self.replayed.items() if model == "membership"]
        held = [one for one in held if one["user_id"] == account and not one["awaits_acceptance"]]
        return {one["role"] for one in held if int(one["waits_until"] or 0) <= int(at)}

    def replay(self, entry: Line, item: Line) -> None:
        """Go on by one write. Of what belongs to an account this event may have missed a change while it did not keep
        it: an item without `before` says so."""
        key, before = (item["model"], item["pk"]), item["before"]
        kept = self.replayed.pop(key, None)
        if item["record"] is not None:
            self.replayed[key] = item["record"]
        had = sha256_hex(canonical_text(kept)) if kept is not None else None
        if before != had and not (key[0] in self.event["of_accounts"] and None in (kept, before)):
            self.find(f"{key[0]} {key[1]}", f"was changed without an entry before entry {entry['seq']}")

    def check_rows(self) -> None:
        """Every row is as its last write left it; none is missing and none was never written."""
        left = dict(self.replayed)
        for model, rows in self.rows.items():
            for pk, now in rows.items():
                kept = left.pop((model, pk), None)
                if kept is None:
                    self.find(f"{model} {pk}", f"is not in the log: {canonical_text(now)[:200]}")
                    continue
                for name in sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name)):
                    self.find(f"{model} {pk} {name}", f"is {now.get(name)!s:.80}, in the log {kept.get(name)!s:.80}")
        accounts = {one["user_id"] for one in self.rows["membership"].values() if not one["awaits_acceptance"]}
        for (model, pk), record in left.items():
            if model not in self.event["of_accounts"] or record.get("user_id", pk) in accounts:
                self.find(f"{model} {pk}", f"is in the log and no longer there: {canonical_text(record)[:200]}")

    def place(self, sheet: Line) -> tuple[Line, str]:
        """The names of a scoresheet's place, as its digest has them, and its session's code."""
        table = self.rows["table"][sheet["table_id"]]
        session = self.rows["session"][table["session_id"]]
        place = {"stage": self.rows["stage"][session["stage_id"]]["kind"], "session": session["number"]}
        day = session["original_date"][5:].replace("-", "")
        return {**place, "table": table["number"]}, f"{day}-{session['number_of_day']}"

    def check_values(self) -> None:
        """The digest that was signed is that of the games, lines and seats now; each line is of who sat there."""
        games: dict[int, list[Line]] = defaultdict(list)
        lines: dict[int, Line] = defaultdict(dict)
        seats: dict[int, Line] = defaultdict(dict)
        played: dict[int, list[tuple[int, Line]]] = defaultdict(list)
        turns: dict[int, list[Line]] = defaultdict(list)
        for turn in self.rows["turn"].values():
            turns[turn["line_id"]].append({name: turn[name] for name in TURN_CELLS})
        for key, line in self.rows["line"].items():
            lines[line["game_id"]][line["letter"]] = {name: line[name] for name in LINE_CELLS}
            played[self.rows["game"][line["game_id"]]["scoresheet_id"]].append((key, line))
        with_turns = {sheet for sheet, own in played.items() if any(turns[key] for key, _line in own)}
        for key, line in ((key, line) for sheet in with_turns for key, line in played[sheet]):
            in_order = sorted(turns[key], key=lambda turn: turn["number"])
            lines[line["game_id"]][line["letter"]]["turns"] = in_order
        with_rulings = {game["scoresheet_id"] for game in self.rows["game"].values() if game.get("ruling")}
        for pk, game in sorted(self.rows["game"].items(), key=lambda item: item[1]["number"]):
            made = {name: game[name] for name in ("number", "ended_by", "starter")}
            made |= {"ruling": game.get("ruling", "")} if game["scoresheet_id"] in with_rulings else {}
            games[game["scoresheet_id"]].append({**made, "lines": lines[pk]})
        sitting: dict[tuple[int, str], int] = {}
        for seat in self.rows["seat"].values():
            sitting[seat["table_id"], seat["letter"]] = seat["entrant_id"]
            seats[seat["table_id"]][seat["letter"]] = self.rows["entrant"][seat["entrant_id"]]["number"]
        for line in self.lines["confirmations"]:
            sheet, pk = self.rows["scoresheet"][line["scoresheet"]], line["scoresheet"]
            values = {
                "canon_version": 3 if pk in with_rulings else 2 if pk in with_turns else 1,
                "event": self.event["slug"],
            }
            values |= {"seats": seats[sheet["table_id"]]}
            values |= {"version": sheet["version"], "confirmations": line["confirmations"], "games": games[pk]}
            values |= self.place(sheet)[0]
            if sha256_hex(unicodedata.normalize("NFC", canonical_text(values))) != sheet["digest"]:
                self.find(f"scoresheet {pk}", "its values do not give its digest")
            for key, own in played[pk]:
                if sitting.get((sheet["table_id"], own["letter"])) != own["entrant_id"]:
                    self.find(f"line {key}", "is of another than who sat there")

    def check_releases(self) -> None:
        """Content, digest, figures, number, stage, hour, scoresheets, and the place in the log that it was read at."""
        acts: dict[tuple[str, str], list[Line]] = defaultdict(list)
        sheets = {}
        for entry in self.lines["entry"]:
            acts[entry["action"], entry["subject"]].append(entry)
        for sheet in self.rows["scoresheet"].values():
            place, code = self.place(sheet)
            sheets[code, place["table"], sheet["version"]] = sheet["digest"]
        for line in self.lines["release"]:
            row, content = self.rows["release"][line["release"]], line["content"]
            digest, subject = row["digest"], f"release {row['number']}"
            for one in acts["erase_names", subject]:
                if one["digest_before"] != digest:
                    self.find(subject, "its names were erased from another content than it had")
                digest = one["digest_after"]
            if sha256_hex(canonical_text(content)) != digest:
                self.find(subject, "its content does not give its digest")
            figures = {one["digest_before"] for one in acts["release", subject] if one["digest_after"] == row["digest"]}
            if sha256_hex(canonical_text(without_person_names(content))) not in figures:
                self.find(subject, "its figures are not those that were released")
            kind, seconds = self.rows["stage"][row["stage_id"]]["kind"], int(row["released_at"]) // 10**6
            said = {**content, "released_at": int(datetime.fromisoformat(content["released_at"]).timestamp())}
            for name, now in {"number": row["number"], "stage": kind, "released_at": seconds}.items():
                if said[name] != now:
                    self.find(subject, f"its content says otherwise than its row: {name}")
            head = {"seq": row["audit_seq"], "hash": row["audit_hash"]}
            if content["audit"] != head or self.hashes[head["seq"] : head["seq"] + 1] != [head["hash"]]:
                self.find(subject, f"was read at another log than this, at entry {head['seq']}")
            digest = sha256_hex(canonical_text(line["sheets"]))
            if content["sheets"] != {"count": len(line["sheets"]), "digest": digest}:
                self.find(subject, "its list of scoresheets is not what its content says")
            for session, table, version, listed in line["sheets"]:
                if sheets.get((session, table, version)) != listed:
                    self.find(subject, f"scoresheet {session}-{table:02d} v{version} is not the one that was counted")


def read_export(path: str) -> list[EventVerifier]:
    """The events of an export with their lines; ValueError where it is not whole."""
    events: list[EventVerifier] = []
    count, end = 0, None
    with open(path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if end is not None:
                raise ValueError("there is something after its end")
            if line["kind"] == "end":
                end = line["lines"]
                continue
            if line["kind"] == "export":
                named, known = line["events"], line["format"] == 1
            elif line["kind"] == "event":
                events.append(EventVerifier(line))
            else:
                events[-1].lines[line["kind"]].append(line)
            count += 1
    if end != count or not known or named != [event.event["slug"] for event in events]:
        raise ValueError("it is cut off, or of another format")
    return events


def main(arguments: list[str]) -> int:
    """Verify, print, and answer by exit status."""
    if len(arguments) not in (1, 2):
        print("verify_audit.py EXPORT [ANCHORS]", file=sys.stderr)
        return 3
    try:
        events = read_export(arguments[0])
        anchors = [json.loads(line) for name in arguments[1:] for line in Path(name).read_text("utf-8").splitlines()]
        findings = [finding for event in events for finding in event.check(anchors)]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, UnboundLocalError) as error:
        print(f"Incomplete: {error}", file=sys.stderr)
        return 3
    for event in events:
        entries, rows = len(event.hashes) - 1, len(event.lines["row"])
        print(f"{event.event['slug']}: {entries} entries, {rows} rows, head {event.hashes[-1]}")
    print(*findings, sep="\n", end="\n" if findings else "", file=sys.stderr)
    print(f"ALTERED: {len(findings)} findings" if findings else "clean")
    return 2 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
