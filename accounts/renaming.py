"""Changing one's own name: once in a while, and the old name stays with the account."""

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.identity import IdentityRefused, is_guarded, name_checked, name_set
from accounts.models import User
from accounts.names import skeleton
from accounts.past_names import PastName

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
