"""The part of a house bot in the dice: a seed of its own, fixed when the game's dice are made.

The bot belongs to the house, so its part proves nothing by itself: the other player's part makes
the dice unpredictable for the house until that part is shown (docs/dice.md).
"""

import secrets

from backgammon.dice.chain import ROLES, VALUE_BYTES
from backgammon.dice.opening import commitment, context_hash
from games.services.dice.keys import seed_hide, seed_show
from games.services.dice.side import DiceGame, Side


def bot_side(game: DiceGame, seat: int) -> Side:
    """The side of a house bot in a game of mode K: committed to a fresh seed, which stays hidden.

    Needs the game's terms and the house's tip; the commitment contains both.
    """
    assert game.mode == "K", "house bots play without a stake"
    seed = secrets.token_bytes(VALUE_BYTES)
    ctx = context_hash(game.terms.encode())
    bound = commitment(game.id.bytes, ctx, ROLES[seat], bytes(game.house_tip), seed)
    return Side(value=bound.hex(), hidden=seed_hide(game.id, ROLES[seat], seed).hex())


def bot_reveal(game: DiceGame, seat: int, side: Side) -> None:
    """Show the seed of a house bot, as the opening has fixed all commitments."""
    if side.hidden is not None:
        seed = seed_show(game.id, ROLES[seat], bytes.fromhex(side.hidden))
        side.seed, side.hidden = seed.hex(), None
