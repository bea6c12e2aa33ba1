"""Whether the plays of a record use the dice of their rolls (not whether the rules allow them)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from backgammon.dice.record import Record, RecordedPlay, RecordedRoll
from backgammon.dice.rolls import RollKind

Finding = tuple[int, str]
"""The number of a roll and what is wrong with a play of it."""


def checked_plays(record: Record, start_rule: str) -> Iterator[Finding]:
    """The faults of the plays; none in a record without plays.

    Each turn has a play, even an empty one, except the last; plays stand in the order of the
    rolls; dice and moves are those of the roll.
    """
    if record.plays is None:
        return
    rolls = {roll.n: roll for roll in record.rolls}
    played: set[int] = set()
    last = -1
    for play in record.plays:
        roll = rolls.get(play.n)
        if roll is None or play.n < last:
            yield (play.n, f"A play names roll {play.n}, which has no place there.")
            continue
        follows = play.n in played
        played.add(play.n)
        last = play.n
        yield from ((play.n, text) for text in _wrong_with(play, roll, start_rule, follows))
    for roll in record.rolls[:-1]:
        if roll.kind == RollKind.NORMAL and roll.n not in played:
            yield (roll.n, f"Roll {roll.n} has no play, but the game went on.")


def _wrong_with(
    play: RecordedPlay, roll: RecordedRoll, start_rule: str, follows: bool
) -> Iterator[str]:
    shown = "-".join(map(str, play.dice))
    if play.seat not in (0, 1):
        yield f"Roll {play.n}: a table has the seats 0 and 1, not {play.seat}."
    if roll.kind == RollKind.OPENING:
        yield from _wrong_with_opening(play, roll, start_rule)
    if follows and (len(set(play.dice)) != 1 or len(play.dice) != 2):
        yield f"Roll {play.n}: what follows a roll without chance is a double, not {shown}."
    if not follows and sorted(play.dice) != sorted(roll.dice):
        yield f"Roll {play.n}: the play has the dice {shown}, which are not those of its roll."
    if Counter(die for _, _, die in play.moves) - Counter(singles(play.dice)):
        yield f"Roll {play.n}: the moves use more than the dice {shown}."


def _wrong_with_opening(play: RecordedPlay, roll: RecordedRoll, start_rule: str) -> Iterator[str]:
    if start_rule == "roll_off_reroll":
        yield f"Roll {play.n} only says who begins, it is not played."
    elif len(roll.dice) == 2 and play.seat != int(roll.dice[1] > roll.dice[0]):
        yield f"Roll {play.n}: the other player threw more and had to begin."


def singles(dice: Sequence[int]) -> tuple[int, ...]:
    """The dice one by one as they may be played: a double of two dice counts four times."""
    if len(dice) == 2 and dice[0] == dice[1]:
        return (dice[0],) * 4
    return tuple(dice)
