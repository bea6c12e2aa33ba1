"""Clearance: when a gain can be paid out. One rule for matches, sessions, chouettes and events.

A gain is clear within seconds if nothing speaks against those who gave it, and if what came from
people whom the house does not know stays small: for the player over a day, and between the same
people over a week. Otherwise it waits until the matches behind it are analysed, or for `LONGEST`.
What is held for a case is held by itself and keeps nothing else waiting.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from fairplay.facts import LOOKS_BACK, results_of, share_of
from fairplay.models import Case, CaseKind, PartyRole, Wait
from games.kinds import gains_of
from games.services.gains import BookedResult, Passage
from kit.sweeps import go_round, stuck_items

#: so much a player gains of people whom the house does not know, and need not wait.
SMALL_CENTS: Final = 2_000
LONGEST: Final = timedelta(hours=72)
DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
AT_ONCE: Final = 100

#: people are known after so many days and results, most of them without this winner.
KNOWN_DAYS: Final = 14
KNOWN_RESULTS: Final = 10
KNOWN_SHARE: Final = 0.5


def gains_settle(result: BookedResult, watched: Sequence[Passage], *, analysed: bool) -> None:
    """Clear what may be paid out of a screened result, and let the rest wait."""
    for user_id, cents in result.gains_cents.items():
        if settings.FAIRPLAY_ACTS and _waits(result, user_id, cents, watched, analysed=analysed):
            until = result.ended_at + LONGEST
            Wait.objects.get_or_create(
                reference=result.reference, user_id=user_id, defaults={"until": until}
            )
        else:
            _clear(result.reference, user_id)
    _tell(result.reference)


def _waits(
    result: BookedResult, user_id: int, cents: int, watched: Sequence[Passage], *, analysed: bool
) -> bool:
    suspicious = [each for each in watched if each.taker_id == user_id]
    if 2 * result.taken_cents(suspicious) > cents:
        return True
    if cents > SMALL_CENTS and _under_alarm(user_id):
        return True
    return not analysed and not gain_is_small(result, user_id)


def _under_alarm(user_id: int) -> bool:
    """Whether a machine has found a player's play suspicious and nobody has decided yet."""
    found = Case.objects.filter(
        kind=CaseKind.ENGINE, closed_at=None, parties__user=user_id, parties__role=PartyRole.ACCUSED
    )
    return found.filter(evidence__0__key="play_pr").exists()


def gain_is_small(result: BookedResult, user_id: int) -> bool:
    """Whether people whom the house does not know gave a player little, this result included."""
    week = results_of(user_id, result.ended_at - WEEK, result.ended_at)
    day = [each for each in week if each.ended_at > result.ended_at - DAY]
    if (
        _flow(week, user_id, _givers([result], user_id))
        <= SMALL_CENTS
        >= _flow(day, user_id, _givers(day, user_id))
    ):
        return True  # also if nobody is known
    strangers = {
        giver for giver in _givers([*day, result], user_id) if not is_known(giver, user_id, result)
    }
    return (
        _flow(day, user_id, strangers) <= SMALL_CENTS
        and _flow(week, user_id, strangers & _givers([result], user_id)) <= SMALL_CENTS
    )


def _givers(results: Sequence[BookedResult], user_id: int) -> set[int]:
    """Those from whom a player gained something by these results."""
    return {
        each.giver_id for result in results for each in result.passages if each.taker_id == user_id
    }


def _flow(results: Sequence[BookedResult], user_id: int, givers: Collection[int]) -> int:
    """The credits that these people gave a player by these results, less what went back."""
    cents = 0
    for result in results:
        here = [each for each in result.passages if each.giver_id in givers]
        cents += result.taken_cents([each for each in here if each.taker_id == user_id])
        back = [each for each in result.passages if each.giver_id == user_id]
        cents -= sum(each.cents for each in back if each.taker_id in givers)
    return cents


def is_known(giver_id: int, taker_id: int, result: BookedResult) -> bool:
    """Whether an account is old enough and plays enough without this winner to be trusted."""
    joined = User.objects.values_list("date_joined", flat=True).get(pk=giver_id)
    if result.ended_at - joined < timedelta(days=KNOWN_DAYS):
        return False
    played = results_of(giver_id, result.ended_at - LOOKS_BACK, result.ended_at)
    return len(played) >= KNOWN_RESULTS and share_of(played, giver_id, taker_id) < KNOWN_SHARE


def waits_end() -> int:
    """Clear the gains that have waited for the longest time; return how many."""
    found = waits_over().exclude(pk__in=stuck_items("waits")).order_by("until", "pk")
    return go_round("waits", found[:AT_ONCE], _wait_end)


def waits_over() -> QuerySet[Wait]:
    """The gains that have waited for the longest time."""
    return Wait.objects.filter(over_at=None, until__lte=timezone.now())


def _wait_end(wait: Wait) -> bool:
    _clear(wait.reference, wait.user_id)
    _tell(wait.reference)
    return True


def _clear(reference: str, user_id: int) -> None:
    settlement.gains_clear(reference, [user_id])
    Wait.objects.filter(reference=reference, user=user_id, over_at=None).update(
        over_at=timezone.now()
    )


def _tell(reference: str) -> None:
    """Tell the result's kind once nothing of it waits any more."""
    if not Wait.objects.filter(reference=reference, over_at=None).exists():
        key, _, row_key = reference.partition(":")
        gains_of(key).told(row_key)
