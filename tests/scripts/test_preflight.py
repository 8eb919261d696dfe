"""What stands in the way of a make command is said at once, each fault truly and with what mends it."""

import ast
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from scripts import preflight
from scripts.preflight import Fault, ServingRequest
from tests.laptops import free_port
from tournament.demo.events import DEMO_EVENTS, DEMO_STAGES_OF_ONE_STAGE
from tournament.demo.stages import DEMO_STAGES

ROOT = Path(__file__).resolve().parent.parent.parent
NOBODY = 65534


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of this machine at which somebody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield int(listener.getsockname()[1])


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    """An index of packages that pip is told to use, and no other way; it answers only once it is served."""
    for name in preflight.OTHER_PIP_WAYS:
        monkeypatch.setenv(f"PIP_{name.upper().replace('-', '_')}", "")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{made.server_port}/simple/")
    yield made
    made.server_close()


def as_nobody(code: str, *arguments: str, before: tuple[str, ...] = ()) -> str:
    """What the code prints, with preflight's names, of an account that owns nothing; root starts it."""
    # The interpreter may be one that nobody else can read: what is imported late comes first.
    begun = "import os, sys, encodings.idna; from pathlib import Path; from scripts.preflight import *"
    program = f"{begun}; os.setuid({NOBODY}); {code}"
    done = subprocess.run(
        [*before, sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("port", ["0", "80000", "-1", "http", "8000.5"])
def test_what_is_no_port_is_called_so(port: str) -> None:
    what = f"PORT={port} is no port; one is a number from 1 to 65535."
    assert preflight.port_faults(ServingRequest("demo", port=port)) == [Fault(what, "make demo PORT=8000")]


def test_a_free_port_is_no_fault() -> None:
    assert preflight.port_faults(ServingRequest("lan", port=str(free_port()))) == []


def test_a_port_that_somebody_has_is_called_taken_and_a_free_one_is_named(taken: int) -> None:
    [fault] = preflight.port_faults(ServingRequest("demo", port=str(taken)))
    assert fault.what == f"Port {taken} is taken by another program."
    offered = int(fault.command.removeprefix("make demo PORT="))
    assert (offered != taken, preflight.bind_error("127.0.0.1", offered)) == (True, None)


def test_a_port_that_is_for_root_is_not_called_taken() -> None:
    say = "print(*port_faults(ServingRequest('demo', host='0.0.0.0', port='80')))"
    # A network of its own has the kernel's own rule on ports, whatever this machine's is.
    said = as_nobody(say, before=("unshare", "--net"))
    assert "Port 80 is not permitted: those below 1024 are for root." in said
    assert "make demo PORT=8000" in said


def test_an_address_that_this_machine_has_not_is_called_so() -> None:
    for host in ("192.0.2.7", "no-such-host.invalid"):
        what = f"HOST={host} is no address of this machine; HOST=0.0.0.0 means all of them."
        assert preflight.port_faults(ServingRequest("demo", host)) == [Fault(what, "make demo HOST=0.0.0.0")]


def test_a_stage_and_a_seed_that_are_none_are_said_in_the_words_of_make() -> None:
    faults = preflight.word_faults(ServingRequest("demo-reset", stage="foo", seed="x"))
    stages = "imported, seated, weather, playing, results, released, final, awarded"
    assert faults == [
        Fault(f"STAGE=foo is no stage of the demo: {stages}.", "make demo-reset STAGE=results"),
        Fault("SEED=x is no number.", "make demo-reset SEED=1"),
    ]
    assert preflight.SERVED_DEMO_STAGES == DEMO_STAGES
    assert preflight.SERVED_DEMO_EVENTS == DEMO_EVENTS
    assert {*DEMO_STAGES} - {*DEMO_STAGES_OF_ONE_STAGE} == {*preflight.STAGES_OF_FIRST_EVENT}


def test_an_event_and_a_stage_that_do_not_fit_are_named_with_what_does() -> None:
    events = ", ".join(DEMO_EVENTS)
    asked = [ServingRequest("demo", event="chess"), ServingRequest("demo", event="twist", stage="final")]
    assert [preflight.word_faults(one) for one in asked] == [
        [Fault(f"EVENT=chess is no event of the demo: {events}.", "make demo EVENT=twist")],
        [
            Fault(
                "EVENT=twist ends with its first stage: it has no STAGE=final.", "make demo EVENT=twist STAGE=released"
            )
        ],
    ]
    fit = [ServingRequest("demo", event=one, stage="released") for one in DEMO_EVENTS]
    assert [preflight.word_faults(one) for one in fit] == [[]] * 5


def test_the_demo_is_for_this_machine_alone_and_the_hall_for_its_network_unless_it_is_asked_for() -> None:
    hosts = {target: ServingRequest(target).chosen_host for target in preflight.DEFAULT_HOSTS}
    assert hosts == {"demo": "127.0.0.1", "demo-reset": "127.0.0.1", "lan": "0.0.0.0", "event": "0.0.0.0"}
    assert ServingRequest("demo", "localhost").is_for_this_machine_alone
    assert not ServingRequest("demo", "0.0.0.0").is_for_this_machine_alone


def test_an_index_that_answers_anything_is_a_network(index: HTTPServer) -> None:
    Thread(target=index.serve_forever, args=(0.02,), daemon=True).start()
    assert preflight.network_faults() == []
    index.shutdown()


def test_an_index_that_does_not_answer_is_no_network(index: HTTPServer) -> None:
    index.server_close()
    [fault] = preflight.network_faults()
    assert fault.what.startswith("There is no network: 127.0.0.1 does not answer (")


def test_where_pip_has_other_ways_no_index_is_asked(index: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    index.server_close()
    monkeypatch.setenv("PIP_FIND_LINKS", "/somewhere")
    assert preflight.network_faults() == []


def test_folders_that_cannot_be_written_to_are_named(tmp_path: Path) -> None:
    for part in (tmp_path, *tmp_path.parents):
        if part.stat().st_mode & 0o005 != 0o005:
            part.chmod(0o755)
    said = as_nobody("at = Path(sys.argv[1]); print(folder_faults(at), data_folder_faults(at / 'a/b'))", str(tmp_path))
    assert f"{tmp_path} cannot be written to. A copy that is yours can:" in said
    assert f"{tmp_path}/a/b cannot be written to; VAR_DIR names another folder:" in said
    os.chown(tmp_path, NOBODY, NOBODY)
    assert as_nobody("at = Path(sys.argv[1]); print(folder_faults(at))", str(tmp_path)) == "[]"


def test_a_disk_that_is_too_small_is_named() -> None:
    [fault] = preflight.disk_faults(10**9)
    assert "MB left, and 1000000000 MB are needed." in fault.what
    assert preflight.disk_faults(1) == []


def test_a_python_that_the_program_does_not_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ((3, 9, 2), (3, 14, 0)):
        monkeypatch.setattr(sys, "version_info", version)
        what = f"Python 3.11, 3.12 or 3.13 is missing; python3 here is 3.{version[1]}."
        assert preflight.python_faults() == [Fault(what, packages=("python3", "python3-venv"))]


def test_the_pythons_named_are_those_of_the_project_and_the_documents() -> None:
    first, last = ("{}.{}".format(*preflight.SUPPORTED_PYTHONS[place]) for place in (0, -1))
    after = f"{last.split('.')[0]}.{int(last.split('.')[1]) + 1}"
    assert f'requires-python = ">={first}, <{after}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md", "deploy/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert f"Python {first} to {last}" in text, name
        assert "make python3 python3-venv`" in text, name


def test_all_faults_are_one_report_and_their_packages_one_command() -> None:
    faults = [
        Fault("The venv module of Python 3.13 is missing.", packages=("python3.13-venv",)),
        Fault("SEED=x is no number.", "make demo SEED=1"),
        Fault("nginx is missing.", packages=("nginx-light",)),
    ]
    command = preflight.apt_command(["python3.13-venv", "nginx-light"])
    assert command.endswith("apt-get install python3.13-venv nginx-light")
    assert preflight.report_of(faults).splitlines() == [
        "This is in the way:",
        "  - The venv module of Python 3.13 is missing.",
        "  - SEED=x is no number.",
        "      make demo SEED=1",
        "  - nginx is missing.",
        "  What is missing comes with (Debian 12 and 13, Ubuntu 24.04):",
        f"      {command}",
    ]


@pytest.mark.parametrize("name", ["preflight", "set_up"])
def test_a_python_that_is_too_old_can_read_what_says_so(name: str) -> None:
    text = (ROOT / "scripts" / f"{name}.py").read_text(encoding="utf-8")
    imported = {
        part
        for node in ast.walk(ast.parse(text, feature_version=(3, 8)))
        for part in ([node.module] if isinstance(node, ast.ImportFrom) else [])
        + ([one.name for one in node.names] if isinstance(node, ast.Import) else [])
    }
    assert {part.partition(".")[0] for part in imported} - {"scripts", *sys.stdlib_module_names} == set()
