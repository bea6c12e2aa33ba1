"""The roles of the house: what staff may do at the administrators' desk. A player has no role.

Roles are Django groups and their rights are permissions, named here as strings so that this module
imports no app above it. `roles_make` runs after every migration; it adds what is missing and leaves
what a house has granted in addition. A role opens the desk only for staff (accounts/access.py).
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.grants import BY_OPERATOR, grant_ask, grant_effect, grants_end
from accounts.models import User


class Role(models.TextChoices):
    """The roles of the desk."""

    MODERATOR = "moderator", _("Moderator")
    TREASURER = "treasurer", _("Treasurer")
    ADMINISTRATOR = "administrator", _("Administrator")


_PEOPLE_AND_MATCHES: Final = ("accounts.view_user", "games.view_match", "games.view_table")
_MODERATOR: Final = (
    *_PEOPLE_AND_MATCHES,
    "games.decide_match",
    "games.view_wordsreport",
    "games.decide_wordsreport",
    "fairplay.view_case",
    "fairplay.decide_case",
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
                "fairplay.refund_case",
                "accounts.view_outgoingmail",
                "accounts.retry_mail",
                "accounts.decide_identity",
                "house.decide_house",
                "ledger.stop_stakes",
                "ledger.view_payoutstep",
                "ledger.view_playlimit",
                "ledger.view_playpause",
                "ledger.view_seal",
                "ledger.view_snapshot",
                "ledger.view_stakesstop",
                "ratings.view_ratingchange",
                "tournaments.hold_paid_tournament",
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
    """The operator makes a person staff with this role and no other, in force at once.

    At the desk a role waits for a second administrator (platform/pasch/staff/roles.py).
    """
    grants_end(user, by=None, reason=BY_OPERATOR, at=timezone.now())
    grant = grant_ask(
        person=user, role=role.value, asked_by=None, reason=BY_OPERATOR, wait=timedelta()
    )
    grant_effect(grant, at=grant.effective_from)


def is_lower(role: Role, user: User) -> bool:
    """Whether a role gives a person no right beyond those they have."""
    held = role_of(user)
    if user.is_active and user.is_staff and user.is_superuser and held is None:
        return True
    return held is not None and set(RIGHTS[role]) <= set(RIGHTS[held])


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
