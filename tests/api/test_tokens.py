"""Tokens: shown once, kept as a digest, ended from one request to the next."""

import hashlib
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.api.caller import Caller, code
from tournament.api.models import ApiToken
from tournament.api.services import account_of_api_token, make_token, revoke_tokens
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput
from tournament.core.models.event import Event


def test_the_database_keeps_the_digest_and_never_the_token(clerk: User) -> None:
    token, text = make_token(clerk, name="scanner")
    assert token.digest == hashlib.sha256(text.encode()).hexdigest()
    assert text not in str(ApiToken.objects.values().get())
    assert len(text) >= 43


def test_a_token_speaks_for_its_account_and_notes_its_use_to_the_minute(clerk: User) -> None:
    now = timezone.now()
    token, text = make_token(clerk, name="scanner", now=now)
    seen = [account_of_api_token(text, now + timedelta(seconds=after)) for after in (1, 30, 90)]
    token.refresh_from_db()
    assert seen == [clerk, clerk, clerk]
    assert token.last_used_at == now + timedelta(seconds=90)


def test_an_expired_a_revoked_and_an_unknown_token_are_nobody_s(clerk: User) -> None:
    now = timezone.now()
    _row, text = make_token(clerk, name="scanner", days=1, now=now)
    assert account_of_api_token(text, now + timedelta(days=1)) is None
    assert account_of_api_token(text + "x", now) is None
    assert revoke_tokens(clerk) == 1
    assert account_of_api_token(text, now) is None
    assert revoke_tokens(clerk) == 0


def test_revoking_by_name_leaves_the_others(clerk: User) -> None:
    kept, _text = make_token(clerk, name="board")
    make_token(clerk, name="scanner")
    assert revoke_tokens(clerk, name="scanner") == 1
    assert list(ApiToken.objects.filter(revoked_at=None)) == [kept]


def test_making_and_revoking_stand_in_the_log_of_the_account_s_events(event: Event, clerk: User) -> None:
    token, _text = make_token(clerk, name="scanner")
    revoke_tokens(clerk)
    entries = AuditEntry.objects.filter(event=event, subject=f"account {clerk.pk} token {token.pk}")
    assert list(entries.values_list("action", flat=True)) == ["make_token", "revoke_token"]


@pytest.mark.parametrize(("name", "days"), [("", 90), (" ", 90), ("x" * 61, 90), ("x", 0), ("x", 367)])
def test_a_token_has_a_name_and_an_end(clerk: User, name: str, days: int) -> None:
    with pytest.raises(BadInput):
        make_token(clerk, name=name, days=days)


def test_the_command_prints_a_token_that_works_until_it_is_revoked(clerk: User) -> None:
    out, told = StringIO(), StringIO()
    call_command("token", "clerk", stdout=out, stderr=told)
    program = Caller(None)
    program.headers["Authorization"] = f"Bearer {out.getvalue().strip()}"
    assert program.get("/api/v1/events/").status_code == 200
    assert out.getvalue().strip() not in told.getvalue()
    call_command("token", "clerk", "--revoke", stdout=StringIO())
    assert code(program.get("/api/v1/events/")) == (401, "token_not_valid")


def test_the_command_refuses_an_account_that_is_not_there_and_a_token_without_end(clerk: User) -> None:
    for arguments in (["nobody"], ["clerk", "--days", "0"]):
        with pytest.raises(CommandError):
            call_command("token", *arguments, stdout=StringIO(), stderr=StringIO())
