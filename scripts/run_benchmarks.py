"""`make benchmarks`: every script of benchmarks/ in turn, each with files of its own; the first that fails ends it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BENCHMARKS_PROJECT_ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run them in order of name; return the first exit code that is not 0."""
    for script in sorted((BENCHMARKS_PROJECT_ROOT / "benchmarks").glob("*.py")):
        print(f"== {script.relative_to(BENCHMARKS_PROJECT_ROOT)} ==", flush=True)
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            own = {
                "VAR_DIR": folder,
                "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
                "PYTHONPATH": str(BENCHMARKS_PROJECT_ROOT),
            }
            done = subprocess.run([sys.executable, str(script)], cwd=BENCHMARKS_PROJECT_ROOT, env={**os.environ, **own})
        if done.returncode != 0:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
