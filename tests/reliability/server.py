"""The real server as a process group of its own, so that it can be killed whole and at once."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """gunicorn on one port of 127.0.0.1, of the project in `folder`; started again it keeps the port."""

    def __init__(
        self,
        application: str,
        environment: Mapping[str, str] | None = None,
        workers: int = 2,
        wrapper: tuple[str, ...] = (),
        folder: Path = ROOT,
    ) -> None:
        self.port = free_port()
        self.folder = folder
        self.environment = {**os.environ, **(environment or {}), "ALLOWED_HOSTS": "127.0.0.1", "PLAIN_STATIC": "1"}
        bind = ["--bind", f"127.0.0.1:{self.port}", "--workers", str(workers), "--threads", "4"]
        self.command = [*wrapper, sys.executable, "-m", "gunicorn", application, *bind, "--log-level", "critical"]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, patience: float = 60) -> None:
        """Start, and wait until it answers."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env=self.environment, start_new_session=True, **quiet
        )
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.url}/sign-in/", timeout=5).read()
                return
            except OSError:
                time.sleep(0.05)
        self.kill()
        raise TimeoutError("the server did not answer")

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End every process of the group; nothing is said goodbye to."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.wait()
