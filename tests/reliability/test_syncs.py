"""The reader of system calls sees a reply that was sent before its write was on the disk."""

import re

from tests.reliability.syncs import read_trace

LOG = re.compile(r"-wal$")
YES = re.compile(r"HTTP/1\.1 302")

SYNCED = """\
[pid  41] pwrite64(7</var/t.sqlite3-wal>, "..."..., 4096, 32) = 4096
[pid  41] fdatasync(7</var/t.sqlite3-wal>) = 0
[pid  41] sendto(9<socket:[12]>, "HTTP/1.1 302 Found"..., 300, 0, NULL, 0) = 300
"""
UNSYNCED = """\
41 pwrite64(7</var/t.sqlite3-wal>, "..."..., 4096, 32) = 4096
42 fdatasync(7</var/t.sqlite3>) = 0
41 sendto(9<socket:[12]>, "HTTP/1.1 302 Found"..., 300, 0, NULL, 0) = 300
"""


# 50 is PostgreSQL's own writer: after the sync of 41 it begins what comes next, or it writes for 41 and does not sync.
NEXT_BEGUN = SYNCED.replace("[pid  41] sendto", """\
[pid  50] pwrite64(5</var/t.sqlite3-wal>, "..."..., 4096, 32) = 4096
[pid  41] sendto""")  # fmt: skip
BY_ANOTHER = """\
41 fdatasync(7</var/other-wal>) = 0
41 sendto(9<socket:[12]>, "HTTP/1.1 302 Found"..., 300, 0, NULL, 0) = 300
50 pwrite64(5</var/t.sqlite3-wal>, "..."..., 4096, 32) = 4096
50 fdatasync(5</var/t.sqlite3-wal>) = 0
50 pwrite64(5</var/t.sqlite3-wal>, "..."..., 4096, 32) = 4096
41 sendto(9<socket:[12]>, "HTTP/1.1 302 Found"..., 300, 0, NULL, 0) = 300
"""


def counts(text: str) -> tuple[int, int]:
    trace = read_trace(text.splitlines(), LOG, YES)
    return trace.acknowledged, trace.unsynced


def test_a_reply_after_the_sync_is_good() -> None:
    assert counts(SYNCED) == (1, 0)


def test_a_reply_before_the_sync_is_found_also_where_another_file_was_synced() -> None:
    assert counts(UNSYNCED) == (1, 1)


def test_a_reply_without_any_write_of_its_own_is_found() -> None:
    assert counts(SYNCED + SYNCED.splitlines(keepends=True)[-1]) == (2, 1)


def test_what_another_process_begins_to_write_after_the_sync_is_no_fault_of_this_reply() -> None:
    assert counts(NEXT_BEGUN) == (1, 0)


def test_a_reply_for_which_another_process_has_written_and_not_yet_synced_is_found() -> None:
    assert counts(BY_ANOTHER) == (2, 1)


def test_a_page_that_was_only_read_counts_for_nothing() -> None:
    assert counts('41 sendto(9<socket:[12]>, "HTTP/1.1 200 OK"..., 300, 0, NULL, 0) = 300\n') == (0, 0)
