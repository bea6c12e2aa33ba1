"""What others may want to hear about people."""

from django.dispatch import Signal

access_ended = Signal()
"""Sent after the commit when somebody may no longer act through what is open.

Arguments: `user_id`; `session_key`, the one session that ended, or None for all of them. Whoever
holds connections open beyond a request closes them; a session that is still valid may come back.
"""

bot_becoming = Signal()
"""Sent inside the transaction that makes an account a bot's, before anything is written.

Argument: `user`, locked. A receiver refuses with `accounts.tokens.StillAtStakes`.
"""
