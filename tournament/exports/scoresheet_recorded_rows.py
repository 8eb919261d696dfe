"""The values of a locked scoresheet out of its rows, for the page on which it is printed as it was recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.utils import timezone

from tournament.bridge.scoresheets import short_code
from tournament.bridge.tablet import receipt_of
from tournament.exports.drawn_signature import Strokes
from tournament.exports.scoresheet_pdf import PrintedSheet
from tournament.exports.scoresheet_recorded import RecordedGame, RecordedLine, RecordedSheet, RecordedSign
from tournament.models import Game, Line, Scoresheet, Signature, Stamp
from tournament.quantities import points_text

FLAGS = (
    ("unopened", "未破冰 ice not broken"),
    ("pushed_over", "推倒 pushed over"),
    ("left", "中途離場 left"),
)

NAMES_OF_NOW = "姓名按現時的報名資料 Names as they are entered now"

Drawn = Sequence[tuple[Signature, Strokes | None]]


def recorded_of(
    paper: PrintedSheet, sheet: Scoresheet, games: Sequence[Game], signatures: Drawn, stamp: Stamp | None
) -> RecordedSheet:
    """The sheet; `paper` as it was printed, or number 0: as it would be now; `games` with their lines at hand,
    `signatures` with the strokes that could be read."""
    lines: dict[str, list[Line]] = {}
    for game in games:
        for line in game.lines.all():
            lines.setdefault(line.letter, []).append(line)
    return RecordedSheet(
        paper=replace(paper, number=1, games=max(paper.games, len(games))),
        games=[RecordedGame(game.ended_by, game.starter, lines_of(game)) for game in games],
        totals={letter: sum_of(own) for letter, own in lines.items()},
        signs={signature.letter: sign_of(signature, strokes) for signature, strokes in signatures},
        notes=[*notes_of(sheet, games), *([] if paper.number else [NAMES_OF_NOW])],
        stamp=f"已蓋印 Stamped {moment(stamp.at)} {name_of(stamp.by)}" if stamp else "",
    )


def lines_of(game: Game) -> Mapping[str, RecordedLine]:
    """Every seat's figures of a game."""
    return {
        line.letter: RecordedLine(str(line.win), points_text(line.points_twelfths), str(line.tiles))
        for line in game.lines.all()
    }


def sum_of(lines: Sequence[Line]) -> RecordedLine:
    """A seat's sums."""
    wins, points = sum(line.win for line in lines), sum(line.points_twelfths for line in lines)
    return RecordedLine(str(wins), points_text(points), str(sum(line.tiles for line in lines)))


def sign_of(signature: Signature, strokes: Strokes | None) -> RecordedSign:
    """What stands in the seat's field."""
    if strokes is not None:
        return RecordedSign(strokes)
    if signature.device_id:
        return RecordedSign(None, "以平板簽署，未能讀取 Signed on a tablet; cannot be read here")
    if signature.present:
        return RecordedSign(None, "已在紙上簽署 Signed on the paper")
    judge = name_of(signature.chief_judge) if signature.chief_judge else ""
    return RecordedSign(None, f"欠簽 Missing: {signature.missing_reason} ({judge})")


def notes_of(sheet: Scoresheet, games: Sequence[Game]) -> list[str]:
    """Which version, by whom it was recorded and locked, what was unusual."""
    found = [
        f"第 {sheet.version} 版 Version {sheet.version}·代碼 Code {short_code(sheet.digest)}·"
        f"收據 Receipt {receipt_of(sheet)}",
        f"輸入 Entered {moment(sheet.typed_at)} {name_of(sheet.typed_by)}·"
        f"鎖定 Locked {moment(sheet.locked_at)} {name_of(sheet.locked_by)}",
    ]
    unusual = [said for game in games for said in unusual_of(game)]
    return [*found, "; ".join(unusual)] if unusual else found


def unusual_of(game: Game) -> list[str]:
    """`1B 未破冰 ice not broken`: what a game's figures do not say."""
    return [
        f"{game.number}{line.letter} {said}"
        for line in game.lines.all()
        for name, said in FLAGS
        if (not line.opened if name == "unopened" else getattr(line, name))
    ]


def moment(at: datetime | None) -> str:
    """Hong Kong's time."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at else ""


def name_of(user: AbstractUser | None) -> str:
    """An account as papers name it."""
    return (user.first_name or user.username) if user else ""
