"""deploy/README.md, "Updating", typed line by line: an event of an early version, the next version of the program, and
the way back. No page is broken by it, neither a new one nor one that was open before."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests import older
from tests.laptops import ROOT
from tests.servers import Server

GUIDE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8").partition("## Updating")[2].partition("\n## ")[0]
NEXT = """
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournament", "{before}")]
    operations = [migrations.RunSQL("CREATE TABLE next_version (id integer)")]
"""
pytestmark = [pytest.mark.long, pytest.mark.fault("X22")]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The version before, with the older event and its static files collected."""
    one = Server(tmp_path)
    styles = one.published / "tournament" / "static" / "css"
    (styles / "given-up.css").write_text("body { margin: 0 }\n", encoding="utf-8")
    with (styles / "base.css").open("a", encoding="utf-8") as base:
        base.write("/* of before */\n")
    one.publish(subject="The version before")
    one.install()
    older.write(one.data / "tournament.sqlite3")
    one.run("sudo deploy/manage.py signature_key")
    one.run("sudo deploy/manage.py collectstatic --noinput")
    yield one
    one.run("sudo systemctl stop tournament-work tournament")


def publish_the_next(server: Server) -> None:
    """Another style, one file less, one page more by its file, and a table."""
    styles = server.published / "tournament" / "static" / "css"
    (styles / "given-up.css").unlink()
    (styles / "base.css").write_bytes((ROOT / "tournament" / "static" / "css" / "base.css").read_bytes())
    (styles / "next.css").write_text("body { margin: 1px }\n", encoding="utf-8")
    migrations = server.published / "tournament" / "migrations"
    before = max(path.stem for path in migrations.glob("[0-9]*.py"))
    (migrations / "9999_next_version.py").write_text(NEXT.format(before=before), encoding="utf-8")
    server.publish(subject="The next version")


def lines_to_type() -> list[str]:
    """The commands of the guide in their order, without what it says beside them."""
    [block] = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    return [line.partition("#")[0].strip() for line in block.splitlines()]


def collected(server: Server) -> dict[str, str]:
    """Static files by their own names: the name that pages give them."""
    paths: dict[str, str] = json.loads((server.data / "static" / "staticfiles.json").read_text())["paths"]
    return paths


def test_the_documented_update_leaves_no_page_broken_and_the_way_back_leads_there(server: Server) -> None:
    before = {name: collected(server)[name] for name in ("css/base.css", "css/given-up.css")}
    publish_the_next(server)

    printed = {line: server.run(line) for line in lines_to_type()}
    server.wait()
    assert "clean" in printed["sudo deploy/manage.py audit verify"]
    assert "next.css" in "".join(collected(server))
    assert collected(server)["css/base.css"] != before["css/base.css"]
    assert {name: server.ask(f"/static/{name}")[0] for name in before.values()} == dict.fromkeys(before.values(), 200)
    for path in ("/sign-in/", "/p/", "/p/hk-2026/", "/p/hk-2026/en/"):
        server.page(path)
    tables = {"next_version", "axes_accessattempt", "tournament_proposal"}
    assert tables <= tables_of(server)

    # The way back, as the guide says it in words.
    backup = printed["sudo deploy/manage.py backup create"].split()[-1]
    noted = printed["git rev-parse HEAD"].strip()
    for said in (
        "`sudo git checkout`",
        "`sudo make runtime`",
        "`tournament.sqlite3*`",
        "`collectstatic --noinput`",
    ):
        assert said in re.sub(r"\s+", " ", GUIDE)
    server.run("sudo systemctl stop tournament-work tournament")
    server.run(f"sudo git checkout --quiet {noted}")
    server.run("sudo make runtime")
    server.run(f"mkdir {server.folder / 'away'} && mv {server.data}/tournament.sqlite3* {server.folder / 'away'}")
    server.run(f"sudo deploy/manage.py restore {backup}")
    server.run("sudo deploy/manage.py collectstatic --noinput")
    server.run("sudo systemctl start tournament tournament-work")
    server.wait()
    assert collected(server)["css/base.css"] == before["css/base.css"]
    assert "next_version" not in tables_of(server)
    for path in ("/sign-in/", "/p/hk-2026/"):
        server.page(path)


def tables_of(server: Server) -> set[str]:
    with closing(sqlite3.connect(server.data / "tournament.sqlite3")) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
