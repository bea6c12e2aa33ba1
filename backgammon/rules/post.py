"""A decision as text for a post in a forum: the board, what is asked, and the lines to copy."""

from __future__ import annotations

from backgammon.rules.drawing import draw
from backgammon.rules.ogid import format_ogid
from backgammon.rules.xgid import Offer, X, Xgid

_ASKED = {
    Offer.DOUBLE: "X doubles: take or drop?",
    Offer.BEAVER: "X beavers: accept or drop?",
    Offer.RACCOON: "X raccoons: accept or drop?",
}


def post_text(asked: Xgid) -> str:
    """The board as its player on roll sees it, who is X, the question, XGID and OGID.

    :raises NotationError: for a position that an XGID cannot say.
    """
    lines = [draw(asked.mover_position()), "", _stakes(asked), _question(asked), "", asked.text()]
    if asked.offer in (None, Offer.DOUBLE):
        lines.append(f"OGID={format_ogid(asked)}")
    return "\n".join(lines)


def _stakes(asked: Xgid) -> str:
    """The score and the cube."""
    if asked.length:
        mine, theirs = asked.score if asked.turn == X else asked.score[::-1]
        score = f"match to {asked.length}, X {mine} – O {theirs}"
        score += ", Crawford's game" if asked.crawford else ""
    else:
        rules = [name for name in ("jacoby", "beavers") if getattr(asked, name)]
        score = "unlimited play" + (f" with {' and '.join(rules)}" if rules else "")
    owner = "" if asked.cube_owner is None else "X" if asked.cube_owner == asked.turn else "O"
    return f"{score}; cube at {asked.cube_value}" + (f", {owner} owns it" if owner else "")


def _question(asked: Xgid) -> str:
    if asked.offer is not None:
        return _ASKED[asked.offer]
    if asked.dice is None:
        return "X is on roll: double or not?"
    return f"X plays {asked.dice[0]}{asked.dice[1]}."
