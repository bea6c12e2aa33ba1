"""The seats of a person who requests the deletion of their account.

Locks: the lock of the person who sits down, then challenges, then tables, each in the order of
their ids (docs/locking.md). So nobody sits down with this person at the same moment unseen.
"""

from django.db.models import Q

from accounts.models import User
from games.models import Match
from games.modes.registry import PRACTICE_KEYS
from games.services.challenges import challenges_end_of
from games.services.commit import Change
from games.services.seats import person_lock
from games.services.tables import tables_lock
from games.table import commands as cmd
from games.table.errors import TableError


class StillPlaying(TableError):
    """A match of this person is running."""

    code = "still_playing"


def seats_leave(user: User) -> None:
    """End what may still become a match, inside the caller's transaction.

    Open tables close, challenges of both sides end, and a wish for a rematch is withdrawn.
    Practice does not count. Raises `StillPlaying` and `Busy`; then the caller rolls back.
    """
    person_lock(user.pk)
    _running_check(user.pk)
    challenges_end_of(user.pk)
    opened, joined = Q(opener=user.pk, phase__in=("open", "over")), Q(guest=user.pk, phase="over")
    for table in tables_lock(opened | joined).values():
        change = Change.on(table)
        seat = change.state.seat_of(user.pk)
        if seat is not None and (table.phase == "open" or change.state.rematch[seat]):
            change.give(cmd.StandUp(), seat)
            change.store()
    # again: a match may have begun before its table was locked, or ended and opened another table
    _running_check(user.pk)


def is_playing(user_id: int) -> bool:
    """Whether a match of this person against another one is running."""
    plays = Q(player_0=user_id) | Q(player_1=user_id)
    return Match.objects.filter(plays, ended_at=None).exclude(mode__in=PRACTICE_KEYS).exists()


def _running_check(user_id: int) -> None:
    if is_playing(user_id):
        raise StillPlaying("a match of this person is running")
