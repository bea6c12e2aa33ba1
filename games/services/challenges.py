"""Challenges between two players: made, then accepted, declined, withdrawn or expired, once.

Locks: challenges in the order of their ids, then tables in the order of theirs, then the books.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Final
from uuid import UUID, uuid4

import msgspec
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games import settlement
from games.broadcast import person_channel, publish_on_commit
from games.models import Challenge, ChallengeState, Match, Table
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.offered import terms_open
from games.selectors import mutes_of
from games.services.bars import opener_check
from games.services.commit import locking
from games.services.people import account_check, apart_check
from games.services.seats import person_lock, seat_check, table_create
from games.services.tables import stakes_told, table_shut, tables_lock
from games.settlement import StakeNotPossible
from games.table import commands as cmd
from games.table.errors import BadTerms, Later, TableError
from kit.database import database_now_ms, moment

EXPIRES_AFTER: Final = timedelta(minutes=5)
DECLINED_FOR: Final = timedelta(minutes=5)
EXPIRE_BATCH: Final = 100

#: how many one person makes within a minute, and to the same player within an hour; withdrawn ones
#: count. Only one waits for its answer at a time.
A_MINUTE_MAX: Final = 3
SAME_PERSON_MAX: Final = 5
MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)


class ChallengeError(TableError):
    """A challenge that cannot be made or answered."""

    code = "challenge_refused"


class NobodyThere(ChallengeError):
    """There is no player with this name who can be challenged."""

    code = "nobody_there"
    sentence = _("This player cannot be challenged.")


class OneChallenge(ChallengeError):
    """A player waits for one answer at a time."""

    code = "one_challenge"
    sentence = _("You are still waiting for the answer to another challenge.")


class DeclinedLately(ChallengeError):
    """The other player has declined a moment ago and is left in peace for a while."""

    code = "declined_lately"
    sentence = _("This player has just declined. Ask again in a few minutes.")


class ChallengesTooMany(Later):
    """One person has made as many challenges as one may within a minute."""

    code = "challenges_too_many"
    sentence = _(
        "You have made several challenges within a minute. The next one is possible at {until}."
    )


class AskedTooOften(Later):
    """One person has challenged this player as often as allowed within an hour."""

    code = "asked_too_often"
    sentence = _("You have asked this player several times. You may ask again at {until}.")


_OVER: Final[Mapping[str, str]] = {
    "accepted": _("This challenge has been accepted already."),
    "declined": _("The challenge was declined."),
    "withdrawn": _("The challenge was withdrawn."),
    "expired": _("The challenge has expired."),
}


class ChallengeOver(ChallengeError):
    """The challenge was answered or withdrawn, or has expired; `fields["state"]` is its state."""

    code = "challenge_over"

    def said(self, *, staff: bool = False) -> str:
        """The sentence for this state."""
        return _OVER.get(str(self.fields.get("state"))) or super().said(staff=staff)


class ChallengerBusy(ChallengeError):
    """The challenger has begun another match meanwhile."""

    code = "challenger_busy"
    sentence = _("The challenger has begun another match meanwhile.")


def challenge_make(*, user: User, opponent_id: int, **wishes: object) -> Challenge:
    """Challenge a player to a table on these terms (`games.modes.terms.Wishes`).

    Nothing is reserved. Raises `NobodyThere`, `SamePerson`, `BadTerms`, `StakeNotPossible`,
    `OneChallenge`, `DeclinedLately`, `ChallengesTooMany`, `AskedTooOften`, and what
    `account_check` and `seat_check` do.
    """
    terms = terms_open(**wishes)
    if mode_of(terms).is_practice:
        raise BadTerms("nobody is challenged to practise")
    account_check(user.pk, terms)
    seat_check(user.pk)
    opponent = get_user_model().objects.filter(pk=opponent_id, is_active=True).first()
    if opponent is None or opponent.is_bot or opponent.is_guest or opponent.pk == user.pk:
        raise NobodyThere("nobody of that name can be challenged")
    apart_check(user.pk, opponent.pk, terms)
    if settlement.balance_cents(user.pk) < terms.stake_cents:
        raise StakeNotPossible("your credits do not suffice for this stake", who="you")
    try:
        with transaction.atomic(durable=True):
            return _make(user.pk, opponent.pk, terms)
    except IntegrityError as error:
        raise OneChallenge("you wait for the answer to another challenge") from error


def _make(user_id: int, opponent_id: int, terms: Terms) -> Challenge:
    person_lock(user_id)  # challenges one person makes at the same moment are counted together
    now = moment(database_now_ms())
    pair = Challenge.objects.filter(challenger=user_id, challenged=opponent_id)
    lately = pair.filter(state=ChallengeState.DECLINED, answered_at__gt=now - DECLINED_FOR)
    if lately.exists():
        raise DeclinedLately("this player has declined a moment ago")
    made = Challenge.objects.filter(challenger=user_id)
    _count(made, A_MINUTE_MAX, MINUTE, now, ChallengesTooMany)
    _count(pair, SAME_PERSON_MAX, HOUR, now, AskedTooOften)
    # one that ran out and was not swept yet must not stand in the way
    ran_out = _locked(Q(challenger=user_id, state=ChallengeState.WAITING, expires_at__lte=now))
    for challenge in ran_out.values():
        _end(challenge, ChallengeState.EXPIRED)
    challenge = Challenge.objects.create(
        challenger_id=user_id,
        challenged_id=opponent_id,
        terms=msgspec.to_builtins(terms),
        made_at=now,
        expires_at=now + EXPIRES_AFTER,
    )
    _tell(challenge)
    return challenge


def _count(
    made: QuerySet[Challenge], most: int, within: timedelta, now: datetime, refusal: type[Later]
) -> None:
    """Raise the refusal if so many of these challenges were made within this time."""
    times = made.filter(made_at__gt=now - within).order_by("-made_at")
    counted = list(times.values_list("made_at", flat=True)[:most])
    if len(counted) == most:
        until = counted[-1] + within
        raise refusal(
            f"you have made {most} challenges lately; ask after {until:%Y-%m-%dT%H:%M:%SZ}",
            until_ms=ceil(until.timestamp() * 1000),
        )


def challenge_accept(*, user: User, challenge_id: UUID) -> Table:
    """Seat both players and begin the match, or do nothing; a second call returns the same table.

    Tables at which one of the two waits are closed, and a challenge of one's own is withdrawn.
    Raises `NobodyThere` (not this player's to answer), `ChallengeOver`, `ChallengerBusy`,
    `StakeNotPossible` (fields["who"]: "you" or "opponent"), and what `seat_check`,
    `account_check`, `opener_check` and `apart_check` do.
    """
    with stakes_told(user.pk), transaction.atomic(durable=True):
        person_lock(user.pk)
        rows = _locked(Q(pk=challenge_id) | Q(challenger=user.pk, state=ChallengeState.WAITING))
        challenge = _of(rows.pop(challenge_id, None), user.pk, "challenged_id")
        if challenge.state == ChallengeState.ACCEPTED:
            assert challenge.table is not None
            return challenge.table
        _waiting_check(challenge)
        seat_check(user.pk)
        if _plays_since(challenge):
            raise ChallengerBusy("the challenger has begun another match")
        terms = msgspec.convert(challenge.terms, Terms)
        account_check(user.pk, terms)
        opener_check(challenge.challenger_id, terms)
        apart_check(user.pk, challenge.challenger_id, terms)
        for own in rows.values():
            _end(own, ChallengeState.WITHDRAWN)
        return _seat_both(challenge)


def _seat_both(challenge: Challenge) -> Table:
    players = (challenge.challenger_id, challenge.challenged_id)
    for waiting in tables_lock(Q(opener__in=players, phase="open")).values():
        table_shut(waiting)
    terms = msgspec.convert(challenge.terms, Terms)
    change = table_create(challenge.challenger_id, terms)
    change.give(cmd.Sit(player=challenge.challenged_id, match=str(uuid4())))
    challenge.table = change.table
    _end(challenge, ChallengeState.ACCEPTED)
    change.store()
    return change.table


def _plays_since(challenge: Challenge) -> bool:
    player = challenge.challenger_id
    begun = Match.objects.filter(started_at__gte=challenge.made_at, ended_at__isnull=True)
    return begun.filter(Q(player_0=player) | Q(player_1=player)).exists()


def challenge_decline(*, user: User, challenge_id: UUID) -> None:
    """Decline a challenge. Raises `NobodyThere`, `ChallengeOver`."""
    _answer(user.pk, challenge_id, "challenged_id", ChallengeState.DECLINED)


def challenge_withdraw(*, user: User, challenge_id: UUID) -> None:
    """Take one's own challenge back. Raises `NobodyThere`, `ChallengeOver`."""
    _answer(user.pk, challenge_id, "challenger_id", ChallengeState.WITHDRAWN)


def _answer(user_id: int, challenge_id: UUID, role: str, state: ChallengeState) -> None:
    with transaction.atomic(durable=True):
        rows = _locked(Q(pk=challenge_id))
        challenge = _of(rows.get(challenge_id), user_id, role)
        if challenge.state != state:
            _waiting_check(challenge)
            _end(challenge, state)


def challenges_end_of(user_id: int) -> None:
    """End every challenge of a person who goes, of both sides, in the caller's transaction."""
    sides = Q(challenger=user_id) | Q(challenged=user_id)
    for challenge in _locked(sides & Q(state=ChallengeState.WAITING)).values():
        own = challenge.challenger_id == user_id
        _end(challenge, ChallengeState.WITHDRAWN if own else ChallengeState.DECLINED)


def challenges_expire_due() -> int:
    """End every expired challenge; return their number. Safe at any time."""
    with transaction.atomic(durable=True):
        rows = challenges_due().select_for_update(no_key=True, skip_locked=True).order_by("pk")
        ended = list(rows[:EXPIRE_BATCH])
        for challenge in ended:
            _end(challenge, ChallengeState.EXPIRED)
    return len(ended)


def challenges_due() -> QuerySet[Challenge]:
    """The challenges that wait for an answer longer than they may."""
    now = moment(database_now_ms())
    return Challenge.objects.filter(state=ChallengeState.WAITING, expires_at__lte=now)


def _locked(which: Q) -> dict[UUID, Challenge]:
    with locking("challenge"):
        rows = Challenge.objects.select_for_update(no_key=True).filter(which).order_by("pk")
        return {challenge.pk: challenge for challenge in rows}


def _of(challenge: Challenge | None, user_id: int, role: str) -> Challenge:
    """The challenge, if this player has this part in it; otherwise it is as if there were none."""
    if challenge is None or getattr(challenge, role) != user_id:
        raise NobodyThere("there is no such challenge")
    return challenge


def _waiting_check(challenge: Challenge) -> None:
    state = challenge.state
    if state == ChallengeState.WAITING and challenge.expires_at <= moment(database_now_ms()):
        state = ChallengeState.EXPIRED
    if state != ChallengeState.WAITING:
        raise ChallengeOver(f"the challenge is {state}", state=str(state))


def _end(challenge: Challenge, state: ChallengeState) -> None:
    challenge.state = state
    challenge.answered_at = moment(database_now_ms())
    challenge.save(update_fields=["state", "table", "answered_at"])
    _tell(challenge)


def _tell(challenge: Challenge) -> None:
    """Refresh both players' pages; a player who muted the challenger gets no notification."""
    one, other = challenge.challenger_id, challenge.challenged_id
    muted = mutes_of(other).filter(muted=one).exists()
    for player in (one,) if muted else (one, other):
        publish_on_commit(person_channel(player), {"type": "challenge"})
