"""The README is true: its examples answer as printed, its files, commands, stages, sign-ins and addresses are there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import resolve

from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.events import DEMO_EVENTS
from tournament.demo.stages import DEMO_STAGES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\$ echo '(.+)' \| python3 -m scoring (\w+)\n(.+)$", README, re.MULTILINE)


@pytest.mark.parametrize(("document", "verb", "answer"), EXAMPLES, ids=[verb for _, verb, _ in EXAMPLES])
def test_an_example_answers_as_printed(document: str, verb: str, answer: str) -> None:
    command = [sys.executable, "-m", "scoring", verb]
    done = subprocess.run(command, input=document, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"{answer}\n")


def test_there_is_an_example_of_each_verb_that_is_shown() -> None:
    assert [verb for _, verb, _ in EXAMPLES] == ["opening", "game"]


def test_every_picture_and_link_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []


def test_every_folder_and_file_named_is_there() -> None:
    named = re.findall(r"`([a-z_]+(?:/[A-Za-z_.]+)*/?)`", README)
    paths = [name for name in named if "/" in name]
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_make_command_named_is_a_target() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)(?=[ `.]|$)", README, re.MULTILINE)) - targets == set()


def test_the_stages_and_events_are_those_of_the_demo() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| ", README.partition("## The tournament day")[0], re.MULTILINE)
    assert tuple(rows) == (*DEMO_STAGES, *DEMO_EVENTS)


def test_every_sign_in_named_is_an_account() -> None:
    table = README.partition("## Where to start")[2].partition("##")[0]
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| ")][1:]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
    assert named == {"organiser", "clerk", "clerk2", "judge", "auditor"}
    assert named - {account.username for account in DEMO_ACCOUNTS} == set()


def test_every_address_of_the_desk_resolves() -> None:
    addresses = re.findall(r"`(/desk/[a-z0-9/-]*)`", README)
    assert len(addresses) > 3
    for address in addresses:
        assert resolve(address).url_name


def test_make_help_lists_every_command_with_what_it_does() -> None:
    done = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True)
    listed = [line.split()[1] for line in done.stdout.splitlines()]
    assert listed == [
        "help", "demo", "demo-reset", "lan", "event", "restore", "check",
        "test", "reliability", "mutations", "words", "format", "figures", "third-party", "benchmarks", "screenshots",
    ]  # fmt: skip
