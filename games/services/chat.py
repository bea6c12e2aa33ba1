"""Chat at a table: write a message, mute a person, read set phrases only.

Messages are no events: they have no sequence number and make no view old. A message is stored
under the lock of its table, so that no match can begin between the choice of its audience and its
commit; what is stored is published after the commit.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from games import decisions
from games.broadcast import person_chat_channel, publish_chat_on_commit, publish_on_commit
from games.models import ChatChoice, ChatMessage, Mute, Table
from games.selectors import silenced_until, table_state, utterance
from games.services.commit import table_lock
from games.services.house_bots import bot_strengths
from games.services.tables import NoSuchTable
from games.table.errors import Busy, NotSeated, TableError
from games.table.talk import audience_of, text_cleaned

#: how much one person may say, at all tables together.
MESSAGES_MAX: Final = 5
MESSAGES_WITHIN: Final = timedelta(seconds=10)

MUTES_MAX: Final = 500

#: published to a person's own connections when they must read the chat settings again
CHOICES_CHANGED: Final = {"type": "choices_changed"}


class MayNotTalk(TableError):
    """This person may not talk; `fields["reason"]`: "login", "guest", "frozen" or "excluded"."""

    code = "may_not_talk"


class PhrasesOnly(TableError):
    """Bots can only send set phrases."""

    code = "phrases_only"


class Silenced(TableError):
    """The moderators have silenced this person until `fields["until_ms"]`."""

    code = "silenced"


class TalksTooFast(TableError):
    """Too many messages in a short time; the person may write again a little later."""

    code = "talks_too_fast"


class NoSuchPerson(TableError):
    """No person who can be muted has this id."""

    code = "no_such_person"


class TooManyMutes(TableError):
    """The limit of muted people is reached."""

    code = "too_many_mutes"


def message_say(
    *, table_id: UUID, user_id: int | None, client_id: str, phrase: str = "", text: str = ""
) -> ChatMessage:
    """Say a set phrase or a text at a table, once for each id of the author's client.

    Raises `MayNotTalk`, `Silenced`, `PhrasesOnly`, `BadText`, `TalksTooFast`, `NotSeated` at a
    table that takes no watchers, `NoSuchTable`, `Busy`.
    """
    if user_id is None:
        raise MayNotTalk("log in to talk", reason="login")
    known = ChatMessage.objects.filter(author=user_id, client_id=client_id)
    if (said := known.first()) is not None:
        return said
    line = text_cleaned(text) if not phrase else ""
    talk_check(user_id, free=bool(line))
    try:
        with transaction.atomic(durable=True):
            return _store(table_id, user_id, client_id, phrase, line)
    except IntegrityError:
        return known.get()  # said twice at the same moment
    except OperationalError as error:
        raise Busy("the table is busy, try again") from error
    except Table.DoesNotExist as error:
        raise NoSuchTable("there is no such table") from error


def talk_check(user_id: int, *, free: bool) -> None:
    """Do nothing if the person may write now, with free text or set phrases."""
    if get_user_model().objects.filter(pk=user_id, is_guest=True).exists():
        raise MayNotTalk("guests do not talk at tables", reason="guest")
    if reason := decisions.barred_from_talk(user_id):
        raise MayNotTalk("this account may not talk at tables", reason=reason)
    if (until := silenced_until(user_id)) is not None:
        until_ms = int(until.timestamp() * 1000)
        raise Silenced(f"silent until {until:%Y-%m-%d %H:%M} UTC", until_ms=until_ms)
    if free and (_is_bot(user_id) or bot_strengths([user_id])):
        raise PhrasesOnly("bots say set phrases only")


def _is_bot(user_id: int) -> bool:
    return bool(get_user_model().objects.filter(pk=user_id, is_bot=True).exists())


def _store(table_id: UUID, user_id: int, client_id: str, phrase: str, line: str) -> ChatMessage:
    table = table_lock(table_id)
    state = table_state(table)
    seat = state.seat_of(user_id)
    if seat is None and not state.terms.watchers:
        raise NotSeated("this table takes no watchers")
    _rate_check(user_id)
    said = ChatMessage.objects.create(
        table=table,
        author_id=user_id,
        client_id=client_id,
        seat=seat,
        audience=audience_of(state, user_id),
        phrase=phrase,
        text=line,
    )
    publish_chat_on_commit(table.pk, *utterance(said, state.seats))
    return said


def _rate_check(user_id: int) -> None:
    """Count under a lock of the author, as they may write at several tables at once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"talk:{user_id}"])
    since = timezone.now() - MESSAGES_WITHIN
    if ChatMessage.objects.filter(author=user_id, said_at__gt=since).count() >= MESSAGES_MAX:
        seconds = int(MESSAGES_WITHIN.total_seconds())
        raise TalksTooFast(f"{MESSAGES_MAX} messages in {seconds} seconds are enough")


# --- a person's choices about chat ----------------------------------------------------------------


@transaction.atomic
def mute_set(*, user_id: int, person_id: int, on: bool) -> None:
    """Mute a person at every table, or end it. Raises `NoSuchPerson`, `TooManyMutes`."""
    if not on:
        Mute.objects.filter(owner=user_id, muted=person_id).delete()
    elif person_id == user_id or not get_user_model().objects.filter(pk=person_id).exists():
        raise NoSuchPerson("there is nobody to mute with this id")
    elif Mute.objects.filter(owner=user_id).count() >= MUTES_MAX:
        raise TooManyMutes(f"nobody mutes more than {MUTES_MAX} people")
    else:
        Mute.objects.get_or_create(owner_id=user_id, muted_id=person_id)
    choices_tell(user_id)


@transaction.atomic
def free_text_set(*, user_id: int, on: bool) -> None:
    """Read free text, or set phrases only."""
    ChatChoice.objects.update_or_create(user_id=user_id, defaults={"free_text": on})
    choices_tell(user_id)


def choices_tell(user_id: int) -> None:
    """Let all connections of a person read the chat settings and bans again."""
    publish_on_commit(person_chat_channel(user_id), CHOICES_CHANGED)
