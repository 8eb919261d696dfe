"""What the public reads: releases, public pages, certificates, results as files.

Owns: checking and making a release, the files for the public, withdrawal.
Offers: release and its grounds, the public files, columns of exported rankings, drawn tiles.
It must never show an unmasked name, or what no release has.
"""

OFFERS = (
    "api",
    "domain.names",
    "domain.release",
    "exports.draws",
    "exports.notice_pdf",
    "exports.public_notices",
    "exports.public_pages",
    "exports.rules_drawing",
    "queries.announced",
    "queries.changed_people",
    "queries.release",
    "services.files",
    "services.notices_files",
    "services.outdated",
    "services.public_pages",
    "services.release",
    "services.rules_files",
    "services.shelf",
)
