"""Every model of the app, for Django; code imports a model from its room."""

from tournament.accounts.models import Proposal
from tournament.api.models import ApiToken
from tournament.arrivals.models import Arrival, DoorCheck, Forfeiture
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.models.event import Event, InitialPassword, Membership
from tournament.core.models.job import Job, Worker
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session, Stage
from tournament.devices.models.backup_point import Epoch, SafePoint
from tournament.devices.models.device import (
    Device,
    DeviceTable,
    Pairing,
    PairingTry,
    PinTry,
    QuarantinedSubmission,
    Unlock,
)
from tournament.devices.models.pin import RefereePin
from tournament.entrants.models.final import Finalist, Invitation, LinkTry
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Family, Person, Ruling
from tournament.events.models import SessionMove
from tournament.hall.models import Announcement, TableCall
from tournament.messages.models import BounceReading, Delivery, Mailing, Notice
from tournament.operations.models import Erasure
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer, Release
from tournament.scoresheets.models import Correction
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import LINE_FIELDS, TURN_FIELDS, Game, Line, Scoresheet, Turn
from tournament.sheets.models.signing import Drawing, OfficialSheet, Signature, Stamp
from tournament.tables.models import Draw, PrintedContent, Seat, SheetPrint, Table
from tournament.weather.models import WeatherDecision, WeatherReading, WeatherSignal

__all__ = [
    "LINE_FIELDS",
    "TURN_FIELDS",
    "Announcement",
    "ApiToken",
    "Arrival",
    "AuditEntry",
    "AuditHead",
    "BounceReading",
    "ClockEvent",
    "Correction",
    "Delivery",
    "Device",
    "DeviceTable",
    "Dispute",
    "DoorCheck",
    "DoubleEntry",
    "Draw",
    "Drawing",
    "Entrant",
    "EntrantFile",
    "Epoch",
    "Erasure",
    "Event",
    "Family",
    "Finalist",
    "Forfeiture",
    "Game",
    "Incident",
    "InitialPassword",
    "Invitation",
    "Job",
    "JudgeCall",
    "Line",
    "LinkTry",
    "LotsAnnouncement",
    "Mailing",
    "Membership",
    "NoteEnd",
    "Notice",
    "OfficialSheet",
    "Pairing",
    "PairingTry",
    "Person",
    "PinTry",
    "PlaceAnswer",
    "PrintedContent",
    "Proposal",
    "QuarantinedSubmission",
    "RefereePin",
    "Release",
    "RequestKey",
    "Ruling",
    "SafePoint",
    "Scan",
    "Scoresheet",
    "Seat",
    "Session",
    "SessionMove",
    "SheetPrint",
    "Signature",
    "Stage",
    "Stamp",
    "Table",
    "TableCall",
    "TieBreak",
    "Turn",
    "Unlock",
    "Voiding",
    "Warning",
    "WeatherDecision",
    "WeatherReading",
    "WeatherSignal",
    "Worker",
]
