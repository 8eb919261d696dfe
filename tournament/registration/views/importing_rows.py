"""The rows of a preview as its page shows them: around a row, those that differ."""

from dataclasses import dataclass
from typing import Any

from tournament.core.contact_masks import mask_phone
from tournament.entrants.models.people import Entrant
from tournament.entrants.readers import characters
from tournament.entrants.readers.entrants import ImportedRow
from tournament.entrants.readers.faults import ImportFault
from tournament.registration.services.importing_changes import EntrantChange
from tournament.registration.services.importing_preview import ImportPreview, rows_around_index


def rows_around(shown: ImportPreview, near: int) -> list[dict[str, Any]]:
    """The rows about one row as in the file, faulty cells marked; phones of sound cells are masked."""
    faulty = {(fault.row, fault.place.index) for fault in shown.faults}
    phone = shown.heads.place("phone").index
    rows = []
    for number, cells in rows_around_index(shown, near) if near else []:
        marked = [
            {
                "text": characters.show_forbidden_characters(
                    mask_phone(cell) if index == phone and (number, index) not in faulty else cell
                )
                if cell is not None
                else "",
                "kept": cell is not None and bool(shown.heads.places[index].column),
                "faulty": (number, index) in faulty,
            }
            for index, cell in enumerate(cells)
        ]
        rows.append({"number": number, "cells": marked, "near": number == near})
    return rows


def preview_rows_shown(shown: ImportPreview, show: str) -> list[Any]:
    """The rows as read, for the figure that was pressed."""
    if show == "sound":
        return [row for row in shown.rows if row.row not in shown.faulty_rows]
    if show == "differ":
        return differing_preview_rows(shown)
    return list(shown.rows)


@dataclass(frozen=True)
class DifferingRow:
    """A row that says another thing than what is entered: what it would change, or what stands against it."""

    row: ImportedRow
    change: EntrantChange | None
    faults: tuple[ImportFault, ...]
    entered: Entrant | None


def differing_preview_rows(shown: ImportPreview) -> list[DifferingRow]:
    """The rows that differ, in the order of the file, each with whoever is entered."""
    rows = []
    for row in shown.rows:
        if row.row not in shown.differing:
            continue
        change = shown.changes.get(row.row)
        faults = tuple(fault for fault in shown.faults if fault.row == row.row)
        told = next((fault.facts["entered"] for fault in faults if "entered" in fault.facts), None)
        rows.append(DifferingRow(row, change, faults, change.entrant if change else told))
    return rows
