"""Who may do what at the administrators' desk: roles are groups, and these are their rights."""

from collections.abc import Mapping

from django.contrib.auth.models import Group, Permission

RIGHTS: Mapping[str, tuple[str, ...]] = {
    "moderator": ("freeze_account", "view_journalentry"),
    "treasurer": (
        "freeze_account",
        "decide_payout",
        "make_voucher",
        "adjust_credits",
        "view_journalentry",
        "view_auditrun",
        "view_account",
        "view_transfer",
        "view_entry",
        "view_payout",
        "view_voucher",
        "view_adjustment",
    ),
}
ADMINISTRATOR = "administrator"
"""The administrator has every right of the ledger."""


def roles_make() -> None:
    """Make the groups and give them the ledger's rights; what others gave them stays."""
    ours = Permission.objects.filter(content_type__app_label="ledger")
    for role, codenames in RIGHTS.items():
        group, _ = Group.objects.get_or_create(name=role)
        group.permissions.add(*ours.filter(codename__in=codenames))
    administrators, _ = Group.objects.get_or_create(name=ADMINISTRATOR)
    changing = ("add_", "change_", "delete_")  # the books are changed by their verbs alone
    administrators.permissions.add(
        *(right for right in ours if not right.codename.startswith(changing))
    )
