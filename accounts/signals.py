"""Signals about people, for other apps."""

from django.dispatch import Signal

access_ended = Signal()
"""Sent after the commit when a person's open connections are no longer valid.

Arguments: `user_id`; `session_key`, the one session that ended, or None for all of them. Receivers
close connections that outlive a request; a session that is still valid may reconnect.
"""

guest_registered = Signal()
"""Sent inside the transaction in which a guest's row becomes the row of an account.

Argument: `user`, locked and saved. Receivers give it what a new account gets.
"""

token_changed = Signal()
"""Sent inside the transaction in which a token of a bot is made or ends.

Arguments: `user`; `token`, its row; `verb`, make or end.
"""

bot_becoming = Signal()
"""Sent inside the transaction that makes an account a bot's, before anything is written.

Argument: `user`, locked. A receiver refuses with `accounts.tokens.StillAtStakes`.
"""
