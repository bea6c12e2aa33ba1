"""T2: whatever a player may not do now has a reason, the machine's own, and it is in the view."""

from itertools import chain, count, cycle
from random import Random

import pytest

from backgammon.rules.cube import CubeRefusal
from backgammon.rules.variants import KEYS
from games.modes.terms import Terms
from games.table import commands as cmd
from games.table.absence import claim_ms
from games.table.errors import (
    MayNotDouble,
    MayNotResign,
    OnlyInPractice,
    Reason,
    TooEarly,
    WrongPhase,
)
from games.table.machine import dice_count, due_ms
from games.table.rights import RULES, rights
from games.table.state import ABSENCE_MS, other
from games.table.view import table_view
from games.table.view_types import View
from harness.rig import Rig, rig_of, terms_for
from harness.simulator.probe import NAMES, SIMPLE, a_play, check_command

SINGLE = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}
FREE = {"mode": "stake", "stake_cents": 100}
CUBE_RULES = {"beavers": True, "raccoons": True, "jacoby": True}
MODES = (
    {"mode": "prize3", "stake_cents": 250},
    {"mode": "prize5", "stake_cents": 250},
    {"mode": "prize5", "stake_cents": 250, "holland": True},
    SINGLE,
    {**FREE, **CUBE_RULES},
    {"mode": "normal", "start_rule": "roll_off_use", "auto_doubles_max": 2},
    {"mode": "session", "stake_cents": 50, "bank_cents": 2500, **CUBE_RULES},
    {"mode": "practice", **CUBE_RULES},
)
VARIANTS = tuple({"mode": "practice", "variant": key} for key in KEYS)
STEPS = 120


def view(table: Rig) -> View:
    return table_view(table.state)


def refused(table: Rig, command: cmd.Command, seat: int, error: type[Exception]) -> str:
    with pytest.raises(error) as met:
        table.give(command, seat)
    return met.value.fields["reason"]


# --- actions and why_not never contradict the machine ---------------------------------------------


@pytest.mark.parametrize(
    "wishes", MODES + VARIANTS, ids=lambda wishes: "-".join(map(str, wishes.values()))
)
def test_t2_every_command_is_possible_or_refused_for_the_reason_that_is_shown(wishes):
    random = Random(str(wishes))
    table = Wanderer(random, terms_for(**wishes))
    met: set[str] = set()
    for _ in range(STEPS):
        for seat, name in ((seat, name) for seat in (0, 1) for name in NAMES):
            if table.state.seats[seat] is not None:
                check_command(table.state, name, seat, table.now_ms)
        met |= {reason for why in view(table).why_not for reason in why.values()}
        if not table.step():
            table = Wanderer(random, terms_for(**wishes))
    assert len(met) > 12


class Wanderer(Rig):
    """A table whose players do anything that is possible, leaving least of all."""

    def __init__(self, random: Random, terms: Terms) -> None:
        self.random = random
        super().__init__((self._roll() for _ in count()), terms)

    def _roll(self) -> tuple[int, ...]:
        dice = 2 if not hasattr(self, "state") else dice_count(self.state)
        return tuple(self.random.randint(1, 6) for _ in range(dice))

    def step(self) -> bool:
        """One thing happens; False at a table at which nothing can."""
        if self.state.phase == "open" and self.random.random() < 0.8:
            self.sit()
            return True
        seat = self.random.choice((0, 1))
        if self.random.random() < 0.05 and self.state.seats[seat] is not None:
            self.give(cmd.NotePresence(present=self.random.random() < 0.5), seat)
        possible = [(seat, name) for seat in (0, 1) for name in rights(self.state, seat).actions]
        likely = [each for each in possible if self.random.random() < LIKELY.get(each[1], 1)]
        if not possible:
            return False
        seat, name = self.random.choice(likely or possible)
        if name == "claim":
            self.now_ms = max(self.now_ms, claim_ms(self.state) or 0)
        due = due_ms(self.state)
        if due is not None and self.now_ms >= due:
            self.give(cmd.WakeUp())
            return True
        self.give(self._command(name), seat)
        return True

    def _command(self, name: str) -> cmd.Command:
        if name == "roll":
            return cmd.Roll()
        if name == "play":
            return cmd.Play(moves=a_play(self.state, self.random))
        if name == "offer_resignation":
            return cmd.OfferResignation(level=self.random.choice(view(self).resignable_levels))
        return SIMPLE[name]


LIKELY = {"leave": 0.01, "stand_up": 0.02, "offer_resignation": 0.1, "claim": 0.1, "drop": 0.3}


def test_t2_every_reason_of_the_cube_is_a_reason_of_the_table():
    assert {refusal.value for refusal in CubeRefusal} <= set(Reason)


# --- the cube -------------------------------------------------------------------------------------


def test_t2_before_the_first_roll_nobody_doubles_and_the_opener_sees_why():
    table = rig_of(**SINGLE)
    assert view(table).why_not[0]["double"] == "first_turn"
    assert view(table).why_not[1]["double"] == "not_your_turn"
    assert refused(table, cmd.Double(), 0, MayNotDouble) == "first_turn"


def test_t2_while_the_dice_of_an_automatic_roll_are_played_the_view_says_why_there_was_no_double():
    table = rig_of(**SINGLE)
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Take(), 0)
    assert table.state.phase == "play"
    assert view(table).auto_roll_because == "not_yours"
    assert view(table).why_not[1]["double"] == "not_yours"
    assert refused(table, cmd.Double(), 1, MayNotDouble) == "not_yours"


def test_t2_a_roll_of_ones_own_is_no_automatic_one():
    table = rig_of(**SINGLE)
    table.give(cmd.Roll(), 0)
    assert view(table).auto_roll_because is None
    table.play_first()
    assert (table.on_roll, view(table).auto_roll_because) == (1, None)
    table.give(cmd.Roll(), 1)
    assert view(table).auto_roll_because is None
    assert view(table).why_not[1]["double"] == "dice_on_board"


def test_t2_after_a_roll_off_the_first_roll_is_automatic_because_it_is_the_first_turn():
    table = rig_of([(2, 5), (6, 1)], mode="normal", start_rule="roll_off_reroll")
    table.give(cmd.Roll(), 0)
    assert (table.on_roll, view(table).auto_roll_because) == (1, "first_turn")


@pytest.mark.parametrize(
    ("wishes", "score", "reason"),
    [
        ({"mode": "prize3", "stake_cents": 250}, (0, 0), "no_cube"),
        ({"mode": "prize5", "stake_cents": 250}, (4, 0), "crawford"),
    ],
)
def test_t2_in_turns_without_a_cube_the_reason_stays_in_the_view(wishes, score, reason):
    table = rig_of(**wishes)
    for _ in range(max(score)):
        drop_by(table, 1)
    table.turn()
    seat = table.on_roll
    assert table.state.phase == "play"
    assert view(table).auto_roll_because == reason
    assert view(table).why_not[seat]["double"] == reason


def drop_by(table: Rig, loser: int) -> None:
    """Let this seat lose a game by dropping a double, and the next one begin."""
    while table.on_roll == loser or table.state.phase != "roll" or table.state.before_first_roll:
        table.turn()
    table.give(cmd.Double(), other(loser))
    table.give(cmd.Drop(), loser)
    table.give(cmd.Ready(), 0)
    table.give(cmd.Ready(), 1)


def test_t2_a_cube_that_reaches_the_limit_says_so():
    table = rig_of(mode="single", rate_cents=200, limit_cents=1000)  # the limit is five points
    table.turn()
    for _ in (2, 4, 8):
        seat = table.on_roll
        table.give(cmd.Double(), seat)
        table.give(cmd.Take(), other(seat))
        table.play_first()
    assert (table.state.phase, view(table).auto_roll_because) == ("play", "limit")


def test_t2_a_beaver_or_a_raccoon_is_refused_by_name():
    table = rig_of(**FREE, beavers=True, raccoons=True)
    table.turn()
    assert view(table).why_not[0]["beaver"] == "not_your_turn"
    table.give(cmd.Double(), 1)
    assert view(table).why_not[0]["raccoon"] == "no_offer"
    assert view(table).why_not[1]["double"] == "waiting_for_answer"
    table.give(cmd.Beaver(), 0)
    assert view(table).why_not[1]["beaver"] == "no_offer"
    plain = rig_of(**FREE)
    plain.turn()
    plain.give(cmd.Double(), 1)
    assert "beaver" not in view(plain).why_not[0]
    assert refused(plain, cmd.Beaver(), 0, MayNotDouble) == "not_agreed"


# --- resigning, claiming, taking back, coming and going -------------------------------------------


def test_t2_the_levels_that_cannot_be_offered_have_their_reasons():
    table = rig_of(**FREE, jacoby=True)
    assert view(table).why_not[0]["offer_resignation"] == "before_first_roll"
    assert refused(table, cmd.OfferResignation(level=1), 0, MayNotResign) == "before_first_roll"
    table.turn()
    assert view(table).refused_levels == {2: "jacoby", 3: "jacoby"}
    assert refused(table, cmd.OfferResignation(level=2), 1, MayNotResign) == "jacoby"
    assert refused(table, cmd.OfferResignation(level=9), 1, MayNotResign) == "no_such_level"
    match = rig_of(mode="prize5", stake_cents=250)
    match.turn()
    assert view(match).refused_levels == {}
    match.give(cmd.OfferResignation(level=1), 1)
    match.give(cmd.RefuseResignation(), 0)
    assert view(match).refused_levels == {1: "refused_level"}
    assert refused(match, cmd.OfferResignation(level=1), 1, MayNotResign) == "refused_level"


def test_t2_a_claim_with_nobody_absent_and_one_that_is_too_early_differ():
    table = rig_of(**SINGLE)
    assert refused(table, cmd.Claim(), 1, WrongPhase) == "before_first_roll"
    table.turn()
    assert view(table).why_not[0]["claim"] == "nobody_absent"
    assert refused(table, cmd.Claim(), 0, WrongPhase) == "nobody_absent"
    table.give(cmd.NotePresence(present=False), 1)
    assert "claim" in view(table).actions[0]
    assert refused(table, cmd.Claim(), 0, TooEarly) == "too_early"
    assert view(table).claim_ms == table.now_ms + ABSENCE_MS


def test_t2_taking_back_needs_a_play_and_practice():
    table = rig_of(mode="practice")
    assert view(table).why_not[0]["take_back"] == "nothing_to_take_back"
    table.turn()
    assert "take_back" in view(table).actions[0]
    staked = rig_of(**SINGLE)
    assert "take_back" not in view(staked).why_not[0]
    assert refused(staked, cmd.TakeBack(), 0, OnlyInPractice) == "only_in_practice"


def test_t2_coming_and_going_have_reasons_of_their_own():
    table = Rig(cycle([(3, 1)]), terms_for(mode="prize5", stake_cents=250))
    assert view(table).why_not[0]["roll"] == "no_opponent"
    assert view(table).why_not[1] == {}
    table.sit()
    assert view(table).why_not[0]["rematch"] == "match_running"
    table.turn()
    assert view(table).why_not[0]["stand_up"] == "dice_have_fallen"
    assert view(table).why_not[0]["ready"] == "game_running"
    table.give(cmd.Double(), 1)
    assert view(table).why_not[0]["roll"] == "answer_first"
    table.give(cmd.Drop(), 0)
    table.give(cmd.Ready(), 0)
    assert view(table).why_not[0]["ready"] == "already_ready"
    assert view(table).why_not[1]["roll"] == "between_games"
    table.give(cmd.Leave(), 0)
    assert view(table).why_not[0]["leave"] == "match_over"
    table.give(cmd.GiveRematch(match="00000000-0000-4000-8000-000000000002"), 0)
    assert view(table).why_not[0]["rematch"] == "already_offered"
    table.give(cmd.StandUp(), 1)
    assert set(chain(*(why.values() for why in view(table).why_not))) <= {"table_closed", "no_cube"}


def test_t2_the_commands_of_players_are_those_of_the_protocol():
    tags = {kind.__struct_config__.tag for kind in cmd.PlayerCommand.__args__}
    assert set(RULES) == tags
