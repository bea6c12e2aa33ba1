"""Finding people."""

from collections import defaultdict
from collections.abc import Iterable

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.mailboxes import mailbox_of
from accounts.models import User
from accounts.past_names import PastName
from kit.throttle import network_of

NUL = "\x00"

PART_LETTERS_MIN = 3
"""From so many letters on a part of a name is found inside it: an index has groups of three."""


def person_named(name: str) -> User | None:
    """Return the person with an open account and that name in any case, else None.

    Guests have no account: they have no page and cannot be challenged.
    """
    if NUL in name:  # PostgreSQL cannot store NUL and refuses it in queries
        return None
    return User.objects.filter(is_active=True, is_guest=False, username__iexact=name).first()


def person_formerly(name: str) -> User | None:
    """Return the person with an open account who had this name before, else None."""
    if NUL in name:
        return None
    kept = PastName.objects.annotate(plain=Lower("name")).filter(plain=name.lower())
    row = kept.filter(user__is_active=True).select_related("user").first()
    return row.user if row else None


def people_matching(part: str) -> QuerySet[User]:
    """Return the people with an open account whose name fits a text from outside (`part_of`)."""
    if NUL in part:
        return User.objects.none()
    return User.objects.filter(part_of("username", part), is_active=True, is_guest=False)


def people_found(text: str) -> QuerySet[User]:
    """People by a part of a name, of now or before, or of the mail address; closed ones too.

    A text of one or two letters finds beginnings only (`part_of`).
    """
    if NUL in text:
        return User.objects.none()
    found = name_fits(text) | part_of("email", text)
    return User.objects.filter(found).order_by("username")


def name_fits(text: str) -> Q:
    """People whose name, or a name they had before, contains this text.

    Former names are few and read first: joined in, they would keep PostgreSQL from the indexes.
    """
    former = PastName.objects.filter(part_of("name", text)).values_list("user", flat=True)
    return part_of("username", text) | Q(pk__in=list(former))


def part_of(field: str, part: str) -> Q:
    """The rows whose `field` contains a text in any case, or begins with it if it is short.

    A short text is in so many names that an index could not help, and the list would help nobody.
    """
    lookup = "icontains" if len(part) >= PART_LETTERS_MIN else "istartswith"
    return Q(**{f"{field}__{lookup}": part})


def verified_address(user: User) -> str | None:
    """The mail address that a person has proved to own, the main one first; None without one."""
    proved = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return proved.values_list("email", flat=True).first()


def networks_of(user_ids: Iterable[int]) -> dict[int, set[str]]:
    """The networks from which these people are logged in now; a login that ended is forgotten."""
    found: dict[int, set[str]] = defaultdict(set)
    rows = UserSession.objects.filter(user__in=list(user_ids)).values_list("user", "ip")
    for user_id, address in rows:
        found[user_id].add(network_of(address))
    return found


def same_mailbox(one: User, other: User) -> bool:
    """Whether two accounts have an address of one mailbox (`accounts.mailboxes`)."""
    return bool(_mailboxes(one) & _mailboxes(other))


def _mailboxes(user: User) -> set[str]:
    added = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return {mailbox_of(address) for address in (user.email, *added) if address}
