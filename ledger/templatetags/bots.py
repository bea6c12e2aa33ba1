"""Until when a bot's account can be made a person's again, for the account page."""

from datetime import datetime

from django import template

from accounts.models import User
from ledger.services.bots import bot_undo_until

register = template.Library()


@register.simple_tag
def undo_until(user: User) -> datetime | None:
    """When the time of the owner ends; None where nothing can be taken back."""
    return bot_undo_until(user)
