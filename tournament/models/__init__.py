"""Nouns: fields, constraints, one-row facts. One file a noun's family; all are imported here for Django."""

from tournament.models.audit import AuditEntry, AuditHead, RequestKey
from tournament.models.event import Event, Membership, RefereePin, Session, Stage
from tournament.models.importing import EntrantFile
from tournament.models.people import Entrant, Family, Person, Ruling
from tournament.models.qualification import TieDecision
from tournament.models.release import Release
from tournament.models.scoresheet import Game, Line, Scoresheet
from tournament.models.seating import Draw, Seat, Table
from tournament.models.signing import OfficialSheet, Signature, Stamp
from tournament.models.token import ApiToken

__all__ = [
    "ApiToken",
    "AuditEntry",
    "AuditHead",
    "Draw",
    "Entrant",
    "EntrantFile",
    "Event",
    "Family",
    "Game",
    "Line",
    "Membership",
    "OfficialSheet",
    "Person",
    "RefereePin",
    "Release",
    "RequestKey",
    "Ruling",
    "Scoresheet",
    "Seat",
    "Session",
    "Signature",
    "Stage",
    "Stamp",
    "Table",
    "TieDecision",
]
