"""Random tables through the services and PostgreSQL: what was shown is what is booked.

Two players open, join and play tables of every mode, and end them by every ending. The stakes of
the view before an ending, and the figures before sitting down, are compared with what the
settlement moves between the wallets, the escrow and the house.
"""

from collections import Counter
from random import Random
from typing import ClassVar, Final
from uuid import uuid4

from django.db.models import Sum

from accounts.models import User
from games.models import Table, TableEvent
from games.modes.registry import OPENED
from games.selectors import table_state
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from games.table import events as ev
from games.table.machine import dice_count
from games.table.rights import actions
from games.table.state import TableState
from games.table.turn import resignable_levels
from games.wire import event_from_payload
from harness.dice import GivenDice
from harness.simulator.at_stake import StakesShown
from harness.simulator.oracle import require
from harness.simulator.probe import SIMPLE, a_play
from harness.simulator.wishes import random_wishes
from harness.wallets import credits_bought
from ledger.models import Entry
from ledger.selectors import wallet_balance

PAID_IN_CENTS: Final = 2_000_000_000
STEPS_MAX: Final = 120
MODES: Final = tuple(mode.key for mode in OPENED)


class RandomDice(GivenDice):
    """Dice of the run's own random numbers."""

    random: ClassVar[Random] = Random(0)

    def draw(self, state: TableState) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 6) for _ in range(dice_count(state)))


def players() -> tuple[User, User]:
    """Two people with credits enough for every table."""
    one, two = (User.objects.create_user(f"{name}-{uuid4().hex[:8]}") for name in ("ida", "tilo"))
    for user in (one, two):
        credits_bought(user, PAID_IN_CENTS)
    return one, two


def booked_table(seed: int, number: int, people: tuple[User, User]) -> Counter[str]:
    """Play table `number` of this seed and compare. Raises `Broken`; returns what happened."""
    random = Random(f"booked:{seed}:{number}")
    RandomDice.random = random
    return _Evening(random, people).play()


class _Evening:
    def __init__(self, random: Random, people: tuple[User, User]) -> None:
        self.random, self.people = random, people
        self.leave = random.choice((0.01, 0.05, 0.2))
        self.shown, self.seen = StakesShown(), Counter[str]()
        self.held = self._books()

    def play(self) -> Counter[str]:
        wishes = random_wishes(self.random, MODES)
        fields = {name: getattr(wishes, name) for name in wishes.__struct_fields__}
        table = table_open(user=self.people[0], **fields)
        self.table_id, self.state = table.pk, table_state(table)
        table_join(user=self.people[1], table_id=table.pk)
        self._read()
        for step in range(STEPS_MAX):
            if self.state.phase in ("over", "closed"):
                break
            self._step(last=step == STEPS_MAX - 1)
        require(self.state.phase == "over", "a table that is left has ended")
        self._compare()
        self._give(0, cmd.StandUp())
        self.seen[f"mode {self.state.terms.mode}"] += 1
        return self.seen

    def _step(self, *, last: bool) -> None:
        state, random = self.state, self.random
        seat = random.choice((0, 1)) if state.decider is None else state.decider
        listed = actions(state, seat)
        away = "leave" in listed or "stop" in listed
        if away and not state.before_first_roll and (last or random.random() < self.leave):
            self._give(random.choice((0, 1)), cmd.Leave())
            return
        names = [name for name in listed if name not in ("leave", "stand_up", "stop", "claim")]
        rare = {"offer_resignation": 0.1, "drop": 0.4, "double": 0.4}
        likely = [name for name in names if random.random() < rare.get(name, 1)] or names
        if likely:
            self._give(seat, self._command(random.choice(likely)))

    def _command(self, name: str) -> cmd.PlayerCommand:
        match name:
            case "roll":
                return cmd.Roll()
            case "play":
                return cmd.Play(moves=a_play(self.state, self.random))
            case "offer_resignation":
                return cmd.OfferResignation(level=self.random.choice(resignable_levels(self.state)))
        return SIMPLE[name]  # type: ignore[return-value]  # none of these is the house's

    def _give(self, seat: int, command: cmd.PlayerCommand) -> None:
        table_command(
            table_id=self.table_id,
            user_id=self.people[seat].pk,
            command_id=str(uuid4()),
            seen_seq=self.state.seq,
            command=command,
        )
        self._read()

    def _read(self) -> None:
        """Take in what has happened since; every ending must have been shown before."""
        before, self.state = self.state, table_state(Table.objects.get(pk=self.table_id))
        rows = TableEvent.objects.filter(table=self.table_id, seq__gt=before.seq).order_by("seq")
        events = [event_from_payload(row.payload) for row in rows]
        self.shown.commit(before, events, self.state)
        self.settled = next(
            (event for event in events if isinstance(event, ev.MatchSettled)),
            getattr(self, "settled", None),
        )
        self.seen.update(f"ending {e.ending}" for e in events if isinstance(e, ev.MatchEnded))

    def _compare(self) -> None:
        """The books moved what the settlement says, which was compared with what was shown."""
        settled, now = self.settled, self._books()
        require(settled, "a match that has ended is settled")
        assert settled is not None
        stake_cents = self.state.terms.stake_cents
        moved = tuple(after - before for after, before in zip(now, self.held, strict=True))
        changes = (cents - stake_cents for cents in settled.paid_cents)
        require(moved == (*changes, settled.rake_cents), f"booked {moved}, settled {settled}")

    def _books(self) -> tuple[int, int, int]:
        one, two = (wallet_balance(user.pk) for user in self.people)
        raked = Entry.objects.filter(account__kind="house_rake").aggregate(sum=Sum("amount_cents"))
        return one, two, raked["sum"] or 0
