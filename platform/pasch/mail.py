"""Where mails go in a house without a mail server: into files at home, and nowhere on the internet.

Mails hold what opens accounts (links to set a password anew), so no text of one is ever a line of
the log.
"""

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends import base, filebased

logger = logging.getLogger(__name__)


class MailFiles(filebased.EmailBackend):
    """Writes mails to files that only their owner can read, and logs where."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the folder."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        super().__init__(*args, **kwargs)

    _get_filename: Callable[[], str]  # Django's own; its stubs leave it out

    def open(self) -> bool:
        """Make the file of these mails."""
        if self.stream is not None:
            return False
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.stream = os.fdopen(os.open(self._get_filename(), flags, 0o600), "ab")
        return True

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write them; the number of mails."""
        sent = int(super().send_messages(email_messages) or 0)
        if sent:
            logger.info("a mail was written to %s", self._get_filename())
        return sent


class NoMailServer(OSError):
    """A mail cannot be sent; the text names the variable that is missing."""


class NoMail(base.BaseEmailBackend):
    """Refuses every mail: a house on the internet needs a mail server."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Raise `NoMailServer`."""
        raise NoMailServer("EMAIL_HOST is not set, so that no mail can be sent.")
