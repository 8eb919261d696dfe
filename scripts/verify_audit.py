"""Verify an event's evidence without the program that made it: `verify_audit.py EXPORT [ANCHORS]`.

EXPORT is what `manage.py audit export` wrote, ANCHORS what `manage.py audit anchor` has appended to over time. It
needs Python's standard library alone and shares no line with the program. Exit 0: all agrees; 2: something was altered,
each finding on a line; 3: a file is incomplete or cannot be read.

What is recomputed: the hash of every entry over its framed fields and the hash before it; the digest of every sheet's
values; who had to sign; stamps; rulings; decisions; the digest of every release, the sheets it lists and the log it was
read at.
"""

import hashlib
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise

ZERO = "0" * 64
LOCKED = {"signed", "certified"}
STATE_AFTER = {
    "save_scoresheet": "draft",
    "ready_scoresheet": "ready",
    "reopen_scoresheet": "draft",
    "reject_scoresheet": "draft",
    "certify_scoresheet": "certified",
}
STATUS_AFTER = {
    "record_no_show": "forfeited",
    "record_withdrawal": "withdrawn",
    "disqualify_entrant": "disqualified",
    "readmit_entrant": "ok",
}
RULING_OF = {
    "record_no_show": "forfeited",
    "record_withdrawal": "withdrawn",
    "disqualify_entrant": "disqualified",
    "readmit_entrant": "readmitted",
    "accept_age": "age_accepted",
}
CELLS = ("win", "points_twelfths", "tiles", "face_value", "rack", "opened", "could_open", "pushed_over", "left")


def sha(data):
    """SHA-256, hexadecimal, of bytes or of a text in UTF-8."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def plain(value):
    """JSON with sorted keys, no spaces, every character as itself."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def shown(value):
    """An optional number as the hash has it."""
    return "" if value is None else str(value)


def hash_of(event_id, entry):
    """Each field with its length in four bytes before it, after the domain's name."""
    fields = [entry["prev"], str(entry["canon_version"]), str(event_id), str(entry["seq"]), entry["at"]]
    fields += [shown(entry["actor"]), entry["action"], entry["thing"]]
    fields += [shown(entry["revision_before"]), shown(entry["revision_after"])]
    fields += [entry["digest_before"], entry["digest_after"], entry["reason"], entry["request_key"]]
    framed = b"rummikub-audit-1"
    for field in fields:
        data = field.encode()
        framed += len(data).to_bytes(4, "big") + data
    return sha(framed)


def values_of(sheet):
    """The digest of what a sheet's rows hold."""
    games = [
        {
            "number": game["number"],
            "ended_by": game["ended_by"],
            "starter": game["starter"],
            "lines": {line["letter"]: {cell: line[cell] for cell in CELLS} for line in game["lines"]},
        }
        for game in sorted(sheet["games"], key=lambda game: game["number"])
    ]
    names = ("event", "stage", "session", "table", "version", "seats", "confirmations")
    values = {"canon_version": 1, "games": games, **{name: sheet[name] for name in names}}
    return sha(unicodedata.normalize("NFC", plain(values)))


class Verifier:
    """One event's lines and what is wrong with them."""

    def __init__(self, event):
        self.event, self.rows, self.findings = event, defaultdict(list), []

    def find(self, thing, what):
        """Write down a finding."""
        self.findings.append(f"{self.event['slug']}: {thing}: {what}")

    def check(self, anchors):
        """Everything of this event, in order."""
        self.hashes = self.check_chain()
        for anchor in anchors:
            if anchor["event"] != self.event["slug"]:
                continue
            if anchor["seq"] >= len(self.hashes):
                self.find(f"audit entry {anchor['seq']}", "was anchored and is no longer there")
            elif self.hashes[anchor["seq"]] != anchor["hash"]:
                self.find(f"audit entry {anchor['seq']}", "is not the one that was anchored")
        self.acts = defaultdict(list)
        for entry in self.rows["entry"]:
            self.acts[entry["action"]].append(entry)
        self.check_sheets()
        self.check_rulings()
        self.check_decisions()
        self.check_releases()
        return self.findings

    def check_chain(self):
        """No gap, every link, every hash, and the head."""
        hashes = [ZERO]
        for place, entry in enumerate(self.rows["entry"], start=1):
            thing = f"audit entry {entry['seq']}, {entry['action']} {entry['thing']}"
            if entry["seq"] != place:
                self.find(thing, f"is number {place} in the log")
            if entry["canon_version"] != 1:
                self.find(thing, f"has the unknown form {entry['canon_version']}")
            if entry["prev"] != hashes[-1]:
                self.find(thing, "does not follow the entry before it")
            if hash_of(self.event["id"], entry) != entry["hash"]:
                self.find(thing, "was altered")
            hashes.append(entry["hash"])
        head = self.event["head"]
        if head is None or (head["seq"], head["hash"]) != (len(hashes) - 1, hashes[-1]):
            self.find("audit head", "is not the last entry")
        return hashes

    def status(self, number, before):
        """An entrant's status just before an entry of the log."""
        named = f"entrant {number:04d}"
        found = "ok"
        for entry in self.statuses[named]:
            if entry["seq"] < before:
                found = STATUS_AFTER[entry["action"]]
        return found

    def check_sheets(self):
        """Every version against its acts; of each table the newest locked version counts."""
        acts, self.statuses = defaultdict(list), defaultdict(list)
        for entry in self.rows["entry"]:
            if re.fullmatch(r"scoresheet \S+ v\d+", entry["thing"]):
                acts[entry["thing"]].append(entry)
            if entry["action"] in STATUS_AFTER:
                self.statuses[entry["thing"]].append(entry)
        there = {sheet["thing"] for sheet in self.rows["sheet"]}
        for thing in acts:
            if thing not in there:
                self.find(thing, "is in the log and no longer there")
        newest = {}
        for sheet in self.rows["sheet"]:
            self.check_sheet(sheet, acts[sheet["thing"]])
            if sheet["state"] in LOCKED:
                place = (sheet["stage"], sheet["session"], sheet["table"])
                newest[place] = max(newest.get(place, 0), sheet["version"])
        for sheet in self.rows["sheet"]:
            counts = newest.get((sheet["stage"], sheet["session"], sheet["table"])) == sheet["version"]
            if counts != sheet["counts"]:
                self.find(sheet["thing"], "counts and should not" if sheet["counts"] else "does not count and should")

    def check_sheet(self, sheet, acts):
        """One version."""
        thing = sheet["thing"]
        moves = [act for act in acts if act["revision_after"] not in (None, act["revision_before"])]
        if not moves:
            return self.find(thing, "is not in the log")
        last = moves[-1]
        for one, other in pairwise(moves):
            if other["revision_before"] != one["revision_after"]:
                self.find(thing, f"its entries {one['seq']} and {other['seq']} do not follow")
        for name, said in (("revision", last["revision_after"]), ("digest", last["digest_after"])):
            if sheet[name] != said:
                self.find(thing, f"{name} is {sheet[name]}, in the log {said}")
        if STATE_AFTER.get(last["action"], sheet["state"]) != sheet["state"]:
            self.find(thing, f"state is {sheet['state']} after {last['action']}")
        if sheet["state"] in LOCKED | {"ready", "disputed"}:
            if values_of(sheet) != last["digest_after"]:
                self.find(thing, f"values give {values_of(sheet)[:16]}, in the log {last['digest_after'][:16]}")
        elif sheet["games"]:
            self.find(thing, "has games and should not")
        for game in sheet["games"]:
            for line in game["lines"]:
                if sheet["seats"].get(line["letter"]) != line["entrant"]:
                    self.find(f"{thing} game {game['number']} {line['letter']}", "is another entrant's")
        self.check_lock(sheet, last)
        stamps = [act for act in acts if act["action"] == "stamp_scoresheet"]
        said = {"at": stamps[-1]["at"], "by": stamps[-1]["actor"]} if stamps else None
        if sheet["stamp"] != said:
            self.find(thing, f"stamp is {sheet['stamp']}, in the log {said}")

    def check_lock(self, sheet, last):
        """Who locked it when, and that all who had to sign have signed these values."""
        thing, signatures = sheet["thing"], {one["letter"]: one for one in sheet["signatures"]}
        if sheet["state"] not in LOCKED:
            if signatures:
                self.find(thing, "has signatures and is not locked")
            return
        if (sheet["locked_at"], sheet["locked_by"]) != (last["at"], last["actor"]):
            self.find(thing, "was locked by another or at another time")
        if last["action"] != "certify_scoresheet":
            return
        wanted = {letter for letter, number in sheet["seats"].items() if self.status(number, last["seq"]) == "ok"}
        for letter in sorted(wanted ^ signatures.keys()):
            self.find(f"{thing} signature {letter}", "is missing" if letter in wanted else "is one too many")
        for letter, one in sorted(signatures.items()):
            judge = None if one["present"] else last["actor"]
            told = (one["digest"], one["entrant"], one["recorded_at"], one["recorded_by"], one["chief_judge"])
            said = (last["digest_after"], sheet["seats"].get(letter), last["at"], last["actor"], judge)
            if told != said:
                self.find(f"{thing} signature {letter}", f"is {told}, must be {said}")
        reasons = [
            f"{letter}: {one['missing_reason']}" for letter, one in sorted(signatures.items()) if one["missing_reason"]
        ]
        if "; ".join(reasons)[:500] != last["reason"]:
            self.find(thing, "its reasons for missing signatures are not those in the log")

    def check_rulings(self):
        """Rulings and the log agree, and so do the statuses."""
        ageless = "age_accepted"
        kept = Counter(
            (row["ruling"], f"entrant {row['entrant']}", row["reason"], None if row["ruling"] == ageless else row["by"])
            for row in self.rows["ruling"]
        )
        said = Counter(
            (kind, act["thing"], act["reason"], None if kind == ageless else act["actor"])
            for action, kind in RULING_OF.items()
            for act in self.acts[action]
        )
        for kind, thing, reason, _by in (kept - said).elements():
            self.find(thing, f"the ruling {kind} ({reason}) is not in the log")
        for kind, thing, reason, _by in (said - kept).elements():
            self.find(thing, f"the ruling {kind} ({reason}) is no longer there")
        for number, status in self.event["statuses"].items():
            said_status = self.status(int(number), len(self.hashes))
            if status != said_status:
                self.find(f"entrant {number}", f"status is {status}, in the log {said_status}")

    def check_decisions(self):
        """Decisions of a tie and the log agree."""
        kept = Counter()
        for row in self.rows["decision"]:
            admitted = " ".join(f"{number:04d}" for number in row["admitted"])
            text = f"{row['method']}: {admitted} for {row['places']} places. {row['reason']}"
            kept[f"stage {row['stage']}", text[:500], row["by"]] += 1
        said = Counter((act["thing"], act["reason"], act["actor"]) for act in self.acts["decide_tie"])
        for thing, text, _by in (kept - said).elements():
            self.find(thing, f"the decision ({text}) is not in the log")
        for thing, text, _by in (said - kept).elements():
            self.find(thing, f"the decision ({text}) is no longer there")

    def check_releases(self):
        """Content, digest, sheets, place in the log, withdrawal."""
        said = {act["digest_after"]: act for act in self.acts["release"]}
        names = ("session_code", "table", "version")
        sheets = {tuple(sheet[name] for name in names): sheet["digest"] for sheet in self.rows["sheet"]}
        for row in self.rows["release"]:
            thing, content = f"release {row['number']}", row["content"]
            if sha(plain(content)) != row["digest"]:
                self.find(thing, "its content does not give its digest")
            act = said.pop(row["digest"], None)
            if act is None or (act["thing"], act["actor"]) != (thing, row["released_by"]):
                self.find(thing, "is not in the log as it is")
            head = {"seq": row["audit_seq"], "hash": row["audit_hash"]}
            if (content["number"], content["stage"], content["audit"]) != (row["number"], row["stage"], head):
                self.find(thing, "its row is not what its content says")
            if head["seq"] >= len(self.hashes) or self.hashes[head["seq"]] != head["hash"]:
                self.find(thing, f"was read at another log than this, at entry {head['seq']}")
            if content["sheets"] != {"count": len(row["sheets"]), "digest": sha(plain(row["sheets"]))}:
                self.find(thing, "its list of scoresheets is not what its content says")
            for session, table, version, digest in row["sheets"]:
                if sheets.get((session, table, version)) != digest:
                    self.find(thing, f"scoresheet {session}-{table:02d} v{version} is not the one that was counted")
        for act in said.values():
            self.find(act["thing"], "is in the log and no longer there")
        kept = Counter(
            (f"release {row['number']}", row["withdrawn_by"], row["withdrawn_reason"])
            for row in self.rows["release"]
            if row["withdrawn"]
        )
        withdrawn = Counter((act["thing"], act["actor"], act["reason"]) for act in self.acts["withdraw_release"])
        for thing, _by, reason in ((kept - withdrawn) + (withdrawn - kept)).elements():
            self.find(thing, f"its withdrawal ({reason}) is not as in the log")


def read(path):
    """The events of an export with their lines; ValueError where it is not whole."""
    events, count, end = [], 0, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if end is not None:
                raise ValueError("there is something after its end")
            if row["kind"] == "event":
                events.append(Verifier(row))
            elif row["kind"] == "end":
                end = row["lines"]
                continue
            elif row["kind"] == "export":
                if row["format"] != 1:
                    raise ValueError(f"its format {row['format']} is not known here")
                named = row["events"]
            else:
                events[-1].rows[row["kind"]].append(row)
            count += 1
    if end != count or named != [event.event["slug"] for event in events]:
        raise ValueError("it is cut off")
    return events


def main(arguments):
    """Verify, print, and answer by exit status."""
    if len(arguments) not in (1, 2):
        print("verify_audit.py EXPORT [ANCHORS]", file=sys.stderr)
        return 3
    try:
        events = read(arguments[0])
        anchors = []
        if len(arguments) == 2:
            with open(arguments[1], encoding="utf-8") as file:
                anchors = [json.loads(line) for line in file]
        findings = [finding for event in events for finding in event.check(anchors)]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, UnboundLocalError) as error:
        print(f"Incomplete: {error}", file=sys.stderr)
        return 3
    for event in events:
        seq = len(event.rows["entry"])
        print(f"{event.event['slug']}: {seq} entries, {len(event.rows['sheet'])} sheets, head {event.hashes[-1]}")
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"ALTERED: {len(findings)} findings" if findings else "clean")
    return 2 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
