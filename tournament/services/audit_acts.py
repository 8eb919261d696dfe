"""Every act that an audit log may have: those that something is compared with, and those that only tell.

An act that stands in neither was written by a newer program, or by nobody's: a verifier says that it cannot compare it.
"""

from tournament.enums import EntrantStatus, SheetState

# After an act that is known, the state it leads its scoresheet to.
LEADS_TO = {
    "open_scoresheet": SheetState.OPEN,
    "save_scoresheet": SheetState.DRAFT,
    "ready_scoresheet": SheetState.READY,
    "reopen_scoresheet": SheetState.DRAFT,
    "reject_scoresheet": SheetState.DRAFT,
    "certify_scoresheet": SheetState.CERTIFIED,
    "settle_second_typing": SheetState.DRAFT,
    "dispute_scoresheet": SheetState.DISPUTED,
    "decide_dispute": SheetState.READY,
    "void_scoresheet": SheetState.VOID,
    "begin_correction": SheetState.DRAFT,
    "lock_scoresheet": SheetState.SIGNED,
    "approve_correction": SheetState.CERTIFIED,
    "give_up_correction": SheetState.VOID,
}
LOCKS = frozenset({"certify_scoresheet", "lock_scoresheet", "approve_correction"})
STATUSES = {
    "record_no_show": EntrantStatus.FORFEITED,
    "record_withdrawal": EntrantStatus.WITHDRAWN,
    "disqualify_entrant": EntrantStatus.DISQUALIFIED,
    "readmit_entrant": EntrantStatus.OK,
}
AGE = "age_accepted"
RULINGS = {
    "record_no_show": "forfeited",
    "record_withdrawal": "withdrawn",
    "disqualify_entrant": "disqualified",
    "readmit_entrant": "readmitted",
    "accept_age": AGE,
}
# Compared with a row of their own, or with the revision that it has now.
RECORDED = frozenset(
    {
        "sign_scoresheet",
        "stamp_scoresheet",
        "propose_correction",
        "propose_void",
        "save_second_typing",
        "type_scoresheet_again",
        "uphold_first_typing",
        "print_scoresheets",
        "record_answer",
        "make_link",
        "revoke_link",
        "freeze_finalists",
        "thaw_finalists",
        "decide_tie",
        "decide_contest",
        "release",
        "withdraw_release",
        "grant_role",
        "revoke_role",
        "change_entrant",
        "draw_seats",
        "swap_seats",
        "move_seat",
        "seat_late_entrant",
        "free_seat",
        "open_table",
        "dissolve_table",
        "undo_move",
        "assign_referee",
        "change_event",
        "change_rules",
        "change_sessions",
        "set_up_final",
        "make_pairing",
        "pair_tablet",
        "take_over_tables",
        "revoke_tablet",
        "go_on_tablet",
        "hold_item",
        "enter_held_item",
        "set_aside_held_item",
        "start_session",
        "suspend_session",
        "resume_session",
        "close_session",
        "reopen_session",
        "take_back_start",
        "pause_table",
        "unpause_table",
        "give_overtime",
        "warn_entrant",
        "record_incident",
        "call_judge",
        "take_call",
        "answer_call",
    }
)
# These tell who did what and when; no row repeats it.
TOLD = frozenset(
    {
        "seed_event",
        "create_event",
        "make_rehearsal",
        "set_second_typing",
        "set_answers_until",
        "take_out_links",
        "confirm_seats",
        "read_entrant_file",
        "accept_entrant_row",
        "refuse_entrant_row",
        "reopen_entrant_row",
        "mend_entrant_name",
        "put_aside_file",
        "import_entrants",
        "close_account",
        "reopen_account",
        "reset_password",
        "change_own_password",
        "set_pin",
        "open_tablet",
        "lock_pin",
        "hand_out_tablet",
        "take_back_tablet",
        "see_held_drawings",
        "import_outbox",
        "make_token",
        "revoke_token",
        "create_backup",
        "keep_signature_key",
        "attach_scan",
        "see_drawings",
        "confirm_heading",
        "restore_backup",
        "write_public_files",
    }
)
KNOWN = frozenset({*LEADS_TO, *RULINGS, *RECORDED, *TOLD})
