"""How many places a new column of an entrant takes, and that no door forgets it: `python scripts/trials/club.py`.

Adds a column `club` to a copy of the last commit, counts the files, and runs the tests that take every column through
every door. Then each module that asks the list is made to forget the column in turn, and its doors must fail by name;
modules that are named as arguments alone.
"""

import re
import sys
from collections.abc import Sequence
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

COLUMN_MOST_FILES = 4
COLUMN_TESTS = "tests/entrants/test_entrant_columns.py"
# What else looks at every column, field or message.
ALSO = (
    "tests/claims/test_register.py",
    "tests/api/test_schema.py",
    "tests/entrants/exports/test_entrant_files.py",
    "tests/entrants/exports/test_entrants_file.py",
    "tests/operations/services/test_erasure.py",
    "tests/publication/test_published_fields.py",
    "tests/core/test_words.py",
)

PERSON_MODEL = "tournament/entrants/models/people.py"
FIELD_BEFORE = "    guardian = models.CharField"
CLUB_FIELD = "    club = models.CharField(max_length=60, blank=True)\n"
COLUMN_LIST = "tournament/core/entrant_columns.py"
LIST_BEFORE = ")\nCOLUMN_BY_KEY: "
CLUB_ENTRY = """    EntrantColumn(
        key="club",
        label=_("club"),
        kind=ColumnKind.TEXT,
        owner=Owner.PERSON,
        heads=("球會", "Club"),
        note=_("May be blank."),
        examples=("", ""),
        edited=Edited.FORM,
        after_results=AfterResults.ALONE,
        page=Seen.FEW_AT_ONCE,
        api=Seen.FEW_AT_ONCE,
        reveals=Reveals.SCHOOL,
        erased=Erased.EMPTIED,
        copied=Copied.WHOLE,
        longest=60,
        later=True,
    ),
"""
CLUB_WORDS_FILE = "tournament/locale/zh_Hant/LC_MESSAGES/django.po"
CLUB_WORD = '\nmsgid "club"\nmsgstr "球會"\n'

# By module that asks the list: the doors that must say so when it forgets the column.
FORGETTING = {
    "tournament/entrants/exports/entrant_template.py": ("template",),
    "tournament/entrants/readers/columns.py": ("heads of files",),
    "tournament/entrants/readers/entrants.py": ("preview",),
    "tournament/registration/services/importing_changes.py": ("import", "second list"),
    "tournament/entrants/exports/file.py": ("export",),
    "tournament/entrants/templatetags/entrant_columns.py": ("entrant's page", "list of entrants"),
    "tournament/registration/forms/changes.py": ("form",),
    "tournament/registration/api/registration.py": ("API answer", "API list"),
    "tournament/registration/api/changes.py": ("API change",),
    "tournament/entrants/services.py": ("digest",),
    "tournament/operations/services/subject_copy.py": ("subject's copy",),
    "tournament/setup/services/rehearsal.py": ("rehearsal",),
    "tournament/operations/services/erasure_kinds.py": ("erasure",),
    "tournament/messages/queries/published_text.py": ("published texts",),
}
# Stands beside the list in the copy, which lacks the column wherever a module imports from here instead.
FORGETFUL = "tournament/core/entrant_columns_without_club.py"
WITHOUT = """
from tournament.core.entrant_columns import *  # noqa: F403
from tournament.core.entrant_columns import columns_where as all_columns_where


def columns_where(is_meant):
    return tuple(column for column in all_columns_where(is_meant) if column.key != "club")


def keys_where(is_meant):
    return tuple(column.key for column in columns_where(is_meant))


ENTRANT_COLUMNS = columns_where(lambda column: True)
COLUMN_BY_KEY = {column.key: column for column in ENTRANT_COLUMNS}
PERSON_COLUMNS = columns_where(lambda column: column.owner.value == "person")
ENTRY_COLUMNS = columns_where(lambda column: column.owner.value == "entry")
CONSENT_COLUMNS = columns_where(lambda column: column.kind.value == "yes_no")
"""


def add_column(copy: Path) -> list[str]:
    """Everything that the column takes; the files that were changed or made."""
    insert_text(copy / PERSON_MODEL, FIELD_BEFORE, CLUB_FIELD)
    insert_text(copy / COLUMN_LIST, LIST_BEFORE, CLUB_ENTRY)
    append_text(copy / CLUB_WORDS_FILE, CLUB_WORD)
    make_derived(copy, "club")
    return changed_files(copy)


def doors_that_say_so(copy: Path, module: str, doors: tuple[str, ...]) -> set[str]:
    """The module forgets the column: which of its doors fail and name the column."""
    file = copy / module
    whole = file.read_text(encoding="utf-8")
    file.write_text(
        re.sub(
            r"^from tournament\.core\.entrant_columns import",
            "from tournament.core.entrant_columns_without_club import",
            whole,
            flags=re.M,
        ),
        encoding="utf-8",
    )
    name = f"{COLUMN_TESTS}::test_every_column_goes_through_every_door"
    _passed, told = run_tests_in_copy(copy, *(f"{name}[{door}]" for door in doors))
    file.write_text(whole, encoding="utf-8")
    return {door for door in doors if f"club at the door {door}" in told}


def trial(copy: Path, modules: Sequence[str]) -> list[str]:
    """What is wrong; nothing for a trial that shows what it must."""
    files = add_column(copy)
    wrong = report_trial(files, COLUMN_MOST_FILES, run_tests_in_copy(copy, COLUMN_TESTS, *ALSO))
    if wrong:
        return wrong
    (copy / FORGETFUL).write_text(WITHOUT, encoding="utf-8")
    for module in modules:
        doors = FORGETTING[module]
        said = doors_that_say_so(copy, module, doors)
        print(f"{module} forgets it: {', '.join(sorted(said)) or 'NOTHING'} red", flush=True)
        wrong += [f"{module}: the door {door} does not say so" for door in doors if door not in said]
    return wrong


def main() -> int:
    """A worktree of the last commit, and the trial in it."""
    with copy_of_last_commit() as copy:
        wrong = trial(copy, sys.argv[1:] or list(FORGETTING))
    print("\n".join(wrong) or "a new column takes no more, and every door that forgets it says so")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
