"""Talk as words that are moderated: complaints, made where it was said; and how long it is kept."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.models import ChatMeasure, ChatMessage, WordsReport
from games.selectors import ears_of, messages_for, utterance
from games.services.chat import MayNotTalk, Room, TableRoom, choices_tell, messages_in
from games.services.commit import locking
from games.services.moderation import NothingToDecide, WordsKind, report_store
from games.table.errors import TableError
from games.table.talk import REPORT_REASONS

#: how many messages before the one complained about are kept with the complaint.
CONTEXT_MESSAGES: Final = 10

REPORTS_A_DAY_MAX: Final = 20

#: how long messages are kept. A complaint keeps its own copy.
KEPT_FOR: Final = timedelta(days=90)

#: the possible outcomes of a complaint beside "nothing": days of silence; 0 is a warning.
SILENCE_DAYS: Final = {"warn": 0, "silence_1": 1, "silence_7": 7, "silence_30": 30}


class NoSuchMessage(TableError):
    """There is no message with this number that this reader could complain about."""

    code = "no_such_message"
    sentence = _("This message no longer exists.")


def message_report(
    *, table_id: UUID, user_id: int | None, message_id: int, reason: str, words: str = ""
) -> WordsReport:
    """Report a message at a table; raises what `room_report` does."""
    room = TableRoom(table_id)
    return room_report(room, user_id=user_id, message_id=message_id, reason=reason, words=words)


def room_report(
    room: Room, *, user_id: int | None, message_id: int, reason: str, words: str = ""
) -> WordsReport:
    """Report a message; reporting it twice makes one complaint.

    Raises `MayNotTalk` without a login, `NoSuchMessage`, `TooManyReports`, `BadText`, `Busy`.
    """
    if user_id is None:
        raise MayNotTalk("log in to complain", reason="login")
    with transaction.atomic():
        message = _message_heard(room, user_id, message_id)
        kept = {
            "subject": message.room or f"table:{message.table_id}",
            "message": message,
            "author_id": message.author_id,
            "said": _words(message),
            "said_at": message.said_at,
            "context": _context(room, user_id, message),
        }
        known = Q(message=message)
        return report_store(
            TALK, user_id=user_id, reason=reason, words=words, known=known, kept=kept
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


def _report_lock(report_id: int) -> WordsReport:
    """A report of talk that is not decided, locked. Raises `NothingToDecide`."""
    report = WordsReport.objects.select_for_update(no_key=True).get(pk=report_id, kind="talk")
    if report.outcome:
        raise NothingToDecide("this complaint is decided")
    return report


def _author_warn(report: WordsReport, _actor: User, outcome: str) -> None:
    """Warn the author of a reported message, and silence them for some days."""
    days = SILENCE_DAYS[outcome]
    until = timezone.now() + timedelta(days=days) if days else None
    assert report.author_id is not None, "words of talk have an author"
    ChatMeasure.objects.create(user_id=report.author_id, report=report, until=until)
    choices_tell(report.author_id)


def _facts(report: WordsReport) -> dict[str, Any]:
    measure = ChatMeasure.objects.filter(report=report).first()
    until = measure.until if measure else None
    return {"user": report.author_id, **({"silent_until": until.isoformat()} if until else {})}


TALK: Final = WordsKind(
    key="talk",
    verb="report.close",
    reference=lambda report: f"report:{report.pk}",
    reasons=REPORT_REASONS,
    outcomes=("nothing", *SILENCE_DAYS),
    a_day_max=REPORTS_A_DAY_MAX,
    lock=_report_lock,
    reports=lambda report: WordsReport.objects.filter(pk=report.pk),
    own=lambda user, report: user.pk in (report.author_id, report.reporter_id),
    facts=_facts,
    carry_out=_author_warn,
)


def messages_forget() -> int:
    """Delete what was said more than 90 days ago; returns how many messages."""
    old = ChatMessage.objects.filter(said_at__lt=timezone.now() - KEPT_FOR)
    _all, by_model = old.delete()
    return by_model.get("games.ChatMessage", 0)
