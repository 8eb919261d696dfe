"""Mail as files, where no server is named: one a mail in EMAIL_FILE_PATH, whole or not there.

The file's name is the mail's Message-ID, so that a mail that is sent again after a kill is the same file: once.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import SafeMIMEText

UNSAFE_FILE_CHARACTERS = re.compile(r"[^A-Za-z0-9.@_-]")


def mail_file_name(message_id: str) -> str:
    """Under which name a mail lies in the folder."""
    return UNSAFE_FILE_CHARACTERS.sub("_", message_id.strip("<>")) + ".eml"


class MailFileBackend(BaseEmailBackend):
    """Django's way to send, into a folder that only its owner reads: mails are people's own."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write them; how many. Each is on the disk before its name is there."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            made = message.message()
            name = mail_file_name(str(made["Message-ID"]))
            part = folder / f".{name}.{os.getpid()}.part"
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(cast(SafeMIMEText, made).as_bytes(linesep="\r\n"))
                file.flush()
                os.fsync(file.fileno())
            part.rename(folder / name)
        return len(email_messages)
