"""The running games of a reader as cards, each with its board drawn by the server."""

from typing import Any

from games.pages.words import terms_line
from games.table.state import TableState

Row = dict[str, Any]


def card_of(game: Row) -> Row:
    """Return a running game (`games.services.running`) as its card shows it."""
    state, seat = game["state"], game["seat"]
    score, current = state.match.score, state.game
    return {
        **game,
        "line": terms_line(state.terms),
        "score": (score[seat], score[1 - seat]),
        "number": current.number if current else 1,
        "rolled": current.dice if current and game["my_turn"] else None,
        "rate_cents": state.terms.rate_cents,
        "pot_cents": 0 if state.terms.rate_cents else state.terms.pot_cents,
        "drawn": _drawn(state, seat),
    }


def _drawn(state: TableState, seat: int) -> Row:
    """The board from the side of a seat, as `board_drawing` takes it."""
    game, variant = state.game, state.variant
    if game is None:
        return {"position": variant.start, "variant": variant.key, "turned": False, "dice": ()}
    owner = game.cube.owner
    return {
        "position": game.position,
        "variant": variant.key,
        "turned": game.on_roll != seat,
        "dice": game.dice or (),
        "cube": game.cube.value if state.terms.has_cube else None,
        "cube_owner": None if owner is None else "me" if owner == seat else "op",
    }
