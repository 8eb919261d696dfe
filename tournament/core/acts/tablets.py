"""Tablets: paired, opened, handed out, cut off, and what they brought that waits for a person."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act

TABLETS = (
    Act("make_pairing", "session", _("pairing code made"), right="pair_tablets", reason_refers=True),
    Act("pair_tablet", "tablet", _("tablet paired"), reason_refers=True),
    Act("take_over_tables", "tablet", _("tables taken over by another tablet"), reason_refers=True),
    Act("revoke_tablet", "tablet", _("tablet cut off"), right="pair_tablets"),
    Act("go_on_tablet", "tablet", _("tablet goes on to the next session"), right="pair_tablets", reason_refers=True),
    Act("open_tablet", "tablet", _("tablet opened with a PIN"), only_logged=True),
    Act("lock_pin", "tablet", _("PIN locked after wrong ones"), only_logged=True, reason_refers=True),
    Act("unlock_pin", "tablet", _("wrong PINs lifted by the desk"), right="unlock_pins", only_logged=True),
    Act("hand_out_tablet", "tablet", _("tablet handed to the players"), only_logged=True, reason_refers=True),
    Act("take_back_tablet", "tablet", _("tablet taken back"), only_logged=True),
    Act("hold_item", "held", _("item of a tablet held")),
    Act("enter_held_item", "held", _("held item entered"), right="settle_held"),
    Act("set_aside_held_item", "held", _("held item set aside"), right="settle_held"),
    Act(
        "see_held_drawings",
        "held",
        _("signatures of a held item looked at"),
        right="count_held_signatures",
        only_logged=True,
    ),
    Act("import_outbox", "outbox", _("outbox brought in by hand"), right="settle_held", only_logged=True),
)
