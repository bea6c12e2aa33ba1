"""A rollout: every candidate is played on many times with the same dice, block by block.

The dice follow from the seed and the number of the trial, so a rollout that was interrupted goes
on where it was, and anybody can repeat it. In the 36 trials of a block each first roll comes once
and each second roll once; after 36 blocks every pair of them has come once.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backgammon.counting.decisions import DecidedPlay, Doubling
from backgammon.counting.judging import Option, PlayValue
from backgammon.counting.situation import Situation
from backgammon.engines.engine import Engine
from backgammon.engines.playout import TURNS, Roll, Start, played
from backgammon.engines.sage import stakes_of
from backgammon.evaluation import sage
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key

#: trials of a block, and blocks until every pair of first rolls has come.
BLOCK: Final = 36

#: how deep the candidates are chosen, how many, and how much worse the last may be.
CHOSEN_PLY: Final = 2
CANDIDATES_MOST: Final = 3
CANDIDATES_LEAST: Final = 2
WITHIN: Final = 0.12

NO_DOUBLE: Final = "no double"
DOUBLE_TAKE: Final = "double, take"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A choice that is rolled out. `option` is what the search says about it."""

    option: Option
    start: Start
    moves: tuple[Move, ...] = ()


def candidates(decision: DecidedPlay | Doubling, engine: Engine) -> list[Candidate]:
    """The plays that may be best and the one made, or both ways with the cube; the best first."""
    if isinstance(decision, Doubling):
        return _ways(decision.situation, engine)
    values = engine.plays(decision, CHOSEN_PLY)
    near = sum(value.equity >= values[0].equity - WITHIN for value in values[:CANDIDATES_MOST])
    made = decision.played and decision.played.result
    first = max(near, CANDIDATES_LEAST)
    chosen = [*values[:first], *(value for value in values[first:] if value.result == made)]
    return list(_plays(decision, chosen))


def candidates_named(
    decision: DecidedPlay | Doubling, engine: Engine, texts: Collection[str]
) -> list[Candidate]:
    """The plays of these texts and the one made, or both ways with the cube; the best first."""
    if isinstance(decision, Doubling):
        return _ways(decision.situation, engine)
    made = decision.played
    return [
        candidate
        for candidate in _plays(decision, engine.plays(decision, CHOSEN_PLY))
        if candidate.option.text in texts or (made and candidate.moves == made.moves)
    ]


def _plays(decision: DecidedPlay, values: Iterable[PlayValue]) -> Iterator[Candidate]:
    variant = by_key(decision.situation.variant)
    choices = {choice.result: choice for choice in decision.choices}
    first = stakes_of(decision.situation)
    for value in values:
        moves = choices[value.result].moves
        text = format_play(variant, decision.situation.position, moves)
        board = sage.flipped(sage.board_of(value.result))
        yield Candidate(
            Option(text, value.equity, value.ply, value.chances),
            Start(board, first.flipped(), first, mine=False),
            moves,
        )


def _ways(situation: Situation, engine: Engine) -> list[Candidate]:
    """Not to double, and a double that is taken where the player on roll may double."""
    first, board = stakes_of(situation), sage.board_of(situation.position)
    value = engine.cube(situation, CHOSEN_PLY)
    stay = Start(board, first, first, mine=True, may_double=False)
    found = [
        Candidate(Option(NO_DOUBLE, value.no_double, value.ply, value.chances), stay),
    ]
    if may_double(situation):
        turned = Start(board, first.doubled(), first, mine=True)
        option = Option(DOUBLE_TAKE, value.double_take, value.ply, value.chances)
        found.append(Candidate(option, turned))
    return found


def may_double(situation: Situation) -> bool:
    """Whether the player on roll may double: the cube is theirs or in the middle, and alive."""
    dead = situation.away is not None and situation.away[0] <= situation.cube.value
    return stakes_of(situation).may_double and not dead


def dice_of(seed: str, trial: int, turns: int = TURNS) -> list[Roll]:
    """The rolls of a trial; those of the two first turns come in turn."""
    orders = random.Random(seed)
    first, second = list(range(36)), list(range(36))
    orders.shuffle(first)
    orders.shuffle(second)
    chance = random.Random(f"{seed}/{trial}")
    block, place = divmod(trial, BLOCK)
    rolls = [divmod(first[place], 6), divmod(second[(place + block) % 36], 6)]
    rolls += [divmod(chance.randrange(36), 6) for _ in range(turns - 2)]
    return [(high + 1, low + 1) for high, low in rolls]


def block_played(
    starts: Sequence[Start],
    seed: str,
    block: int,
    *,
    turns: int = TURNS,
    plies: int = 1,
    with_luck: bool = False,
) -> list[float]:
    """The mean equity of a block's trials for every candidate, by the same dice.

    `turns` is the length of a trial, `plies` how deep its players look.
    `with_luck` leaves the luck of the rolls in: that spreads far more.
    """
    totals = [0.0] * len(starts)
    for trial in range(block * BLOCK, (block + 1) * BLOCK):
        dice = dice_of(seed, trial, turns)
        for place, start in enumerate(starts):
            result = played(start, dice, plies)
            totals[place] += result.result if with_luck else result.without_luck
    return [total / BLOCK for total in totals]
