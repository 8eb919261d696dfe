"""What is typed about accounts, roles and PINs."""

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournament.core.enums import Role

ACCOUNT_FIELD_REQUIRED = _("Please fill this in.")
ROLE_DESCRIPTIONS = {
    Role.ORGANISER: _("sets up, draws seats, stamps, releases; everything but judging"),
    Role.CLERK: _("imports, checks in, types and compares scoresheets; sees no ranking before the public does"),
    Role.REFEREE: _("watches the own tables"),
    Role.CHIEF_JUDGE: _("rulings, missing signatures, disqualification, ties"),
    Role.AUDITOR: _(
        "reads the records, but no contacts and no drawn signatures; agrees to a role or not, changes nothing else"
    ),
}


class RolesField(forms.MultipleChoiceField):
    """Roles as boxes to tick."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=Role.choices, widget=forms.CheckboxSelectMultiple, **more)


class AccountForm(forms.Form):
    """A new account, or one of another event that works here too."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator(message=_("Only letters, figures and @ . + - _ in a user name."))],
        error_messages={"required": ACCOUNT_FIELD_REQUIRED, "max_length": _("This is too long.")},
        help_text=_("Somebody who has an account here already keeps it: type the same user name."),
    )
    name = forms.CharField(
        label=_("Name on the desk"),
        max_length=150,
        error_messages={"required": ACCOUNT_FIELD_REQUIRED, "max_length": _("This is too long.")},
    )
    roles = RolesField(label=_("Roles"), error_messages={"required": _("Choose at least one role.")})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(
            {"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
        )
        self.fields["name"].widget.attrs["autocomplete"] = "off"


class RolesForm(forms.Form):
    """The roles of an account, with those that the page showed."""

    roles = RolesField(label=_("Roles"), required=False)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def seen_roles(self) -> list[str]:
        """The roles that stood when the page was shown."""
        return [role for role in self.cleaned_data["seen"].split(",") if role]


class PinForm(forms.Form):
    """A PIN, typed twice since nobody sees it."""

    pin = forms.CharField(
        label=_("New PIN"), max_length=8, help_text=_("4 to 8 digits; not such as 0000, 1234 or a year.")
    )
    again = forms.CharField(label=_("The same again"), max_length=8)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget = forms.PasswordInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": "8"})
            field.error_messages = {"required": ACCOUNT_FIELD_REQUIRED, "max_length": _("A PIN has 4 to 8 digits.")}

    def clean(self) -> dict[str, Any]:
        super().clean()
        found = self.cleaned_data
        if "pin" in found and "again" in found and found["pin"] != found["again"]:
            self.add_error("again", _("The two are not the same."))
        return found


class OwnPasswordForm(PasswordChangeForm):
    """The old password and the new one, twice. The old one is looked at as at the sign-in: each wrong one slows the
    account down, so that nobody tries passwords in a browser that was left signed in."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_incorrect": _("This is not your password of now."),
        "password_waits": _("This password was not looked at."),
        "password_mismatch": _("The two are not the same."),
    }

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        labels = {
            "old_password": _("Password of now"),
            "new_password1": _("New password"),
            "new_password2": _("The same again"),
        }
        for name, label in labels.items():
            self.fields[name].label = label
            self.fields[name].help_text = ""
            self.fields[name].error_messages["required"] = ACCOUNT_FIELD_REQUIRED
        self.fields["new_password1"].help_text = _(
            "At least 10 characters; not a common word, the event, the game or your name."
        )

    @property
    def wait(self) -> int:
        """Seconds until a password is looked at again; 0: this one was."""
        return getattr(self.request, "sign_in_wait", 0)

    def clean_old_password(self) -> str:
        """It opens this account, and it was looked at."""
        typed: str = self.cleaned_data["old_password"]
        if authenticate(self.request, username=self.user.get_username(), password=typed) != self.user:
            code = "password_waits" if self.wait else "password_incorrect"
            raise forms.ValidationError(self.error_messages[code], code=code)
        return typed
