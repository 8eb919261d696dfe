"""The eight words of which one function each answers, and what stands behind it."""

from dataclasses import dataclass

GROUNDS = "tournament.bridge.grounds"


@dataclass(frozen=True)
class Word:
    """`ask`: what pages, mails, files and the API call. `behind`: what it calls, which nobody above the bridge does."""

    ask: str
    behind: tuple[str, ...]


WORDS = {
    "finished": Word(f"{GROUNDS}.finished", ("tournament.queries.grounds.still_open",)),
    "settled": Word(f"{GROUNDS}.settled", ("tournament.queries.grounds.StillOpen.is_settled",)),
    "counts": Word(f"{GROUNDS}.counts", ("tournament.queries.scoresheets.is_ranked",)),
    "certain": Word(f"{GROUNDS}.certain", ("tournament.bridge.standings.certainty_of",)),
    "told": Word(
        f"{GROUNDS}.not_told", ("tournament.bridge.recipients.not_told", "tournament.bridge.recipients.is_told")
    ),
    "recorded": Word(f"{GROUNDS}.not_recorded", ("tournament.queries.devices.unsettled",)),
    "backed up": Word("tournament.services.backup_kept.backed_up", ("tournament.services.backup_kept.newest_whole",)),
    "in force": Word(
        f"{GROUNDS}.in_force",
        tuple(
            f"tournament.bridge.mailing_subjects.{name}"
            for name in ("why_out_of_force", "why_ended", "why_outdated", "ended_with", "replaced_notice")
        ),
    ),
}

# Layers that say something to people or programs.
SAY = ("readers", "exports", "services", "forms", "templatetags", "tasks", "api", "views", "management")

# By model the field that decides a word: queries that choose rows by it stand in queries/ground_rows.py.
DECIDING = {"Release": "withdrawn_at", "HeldItem": "outcome", "OfficialSheet": "scoresheet__state__in"}
# Others that ask the field, each with why it is not the word.
OTHERWISE = {
    "tournament/services/release.py": "the swap that withdraws it",
    "tournament/services/people_effect.py": "every release whose pages show a name, replaced ones too",
    "tournament/services/public_pages.py": "every release whose pages show a name, replaced ones too",
    "tournament/services/devices_held.py": "the swap that settles an item, and those of one sheet that it settles too",
    "tournament/queries/devices.py": "what was settled",
    "tournament/queries/postponing.py": "sheets of a session that is void or stopped",
    "tournament/services/signing.py": "the version that a stamp is put on; a void session refuses by itself",
}
