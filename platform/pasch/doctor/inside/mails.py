"""The mails that wait to be sent."""

from datetime import timedelta
from typing import Final

from django.utils import timezone

from accounts.models import OutgoingMail
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong

#: beat sends what is due every 15 seconds
SENT_WITHIN: Final = timedelta(minutes=10)


@inside("postgresql")
def mails() -> Diagnosis:
    """No mail waits because of an error, or because nothing sends it."""
    waiting = OutgoingMail.objects.filter(sent_at=None)
    if failed := waiting.exclude(last_error="").order_by("-next_try_at").first():
        number = waiting.exclude(last_error="").count()
        hours = (timezone.now() - failed.created_at).total_seconds() / 3600
        text = f"{number} mails could not be sent; one of {hours:.0f} h ago: {failed.last_error}"
        return warning(text, "the desk lists them and can send them again")
    due = timezone.now() - SENT_WITHIN
    if number := waiting.filter(next_try_at__lt=due).count():
        text = f"{number} mails have waited for more than ten minutes"
        return wrong(text, "look at the checks workers and beat")
    return ok("no mail waits")
