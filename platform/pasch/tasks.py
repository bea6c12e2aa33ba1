"""Periodic tasks for what waits: decisions, and accounts that are to be deleted."""

from celery import shared_task

from pasch.deletion.service import deletions_finish
from pasch.staff.decisions import decisions_take_effect as take_effect
from pasch.staff.digests import digests_send
from pasch.staff.identities import IDENTITIES
from pasch.staff.roles import ROLES


@shared_task(name="pasch.tasks.decisions_take_effect")
def decisions_take_effect() -> int:
    """Put in force what has waited long enough; answers how many decisions that were."""
    return take_effect(ROLES) + take_effect(IDENTITIES)


@shared_task(name="pasch.tasks.tell_staff")
def tell_staff() -> int:
    """Write to the staff whom something new waits for at the desk; answers how many mails."""
    return digests_send()


@shared_task(name="pasch.tasks.delete_accounts")
def delete_accounts() -> int:
    """Delete the accounts whose waiting time is over; answers how many."""
    return deletions_finish()
