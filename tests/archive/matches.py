"""Whole matches played at random through the pure machine."""

from random import Random

from games.modes.terms import Terms
from games.table import commands as cmd
from games.table import events as ev
from games.table.rights import actions
from games.table.state import NEXT_GAME_MS
from games.table.turn import resignable_levels
from harness.rig import Rig

STEPS_MAX = 20_000


def random_match(terms: Terms, seed: int) -> Rig:
    """Play a match to its end, with doubles, resignations and sometimes a forfeit."""
    random = Random(seed)
    dice_count = 3 if terms.variant == "tabula" else 2

    def rolls():
        while True:
            yield tuple(random.randint(1, 6) for _ in range(dice_count))

    rig = Rig(rolls(), terms).sit()
    for _ in range(STEPS_MAX):
        if rig.state.phase == "over":
            return rig
        step(rig, random)
    raise AssertionError(f"the match of seed {seed} does not end")


def step(rig: Rig, random: Random) -> None:
    """A random command of a player who must decide, or the wait for the next game."""
    state = rig.state
    seat = state.decider
    rig.now_ms += random.choice((200, 3_000, 9_000))
    if state.phase == "between_games":
        rig.now_ms = max(rig.now_ms, state.next_game_ms or rig.now_ms + NEXT_GAME_MS)
        rig.give(cmd.WakeUp())
    elif random.random() < 0.0008:
        rig.give(cmd.Leave(), seat)
    elif random.random() < 0.0005:
        rig.now_ms = state.clock.deadline_ms() or rig.now_ms
        rig.give(cmd.WakeUp())
    else:
        _decide(rig, random, seat)


def _decide(rig: Rig, random: Random, seat: int | None) -> None:
    state = rig.state
    possible = actions(state, seat)
    levels = resignable_levels(state)
    if "offer_resignation" in possible and levels and random.random() < 0.01:
        rig.give(cmd.OfferResignation(level=random.choice(list(levels))), seat)
    elif state.phase == "play":
        rig.play_random(random)
    elif state.phase == "name_double":
        rig.give(cmd.NameDouble(number=random.randint(1, 6)), seat)
    elif state.phase == "roll_off":
        rig.give(cmd.GiveDice(dice=next(rig.dice), auto=False), seat)
    elif state.phase == "roll" and "double" in possible and random.random() < 0.1:
        rig.give(cmd.Double(), seat)
    elif state.phase == "roll":
        rig.give(cmd.Roll(), seat)
    else:
        answers = {
            "take": cmd.Take,
            "drop": cmd.Drop,
            "beaver": cmd.Beaver,
            "raccoon": cmd.Raccoon,
            "accept_resignation": cmd.AcceptResignation,
            "refuse_resignation": cmd.RefuseResignation,
        }
        open_answers = [name for name in possible if name in answers]
        rig.give(answers[random.choice(open_answers)](), seat)


def of_the_match(rig: Rig) -> list[ev.Event]:
    """The events since the start of the match."""
    first = next(n for n, e in enumerate(rig.events) if isinstance(e, ev.MatchStarted))
    return rig.events[first:]
