"""The house bot as a stand-in: it plays with somebody who waits, until another person comes.

Whoever waits so keeps their open table. Quick pairing offers a person who comes to them, for a
while, and seats nobody without an answer (`games.services.lobby`).

Locks: the person first, then tables in the order of their ids.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.broadcast import person_channel, publish_on_commit
from games.models import StandIn, Table
from games.selectors import terms_offered
from games.services.guests import guest_begin_check
from games.services.practice import practice_seat
from games.services.seats import person_lock
from games.services.tables import table_shut, table_sit, tables_lock
from games.table.errors import TableError, TableFull
from kit.database import database_now_ms, moment

#: so long somebody at the house bot is asked, and the person who has come waits at most.
ANSWER_WITHIN: Final = timedelta(seconds=20)

CLOSE_BATCH: Final = 100

#: stand-ins whose waiting player may be asked: nobody who is still there has been offered to them.
FREE_TO_ASK: Final = Q(stand_in__isnull=False) & (
    Q(stand_in__offered__isnull=True) | ~Q(stand_in__offered__phase="open")
)


class OfferOver(TableError):
    """The other person has gone, plays already, or was offered too long ago."""

    code = "offer_over"
    sentence = _("The other player is no longer waiting. We go on looking for you.")


def stand_in_open(*, user: User, table_id: UUID, strength: str, **wishes: object) -> Table | None:
    """Let the house bot of this strength play with the player who waits at this open table.

    Answers the game, or one that runs there already; None if the player waits there no longer. The
    wishes are those of a practice game. It has no clock: its player may move to another table at
    any time. Raises what `practice_open` does.
    """
    running = StandIn.objects.filter(table=table_id, table__opener=user.pk, table__phase="open")
    found = running.exclude(game__phase__in=("over", "closed")).select_related("game").first()
    if found is not None:
        return found.game
    terms = terms_offered(mode="practice", clock="none", **wishes)
    guest_begin_check(user)
    with transaction.atomic(durable=True):
        if not tables_lock(Q(pk=table_id, opener=user.pk, phase="open", stake_cents=0)):
            return None
        _offer_withdraw(table_id)
        game = practice_seat(user, strength, terms)
        StandIn.objects.update_or_create(table_id=table_id, defaults={"game": game})
        return game


def _offer_withdraw(table_id: UUID) -> None:
    """Offer the person at this open table to nobody any more: they play the house bot now."""
    asked = StandIn.objects.filter(offered=table_id, answer_by__gt=moment(database_now_ms()))
    asked.update(offered=None, answer_by=None)


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


def offer_make(stand_in_table: Table, table: Table) -> bool:
    """Offer the person who waits at `table` to the one who plays the house bot meanwhile.

    Inside the transaction of a pairing, whose lock keeps other offers away.
    """
    waiting = StandIn.objects.filter(pk=stand_in_table.pk, table__phase="open")
    answer_by = moment(database_now_ms()) + ANSWER_WITHIN
    if not waiting.update(offered=table, answer_by=answer_by):
        return False
    publish_on_commit(person_channel(stand_in_table.opener_id), {"type": "challenge"})
    return True


def offer_accept(*, user: User, table_id: UUID) -> Table:
    """Seat a player with the person who was offered to them; answered twice, the same table.

    The game with the house bot stays as it is. Raises `OfferOver`, and what `table_sit` does.
    """
    with transaction.atomic(durable=True):
        person_lock(user.pk)
        seated = Table.objects.filter(pk=table_id, guest=user.pk).first()
        if seated is not None:
            return seated
        stand_in = stand_in_of(user.pk)
        if stand_in is None or stand_in.offered_id != table_id or not offer_seconds(stand_in):
            raise OfferOver("nobody at this table is offered")
        try:
            return table_sit(user.pk, table_id)
        except TableFull as error:
            raise OfferOver("the other person waits no longer") from error


def search_end(user_id: int) -> bool:
    """Let a player stay with the house bot: they wait for nobody any more. False if they did not.

    A person who was offered to them learns it at once.
    """
    with transaction.atomic(durable=True):
        waiting = StandIn.objects.filter(table__opener=user_id, table__phase="open")
        return _end(waiting)


def searches_end_due() -> int:
    """End the search of everybody who has not answered in time; return how many there were."""
    ended = 0
    for table_id in _unanswered().values_list("pk", flat=True)[:CLOSE_BATCH]:
        with transaction.atomic(durable=True):
            ended += _end(_unanswered().filter(pk=table_id))
    StandIn.objects.exclude(table__phase="open").delete()
    return ended


def _unanswered() -> QuerySet[StandIn]:
    """The stand-ins whose players were asked in vain; one who has gone meanwhile asks nobody."""
    now = moment(database_now_ms())
    return StandIn.objects.filter(
        answer_by__lte=now, table__phase="open", offered__phase="open"
    ).order_by("answer_by")


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
        publish_on_commit(person_channel(stand_in.offered.opener_id), {"type": "running"})
    return True
