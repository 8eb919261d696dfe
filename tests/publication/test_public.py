"""The public's door: files, their heads, and nothing else. No query, no cookie, no way out of the folder."""

import gzip
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.public_files import SECURITY_HEADERS, accepts_gzip, matches_etag
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import release_results, withdraw_release

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
PAGE = "/p/hk-2026/"


@pytest.fixture
def published(first_session: Session, organiser: User, django_capture_on_commit_callbacks: Any) -> Any:
    """A release of eight entrants."""
    mirrored_tables(first_session, organiser, advance=4)
    with django_capture_on_commit_callbacks(execute=True):
        return release_results(first_session.stage, by=organiser, now=ANNOUNCED)


def get(path: str, **heads: str) -> Any:
    return Client().get(path, headers={name.replace("_", "-"): value for name, value in heads.items()})


def test_the_heads_of_a_page_are_these_and_no_others(published: Any) -> None:
    answer = get(PAGE)
    assert dict(answer.headers) == {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": str(len(answer.content)),
        "Cache-Control": "public, max-age=5",
        "ETag": answer.headers["ETag"],
        "Vary": "Accept-Encoding",
        "X-Tournament": "1",
        **SECURITY_HEADERS,
    }
    assert answer.cookies == {}


@pytest.mark.parametrize(
    "path", ["/p/", "/p/en/", PAGE, f"{PAGE}en/", f"{PAGE}1/", f"{PAGE}1/ranking.pdf", f"{PAGE}nothing", "/p/no-such/"]
)
def test_no_address_asks_the_database_or_sets_a_cookie(
    published: Any, organiser: User, signed_in: Any, django_assert_num_queries: Any, path: str
) -> None:
    staff = signed_in(organiser)
    with django_assert_num_queries(0):
        answers = [client.get(path) for client in (Client(), staff)]
    assert [answer.cookies for answer in answers] == [{}, {}]
    assert answers[0].headers == answers[1].headers
    assert answers[0].content == answers[1].content


def test_who_takes_gzip_gets_the_same_page_packed_with_a_tag_of_its_own(published: Any) -> None:
    plain, packed = get(PAGE), get(PAGE, accept_encoding="br, gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert plain.headers["ETag"] != packed.headers["ETag"]


def test_what_is_packed_already_is_not_packed_again(published: Any) -> None:
    answer = get(f"{PAGE}1/ranking.xlsx", accept_encoding="gzip")
    assert ("Content-Encoding" in answer.headers, "Vary" in answer.headers) == (False, False)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hk-2026-1-ranking.xlsx"'


def test_a_browser_that_has_the_page_gets_304_without_a_body(published: Any) -> None:
    etag = get(PAGE).headers["ETag"]
    answer = get(PAGE, if_none_match=f'"other", W/{etag}')
    assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", etag)
    assert "Content-Length" not in answer.headers


def test_the_tag_of_the_other_form_is_not_enough(published: Any) -> None:
    etag = get(PAGE).headers["ETag"]
    assert get(PAGE, if_none_match=etag, accept_encoding="gzip").status_code == 200


def test_head_has_the_heads_of_get_and_no_body(published: Any) -> None:
    head, full = Client().head(PAGE), get(PAGE)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == full.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", [PAGE, f"{PAGE}1/", "/p/nothing"])
def test_anything_but_reading_is_405_with_what_is_allowed(published: Any, method: str, path: str) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method, path, b"x")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert "此頁只供閱讀" in squeezed(answer.content.decode())


@pytest.mark.parametrize(
    "path",
    [
        "/p/../settings.py",
        "/p/hk-2026/../../tournament.sqlite3",
        "/p/%2e%2e/%2e%2e/etc/passwd",
        "/p/hk-2026/manifest.json",
        "/p/hk-2026/files/",
        "/p/manifest.json",
        "/p/.lock",
        "/p//etc/passwd",
        "/p/404",
        "/p/hk-2026/1",
        "/p/hk-2026/\x00",
    ],
)
def test_only_what_a_manifest_names_is_there(event: Event, path: str) -> None:
    write_public_files(event)
    answer = get(path)
    assert (answer.status_code, "沒有此頁" in squeezed(answer.content.decode())) == (404, True)


@pytest.mark.parametrize("path", ["/p", "/p/en", "/p/hk-2026", "/p/hk-2026/en"])
def test_an_address_without_its_last_slash_leads_on(event: Event, path: str) -> None:
    write_public_files(event)
    answer = get(path)
    assert (answer.status_code, answer.headers["Location"]) == (301, f"{path}/")


def test_before_anything_is_written_there_is_nothing(db: None) -> None:
    answer = get("/p/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/plain; charset=utf-8")


def test_a_withdrawal_counts_with_the_next_request(
    published: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = Client()
    assert client.get(f"{PAGE}1/").status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(published, reason="Typed wrongly.", by=organiser)
    assert client.get(f"{PAGE}1/").status_code == 410


def test_a_numbered_release_is_kept_for_a_minute_since_it_may_be_withdrawn(published: Any) -> None:
    assert get(f"{PAGE}1/").headers["Cache-Control"] == "public, max-age=60"


def test_over_https_a_plain_request_is_led_there(published: Any, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = Client().get(PAGE)
    assert (answer.status_code, answer.headers["Location"]) == (301, f"https://testserver{PAGE}")


@pytest.mark.parametrize(
    ("accept", "takes"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("gzip;q=0.001", True),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_is_sent_to_those_who_take_it(accept: str, takes: bool) -> None:
    assert accepts_gzip(accept) is takes


@pytest.mark.parametrize(
    ("sent", "has"),
    [('"a"', True), ('W/"a"', True), ('"b", W/"a"', True), ("*", True), ('"b"', False), ("", False), ("a", False)],
)
def test_a_tag_is_compared_weakly_in_a_list(sent: str, has: bool) -> None:
    assert matches_etag(sent, '"a"') is has
