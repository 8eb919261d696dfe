"""Tampering with values, seats, signatures, locks and stamps of locked sheets (reliability 3.9)."""

from django.db.models import F

from tests.reliability.tamper_kinds import first_lines, kind, name, sheets
from tournament.models import (
    Entrant,
    Game,
    Line,
    OfficialSheet,
    Release,
    Scoresheet,
    Seat,
    Session,
    Signature,
    Stamp,
    Table,
)


# --- Values ---------------------------------------------------------------------------------------------
@kind()
def change_a_value() -> str:
    sheet = sheets()[0]
    line = first_lines(sheet)[0]
    Line.objects.filter(pk=line.pk).update(points_twelfths=line.points_twelfths + 12)
    return f"{name(sheet)} (game 1 {line.letter} points_twelfths"


@kind()
def swap_two_entrants_values() -> str:
    sheet = sheets()[0]
    one, other = first_lines(sheet)[:2]
    for line, source in ((one, other), (other, one)):
        Line.objects.filter(pk=line.pk).update(
            win=source.win, points_twelfths=source.points_twelfths, tiles=source.tiles, face_value=source.face_value
        )
    return name(sheet)


@kind()
def give_a_win() -> str:
    sheet = sheets()[1]
    line = next(line for line in first_lines(sheet) if line.win == 0)
    Line.objects.filter(pk=line.pk).update(win=1)
    return f"{name(sheet)} (game 1 {line.letter} win"


@kind()
def change_a_line_s_entrant() -> str:
    sheet = sheets()[0]
    stranger = Entrant.objects.exclude(seats__table=sheet.table).order_by("pk")[0]
    Line.objects.filter(pk=first_lines(sheet)[0].pk).update(entrant=stranger)
    return f"{name(sheet)} game 1"


@kind(outside=True)
def change_a_typed_text() -> str:
    sheet = sheets()[0]
    typed = sheet.typed
    cells = typed["games"][0]["seats"]["A"]
    cells["tiles"] = str(int(cells["tiles"] or 0) + 1)
    Scoresheet.objects.filter(pk=sheet.pk).update(typed=typed)
    return name(sheet)


@kind()
def change_a_confirmation() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(confirmations={**sheet.confirmations, "x": "y"})
    return name(sheet)


@kind()
def change_a_seat() -> str:
    sheet = sheets()[0]
    seats = list(Seat.objects.filter(table=sheet.table).order_by("letter"))
    for seat, letter in ((seats[0], "X"), (seats[1], "A"), (seats[0], "B")):
        Seat.objects.filter(pk=seat.pk).update(letter=letter)
    return name(sheet)


@kind()
def change_an_entrant_s_number() -> str:
    seat = Seat.objects.filter(table=sheets()[0].table).order_by("letter")[0]
    Entrant.objects.filter(pk=seat.entrant_id).update(number=9999)
    return name(sheets()[0])


@kind()
def move_a_sheet_to_another_table() -> str:
    one, other = sheets()[0], sheets()[1]
    names = name(one)
    OfficialSheet.objects.filter(scoresheet__in=[one, other]).delete()
    Scoresheet.objects.filter(pk=one.pk).update(table=other.table, version=9)
    return names


@kind()
def change_a_table_s_number() -> str:
    sheet = sheets()[0]
    names = name(sheet)
    Table.objects.filter(pk=sheet.table_id).update(number=99)
    return names


@kind()
def change_a_session_s_number() -> str:
    sheet = sheets()[0]
    Session.objects.filter(pk=sheet.table.session_id).update(number=99)
    return name(sheet)


@kind()
def change_how_a_game_ended() -> str:
    sheet = sheets()[0]
    game = Game.objects.filter(scoresheet=sheet, number=1)
    game.update(ended_by="pool" if game.get().ended_by != "pool" else "time")
    return f"{name(sheet)} (game 1: its end"


@kind()
def delete_a_game() -> str:
    sheet = sheets()[0]
    Game.objects.filter(scoresheet=sheet, number=3).delete()
    return f"{name(sheet)} (game 3"


@kind()
def add_a_game() -> str:
    sheet = sheets()[0]
    Game.objects.create(scoresheet=sheet, number=9, ended_by="not_played")
    return f"{name(sheet)} (game 9"


# --- Signatures, lock, stamp ----------------------------------------------------------------------------
@kind()
def change_a_signature_s_digest() -> str:
    signature = Signature.objects.filter(scoresheet=sheets()[0]).order_by("letter")[0]
    Signature.objects.filter(pk=signature.pk).update(digest="0" * 64)
    return f"{name(sheets()[0])} signature {signature.letter}"


@kind()
def move_a_signature() -> str:
    sheet = sheets()[0]
    Signature.objects.filter(scoresheet=sheet, letter="A").update(scoresheet=sheets()[1], letter="X")
    return f"{name(sheet)} signature A"


@kind()
def delete_a_signature() -> str:
    Signature.objects.filter(scoresheet=sheets()[0], letter="B").delete()
    return f"{name(sheets()[0])} signature B"


@kind()
def sign_for_a_missing_one() -> str:
    Signature.objects.filter(scoresheet=sheets()[0], letter="A").update(
        present=False, missing_reason="left", chief_judge=F("recorded_by")
    )
    return name(sheets()[0])


@kind()
def change_who_signed() -> str:
    stranger = Entrant.objects.exclude(seats__table=sheets()[0].table).order_by("pk")[0]
    Signature.objects.filter(scoresheet=sheets()[0], letter="A").update(entrant=stranger)
    return f"{name(sheets()[0])} signature A"


@kind()
def change_the_state_back() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(state="ready")
    return name(sheet)


@kind()
def change_a_revision() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(revision=F("revision") + 1)
    return name(sheet)


@kind()
def change_a_sheet_s_digest() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(digest="1" * 64)
    return name(sheet)


@kind()
def change_when_it_was_locked() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(locked_at=Release.objects.latest("pk").released_at)
    return name(sheet)


@kind()
def change_who_locked_it() -> str:
    sheet = sheets()[0]
    Scoresheet.objects.filter(pk=sheet.pk).update(locked_by=F("typed_by"))
    return name(sheet)


@kind()
def delete_a_sheet() -> str:
    sheet = sheets()[0]
    names = name(sheet)
    OfficialSheet.objects.filter(scoresheet=sheet).delete()
    Stamp.objects.filter(scoresheet=sheet).delete()
    sheet.delete()
    return names


@kind()
def insert_a_sheet() -> str:
    sheet = sheets()[0]
    games = [(game, list(game.lines.all())) for game in sheet.games.all()]
    sheet.pk, sheet.version = None, 2
    sheet.save(force_insert=True)
    for game, lines in games:
        game.pk, game.scoresheet = None, sheet
        game.save(force_insert=True)
        for line in lines:
            line.pk, line.game = None, game
        Line.objects.bulk_create(lines)
    return name(sheet)


@kind()
def let_another_version_count() -> str:
    sheet = sheets()[0]
    sheet.pk, sheet.version = None, 2
    sheet.save(force_insert=True)
    OfficialSheet.objects.filter(table=sheet.table).update(scoresheet=sheet)
    return name(sheet)


@kind()
def delete_a_stamp() -> str:
    Stamp.objects.filter(scoresheet=sheets()[1]).delete()
    return name(Scoresheet.objects.filter(state="certified", stamp__isnull=True)[0])


@kind()
def change_who_stamped() -> str:
    Stamp.objects.filter(scoresheet=sheets()[0]).update(by=sheets()[0].typed_by)
    return name(sheets()[0])
