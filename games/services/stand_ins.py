"""The house bot as a stand-in: it plays with somebody who waits, until another person comes.

Whoever waits so keeps their open table. Two who wait for the same game are offered to each other
(`games.services.lobby`), for a while, and meet where both say yes.

Locks: the person first, then tables in the order of their ids.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.broadcast import person_channel, publish_on_commit
from games.models import HouseBot, StandIn, Table
from games.modes.kinds.practice import MODE
from games.modes.terms import Terms
from games.selectors import table_state, terms_offered
from games.services.guests import guest_begin_check
from games.services.house_bots import ALONE
from games.services.practice import practice_seat
from games.services.seats import person_lock
from games.services.tables import table_shut, table_sit, tables_lock
from games.table.errors import TableError, TableFull
from kit.database import database_now_ms, moment

#: so long somebody at the house bot is asked.
ANSWER_WITHIN: Final = timedelta(seconds=20)

#: one who has left the game with the house bot for longer than this is not asked.
AWAY_MS: Final = 3_000

#: so long one who said yes first is led to the table.
LED_FOR: Final = timedelta(minutes=1)

CLOSE_BATCH: Final = 100

#: stand-ins whose waiting player may be asked: nobody who is still there has been offered to them.
FREE_TO_ASK: Final = Q(stand_in__isnull=False) & (
    Q(stand_in__offered__isnull=True) | ~Q(stand_in__offered__phase="open")
)


class OfferOver(TableError):
    """The other person has gone, plays already, or was offered too long ago."""

    code = "offer_over"
    sentence = _("The other player is no longer waiting. We go on looking for you.")


def stand_in_open(
    *, user: User, table_id: UUID, strength: str, points: int = 0, **wishes: object
) -> Table | None:
    """Let the house bot of this strength play with the player who waits at this open table.

    Answers the game, or one like it that runs already; None if the player waits there no longer.
    The wishes are those of a practice game, which is a match to so many `points` if any. It has no
    clock: its player may move to another table at any time. Raises what `practice_open` does.
    """
    running = _game_beside(user.pk, table_id)
    if running is not None:
        return running
    terms = terms_offered(mode="practice", clock="none", **wishes)
    if points:
        terms = MODE.at_score(terms, points)
    game = _game_to_go_on(user, terms)
    if game is None:
        guest_begin_check(user)
    with transaction.atomic(durable=True):
        if not tables_lock(Q(pk=table_id, opener=user.pk, phase="open", stake_cents=0)):
            return None
        running = _game_beside(user.pk, table_id)  # of a second request, which was quicker
        if running is not None:
            return running
        game = game or practice_seat(user, strength, terms)
        own, _new = StandIn.objects.update_or_create(table_id=table_id, defaults={"game": game})
        asked = asked_for(table_id)
        if asked is not None and own.offered_id != asked.table_id:
            _ask(own.pk, asked.table_id, asked.answer_by)
        return game


def _game_beside(user_id: int, table_id: UUID) -> Table | None:
    """The game with the house bot beside this open table of a person; None without one."""
    waiting = StandIn.objects.filter(table=table_id, table__opener=user_id, table__phase="open")
    found = waiting.exclude(game__phase__in=("over", "closed")).select_related("game").first()
    return None if found is None else found.game


def _game_to_go_on(user: User, terms: Terms) -> Table | None:
    """The running game with a house bot on these terms, or of a guest on any; None without one."""
    bots = HouseBot.objects.exclude(strength=ALONE).values("user")
    own = Table.objects.filter(opener=user.pk, mode=terms.mode, guest__in=bots)
    running = own.exclude(phase__in=("open", "over", "closed")).order_by("-changed_at")
    alike = (game for game in running if user.is_guest or table_state(game).terms == terms)
    return next(alike, None)


def stand_in_of(user_id: int) -> StandIn | None:
    """The stand-in of this person while they wait for an opponent; None if they do not."""
    waiting = StandIn.objects.filter(table__opener=user_id, table__phase="open")
    return waiting.select_related("game", "offered__opener").first()


def offer_seconds(stand_in: StandIn) -> float:
    """How long the person who has come is still offered; 0 where there is none, or no longer."""
    offered, answer_by = stand_in.offered, stand_in.answer_by
    if offered is None or answer_by is None or offered.phase != "open":
        return 0.0
    return max(0.0, (answer_by - moment(database_now_ms())).total_seconds())


def asked_for(table_id: UUID) -> StandIn | None:
    """The stand-in whose player is being asked to move to this open table; None without one."""
    asked = StandIn.objects.filter(offered=table_id, table__phase="open")
    stand_in = asked.select_related("table__opener", "offered").order_by("-answer_by").first()
    return stand_in if stand_in is not None and offer_seconds(stand_in) else None


def is_away(table: Table) -> bool:
    """Return True if the opener of this table has left their game with the house bot."""
    stand_in = StandIn.objects.filter(pk=table.pk).select_related("game").first()
    if stand_in is None:
        return True
    since_ms = table_state(stand_in.game).absences[0].since_ms
    return since_ms is not None and database_now_ms() - since_ms > AWAY_MS


def offer_make(stand_in_table: Table, table: Table) -> bool:
    """Ask the one who plays the house bot about the person at `table`, and that one in return.

    In return only where that person plays the house bot as well. Inside the transaction of a
    pairing, whose lock keeps other offers away.
    """
    answer_by = moment(database_now_ms()) + ANSWER_WITHIN
    if not _ask(stand_in_table.pk, table.pk, answer_by):
        return False
    _ask(table.pk, stand_in_table.pk, answer_by)
    publish_on_commit(person_channel(stand_in_table.opener_id), {"type": "challenge"})
    publish_on_commit(person_channel(table.opener_id), {"type": "challenge"})
    return True


def _ask(table_id: UUID, offered_id: UUID, answer_by: datetime | None) -> bool:
    """Write down who is offered to the one who waits at this table; False if they do not."""
    waiting = StandIn.objects.filter(pk=table_id, table__phase="open")
    return bool(waiting.update(offered=offered_id, answer_by=answer_by, accepted=False))


def offer_accept(*, user: User, table_id: UUID) -> Table | None:
    """Say yes to the person at this table; None until that person has said yes as well.

    The second yes seats both at the table of the first; one who does nothing but wait there has
    nothing to say. The games with the house bot stay as they are. Answered twice, the same table.
    Raises `OfferOver`, and what `table_sit` does.
    """
    with transaction.atomic(durable=True):
        person_lock(user.pk)
        seated = table_of_yes(user.pk, to=table_id)
        if seated is not None:
            return seated
        tables_lock(Q(pk=table_id) | Q(opener=user.pk, phase="open"))
        own = stand_in_of(user.pk)
        if own is None or own.offered_id != table_id or not offer_seconds(own):
            raise OfferOver("nobody at this table is offered")
        own.accepted = True
        own.save(update_fields=["accepted"])
        assert own.offered is not None, "somebody is offered"
        publish_on_commit(person_channel(own.offered.opener_id), {"type": "challenge"})
        other = StandIn.objects.filter(pk=table_id).first()
        if other is not None and not (other.accepted and other.offered_id == own.pk):
            return None
        try:
            return table_sit(user.pk, table_id, agreed=True)
        except TableFull as error:
            raise OfferOver("the other person waits no longer") from error


def table_of_yes(user_id: int, *, to: UUID | None = None) -> Table | None:
    """The table at which this person and the one whom they said yes to have just sat down.

    With `to` only the one who waited at that table counts.
    """
    since = moment(database_now_ms()) - LED_FOR
    yes = StandIn.objects.filter(table__opener=user_id, accepted=True, answer_by__gt=since)
    if to is not None:
        yes = yes.filter(offered=to)
    pair = Q(guest=user_id, pk__in=yes.values("offered"))
    pair |= Q(pk__in=yes.filter(table__guest=F("offered__opener")).values("pk"))
    return (
        Table.objects.filter(pair)
        .exclude(phase__in=("over", "closed"))
        .order_by("-changed_at")
        .first()
    )


def search_end(user_id: int) -> bool:
    """Let a player stay with the house bot: they wait for nobody any more. False if they did not.

    A person who was offered to them learns it at once.
    """
    with transaction.atomic(durable=True):
        waiting = StandIn.objects.filter(table__opener=user_id, table__phase="open")
        return _end(waiting)


def searches_end_due() -> int:
    """End the search of everybody who has not answered in time; return how many there were."""
    now, ended = moment(database_now_ms()), 0
    silent = StandIn.objects.filter(answer_by__lte=now, table__phase="open", accepted=False)
    # one whose other has gone meanwhile is asked nothing
    asked = silent.filter(offered__phase="open").order_by("answer_by")
    for table_id in list(asked.values_list("pk", flat=True)[:CLOSE_BATCH]):
        with transaction.atomic(durable=True):
            ended += _end(silent.filter(pk=table_id))
    StandIn.objects.exclude(table__phase="open").exclude(answer_by__gt=now - LED_FOR).delete()
    return ended


def _end(which: QuerySet[StandIn]) -> bool:
    """Close the open table of one stand-in, if it is still among these once it is locked."""
    table_id = which.values_list("pk", flat=True).first()
    tables = {} if table_id is None else tables_lock(Q(pk=table_id, phase="open"))
    stand_in = which.filter(pk=table_id).select_related("offered").first()
    if not tables or stand_in is None:
        return False
    for table in tables.values():
        table_shut(table)
    if stand_in.offered is not None:
        publish_on_commit(person_channel(stand_in.offered.opener_id), {"type": "challenge"})
    return True
