"""A decision out of a position in a line, and the line: an XGID, or GNU Backgammon's IDs."""

from typing import Final

from backgammon.counting.decisions import Choice, DecidedPlay, Decision, DecisionPlace, Doubling
from backgammon.counting.situation import AWAY_MOST, MINE, THEIRS, Away, Situation
from backgammon.rules.cube import Cube
from backgammon.rules.errors import InvalidPosition, InvalidScore, NotationError
from backgammon.rules.match_id import MatchId
from backgammon.rules.notation import match_play
from backgammon.rules.ogid import is_ogid, parse_ogid
from backgammon.rules.position_id import parse_position_id
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import O, Offer, X, Xgid

_ALONE = DecisionPlace(1, 1, 0)
_LONGEST = 99

#: the largest cube at the board; nobody has ever needed a larger one.
CUBE_MOST: Final = 1024


def xgid_of(text: str) -> Xgid:
    """The position in a text: an XGID, an OGID, a Position ID, or one with a Match ID behind it.

    :raises NotationError: naming the field or the character that cannot be read.
    """
    text = text.strip()
    if is_ogid(text):
        return parse_ogid(text)
    if text.count(":") > 1:
        return Xgid.parse(text)
    position, _, match = text.partition(":")
    return Xgid.from_gnu(parse_position_id(position), MatchId.parse(match) if match else MatchId())


def situation_of(xgid: Xgid, variant: str = "backgammon", *, has_cube: bool = True) -> Situation:
    """The position as its player on roll sees it.

    :raises InvalidPosition: if it cannot stand in this variant.
    :raises NotationError: for a score that no match has.
    :raises InvalidScore: if a player needs more points than the match table has.
    """
    mover = xgid.turn
    position = xgid.mover_position()
    by_key(variant).check(position)
    away = None
    if xgid.length:
        needed = [xgid.length - points for points in xgid.score]
        if min(needed) < 1 or xgid.length > _LONGEST:
            raise NotationError(
                f"nobody plays on at {xgid.score[0]}:{xgid.score[1]} in a match to {xgid.length}"
            )
        away = (needed[mover], needed[1 - mover])
        away_check(away)
    owner = xgid.cube_owner
    return Situation(
        position=position,
        cube=Cube(xgid.cube_value, None if owner is None else MINE if owner == mover else THEIRS),
        has_cube=has_cube,
        away=away,
        crawford=xgid.crawford,
        jacoby=xgid.jacoby,
        beavers=xgid.beavers,
        variant=variant,
    )


def away_check(away: Away) -> None:
    """Raise `InvalidScore` if a player needs more points than the match table has."""
    if max(away) > AWAY_MOST:
        raise InvalidScore(
            f"a player needs {max(away)} points; the match table ends at {AWAY_MOST}"
        )


def xgid_text(
    situation: Situation,
    dice: tuple[int, ...] | None,
    *,
    offer: Offer | None = None,
    length: int = 0,
) -> str:
    """The situation in a line; the player on roll is X.

    Without the length of the match it is written as long as what is missing most.
    """
    longest = max(length, *(situation.away or (0,)))
    return xgid_of_situation(
        situation, longest, None if dice is None else (dice[0], dice[1]), offer
    ).text()


def roll_of(situation: Situation, dice: tuple[int, int], played: str | None = None) -> DecidedPlay:
    """The choices of a roll; without a play made, or with the one that a text means.

    :raises RulesError: if these are no dice, or the text is no legal play of them.
    """
    legal = by_key(situation.variant).legal_plays(situation.position, dice)
    by_result = {result: Choice(moves, result) for moves, result in legal.graph.ends()}
    made = None
    if played is not None:
        made = by_result[legal.graph.follow(match_play(situation.position, legal, played))]
    return DecidedPlay(_ALONE, situation, dice, tuple(by_result.values()), made)


def key_of(xgid: Xgid) -> Xgid:
    """The same question as everybody asks it: the player on roll is X, the higher die is first.

    A double that has been offered is the question about the cube before it.

    :raises InvalidPosition: if it cannot stand in backgammon, or the game is over.
    :raises InvalidScore: for a score or a cube that no match has.
    :raises NotationError: for a beaver or a raccoon, which change the cube before the answer.
    """
    offer_check(xgid)
    mover = xgid.turn
    owner = xgid.cube_owner
    asked = Xgid(
        position=xgid.mover_position(),
        cube_value=xgid.cube_value,
        cube_owner=None if owner is None else X if owner == mover else O,
        dice=None if xgid.dice is None else (max(xgid.dice), min(xgid.dice)),
        score=xgid.score if mover == X else xgid.score[::-1],
        length=xgid.length,
        crawford=xgid.crawford,
        jacoby=xgid.jacoby,
        beavers=xgid.beavers,
    )
    _check(asked)
    return asked


def offer_check(xgid: Xgid) -> None:
    """Refuse an offer that is no question of its own.

    :raises NotationError: for a beaver or a raccoon.
    """
    if xgid.offer not in (None, Offer.DOUBLE):
        raise NotationError("XGID field 5 (dice): the board answers no beaver and no raccoon")


def _check(asked: Xgid) -> None:
    """Refuse what an engine cannot be asked."""
    if asked.cube_value > CUBE_MOST:
        raise InvalidScore(f"the cube shows {asked.cube_value}, more than {CUBE_MOST}")
    situation = situation_of(asked)
    if max(asked.position.off) == by_key(situation.variant).checkers:
        raise InvalidPosition("the game is over: one side has borne off all of its checkers")
    if asked.crawford and (situation.away is None or 1 not in situation.away):
        raise InvalidScore("nobody needs one point only, so it is not Crawford's game")
    if asked.crawford and asked.cube_value > 1:
        raise InvalidScore("nobody doubles in Crawford's game, so the cube shows 1")
    if asked.length and asked.cube_value > 1 and asked.cube_owner is None:
        raise InvalidScore(f"a cube at {asked.cube_value} belongs to a player")


def decision_of(asked: Xgid) -> Decision:
    """The decision that a position leaves open: the play of its dice, or else the cube.

    :raises RulesError: as `situation_of` and `roll_of` do.
    """
    situation = situation_of(asked)
    if asked.dice is not None:
        return roll_of(situation, asked.dice)
    return Doubling(_ALONE, situation, doubled=False)


def xgid_of_situation(
    situation: Situation,
    length: int,
    dice: tuple[int, int] | None = None,
    offer: Offer | None = None,
) -> Xgid:
    """A position of a match to `length` points as a line; its player on roll is X.

    :raises NotationError: for a position that the line cannot say.
    """
    owner = situation.cube.owner
    score = (0, 0)
    if situation.away is not None:
        score = (length - situation.away[0], length - situation.away[1])
    return Xgid(
        position=situation.position,
        cube_value=situation.cube.value,
        cube_owner=None if owner is None else X if owner == MINE else O,
        dice=dice,
        offer=offer,
        score=score,
        length=length if situation.away is not None else 0,
        crawford=situation.crawford,
        jacoby=situation.jacoby,
        beavers=situation.beavers,
    )
