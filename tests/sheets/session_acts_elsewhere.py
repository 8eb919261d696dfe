"""What changes something and is not tried in each stage of a session's life: every address, by why it is not."""

ELSEWHERE: dict[str, str] = {
    "an address of before, which only leads to the new one (test_old_addresses)": """
        old_standings old_standing old_final_standings old_final_standing old_qualification
        old_places old_decide_reserve_tie old_set_answers_until old_record_answer old_play_off old_lots""",
    "an account of the desk, or the installation": """
        accounts change_roles close_account end_sign_ins lift_sign_in_delay reopen_account reset_password set_pin
        waiting_role backup privacy""",
    "the making of an event, or of a copy of its set-up": "announce_event copy_event make_rehearsal",
    "the set-up of a later stage, whose locks are its own (test_setup_final, test_setup_stages)": """
        change_final change_final_rules change_final_sessions api_final
        new_stage change_stage change_stage_rules change_stage_sessions""",
    "who plays the final and how equals are parted: of a whole stage, judged by all its sheets together": """
        freeze_finalists thaw_finalists exchange_finalist record_answer set_answers_until make_links replace_link
        revoke_link decide_reserve_tie play_off lots podium award qualification decision_proposal
        api_freeze_finalists api_thaw_finalists api_exchange_finalist api_record_answer api_links api_replace_link
        api_revoke_link api_decide_tie api_decide_reserve_tie api_decide_podium api_decide_award api_agree_decision
        api_announce_line_lots api_announce_reserve_lots api_announce_podium_lots api_announce_award_lots""",
    "a release, which looks at every session of its stage (test_release)": """
        releases release_page write_public_files certificates api_releases api_withdraw""",
    "a text to the public or a mail of it, which changes nothing of a session": """
        new_notice notice publish_notice banner_down api_notices api_notice api_discard_notice api_publish_notice
        api_take_down_banner mailing mail_notice mail_results mail_places mailing_follow_up api_mail_notice
        api_mail_results api_mail_places api_pause_mailing api_resume_mailing api_stop_mailing api_retry_mailing""",
    "a line shown in the hall or a call of a table, which change nothing of a session (test_hall_signs)": "hall_desk",
    "what is known of the weather and decided about a day; what it does to a session are acts of their own": """
        enter_signal look_at_sky decide_weather api_enter_signal api_look_at_sky api_decide_weather""",
    "how many sheets of a whole stage are typed twice; each such sheet is tried here": "set_second_typing",
    "a file that is read and shown before anything is done": "import_entrants",
    "an item that a tablet brought late, entered through the acts that are tried here (test_held_items)": """
        held_item import_outbox tablet_late""",
    "a tablet itself, in whose hands it is and how long it serves (test_tablet)": """
        revoke_tablet unlock_pins tablet_pair tablet_pin tablet_lock tablet_next tablet_take_back""",
}


def names() -> list[str]:
    """Every address that is tried elsewhere."""
    return [name for told in ELSEWHERE.values() for name in told.split()]
