"""How many places a new penalty of the ruleset takes (R27): `python scripts/trials/penalty.py`.

A rack whose tiles were shown on purpose is worth 50 in the Hong Kong rules: typed at the desk, marked on the tablet,
scored, explained, printed, recorded, verified by the outside verifier.
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

PENALTY_MOST_FILES = 8
PENALTY_TESTS = (
    "tests/scoring",
    "tests/sheets/test_line_fields.py",
    "tests/sheets/domain",
    "tests/sheets/forms",
    "tests/tablets/js",
    "tests/audit/test_tampering.py",
    "tests/core/test_words.py",
)

PENALTY_MARK = """
    "showed_tiles": MarkWords(
        cell=_("tiles shown"),
        panel=pgettext_lazy("panel", "tiles shown"),
        printed="亮牌 tiles shown",
        act=_("Tiles shown"),
        note=_("Note: tiles shown, tiles: %(tiles)s"),
        undo=_("Not shown after all"),
        out=(_("%(seat)s has 0 tiles in game %(game)s; there is nothing to show."), _("Correct one of the two.")),
        clause="R27",
        option=_("Tiles shown on purpose"),
        option_help=_("By a referee's ruling the rack is worth this, once."),
        rule=_("Tiles shown on purpose: −%(showed_tiles)s in all."),
    ),
"""
PENALTY_WORDS = {
    "tiles shown": "亮牌",
    "Tiles shown": "亮牌",
    "Note: tiles shown, tiles: %(tiles)s": "記錄：亮牌，牌數：%(tiles)s",
    "Not shown after all": "並無亮牌",
    "%(seat)s has 0 tiles in game %(game)s; there is nothing to show.": "%(seat)s 第 %(game)s 局手上無牌，無牌可亮。",
    "Tiles shown on purpose": "故意亮牌",
    "Tiles shown on purpose: −%(showed_tiles)s in all.": "故意亮牌：整副負 %(showed_tiles)s。",
}


def add_penalty(copy: Path) -> list[str]:
    """Everything that the penalty takes; the files that were changed or made."""
    insert_text(copy / "scoring/marks.py", "\n\nMARKS = tuple(", "    showed_tiles: bool = False\n")
    rules = copy / "scoring/ruleset.py"
    insert_text(rules, "    pool_scoring: str | None\n", "    showed_tiles: int | None\n")
    insert_text(rules, '    pool_scoring="difference",\n    time_up_scoring="difference",\n', "    showed_tiles=50,\n")
    insert_text(rules, '    lowest_tie="unresolved",\n    games=None,', "    showed_tiles=None,\n")
    insert_text(rules, '        "pool_scoring": _SCORING,\n', '        "showed_tiles": _or_none(_int(0)),\n')
    field = "    showed_tiles = models.BooleanField(default=False)\n"
    insert_text(
        copy / "tournament/sheets/models/scoresheet.py", "    left = models.BooleanField(default=False)\n", field
    )
    words = copy / "tournament/sheets/exports/mark_words.py"
    whole = words.read_text(encoding="utf-8")
    words.write_text(whole.rstrip().removesuffix("}") + PENALTY_MARK.lstrip("\n") + "}\n", encoding="utf-8")
    insert_text(copy / "tournament/static/js/engine/marks.js", '"];\n\n/** Every mark', '", "showed_tiles')
    messages = "".join(f'\nmsgid "{text}"\nmsgstr "{chinese}"\n' for text, chinese in PENALTY_WORDS.items())
    messages += '\nmsgctxt "panel"\nmsgid "tiles shown"\nmsgstr "亮牌"\n'
    append_text(copy / "tournament/locale/zh_Hant/LC_MESSAGES/django.po", messages)
    insert_text(copy / "scripts/verify_audit.py", ', "left"]\n', ', "showed_tiles"')
    make_derived(copy, "showed_tiles")
    return changed_files(copy)


def main() -> int:
    """A worktree of the last commit, and the trial in it."""
    with copy_of_last_commit() as copy:
        wrong = report_trial(add_penalty(copy), PENALTY_MOST_FILES, run_tests_in_copy(copy, *PENALTY_TESTS))
    print("\n".join(wrong) or "a new penalty takes no more")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
