"""Changing a name, and another person’s account: what each change does, and what it refuses.

The rights to request and to confirm it stand above this (platform/pasch/staff/identities.py).
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.decisions import TAKES_OVER, IdentityChange, IdentityKind, RoleGrant
from accounts.deletions import DeletionOutcome, deletion_end, deletion_waiting, is_deleted
from accounts.grants import grant_withdraw, has_or_awaits_role
from accounts.models import ApiToken, User
from accounts.names import normalised, skeleton, validate_name
from accounts.past_names import PastName, is_kept
from accounts.services import sessions_end, user_disable
from accounts.tokens import StaffIsNoBot, StillAtStakes, bot_become
from kit.errors import Refusal

STAFF_STILL: Final = timedelta(days=7)
"""For so long after a role has ended the account is guarded as if it had it."""

AT_ONCE: Final = (IdentityKind.CLOSE, IdentityKind.REOPEN)
"""Changes that never wait: closing removes all rights, and opening again restores none."""


_SENTENCES: Final[Mapping[str, str]] = {
    "identity_unchanged": _("That is already your name."),
    "name_taken": _("This name looks too much like one that is taken."),
    "name_withdrawn": _("The house has withdrawn this name."),
    "name_staff": _("Names of the staff are changed by administrators."),
    "name_soon": _("You changed your name only recently."),
}

_STAFF_SENTENCES: Final[Mapping[str, str]] = {
    "identity_guest": _("A guest has no account to change."),
    "identity_deleted": _("The account is deleted: it is never opened again."),
    "identity_unchanged": _("Nothing to change: it already is that way."),
    "address_bad": _("This is no mail address."),
    "address_taken": _("Another account has this mail address."),
    "name_refused": _("This name is not allowed."),
    "staff_is_no_bot": _("A staff account can’t become a bot account."),
    "still_at_stakes": _("Credits of this account are at stake, or wait to be paid out."),
}


class IdentityRefused(Refusal):
    """A change that cannot be made; the text of `name_refused` is for the person who chose it."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def said(self, *, staff: bool = False) -> str:
        """The sentence for this code."""
        of_staff = _STAFF_SENTENCES.get(self.code) if staff else None
        return of_staff or _SENTENCES.get(self.code) or str(self)


def is_guarded(person: User) -> bool:
    """Whether changes of this account need a second administrator, or a wait."""
    since = timezone.now() - STAFF_STILL
    lately = RoleGrant.objects.filter(person=person, effective_at__isnull=False, ended_at__gt=since)
    return has_or_awaits_role(person) or lately.exists()


def identity_facts(person: User) -> dict[str, object]:
    """The facts of an account for the journal: addresses are masked."""
    verified = EmailAddress.objects.filter(user=person, email__iexact=person.email, verified=True)
    return {
        "name": person.get_username(),
        "address": masked(person.email),
        "verified": verified.exists(),
        "factors": Authenticator.objects.filter(user=person).count(),
        "links": SocialAccount.objects.filter(user=person).count(),
        "bot": person.is_bot,
        "closed": not person.is_active,
    }


def masked(address: str) -> str:
    """A masked address that can be recognised but not used: ``an…@e….org``."""
    local, _at, domain = address.rpartition("@")
    if not local:
        return ""
    name, _dot, top = domain.rpartition(".")
    return f"{local[:2]}…@{name[:1]}….{top}" if name else f"{local[:2]}…@{top[:1]}…"


def identity_value(person: User, kind: IdentityKind, value: str) -> str:
    """The value as it will be stored. Raises `IdentityRefused` for what cannot be done now."""
    if person.is_guest:
        raise IdentityRefused("identity_guest", "a guest has no account")
    if is_deleted(person.pk):
        raise IdentityRefused("identity_deleted", "the account was deleted")
    if kind == IdentityKind.ADDRESS:
        return _address(person, value)
    if kind == IdentityKind.NAME:
        return name_checked(person, value)
    if _UNCHANGED[kind](person):
        raise IdentityRefused("identity_unchanged", f"{kind}: it is so already")
    if kind == IdentityKind.VERIFY and _taken(person, person.email):
        raise IdentityRefused("address_taken", "another account has this address")
    if kind == IdentityKind.BOT and has_or_awaits_role(person):
        raise IdentityRefused("staff_is_no_bot", "an account of the staff cannot become a bot's")
    return ""


@transaction.atomic
def identity_apply(change: IdentityChange) -> None:
    """Carry a change out. Raises `IdentityRefused`; every session ends where the way in changes."""
    person, kind = change.person, IdentityKind(change.kind)
    value = identity_value(person, kind, change.value)
    if kind in AT_ONCE:
        grant_withdraw(person, by=change.asked_by, reason="the account was closed")
    _APPLY[kind](person, value)
    if kind in TAKES_OVER:
        sessions_end(person)


def _address(person: User, value: str) -> str:
    address = value.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise IdentityRefused("address_bad", "this is no mail address") from error
    if address == person.email.lower():
        raise IdentityRefused("identity_unchanged", "that is the address already")
    if _taken(person, address):
        raise IdentityRefused("address_taken", "another account has this address")
    return address


def name_checked(person: User, value: str) -> str:
    """The spelling of a new name that will be stored.

    Raises `IdentityRefused`: `identity_unchanged`, `name_refused` with the text of the validator,
    or `name_taken`, also for a name that another account had before.
    """
    name = normalised(value)
    if name == person.get_username():
        raise IdentityRefused("identity_unchanged", "that is the name already")
    try:
        validate_name(name)
    except ValidationError as error:
        raise IdentityRefused("name_refused", " ".join(error.messages)) from error
    alike = Q(name_key=skeleton(name)) | Q(username__iexact=name)
    taken = User.objects.filter(alike).exclude(pk=person.pk).exists()
    if taken or is_kept(skeleton(name), user_id=person.pk):
        raise IdentityRefused("name_taken", "this name looks too much like one that is taken")
    return name


def name_set(person: User, name: str, *, own: bool) -> None:
    """Store a checked name and keep the old one; `own`: the person chose it themselves."""
    old = person.get_username()
    _save(person, username=name)
    PastName.objects.create(user=person, name=old, key=skeleton(old), own=own)


def _taken(person: User, address: str) -> bool:
    others = User.objects.exclude(pk=person.pk).filter(email__iexact=address)
    more = EmailAddress.objects.exclude(user=person).filter(email__iexact=address)
    return others.exists() or more.exists()


def _address_set(person: User, address: str) -> None:
    EmailAddress.objects.filter(user=person).delete()
    if address:  # its owner sets a password by it; what opened the account before does no more
        SocialAccount.objects.filter(user=person).delete()
        EmailAddress.objects.create(user=person, email=address, primary=True, verified=False)
    _save(person, email=address)


def _verify(person: User, _value: str) -> None:
    EmailAddress.objects.filter(user=person).exclude(email__iexact=person.email).update(
        primary=False
    )
    address, _new = EmailAddress.objects.get_or_create(
        user=person, email__iexact=person.email, defaults={"email": person.email}
    )
    address.verified = address.primary = True
    address.save(update_fields=["verified", "primary"])


def _factors_remove(person: User, _value: str) -> None:
    Authenticator.objects.filter(user=person).delete()


def _bot(person: User, _value: str) -> None:
    try:
        bot_become(person)
    except (StaffIsNoBot, StillAtStakes) as error:
        raise IdentityRefused(error.code, str(error)) from error


def _no_bot(person: User, _value: str) -> None:
    ApiToken.objects.filter(user=person).delete()
    _save(person, is_bot=False)
    sessions_end(person)


def _close(person: User) -> None:
    """Close an account; its owner can then no longer keep it, nor is it deleted."""
    deletion_end(person.pk, DeletionOutcome.STOPPED)
    user_disable(person)


def _reopen(person: User) -> None:
    deletion_end(person.pk, DeletionOutcome.STOPPED)
    _save(person, is_active=True)


def _save(person: User, **fields: object) -> None:
    for name, value in fields.items():
        setattr(person, name, value)
    person.save(update_fields=list(fields))


def _is_verified(person: User) -> bool:
    return not person.email or bool(identity_facts(person)["verified"])


_UNCHANGED: Final[Mapping[IdentityKind, Callable[[User], bool]]] = {
    IdentityKind.VERIFY: _is_verified,
    IdentityKind.NO_ADDRESS: lambda person: (
        not person.email and not EmailAddress.objects.filter(user=person).exists()
    ),
    IdentityKind.FACTORS: lambda person: not Authenticator.objects.filter(user=person).exists(),
    IdentityKind.BOT: lambda person: person.is_bot,
    IdentityKind.NO_BOT: lambda person: not person.is_bot,
    IdentityKind.CLOSE: lambda person: not person.is_active and not deletion_waiting(person.pk),
    IdentityKind.REOPEN: lambda person: person.is_active,
}
_APPLY: Final[Mapping[IdentityKind, Callable[[User, str], None]]] = {
    IdentityKind.ADDRESS: _address_set,
    IdentityKind.VERIFY: _verify,
    IdentityKind.NO_ADDRESS: _address_set,
    IdentityKind.FACTORS: _factors_remove,
    IdentityKind.NAME: lambda person, name: name_set(person, name, own=False),
    IdentityKind.BOT: _bot,
    IdentityKind.NO_BOT: _no_bot,
    IdentityKind.CLOSE: lambda person, _: _close(person),
    IdentityKind.REOPEN: lambda person, _: _reopen(person),
}


NAME_WAIT: Final = timedelta(days=90)
"""For so long after a change of their own a person keeps the name."""


def name_changes_from(user: User) -> datetime | None:
    """When this person may change their name again; None if they may now."""
    last = PastName.objects.filter(user=user, own=True).order_by("-changed_at").first()
    if last is None or last.changed_at + NAME_WAIT <= timezone.now():
        return None
    return last.changed_at + NAME_WAIT


@transaction.atomic
def name_change(*, user_id: int, name: str) -> User:
    """Give a person the name they chose; the old one is kept for them.

    Raises `IdentityRefused` with the code `name_staff` (the desk changes names of the staff),
    `name_soon` (the last change is not `NAME_WAIT` ago), `name_withdrawn` (the desk has given the
    person another name in place of this one), and what `name_checked` raises. Of two people who
    choose one name at once, one gets it.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if user.is_guest or not user.is_active:
        raise IdentityRefused("identity_guest", "only an open account has a name to change")
    if is_guarded(user):
        raise IdentityRefused("name_staff", "a name of the staff is changed at the desk")
    if name_changes_from(user) is not None:
        raise IdentityRefused("name_soon", "the name was changed a short while ago")
    checked = name_checked(user, name)
    if PastName.objects.filter(user=user, own=False, key=skeleton(checked)).exists():
        raise IdentityRefused("name_withdrawn", "the desk has replaced this name")
    try:
        with transaction.atomic():
            name_set(user, checked, own=True)
    except IntegrityError as error:
        raise IdentityRefused("name_taken", "this name has just been taken") from error
    return user
