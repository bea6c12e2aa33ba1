"""A decision out of a single position: an XGID, or GNU Backgammon's IDs."""

from analysis.counting.decisions import Choice, Place, Play
from analysis.counting.situation import MINE, THEIRS, Situation
from games.rules.cube import Cube
from games.rules.errors import NotationError
from games.rules.match_id import MatchId
from games.rules.notation import match_play
from games.rules.position_id import parse_position_id
from games.rules.variants import by_key
from games.rules.xgid import Xgid

_ALONE = Place(1, 1, 0)
_LONGEST = 99


def xgid_of(text: str) -> Xgid:
    """The position in a text: an XGID, a Position ID, or one with a Match ID after a colon.

    :raises NotationError: naming the field or the character that cannot be read.
    """
    text = text.strip()
    if text.count(":") > 1:
        return Xgid.parse(text)
    position, _, match = text.partition(":")
    return Xgid.from_gnu(parse_position_id(position), MatchId.parse(match) if match else MatchId())


def situation_of(xgid: Xgid) -> Situation:
    """The position as its player on roll sees it.

    :raises InvalidPosition: if it cannot stand in backgammon.
    :raises NotationError: for a score that no match has.
    """
    mover = xgid.turn
    position = xgid.mover_position()
    by_key("backgammon").check(position)
    away = None
    if xgid.length:
        needed = [xgid.length - points for points in xgid.score]
        if min(needed) < 1 or xgid.length > _LONGEST:
            raise NotationError(
                f"nobody plays on at {xgid.score[0]}:{xgid.score[1]} in a match to {xgid.length}"
            )
        away = (needed[mover], needed[1 - mover])
    owner = xgid.cube_owner
    return Situation(
        position=position,
        cube=Cube(xgid.cube_value, None if owner is None else MINE if owner == mover else THEIRS),
        away=away,
        crawford=xgid.crawford,
        jacoby=xgid.jacoby,
        beavers=xgid.beavers,
    )


def roll_of(situation: Situation, dice: tuple[int, int], played: str | None = None) -> Play:
    """The choices of a roll; without a play made, or with the one that a text means.

    :raises RulesError: if these are no dice, or the text is no legal play of them.
    """
    legal = by_key(situation.variant).legal_plays(situation.position, dice)
    by_result = {result: Choice(moves, result) for moves, result in legal.graph.ends()}
    made = None
    if played is not None:
        made = by_result[legal.graph.follow(match_play(situation.position, legal, played))]
    return Play(_ALONE, situation, dice, tuple(by_result.values()), made)
