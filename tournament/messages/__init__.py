"""Mailings and notices as rows, and whether their words are still in force.

Owns: Mailing, Delivery, Notice, who was reached, the gate that keeps personal data out of published texts.
Offers: recipients, mailings ended when their subject ends, the parts of a mail.
It must never send a mail or edit a notice: that is `mail`.
"""

OFFERS = (
    "domain.grounds_messages",
    "domain.mail_subjects",
    "domain.told",
    "exports.mail_missing",
    "exports.mail_parts",
    "exports.mail_style",
    "exports.notice_texts",
    "exports.typed_words",
    "forms",
    "models",
    "queries.bounces",
    "queries.mailing_counts",
    "queries.mailings",
    "queries.notices",
    "queries.notices_replaced",
    "queries.published_text",
    "queries.recipients",
    "readers.personal_candidates",
    "readers.personal_text",
    "services.mailings",
    "services.mailings_ending",
    "services.mailings_subjects",
    "services.published_text",
    "views.mailings_about",
    "views.mailings_words",
    "views.notices_told",
)
