"""Mailboxes behind addresses: the same one under all its spellings, kept as a hash.

Two addresses lead to one mailbox when they differ in capitals, in a `+tag`, in the spelling of the
domain (IDNA), or, at providers that are known to ignore them, in dots. Each mailbox that an account
names is written down for good, so that a self-exclusion holds for it after the address has changed.

The hash is keyed with a salt of this database. It hides old addresses from a reader of the
table of mailboxes alone, not from a reader of the whole database.
"""

import hashlib
import hmac
import secrets
import unicodedata
from typing import Final

from allauth.account.models import EmailAddress
from django.db.models.functions import Now

from accounts.models import Mailbox, MailboxSalt, User

#: domains of one provider, by the one that stands for all of them.
_PROVIDERS: Final = {
    "googlemail.com": "gmail.com",
    "gmail.com": "gmail.com",
    "protonmail.com": "proton.me",
    "protonmail.ch": "proton.me",
    "pm.me": "proton.me",
    "proton.me": "proton.me",
}
#: signs in the name of a mailbox that these providers ignore.
_IGNORED: Final = {"gmail.com": ".", "proton.me": ".-_"}


def mailbox_of(address: str) -> str:
    """The one spelling of the mailbox behind an address; "" for what is no address."""
    plain = unicodedata.normalize("NFKC", address).strip().casefold()
    local, _, domain = plain.rpartition("@")
    domain = _ascii(domain.rstrip("."))
    domain = _PROVIDERS.get(domain, domain)
    local = local.partition("+")[0] or local
    for sign in _IGNORED.get(domain, ""):
        local = local.replace(sign, "")
    return f"{local}@{domain}" if local and domain else ""


def mailbox_key(mailbox: str, salt: bytes) -> str:
    """The hash under which a mailbox is kept."""
    return hmac.new(salt, mailbox.encode(), hashlib.sha256).hexdigest()


def mailbox_note(user: User, address: str, *, proved: bool = False) -> None:
    """Write down that an account names this address, and whether it has proved to own it."""
    mailbox = mailbox_of(address)
    if mailbox:
        _note(user, mailbox, proved=proved)


def identity_note(user: User, provider_id: str, key: str) -> None:
    """Write down a login at a provider as a proved mailbox: a self-exclusion follows it, too."""
    _note(user, f"{provider_id} {key}", proved=True)


def _note(user: User, mailbox: str, *, proved: bool) -> None:
    row, _ = Mailbox.objects.get_or_create(user=user, key=mailbox_key(mailbox, _salt()))
    if proved and row.proved_at is None:
        Mailbox.objects.filter(pk=row.pk, proved_at=None).update(proved_at=Now())


def mailboxes_note(user: User) -> None:
    """Write down every address that an account has now."""
    mailbox_note(user, user.email)
    for address in EmailAddress.objects.filter(user=user):
        mailbox_note(user, address.email, proved=address.verified)


def mailboxes_proved(user_id: int) -> bool:
    """Whether an account has proved to own a mailbox: a self-exclusion then binds all accounts of
    that mailbox."""
    return Mailbox.objects.filter(user_id=user_id, proved_at__isnull=False).exists()


def mailboxes_unproved(user_id: int) -> bool:
    """Whether an account names a mailbox that it has not proved to own."""
    return Mailbox.objects.filter(user_id=user_id, proved_at=None).exists()


def _salt() -> bytes:
    made = {"value": secrets.token_bytes(32)}
    return bytes(MailboxSalt.objects.get_or_create(pk=1, defaults=made)[0].value)


def _ascii(domain: str) -> str:
    """A domain as the network spells it; one that cannot be spelled so stays as it is."""
    try:
        return domain.encode("idna").decode()
    except UnicodeError:
        return domain
