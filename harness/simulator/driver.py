"""One table from its opening to its end, by seed: players, a bad network, and time that passes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table import commands as cmd
from games.table.machine import due_ms
from games.table.rights import actions
from games.table.setup import Setup
from games.table.state import RUNNING_PHASES, GameResult, MatchResult, TableState
from games.table.turn import resignable_levels
from games.table.verdict import possible_verdicts
from harness.simulator.house import GUEST, OPENER, STRANGER, PlayerMessage, SimulatedHouse
from harness.simulator.oracle import require
from harness.simulator.probe import SIMPLE, a_play, check_actions, check_view
from harness.simulator.wishes import random_terms

TURNS_MOST: Final = 30


def placed(terms: Terms, random: Random) -> Setup | None:
    """A position for two of three practice tables, with a cube where there is one; else None."""
    if not mode_of(terms).is_practice or terms.series or random.random() < 1 / 3:
        return None
    variant = by_key(terms.variant)
    position = variant.start
    for _ in range(random.randrange(TURNS_MOST)):
        dice = tuple(random.randint(1, 6) for _ in range(variant.dice_count))
        _, after = variant.legal_plays(position, dice).pick(random.randrange)
        if variant.outcome(after):
            break
        position = after.turned(variant.way)
    on_roll = random.randrange(2)
    seen = position.turned(variant.way) if on_roll else position
    owner = random.choice((None, 0, 1)) if terms.has_cube else None
    value = 1 if owner is None else min(random.choice((2, 4)), terms.cube_cap)
    return Setup(position=seen.text(), on_roll=on_roll, cube_value=value, cube_owner=owner)


STEPS_MAX: Final = 2_500
#: the number of wake-ups after which a table without people is at its end.
WAKES_MAX: Final = 4

#: the possible answers to a listed command that came before any other event.
LISTED_ANSWERS: Final = ("accepted", "known", "time_over", "too_early")

#: arguments that no client would send.
STRANGE_NUMBERS: Final = (-1, 0, 4, 7, 25, 2**31, 2**63, -(2**63))


@dataclass(frozen=True, slots=True)
class Temper:
    """How likely players are to end a match, or to try commands that are not allowed."""

    leave: float
    double: float
    drop: float
    beaver: float
    resign: float
    nonsense: float
    slow: float

    @classmethod
    def draw(cls, random: Random) -> "Temper":
        """Patient and hasty people, honest and hostile ones."""
        return cls(
            leave=random.choice((0, 0.0005, 0.01)),
            double=random.choice((0, 0.1, 0.4)),
            drop=random.choice((0.1, 0.3, 0.7)),
            beaver=random.choice((0, 0.9)),
            resign=random.choice((0, 0.002, 0.02)),
            nonsense=random.choice((0, 0.05, 0.25)),
            slow=random.choice((0, 0.002, 0.01)),
        )


class Evening:
    """A table with random players. `play` raises an error if a promise does not hold."""

    def __init__(
        self, seed: str, make: Callable[[Random, Terms], SimulatedHouse] = SimulatedHouse
    ) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.temper = Temper.draw(self.random)
        self.house = make(self.random, random_terms(self.random))
        self.house.after_commit = self._probe
        self.on_the_way: list[PlayerMessage] = []
        self.sent = 0
        self.probed: TableState | None = None

    @property
    def state(self) -> TableState:
        """The table as it is now."""
        return self.house.state

    def play(self) -> Counter[str]:
        """Play from the opening to the end; return what occurred."""
        self._open()
        for _ in range(STEPS_MAX):
            if self.state.phase == "closed":
                break
            self._pass_time()
            self._anything()
        self._everybody_goes()
        self.house.check_replay()
        self.house.seen[f"variant {self.state.terms.variant}"] += 1
        self.house.seen[f"mode {self.state.terms.mode}"] += 1
        return self.house.seen

    # --- what may happen ------------------------------------------------------------------------

    def _open(self) -> None:
        self._probe()
        require(self._sit(OPENER) == "own_table", "nobody plays himself")
        if self.random.random() < 0.02:
            return  # no one joins
        require(self._sit(GUEST) == "accepted", "an open table takes a guest")
        require(self._sit(STRANGER) == "table_full", "a table has two seats")

    def _sit(self, player: int) -> str:
        match = self.house.new_match_id()
        # with a chance of its own, so that all other tables stay as they were
        setup = placed(self.state.terms, Random(f"{self.seed}/setup"))
        return self.house.give(cmd.Sit(player=player, match=match, setup=setup))

    def _anything(self) -> None:
        self.house.answer()
        die = self.random.random()
        if die < 0.01:
            self._presence()
        elif die < 0.012:
            self._outage()
        elif die < 0.0125:
            self._administrator()
        elif die < 0.03:
            self.house.wake()
        elif die < 0.03 + self.temper.nonsense:
            self._send(self.random.choice((0, 1, 0, 1, None)), self._nonsense())
        elif self.random.random() < self.temper.leave:
            self._double_leave()
        else:
            self._sensible()
        self._deliver()

    def _pass_time(self) -> None:
        due = due_ms(self.state)
        if due is not None and self.random.random() < self.temper.slow:
            # at the limit, a moment before and after it
            at = due + self.random.choice((-1, 0, 1, 5_000))
            self.house.now_ms = max(self.house.now_ms, at)
            return
        longest = 20_000 if self.random.random() < 0.05 else 2_000
        self.house.now_ms += self.random.randint(0, longest)

    def _sensible(self) -> None:
        """The decider makes a decision; between games a player is ready."""
        seats = [seat for seat in (0, 1) if self.state.seats[seat] is not None]
        decider = self.state.decider
        seat = self.random.choice(seats) if decider is None else decider
        view = self._seen_by(seat)
        if "claim" in actions(view, 1 - seat) and self.random.random() < 0.3:
            self._send(1 - seat, cmd.Claim())
        listed = actions(view, seat)
        if view.phase == "rolling" and self.random.random() > self.temper.leave:
            return  # leaving is possible while a roll waits
        if listed:
            self._send(seat, self._command(self._choice(listed), seat), listed=True)

    def _seen_by(self, seat: int) -> TableState:
        """The table as this player last saw it; a decider has fetched it again."""
        follower = self.house.followers[seat]
        if self.random.random() < 0.95:
            follower.hear(self.house.events)
        return follower.state

    def _choice(self, listed: tuple[str, ...]) -> str:
        likely = {
            "leave": self.temper.leave,
            "stand_up": 0.05,
            "rematch": 0.3,
            "stop": 0.2,
            "take_back": 0.1,
            "double": self.temper.double,
            "drop": self.temper.drop,
            "beaver": self.temper.beaver,
            "raccoon": self.temper.beaver,
            "offer_resignation": self.temper.resign,
        }
        names = [name for name in listed if self.random.random() < likely.get(name, 1)]
        return self.random.choice(names or listed)

    def _command(self, name: str, seat: int) -> cmd.Command:
        """The command of this name, as the player gives it on their view."""
        view = self.house.followers[seat].state
        match name:
            case "roll":
                return cmd.Roll()
            case "rematch":
                return cmd.Rematch()
            case "play":
                chance = self.random if self.random.random() < 0.3 else None
                return cmd.Play(moves=a_play(view, chance))
            case "name_double":
                return cmd.NameDouble(number=self.random.randint(1, 6))
            case "offer_resignation":
                return cmd.OfferResignation(level=self.random.choice(resignable_levels(view)))
        return SIMPLE[name]

    def _nonsense(self) -> cmd.Command:
        """Some command on anybody's turn, often with invalid arguments."""
        number = self.random.choice(STRANGE_NUMBERS)
        strange = (
            cmd.Roll(),
            cmd.Rematch(),
            cmd.Play(moves=()),
            cmd.Play(moves=((24, 18, 6),) * self.random.randint(1, 5)),
            cmd.Play(moves=((number, self.random.choice(STRANGE_NUMBERS), number),)),
            cmd.Play(moves=a_play(self.state, self.random)),
            cmd.NameDouble(number=number),
            cmd.OfferResignation(level=number),
            cmd.OfferResignation(level=self.random.randint(1, 3)),
        )
        mild = [command for name, command in SIMPLE.items() if name not in ("leave", "rematch")]
        return self.random.choice((*strange, *mild))

    def _double_leave(self) -> None:
        """Both leave at the same moment; the first to arrive loses."""
        running = self.state.phase in RUNNING_PHASES and not self.state.before_first_roll
        stops = self.state.may_stop
        order = self.random.choice(((0, 1), (1, 0)))
        first, second = (self.house.give(cmd.Leave(), seat) for seat in order)
        if running:
            require((first, second) == ("accepted", "match_over"), "one of two leaves counts")
            ended = self._lost_by_leaving()
            require(ended, "leaving ends the match")
            loses = ended is not None and ended.winner == order[1]
            require(stops or loses, "the first who leaves loses")

    def _lost_by_leaving(self) -> GameResult | MatchResult | None:
        """The running game of a session, the whole match elsewhere."""
        match = self.state.match
        if match is None or match.result is None:
            return None
        return match.last_game if self.state.is_session else match.result

    def _presence(self) -> None:
        seat = self.random.choice((0, 1))
        if self.state.seats[seat] is not None:
            present = self.random.random() < 0.5
            self.house.give(cmd.NotePresence(present=present), seat)
        if self.random.random() < 0.3:
            self.house.now_ms += 130_000  # a claim is possible then, if there is time left

    def _outage(self) -> None:
        began_ms = self.house.now_ms - self.random.randint(0, 30_000)
        self.house.now_ms += self.random.choice((0, 20_000, 3_600_000))
        self.house.give(cmd.CreditOutage(began_ms=began_ms, ended_ms=self.house.now_ms))

    def _administrator(self) -> None:
        winner = self.random.choice((0, 1))
        commands = [cmd.Void(), cmd.Adjudicate(winner=winner)]
        if self.state.phase in RUNNING_PHASES:
            verdict = self.random.choice(possible_verdicts(self.state))
            fields = ("winner", "score", "level", "cube")
            commands.append(cmd.Adjudicate(**{name: getattr(verdict, name) for name in fields}))
        commands.append(
            cmd.Adjudicate(
                winner=self.random.choice((0, 1, None, 2)),
                score=self.random.choice(((0, 0), (5, 4), (1, 99), (3, 3), None)),
                level=self.random.choice((0, 1, 3, 4, -1)),
                cube=self.random.choice((0, 1, 2, 64)),
            )
        )
        self.house.give(self.random.choice(commands))

    # --- the network ----------------------------------------------------------------------------

    def _send(self, seat: int | None, command: cmd.Command, *, listed: bool = False) -> None:
        self.sent += 1
        seen = self.house.followers[seat].state.seq if seat is not None else self.state.seq
        self.on_the_way.append(PlayerMessage(self.sent, seat, seen, command, listed))

    def _deliver(self) -> None:
        """A message arrives; some are lost, some overtaken, some arrive twice."""
        while self.on_the_way and self.random.random() < 0.9:
            at = 0 if self.random.random() < 0.9 else self.random.randrange(len(self.on_the_way))
            message = self.on_the_way.pop(at)
            if self.random.random() < 0.02:
                continue
            self._arrive(message)
            if self.random.random() < 0.05:
                self.on_the_way.append(message)

    def _arrive(self, message: PlayerMessage) -> None:
        before, known = self.state, (message.seat, message.id) in self.house.answers
        answer = self.house.receive(message)
        if message.listed and message.seen_seq == before.seq:
            require(answer in LISTED_ANSWERS, f"a listed command was answered {answer}")
        if known:
            require(answer == "known" and self.state is before, "a repeated id moves nothing")
        if answer not in ("accepted", "time_over"):
            require(self.state is before, "what is refused changes nothing")

    # --- always ---------------------------------------------------------------------------------

    def _probe(self) -> None:
        """After every commit the lists of actions are correct, and someone can go on."""
        state = self.state
        if state is self.probed:
            return
        self.probed = state
        check_actions(state, self.house.now_ms, self.random)
        check_view(state)
        require(state.clock.running == state.decider, "the clock runs for who owes a decision")
        due = due_ms(state)
        if state.phase in ("open", "closed"):
            require(due is None, "nothing is due at a table without a match")
        else:
            require(due is not None, "a table that waits for somebody has a time limit")
            require(actions(state, 0) or actions(state, 1), "somebody can do something")

    def _everybody_goes(self) -> None:
        """Without people, time alone brings the table to its end."""
        if self.state.phase == "open":
            self.house.give(cmd.Leave(), 0)
        for _ in range(WAKES_MAX):
            due = due_ms(self.state)
            if due is None:
                break
            self.house.now_ms = max(self.house.now_ms, due)
            self.house.wake()
        require(self.state.phase == "closed", "a table that everybody has left closes")


def simulate(seed: int, number: int) -> Counter[str]:
    """Play match `number` of this seed; return what occurred. Raises for a broken promise."""
    return Evening(f"{seed}:{number}").play()
