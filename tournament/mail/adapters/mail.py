"""The mail server: one connection for many mails, opened anew after every trouble, and its answers as three kinds."""

import re
import smtplib
from contextlib import suppress

from django.core.mail import EmailMessage, get_connection

SERVICE_CLOSING_CODE = 421
# Mailbox unavailable, mailbox full.
MAILBOX_CODES = frozenset({450, 452})
ENHANCED_STATUS_REPLY = re.compile(r"\d{3} 4\.(\d{1,3})\.\d{1,3}\b")


class MailServerDown(Exception):
    """No mail is taken at the moment, whoever it is for: nobody answers, or the account or the sender is refused."""


class MailDeferred(Exception):
    """This mail may be taken later: a passing refusal (4xx), or the connection broke off before the yes.

    `of_recipient`: it is about this one's mailbox, as a full one; others are taken all the same.
    """

    def __init__(self, said: str, *, of_recipient: bool = False) -> None:
        super().__init__(said)
        self.of_recipient = of_recipient


class MailRejected(Exception):
    """This mail will not be taken (5xx)."""


class MailTransport:
    """Where mail goes out, as settings say: a server, or files."""

    def __init__(self) -> None:
        self.backend = get_connection()

    def open(self) -> None:
        """Connect unless a connection is open. Raises `MailServerDown`."""
        try:
            self.backend.open()
        except OSError as error:  # smtplib's own are OSErrors too
            self.drop()
            raise MailServerDown(smtp_error_text(error)) from error

    def send(self, message: EmailMessage) -> None:
        """Hand over one mail; to return means that the server said yes (250) to it.

        Raises `MailDeferred`, `MailRejected`, or `MailServerDown` where what was refused is not about this mail.
        """
        self.open()
        try:
            self.backend.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            [(code, words)] = error.recipients.values()
            self.refused(code, words, error, named=True)
        except smtplib.SMTPSenderRefused as error:
            self.drop()
            raise MailServerDown(smtp_error_text(error)) from error
        except smtplib.SMTPResponseException as error:
            self.refused(error.smtp_code, error.smtp_error, error)
        except smtplib.SMTPNotSupportedError as error:
            raise MailRejected(smtp_error_text(error)) from error
        except OSError as error:
            self.drop()
            raise MailDeferred(smtp_error_text(error)) from error

    def refused(self, code: int, words: bytes | str, error: Exception, *, named: bool = False) -> None:
        """By the first figure of the answer; 421 closes the connection on everybody. `named`: at the recipient."""
        said = f"{code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"
        if code == SERVICE_CLOSING_CODE:
            self.drop()
            raise MailServerDown(said) from error
        if code >= 500:
            raise MailRejected(said) from error
        raise MailDeferred(said, of_recipient=is_refusal_of_recipient(code, said, named)) from error

    def drop(self) -> None:
        """Let a connection go without a word more to it: a server that does not answer would be waited for again."""
        connection = getattr(self.backend, "connection", None)
        if connection is not None:
            connection.close()
        self.backend = get_connection()

    def close(self) -> None:
        """Close the connection; an error in doing so is ignored."""
        with suppress(OSError):
            self.backend.close()


def is_refusal_of_recipient(code: int, said: str, named: bool) -> bool:
    """Whether a passing refusal is about the mailbox of this one: by the enhanced code (RFC 3463: 4.2.x) where there is
    one, else 450 or 452 when the recipient was named."""
    enhanced = ENHANCED_STATUS_REPLY.match(said)
    return enhanced[1] == "2" if enhanced else named and code in MAILBOX_CODES


def smtp_error_text(error: Exception) -> str:
    """What the server said, or what kind of silence it was."""
    if isinstance(error, smtplib.SMTPResponseException):
        words = error.smtp_error
        return f"{error.smtp_code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"
    return str(error) or type(error).__name__
