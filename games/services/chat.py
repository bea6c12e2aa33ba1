"""Chat at a table or in a room of another app: write a message, mute a person, set phrases only.

Messages are no events: they have no sequence number and make no view old. A message is stored
under the lock of its table, so that no match can begin between the choice of its audience and its
commit; what is stored is published after the commit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from games import decisions
from games.broadcast import person_chat_channel, publish_chat_on_commit, publish_on_commit
from games.models import ChatChoice, ChatMessage, Mute, Table
from games.selectors import silenced_until, table_state, utterance
from games.services.commit import table_lock
from games.services.house_bots import bot_strengths
from games.services.tables import NoSuchTable
from games.table.errors import Busy, NotSeated, TableError
from games.table.talk import Audience, audience_of, text_cleaned
from kit.database import name_lock

#: how much one person may say, in all places together.
MESSAGES_MAX: Final = 5
MESSAGES_WITHIN: Final = timedelta(seconds=10)

MUTES_MAX: Final = 500

#: published to a person's own connections when they must read the chat settings again
CHOICES_CHANGED: Final = {"type": "choices_changed"}


SILENT: Final[Mapping[str, str]] = {
    "login": _("Log in to chat."),
    "frozen": _("This account cannot chat while it is under review."),
    "excluded": _("You have excluded yourself from playing; that includes the chat."),
}


class MayNotTalk(TableError):
    """This person may not talk; `fields["reason"]`: "login", "guest", "frozen" or "excluded"."""

    code = "may_not_talk"
    sentence = _("Log in to chat.")

    def said(self, *, staff: bool = False) -> str:
        """The sentence for this reason."""
        return SILENT.get(str(self.fields.get("reason"))) or super().said(staff=staff)


class PhrasesOnly(TableError):
    """Bots can only send set phrases."""

    code = "phrases_only"
    sentence = _("Bots can only send set phrases.")


class Silenced(TableError):
    """The moderators have silenced this person until `fields["until_ms"]`."""

    code = "silenced"
    sentence = _("The moderators have silenced you until {until}.")


class TalksTooFast(TableError):
    """Too many messages in a short time; the person may write again a little later."""

    code = "talks_too_fast"
    sentence = _("That was too fast. Please wait a moment.")


class NoSuchPerson(TableError):
    """No person who can be muted has this id."""

    code = "no_such_person"
    sentence = _("There is no such player.")


class TooManyMutes(TableError):
    """The limit of muted people is reached."""

    code = "too_many_mutes"
    sentence = _("You have reached the limit of muted players.")


@dataclass(frozen=True, slots=True)
class Heard:
    """The receivers of a message, fixed when it is written (`games.table.talk`)."""

    audience: Audience
    seat: int | None = None
    seats: tuple[int | None, int | None] = (None, None)
    readers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """The people that an author names where they have a choice; elsewhere the place decides.

    `game` is the number of the game whose crew they write to.
    """

    audience: str = ""
    game: int | None = None


class Room(Protocol):
    """A place where people talk: a table, or a room of another app."""

    @property
    def key(self) -> str:
        """The name of its channel (`games.broadcast.chat_channel`)."""

    @property
    def place(self) -> Mapping[str, Any]:
        """The fields of a message that name this place: `table_id`, or `room`."""

    def seats(self) -> tuple[int | None, int | None]:
        """The players, who receive no watchers' messages."""

    def is_open_to(self, user_id: int | None, /) -> bool:
        """Whether this reader may be in the room at all."""

    def admit(self, user_id: int, to: Address) -> Heard:
        """Lock the place, and decide who receives a message `to` them. Raises `TableError`."""


@dataclass(frozen=True, slots=True)
class TableRoom:
    """The talk at a table."""

    table_id: UUID

    @property
    def key(self) -> str:
        """The table's id."""
        return str(self.table_id)

    @property
    def place(self) -> Mapping[str, Any]:
        """Messages point at their table."""
        return {"table_id": self.table_id}

    def seats(self) -> tuple[int | None, int | None]:
        """The players as they sit now."""
        table = Table.objects.only("opener_id", "guest_id").get(pk=self.table_id)
        return table.opener_id, table.guest_id

    def is_open_to(self, _user_id: int | None, /) -> bool:
        """The socket of a table decides about watchers."""
        return True

    def admit(self, user_id: int, to: Address) -> Heard:
        """The audience follows from the table's state. Raises `NoSuchTable`, `NotSeated`."""
        try:
            table = table_lock(self.table_id)
        except Table.DoesNotExist as error:
            raise NoSuchTable("there is no such table") from error
        state = table_state(table)
        seat = state.seat_of(user_id)
        if seat is None and not state.terms.watchers:
            raise NotSeated("this table takes no watchers")
        return Heard(audience=audience_of(state, user_id), seat=seat, seats=state.seats)


def messages_in(room: Room) -> QuerySet[ChatMessage]:
    """Everything that was said in a room."""
    return ChatMessage.objects.filter(**room.place)


def message_say(
    *, table_id: UUID, user_id: int | None, client_id: str, phrase: str = "", text: str = ""
) -> ChatMessage:
    """Say a set phrase or a text at a table, once for each id of the author's client.

    Raises what `room_say` does, `NotSeated` at a table that takes no watchers, `NoSuchTable`.
    """
    room = TableRoom(table_id)
    return room_say(room, user_id=user_id, client_id=client_id, phrase=phrase, text=text)


def room_say(
    room: Room,
    *,
    user_id: int | None,
    client_id: str,
    phrase: str = "",
    text: str = "",
    to: Address = Address(),
) -> ChatMessage:
    """Say a set phrase or a text in a room, once for each id of the author's client.

    Raises `MayNotTalk`, `Silenced`, `PhrasesOnly`, `BadText`, `TalksTooFast`, `Busy`, and what the
    room does.
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
            heard = room.admit(user_id, to)
            _rate_check(user_id)
            said = ChatMessage.objects.create(
                **room.place,
                author_id=user_id,
                client_id=client_id,
                seat=heard.seat,
                audience=heard.audience,
                readers=None if heard.readers is None else list(heard.readers),
                phrase=phrase,
                text=line,
            )
            publish_chat_on_commit(room.key, *utterance(said, heard.seats))
            return said
    except IntegrityError:
        return known.get()  # said twice at the same moment
    except OperationalError as error:
        raise Busy("the table is busy, try again") from error


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


def _rate_check(user_id: int) -> None:
    """Count under a lock of the author, as they may write in several places at once."""
    name_lock(f"talk:{user_id}")
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
