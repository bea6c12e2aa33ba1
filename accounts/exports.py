"""The parts of an account's export about people; every app has such a module with its own.

A part is one list of rows about a person. The site puts the parts of all apps together
(`pasch/exports/registry.py`). A foreign key to a person is in a part or in `LEFT_OUT`, with a
reason; a test compares both with the models.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import ForeignKey, Model, Q, QuerySet
from django.db.models.functions import Lower

from accounts.calendar_feeds import CalendarFeed
from accounts.decisions import IdentityChange, RoleGrant
from accounts.deletions import AccountDeletion
from accounts.login_marks import Acquaintance, LoginMark
from accounts.models import ApiToken, Mailbox, OutgoingMail, User
from accounts.past_names import PastName

Row = dict[str, Any]

CHUNK_ROWS: Final = 500
"""So many rows of a list are in memory at once."""


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One list of the export. `covers` names the foreign keys it follows: ``app.Model.field``."""

    name: str
    rows: Callable[[User], Iterable[Row]]
    covers: frozenset[str]


def part_of(
    name: str, model: type[Model], *, by: tuple[str, ...], columns: str, order: str = "pk"
) -> ExportPart:
    """The rows of a model with this person in one of the foreign keys `by`, in this order.

    `columns` are field paths, separated by spaces. A path that ends with ``__username`` gives a
    name in place of a person.
    """

    def rows(person: User) -> Iterator[Row]:
        theirs = Q()
        for path in by:
            theirs |= Q(**{path: person})
        return rows_of(model._default_manager.filter(theirs).order_by(order), columns)

    return ExportPart(name, rows, frozenset(_label(model, path) for path in by))


def rows_of(found: QuerySet[Any], columns: str) -> Iterator[Row]:
    """These columns, as for `part_of`, of the rows found, with few of them in memory at once."""
    paths = columns.split()
    keys = [path.removesuffix("__username").replace("__", "_") for path in paths]
    for values in found.values_list(*paths).iterator(chunk_size=CHUNK_ROWS):
        yield dict(zip(keys, values, strict=True))


def _label(model: type[Model], path: str) -> str:
    """The foreign key at the end of a path (``account__owner``) as ``app.Model.field``."""
    *way, last = path.split("__")
    for step in way:
        field = model._meta.get_field(step)
        assert isinstance(field, ForeignKey), f"{path}: {step} is not a foreign key"
        model = field.related_model
    return f"{model._meta.label}.{last}"


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

PARTS: Final = (
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

OF_OFFICE: Final = "names the member of staff who decided; the row is about another person"

LEFT_OUT: Final = {
    "admin.LogEntry.user": OF_OFFICE,
    **{
        f"accounts.{model}.{field}": OF_OFFICE
        for model in ("RoleGrant", "IdentityChange")
        for field in ("asked_by", "confirmed_by", "ended_by")
    },
    "accounts.Acquaintance.confirmed_by": OF_OFFICE,
    "house.HouseChange.changed_by": OF_OFFICE,
    "house.HouseChange.confirmed_by": OF_OFFICE,
}
