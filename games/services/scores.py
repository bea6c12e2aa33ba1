"""Scores of tables that somebody else arranged: the end of a game is reported to them."""

from collections.abc import Callable, Iterable
from functools import partial
from uuid import UUID

from django.db import transaction

from games.models import Table
from games.table import events as ev

Tell = Callable[[UUID], None]

_tells: list[Tell] = []


def scores_follow(tell: Tell) -> None:
    """Call `tell` with the id of an arranged table after the commit of each end of a game there.

    Nothing may depend on it: an error in it is logged, and the game has ended all the same.
    """
    _tells.append(tell)


def score_tell_on_commit(table: Table, events: Iterable[ev.Event]) -> None:
    """Report the end of a game, if it is among the events and the table was arranged."""
    if table.arranged and any(isinstance(each, ev.GameEnded | ev.MatchEnded) for each in events):
        for tell in _tells:
            transaction.on_commit(partial(tell, table.pk), robust=True)
