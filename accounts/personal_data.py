"""Personal data of accounts (`kit/personal_data.py`)."""

from collections.abc import Iterator
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models.functions import Lower

from accounts.calendar_feeds import CalendarFeed
from accounts.decisions import IdentityChange, RoleGrant
from accounts.deletions import AccountDeletion
from accounts.identity import name_set
from accounts.login_marks import Acquaintance, LoginMark
from accounts.models import ApiToken, Mailbox, OutgoingMail, User
from accounts.past_names import PastName
from accounts.services import sessions_end
from kit.personal_data import DECISIONS, ExportPart, PersonalData, Row, part_of, rows_erase, rows_of


def _account(person: User) -> Iterator[Row]:
    yield {
        "id": person.pk,
        "name": person.username,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "mail_address": person.email,
        "registered_at": person.date_joined,
        "last_login_at": person.last_login,
        "is_bot": person.is_bot,
        "is_staff": person.is_staff,
        "is_active": person.is_active,
        "language": person.language,
        "theme": person.theme,
        "preferences": person.preferences,
        "groups": sorted(person.groups.values_list("name", flat=True)),
        "permissions": sorted(person.user_permissions.values_list("codename", flat=True)),
    }


def _mails(person: User) -> Iterator[Row]:
    """Mails to addresses that the person has proved to be theirs; never their texts.

    An address that is not proved may be another person's.
    """
    proved = EmailAddress.objects.filter(user=person, verified=True)
    addresses = [address.lower() for address in proved.values_list("email", flat=True)]
    found = OutgoingMail.objects.annotate(key=Lower("to")).filter(key__in=addresses).order_by("pk")
    return rows_of(found, "to subject about created_at sent_at")


_DECISION: Final = "reason asked_at effective_from confirmed_at effective_at ended_at end_reason"

_PARTS: Final = (
    ExportPart(
        "account",
        _account,
        frozenset({"accounts.User_groups.user", "accounts.User_user_permissions.user"}),
    ),
    part_of("past_names", PastName, by=("user",), columns="name own changed_at"),
    part_of("mail_addresses", EmailAddress, by=("user",), columns="email verified primary"),
    part_of("mail_address_hashes", Mailbox, by=("user",), columns="key named_at proved_at"),
    part_of("acquaintances", Acquaintance, by=("one", "other"), columns="confirmed_at ended_at"),
    part_of("login_marks", LoginMark, by=("user",), columns="kind key first_at last_at"),
    part_of("sessions", UserSession, by=("user",), columns="created_at last_seen_at ip user_agent"),
    part_of(
        "second_factors",
        Authenticator,
        by=("user",),
        columns="type data__name created_at last_used_at",
    ),
    part_of(
        "logins_by_providers",
        SocialAccount,
        by=("user",),
        columns="provider uid extra_data__label date_joined last_login",
    ),
    part_of("api_tokens", ApiToken, by=("user",), columns="name start scopes created_at used_at"),
    part_of("calendar_address", CalendarFeed, by=("user",), columns="made_at"),
    part_of("roles", RoleGrant, by=("person",), columns=f"role {_DECISION}"),
    part_of("identity_changes", IdentityChange, by=("person",), columns=f"kind value {_DECISION}"),
    part_of(
        "deletion_requests",
        AccountDeletion,
        by=("user",),
        columns="asked_at due_at given_up_cents outcome ended_at",
    ),
    ExportPart("mails", _mails, frozenset()),
)

PERSONAL_DATA: Final = PersonalData(
    parts=_PARTS,
    erased=(
        (EmailAddress, "user"),
        (Authenticator, "user"),
        (SocialAccount, "user"),
        (ApiToken, "user"),
        (UserSession, "user"),
        (LoginMark, "user"),
        (CalendarFeed, "user"),
    ),
    kept={
        "accounts.AccountDeletion.user": "shows when the account was deleted",
        "accounts.Mailbox.user": "hashes; a self-exclusion holds for other accounts of the mailbox",
        "accounts.PastName.user": "nobody else gets a name that the account had",
        "accounts.User_groups.user": "only the staff has groups; their accounts are not deleted",
        "accounts.User_user_permissions.user": "nobody has rights of their own",
        **{
            f"accounts.{column}": DECISIONS
            for column in (
                "RoleGrant.person",
                "IdentityChange.person",
                "Acquaintance.one",
                "Acquaintance.other",
            )
        },
    },
    of_staff=(
        "accounts.Acquaintance.confirmed_by",
        *(
            f"accounts.{model}.{column}"
            for model in ("RoleGrant", "IdentityChange")
            for column in ("asked_by", "confirmed_by", "ended_by")
        ),
        "admin.LogEntry.user",
        "house.HouseChange.changed_by",
        "house.HouseChange.confirmed_by",
    ),
)

NOBODY: Final = "-"
"""Stands where the address of a mail was."""

DELETED: Final = "deleted"
"""The subject of a mail that is still on its way to a person who was deleted."""


def name_of_deleted(user_id: int) -> str:
    """The name of a deleted account. It is reserved for the house (`accounts.names`)."""
    return f"deleted-{user_id}"


def person_erase(person: User) -> None:
    """Erase what this app stores about a person, in the caller's transaction.

    The name is kept for the account, so nobody else gets it.
    """
    _mails_forget(person)
    sessions_end(person)
    rows_erase(PERSONAL_DATA.erased, person.pk)
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
