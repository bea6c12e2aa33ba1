"""Two people at the same instant over two real connections: one outcome, the same for both.

TABLE_RACES=1000 is the long run of each race; the usual number is for every day.
"""

import json
import logging
import os
from collections import Counter
from functools import partial
from threading import Barrier, Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connections

from accounts.models import User
from backgammon.tests.amounts import amount
from games.broadcast import channel_key, table_channel
from games.models import Match, Table
from games.selectors import resume_frame, table_state
from games.services.challenges import (
    ChallengeOver,
    challenge_accept,
    challenge_make,
    challenge_withdraw,
)
from games.services.tables import (
    NoSuchTable,
    Stale,
    table_close,
    table_command,
    table_join,
    table_open,
    table_wake,
)
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import MatchOver, TableFull, WrongPhase
from games.table.machine import decide, due_ms
from games.table.state import RUNNING_PHASES
from games.table.turn import legal_plays
from games.wire import encode
from harness.rig import opener_begins
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS
from ledger.audit import run
from ledger.selectors import escrow_balance, wallet_balance
from ledger.services.books import credits_issue
from tests.aging import challenges_forget, stand_ups_forget

pytestmark = pytest.mark.django_db(transaction=True)

logger = logging.getLogger(__name__)

RACES = int(os.environ.get("TABLE_RACES", amount(4, long=20)))


class Ears:
    """Two listeners that receive the published messages of a table, as its two players do."""

    def __init__(self, table_id: UUID) -> None:
        self.client = redis.Redis.from_url(django_settings.REDIS_URL)
        self.subscriptions = [self.client.pubsub() for _ in range(2)]
        for subscription in self.subscriptions:
            subscription.subscribe(channel_key(table_channel(table_id)))
            assert subscription.get_message(timeout=WAIT_SECONDS)["type"] == "subscribe"

    def updates(self, until: str) -> list[list[dict[str, Any]]]:
        """For both listeners, the updates up to the one with an event of this type."""
        return [self._listen(subscription, until) for subscription in self.subscriptions]

    def _listen(self, subscription: Any, until: str) -> list[dict[str, Any]]:
        heard: list[dict[str, Any]] = []
        while not heard or until not in [event["type"] for event in heard[-1]["events"]]:
            message = subscription.get_message(timeout=WAIT_SECONDS)
            assert message is not None, f"nobody said {until}"
            heard.append(json.loads(message["data"]))
        return heard

    def close(self) -> None:
        for subscription in self.subscriptions:
            subscription.close()
        self.client.close()


@pytest.fixture
def rich(magriel: User, hilde: User, tilo: User) -> tuple[User, User, User]:
    """Three people who can lose a thousand matches."""
    for user in (magriel, hilde, tilo):
        credits_issue(user=user, amount_cents=2_000_000, key=f"rich:{user.pk}", memo="to lose")
    return magriel, hilde, tilo


def sit(players: tuple[User, User], **wishes: object) -> Sitting:
    table = table_open(user=players[0], **opener_begins(wishes))
    table_join(user=players[1], table_id=table.pk)
    return Sitting(table, players)


def kinds(results: tuple[Any, Any]) -> tuple[bool, bool]:
    """The calls that succeeded. Unexpected errors are raised."""
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, EXPECTED):
            raise result
    return not isinstance(results[0], Exception), not isinstance(results[1], Exception)


EXPECTED = (MatchOver, Stale, TableFull, WrongPhase, ChallengeOver, NoSuchTable)


def check_told_alike(ears: Ears, table_id: UUID, ending: str, winner: int | None) -> None:
    """Both received the same single end of the match, and a fresh fetch has it as well."""
    one, other = ears.updates("match_settled")
    assert one == other
    ended = [e for update in one for e in update["events"] if e["type"] == "match_ended"]
    assert [(e["ending"], e["winner"]) for e in ended] == [(ending, winner)]
    table = Table.objects.get(pk=table_id)
    fresh = json.loads(encode(resume_frame(table, 0, one[-1]["now_ms"])))
    assert fresh["view"] == one[-1]["view"]
    result = fresh["view"]["result"]["match"]
    assert (result["winner"], result["ending"]) == (winner, ending)


def check_books() -> None:
    """The audit of books, matches and ratings finds nothing.

    M5 compares times, which `stand_ups_forget` moves.
    """
    assert [each for each in run().results if each.findings and each.code != "M5"] == []


def settled(table_id: UUID) -> Match:
    match = Match.objects.get(table_id=table_id)
    assert escrow_balance(match.reference) == 0
    assert sum(match.paid_cents) + match.rake_cents == 2 * match.stake_cents
    return match


def test_of_two_who_leave_at_once_one_loses(race, rich, dice):
    dice((3, 1), (4, 2))
    losers = Counter()
    for _ in range(RACES):
        sitting = sit(rich[:2], mode="prize5", stake_cents=250)
        sitting.turn()
        ears = Ears(sitting.pk)
        before = sitting.balances()
        left = kinds(race(*(partial(sitting.give, seat, cmd.Leave()) for seat in (0, 1))))
        assert sorted(left) == [False, True]
        loser = left.index(True)
        check_told_alike(ears, sitting.pk, "left", 1 - loser)
        assert settled(sitting.pk).winner_seat == 1 - loser
        gained = [now - was for now, was in zip(sitting.balances(), before, strict=True)]
        assert gained[loser] == 0
        assert gained[1 - loser] == 450
        losers[loser] += 1
        ears.close()
    check_books()
    logger.info("two leaves at once: lost by %s", dict(losers))


@pytest.mark.slow
@pytest.mark.parametrize("leaver", ["himself", "opponent"])
def test_the_last_move_and_a_leave_end_a_match_once(race, rich, dice, leaver):
    dice((6, 6), (5, 5))
    endings = Counter()
    for _ in range(RACES):
        sitting = sit(
            rich[:2], mode="stake", stake_cents=100, variant="hypergammon", has_cube=False
        )
        mover, last = before_the_last_move(sitting)
        seat = mover if leaver == "himself" else 1 - mover
        ears = Ears(sitting.pk)
        played, left = kinds(
            race(partial(sitting.give, mover, last), partial(sitting.give, seat, cmd.Leave()))
        )
        assert played is not left
        winner = mover if played else 1 - seat
        check_told_alike(ears, sitting.pk, "borne_off" if played else "left", winner)
        assert settled(sitting.pk).winner_seat == winner
        endings["borne_off" if played else "left"] += 1
        ears.close()
    check_books()
    logger.info("last move against leave (%s): %s", leaver, dict(endings))


def before_the_last_move(sitting: Sitting) -> tuple[int, cmd.Play]:
    """Play until some seat's first legal play ends the match; return that seat and play."""
    for _ in range(200):
        state = sitting.state
        if state.phase == "roll":
            sitting.give(state.game.on_roll, cmd.Roll())
            continue
        game = state.game
        moves = next(iter(legal_plays(state, game, game.dice)))
        play = cmd.Play(moves=tuple((m.source, m.target, m.die) for m in moves))
        events = decide(state, play, state.clock.since_ms, game.on_roll)
        if any(isinstance(event, ev.MatchEnded) for event in events):
            return game.on_roll, play
        sitting.give(game.on_roll, play)
    raise AssertionError("the game does not end")


def test_of_two_who_join_at_once_one_sits(race, rich):
    opener, *guests = rich
    seated = Counter()
    for _ in range(RACES):
        table = table_open(user=opener, mode="prize5", stake_cents=250)
        before = [wallet_balance(user.pk) for user in rich]
        joins = (partial(table_join, user=user, table_id=table.pk) for user in guests)
        joined = kinds(race(*joins))
        assert sorted(joined) == [False, True]
        guest = joined.index(True)
        table.refresh_from_db()
        assert table.guest_id == guests[guest].pk
        paid = [was - wallet_balance(user.pk) for was, user in zip(before, rich, strict=True)]
        assert paid == [250, 250 * (guest == 0), 250 * (guest == 1)]
        assert Match.objects.filter(table=table).count() == 1
        seated[guests[guest].username] += 1
        Sitting(table, (opener, guests[guest])).give(0, cmd.StandUp())
        stand_ups_forget()
    check_books()
    logger.info("two joins of one seat: %s", dict(seated))


def test_joining_against_closing_has_one_outcome(race, rich):
    opener, guest, _ = rich
    outcomes = Counter()
    for _ in range(RACES):
        table = table_open(user=opener, mode="prize5", stake_cents=250)
        before = wallet_balance(guest.pk), wallet_balance(opener.pk)
        joined, closed = kinds(
            race(
                partial(table_join, user=guest, table_id=table.pk),
                partial(table_close, user=opener, table_id=table.pk),
            )
        )
        assert joined is not closed
        table.refresh_from_db()
        assert table.phase in (RUNNING_PHASES if joined else {"closed"})
        stake = 250 * joined
        after = wallet_balance(guest.pk), wallet_balance(opener.pk)
        assert after == (before[0] - stake, before[1] - stake)
        outcomes["joined" if joined else "closed"] += 1
        if joined:
            Sitting(table, (opener, guest)).give(0, cmd.StandUp())
        stand_ups_forget()
    logger.info("join against close: %s", dict(outcomes))


def test_accepting_against_withdrawing_a_challenge_has_one_outcome(race, rich):
    challenger, challenged, _ = rich
    outcomes = Counter()
    for _ in range(RACES):
        challenge = challenge_make(
            user=challenger, opponent_id=challenged.pk, mode="prize5", stake_cents=250
        )
        before = wallet_balance(challenger.pk), wallet_balance(challenged.pk)
        results = race(
            partial(challenge_accept, user=challenged, challenge_id=challenge.pk),
            partial(challenge_withdraw, user=challenger, challenge_id=challenge.pk),
        )
        accepted, withdrawn = kinds(results)
        assert accepted is not withdrawn
        challenge.refresh_from_db()
        assert str(challenge.state) == ("accepted" if accepted else "withdrawn")
        assert (challenge.table_id is not None) is accepted
        stake = 250 * accepted
        after = wallet_balance(challenger.pk), wallet_balance(challenged.pk)
        assert after == (before[0] - stake, before[1] - stake)
        outcomes[str(challenge.state)] += 1
        if accepted:
            Sitting(results[0], (challenger, challenged)).give(0, cmd.StandUp())
        stand_ups_forget()
        challenges_forget()
    check_books()
    logger.info("accept against withdraw: %s", dict(outcomes))


def test_two_who_join_each_other_meet_at_one_table(race, rich):
    one, other, _ = rich
    for _ in range(RACES):
        tables = [table_open(user=user, mode="prize5", stake_cents=250).pk for user in (one, other)]
        results = kinds(
            race(
                partial(table_join, user=one, table_id=tables[1]),
                partial(table_join, user=other, table_id=tables[0]),
            )
        )
        assert sorted(results) == [False, True]
        phases = [Table.objects.get(pk=pk).phase for pk in tables]
        assert sorted(phases) == ["closed", "roll"]
        running = Table.objects.get(pk=tables[phases.index("roll")])
        players = (one, other) if running.opener_id == one.pk else (other, one)
        Sitting(running, players).give(0, cmd.StandUp())
        stand_ups_forget()


def test_the_same_command_sent_twice_at_once_is_carried_out_once(race, rich, dice):
    dice((3, 1))
    for _ in range(RACES):
        sitting = sit(rich[:2], mode="prize5", stake_cents=250)
        seen = sitting.table.seq
        roll = partial(
            table_command,
            table_id=sitting.pk,
            user_id=rich[0].pk,
            command_id=str(uuid4()),
            seen_seq=seen,
            command=cmd.Roll(),
        )
        one, other = race(roll, roll)
        assert one == other
        assert table_state(sitting.table).seq == one.seq == seen + 1
        sitting.give(0, cmd.Leave())


def test_a_crowd_wakes_a_table_once(rich, dice):
    """Eight sweeps at once find the same deadline; one of them acts."""
    dice((3, 1), (4, 2))
    sitting = sit(rich[:2], mode="prize5", stake_cents=250)
    sitting.turn()
    due, barrier, woken = due_ms(sitting.state), Barrier(8), []

    def wake() -> None:
        barrier.wait(timeout=WAIT_SECONDS)
        woken.append(table_wake(sitting.pk, now_ms=due))
        connections.close_all()

    threads = [Thread(target=wake) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(woken) == 1
    assert settled(sitting.pk).ending == "time_over"
