"""The eight words of which one function each answers, and what stands behind it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """`ask`: what pages, mails, files and the API call. `behind`: what it calls, which nobody above the domain does."""

    ask: str
    behind: tuple[str, ...]


WORDS = {
    "finished": Word(
        "tournament.ranking.domain.grounds_ranking.stage_still_open",
        ("tournament.ranking.queries.open_stages.still_open",),
    ),
    "settled": Word(
        "tournament.ranking.domain.grounds_ranking.is_ready_but_for_hour",
        ("tournament.ranking.queries.open_stages.StillOpen.is_settled",),
    ),
    "counts": Word(
        "tournament.sheets.domain.grounds_sheets.is_sheet_ranked_now",
        ("tournament.sheets.queries.scoresheets.is_ranked",),
    ),
    "certain": Word(
        "tournament.ranking.domain.grounds_ranking.certainty_now_by_number",
        ("tournament.ranking.domain.standings.certainty_by_number",),
    ),
    "told": Word(
        "tournament.messages.domain.grounds_messages.recipients_not_reached",
        (
            "tournament.messages.domain.told.recipients_not_yet_mailed",
            "tournament.messages.domain.told.is_mailed_already",
        ),
    ),
    "recorded": Word(
        "tournament.devices.domain.submissions_not_recorded",
        ("tournament.devices.queries.unresolved_submissions",),
    ),
    "backed up": Word(
        "tournament.operations.services.backup_kept.backup_status",
        ("tournament.operations.services.backup_kept.newest_intact_backup",),
    ),
    "in force": Word(
        "tournament.messages.domain.grounds_messages.reason_not_in_force",
        tuple(
            f"tournament.messages.domain.mail_subjects.{name}"
            for name in (
                "reason_out_of_force",
                "mailing_ended_reason",
                "delivery_outdated_reason",
                "ended_reason_of_release",
                "ended_reason_of_notice",
            )
        ),
    ),
}

# Layers that say something to people or programs.
SAY = frozenset({"readers", "exports", "services", "forms", "templatetags", "tasks", "api", "views", "management"})

# By model the field that decides a word: the one module whose queries choose rows by it.
DECIDING = {"Release": "withdrawn_at", "QuarantinedSubmission": "outcome", "OfficialSheet": "scoresheet__state__in"}
CHOOSING = {
    "tournament/releases/queries.py",
    "tournament/devices/queries.py",
    "tournament/sheets/queries/counted_sheets.py",
}
# Others that ask the field, each with why it is not the word.
OTHERWISE = {
    "tournament/publication/services/release.py": "the swap that withdraws it",
    "tournament/registration/services/people_effect.py": "every release whose pages show a name, replaced ones too",
    "tournament/publication/services/public_pages.py": "every release whose pages show a name, replaced ones too",
    "tournament/tablets/services/held.py": "the swap that settles an item, and those of one sheet that it settles too",
    "tournament/weather/queries/postponing.py": "sheets of a session that is void or stopped",
    "tournament/sheets/services/signing.py": "the version that a stamp is put on; a void session refuses by itself",
}
