"""OGID: a decision in one line, as OpenGammon and HedgeHog write it.

``white:black:cube:dice:who:state:score white:score black:length:moves[:checkers]``. White is X of
an XGID. A side is the points of its checkers in base 26, from 0 to p: Black's own points, and
White's as 25 minus their own, so that White's bar is 0 and Black's is p. ``cube`` is the owner (N
for none), the power of two and N, or O while a double waits. ``who`` reached the position: the
other one decides. Jacoby, beavers and the largest cube are not said.

Source: docs/OGID.md of HedgeHog, checked against what gammonview 3.1.0 writes.
"""

from __future__ import annotations

import re
from typing import Final

from backgammon.rules.errors import NotationError
from backgammon.rules.position import POINTS
from backgammon.rules.position_id import join_sides, sides
from backgammon.rules.xgid import O, Offer, X, Xgid

_SIGNS: Final = "0123456789abcdefghijklmnop"
_BAR: Final = POINTS + 1
_FIELDS_LEAST, _FIELDS_MOST = 9, 11
_CHECKERS: Final = 15
_PLAYERS: Final = {"W": X, "B": O}
_NAMES: Final = {X: "W", O: "B", None: "N"}
_CUBE: Final = re.compile(r"([NWBD?])([0-9])([NOTP])")
_LENGTH: Final = re.compile(r"([0-9]{1,4})(C|L|G[0-9]{1,3})?", re.ASCII)
_SCORE: Final = re.compile(r"[0-9]{1,4}", re.ASCII)


def is_ogid(text: str) -> bool:
    """Whether a text is written like an OGID, by its third field."""
    fields = text.strip().split(":")
    return len(fields) >= _FIELDS_LEAST and _CUBE.fullmatch(fields[2]) is not None


def format_ogid(asked: Xgid) -> str:
    """The line, without what it cannot say.

    :raises NotationError: for a beaver, a raccoon, a hand or a pin.
    """
    if asked.offer in (Offer.BEAVER, Offer.RACCOON):
        raise NotationError("an OGID knows neither beaver nor raccoon")
    if any(asked.position.hand) or asked.position.pinned:
        raise NotationError("an OGID cannot hold checkers in the hand or under a pin")
    white, black = sides(asked.position)
    is_offered = asked.offer is Offer.DOUBLE
    reached = asked.turn if is_offered else 1 - asked.turn
    owner, power = _NAMES[asked.cube_owner], asked.cube_value.bit_length() - 1
    fields = (
        "".join(_SIGNS[_BAR - point] * white[point - 1] for point in range(_BAR, 0, -1)),
        "".join(_SIGNS[point] * black[point - 1] for point in range(1, _BAR + 1)),
        f"{owner}{power}{'O' if is_offered else 'N'}",
        "".join(map(str, sorted(asked.dice or ()))),
        _NAMES[reached],
        "D" if is_offered else "R" if asked.dice else "",
        *asked.score,
        f"{asked.length}{'C' if asked.crawford else ''}",
        0,
    )
    return ":".join(map(str, fields))


def parse_ogid(text: str) -> Xgid:
    """The decision in a line; who has taken or dropped, the state and the moves are passed over.

    :raises NotationError: naming the field that cannot be read.
    """
    fields = text.strip().split(":")
    if not _FIELDS_LEAST <= len(fields) <= _FIELDS_MOST:
        raise NotationError(f"an OGID has {_FIELDS_LEAST} to {_FIELDS_MOST} fields")
    cube, length = _CUBE.fullmatch(fields[2]), _LENGTH.fullmatch(fields[8])
    if cube is None or length is None or fields[4] not in _PLAYERS:
        raise NotationError("an OGID has a cube like N0N, W or B, and the length of the match")
    if not all(_SCORE.fullmatch(score) for score in fields[6:8]):
        raise NotationError("OGID: a score is a number")
    dice = tuple(int(sign) for sign in fields[3] if sign in "123456")
    if len(dice) != len(fields[3]) or len(dice) not in (0, 2):
        raise NotationError(f"OGID field 4 (dice): {fields[3]!r} is no roll")
    white, black = (_side(fields[player], player) for player in (X, O))
    reached = _PLAYERS[fields[4]]
    is_offered = cube[3] == "O"
    points = int(length[1])
    return Xgid(
        position=join_sides(white, black, _CHECKERS, "OGID"),
        cube_value=1 << int(cube[2]),
        cube_owner=_PLAYERS.get(cube[1]),
        turn=reached if is_offered else 1 - reached,
        dice=(dice[0], dice[1]) if dice and not is_offered else None,
        offer=Offer.DOUBLE if is_offered else None,
        score=(int(fields[6]), int(fields[7])),
        length=points,
        crawford=length[2] == "C" and points > 0,
    )


def _side(field: str, player: int) -> list[int]:
    """How many checkers a player has on each of their own points, and on the bar."""
    counts = [0] * _BAR
    for place, sign in enumerate(field, start=1):
        point = _SIGNS.find(sign)
        own = _BAR - point if player == X else point
        if point < 0 or not 1 <= own <= _BAR:
            raise NotationError(f"OGID: {sign!r} is no point", text=field, column=place)
        counts[own - 1] += 1
    return counts
