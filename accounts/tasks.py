"""Tasks about people that run by the clock."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from accounts.guests import guests_end
from accounts.login_marks import marks_forget
from accounts.mails import mails_are_due, mails_send
from kit.periodic import at, every

send_mails = every(15.0, "accounts.tasks.send_mails", due=mails_are_due)(mails_send)
end_guests = at("accounts.tasks.end_guests", minute=27)(guests_end)


@at("accounts.tasks.forget_sessions", hour=4, minute=11)
def forget_sessions() -> None:
    """Delete the expired sessions, the addresses and browsers of all that have ended, and marks."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    running = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(running)).delete()
    marks_forget()
