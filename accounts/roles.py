"""The roles of the house: what staff may do at the administrators' desk. A player has no role.

Roles are Django groups and their rights are permissions, named here as words so that this module
knows no app above it. `roles_make` runs after every migration; it adds what is missing and leaves
what a house has given besides. A role opens the desk only for staff (accounts/access.py).
"""

from collections.abc import Mapping
from typing import Final

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class Role(models.TextChoices):
    """Who works at the desk."""

    MODERATOR = "moderator", _("Moderator")
    TREASURER = "treasurer", _("Treasurer")
    ADMINISTRATOR = "administrator", _("Administrator")


_PEOPLE_AND_MATCHES: Final = ("accounts.view_user", "games.view_match", "games.view_table")
_MODERATOR: Final = (
    *_PEOPLE_AND_MATCHES,
    "games.decide_match",
    "games.view_chatreport",
    "games.decide_chatreport",
    "ledger.freeze_account",
    "ledger.view_journalentry",
)
_TREASURER: Final = (
    *_PEOPLE_AND_MATCHES,
    "ledger.freeze_account",
    "ledger.decide_payout",
    "ledger.make_voucher",
    "ledger.adjust_credits",
    "ledger.view_journalentry",
    "ledger.view_auditrun",
    "ledger.view_account",
    "ledger.view_transfer",
    "ledger.view_entry",
    "ledger.view_payout",
    "ledger.view_voucher",
    "ledger.view_adjustment",
)
RIGHTS: Final[Mapping[Role, tuple[str, ...]]] = {
    Role.MODERATOR: _MODERATOR,
    Role.TREASURER: _TREASURER,
    Role.ADMINISTRATOR: tuple(
        dict.fromkeys(
            (
                *_MODERATOR,
                *_TREASURER,
                "accounts.give_role",
                "accounts.view_outgoingmail",
                "accounts.change_outgoingmail",
                "ledger.stop_stakes",
                "ledger.view_payoutstep",
                "ledger.view_playlimit",
                "ledger.view_playpause",
                "ledger.view_seal",
                "ledger.view_snapshot",
                "ledger.view_stakesstop",
                "ratings.view_ratingchange",
            )
        )
    ),
}
"""The rights of each role, as `app.codename`."""

APPS: Final = frozenset(right.partition(".")[0] for rights in RIGHTS.values() for right in rights)


def roles_make() -> None:
    """Make the groups and give them every right of theirs that exists by now; safe to repeat."""
    wanted = {right for rights in RIGHTS.values() for right in rights}
    chosen = Q()
    for right in wanted:
        app, _dot, codename = right.partition(".")
        chosen |= Q(content_type__app_label=app, codename=codename)
    found = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in Permission.objects.filter(chosen).select_related("content_type")
    }
    for role, rights in RIGHTS.items():
        group, _new = Group.objects.get_or_create(name=role.value)
        group.permissions.add(*(found[right] for right in rights if right in found))


def roles_renew(*, app_config: AppConfig, **_: object) -> None:
    """After the migrations of an app that rights belong to: its permissions exist now."""
    if app_config.label in APPS:
        roles_make()


@transaction.atomic
def role_give(user: User, role: Role) -> None:
    """Make a person staff with this role and no other; less than administrator ends a superuser."""
    user.groups.remove(*user.groups.filter(name__in=Role.values))
    user.groups.add(Group.objects.get(name=role.value))
    user.is_staff = True
    user.is_superuser = user.is_superuser and role is Role.ADMINISTRATOR
    user.save(update_fields=["is_staff", "is_superuser"])


@transaction.atomic
def role_take(user: User) -> None:
    """Make a person a player again, who may nothing that others may not."""
    user.groups.remove(*user.groups.filter(name__in=Role.values))
    user.is_staff = user.is_superuser = False
    user.save(update_fields=["is_staff", "is_superuser"])


def staff_members() -> QuerySet[User]:
    """Everybody who works at the desk, by name; closed accounts are left out."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("username")


def administrators() -> QuerySet[User]:
    """The staff who may give and take roles whatever happens to the others."""
    heads = Q(groups__name=Role.ADMINISTRATOR.value) | Q(is_superuser=True)
    return staff_members().filter(heads).distinct()


def role_of(user: User) -> Role | None:
    """The role of a person; None for a player."""
    names = set(user.groups.values_list("name", flat=True)) if user.is_staff else set()
    return next((role for role in reversed(Role) if role.value in names), None)
