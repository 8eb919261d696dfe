"""Tables and conditions in the SQL that SQLite and PostgreSQL share, for the rules of triggers."""

LOCKED_STATES_SQL = "('signed', 'certified')"
SHEET_TABLE, GAME_TABLE, LINE_TABLE, SIGNATURE_TABLE = (
    "tournament_scoresheet",
    "tournament_game",
    "tournament_line",
    "tournament_signature",
)
DRAWING_TABLE, TURN_TABLE = "tournament_drawing", "tournament_turn"
SEAT_TABLE, OFFICIAL_SHEET_TABLE, RELEASE_TABLE = "tournament_seat", "tournament_officialsheet", "tournament_release"
SCAN_TABLE, ERASURE_TABLE = "tournament_scan", "tournament_erasure"
AUDIT_ENTRY_TABLE, AUDIT_HEAD_TABLE = "tournament_auditentry", "tournament_audithead"
CORRECTION_TABLE = "tournament_correction"
DOUBLE_ENTRY_TABLE = "tournament_doubleentry"
NOTICE_TABLE, DELIVERY_TABLE = "tournament_notice", "tournament_delivery"
PROPOSAL_TABLE = "tournament_proposal"


def exists_sql(table: str, condition: str) -> str:
    """Whether there is such a row, which stands as `kept`."""
    return f"EXISTS (SELECT 1 FROM {table} AS kept WHERE {condition})"  # noqa: S608


def erasing_sql(event: str) -> str:
    """Whether personal data of this event is being erased at the moment."""
    return (
        f"EXISTS (SELECT 1 FROM {ERASURE_TABLE} AS going WHERE going.event_id = {event} AND going.finished_at IS NULL)"  # noqa: S608
    )


def event_of_stage_sql(stage: str) -> str:
    """The event of the stage with this id."""
    return f"(SELECT stage.event_id FROM tournament_stage AS stage WHERE stage.id = {stage})"  # noqa: S608


def event_of_session_sql(session: str) -> str:
    """The event of the session with this id."""
    return event_of_stage_sql(f"(SELECT held.stage_id FROM tournament_session AS held WHERE held.id = {session})")  # noqa: S608


def event_of_signature_sql(signature: str) -> str:
    """The event of the signature with this id."""
    joined = (
        f"{SIGNATURE_TABLE} AS signed JOIN {SHEET_TABLE} AS sheet ON sheet.id = signed.scoresheet_id"
        " JOIN tournament_table AS seated ON seated.id = sheet.table_id"
    )
    return event_of_session_sql(f"(SELECT seated.session_id FROM {joined} WHERE signed.id = {signature})")  # noqa: S608


def is_locked_sql(sheet: str) -> str:
    """Whether the sheet with this id is locked."""
    return (
        f"EXISTS (SELECT 1 FROM {SHEET_TABLE} AS sheet WHERE sheet.id = {sheet} AND sheet.state IN {LOCKED_STATES_SQL})"  # noqa: S608
    )


def is_locked_by_game_sql(game: str) -> str:
    """Whether the game with this id belongs to a locked sheet."""
    joined = f"{GAME_TABLE} AS game JOIN {SHEET_TABLE} AS sheet ON sheet.id = game.scoresheet_id"
    return f"EXISTS (SELECT 1 FROM {joined} WHERE game.id = {game} AND sheet.state IN {LOCKED_STATES_SQL})"  # noqa: S608


def is_locked_by_line_sql(line: str) -> str:
    """Whether the line with this id belongs to a locked sheet."""
    joined = (
        f"{LINE_TABLE} AS line JOIN {GAME_TABLE} AS game ON game.id = line.game_id"
        f" JOIN {SHEET_TABLE} AS sheet ON sheet.id = game.scoresheet_id"
    )
    return f"EXISTS (SELECT 1 FROM {joined} WHERE line.id = {line} AND sheet.state IN {LOCKED_STATES_SQL})"  # noqa: S608


def is_locked_by_signature_sql(signature: str) -> str:
    """Whether the signature with this id belongs to a locked sheet."""
    joined = f"{SIGNATURE_TABLE} AS signature JOIN {SHEET_TABLE} AS sheet ON sheet.id = signature.scoresheet_id"
    return f"EXISTS (SELECT 1 FROM {joined} WHERE signature.id = {signature} AND sheet.state IN {LOCKED_STATES_SQL})"  # noqa: S608


def is_locked_at_table_sql(table: str) -> str:
    """Whether the table with this id has a locked sheet."""
    locked = f"sheet.state IN {LOCKED_STATES_SQL}"
    return f"EXISTS (SELECT 1 FROM {SHEET_TABLE} AS sheet WHERE sheet.table_id = {table} AND {locked})"  # noqa: S608
