#!/bin/sh
# Makes .venv and installs one requirements file into it; what is already there is left as it is, without the network.
# What is missing on the machine is named with the command that brings it.
set -eu
cd "$(dirname "$0")/.."

missing() {
    echo "Missing: $1" >&2
    echo "It comes with: $2" >&2
    exit 1
}

find_python() {
    for candidate in python3.11 python3; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

if [ ! -x .venv/bin/python ]; then
    python=$(find_python)
    [ -n "$python" ] || missing "Python 3.11" "apt-get install python3.11 python3.11-venv (Debian 12: python3 python3-venv)"
    version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        missing "the venv module of $version" "apt-get install $version-venv (or python3-venv)"
    echo "Making .venv with $version ..."
    "$python" -m venv .venv
fi
exec .venv/bin/python scripts/install_requirements.py "$1"
