"""Cases that a moderator opens by hand: a suspicion in words, about one player or two."""

from collections.abc import Collection
from typing import Final

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from fairplay.cases import Alarm, case_open
from fairplay.errors import NoReviewer, TextMissing
from fairplay.facts import LOOKS_BACK
from fairplay.models import Case, CaseKind
from games.models import Match

PERMISSION: Final = "fairplay.decide_case"
WORDS_MOST: Final = 500


def case_open_by_hand(*, people: Collection[User], kind: CaseKind, words: str, actor: User) -> Case:
    """Open a case about these people; nothing is held, and the moderator does not judge it.

    About two players it has their staked matches of 30 days. Raises `NoReviewer` without the right,
    for the moderator's own account and for people who are not independent of them, and
    `TextMissing`.
    """
    ids = frozenset(person.pk for person in people)
    if not actor.has_perm(PERMISSION) or actor.pk in ids:
        raise NoReviewer(f"{actor.get_username()} cannot open this case")
    settlement.people_are_two(ids, actor)
    words = words.strip()
    if not words or len(words) > WORDS_MOST:
        raise TextMissing(f"a case needs 1 to {WORDS_MOST} characters of reason")
    alarm = Alarm(
        kind=kind,
        accused=ids,
        evidence=[{"key": "opened", "words": words}],
        matches=_between(ids),
    )
    return case_open(alarm, opened_by=actor)


def _between(ids: Collection[int]) -> list[Match]:
    if len(ids) != 2:
        return []
    found = Match.objects.filter(
        Q(player_0__in=ids, player_1__in=ids),
        stake_cents__gt=0,
        ended_at__gt=timezone.now() - LOOKS_BACK,
    ).exclude(ending="voided")
    return list(found.order_by("ended_at", "pk"))
