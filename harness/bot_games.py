"""Whole practice games between two bots on the pure machine, with dice from a seed."""

from collections.abc import Iterator
from random import Random
from uuid import UUID

from backgammon.rules.variants import by_key
from games.bots.player import answer
from games.table import commands as cmd
from harness.rig import HILDE, Rig, terms_for

DECISIONS_MAX = 4_000


def dice_of(seed: object, count: int) -> Iterator[tuple[int, ...]]:
    """Rolls of `count` dice."""
    chance = Random(str(seed))
    while True:
        yield tuple(chance.randint(1, 6) for _ in range(count))


class _TableDice:
    """Two dice if both players roll off for the start, else as many as the variant has."""

    def __init__(self, seed: object, variant: str) -> None:
        self.rolls = dice_of(seed, by_key(variant).dice_count)

    def __next__(self) -> tuple[int, ...]:
        return next(self.rolls)


def practice_rig(variant: str, seed: object, **wishes: object) -> Rig:
    """A practice table before the first roll."""
    rig = Rig(_TableDice(seed, variant), terms_for(mode="practice", variant=variant, **wishes))
    match = UUID(int=Random(f"match {seed}").getrandbits(128))  # errors about the cube rest on it
    rig.give(cmd.Sit(player=HILDE, match=str(match)))
    return rig


def played_out(variant: str, seed: int, strengths: tuple[str, str], **wishes: object) -> Rig:
    """Play a game to its end; `strengths` by seat."""
    rig = practice_rig(variant, seed, **wishes)
    for number in range(DECISIONS_MAX):
        seat = rig.state.decider
        if seat is None:
            return rig
        command = answer(rig.state, seat, strength=strengths[seat], seed=f"{seed}:{number}")
        assert command is not None
        rig.give(command, seat)
    raise AssertionError(f"no end after {DECISIONS_MAX} decisions")
