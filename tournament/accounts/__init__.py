"""Accounts, their roles at an event, and second persons.

Owns: roles, passwords, sign-in delays, proposals that wait for a second person.
Offers: giving and taking roles, proposals, what is exported of an account.
It must never decide what a right opens: that is the table of acts in `core`.
"""

OFFERS = (
    "forms.access",
    "forms.accounts",
    "models",
    "queries.access",
    "queries.accounts",
    "queries.proposals",
    "queries.roles_given",
    "services.accounts",
    "services.personal_exports",
    "services.proposals",
    "services.roles",
    "services.sign_in_delays",
    "views",
)
