"""Until when a bot's account can be made a person's again, for the account page."""

from datetime import datetime

from django import template

from accounts.models import User
from ledger.services.bots import bot_undo_until

register = template.Library()


@register.simple_tag
def undo_until(user: User) -> datetime | None:
    """Return until when the owner can undo the bot account; None if they cannot."""
    return bot_undo_until(user)
