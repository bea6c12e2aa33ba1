"""Finding people."""

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import User

NUL = "\x00"


def person_named(name: str) -> User | None:
    """Return the person with an open account and that name in any case, else None.

    Guests have no account: they have no page and cannot be asked for anything.
    """
    return people_matching(name).filter(username__iexact=name).first()


def people_matching(part: str) -> QuerySet[User]:
    """Return the people with an open account whose name contains a text from outside."""
    if NUL in part:  # PostgreSQL stores no NUL and refuses to be asked for one
        return User.objects.none()
    return User.objects.filter(is_active=True, is_guest=False, username__icontains=part)


def same_mailbox(one: User, other: User) -> bool:
    """Tell whether two accounts share an e-mail address.

    Compared are the addresses without regard to case and without a "+tag"; accounts without an
    address share nothing.
    """
    return bool(_mailboxes(one) & _mailboxes(other))


def _mailboxes(user: User) -> set[str]:
    confirmed = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return {_mailbox(address) for address in (user.email, *confirmed) if address}


def _mailbox(address: str) -> str:
    local, _, domain = address.strip().casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
