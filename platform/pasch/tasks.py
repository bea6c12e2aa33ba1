"""Periodic tasks for what waits: decisions, and accounts that are to be deleted."""

from kit.periodic import at, every
from pasch.deletion import deletions_finish
from pasch.staff.decisions import decisions_take_effect as take_effect
from pasch.staff.identities import IDENTITIES
from pasch.staff.mails import digests_send
from pasch.staff.roles import ROLES

tell_staff = every(60.0, "pasch.tasks.tell_staff")(digests_send)
delete_accounts = at("pasch.tasks.delete_accounts", minute=47, expires_seconds=3000)(
    deletions_finish
)


@every(60.0, "pasch.tasks.decisions_take_effect")
def decisions_take_effect() -> int:
    """Put in force what has waited long enough; answers how many decisions that were."""
    return take_effect(ROLES) + take_effect(IDENTITIES)
