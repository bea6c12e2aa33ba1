"""All that goes and stays of a person whose account is deleted; every app has such a module.

`ERASED` lists rows that go, by the foreign key to the person. `KEPT` has the reason for each
foreign key whose rows stay; they then name an account without a person. A test compares both with
the models, so a new foreign key needs a decision (`pasch/deletion/registry.py`).
"""

from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Model
from django.db.models.functions import Lower

from accounts.calendar_feeds import CalendarFeed
from accounts.identity import name_set
from accounts.login_marks import LoginMark
from accounts.models import ApiToken, OutgoingMail, User
from accounts.services import sessions_end

Erased = tuple[type[Model], str]

ERASED: Final[tuple[Erased, ...]] = (
    (EmailAddress, "user"),
    (Authenticator, "user"),
    (SocialAccount, "user"),
    (ApiToken, "user"),
    (UserSession, "user"),
    (LoginMark, "user"),
    (CalendarFeed, "user"),
)

DECISIONS: Final = "decisions of administrators stay, so that they can be checked"

KEPT: Final = {
    "accounts.AccountDeletion.user": "shows when the account was deleted",
    "house.HouseChange.changed_by": DECISIONS,
    "house.HouseChange.confirmed_by": DECISIONS,
    "accounts.Mailbox.user": "hashes; a self-exclusion holds for other accounts of the mailbox",
    "accounts.PastName.user": "nobody else gets a name that the account had",
    "accounts.User_groups.user": "only the staff has groups, and their accounts are not deleted",
    "accounts.User_user_permissions.user": "nobody has rights of their own",
    "admin.LogEntry.user": DECISIONS,
    **{
        f"accounts.{model}.{field}": DECISIONS
        for model in ("RoleGrant", "IdentityChange")
        for field in ("person", "asked_by", "confirmed_by", "ended_by")
    },
    **{f"accounts.Acquaintance.{field}": DECISIONS for field in ("one", "other", "confirmed_by")},
}

NOBODY: Final = "-"
"""Stands where the address of a mail was."""

DELETED: Final = "deleted"
"""The subject of a mail that is still on its way to a person who was deleted."""


def name_of_deleted(user_id: int) -> str:
    """The name of a deleted account. It is reserved for the house (`accounts.reserved_names`)."""
    return f"deleted-{user_id}"


def rows_erase(erased: tuple[Erased, ...], user_id: int) -> None:
    """Delete the rows that go."""
    for model, field in erased:
        model._default_manager.filter(**{field: user_id}).delete()


def person_erase(person: User) -> None:
    """Erase what this app stores about a person, in the caller's transaction.

    The name is kept for the account, so nobody else gets it.
    """
    _mails_forget(person)
    sessions_end(person)
    rows_erase(ERASED, person.pk)
    name_set(person, name_of_deleted(person.pk), own=True)
    person.first_name = person.last_name = person.email = person.language = person.theme = ""
    person.preferences = {}
    person.last_login = None
    person.is_active = False
    person.set_unusable_password()
    person.save()


def mails_of_deleted_forget() -> None:
    """Remove addresses from mails that were on their way when their reader was deleted."""
    delivered = OutgoingMail.objects.filter(about=DELETED, sent_at__isnull=False)
    delivered.exclude(to=NOBODY).update(to=NOBODY, subject=NOBODY)


def _mails_forget(person: User) -> None:
    """Remove the person's addresses from their mails; unsent ones are marked for later."""
    named = [*EmailAddress.objects.filter(user=person).values_list("email", flat=True)]
    addresses = {address.lower() for address in (*named, person.email) if address}
    theirs = OutgoingMail.objects.annotate(key=Lower("to")).filter(key__in=addresses)
    theirs.filter(sent_at__isnull=False).update(to=NOBODY, subject=NOBODY)
    theirs.filter(sent_at=None).update(about=DELETED)
