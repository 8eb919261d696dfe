"""The log of acts: a gap-free hash chain an event, and the triggers that guard its rows (D3, D4).

Owns: AuditEntry and AuditHead, appending an entry with its payload, installing and comparing triggers.
Offers: `append_audit_entry`, reads of entries, `triggers`.
It must never change or delete an entry, or know what an act means beyond the table of acts.
"""

OFFERS = (
    "models",
    "queries",
    "services",
    "triggers",
)
