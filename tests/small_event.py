"""A small event of the same shape, for tests that need a whole tournament: twelve sessions of eight, ten advance."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

from openpyxl import Workbook

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
A_SESSION = 8
ADVANCE = 10
SURNAMES = ("陳", "林", "黃", "張", "李", "王", "吳", "劉", "蔡", "楊", "衞", "許")
HEADS = ("number", "name_zh", "name_en", "birth_date", "session", "consent_name", "fee")


def event_data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FIXTURES / "event.json").read_text(encoding="utf-8"))
    data["quota"] = 12 * A_SESSION
    for stage in data["stages"]:
        if stage["kind"] == "preliminary":
            stage["advance"] = ADVANCE
            for session in stage["sessions"]:
                session |= {"table_count": A_SESSION // 4, "capacity": A_SESSION}
    return data


def league_data(ruleset: str | dict[str, Any], entrants: int, rounds: int = 1) -> dict[str, Any]:
    """An evening by these rules: one session, or so many rounds for all, after which nobody advances."""
    data = event_data()
    sessions = data["stages"][0]["sessions"][:rounds]
    for session in sessions:
        session |= {"table_count": -(-entrants // 4), "capacity": entrants}
    stage = data["stages"][0] | {"ruleset": ruleset, "advance": None, "qualifying": "", "sessions": sessions}
    stage |= {"rounds": rounds}
    return data | {"slug": "league", "quota": entrants, "stages": [stage]}


def workbook(data: dict[str, Any]) -> Workbook:
    """Adults with names of their own, in the order of the sessions."""
    book = Workbook()
    sheet = book.active
    sheet.append(HEADS)
    sessions = next(stage["sessions"] for stage in data["stages"] if stage["kind"] == "preliminary")
    rounds = next(stage.get("rounds", 1) for stage in data["stages"] if stage["kind"] == "preliminary")
    for number in range(data["quota"]):
        session = sessions[number * (len(sessions) // rounds) // data["quota"]]
        day = datetime.fromisoformat(session["check_in_at"])
        name = f"{SURNAMES[number % 12]}{chr(0x4E8C + number)}"
        said = f"{day.month}月{day.day}日第{session['number_of_day']}場"
        english = f"CHAN {chr(65 + number // 10)}{'abcdefghij'[number % 10]}"
        sheet.append((f"{number + 1:04}", name, english, date(1990, 1, 1 + number % 28), said, "Y", "paid"))
    return book


def small_fixtures(folder: Path) -> Path:
    """A folder with event.json and entrants.xlsx, as `tournament.demo` reads them."""
    return write_fixtures(folder, event_data())


def league_fixtures(folder: Path, ruleset: str, entrants: int, rounds: int = 1) -> Path:
    """The same of an evening by these rules."""
    return write_fixtures(folder, league_data(ruleset, entrants, rounds))


def write_fixtures(folder: Path, data: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "event.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    workbook(data).save(folder / "entrants.xlsx")
    return folder
