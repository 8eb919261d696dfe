"""An event, its accounts and their roles, its second persons, its backups."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import ANYTHING, Act

EVENT = (
    Act("seed_event", "event", _("demo played"), only_logged=True),
    Act("create_event", "event", _("event made"), only_logged=True),
    Act("change_event", "event", _("event changed"), right="set_up_event"),
    Act("announce_event", "event", _("event announced"), right="set_up_event", only_logged=True),
    Act("change_sessions", "event", _("sessions changed"), right="set_up_event"),
    Act("change_rules", "event", _("rules changed"), right="set_up_event"),
    Act("set_up_final", "event", _("later stage set up or changed"), right="set_up_event"),
    Act("make_rehearsal", "event", _("copied to rehearse"), right="set_up_event", only_logged=True),
    Act("grant_role", "account", _("role given"), right="manage_accounts", takes_two=True),
    Act("revoke_role", "account", _("role taken"), right="manage_accounts"),
    Act("accept_role", "account", _("role accepted by its account"), only_logged=True),
    Act("agree_role", "account", _("role agreed to by a third person"), right="agree_role", only_logged=True),
    Act("role_by_delay", "account", _("role in effect after the delay"), only_logged=True),
    Act("close_account", "account", _("account closed"), right="manage_accounts", only_logged=True),
    Act("reopen_account", "account", _("account opened again"), right="manage_accounts", only_logged=True),
    Act("reset_password", "account", _("new initial password"), right="manage_accounts", only_logged=True),
    Act("change_own_password", "account", _("own password changed"), only_logged=True),
    Act("set_pin", "account", _("PIN set"), right="manage_accounts", only_logged=True),
    Act("lift_sign_in_delay", "account", _("wait at signing in lifted"), right="manage_accounts", only_logged=True),
    Act("end_sign_ins", "account", _("sign-ins ended"), right="manage_accounts", only_logged=True),
    Act("make_staff", "account", _("may look after the installation")),
    Act("make_token", "account", _("API token made"), only_logged=True),
    Act("revoke_token", "account", _("API token ended"), right="manage_accounts", only_logged=True),
    Act("keep_signature_key", "key", _("key of the signatures kept"), only_logged=True),
    Act("create_backup", "event", _("backup made"), right="make_backup", only_logged=True),
    Act("restore_backup", "event", _("backup restored"), only_logged=True),
    Act("migrate_in_play", "event", _("tables changed by an update while a session was open"), only_logged=True),
    Act("propose_act", ANYTHING, _("proposed to a second person"), only_logged=True),
    Act("approve_proposal", ANYTHING, _("proposal agreed to"), only_logged=True),
    Act("refuse_proposal", ANYTHING, _("proposal refused"), right="answer_proposal", only_logged=True),
    Act("withdraw_proposal", ANYTHING, _("proposal withdrawn"), only_logged=True),
    Act("lapse_proposal", ANYTHING, _("proposal lapsed"), only_logged=True),
)
