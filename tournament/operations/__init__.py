"""Running the house: overview, verification, backup, erasure, retention.

Owns: the overview, verifiers, backups and restoring, erasure of personal data, pages for failures.
Offers: backup, erasure and verification, for commands.
It must never hide a failure, or erase more than was promised.
"""

OFFERS = (
    "api",
    "models",
    "services.audit_export",
    "services.audit_verification",
    "services.backup",
    "services.backup_anchors",
    "services.backup_engines",
    "services.backup_kept",
    "services.backup_keys",
    "services.erasure",
    "services.erasure_files",
    "services.erasure_kinds",
    "services.erasure_scope",
    "services.erasure_sweep",
    "services.erasure_texts",
    "services.retention",
    "services.retention_mails",
    "services.subject_copy",
    "services.updating",
    "tasks.working",
    "views.accounts",
)
