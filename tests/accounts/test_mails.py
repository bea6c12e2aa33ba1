"""The outbox: rows sent after the commit, each with a wait of its own after a failure."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.mails import BACK_OFF_LONGEST, back_off, mail_enqueue, mail_retry, mails_send
from accounts.models import OutgoingMail
from tests.architecture.sources import named, sources

pytestmark = pytest.mark.django_db


def enqueue(to: str = "anna@example.org", subject: str = "A word") -> OutgoingMail:
    return mail_enqueue(to=to, subject=subject, body="The text.", about="payout:7")


def test_every_page_that_a_mail_names_is_a_whole_address() -> None:
    ours = (path for path in sources(".py") if not named(path).startswith("tests"))
    senders = [path for path in ours if "mail_enqueue(" in path.read_text()]
    assert len(senders) >= 8
    bare = r"(?<!full_address\()(?<!\w)reverse\(|[\"' ]/(?:account|desk|play|wallet|tournaments)\b"
    found = [named(path) for path in senders if re.search(bare, path.read_text())]
    assert found == [], "a reader cannot follow a path"


def test_what_is_due_is_sent_once_and_its_text_is_emptied() -> None:
    row = enqueue()
    assert (mails_send(), mails_send()) == (1, 0)
    assert [(m.to, m.subject, m.body) for m in mail.outbox] == [
        (["anna@example.org"], "A word", "The text.")
    ]
    row.refresh_from_db()
    assert row.sent_at is not None
    assert (row.body, row.attempts, row.last_error) == ("", 1, "")


def test_a_subject_is_one_line() -> None:
    assert enqueue(subject="One\nBcc: all@example.org").subject == "One Bcc: all@example.org"


@pytest.mark.parametrize("to", ["", "  "])
def test_a_mail_without_an_address_is_refused(to: str) -> None:
    with pytest.raises(ValueError, match="address"):
        enqueue(to)
    assert not OutgoingMail.objects.exists()


def test_the_database_keeps_no_text_of_a_sent_mail() -> None:
    row = enqueue()
    with pytest.raises(IntegrityError), transaction.atomic():
        OutgoingMail.objects.filter(pk=row.pk).update(sent_at=timezone.now())


def test_without_a_mail_server_no_try_is_counted(settings: Any) -> None:
    row = enqueue()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    settings.EMAIL_USE_TLS = False
    assert mails_send() == 0
    row.refresh_from_db()
    assert (row.attempts, row.sent_at) == (0, None)
    assert "does not answer" in row.last_error
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mails_send() == 1


def test_the_wait_doubles_to_six_hours() -> None:
    assert [back_off(tries) for tries in (1, 2, 3)] == [timedelta(minutes=m) for m in (1, 2, 4)]
    assert back_off(9) == timedelta(minutes=256)
    assert back_off(10) == back_off(10**6) == BACK_OFF_LONGEST


def test_trying_again_makes_a_mail_due_now() -> None:
    row = enqueue()
    OutgoingMail.objects.filter(pk=row.pk).update(next_try_at=timezone.now() + timedelta(hours=1))
    assert mails_send() == 0
    assert mail_retry(mail_id=row.pk)
    assert mails_send() == 1
    assert not mail_retry(mail_id=row.pk)
