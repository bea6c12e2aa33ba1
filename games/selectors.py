"""Reading tables: their view, their events, the lists of the lobby."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.access import may_administer
from accounts.models import User
from games.models import (
    Challenge,
    ChallengeState,
    ChatChoice,
    ChatMeasure,
    ChatMessage,
    Deadline,
    Favourite,
    Match,
    Mute,
    StoredEvent,
    Table,
)
from games.modes.prices import Prices
from games.modes.registry import PRACTICE_KEYS, prices_of
from games.modes.terms import Terms, Wishes
from games.table.setup import terms_of
from games.table.state import TableState
from games.table.takeback import lasting
from games.table.talk import Audience, Ears, Phrase, Utterance
from games.table.view import table_view
from games.table.view_types import View
from games.wire import event_frame, in_parts
from games.wire.frames import Author, ChatFrame, Message, Said, Snapshot, Update
from house.history import change_newest
from house.parts import HousePart

#: a client that missed more events than this gets a snapshot instead.
GAP_EVENTS_MAX: Final = 200

#: how many of the last messages a client receives at a table.
CHAT_MESSAGES: Final = 50

#: more tables than this, at which people play now, are not counted one by one.
PLAYED_COUNTED_MAX: Final = 1_000

#: how long a warning is shown to the person who was warned.
WARNING_SHOWN: Final = timedelta(days=7)

LOG_TYPES: Final = (
    "position_set",
    "game_started",
    "rolled_off",
    "beavered",
    "raccooned",
    "play_made",
    "double_offered",
    "double_taken",
    "double_dropped",
    "game_ended",
)

_prices_of_page: ContextVar[Prices | None] = ContextVar("prices of the page", default=None)


def prices() -> Prices:
    """The figures in force now."""
    return _prices_of_page.get() or _prices_now()


@contextmanager
def prices_read_once() -> Iterator[None]:
    """Within this block, and so on one page, the prices of the house are those it began with."""
    token = _prices_of_page.set(_prices_now())
    try:
        yield
    finally:
        _prices_of_page.reset(token)


def _prices_now() -> Prices:
    row = change_newest(HousePart.PRICES)
    return prices_of(row.content) if row else Prices()


def terms_offered(**wishes: object) -> Terms:
    """The terms of the house for these wishes (fields of `Wishes`). Raises `BadTerms`."""
    return terms_of(msgspec.convert(wishes, Wishes), prices())


def table_state(table: Table) -> TableState:
    """The state cached on the row."""
    return msgspec.convert(table.state, TableState)


def table_terms(table: Table) -> Terms:
    """The terms of the table, without the rest of its state."""
    return msgspec.convert(table.state["terms"], Terms)


def match_terms(match: Match) -> Terms:
    """The terms, as they were when the match began."""
    return msgspec.convert(match.terms, Terms) if match.terms else table_state(match.table).terms


def may_see(match: Match, reader: User | AnonymousUser) -> bool:
    """Whether this reader may see the records of a match, while it runs and ever after.

    The records are as private as the table was: everybody may see them if everybody could
    watch. Else they are for the two players, and for staff who may see matches.
    """
    return reader.pk in match.players or match_terms(match).watchers or may_see_all(reader)


def between_people(path: str = "") -> Q:
    """Return the condition that no bot plays in the match at this path ("": the row itself)."""
    way = f"{path}__" if path else ""
    return Q(**{f"{way}player_0__is_bot": False, f"{way}player_1__is_bot": False})


def may_see_all(reader: User | AnonymousUser) -> bool:
    """Whether this reader may see the records of every match, as staff."""
    return may_administer(reader) and reader.has_perm("games.view_match")


def table_get(table_id: UUID) -> Table | None:
    """The table with this id, or None."""
    return Table.objects.filter(pk=table_id).first()


def table_successor(table: Table) -> Table | None:
    """The table that stands now in the place of one whose guest stood up; None without one."""
    newest = None
    while (successor := table_state(newest or table).successor) is not None:
        newest = Table.objects.get(pk=successor)
    return newest


def table_seqs(table_ids: Sequence[UUID]) -> dict[UUID, int]:
    """The seq of the newest event of each of these tables."""
    return dict(Table.objects.filter(pk__in=table_ids).values_list("pk", "seq"))


def view_frame(table: Table, state: TableState) -> View:
    """The public view of a table with the people in it and with what is known of its dice."""
    return table_view(state, table=table.key, players=table.people, fair=table.fair)


def snapshot_frame(table: Table, now_ms: int) -> Snapshot:
    """Everything a new client needs."""
    view = view_frame(table, table_state(table))
    return Snapshot(seq=table.seq, now_ms=now_ms, view=view, log=_log(table))


def resume_frame(table: Table, since: int, now_ms: int) -> Snapshot | Update:
    """The events after `since`, or a snapshot if `since` is unknown or they are too many."""
    missed = table.seq - since
    if since <= 0 or missed < 0 or missed > GAP_EVENTS_MAX:
        return snapshot_frame(table, now_ms)
    rows = table.events.filter(seq__gt=since, seq__lte=table.seq).order_by("seq")
    events = [event_frame(row.seq, row.payload) for row in rows]
    view = in_parts(view_frame(table, table_state(table)))
    return Update(seq=table.seq, now_ms=now_ms, events=events, view=view)


def _log(table: Table) -> list[dict[str, Any]]:
    started = StoredEvent.objects.filter(table=table, type="match_started").order_by("-seq").first()
    if started is None:
        return []
    types = (*LOG_TYPES, "taken_back")
    rows = table.events.filter(seq__gt=started.seq, seq__lte=table.seq, type__in=types)
    return lasting(event_frame(row.seq, row.payload) for row in rows.order_by("seq"))


def table_by_code(code: str) -> Table | None:
    """The private table of these letters, or None."""
    return Table.objects.filter(code=code).first()


def favourites_of(user_id: int) -> QuerySet[Favourite]:
    """The settings a person has saved, in the order of saving."""
    return Favourite.objects.filter(owner=user_id).order_by("saved_at", "pk")


def challenges_waiting_for(user_id: int) -> QuerySet[Challenge]:
    """Challenges this player can still answer, oldest first; none of people they have muted."""
    now = timezone.now()
    waiting = Challenge.objects.filter(
        challenged=user_id, state=ChallengeState.WAITING, expires_at__gt=now
    ).exclude(challenger__in=mutes_of(user_id).values("muted"))
    return waiting.select_related("challenger").order_by("made_at")


def challenge_get(challenge_id: UUID) -> Challenge | None:
    """The challenge with this id, as it counts now: one whose time is over has expired."""
    found = Challenge.objects.filter(pk=challenge_id).first()
    if found is None or found.state != ChallengeState.WAITING:
        return found
    if found.expires_at <= timezone.now():
        found.state = ChallengeState.EXPIRED
    return found


def challenge_terms(challenge: Challenge) -> Terms:
    """The terms of a challenge."""
    return msgspec.convert(challenge.terms, Terms)


def matches_begun(user_id: int) -> int:
    """How many matches this player has begun, practice included."""
    return Match.objects.filter(Q(player_0=user_id) | Q(player_1=user_id)).count()


def has_finished_a_match(user_id: int) -> bool:
    """Whether a match of this player, practice included, has come to its end; nobody left it."""
    played = Match.objects.filter(Q(player_0=user_id) | Q(player_1=user_id), ended_at__isnull=False)
    return played.exclude(ending__in=("left", "stood_up")).exists()


def tables_running_of(user_id: int) -> QuerySet[Table]:
    """Tables at which this player waits or plays, the last used first."""
    here = Q(pk__in=list(_tables_played_by(user_id))) | Q(opener=user_id, phase="open")
    running = Table.objects.filter(here).exclude(phase__in=("over", "closed"))
    return running.select_related("opener", "guest").order_by("-changed_at")


def deadlines_of(user_id: int) -> QuerySet[Deadline]:
    """The deadlines of the games in which this player has a seat, the nearest first."""
    played = ~Q(table__phase__in=("open", "over", "closed"))
    mine = Deadline.objects.filter(played, table__in=_tables_played_by(user_id))
    return mine.select_related("table").order_by("due_at")


def _tables_played_by(user_id: int) -> QuerySet[Match, UUID]:
    """The tables of this player's matches that have not ended.

    Matches are asked for, because the tables of all matches of before are not in their index.
    """
    mine = Q(player_0=user_id) | Q(player_1=user_id)
    return Match.objects.filter(mine, ended_at__isnull=True).values_list("table", flat=True)


def tables_played() -> QuerySet[Table]:
    """Tables at which people play each other now, the match that began last first; no private ones.

    Found by the matches that have not ended, so the cost does not depend on the tables of before.
    """
    played = Table.objects.filter(
        matches__ended_at__isnull=True, matches__started_at__isnull=False, code__isnull=True
    )
    return played.exclude(mode__in=PRACTICE_KEYS).order_by("-matches__started_at", "-matches__id")


def tables_played_count() -> int:
    """How many of these tables there are; `PLAYED_COUNTED_MAX` and one for more than so many."""
    return tables_played()[: PLAYED_COUNTED_MAX + 1].count()


def matches_running(user_id: int | None = None) -> QuerySet[Match]:
    """Matches that are being played, the newest first: one player's, or all that are public.

    A public match is one that anybody may watch: of no private table, and no practice.
    """
    running = Match.objects.filter(ended_at__isnull=True)
    if user_id is None:
        public = running.filter(table__code__isnull=True, terms__watchers=True)
        running = public.exclude(mode__in=PRACTICE_KEYS)
    else:
        running = running.filter(Q(player_0=user_id) | Q(player_1=user_id))
    related = running.select_related("table", "player_0", "player_1")
    return related.order_by("-started_at", "-pk")


def match_ended_last() -> Match | None:
    """The match between two people that ended last among those that anybody may see."""
    ended = Match.objects.filter(ended_at__isnull=False, table__code__isnull=True)
    public = (
        ended.filter(terms__watchers=True)
        .exclude(mode__in=PRACTICE_KEYS)
        .exclude(ending="stood_up")
    )
    return public.select_related("player_0", "player_1").order_by("-ended_at").first()


# --- talk -----------------------------------------------------------------------------------------


def ears_of(user_id: int | None) -> Ears:
    """The chat choices of this reader; None is a reader who is not logged in."""
    if user_id is None:
        return Ears()
    muted = Mute.objects.filter(owner=user_id).values_list("muted_id", flat=True)
    choice = ChatChoice.objects.filter(user=user_id).first()
    return Ears(user_id, frozenset(muted), choice is None or choice.free_text)


def silenced_until(user_id: int) -> datetime | None:
    """When this person may talk again, or None if they may now."""
    measures = ChatMeasure.objects.filter(user=user_id, until__gt=timezone.now())
    return cast("datetime | None", measures.aggregate(Max("until"))["until__max"])


def _warned_at(user_id: int) -> datetime | None:
    since = timezone.now() - WARNING_SHOWN
    warnings = ChatMeasure.objects.filter(user=user_id, until=None, made_at__gt=since)
    return cast("datetime | None", warnings.aggregate(Max("made_at"))["made_at__max"])


def mutes_of(user_id: int) -> QuerySet[Mute]:
    """The people this person has muted, by name."""
    return Mute.objects.filter(owner=user_id).select_related("muted").order_by("muted__username")


def utterance(message: ChatMessage, seats: tuple[int | None, int | None]) -> tuple[Utterance, Said]:
    """The fields that decide who receives a message, and its frame."""
    said = Utterance(
        author=message.author_id,
        audience=cast("Audience", message.audience),
        seats=seats,
        free=bool(message.text),
        readers=None if message.readers is None else tuple(message.readers),
    )
    return said, Said(id=message.client_id, **msgspec.structs.asdict(message_shown(message)))


def message_shown(message: ChatMessage) -> Message:
    """A message as clients see it; `phrase` or `text` is null."""
    return Message(
        number=message.pk,
        author=Author(id=message.author_id, name=message.author.get_username()),
        seat=message.seat,
        audience=cast("Audience", message.audience),
        phrase=cast("Phrase", message.phrase) if message.phrase else None,
        text=message.text or None,
        at_ms=_ms(message.said_at),
    )


def chat_frame(
    said: QuerySet[ChatMessage], seats: tuple[int | None, int | None], ears: Ears
) -> ChatFrame:
    """The last messages in one place, as this reader receives them, and how they may talk."""
    reader = ears.person
    silent = None if reader is None else silenced_until(reader)
    warned = None if reader is None else _warned_at(reader)
    muted = () if reader is None else mutes_of(reader)
    return ChatFrame(
        messages=[message_shown(message) for message in _messages_heard(said, seats, ears)],
        muted=[Author(id=m.muted_id, name=m.muted.get_username()) for m in muted],
        free_text=ears.free_text,
        silenced_until_ms=_ms(silent) if silent else None,
        warned_ms=_ms(warned) if warned else None,
    )


def messages_for(said: QuerySet[ChatMessage], reader: int | None) -> QuerySet[ChatMessage]:
    """The messages that were ever for this reader: the `readers` of `Ears.hear` as a query."""
    named = Q() if reader is None else Q(readers__contains=[reader]) | Q(author=reader)
    return said.filter(Q(readers=None) | named)


def _messages_heard(
    said: QuerySet[ChatMessage], seats: tuple[int | None, int | None], ears: Ears
) -> list[ChatMessage]:
    """The last messages that this reader receives, oldest first: `Ears.hear` as a query."""
    deaf = ears.person is None or ears.person in seats
    read = ["everybody", "crew"] if deaf else ["everybody", "crew", "watchers"]
    heard = Q(audience__in=read) & ~Q(author__in=ears.muted)
    if not ears.free_text:
        heard &= Q(text="")
    rows = messages_for(said, ears.person).filter(heard | Q(author=ears.person)).order_by("-pk")
    return list(reversed(rows.select_related("author")[:CHAT_MESSAGES]))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
