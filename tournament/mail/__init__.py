"""Notices written and mail sent, and what comes back.

Owns: drafting and publishing a notice, sending in lanes, bounces, whom to telephone.
Offers: sending and its adapters, for workers and the demo.
It must never send what is no longer in force, or call a mail read that was only taken.
"""

OFFERS = (
    "adapters.mail",
    "adapters.mail_files",
    "api.mailings",
    "api.mailings_bounces",
    "api.notices",
    "domain.unreached",
    "services.bounces_mailbox",
    "services.mailings_sending",
    "tasks",
)
