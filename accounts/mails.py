"""Mails of the house: rows that are written with what they are about, and sent after the commit.

A message that cannot be delivered waits alone, longer after each try, and delays no other.
"""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from email.errors import MessageError
from smtplib import SMTPException, SMTPServerDisconnected
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import OutgoingMail

RUN_SECONDS_MAX: Final = 30.0
"""After so long a run leaves the rest to the next one."""

BACK_OFF_FIRST: Final = timedelta(minutes=1)
BACK_OFF_LONGEST: Final = timedelta(hours=6)

_UNDELIVERABLE: Final = (SMTPException, OSError, ValueError, MessageError)

_log = logging.getLogger("accounts.mails")


def mail_enqueue(*, to: str, subject: str, body: str, about: str = "") -> OutgoingMail:
    """Put a message into the outbox, in the caller's transaction: no commit, no mail.

    `about` is a reference for the desk (``payout:7``). Raises ValueError without an address.
    """
    if not to.strip():
        raise ValueError("a mail goes to an address")
    return OutgoingMail.objects.create(
        to=to.strip(), subject=" ".join(subject.split())[:200], body=body, about=about
    )


def full_address(place: str) -> str:
    """A place of this house (`/desk/`) as a link that a mail can hold."""
    return f"{settings.PUBLIC_ADDRESS}{place}"


def mails_send() -> int:
    """Send what is due, the longest waiting first; answers how many mails went out.

    A mail is marked in the transaction that sent it: after a crash in between it is sent again.
    """
    if not mails_are_due():
        return 0
    server = get_connection()
    try:
        server.open()
    except (SMTPException, OSError) as error:  # not the fault of an address: no try is counted
        _log.warning("no mail server: %s", error)
        mails_due().update(last_error=_said("the mail server does not answer", error))
        return 0
    try:
        return sum(_sent_one_by_one(server))
    finally:
        server.close()


def mails_are_due() -> bool:
    """Whether a mail is to be sent now."""
    return mails_due().exists()


def mails_due() -> QuerySet[OutgoingMail]:
    """Unsent mails whose next try is due, the longest waiting first."""
    return mails_waiting().filter(next_try_at__lte=Now()).order_by("next_try_at", "id")


def mails_waiting() -> QuerySet[OutgoingMail]:
    """Unsent mails, the oldest first."""
    return OutgoingMail.objects.filter(sent_at=None).order_by("id")


def mail_retry(*, mail_id: int) -> bool:
    """Make an unsent mail due at once; False for one that was sent or does not exist."""
    return mails_waiting().filter(pk=mail_id).update(next_try_at=Now()) > 0


def _sent_one_by_one(server: BaseEmailBackend) -> Iterator[bool]:
    """Try each due mail once; yield whether it was sent."""
    until = time.monotonic() + RUN_SECONDS_MAX
    while time.monotonic() < until:
        sent = _try_next(server)
        if sent is None:
            return
        yield sent


@transaction.atomic
def _try_next(server: BaseEmailBackend) -> bool | None:
    """Whether the longest waiting mail was sent; None where none is due."""
    free = mails_due().select_for_update(skip_locked=True, no_key=True)
    mail = free.first()
    if mail is None:
        return None
    row = OutgoingMail.objects.filter(pk=mail.pk)
    try:
        EmailMessage(mail.subject, mail.body, None, [mail.to], connection=server).send()
    except _UNDELIVERABLE as error:
        tries = mail.attempts + 1
        row.update(
            attempts=tries,
            next_try_at=timezone.now() + back_off(tries),
            last_error=_said("not delivered", error),
        )
        _log.warning("mail %s not delivered, try %s: %s", mail.pk, tries, type(error).__name__)
        if isinstance(error, SMTPServerDisconnected):
            server.close()  # the next mail opens it again
        return False
    row.update(attempts=mail.attempts + 1, sent_at=Now(), body="", last_error="")
    return True


def back_off(tries: int) -> timedelta:
    """How long a mail waits after so many failed tries: a minute, doubled each time, up to 6 h."""
    return min(BACK_OFF_FIRST * (1 << min(tries - 1, 10)), BACK_OFF_LONGEST)


def _said(what: str, error: Exception) -> str:
    return f"{what}: {type(error).__name__}: {error}".replace("\x00", "")[:500]
