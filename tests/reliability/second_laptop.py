"""The drill of a dead laptop: a real event served by `make event`, a backup, the key, a kill; on a second folder what
the page says, until a tablet that nobody touched has saved. Minutes and commands; the control restores into a folder
that the server does not read, as a bare command once did.
"""

import argparse
import json
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from ssl import create_default_context
from typing import Any

from django.db import connection

from tests.laptops import WORLD, Laptop, free_port
from tests.reliability.clients_tablet import MADE_AT, RACKS
from tests.reliability.figures import Figure

PAIR = """
from tests.reliability.world import pair_tablet
print(pair_tablet(world.session, referee, (1,), world.organiser), referee.pk)
"""


def figures(_options: argparse.Namespace) -> list[Figure]:
    """One drill, and its control."""
    with tempfile.TemporaryDirectory(prefix="laptops-") as folder:
        port = free_port()
        first, second, other = (Laptop(Path(folder) / name, port) for name in ("first", "second", "other"))
        try:
            facts, saved, careless = drill(first, second, other)
        finally:
            for laptop in (first, second, other):
                laptop.end()
    title = "drills of a dead laptop after which a tablet could not save at the second"
    figure = Figure("laptop", title, connection.vendor, 1, int(not saved), 1)
    figure.control_n, figure.control_failures, figure.facts = 1, int(not careless), facts
    return [figure]


def drill(first: Laptop, second: Laptop, other: Laptop) -> tuple[dict[str, Any], bool, bool]:
    """What it took, whether the tablet's save was taken, and whether it was in the control."""
    first.start("make event ORGANISER=head")
    token, referee = first.python(WORLD + PAIR).split()
    before = save(first, token, int(referee), 0)
    backup = Path(first.run(".venv/bin/python manage.py backup create").stdout.strip())
    sealed = first.run(".venv/bin/python manage.py signature_key --show").stdout.split()[1]
    first.die()

    died = time.monotonic()
    restored = second.run(f"make restore FILE={backup}", typed=f"{sealed}\n")
    in_between = time.monotonic()
    second.start("make event")
    after = save(second, token, int(referee), before[1])
    facts = {
        "minutes": round((time.monotonic() - died) / 60, 2),
        "minutes of restoring": round((in_between - died) / 60, 2),
        "commands": len(second.typed),
        "restored": restored.returncode == 0,
    }
    second.end()

    aside = f"VAR_DIR={other.folder / 'var'} .venv/bin/python manage.py"
    other.run(f"{aside} signature_key --add", typed=f"{sealed}\n")
    other.run(f"{aside} restore {backup}")
    other.start("make event")
    return facts, (before[0], after[0]) == (200, 200), save(other, token, int(referee), before[1])[0] == 200


def save(laptop: Laptop, token: str, referee: int, revision: int) -> tuple[int, int]:
    """A tablet's save at table 1: the status, and the sheet's revision by then."""
    said = {"referee": referee, "made_at": MADE_AT, "typed": RACKS, "confirmations": {}}
    headers = {
        **{"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex, "X-Client-Schema": "1"},
        **{"If-Match": f'"v{revision}"', "Cookie": f"tablet={token}"},
    }
    address = f"{laptop.url}/api/v1/tablet/tables/1/save/"
    request = urllib.request.Request(address, json.dumps(said).encode(), headers, method="POST")
    context = create_default_context(cafile=str(laptop.authority))
    try:
        with urllib.request.urlopen(request, context=context, timeout=30) as reply:
            [table] = [one for one in json.load(reply)["state"]["tables"] if one["number"] == 1]
            return int(reply.status), int(table["sheet"]["revision"])
    except urllib.error.HTTPError as refused:
        return refused.code, revision
