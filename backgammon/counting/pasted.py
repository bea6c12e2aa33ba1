"""A position out of a text that somebody pastes: the notation is recognised by its form.

XGID, OGID, GNU Backgammon's Position ID and Match ID (alone, joined by a colon, or as the program
prints both), and a FIBS board line. The rest of the text around a line or a pair of IDs is passed
over, so a whole post of a forum can be pasted.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from backgammon.counting.positions import offer_check
from backgammon.rules import match_id, position_id
from backgammon.rules.errors import NotationError
from backgammon.rules.fibs_board import FibsBoard
from backgammon.rules.match_id import MatchId
from backgammon.rules.ogid import parse_ogid
from backgammon.rules.position_id import parse_position_id
from backgammon.rules.xgid import PREFIX, O, Offer, X, Xgid

Notation = Literal["xgid", "ogid", "position_id", "gnubg_id", "match_id", "fibs"]

#: a longer text is no position; posts with rollouts have 2,800 characters.
LONGEST: Final = 4_000

_XGID: Final = re.compile(re.escape(PREFIX) + r"\S+")
_OGID: Final = re.compile(r"(?<![^\s=])[0-9a-p]{0,15}:[0-9a-p]{0,15}:[NWBD?][0-9][NOTP]:\S+")
_NAMED_POSITION: Final = re.compile(r"Position ID\s*:\s*(\S+)")
_NAMED_MATCH: Final = re.compile(r"Match ID\s*:\s*(\S+)")
_FIBS: Final = re.compile(r"board:.*")


@dataclass(frozen=True, slots=True)
class PastedPosition:
    """A position and the notation that it was read from."""

    notation: Notation
    xgid: Xgid


def read_position(text: str, shown: Xgid | None = None) -> PastedPosition:
    """The position in a text; a Match ID alone changes the score and cube of the one `shown`.

    :raises NotationError: naming the field or the character that cannot be read, and for a beaver
        or a raccoon, which the board does not show.
    """
    found = _read(text, shown)
    offer_check(found.xgid)
    return found


def _read(text: str, shown: Xgid | None) -> PastedPosition:
    if len(text) > LONGEST:
        raise NotationError(f"a position has at most {LONGEST} characters")
    if line := _XGID.search(text):
        return PastedPosition("xgid", Xgid.parse(line[0]))
    if line := _OGID.search(text):
        return PastedPosition("ogid", parse_ogid(line[0]))
    if line := _FIBS.search(text):
        return PastedPosition("fibs", xgid_of_fibs(FibsBoard.parse(line[0])))
    position, match = _NAMED_POSITION.search(text), _NAMED_MATCH.search(text)
    if position or match:
        return _gnubg(position[1] if position else "", match[1] if match else "", shown)
    text = text.strip()
    if text.count(":") > 1:
        return PastedPosition("xgid", Xgid.parse(text))
    if len(text) == match_id.LENGTH:
        return _gnubg("", text, shown)
    first, _, second = text.partition(":")
    return _gnubg(first.strip(), second.strip(), shown)


def _gnubg(position: str, match: str, shown: Xgid | None) -> PastedPosition:
    """The position of GNU Backgammon's IDs, of which one may be missing."""
    if not position and not match:
        raise NotationError("there is nothing to read")
    if position:
        told = MatchId.parse(match) if match else MatchId(on_roll=1, to_decide=1)
        notation: Notation = "gnubg_id" if match else "position_id"
        return PastedPosition(notation, Xgid.from_gnu(parse_position_id(position), told))
    if shown is None:
        raise NotationError(
            f"a Match ID has no board: put a Position ID of {position_id.LENGTH} characters and a"
            " colon before it"
        )
    told = MatchId.parse(match)
    board = shown.position if told.on_roll == 1 else replace(shown, turn=O).mover_position()
    return PastedPosition("match_id", Xgid.from_gnu(board, told))


def xgid_of_fibs(line: FibsBoard) -> Xgid:
    """The decision on a FIBS board line; its reader is X.

    :raises NotationError: for a game that is over, or a board that says something impossible.
    """
    if line.turn is None:
        raise NotationError("FIBS field 32 turn: the game is over")
    if line.length and max(line.score) >= line.length:
        raise NotationError("FIBS fields 4 and 5: the match is over")
    turn = O if line.was_doubled else line.turn
    dice = line.dice if turn == X else line.opponent_dice
    owner = None
    if line.cube_value > 1 and line.may_double.count(True) == 1:
        owner = line.may_double.index(True)
    needs_one = bool(line.length) and line.length - max(line.score) == 1
    return Xgid(
        position=line.position,
        cube_value=line.cube_value,
        cube_owner=owner,
        turn=turn,
        dice=None if line.was_doubled else dice,
        offer=Offer.DOUBLE if line.was_doubled else None,
        score=line.score,
        length=line.length,
        crawford=needs_one and not line.did_crawford and line.cube_value == 1,
    )
