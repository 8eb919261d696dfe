"""Q15: everything that is done behind the log's back, looked for by both verifiers, and undone; what was not named."""

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from tests.guards_lifted import lift, lifted, settle_constraints
from tests.reliability import tamper_log, tampers
from tests.reliability.false_alarms import SCRIPT, Undone
from tournament.audit.models import AuditHead
from tournament.audit.triggers.trigger_rules import tables_with_triggers
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.operations.services import audit_export
from tournament.operations.services.audit_chain import ChainAnchor
from tournament.operations.services.audit_verification import verify_events


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is as if it had never been."""
    try:
        with transaction.atomic():
            yield
            raise Undone
    except Undone:
        pass


def heads(event: Event) -> list[ChainAnchor]:
    """Heads that were written down along the way, every fiftieth and the last."""
    rows = event.audit_entries.order_by("seq").values_list("seq", "hash")
    return [ChainAnchor(event.slug, seq, digest) for seq, digest in rows if seq % 50 == 0] + [
        ChainAnchor(event.slug, *AuditHead.objects.values_list("seq", "hash").get(event=event))
    ]


def by_script(anchors: list[ChainAnchor]) -> tuple[int, str]:
    """Exit status and findings of the second implementation, run as an outsider runs it."""
    with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
        evidence, written = Path(folder) / "evidence", Path(folder) / "anchors"
        audit_export.export_evidence(evidence)
        written.write_text("".join(json.dumps(anchor._asdict()) + "\n" for anchor in anchors))
        command = [sys.executable, "-I", "-S", str(SCRIPT), str(evidence), str(written)]
        done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


def load_script() -> Any:
    """The second implementation as a module, so that it need not be started for each tampering."""
    spec = importlib.util.spec_from_file_location("verify_audit", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


SECOND = load_script()


def program_finds(anchors: list[ChainAnchor]) -> list[str]:
    """What the first verifier says, altered or incomplete."""
    report = verify_events(anchors=anchors, files=False)
    return [*(f"{one.subject} {one.code}" for one in report.findings), *report.incomplete]


def script_finds(lines: list[dict[str, Any]], anchors: list[ChainAnchor]) -> list[str]:
    """What the second says of these lines of evidence."""
    events = [SECOND.EventVerifier(line) for line in lines if line["kind"] == "event"]
    for line in lines[2:]:
        events[-1].lines[line["kind"]].append(line)
    written = [anchor._asdict() for anchor in anchors]
    return [found for one in events for found in one.check(written)]


def findings(anchors: list[ChainAnchor]) -> list[list[str]]:
    """What each of the two finds."""
    case = Case(anchors)
    return [case.findings(0), case.findings(1)]


Says = Callable[[list[str]], bool]


class Case:
    """Something that was done and stands while this is used: the anchors at hand, and by the name of each thing done
    what each verifier has to say. None: it is not for this verifier to find."""

    def __init__(self, anchors: list[ChainAnchor], said: dict[str, tuple[Says | None, Says | None]] | None = None):
        self.anchors, self.said = anchors, said or {}

    @cached_property
    def evidence(self) -> list[dict[str, Any]]:
        """The lines that are exported for the second verifier."""
        return list(audit_export.evidence_rows(""))

    def findings(self, verifier: int) -> list[str]:
        """What the first (0) or the second (1) finds."""
        if verifier == 0:
            return program_finds(self.anchors)
        try:
            return script_finds(self.evidence, self.anchors)
        except BadInput as refused:
            return [str(refused)]

    def missed(self, verifier: int) -> list[str]:
        """What this verifier does not name."""
        found = self.findings(verifier)
        return [name for name, says in self.said.items() if (must := says[verifier]) is not None and not must(found)]


def unfound(cases: Iterable[Case]) -> tuple[int, list[str]]:
    """How many things were done, and each that one of the two did not name."""
    tried, missed = 0, list[str]()
    for case in cases:
        tried += len(case.said)
        for verifier, which in enumerate(("first", "second")):
            missed += [f"{name}: {which}" for name in case.missed(verifier)]
    return tried, missed


def says(text: str) -> Says:
    return lambda said: any(text in line for line in said)


# --- Rows -----------------------------------------------------------------------------------------------
def row_cases(event: Event, only: Callable[[tampers.Tamper], bool] = lambda one: True) -> Iterator[Case]:
    """Everything that is done to recorded rows, several at once where none hides another."""
    anchors = heads(event)
    with undone():
        settle_constraints()
        lift()
        with tampers.checks_lifted():
            wanted = [one for one in tampers.tampers(event.pk) if only(one)]
            for batch in tampers.batches(wanted):
                with undone():
                    for one in batch:
                        tampers.do(one, event.pk)
                    yield Case(anchors, {one.name: (partial(is_named, one),) * 2 for one in batch})


def is_named(one: tampers.Tamper, said: list[str]) -> bool:
    return any(names(one, line) for line in said)


def names(one: tampers.Tamper, line: str) -> bool:
    """Whether a finding names the row, and of a change the field; or that the row is no longer where it was."""
    gone = f"{one.row} row_missing" in line or f"{one.row}: is in the log and no longer there" in line
    if one.model is Event and one.act == "delete":
        return "There is no event." in line or "There is no such event." in line
    return f"{one.named} " in line or f"{one.named}:" in line or (one.act == "change" and gone)


# --- The log and the guards -----------------------------------------------------------------------------
def log_cases(event: Event) -> Iterator[Case]:
    """What is done to the log itself."""
    anchors = heads(event)
    for name, act in tamper_log.ACTS.items():
        with undone():
            with lifted():
                named = act()
            yield Case(anchors, {name: (says(named), says(named))})
            if name == tamper_log.ANCHORED:
                assert findings([]) == [[], []], f"{name}: found without an anchor"


def unfound_guards() -> tuple[int, list[str]]:
    """The same of the guards: one of each table gone, all at once, and one that does nothing; by the first
    verifier alone."""
    tables = list(dict.fromkeys(tables_with_triggers()))
    missed = unnamed({f"drop the guard of {table}": drop_guard(table) for table in tables})
    return len(tables) + 1, missed + unnamed({"hollow out a guard": hollow_out_guard})


def unnamed(acts: dict[str, Callable[[], str]]) -> list[str]:
    """Do all of them; those that the first verifier does not name."""
    with undone():
        settle_constraints()
        named = {name: act() for name, act in acts.items()}
        subjects = [found.subject for found in verify_events(files=False).findings]
        missed = [name for name, guard in named.items() if not any(guard in subject for subject in subjects)]
    return missed


def drop_guard(table: str) -> Callable[[], str]:
    """Take the guard of one table away."""

    def drop() -> str:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER guard_{table}_update")
                return f"guard_{table}_update"
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER guard_each_{table}")
        return f"guard_{table}"

    return drop


def hollow_out_guard() -> str:
    """A trigger of the right name that does nothing."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER guard_tournament_line_update")
            cursor.execute(
                "CREATE TRIGGER guard_tournament_line_update BEFORE UPDATE ON tournament_line FOR EACH ROW"
                " BEGIN SELECT 1; END"
            )
            return "guard_tournament_line_update"
        cursor.execute(
            "CREATE OR REPLACE FUNCTION guard_tournament_line() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN RETURN NEW; END'"
        )
    return "guard_tournament_line"
