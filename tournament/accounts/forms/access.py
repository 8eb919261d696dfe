"""The form for signing in."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """User name and password. A wrong name, a wrong password and a closed account get the same sentence (Y3)."""

    error_messages = {
        "invalid_login": _("User name and password do not match. Mind capital letters and try again."),
        "inactive": _("User name and password do not match. Mind capital letters and try again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["password"].label = _("Password")
        for field in self.fields.values():
            field.error_messages["required"] = _("Please fill this in.")
        self.fields["username"].widget.attrs.update({"autocapitalize": "none", "spellcheck": "false"})
        if self.is_bound:
            # The user name is kept; what is typed next is the password.
            self.fields["username"].widget.attrs.pop("autofocus", None)
            self.fields["password"].widget.attrs["autofocus"] = True
