"""Cells with a closed list of words: yes or no, a language, a family role."""

import unicodedata

from tournament.core.enums import FamilyRole, Language

YES_ANSWERS = frozenset(
    ["是", "有", "同意", "已同意", "願意", "可", "y", "yes", "oui", "true", "1", "t", "ok", "✓", "✔", "√", "☑", "✅"]
)
NO_ANSWERS = frozenset(
    [
        "否",
        "無",
        "沒有",
        "冇",
        "不同意",
        "未同意",
        "不願意",
        "不可",
        "n",
        "no",
        "non",
        "false",
        "0",
        "f",
        "✗",
        "✘",
        "☐",
        "-",
        "–",
    ]
)
LANGUAGE_ANSWERS = {
    **dict.fromkeys(
        ["中", "中文", "繁中", "繁體", "繁體中文", "廣東話", "粵語", "zh", "zh-hant", "zh-hk", "chinese", "c"],
        Language.CHINESE,
    ),
    **dict.fromkeys(["英", "英文", "英語", "en", "eng", "english", "e"], Language.ENGLISH),
}
FAMILY_ROLE_ANSWERS = {
    **dict.fromkeys(
        ["子女", "孩子", "小孩", "兒童", "子", "女", "兒子", "女兒", "小朋友", "child", "kid", "son", "daughter", "c"],
        FamilyRole.CHILD,
    ),
    **dict.fromkeys(
        [
            "家長",
            "父母",
            "父",
            "母",
            "父親",
            "母親",
            "爸爸",
            "媽媽",
            "監護人",
            "parent",
            "father",
            "mother",
            "guardian",
            "p",
        ],
        FamilyRole.PARENT,
    ),
}


class NotAnAnswer(Exception):
    """Why a text is none of the words: a code of `faults.SENTENCES`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def fold_answer(text: str) -> str:
    """Width, case and the spaces around it folded away."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def read_answer(text: str) -> bool:
    """Yes or no; blank is no, since a consent must be given. Raises `NotAnAnswer`."""
    word = fold_answer(text)
    if word in YES_ANSWERS:
        return True
    if not word or word in NO_ANSWERS:
        return False
    raise NotAnAnswer("answer_unreadable")


def read_language(text: str) -> Language:
    """The language to write in; blank is Chinese. Raises `NotAnAnswer`."""
    word = fold_answer(text)
    if word and word not in LANGUAGE_ANSWERS:
        raise NotAnAnswer("language_unreadable")
    return LANGUAGE_ANSWERS.get(word, Language.CHINESE)


def read_family_role(text: str) -> FamilyRole | None:
    """Child or parent; blank is neither. Raises `NotAnAnswer`."""
    word = fold_answer(text)
    if word and word not in FAMILY_ROLE_ANSWERS:
        raise NotAnAnswer("family_role_unreadable")
    return FAMILY_ROLE_ANSWERS.get(word)
