"""A house of one table in memory: the services' handling of commands without database and time.

Commands come in as messages that may arrive late, twice or never; events go out as JSON to two
followers who may miss some. After every commit the oracle makes all its checks.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

import msgspec

from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes import payout
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError, TimeOver
from games.table.evolve import evolve
from games.table.machine import decide, dice_count, due_ms
from games.table.rights import permit
from games.table.session import result_of
from games.table.state import TableState, seated
from games.table.turn import rolls_by_itself
from games.table.view import table_view
from games.wire import event_from_payload, event_payload
from harness.simulator.at_stake import StakesShown
from harness.simulator.oracle import Broken, check_event, require, session_banks_cents

START_MS: Final = 1_790_000_000_000
OPENER, GUEST, STRANGER = 11, 22, 33
WALLET_CENTS: Final = 1_000_000

#: how often a roll needs the players' parts, how long it waits, how often they come in time.
ASKED: Final = 0.2
WAIT_MS: Final = 1500
ANSWERED: Final = 0.7

#: commands that mean the same on any view, as in the services.
ANY_VIEW: Final = (cmd.Leave, cmd.Ready, cmd.Stop, cmd.Rematch, cmd.Claim, cmd.TakeBack)
ATTENDANCE: Final = (ev.PlayerAbsent, ev.PlayerBack)

_json = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class PlayerMessage:
    """A player's command in transit: its sender, its id and the seq that the sender has seen.

    `listed` if it was among the player's actions when it was sent.
    """

    id: int
    seat: int | None
    seen_seq: int
    command: cmd.Command
    listed: bool = False


@dataclass(slots=True)
class EventFollower:
    """A client that folds the events that it receives; after a gap it fetches the missing ones."""

    state: TableState = field(default_factory=TableState)

    def hear(self, events: list[ev.Event]) -> None:
        """Apply every event of the table that the client does not have yet."""
        for event in events[self.state.seq :]:
            self.state = evolve(self.state, event)


@dataclass(slots=True)
class Books:
    """Wallets, escrows and rake: every cent is in one of them."""

    wallets: dict[int, int] = field(default_factory=lambda: dict.fromkeys((OPENER, GUEST), 10**6))
    escrows: dict[str, int] = field(default_factory=dict)
    rake_cents: int = 0
    paid: dict[str, tuple[tuple[int, int], int]] = field(default_factory=dict)

    def stake(self, match: str, terms: Terms) -> None:
        """Both stakes go into the match's escrow, once."""
        require(match not in self.escrows, "a match takes its stakes once")
        for player in self.wallets:
            self.wallets[player] -= terms.stake_cents
        self.escrows[match] = 2 * terms.stake_cents

    def pay(self, match: str, paid_cents: tuple[int, int], rake_cents: int) -> None:
        """The escrow is emptied, once, and no one pays anything back."""
        require(match not in self.paid, "a match is paid out once")
        require(min(*paid_cents, rake_cents) >= 0, "nobody owes anything after a match")
        self.paid[match] = paid_cents, rake_cents
        self._move(match, paid_cents, rake_cents)

    def take_back(self, match: str) -> None:
        """Void a match that was paid out."""
        paid_cents, rake_cents = self.paid.pop(match)
        self._move(match, (-paid_cents[0], -paid_cents[1]), -rake_cents)

    def _move(self, match: str, paid_cents: tuple[int, int], rake_cents: int) -> None:
        self.escrows[match] -= sum(paid_cents) + rake_cents
        self.rake_cents += rake_cents
        for player, cents in zip((OPENER, GUEST), paid_cents, strict=True):
            self.wallets[player] += cents

    def check(self, running: str | None) -> None:
        """No cent appears or disappears; only the running match holds an escrow."""
        held = sum(self.escrows.values())
        require(
            sum(self.wallets.values()) + held + self.rake_cents == 2 * WALLET_CENTS,
            "every cent is in a wallet, an escrow or the rake",
        )
        for match, cents in self.escrows.items():
            require(cents == 0 or match == running, "an ended match has an empty escrow")


class SimulatedHouse:
    """One table and everything around it. The driver of the house moves `now_ms`."""

    def __init__(self, random: Random, terms: Terms) -> None:
        self.random = random
        self.now_ms = START_MS
        self.state = TableState()
        self.stored: list[bytes] = []
        self.events: list[ev.Event] = []
        self.books = Books()
        self.answers: dict[tuple[int | None, int], int] = {}
        self.followers = (EventFollower(), EventFollower())
        self.seen: Counter[str] = Counter()
        self.after_commit: Callable[[], None] = lambda: None
        self.matches = 0
        self.shown = StakesShown()
        self.give(cmd.OpenTable(player=OPENER, terms=terms))

    def new_match_id(self) -> str:
        """An id as the services make one, but the same in every run."""
        self.matches += 1
        return f"00000000-0000-4000-8000-{self.matches:012d}"

    def receive(self, message: PlayerMessage) -> str:
        """Handle a player's command as the service does; return the code of its answer."""
        known = self.answers.get((message.seat, message.id))
        if known is not None:
            return "known"
        if self.state.phase != "rolling" and self.wake():
            return TimeOver.code
        if self._is_stale(message):
            return "stale"
        code = self.give(message.command, message.seat)
        if code == "accepted":
            self.answers[message.seat, message.id] = self.state.seq
        return code

    def answer(self) -> None:
        """Make a requested roll once both players have sent their parts, which they may not do."""
        if self.state.phase == "rolling" and self.random.random() < ANSWERED:
            require(self.give(*self._dice_fall()) == "accepted", "dice asked for may fall")

    def wake(self) -> bool:
        """Apply a deadline if it has passed."""
        due = due_ms(self.state)
        if due is None or self.now_ms < due:
            return False
        rolling = self.state.phase == "rolling"
        code = self.give(*self._dice_fall()) if rolling else self.give(cmd.WakeUp())
        require(code == "accepted", f"a table that is due acts, it said {code}")
        later = due_ms(self.state)
        require(later is None or later > due, "a table that has acted is not due again")
        return True

    def give(self, command: cmd.Command, seat: int | None = None) -> str:
        """Decide a command and commit its events; return "accepted" or the error's code."""
        before, steps = self.state, []
        try:
            self.state = self._decided(command, seat, steps)
        except TableError as error:
            self.state = before
            self.seen[f"refused {error.code}"] += 1
            return error.code
        self._commit(before, steps)
        return "accepted"

    def _decided(
        self, command: cmd.Command, seat: int | None, steps: list[tuple[TableState, ev.Event]]
    ) -> TableState:
        state = self.state
        if isinstance(command, cmd.Roll):
            permit(state, seated(seat), "roll")
            command = self._roll(state, auto=False)
        elif isinstance(command, cmd.Rematch):
            command = cmd.GiveRematch(match=self.new_match_id())
        state = _fold(state, decide(state, command, self.now_ms, seat), steps)
        while rolls_by_itself(state):
            rolled = self._roll(state, auto=True)
            require(state.game, "dice are needed in a game")
            on_roll = state.game.on_roll if state.game else None
            state = _fold(state, decide(state, rolled, self.now_ms, on_roll), steps)
        if any(isinstance(event, ev.MatchEnded) for _, event in steps):
            settle = self._settlement(state)
            state = _fold(state, decide(state, settle, self.now_ms), steps)
        return state

    def _roll(self, state: TableState, *, auto: bool) -> cmd.Command:
        """Dice at once, or a request to both players for their parts."""
        if self.random.random() < ASKED:
            return cmd.AskForDice(auto=auto, due_ms=self.now_ms + WAIT_MS)
        return cmd.GiveDice(dice=self._dice(state), auto=auto)

    def _dice_fall(self) -> tuple[cmd.Command, int | None]:
        game = self.state.game
        asked = game.dice_asked if game else None
        if game is None or asked is None:
            raise Broken("dice were asked for in a game")
        return cmd.GiveDice(dice=self._dice(self.state), auto=asked.auto), game.on_roll

    def _dice(self, state: TableState) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 6) for _ in range(dice_count(state)))

    def _settlement(self, state: TableState) -> cmd.Settle:
        paid = payout(mode_of(state.terms).purse(state.terms), result_of(state))
        elo = ("1500.0000", "1500.0000")
        return cmd.Settle(
            paid_cents=paid.paid_cents, rake_cents=paid.rake_cents, elo_before=elo, elo_after=elo
        )

    def _commit(self, before: TableState, steps: list[tuple[TableState, ev.Event]]) -> None:
        for number, (was, event) in enumerate(steps):
            after = steps[number + 1][0] if number + 1 < len(steps) else self.state
            require(event.at_ms == self.now_ms, "an event happens now")
            check_event(was, event, after)
            self._book(was, event)
            self._store(event)
        self.shown.commit(before, [event for _, event in steps], self.state)
        require(len(self.stored) == self.state.seq, "events are numbered without a gap")
        require(self.state.seq - before.seq == len(steps), "every event is counted")
        match = self.state.match
        self.books.check(match.id if match and match.result is None else None)
        self._tell()

    def _tell(self) -> None:
        for follower in self.followers:
            if self.random.random() < 0.9:  # else it misses this update
                self._follow(follower)
        self.after_commit()

    def _store(self, event: ev.Event) -> None:
        """All clients receive what is read back from the stored JSON."""
        payload = event_payload(event)
        self.seen[str(payload["type"])] += 1
        self.stored.append(_json.encode(payload))
        self.events.append(event_from_payload(msgspec.json.decode(self.stored[-1])))

    def _follow(self, follower: EventFollower) -> None:
        follower.hear(self.events)
        require(follower.state == self.state, "state and events make the state")

    def _book(self, was: TableState, event: ev.Event) -> None:
        match event:
            case ev.MatchStarted():
                self.books.stake(event.match, was.terms)
            case ev.MatchEnded():
                self.seen[f"ending {event.ending} {was.terms.mode}"] += 1
            case ev.MatchSettled():
                if was.terms.contest == "session":
                    banks_cents = session_banks_cents(was)
                    require(event.paid_cents == banks_cents, "both get what is left of their banks")
                self.books.pay(_match_id(was), event.paid_cents, event.rake_cents)
            case ev.MatchVoided():
                self._void(was)

    def _void(self, was: TableState) -> None:
        match_id = _match_id(was)
        if match_id in self.books.paid:
            self.books.take_back(match_id)
        self.books.pay(match_id, (was.terms.stake_cents,) * 2, 0)

    def _is_stale(self, message: PlayerMessage) -> bool:
        if message.seen_seq == self.state.seq or isinstance(message.command, ANY_VIEW):
            return False
        missed = self.events[message.seen_seq :]
        return any(not isinstance(event, ATTENDANCE) for event in missed)

    def check_replay(self) -> None:
        """Folding the stored JSON from nothing gives the state, and its JSON gives it back."""
        fresh = EventFollower()
        fresh.hear([event_from_payload(msgspec.json.decode(text)) for text in self.stored])
        require(fresh.state == self.state, "the stored events give the stored state")
        for follower in self.followers:
            self._follow(follower)
            require(table_view(follower.state) == table_view(self.state), "and the same view")
        stored = msgspec.json.decode(_json.encode(msgspec.to_builtins(self.state)))
        require(msgspec.convert(stored, TableState) == self.state, "a state survives its storage")


def _match_id(state: TableState) -> str:
    if state.match is None:
        raise Broken("credits move for a match")
    return state.match.id


def _fold(
    state: TableState, events: tuple[ev.Event, ...], steps: list[tuple[TableState, ev.Event]]
) -> TableState:
    for event in events:
        steps.append((state, event))
        state = evolve(state, event)
    return state
