"""Exercises out of games that the engine plays against itself, with some noise.

The noise leads into positions that people meet, too. A decision becomes an exercise if it has a
clear best option, and others that are not hopeless.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any, Final

from analysis.exercises.grading import difficulty_of
from analysis.exercises.themes import THEMES, Theme, theme_of
from backgammon.analysis.depths import AGAIN, judged_at
from backgammon.counting.decisions import Answer, DecidedPlay, Decision, DecisionPlace, Doubling
from backgammon.counting.judging import DROPPED, NO_DOUBLE, Judgement
from backgammon.counting.positions import roll_of, xgid_of_situation
from backgammon.counting.situation import MINE, THEIRS, Away, Situation
from backgammon.engines.engine import HouseEngine
from backgammon.formats.record import CubeVerb
from backgammon.rules.cube import Cube
from backgammon.rules.position import Position, Way
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Offer

Made = dict[str, Any]
"""A row of `analysis.models.Exercise` by its fields."""

VARIANT: Final = "backgammon"

#: the lengths and scores that are played, as points needed; None is unlimited play.
SCORES: Final[tuple[tuple[int, Away | None], ...]] = (
    (0, None),
    (0, None),
    (5, (5, 5)),
    (5, (3, 2)),
    (5, (2, 4)),
    (7, (7, 7)),
    (7, (4, 6)),
    (7, (3, 3)),
)

#: standard deviation of the noise on each play's equity, and on the cube.
NOISE: Final = 0.05

#: a best option that leads by less is a matter of taste; one that leads by more, of course.
LEAD: Final = (0.030, 0.300)

#: who is worth less before the roll does not think about doubling.
_DOUBLES_FROM: Final = 0.400

#: how many plays a row names, and with how many of them their chances.
OPTIONS_MOST: Final = 20
CHANCES_MOST: Final = 6

#: of one game at most so many.
_OF_A_GAME: Final = 2
_TURNS_MOST: Final = 200
_CUBE_MOST: Final = 4
_DIGITS: Final = 4
_NOWHERE: Final = DecisionPlace(1, 1, 0)


def made(engine: HouseEngine, wanted: int, rng: Random) -> Iterator[Made]:
    """So many exercises, about as many of each theme, and of each right answer about the cube."""
    most = -(-wanted // len(THEMES))
    found: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    while True:
        of_game = 0
        for length, decision in _game(engine, rng):
            if of_game == _OF_A_GAME or found[_theme(decision)] == most:
                continue
            row = exercise(decision, length, engine)
            if row is None:
                continue
            answer = row["line"]["options"][0]["text"]
            if isinstance(decision, DecidedPlay) or answers[answer] < -(-most // 2):
                found[row["theme"]] += 1
                answers[answer] += 1
                of_game += 1
                yield row
                if found.total() == wanted:
                    return


def mixed(rows: Iterable[Made]) -> list[Made]:
    """The rows in turns: one of each theme, then the next of each."""
    of_theme: dict[str, list[Made]] = {theme: [] for theme in THEMES}
    for row in rows:
        of_theme[row["theme"]].append(row)
    turns = zip_longest(*of_theme.values())
    return [row for turn in turns for row in turn if row is not None]


def exercise(decision: Decision, length: int, engine: HouseEngine) -> Made | None:
    """The decision as an exercise; None if its options are too near or too far apart."""
    quick = judged_at(decision, engine, 1)
    if quick.gap is None or quick.gap > LEAD[1] or _is_no_question(quick):
        return None
    judgement = judged_at(decision, engine, AGAIN)
    if judgement.gap is None or not LEAD[0] <= judgement.gap <= LEAD[1]:
        return None
    dice = decision.dice if isinstance(decision, DecidedPlay) else None
    pair = None if dice is None else (max(dice), min(dice))
    xgid = xgid_of_situation(decision.situation, length, pair)
    if isinstance(decision, Answer):
        xgid = replace(xgid, offer=Offer.DOUBLE)
    return {
        "xgid": xgid.text(),
        "kind": decision.kind,
        "theme": _theme(decision),
        "difficulty": difficulty_of(judgement.gap, misleading=quick.best != judgement.best),
        "engine": engine.name,
        "version": engine.version,
        "ply": judgement.ply,
        "line": _line(decision, judgement, engine),
    }


def _is_no_question(judgement: Judgement) -> bool:
    """Whether this is about a double that nobody would think of."""
    worth = {option.text: option.equity for option in judgement.options}
    return worth.get(NO_DOUBLE, _DOUBLES_FROM) < _DOUBLES_FROM


def _theme(decision: Decision) -> Theme:
    results = (
        [each.result for each in decision.choices] if isinstance(decision, DecidedPlay) else []
    )
    return theme_of(decision.kind, decision.situation, results)


def _line(decision: Decision, judgement: Judgement, engine: HouseEngine) -> dict[str, Any]:
    """The options as a decision of a report has them."""
    cube = None
    if not isinstance(decision, DecidedPlay):
        value = engine.cube(decision.situation, judgement.ply)
        cube = {
            "no_double": round(value.no_double, _DIGITS),
            "double_take": round(value.double_take, _DIGITS),
            "chances": [round(chance, _DIGITS) for chance in value.chances],
        }
    return {
        "gap": round(judgement.gap or 0.0, _DIGITS),
        "cube": cube,
        "options": [
            {
                "text": option.text,
                "equity": round(option.equity, _DIGITS) + 0.0,
                "ply": option.ply,
                "chances": [round(chance, _DIGITS) for chance in option.chances]
                if option.chances and number < CHANCES_MOST
                else None,
            }
            for number, option in enumerate(judgement.options[:OPTIONS_MOST])
        ],
    }


# --- self-play ------------------------------------------------------------------------------------


def _game(engine: HouseEngine, rng: Random) -> Iterator[tuple[int, Decision]]:
    """The decisions of one game, each with the length of its match."""
    length, away = rng.choice(SCORES)
    situation = Situation(by_key(VARIANT).start, away=away)
    for turn in range(_TURNS_MOST):
        if turn and _may_double(situation):
            yield length, Doubling(_NOWHERE, situation, doubled=False)
            worth = engine.cube(situation, 1)
            lead = min(worth.double_take, DROPPED) - worth.no_double + rng.gauss(0, NOISE)
            if lead > 0:
                yield length, Answer(_NOWHERE, situation, 1, CubeVerb.TAKE)
                if worth.double_take + rng.gauss(0, NOISE) > DROPPED:
                    return
                situation = situation.doubled()
        position = yield from _turn(engine, rng, situation, length, first=not turn)
        if position.off[0] == by_key(VARIANT).checkers:
            return
        situation = _opponents(replace(situation, position=position))


def _turn(
    engine: HouseEngine, rng: Random, situation: Situation, length: int, *, first: bool
) -> Generator[tuple[int, Decision], None, Position]:
    dice = (rng.randint(1, 6), rng.randint(1, 6))
    while first and dice[0] == dice[1]:
        dice = (rng.randint(1, 6), rng.randint(1, 6))
    play = roll_of(situation, dice)
    if len(play.choices) == 1:
        return play.choices[0].result
    yield length, play
    values = engine.plays(play, 1)
    return max(values, key=lambda value: value.equity + rng.gauss(0, NOISE)).result


def _may_double(situation: Situation) -> bool:
    cube, away = situation.cube, situation.away
    if cube.owner == THEIRS or cube.value >= _CUBE_MOST:
        return False
    return away is None or away[0] > cube.value


def _opponents(situation: Situation) -> Situation:
    """The same as the opponent sees it, who is on roll now."""
    owner = situation.cube.owner
    turned: Position = situation.position.turned(Way.AGAINST)
    return replace(
        situation,
        position=turned,
        cube=Cube(
            situation.cube.value, None if owner is None else THEIRS if owner == MINE else MINE
        ),
        away=None if situation.away is None else situation.away[::-1],
    )
