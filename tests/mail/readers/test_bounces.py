"""What a mail of the mailbox reports: four servers' reports, tidy and not, and what is no report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.messages.bounced import NAMES, RETURN, filled
from tournament.core.enums import BounceKind
from tournament.mail.readers import BounceReport, ReportIgnored, ReportUnreadable, read_report

TOKEN, ADDRESS, ID = "1f-0123456789abcdef0123", "family-5001@families.example", "<small.1.5001.0123456789@desk.example>"
# Kind, status, and how the words begin.
REPORTS = {
    "postfix": ("hard", "5.1.1", f"550 5.1.1 <{ADDRESS}>: Recipient address rejected: User unknown"),
    "postfix-delayed": ("soft", "4.2.2", "452 4.2.2 mailbox full"),
    "exim": ("hard", "5.0.0", "5.0.0"),
    "exim-plain": ("hard", "5.7.1", "550 5.7.1 mailbox disabled"),
    "exchange": ("hard", "5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound"),
    "gmail": ("hard", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist"),
    "expired": ("hard", "4.4.7", "4.4.7 (delivery time expired)"),
    "feedback": ("complaint", "", "abuse"),
}
# What is read of one mail.
LARGEST = 256 * 1024
ANSWERS = (*BounceKind.values, "ignored", "unreadable")
NO_REPORTS = {
    "out-of-office": ReportIgnored,
    "receipt": ReportIgnored,
    "arrived": ReportIgnored,
    "answer": ReportUnreadable,
    "nested": ReportUnreadable,
}


def read(name: str) -> BounceReport:
    return read_report(filled(name, TOKEN, ADDRESS, ID), RETURN)


def judged(content: bytes) -> str:
    """What is said of it in one word."""
    try:
        return str(read_report(content, RETURN).kind)
    except (ReportIgnored, ReportUnreadable) as other:
        return "ignored" if isinstance(other, ReportIgnored) else "unreadable"


@pytest.mark.fault("X5")
@pytest.mark.parametrize("name", REPORTS)
def test_a_server_s_report_is_read_with_its_mail_and_its_words(name: str) -> None:
    kind, code, words = REPORTS[name]
    found = read(name)
    assert (found.kind, found.code, found.words.startswith(words)) == (kind, code, True)
    assert (found.tokens, ADDRESS in found.addresses) == ((TOKEN,), True)
    assert set(found.message_ids) <= {ID}
    assert found.message_ids == (ID,) or name == "expired"


@pytest.mark.parametrize("name", NO_REPORTS)
def test_what_reports_of_no_mail_that_it_came_back_is_no_report(name: str) -> None:
    with pytest.raises(NO_REPORTS[name]):
        read(name)


def test_every_file_of_the_folder_is_judged_here() -> None:
    assert sorted([*REPORTS, *NO_REPORTS]) == NAMES


def test_without_a_return_address_a_report_is_known_by_its_message_id_alone() -> None:
    found = read_report(filled("postfix", TOKEN, ADDRESS, ID), "")
    assert (found.tokens, found.message_ids) == ((), (ID,))


# --- Untidy ---------------------------------------------------------------------------------------------
SPACES = st.sampled_from(["", " ", "  ", "\t", "\n\t", "\n   "])
ACTIONS = st.sampled_from(["failed", "FAILED", "Failed (no such user)", "failed;", "delayed", "Delayed", "relayed", ""])
STATUSES = st.sampled_from(["5.1.1", "5.1.10 (unknown)", "4.2.2", "", "2.0.0", "five", "5.1"])
LINES = st.sampled_from(["\n", "\r\n"])
TYPES = st.sampled_from(["message/delivery-status", "Message/Delivery-Status", "message/global-delivery-status"])
ENDS = st.sampled_from(["\n--x--\n", "\n--x--", "\n", ""])
OTHERS = st.lists(
    st.sampled_from(["Remote-MTA: dns; a", "X-Odd", ": no name", "Diagnostic-Code: smtp; 550 no"]), max_size=3
)


def fate(action: str, status: str, diagnostic: bool) -> str:
    """By the standard: the action decides, then the status, then the server's reply."""
    word = action.lower().split(" ")[0].strip(";")
    if word:
        return {"failed": "hard", "delayed": "soft", "relayed": "ignored"}[word]
    by_class = {"5": "hard", "4": "soft", "2": "ignored"}
    if status[:1] in by_class and status.count(".") == 2:
        return by_class[status[0]]
    return "hard" if diagnostic else "unreadable"


@given(ACTIONS, STATUSES, SPACES, LINES, TYPES, ENDS, OTHERS, st.booleans())
def test_an_untidy_report_is_judged_by_the_fields_that_it_has(
    action: str, status: str, space: str, line: str, kind: str, end: str, others: list[str], upper: bool
) -> None:
    names = [f"Final-Recipient:{space}rfc822;{space}{ADDRESS}", f"Action:{space}{action}", f"Status:{space}{status}"]
    fields = [name.upper() if upper and "Recipient" not in name else name for name in names]
    # A line without a colon ends a header, what stands before it counts; one without a name is passed over.
    block = "\n".join([*fields, *others])
    head = f"To: <bounces+{TOKEN}@desk.example>\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary=x\n"
    text = f"{head}\n--x\nContent-Type: {kind}\n\nReporting-MTA: dns; a\n\n{block}\n{end}"
    diagnostic = next((place for place, one in enumerate(others) if one.startswith("Diag")), 9) < next(
        (place for place, one in enumerate(others) if ":" not in one), 9
    )
    content = text.replace("\n", line).encode()
    expected = fate(action, status, diagnostic)
    assert judged(content) == expected
    if expected in BounceKind.values:
        found = read_report(content, RETURN)
        assert (found.tokens, ADDRESS in found.addresses) == ((TOKEN,), True)


@given(st.binary(max_size=400))
def test_nothing_makes_the_reader_raise_but_its_two_answers(junk: bytes) -> None:
    for content in (junk, filled("postfix", TOKEN, ADDRESS, ID)[:200] + junk):
        assert judged(content) in ANSWERS


@given(st.sampled_from(NAMES), st.integers(0, 3000), st.binary(min_size=1, max_size=5))
def test_a_report_with_a_few_other_bytes_is_read_or_left_for_a_person(name: str, place: int, other: bytes) -> None:
    whole = filled(name, TOKEN, ADDRESS, ID)
    content = whole[:place] + other + whole[place + len(other) :]
    assert judged(content) in ANSWERS


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"To: x\n" * 20_000,
        b"Content-Type: multipart/mixed; boundary=a\n\n"
        + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 5_000,
        b"Content-Type: text/plain; charset=no-such\nSubject: =?no-such?b?////?=\n\n\xff\xfe",
        b"Content-Type: message/delivery-status\n\n" + b"Action: failed\n\n" * 15_000,
        b"X-Failed-Recipients: " + b"x" * LARGEST + b"\n\n" + b"y" * LARGEST,
        b"Content-Type: message/delivery-status\n\nAction: failed\n" + b"Final-Recipient: rfc822; " + b"=?a?" * LARGEST,
        b"Content-Type: message/rfc822\n\n" * 8_000,
    ],
    ids=["empty", "many headers", "deep", "no charset", "many blocks", "long line", "long fields", "mails in mails"],
)
def test_a_hostile_mail_ends_in_one_of_the_answers(content: bytes) -> None:
    assert judged(content) in ANSWERS
