"""Verify an event's evidence without the program that made it: `verify_audit.py EXPORT [ANCHORS]`.

EXPORT is what `manage.py audit export` wrote, ANCHORS what `manage.py audit anchor` has appended to over time. It
needs Python's standard library alone and shares no line with the program. Exit 0: all agrees; 2: something was altered,
each finding on a line; 3: a file is incomplete or cannot be read.

What is recomputed: the hash of every entry over its framed fields and the hash before it; the digest of every sheet's
values; who had to sign; stamps; rulings; corrections, disputes, void sheets, second typings, papers, answers, links,
the final's plan, the list of finalists, decisions, signals and the days' weather; the digest of every release, the
sheets it lists and the log it was read at.
Warnings, incidents, calls, what became of them, clocks, new times, codes, tablets and held items are in the evidence as
who, when and a digest: each is compared with its entry.
"""

import hashlib
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

ZERO = "0" * 64
LOCKED, UNSIGNED = {"signed", "certified"}, {"draft", "disputed", "void"}
STATES = {
    "open": "open_scoresheet",
    "draft": "save_scoresheet reopen_scoresheet reject_scoresheet settle_second_typing begin_correction"
    " withdraw_dispute",
    "ready": "ready_scoresheet decide_dispute",
    "disputed": "dispute_scoresheet",
    "signed": "lock_scoresheet",
    "certified": "certify_scoresheet approve_correction",
    "void": "void_scoresheet give_up_correction",
}
STATE_AFTER = {action: state for state, actions in STATES.items() for action in actions.split()}
STATUS_AFTER = {"record_no_show": "forfeited", "record_withdrawal": "withdrawn", "disqualify_entrant": "disqualified"}
RULING_OF = {**STATUS_AFTER, "readmit_entrant": "readmitted", "accept_age": "age_accepted"}
STATUS_AFTER["readmit_entrant"] = "ok"
NOBODY = {"actor": None, "at": "", "reason": "", "digest_after": ""}
TWO_SIDES = {"approve_correction": "propose_correction", "void_scoresheet": "propose_void"}
BESIDE = {
    "warning": "warn_entrant",
    "incident": "record_incident",
    "call": "call_judge take_call answer_call",
    "note_end": "confirm_mark dismiss_mark withdraw_note",
    "clock": "start_session suspend_session resume_session close_session reopen_session take_back_start pause_table"
    " unpause_table give_overtime hold_session unhold_session postpone_session bring_back_session let_session_stand"
    " replay_session undecide_session",
    "times": "set_session_times",
    "pairing": "make_pairing",
    "tablet": "pair_tablet go_on_tablet take_over_tables revoke_tablet",
    "held_item": "hold_item enter_held_item set_aside_held_item",
}
SESSION_STATES = {
    "planned": "take_back_start unhold_session bring_back_session set_session_times",
    "playing": "start_session resume_session",
    "suspended": "suspend_session hold_session",
    "checking": "reopen_session let_session_stand",
    "closed": "close_session",
    "postponed": "postpone_session",
    "void": "replay_session undecide_session",
}
SESSION_AFTER = {action: state for state, actions in SESSION_STATES.items() for action in actions.split()}
DECIDED = {"let_session_stand", "replay_session"}
KIND_OF = {action: kind for kind, actions in BESIDE.items() for action in actions.split()}
LISTED = {
    "record_answer": "answer",
    "decide_contest": "contest",
    "announce_lots": "announcement",
    "observe_signal": "signal",
    "enter_signal": "signal",
    "decide_weather": "weather",
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
    framed = (len(data).to_bytes(4, "big") + data for data in (field.encode() for field in fields))
    return sha(b"rummikub-audit-1" + b"".join(framed))


def values_of(sheet):
    """The digest of what a sheet's rows hold."""
    games = [
        {
            **{name: game[name] for name in ("number", "ended_by", "starter")},
            "lines": {line["letter"]: {cell: line[cell] for cell in CELLS} for line in game["lines"]},
        }
        for game in sorted(sheet["games"], key=lambda game: game["number"])
    ]
    names = ("event", "stage", "session", "table", "version", "seats", "confirmations")
    values = {"canon_version": 1, "games": games, **{name: sheet[name] for name in names}}
    return sha(unicodedata.normalize("NFC", plain(values)))


def nameless(part, top=True):
    """A release's content with nothing in the place of each person's name: what an erasure leaves as it was."""
    if isinstance(part, list):
        return [nameless(one, False) for one in part]
    if not isinstance(part, dict):
        return part
    made = {name: nameless(value, False) for name, value in part.items() if not (top and name == "erased")}
    names = {"name", "name_zh", "name_en"} & made.keys() if "number" in made else ()
    return {**made, **dict.fromkeys(names, "")}


def moves(entry):
    """Whether an act took its thing from one revision to the next."""
    return entry["revision_after"] not in (None, entry["revision_before"])


def said_of(acts, entries):
    """What the log says of one thing's records, by kind, as the evidence lists them."""
    last, found = {act["action"]: act for act in acts}, {}

    def told(action, *more):
        return [last.get(action, NOBODY)[name] for name in ("actor", "at", *more)]

    if begun := last.get("begin_correction"):
        table, before = begun["thing"].rpartition("v")[0], entries[: begun["seq"] - 1]
        locks = [one["thing"] for one in before if STATE_AFTER.get(one["action"]) in LOCKED]
        versions = [int(thing[len(table) + 1 :]) for thing in locks if thing.startswith(f"{table}v")]
        facts = [[(versions or [0])[-1], begun["reason"]], told("begin_correction")]
        facts += [told("propose_correction", "digest_after"), told("approve_correction")]
        found["correction"] = [*facts, told("give_up_correction", "reason")]
    for act in acts:
        ended = act["action"] in ("decide_dispute", "withdraw_dispute")
        if act["action"] == "dispute_scoresheet" or (ended and "dispute" not in found):
            found.setdefault("dispute", []).append([act["actor"], act["at"], act["reason"], None, "", ""])
        elif ended:
            found["dispute"][-1][3:] = [act["actor"], act["at"], act["reason"]]
        elif kind := LISTED.get(act["action"]):
            facts = [act[name] for name in ("actor", "at", "reason", "digest_after")]
            facts += [act["seq"] - 1, act["prev"]] * (kind == "announcement")
            found.setdefault(kind, []).append(facts)
        elif act["action"] == "look_by_hand":
            found.setdefault("look", []).append([act[name] for name in ("actor", "reason", "digest_after")])
        elif act["action"] == "make_link":
            found.setdefault("link", []).append([act["actor"], act["at"], act["digest_after"], ""])
        elif act["action"] == "revoke_link":
            for link in (link for link in found.get("link", []) if link[2] == act["digest_after"]):
                link[3] = act["at"]
        elif act["action"] in ("freeze_finalists", "thaw_finalists"):
            frozen = act["action"] == "freeze_finalists"
            found["finalists"] = [[act["actor"], act["at"], act["digest_after"]]] if frozen else []
        elif after := SESSION_AFTER.get(act["action"]):
            hours, undone = found.get("session", [["", ""]])[0][1], act["action"] == "undecide_session"
            state = "suspended" if undone and found.get("decided") else after
            timed = act["action"] == "set_session_times"
            found["session"] = [[state, act["digest_after"] if timed else hours]]
            found["decided"] = not undone and (found.get("decided") or act["action"] in DECIDED)
        elif act["action"] == "set_up_final":
            found["final"] = [[act["digest_after"]]]
        elif act["action"] == "publish_notice":
            found["notice"] = [[act["actor"], act["at"], *[act["digest_after"]] * 2], [None, ""]]
        elif act["action"] == "take_down_banner":
            found.setdefault("notice", [[None, "", "", ""], [None, ""]])[1] = [act["actor"], act["at"]]
        elif act["action"].endswith("_mailing"):
            found["mailing"] = mailing_after(act, found.get("mailing", [[None, "", ""], "", "", ["", ""]]))
        elif act["action"] == "record_bounce":
            found["bounce"] = [act["digest_after"]]
        elif act["action"] == "erase_personal_data":
            found.setdefault("erasure", []).append([act["actor"], act["at"], act["reason"], "", ""])
        elif act["action"] == "finish_erasure" and "erasure" in found:
            found["erasure"][-1][3:] = [act["at"], act["digest_after"]]
        elif act["action"] == "print_scoresheets":
            found.setdefault("print", []).append([act["at"], [act["actor"]], act["digest_after"]])
    if "propose_void" in last or "void_scoresheet" in last:
        found["voiding"] = [told("propose_void", "reason"), told("void_scoresheet")]
    if typed := [act for act in acts if act["action"] in ("save_second_typing", "type_scoresheet_again")]:
        done, settled = typed[-1]["action"] == "type_scoresheet_again", [None, "", ""]
        for act, after in zip(acts, [*acts[1:], acts[-1]], strict=True):
            if act["action"] in ("uphold_first_typing", "settle_second_typing"):
                digests = act["digest_after"], after["digest_after"]
                settled = [act["actor"], act["reason"], digests[act["action"] == "settle_second_typing"]]
        found["second_typing"] = [[typed[-1]["actor"], typed[-1]["digest_after"], len(typed), done], settled]
    found.pop("decided", None)
    found["print"] = sorted(found.get("print", []))
    return {kind: facts for kind, facts in found.items() if facts}


def mailing_after(act, before):
    """By whom, when and what a mailing is; its state; what ended its subject; when and how it ended: after an act."""
    begun, state, why, ended = before
    if act["action"] == "start_mailing":
        return [[act["actor"], act["at"], act["digest_after"]], "sending", "", ["", ""]]
    if act["action"] == "finish_mailing":
        return [begun, "stopped" if state == "stopped" else "done", why, [act["at"], act["digest_after"]]]
    if act["action"] == "retry_mailing":
        return [begun, "paused" if state == "paused" else "sending", why, ["", ""]]
    if act["action"] == "end_mailing":
        return [begun, "stopped", act["digest_after"], ended]
    after = {"pause_mailing": "paused", "resume_mailing": "sending", "stop_mailing": "stopped"}
    return [begun, after.get(act["action"], state), why, ended]


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
        for anchor in (anchor for anchor in anchors if anchor["event"] == self.event["slug"]):
            found = self.hashes[anchor["seq"]] if anchor["seq"] < len(self.hashes) else ""
            if found != anchor["hash"]:
                how = "is not the one that was anchored" if found else "was anchored and is no longer there"
                self.find(f"audit entry {anchor['seq']}", how)
        self.acts, self.things, self.statuses = (defaultdict(list) for _ in range(3))
        for entry in self.rows["entry"]:
            self.acts[entry["action"]].append(entry)
            self.things[entry["thing"]].append(entry)
            if entry["action"] in STATUS_AFTER:
                self.statuses[entry["thing"]].append(entry)
        records = (self.check_rulings, self.check_records, self.check_decisions)
        for check in (self.check_sheets, *records, self.check_releases):
            check()
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
        if self.event["head"] != {"seq": len(hashes) - 1, "hash": hashes[-1]}:
            self.find("audit head", "is not the last entry")
        return hashes

    def status(self, number, before):
        """An entrant's status just before an entry of the log."""
        acts = [entry for entry in self.statuses[f"entrant {number:04d}"] if entry["seq"] < before]
        return STATUS_AFTER[acts[-1]["action"]] if acts else "ok"

    def check_sheets(self):
        """Every version against its acts; of each table the newest locked version counts."""
        there = {sheet["thing"] for sheet in self.rows["sheet"]}
        for thing in self.things.keys() - there:
            if re.fullmatch(r"scoresheet \S+ v\d+", thing):
                self.find(thing, "is in the log and no longer there")
        newest = {}
        for sheet in self.rows["sheet"]:
            self.check_sheet(sheet, self.things[sheet["thing"]])
            place = (sheet["stage"], sheet["session"], sheet["table"])
            newest[place] = max(newest.get(place, 0), sheet["version"] * (sheet["state"] in LOCKED))
        for sheet in self.rows["sheet"]:
            counts = newest.get((sheet["stage"], sheet["session"], sheet["table"])) == sheet["version"]
            if counts != sheet["counts"]:
                self.find(sheet["thing"], "counts and should not" if sheet["counts"] else "does not count and should")

    def check_sheet(self, sheet, acts):
        """One version."""
        thing, moved = sheet["thing"], [act for act in acts if moves(act)]
        if not moved:
            return self.find(thing, "is not in the log")
        last = moved[-1]
        for one, other in pairwise(moved):
            if other["revision_before"] != one["revision_after"]:
                self.find(thing, f"its entries {one['seq']} and {other['seq']} do not follow")
        said = {"revision": last["revision_after"], "digest": last["digest_after"]}
        for name, value in {**said, "state": STATE_AFTER.get(last["action"], sheet["state"])}.items():
            if sheet[name] != value:
                self.find(thing, f"{name} is {sheet[name]}, in the log {value}")
        if sheet["state"] in LOCKED | {"ready"} or (sheet["state"] == "disputed" and sheet["digest"]):
            if values_of(sheet) != last["digest_after"]:
                self.find(thing, f"values give {values_of(sheet)[:16]}, in the log {last['digest_after'][:16]}")
        elif sheet["games"]:
            self.find(thing, "has games and should not")
        for game, line in ((played, line) for played in sheet["games"] for line in played["lines"]):
            if sheet["seats"].get(line["letter"]) != line["entrant"]:
                self.find(f"{thing} game {game['number']} {line['letter']}", "is another entrant's")
        self.check_lock(sheet, last)
        stamps = [{"at": act["at"], "by": act["actor"]} for act in acts if act["action"] == "stamp_scoresheet"]
        if sheet["stamp"] != (stamps or [None])[-1]:
            self.find(thing, f"stamp is {sheet['stamp']}, in the log {stamps}")

    def check_lock(self, sheet, last):
        """Who locked it when, and that all who had to sign have signed these values."""
        thing, signatures = sheet["thing"], {e["letter"]: e for e in sheet["signatures"] if not e["superseded"]}
        self.check_drawn(sheet)
        if sheet["state"] not in LOCKED:
            if any(not one["drawn"] for one in signatures.values()):
                self.find(thing, "has signatures and is not locked")
            return
        if (sheet["locked_at"], sheet["locked_by"]) != (last["at"], last["actor"]):
            self.find(thing, "was locked by another or at another time")
        judges = {last["actor"], *(e["actor"] for e in self.things[thing] if e["action"] == "propose_correction")}
        wanted = {letter for letter, number in sheet["seats"].items() if self.status(number, last["seq"]) == "ok"}
        for letter in sorted(wanted ^ signatures.keys()):
            self.find(f"{thing} signature {letter}", "is missing" if letter in wanted else "is one too many")
        for letter, one in sorted(signatures.items()):
            told = (one["digest"], one["entrant"], one["recorded_at"], one["recorded_by"])
            said = (last["digest_after"], sheet["seats"].get(letter), last["at"], last["actor"])
            if told[: 2 if one["drawn"] else 4] != said[: 2 if one["drawn"] else 4]:
                self.find(f"{thing} signature {letter}", f"is {told}, must be {said}")
            judge, held = one["chief_judge"], self.roles(one["chief_judge"], last["seq"])
            if one["present"] != (judge is None) or (judge and (judge not in judges or "chief_judge" not in held)):
                self.find(f"{thing} signature {letter}", "stands for no chief judge's decision")
        if last["action"] == "approve_correction":
            if any(one["present"] or one["missing_reason"] != last["reason"] for one in signatures.values()):
                self.find(thing, "its signatures are not the correction's")
            return
        reasons = [f"{letter}: {one['missing_reason']}" for letter, one in sorted(signatures.items())]
        if "; ".join(reason for reason in reasons if not reason.endswith(": "))[:500] != last["reason"]:
            self.find(thing, "its reasons for missing signatures are not those in the log")

    def check_drawn(self, sheet):
        """Each signature that was drawn has its entry with the drawing's digest, and counts until values may change."""
        thing, said = sheet["thing"], Counter()
        for act in (act for act in self.things[thing] if act["action"] == "sign_scoresheet"):
            later = [STATE_AFTER.get(e["action"]) for e in self.things[thing] if e["seq"] > act["seq"] and moves(e)]
            drawn = (act["at"], act["actor"], act["digest_before"], act["digest_after"])
            said[f"{thing} signature {act['reason'][:1]}", *drawn, bool(UNSIGNED & set(later))] += 1
        names, kept = ("recorded_at", "recorded_by", "digest", "drawn", "superseded"), Counter()
        for one in (one for one in sheet["signatures"] if one["drawn"]):
            kept[f"{thing} signature {one['letter']}", *(one[name] for name in names)] += 1
        self.same(kept, said, "drawing")

    def check_rulings(self):
        """Rulings and the log agree, and so do the statuses."""
        kept, said, ageless = Counter(), Counter(), "age_accepted"
        for row in self.rows["ruling"]:
            by = row["ruling"] != ageless and row["by"]
            kept[f"entrant {row['entrant']}", row["ruling"], row["reason"], by] += 1
        for act, kind in ((act, kind) for action, kind in RULING_OF.items() for act in self.acts[action]):
            said[act["thing"], kind, act["reason"], kind != ageless and act["actor"]] += 1
        self.same(kept, said, "ruling")
        for number, status in self.event["statuses"].items():
            said_status = self.status(int(number), len(self.hashes))
            if status != said_status:
                self.find(f"entrant {number}", f"status is {status}, in the log {said_status}")

    def roles(self, account, before):
        """The roles that an account held just before an entry of the log."""
        held, acts = set(), self.acts["grant_role"] + self.acts["revoke_role"]
        for act in sorted(acts, key=lambda act: act["seq"]):
            _word, named, *role = act["thing"].split(" ")
            if act["seq"] < before and named == str(account):
                (held.update if act["action"] == "grant_role" else held.difference_update)(role)
        return held

    def check_records(self):
        """Corrections, disputes, void sheets, second typings, papers, answers; two sides; revisions."""
        said = defaultdict(list)
        for thing, acts in self.things.items():
            for kind, facts in said_of(acts, self.rows["entry"]).items():
                said[kind, thing] = facts
        kept = {(row["record"], row["thing"]): row["facts"] for row in self.rows["record"]}
        if all(kind != "session" for kind, _thing in kept):
            # Written before the evidence had sessions; what moved them is compared as clocks all the same.
            said = {key: facts for key, facts in said.items() if key[0] != "session"}
        said = defaultdict(list, said)
        self.add_conduct(kept, said)
        for kind, thing in sorted(kept.keys() | said.keys()):
            if kept.get((kind, thing)) != said.get((kind, thing)):
                self.find(thing, f"its {kind} is not as in the log: {kept.get((kind, thing))}")
        for thing, revision in self.event["revisions"].items():
            moved = [act["revision_after"] for act in self.things[thing] if moves(act)]
            if revision != (moved or [1])[-1]:
                self.find(thing, f"revision is {revision}, in the log {(moved or [1])[-1]}")
        for act in (act for action in TWO_SIDES for act in self.acts[action]):
            asked = [e["actor"] for e in self.things[act["thing"]] if e["action"] == TWO_SIDES[act["action"]]]
            one, other = (self.roles(who, act["seq"]) for who in (act["actor"], (asked or [None])[-1]))
            both = ("chief_judge" in one and "organiser" in other) or ("organiser" in one and "chief_judge" in other)
            if not both or act["actor"] == asked[-1]:
                self.find(act["thing"], f"{act['action']} without a chief judge and an organiser, two accounts")
        for act in self.acts["decide_dispute"] + self.acts["decide_contest"] + self.acts["announce_lots"]:
            if "chief_judge" not in self.roles(act["actor"], act["seq"]):
                what = act["action"].removeprefix("decide_")
                self.find(act["thing"], f"its {what} was decided by somebody who is not the chief judge")

    def add_conduct(self, kept, said):
        """Acts at tables and tablets: who, when, what. An entry without a digest is older than that; its row is not
        compared."""
        old, used = set(), sha(plain(["used"]))
        for act in self.rows["entry"]:
            kinds = [(KIND_OF.get(act["action"]), act["thing"], act["digest_after"])]
            kinds += [("pairing", act["reason"], act["digest_after"] and used)] * (act["action"] == "pair_tablet")
            timed = sha(plain(["new_times", "", "", None, act["reason"], None, ""]))
            kinds += [("clock", act["thing"], timed)] * (act["action"] == "set_session_times")
            for kind, thing, digest in kinds:
                if kind and digest:
                    said[kind, thing].append([act["actor"], act["at"], digest])
                elif kind:
                    old.add((kind, thing, act["actor"], act["at"]))
        for kind, thing in [key for key in kept if key[0] in BESIDE]:
            rows = [one for one in kept.pop((kind, thing)) if (kind, thing, *one[:2]) not in old]
            if rows:
                kept[kind, thing] = sorted(rows, key=plain)
        for key in (key for key in said if key[0] in BESIDE):
            said[key].sort(key=plain)

    def check_decisions(self):
        """Decisions of a tie and the log agree."""
        kept = Counter()
        for row in self.rows["decision"]:
            admitted, order = (" ".join(f"{one:04d}" for one in row.get(name, ())) for name in ("admitted", "order"))
            text = f"{row['method']}: {admitted} for {row['places']} {'reserve ' * row.get('reserve', False)}places. "
            seed = f" Seed: {row['seed']}." if order and row["seed"] else ""
            second = [row["agreed_by"]] * bool(row.get("agreed_by"))
            text += row["reason"] + seed + f" Order: {order}." * bool(order)
            text += "".join(f" Agreed to by account {one}." for one in second)
            values = [row[name] for name in ("tied", "places", "admitted", "method", "reason", "seed")]
            more = [row.get(name) for name in ("order", "play_off", "reserve")]
            kept[
                f"stage {row['stage']}",
                text[:500],
                row["by"],
                row["at"],
                sha(plain(values + more * any(more + second) + second)),
            ] += 1
        told = ("thing", "reason", "actor", "at", "digest_after")
        self.same(kept, Counter(tuple(act[name] for name in told) for act in self.acts["decide_tie"]), "decision")

    def same(self, kept, said, what):
        """Nothing is kept that was not said, and the other way round."""
        for found, how in ((kept - said, "is not in the log"), (said - kept, "is no longer there")):
            for thing, *facts in found.elements():
                self.find(thing, f"the {what} {facts} {how}")

    def check_releases(self):
        """Content, digest, sheets, place in the log, withdrawal."""
        said = {act["digest_after"]: act for act in self.acts["release"]}
        sheets = {(one["session_code"], one["table"], one["version"]): one["digest"] for one in self.rows["sheet"]}
        for row in self.rows["release"]:
            thing, content = f"release {row['number']}", row["content"]
            act = said.pop(row["digest"], None)
            digest = row["digest"]
            for erased in (one for one in self.acts["erase_names"] if one["thing"] == thing):
                if erased["digest_before"] != digest:
                    self.find(thing, "its names were erased from another content than it had")
                digest = erased["digest_after"]
            if sha(plain(content)) != digest:
                self.find(thing, "its content does not give its digest")
            if act and act["digest_before"] not in ("", sha(plain(nameless(content)))):
                self.find(thing, "its figures are not those that were released")
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
        kept, gone = Counter(), Counter((e["thing"], e["actor"], e["reason"]) for e in self.acts["withdraw_release"])
        for row in (row for row in self.rows["release"] if row["withdrawn"]):
            kept[f"release {row['number']}", row["withdrawn_by"], row["withdrawn_reason"]] += 1
        self.same(kept, gone, "withdrawal")


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
                if row["format"] != 4:
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
        anchors = [json.loads(line) for name in arguments[1:] for line in Path(name).read_text("utf-8").splitlines()]
        findings = [finding for event in events for finding in event.check(anchors)]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, UnboundLocalError) as error:
        print(f"Incomplete: {error}", file=sys.stderr)
        return 3
    for event in events:
        entries, sheets = len(event.rows["entry"]), len(event.rows["sheet"])
        print(f"{event.event['slug']}: {entries} entries, {sheets} sheets, head {event.hashes[-1]}")
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"ALTERED: {len(findings)} findings" if findings else "clean")
    return 2 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
