#!/usr/bin/env python
"""Django's command line for this project, on the data of the server that runs here and as the account it belongs to."""

import os
import sys

from django.core.management import execute_from_command_line

from tournament.core import installation_folder

# As a shell says it of a command that Ctrl-C has ended.
INTERRUPTED = 130


def main() -> None:
    """Find the data, become its owner, do what was asked for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    try:
        data = installation_folder.read_environment()
        # The service's account need not be able to read the server's file again.
        os.environ["VAR_DIR"] = str(data)
        os.environ.pop(installation_folder.ENVIRONMENT_FILE_VARIABLE, None)
        account = installation_folder.act_as_owner(data)
    except (installation_folder.AmbiguousFolder, OSError) as refusal:
        sys.exit(str(refusal))
    if account is not None:
        print(f"Working as {account}, to whom {data} belongs.", file=sys.stderr)
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
