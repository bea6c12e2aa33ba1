"""A bot on its account page: until when it can be undone, and what happened to its tokens."""

from datetime import datetime

from django import template

from accounts.models import User
from ledger.models import JournalEntry
from ledger.services.bots import bot_undo_until, tokens_told

register = template.Library()


@register.simple_tag
def undo_until(user: User) -> datetime | None:
    """Return until when the owner can undo the bot account; None if they cannot."""
    return bot_undo_until(user)


@register.simple_tag
def token_history(user: User) -> list[JournalEntry]:
    """Return what the journal says about the bot's tokens, the newest first."""
    return tokens_told(user)
