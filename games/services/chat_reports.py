"""Complaints about talk, made where it was said; and how long talk is kept.

`fairplay.chat` decides them.
"""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.models import ChatMeasure, ChatMessage, ChatReport
from games.selectors import ears_of, messages_for, utterance
from games.services.chat import MayNotTalk, Room, TableRoom, choices_tell, messages_in
from games.services.commit import locking
from games.table.errors import TableError
from games.table.talk import REPORT_WORDS_LENGTH_MAX, text_cleaned

#: how many messages before the one complained about are kept with the complaint.
CONTEXT_MESSAGES: Final = 10

REPORTS_A_DAY_MAX: Final = 20

#: how long messages are kept. A complaint keeps its own copy.
KEPT_FOR: Final = timedelta(days=90)


class NoSuchMessage(TableError):
    """There is no message with this number that this reader could complain about."""

    code = "no_such_message"


class TooManyReports(TableError):
    """Too many reports by one person."""

    code = "too_many_reports"


def message_report(
    *, table_id: UUID, user_id: int | None, message_id: int, reason: str, words: str = ""
) -> ChatReport:
    """Report a message at a table; raises what `room_report` does."""
    room = TableRoom(table_id)
    return room_report(room, user_id=user_id, message_id=message_id, reason=reason, words=words)


def room_report(
    room: Room, *, user_id: int | None, message_id: int, reason: str, words: str = ""
) -> ChatReport:
    """Report a message; reporting it twice makes one complaint.

    Raises `MayNotTalk` without a login, `NoSuchMessage`, `TooManyReports`, `BadText`, `Busy`.
    """
    if user_id is None:
        raise MayNotTalk("log in to complain", reason="login")
    note = text_cleaned(words, REPORT_WORDS_LENGTH_MAX) if words.strip() else ""
    with transaction.atomic():
        message = _message_heard(room, user_id, message_id)
        known = ChatReport.objects.filter(reporter=user_id, message=message).first()
        if known is not None:
            return known
        since = timezone.now() - timedelta(days=1)
        if ChatReport.objects.filter(reporter=user_id, made_at__gt=since).count() >= (
            REPORTS_A_DAY_MAX
        ):
            raise TooManyReports(f"{REPORTS_A_DAY_MAX} complaints a day are read")
        return ChatReport.objects.create(
            **room.place,
            message=message,
            author_id=message.author_id,
            reporter_id=user_id,
            said=_words(message),
            said_at=message.said_at,
            context=_context(room, user_id, message),
            reason=reason,
            words=note,
        )


def _message_heard(room: Room, user_id: int, message_id: int) -> ChatMessage:
    """Another person's message that this reader received, whatever was muted since.

    It is locked, so that it is not removed before the report of it is stored.
    """
    others = messages_in(room).select_related("author").exclude(author=user_id)
    with locking("message"):
        locked = others.select_for_update(no_key=True, of=("self",))
        message = locked.filter(pk=message_id).first()
    if message is not None and room.is_open_to(user_id):
        said, _frame = utterance(message, room.seats())
        if ears_of(user_id).without_choices().hear(said):
            return message
    raise NoSuchMessage("there is no such message here")


def _context(room: Room, user_id: int, message: ChatMessage) -> list[dict[str, Any]]:
    before = messages_for(messages_in(room), user_id).filter(pk__lt=message.pk)
    rows = before.select_related("author").order_by("-pk")[:CONTEXT_MESSAGES]
    return [
        {
            "at_ms": int(row.said_at.timestamp() * 1000),
            "author": row.author.get_username(),
            "audience": row.audience,
            "said": _words(row),
        }
        for row in reversed(rows)
    ]


def _words(message: ChatMessage) -> str:
    """The content of the message; a set phrase as its key in brackets, unlike any text."""
    return message.text or f"[{message.phrase}]"


def author_warn(report: ChatReport, days: int) -> datetime | None:
    """Warn the author of a reported message, and silence them for so many days; return until when.

    In the transaction in which the report is decided (`fairplay.chat`); None for a warning alone.
    """
    until = timezone.now() + timedelta(days=days) if days else None
    ChatMeasure.objects.create(user_id=report.author_id, report=report, until=until)
    choices_tell(report.author_id)
    return until


def messages_forget() -> int:
    """Delete what was said more than 90 days ago; returns how many messages."""
    old = ChatMessage.objects.filter(said_at__lt=timezone.now() - KEPT_FOR)
    _all, by_model = old.delete()
    return by_model.get("games.ChatMessage", 0)
