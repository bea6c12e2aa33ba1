"""The journal: what administrators decided, sealed with the books and audited with them."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from kit.plain_text import text_fault
from ledger.errors import UnreadableText
from ledger.models import JournalEntry


def journal_record(
    *,
    actor: User,
    verb: str,
    subject: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    reason: str,
) -> JournalEntry:
    """Record an action, the state before and after it and the reason, in the caller's transaction.

    `verb` is dotted (``payout.approve``), `subject` a reference (``payout:7``, ``user:3``).
    Raises `UnreadableText` for a reason with characters that hide or reverse text.
    """
    if fault := text_fault(reason):
        raise UnreadableText("reason", fault)
    return JournalEntry.objects.create(
        actor=actor,
        verb=verb,
        subject=subject,
        before=dict(before),
        after=dict(after),
        reason=reason,
    )
