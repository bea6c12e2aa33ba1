"""A match or a position, judged by the engine that fits its variant."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backgammon.analysis.depths import AGAIN, Depth, analysed, judged, judged_at
from backgammon.counting.chances import span
from backgammon.counting.decisions import (
    Answer,
    DecidedPlay,
    Decision,
    DecisionPlace,
    Doubling,
    decisions,
    length_check,
)
from backgammon.counting.figures import Figures, Judged, figures, without_luck
from backgammon.counting.positions import away_check, roll_of, situation_of, xgid_of
from backgammon.counting.situation import Situation
from backgammon.engines.engine import HouseEngine
from backgammon.engines.house import ANALYSED, engine_for
from backgammon.formats.record import CubeVerb, MatchRecord
from backgammon.rules.match import FormatKind
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

_ALONE = DecisionPlace(1, 1, 0)


class NoEngine(ValueError):
    """No engine here can judge this variant, or a position with this cube."""

    code = "no_engine"


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """A match with all of its decisions judged, in the order in which they were made."""

    record: MatchRecord
    decisions: tuple[Judged, ...]
    engine: str
    """The name and the version of the engine."""
    depth: Depth

    @property
    def figures(self) -> tuple[Figures, Figures]:
        """The error rate, luck and their likes of both seats."""
        return figures(self.decisions, 0), figures(self.decisions, 1)

    def without_luck(self, seat: int) -> float | None:
        """The result of a seat less the luck of all rolls.

        The chance (0 to 1) to have won a match; in single games, the points. None if the match
        has not ended, or if luck was not counted (depth "quick").
        """
        both, score = self.figures, self.record.score
        mine, theirs = score[seat], score[1 - seat]
        if self.record.kind is not FormatKind.POINTS:
            result = float(mine - theirs)
        elif max(score) >= self.record.length:
            result = float(mine > theirs)
        else:
            return None
        return without_luck(result, both[seat].gift, both[1 - seat].gift)


def analyse_match(record: MatchRecord, *, depth: Depth = "full") -> MatchAnalysis:
    """Judge every decision of a match.

    "quick" takes seconds and counts no luck, "full" some minutes, "deep" looks again at errors.

    :raises NoEngine: if no engine supports any of its variants.
    :raises MatchTooLong: for a match to more points than the match table has.
    """
    engine = engine_for(record.variants)
    rows = tuple(match_judged(record, engine, depth))
    return MatchAnalysis(record, rows, f"{engine.name} {engine.version}", depth)


def match_judged(record: MatchRecord, engine: HouseEngine, depth: Depth) -> Iterator[Judged]:
    """Every decision of a match, each as soon as it is judged.

    :raises NoEngine: if no engine supports any of its variants.
    :raises MatchTooLong: for a match to more points than the match table has.
    """
    length_check(record)
    unknown = [variant for variant in record.variants if variant not in ANALYSED]
    if unknown and len(unknown) == len(record.variants):
        raise NoEngine(f"no engine supports {', '.join(unknown)}")
    yield from analysed(decisions(record), engine, depth)


def analyse(
    position: Position | Situation | str,
    dice: Sequence[int] | None = None,
    *,
    variant: str = "backgammon",
    depth: Depth = "full",
    engine: HouseEngine | None = None,
) -> Judged:
    """Judge the plays of a roll or, without dice, the cube before it.

    `position` is seen by the player on roll. In a text (an XGID, or GNU Backgammon's Position ID
    with or without a Match ID) the score, the cube and perhaps the dice are given, too; a
    `Position` alone is unlimited play with the cube in the middle. The options are in
    `judgement.options`, the best first, with equities in points of the cube.

    :raises RulesError: if the text cannot be read, the position cannot stand, or these are no dice.
    :raises NoEngine: if no engine supports the variant.
    """
    decision = decision_about(position, dice, variant=variant)
    situation = decision.situation
    engine = engine or engine_for({situation.variant})
    if situation.variant not in ANALYSED or not engine.supports(situation):
        raise NoEngine(f"no engine supports {situation.variant} with this cube")
    # "deep" is as deep as it goes for a position that is asked for by itself
    judgement = (
        judged_at(decision, engine, AGAIN) if depth == "deep" else judged(decision, engine, depth)
    )
    luck = engine.luck(decision) if isinstance(decision, DecidedPlay) and depth != "quick" else None
    return Judged(decision, judgement, span(situation, engine.table), luck)


def decision_about(
    position: Position | Situation | str,
    dice: Sequence[int] | None = None,
    *,
    variant: str = "backgammon",
) -> Decision:
    """The decision that a position leaves open: the play of the dice, a double, or its answer.

    :raises RulesError: as `analyse` does.
    """
    roll = None if dice is None else (dice[0], dice[1])
    if isinstance(position, str):
        xgid = xgid_of(position)
        situation, roll = situation_of(xgid, variant), roll or xgid.dice
        if roll is None and xgid.offer is not None:
            return Answer(_ALONE, situation, 1, CubeVerb.TAKE)
    elif isinstance(position, Position):
        by_key(variant).check(position)
        situation = Situation(position, has_cube=by_key(variant).has_cube, variant=variant)
    else:
        situation = position
        if situation.away is not None:
            away_check(situation.away)
    if roll is not None:
        return roll_of(situation, roll)
    return Doubling(_ALONE, situation, doubled=False)
