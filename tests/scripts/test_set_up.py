"""`.venv` is made whole or not at all: after an interruption the next start has the one of before, or makes it anew."""

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from scripts.set_up import Environment

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120
WHEEL = "tiny-{version}-py3-none-any.whl"
METADATA = "Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n"
FORMAT = "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass
class Checkout:
    """A folder with the set-up's own files, and requirements that a wheel beside them meets, without any network."""

    folder: Path

    def __post_init__(self) -> None:
        (self.folder / "scripts").mkdir(parents=True)
        for name in ("set_up.sh", "set_up.py", "preflight.py"):
            shutil.copy(ROOT / "scripts" / name, self.folder / "scripts" / name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "python3").symlink_to(os.path.realpath(sys.executable))
        self.require("1.0")

    def require(self, version: str, there: bool = True) -> None:
        """This version, with or without its wheel."""
        wheel = self.folder / WHEEL.format(version=version)
        (self.folder / "requirements.txt").write_text(f"{wheel}\n", encoding="utf-8")
        (self.folder / "requirements-dev.txt").write_text("-r requirements.txt\n", encoding="utf-8")
        about = f"tiny-{version}.dist-info"
        if there:
            with zipfile.ZipFile(wheel, "w") as made:
                made.writestr("tiny.py", f"VERSION = '{version}'\n")
                made.writestr(f"{about}/METADATA", METADATA.format(version=version))
                made.writestr(f"{about}/WHEEL", FORMAT)
                made.writestr(f"{about}/RECORD", "")

    @property
    def shell(self) -> dict[str, str]:
        """Somebody's who has no network: uv cannot be had, so pip installs."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "PYTHON"))}
        return {**own, "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "PIP_NO_INDEX": "1"}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """As make starts it, in a process group of its own."""
        command = ["sh", "scripts/set_up.sh", *(arguments or ("requirements.txt",))]
        out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
        # A suite in the background ignores Ctrl-C, and so would what it starts.
        hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        return subprocess.Popen(command, cwd=self.folder, env=self.shell, preexec_fn=hears, **out)

    def run(self, *arguments: str) -> tuple[int, str]:
        """Status, and what it said."""
        process = self.start(*arguments)
        said, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, said

    def version(self) -> str:
        """What is installed; empty where nothing is."""
        asked = [self.folder / ".venv" / "bin" / "python", "-c", "import tiny; print(tiny.VERSION)"]
        if not asked[0].exists():
            return ""
        return subprocess.run(asked, capture_output=True, text=True).stdout.strip()

    def left(self) -> set[str]:
        """What is in the folder beside what was there before."""
        return {path.name for path in self.folder.iterdir() if path.name.startswith(".")}

    def interrupt(self, how: signal.Signals) -> str:
        """Begin, and end it in the middle of the making; what it said."""
        process = self.start()
        until = time.monotonic() + PATIENCE
        while not (self.folder / ".venv" / "unfinished").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(0.2)
        os.killpg(process.pid, how)
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode != 0
        return said


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Nothing is made in it yet."""
    return Checkout(tmp_path / "a folder 資料夾")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """One whose .venv was made; what it said is kept."""
    checkout = Checkout(tmp_path_factory.mktemp("made") / "checkout")
    status, said = checkout.run("requirements-dev.txt")
    assert status == 0, said
    (checkout.folder / "said").write_text(said, encoding="utf-8")
    return checkout


@pytest.fixture
def whole(checkout: Checkout, made: Checkout) -> Checkout:
    """One with a copy of that .venv."""
    shutil.copytree(made.folder / ".venv", checkout.folder / ".venv", symlinks=True)
    assert checkout.run()[0] == 0
    return checkout


def test_it_is_made_once_and_then_left_as_it_is_and_what_includes_a_file_has_installed_it(made: Checkout) -> None:
    said = (made.folder / "said").read_text(encoding="utf-8").splitlines()
    version = "{}.{}".format(*sys.version_info[:2])
    assert (said[0], made.version(), made.left()) == (f"Making .venv with Python {version} ...", "1.0", {".venv"})
    assert made.run("requirements-dev.txt") == (0, "")
    assert made.run("requirements.txt") == (0, "")


def test_ctrl_c_ends_it_and_leaves_nothing(checkout: Checkout) -> None:
    said = checkout.interrupt(signal.SIGINT)
    assert (said.splitlines()[-1], "Traceback" in said) == ("Stopped; nothing was changed.", False)
    assert checkout.left() == set()


def test_one_that_the_power_has_interrupted_is_made_anew(checkout: Checkout) -> None:
    checkout.interrupt(signal.SIGKILL)
    assert checkout.left() == {".venv"}
    status, said = checkout.run()
    assert (status, checkout.version(), checkout.left()) == (0, "1.0", {".venv"}), said


def test_one_without_pip_is_made_anew(checkout: Checkout) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout.folder / ".venv"], check=True)
    status, said = checkout.run()
    assert (status, checkout.version(), checkout.left()) == (0, "1.0", {".venv"}), said


def test_one_whose_python_is_gone_or_another_is_not_taken_for_whole(whole: Checkout) -> None:
    found = Environment(whole.folder)
    assert (found.version(), found.has(whole.folder / "requirements.txt")) == (sys.version[:4], True)
    found.python.unlink()
    found.python.symlink_to("/usr/bin/no-such-python")
    assert (found.version(), found.has(whole.folder / "requirements.txt")) == ("", False)


def test_a_change_that_fails_or_breaks_off_leaves_what_was_there_before_it(whole: Checkout) -> None:
    whole.require("2.0", there=False)
    status, said = whole.run()
    assert (status, "Traceback" in said, whole.version(), whole.left()) == (1, False, "1.0", {".venv"})
    assert "The packages could not be installed; nothing was changed." in said
    whole.interrupt(signal.SIGKILL)
    whole.require("1.0")
    # As after `git checkout` of before; that needs no network.
    assert (whole.run(), whole.version()) == ((0, ""), "1.0")
    whole.require("2.0")
    assert (whole.run()[0], whole.version(), whole.left()) == (0, "2.0", {".venv"})


def test_of_two_at_the_same_time_one_waits_for_the_other(checkout: Checkout) -> None:
    both = [checkout.start(), checkout.start()]
    said = [process.communicate(timeout=PATIENCE)[0] for process in both]
    assert ([process.returncode for process in both], checkout.version()) == ([0, 0], "1.0"), said
    waited = "Another make command sets up this folder; this one waits for it ...\n"
    assert sorted(one == waited for one in said) == [False, True]


def test_faults_of_the_set_up_and_of_the_server_after_it_are_said_together_before_anything_is_made(
    checkout: Checkout,
) -> None:
    status, said = checkout.run("requirements.txt", "--target", "demo", "--port", "80000", "--stage", "foo")
    assert (status, checkout.left()) == (1, set())
    assert "STAGE=foo is no stage of the demo" in said and "PORT=80000 is no port" in said


def test_a_machine_without_python_is_told_what_brings_it(checkout: Checkout) -> None:
    (checkout.folder / "bin" / "python3").unlink()
    for name in ("sh", "dirname", "id", "ls", "pwd"):
        (checkout.folder / "bin" / name).symlink_to(shutil.which(name) or "")
    own = {"PATH": str(checkout.folder / "bin")}
    command = [shutil.which("sh") or "", "scripts/set_up.sh", "requirements.txt"]
    done = subprocess.run(command, cwd=checkout.folder, env=own, capture_output=True, text=True)
    assert (done.returncode, done.stdout, checkout.left()) == (1, "", set())
    assert "Python 3.11, 3.12 or 3.13 is missing." in done.stderr
    assert "apt-get install python3 python3-venv\n" in done.stderr
