"""Mails about the deletion of an account, in the language of its owner."""

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.models import EmailAddress
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.deletions import AccountDeletion
from accounts.mails import mail_enqueue
from accounts.models import User
from accounts.personal_data import mails_of_deleted_forget
from house.reader import house_now

forget_delivered = mails_of_deleted_forget


def asked(person: User, deletion: AccountDeletion, keep_url: str) -> None:
    """The account is closed; until when it can be kept, and how."""
    with _language(person):
        day = date_format(timezone.localtime(deletion.due_at), "DATE_FORMAT")
        text = _(
            "You asked us to delete your account. It is now closed and will be "
            "deleted on %(day)s. To keep it, log in before then or follow this link:"
        ) % {"day": day}
        alarm = _("If this was not you, keep the account and change your password at once.")
        _send(person, _("Your account will be deleted"), f"{text}\n{keep_url}\n\n{alarm}")


def kept(person: User) -> None:
    """The account is open again."""
    with _language(person):
        text = _("Your account is open again and will not be deleted. You can log in as before.")
        _send(person, _("Your account is kept"), text)


def held(person: User) -> None:
    """The account could not be deleted yet."""
    with _language(person):
        text = _(
            "Your account could not be deleted yet because of open credits or a "
            "pending decision. It stays closed. Log in to keep it, or write to us."
        )
        _send(person, _("Your account is not deleted yet"), text)


def done(person: User) -> None:
    """The account is deleted; the last mail to this person."""
    with _language(person):
        text = _("Your account has been deleted. This is the last mail to this address.")
        _send(person, _("Your account is deleted"), text)


@contextmanager
def _language(person: User) -> Iterator[None]:
    with translation.override(house_now().language(person.language)):
        yield


def _send(person: User, subject: str, text: str) -> None:
    greeting = _("Hello %(name)s,") % {"name": person.get_username()}
    proved = EmailAddress.objects.filter(user=person, verified=True)
    for address in dict.fromkeys((person.email, *proved.values_list("email", flat=True))):
        if address:
            mail_enqueue(
                to=address,
                subject=subject,
                body=f"{greeting}\n\n{text}\n",
                about=f"user:{person.pk}",
            )
