"""The house's own bots: one player for each strength, and the tables that wait for them.

That a bot owes an answer is a row, written with the events. The task that is sent after the commit
is only quicker: the sweep finds the row if the task is lost.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from celery import current_app
from django.contrib.auth import get_user_model
from django.db import transaction
from kombu.exceptions import OperationalError

from accounts.models import User
from backgammon.bots.strength import STRENGTHS, level_of
from games.bots.player import owes_answer
from games.models import BotTurn, HouseBot, Table
from games.modes.registry import mode_of
from games.table import commands as cmd
from games.table.errors import TableError
from games.table.state import TableState

logger = logging.getLogger(__name__)

#: how long the sweep leaves a table to the task that was sent for it.
GRACE: Final = timedelta(seconds=2)

#: a task that no worker has taken by then expires: the sweep has done its work.
EXPIRES_SECONDS: Final = 10

#: a player who practises alone plays both sides; this one only fills the other seat.
ALONE: Final = "alone"

#: against whom one may practise.
OPPONENTS: Final = (*STRENGTHS, ALONE)

ALONE_NAME: Final = "Pasch solo"

#: commands that a person gives for their own seat even when playing both sides
OWN_WORDS: Final = cmd.Leave | cmd.StandUp | cmd.Ready | cmd.Rematch | cmd.Claim


class HouseBotOnlyPractises(TableError):
    """The house bot never plays where credits or ratings are at stake."""

    code = "house_bot_only_practises"


class NoSuchStrength(TableError):
    """There is no house bot of this strength."""

    code = "no_such_strength"


def house_bot(strength: str) -> User:
    """The player who is the house bot of this strength, made on first use.

    With `ALONE` it is the one whose side the other player plays, too. Its name has a space in it,
    so it cannot be registered. Raises `NoSuchStrength`.
    """
    if strength not in OPPONENTS:
        raise NoSuchStrength(f"no house bot plays as {strength!r} ({', '.join(STRENGTHS)} do)")
    bot = HouseBot.objects.select_related("user").filter(strength=strength).first()
    if bot is None:
        with transaction.atomic():
            name = ALONE_NAME if strength == ALONE else level_of(strength).bot
            people = get_user_model().objects
            user, made = people.get_or_create(username=name, defaults={"is_bot": True})
            if made:
                user.set_unusable_password()
                user.save(update_fields=["password"])
            bot, _ = HouseBot.objects.get_or_create(strength=strength, defaults={"user": user})
    return bot.user


def bot_strengths(user_ids: Iterable[int]) -> dict[int, str]:
    """Which of these players are house bots, and how well they play."""
    found = HouseBot.objects.filter(user__in=list(user_ids))
    return dict(found.values_list("user_id", "strength"))


def bot_seats(state: TableState) -> dict[int, str]:
    """The seats of house bots at this table, and how well they play."""
    seated = [user_id for user_id in state.seats if user_id is not None]
    found = bot_strengths(seated)
    return {state.seats.index(user_id): found[user_id] for user_id in seated if user_id in found}


def bot_awaited(state: TableState) -> tuple[int, str] | None:
    """The seat and strength of the house bot that owes an answer; `ALONE` it decides nothing."""
    for seat, strength in bot_seats(state).items():
        plays = strength != ALONE or state.decider is None
        if plays and owes_answer(state, seat):
            return seat, strength
    return None


def hand(state: TableState, user_id: int, command: cmd.Command | None = None) -> int | None:
    """The seat whose commands this person gives: their own, or in practice alone the decider's.

    What is taken back is the last play, whichever side made it.
    """
    seat = state.seat_of(user_id)
    if seat is None or not mode_of(state.terms).is_practice or isinstance(command, OWN_WORDS):
        return seat
    if ALONE not in bot_seats(state).values():
        return seat
    if isinstance(command, cmd.TakeBack) and state.game and state.game.last_play:
        return state.game.last_play.seat
    return seat if state.decider is None else state.decider


def bot_turn_note(table: Table, state: TableState, now: datetime) -> None:
    """Write down whether the table waits for its house bot, and call it after the commit."""
    if bot_awaited(state) is None:
        BotTurn.objects.filter(table=table).delete()
        return
    BotTurn.objects.update_or_create(table=table, defaults={"due_at": now + GRACE})
    transaction.on_commit(partial(_call, str(table.pk)))


def _call(table_id: str) -> None:
    """Send for the bot. A broker that is down is logged, never an error: the sweep comes."""
    try:
        current_app.send_task("games.tasks.bot_move", [table_id], expires=EXPIRES_SECONDS)
    except (OperationalError, OSError) as error:
        logger.warning("could not send for the bot of table %s: %s", table_id, error)
