"""`python -m tests.reliability.drill_source FOLDER`: an event played and released, with scans, and its backup.

In FOLDER afterwards: the backup, `rows.json` as it was then, `anchors` with a head that the backup reaches, and
`later` with one that it does not, since three entries came after it.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.reliability import django_ready
from tests.reliability.drill_rows import rows_there
from tests.small_event import small_fixtures
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.demo.stages import seed_event
from tournament.operations.services import audit_verification, backup
from tournament.sheets.services import scans
from tournament.tables.models import Table

PASSWORD = "a long enough password"
AGREEING = {"drill organiser": Role.ORGANISER, "drill judge": Role.CHIEF_JUDGE}
LATER = ("clerk one", "clerk two", "clerk three")


def main(folder: Path) -> None:
    django_ready.make_tables()
    with tempfile.TemporaryDirectory(prefix="fixtures-") as fixtures:
        event = seed_event("released", 2, small_fixtures(Path(fixtures)))
    organisers = [account(event, name, role) for name, role in AGREEING.items()]
    for table in Table.objects.filter(session__stage__event=event).select_related("session__stage__event")[:3]:
        content = f"%PDF-1.4 {table.number} {'x' * 500} %%EOF".encode()
        scans.attach_scan_to_table(table, content=content, by=organisers[0], request_key=f"drill-{table.pk}")
    audit_verification.write_anchor(folder / "anchors")
    # Before it: that it is finished and safe is noted after it, and so not in it.
    (folder / "rows.json").write_text(json.dumps(rows_there()), encoding="utf-8")
    made = backup.create_backup(folder)
    for name in LATER:
        account(event, name, Role.CLERK)
    audit_verification.write_anchor(folder / "later")
    print(json.dumps({"path": str(made.path), "findings": [str(one) for one in made.findings]}))


def account(event: Event, name: str, role: Role) -> Any:
    return accounts.create_account(event, name.replace(" ", "_"), PASSWORD, name, [role])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
