"""What the clock does about people."""

from importlib import import_module

from celery import shared_task
from django.conf import settings

from accounts.guests import guests_end
from accounts.mails import mails_send


@shared_task(name="accounts.tasks.end_guests", ignore_result=True)
def end_guests() -> int:
    """End the guests whose day is over; how many."""
    return guests_end()


@shared_task(name="accounts.tasks.forget_sessions", ignore_result=True)
def forget_sessions() -> None:
    """Delete the sessions that have run out."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


@shared_task(name="accounts.tasks.send_mails")
def send_mails() -> int:
    """Send the mails that are due; answers how many went out."""
    return mails_send()
