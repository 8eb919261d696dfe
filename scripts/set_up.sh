#!/bin/sh
# Finds the Python that scripts/set_up.py makes .venv with. Where there is none at all, says so with what else is missing.
set -eu
cd "$(dirname "$0")/.."

supported='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
# One that can make .venv; one that needs only its venv module; any other, to say that it is too old.
for wanted in "import ensurepip; $supported" "$supported" "import sys; sys.exit(sys.version_info < (3, 8))"; do
    for python in python3 python3.13 python3.12 python3.11 .venv/bin/python; do
        if "$python" -c "$wanted" >/dev/null 2>&1; then
            exec "$python" -m scripts.set_up "$@"
        fi
    done
done

sudo=$([ "$(id -u)" = 0 ] || echo "sudo ")
update=$(ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || echo "${sudo}apt-get update && ")
{
    echo "This is in the way:"
    echo "  - Python 3.11, 3.12 or 3.13 is missing."
    [ -w . ] || echo "  - $(pwd) cannot be written to. Copy it to a folder that is yours."
    echo "  What is missing comes with (Debian 12 and 13, Ubuntu 24.04):"
    echo "      ${update}${sudo}apt-get install python3 python3-venv"
} >&2
exit 1
