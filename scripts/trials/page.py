"""How many places a new page at the desk takes, and that none is forgotten: `python scripts/trials/page.py`.

A page that says how many entries the log has: view and address, template, right by role, words, test. Without its row
in the table of rights, or without its Chinese words, a test is red.
"""

import sys
from pathlib import Path

from trees import (
    append_text,
    changed_files,
    copy_of_last_commit,
    insert_text,
    make_derived,
    report_trial,
    run_tests_in_copy,
)

PAGE_MOST_FILES = 7
PAGE_TEST = "tests/log/views/test_audit_count.py"
PAGE_TESTS = (
    PAGE_TEST,
    "tests/core/test_permissions_matrix.py",
    "tests/core/test_words.py",
    "tests/claims/test_register.py",
    "tests/test_architecture.py",
)
PAGE_VIEW = '''@require_safe
@for_act("see_audit")
def audit_count_page(request: HttpRequest) -> HttpResponse:
    """How many entries the event's log has."""
    head = AuditHead.objects.get(event=request.event)
    return render(request, "log/audit_count.html", {"stage": "audit", "head": head})


'''
PAGE_TEMPLATE = """{% extends "desk.html" %}
{% block title %}{% trans "Length of the log" %}{% endblock %}
{% block page %}<h1>{% trans "Length of the log" %}</h1><p>{{ head.seq|count }}</p>{% endblock %}
"""
PAGE_RIGHTS = '  "audit_count": {"GET": "organiser chief_judge auditor"},\n'
PAGE_WORD = '\nmsgid "Length of the log"\nmsgstr "紀錄長度"\n'
PAGE_PROOF = '''"""The page that says how many entries the log has."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tournament.core.models.event import Event

pytestmark = pytest.mark.django_db


def test_it_says_how_many_entries_there_are(event: Event, organiser: User, signed_in: Any) -> None:
    assert "紀錄長度" in signed_in(organiser).get(f"/desk/{event.slug}/audit/count/").content.decode()
'''
# By file that is left as it was: the tests that must be red then.
PAGE_FORGOTTEN = {
    "tests/core/permissions_matrix.json": "tests/core/test_permissions_matrix.py",
    "tournament/locale/zh_Hant/LC_MESSAGES/django.po": "tests/core/test_words.py",
}


def add_page(copy: Path) -> list[str]:
    """Everything that the page takes; the files that were changed or made."""
    views = copy / "tournament/log/views.py"
    insert_text(views, "urlpatterns = [", PAGE_VIEW)
    whole = views.read_text(encoding="utf-8")
    address = 'path("audit/count/", audit_count_page, name="audit_count")'
    views.write_text(whole.rstrip().removesuffix("]") + f", {address}]\n", encoding="utf-8")
    (copy / "templates/log/audit_count.html").write_text(PAGE_TEMPLATE, encoding="utf-8")
    insert_text(copy / "tests/core/permissions_matrix.json", '  "audit": {', PAGE_RIGHTS)
    append_text(copy / "tournament/locale/zh_Hant/LC_MESSAGES/django.po", PAGE_WORD)
    (copy / PAGE_TEST).write_text(PAGE_PROOF, encoding="utf-8")
    make_derived(copy)
    return changed_files(copy)


def forgotten(copy: Path, file: str, test: str) -> list[str]:
    """The file as it was before the page: nothing where its test is red, otherwise what is wrong."""
    path = copy / file
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace(PAGE_RIGHTS, "").replace(PAGE_WORD, ""), encoding="utf-8")
    make_derived(copy)
    passed, _told = run_tests_in_copy(copy, test)
    path.write_text(whole, encoding="utf-8")
    print(f"{file} forgets it: {test} is {'GREEN' if passed else 'red'}", flush=True)
    return [f"{test} does not notice that {file} forgets the page"] if passed else []


def main() -> int:
    """A worktree of the last commit, and the trial in it."""
    with copy_of_last_commit() as copy:
        wrong = report_trial(add_page(copy), PAGE_MOST_FILES, run_tests_in_copy(copy, *PAGE_TESTS))
        for file, test in PAGE_FORGOTTEN.items():
            wrong += forgotten(copy, file, test)
    print("\n".join(wrong) or "a new page takes no more, and what is forgotten is found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
