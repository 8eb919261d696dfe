"""The shipped set-up of PostgreSQL: the program signs in as a role that owns its database and is no superuser."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
START = "first_start.sh"


def services() -> dict[str, Any]:
    """The services of compose.yaml."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return found


def role_of_program(name: str) -> str | None:
    """As whom a service signs in, which knows no superuser's password."""
    given = services()[name]["environment"]
    assert "SUPERUSER_PASSWORD" not in str(given)
    return urlsplit(re.sub(r"\$\{[^}]*\}", "x", given["DATABASE_URL"])).username


@pytest.mark.fault("F14")
def test_the_program_is_no_superuser_of_the_database_that_ships_with_it() -> None:
    superuser = services()["database"]["environment"].get("POSTGRES_USER", "postgres")
    roles = {role_of_program(name) for name in ("web", "worker", "beat")}
    assert (superuser, roles) == ("postgres", {"tournament"})


@pytest.mark.fault("F14")
def test_the_first_start_makes_that_role_without_any_right_beyond_its_database() -> None:
    mounted = [place for place in services()["database"]["volumes"] if START in place]
    assert mounted == [f"./{START}:/docker-entrypoint-initdb.d/{START}:ro"]
    made = re.findall(r"CREATE ROLE (\w+) ([^;]*) PASSWORD", (DEPLOY / START).read_text(encoding="utf-8"))
    assert [(name, set(rights.split())) for name, rights in made] == [
        ("tournament", {"LOGIN", "CREATEDB", "NOSUPERUSER", "NOCREATEROLE", "NOREPLICATION"})
    ]


@pytest.mark.fault("F14")
def test_no_role_of_a_database_that_is_there_already_is_a_superuser_and_the_auditor_reads_no_door() -> None:
    text = (DEPLOY / "roles.sql").read_text(encoding="utf-8")
    assert re.findall(r"CREATE ROLE %I ([A-Z ]+)'", text) == ["LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION"]
    [revoked] = re.findall(r"REVOKE SELECT ON ([^;]*?)\s+FROM tournament_auditor", text)
    doors = {"tournament_refereepin", "tournament_invitation", "tournament_person", "tournament_apitoken"}
    assert doors <= set(re.split(r",\s*", revoked))
