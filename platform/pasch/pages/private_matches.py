"""The rule that keeps private matches out of the lists of rating changes."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Func, OuterRef, Q, QuerySet, UUIDField

from accounts.models import User
from games.models import PlayerMatch
from games.selectors import may_see_all
from ratings.models import RatingChange


class _MatchOf(Func):
    """The id of the match in a reference of the rating log; NULL for anything that is no match.

    A reference names a match, or one game of a session (`Match.game_reference`).
    """

    template = "substring(%(expressions)s FROM '^match:([0-9a-f-]{36})')::uuid"
    output_field = UUIDField()


def changes_seen(
    history: QuerySet[RatingChange], *, person_id: int, reader: User | AnonymousUser
) -> QuerySet[RatingChange]:
    """Those of a person's rating changes whose match this reader may see.

    The others are left out whole: a row without a date between two that have one would tell on
    which days it was played. Others see a match once it is counted (`games.services.figures`).
    """
    if reader.pk == person_id or may_see_all(reader):
        return history
    sides = PlayerMatch.objects.filter(player=person_id, match=OuterRef("played"))
    seen = sides.filter(Q(is_open=True) | Q(opponent=reader.pk))
    return history.annotate(played=_MatchOf("reference")).filter(Exists(seen))
