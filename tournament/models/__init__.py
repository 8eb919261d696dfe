"""Nouns: fields, constraints, one-row facts. One file a noun's family; all are imported here for Django."""

from tournament.models.audit import AuditEntry, AuditHead, RequestKey
from tournament.models.clock import ClockEvent
from tournament.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.models.correction import Correction
from tournament.models.device import Device, DeviceTable, HeldItem, Pairing, PairingTry, PinTry, Unlock
from tournament.models.dispute import Dispute, Voiding
from tournament.models.erasure import Erasure
from tournament.models.event import Event, InitialPassword, Membership, RefereePin, Session, Stage
from tournament.models.final import ContestDecision, Finalist, Invitation, LinkTry
from tournament.models.importing import EntrantFile
from tournament.models.job import Job, Worker
from tournament.models.keeping import Epoch, SafePoint
from tournament.models.lots import LotsAnnouncement
from tournament.models.notice import BounceReading, Delivery, Mailing, Notice
from tournament.models.people import Entrant, Family, Person, Ruling
from tournament.models.proposal import Proposal
from tournament.models.qualification import TieDecision
from tournament.models.release import PlaceAnswer, Release
from tournament.models.scan import Scan
from tournament.models.scoresheet import Game, Line, Scoresheet
from tournament.models.seating import Draw, PrintedContent, Seat, SheetPrint, Table
from tournament.models.second_typing import SecondTyping
from tournament.models.signing import Drawing, OfficialSheet, Signature, Stamp
from tournament.models.token import ApiToken
from tournament.models.weather import SessionMove, WeatherDecision, WeatherReading, WeatherSignal

__all__ = [
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "BounceReading",
    "ClockEvent",
    "ContestDecision",
    "Correction",
    "Delivery",
    "Device",
    "DeviceTable",
    "Dispute",
    "Draw",
    "Drawing",
    "Entrant",
    "EntrantFile",
    "Epoch",
    "Erasure",
    "Event",
    "Family",
    "Finalist",
    "Game",
    "HeldItem",
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
    "RefereePin",
    "Release",
    "RequestKey",
    "Ruling",
    "SafePoint",
    "Scan",
    "Scoresheet",
    "Seat",
    "SecondTyping",
    "Session",
    "SessionMove",
    "SheetPrint",
    "Signature",
    "Stage",
    "Stamp",
    "Table",
    "TieDecision",
    "Unlock",
    "Voiding",
    "Warning",
    "WeatherDecision",
    "WeatherReading",
    "WeatherSignal",
    "Worker",
]
