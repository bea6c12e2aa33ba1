"""Periodic tasks for decisions that wait."""

from celery import shared_task

from pasch.staff.identities import identities_take_effect
from pasch.staff.roles import roles_take_effect


@shared_task(name="pasch.tasks.decisions_take_effect")
def decisions_take_effect() -> int:
    """Put in force what has waited long enough; answers how many decisions that were."""
    return roles_take_effect() + identities_take_effect()
