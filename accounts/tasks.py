"""Tasks about people that run by the clock."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from accounts.guests import guests_end
from accounts.login_marks import marks_forget
from accounts.mails import mails_send


@shared_task(name="accounts.tasks.end_guests", ignore_result=True)
def end_guests() -> int:
    """End the guests whose day is over; how many."""
    return guests_end()


@shared_task(name="accounts.tasks.forget_sessions", ignore_result=True)
def forget_sessions() -> None:
    """Delete the expired sessions, the addresses and browsers of all that have ended, and marks."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    running = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(running)).delete()
    marks_forget()


@shared_task(name="accounts.tasks.send_mails")
def send_mails() -> int:
    """Send the mails that are due; answers how many went out."""
    return mails_send()
