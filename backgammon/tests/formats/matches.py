"""Random matches, played by the rules, as the format tests need them."""

import datetime
import random

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.record import (
    CubeVerb,
    Ending,
    GameRecord,
    Heading,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Stakes,
)
from backgammon.rules.cube import CubeRules
from backgammon.rules.match import FormatKind
from backgammon.rules.variant import TURN_OVER
from backgammon.rules.variants import by_key

HEADING = Heading(
    site="example.test",
    match_id="42",
    event="Herbst",
    round="3",
    date=datetime.date(2026, 11, 21),
    time=datetime.time(20, 15),
    elo=("1512.25/40", "1498.00/4"),
    comment="played to show\nwhat a record holds",
    other=(("Annotator", "magriel"),),
)


def random_match(
    seed: int,
    variant: str = "backgammon",
    *,
    kind: FormatKind = FormatKind.POINTS,
    length: int = 5,
    games_max: int = 5,
    lively: bool = True,
) -> MatchRecord:
    """A match of random plays; ``lively`` adds cube, resignations, forfeits and comments.

    Everything comes from ``seed``.
    """
    chance = random.Random(seed)
    has_cube = by_key(variant).has_cube
    unlimited = kind is not FormatKind.POINTS
    rules = CubeRules(beavers=unlimited and has_cube, raccoons=unlimited and has_cube)
    record = MatchRecord(
        players=("magriel", "hilde maria"),
        kind=kind,
        length=length if kind is not FormatKind.UNLIMITED else 0,
        has_cube=has_cube,
        rules=rules,
        heading=HEADING if lively else Heading(),
        stakes=Stakes(250, 50, point_cents=25 if unlimited else 0) if lively else None,
    )
    builder = RecordBuilder(record)
    score = [0, 0]
    for _ in range(games_max):
        if kind is FormatKind.POINTS and max(score) >= length:
            break
        cube = 2 if unlimited and lively and has_cube and chance.random() < 0.2 else 1
        game = GameRecord(variant, (score[0], score[1]), cube_value=cube)
        winner, points = _play_game(builder, game, chance, lively=lively)
        if winner is not None:
            score[winner] += points
    return builder.record()


def _play_game(
    builder: RecordBuilder, record: GameRecord, chance: random.Random, *, lively: bool
) -> tuple[int | None, int]:
    game = builder.begin_game(record)
    seat = chance.randrange(2)
    may_double = builder.match.has_cube and not builder.is_crawford
    cube, owner, turns = record.cube_value, None, [0, 0]
    while game.over is None:
        if lively and sum(turns) > 2 and chance.random() < 0.01:
            return _give_up(builder, seat, cube, chance)
        doubles = may_double and sum(turns) and owner in (None, seat) and cube < 16
        if lively and doubles and chance.random() < 0.06:
            ends = _double(builder, seat, cube, chance)
            if ends is not None:
                return ends
            cube, owner = game.cube_value, 1 - seat
        again = True
        while again and game.over is None:
            again = _roll(builder, seat, turns[seat], chance, lively=lively)
        turns[seat] += 1
        seat = 1 - seat
    result = builder.end_game(game.winner)
    return result.winner, result.points


def _roll(
    builder: RecordBuilder, seat: int, turns: int, chance: random.Random, *, lively: bool
) -> bool:
    """One roll with its play; whether the same player rolls once more."""
    game = builder.game
    dice = tuple(chance.randint(1, 6) for _ in range(game.variant.dice_count))
    plays = game.plays(seat, dice)
    # Of three plays the one that hits least: purely random games go on for ever.
    moves, _ = min(
        (plays.pick(chance.randrange) for _ in range(3)), key=lambda play: play[1].bar[1]
    )
    comment = "why ] not \\ this?\nwell" if lively and chance.random() < 0.01 else ""
    game.turn(RecordedTurn(seat, dice, moves, comment))
    flow = game.variant.flow(dice, all_played=plays.all_played, own_turns_before=turns)
    return flow != TURN_OVER and plays.all_played


def _double(
    builder: RecordBuilder, seat: int, cube: int, chance: random.Random
) -> tuple[int, int] | None:
    """A double and its answer; the result if it ends the game."""
    game = builder.game
    other = 1 - seat
    game.offer(seat, verb=CubeVerb.DOUBLE, value=2 * cube)
    answers = [other]
    if builder.match.kind is not FormatKind.POINTS and chance.random() < 0.4:
        game.offer(other, verb=CubeVerb.BEAVER)
        answers.append(seat)
        if chance.random() < 0.4:
            game.offer(seat, verb=CubeVerb.RACCOON)
            answers.append(other)
    if chance.random() < 0.25:
        game.drop(answers[-1])
        result = builder.end_game(1 - answers[-1])
        assert result.winner is not None
        return result.winner, result.points
    game.take(answers[-1], "taken" if chance.random() < 0.3 else "")
    return None


def _give_up(
    builder: RecordBuilder, seat: int, cube: int, chance: random.Random
) -> tuple[int, int]:
    """A resignation or a forfeit by ``seat``, before or after the roll."""
    game = builder.game
    level = chance.choice([level for level in game.variant.levels if level <= 3])
    if chance.random() < 0.5:
        game.resign(Resignation(seat, level, accepted=False))
    if chance.random() < 0.5:
        dice = tuple(chance.randint(1, 6) for _ in range(game.variant.dice_count))
        if game.plays(seat, dice).dice_played:
            game.turn(RecordedTurn(seat, dice, None))
    ending = chance.choice([Ending.RESIGNATION, Ending.LEFT, Ending.TIME, Ending.ADJUDICATED])
    if ending is Ending.RESIGNATION:
        game.resign(Resignation(seat, level, accepted=True, comment="too late: lost"))
    builder.end_game(1 - seat, cube * level, ending)
    return 1 - seat, cube * level
