"""The values of a locked scoresheet out of its rows, for the page on which it is printed as it was recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone, translation

from scoring import problems as code
from tournament.core.numberformat import format_points
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.domain.scoresheets import short_digest_code
from tournament.sheets.exports.drawn_signature import StrokePoints
from tournament.sheets.exports.mark_words import MARK_WORDS
from tournament.sheets.exports.printed import PrintedSheet
from tournament.sheets.exports.recorded import RecordedGame, RecordedLine, RecordedSheet, RecordedSignature
from tournament.sheets.exports.turn_form import RecordedTurn
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import Signature, Stamp

RECORDED_FLAG_WORDS = (
    ("unopened", "未破冰 ice not broken"),
    *((name, words.printed) for name, words in MARK_WORDS.items()),
    ("left", "中途離場 left"),
)

CURRENT_NAMES_NOTE = "姓名按現時的報名資料 Names as they are entered now"

DrawnSignatures = Sequence[tuple[Signature, StrokePoints | None]]


def recorded_sheet_of(
    paper: PrintedSheet, sheet: Scoresheet, games: Sequence[Game], signatures: DrawnSignatures, stamp: Stamp | None
) -> RecordedSheet:
    """The sheet; `paper` as it was printed, or number 0: as it would be now; `games` with their lines at hand,
    `signatures` with the strokes that could be read."""
    lines: dict[str, list[Line]] = {}
    for game in games:
        for line in game.lines.all():
            lines.setdefault(line.letter, []).append(line)
    return RecordedSheet(
        paper=replace(paper, number=1, games=max(paper.games, len(games))),
        games=[RecordedGame(game.ended_by, game.starter, recorded_lines_of_game(game)) for game in games],
        totals={letter: recorded_sum_of_lines(own) for letter, own in lines.items()},
        signs={signature.letter: recorded_signature_of(signature, strokes) for signature, strokes in signatures},
        notes=[*recorded_notes_of(sheet, games), *([] if paper.number else [CURRENT_NAMES_NOTE])],
        stamp=f"已蓋印 Stamped {hall_time_text(stamp.at)} {account_name_on_paper(stamp.by)}" if stamp else "",
        turns={
            (turn.number, line.letter): RecordedTurn(turn.own, turn.rearranged, str(turn.points), turn.emptied)
            for game in games
            for line in game.lines.all()
            for turn in line.turns.all()
        },
    )


def recorded_lines_of_game(game: Game) -> Mapping[str, RecordedLine]:
    """Every seat's figures of a game."""
    return {
        line.letter: RecordedLine(str(line.win), format_points(line.points_twelfths), str(line.tiles))
        for line in game.lines.all()
    }


def recorded_sum_of_lines(lines: Sequence[Line]) -> RecordedLine:
    """One seat's sums over its games."""
    wins, points = sum(line.win for line in lines), sum(line.points_twelfths for line in lines)
    return RecordedLine(str(wins), format_points(points), str(sum(line.tiles for line in lines)))


def recorded_signature_of(signature: Signature, strokes: StrokePoints | None) -> RecordedSignature:
    """What stands in the seat's field."""
    if strokes is not None:
        return RecordedSignature(strokes)
    if signature.device_id:
        return RecordedSignature(None, "以平板簽署，未能讀取 Signed on a tablet; cannot be read here")
    if signature.present:
        return RecordedSignature(None, "已在紙上簽署 Signed on the paper")
    judge = account_name_on_paper(signature.chief_judge) if signature.chief_judge else ""
    return RecordedSignature(None, f"欠簽 Missing: {signature.missing_reason} ({judge})")


def recorded_notes_of(sheet: Scoresheet, games: Sequence[Game]) -> list[str]:
    """Which version, by whom it was recorded and locked, what was unusual."""
    found = [
        f"第 {sheet.version} 版 Version {sheet.version}·代碼 Code {short_digest_code(sheet.digest)}·"
        f"收據 Receipt {receipt_code(sheet)}",
        f"輸入 Entered {hall_time_text(sheet.typed_at)} {account_name_on_paper(sheet.typed_by)}·"
        f"鎖定 Locked {hall_time_text(sheet.locked_at)} {account_name_on_paper(sheet.locked_by)}",
    ]
    found += [ruling_note(sheet, game) for game in games if game.ruling]
    unusual = [said for game in games for said in unusual_notes_of_game(game)]
    return [*found, "; ".join(unusual)] if unusual else found


def ruling_note(sheet: Scoresheet, game: Game) -> str:
    """How the chief judge ruled on a game that the rules leave open, then who ruled and why, as it was written."""
    said = []
    for language in ("zh-hant", "en"):
        with translation.override(language):
            said.append(game.get_ruling_display())
    confirmed = f"{code.RULED} games[{game.number - 1}].ruling "
    reasons = [reason for key, reason in sheet.confirmations.items() if key.startswith(confirmed)]
    return "·".join([f"第 {game.number} 局裁決 Ruling, game {game.number}: {' '.join(said)}", *reasons])


def unusual_notes_of_game(game: Game) -> list[str]:
    """`1B 未破冰 ice not broken`: what a game's figures do not say."""
    return [
        f"{game.number}{line.letter} {said}"
        for line in game.lines.all()
        for name, said in RECORDED_FLAG_WORDS
        if (not line.opened if name == "unopened" else getattr(line, name))
    ]


def hall_time_text(at: datetime | None) -> str:
    """Hong Kong time to the minute; empty for None."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at else ""


def account_name_on_paper(user: User | None) -> str:
    """An account as papers name it."""
    return (user.first_name or user.username) if user else ""
