#!/usr/bin/env python3
"""Any command of manage.py on a server: `sudo deploy/manage.py COMMAND ...`, from wherever one stands.

It reads the service's own settings and works as the account that the data belongs to, so that nothing is left which the
service cannot read.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = "/etc/tournament/environment"

if __name__ == "__main__":
    os.environ.setdefault("ENVIRONMENT_FILE", SETTINGS)
    os.chdir(ROOT)
    python = str(ROOT / ".venv" / "bin" / "python")
    os.execv(python, [python, "manage.py", *sys.argv[1:]])
