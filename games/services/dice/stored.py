"""The dice of games in the database: found or made, opened, and entered in the public log.

Everything here happens in a transaction that holds the lock of the table.
"""

import secrets
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import OperationalError, connection

from backgammon.dice.chain import VALUE_BYTES
from backgammon.dice.opening import Mode, canonical_json
from games.models import GameDice, Table
from games.modes.terms import Terms
from games.services.dice.keys import secret_hide
from games.services.dice.parts import DiceSide, bot_side, house_element
from games.table.errors import Busy
from games.table.state import TableState, variant_of

#: rules of the game as the opening names them; raised whenever a rule changes its meaning.
RULES_VERSION: Final = "2026-12"


def dice_mode(terms: Terms) -> Mode:
    """The mode of the dice at a table: L wherever anything of value can be won or lost.

    Whoever seats people for an event says so in the terms (`Terms.for_prize`). Nothing else decides
    about the mode, and the audit (D3) derives from stakes and events what it had to be.
    """
    return "L" if terms.has_value else "K"


def game_stored(table: Table, state: TableState) -> GameDice:
    """The dice of the game that runs or begins next, made on first use."""
    assert state.match is not None, "dice belong to a match"
    number = state.match.games_played + 1
    found = GameDice.objects.filter(match_id=UUID(state.match.id), number=number).first()
    return found or _make(table, state, number)


def opening_store(game: GameDice) -> None:
    """Write what fixes the dice of a game for ever, and enter it in the public log.

    Raises `Busy` when others hold the log for too long.
    """
    game.save(update_fields=["sides", "open_hash", "signature", "opened_at"])
    assert game.open_hash is not None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT games_opening_append(%s, %s)", [game.id, bytes(game.open_hash)])
    except OperationalError as error:
        raise Busy("the log of the dice is busy, try again") from error


def _make(table: Table, state: TableState, number: int) -> GameDice:
    """The dice of a game before anybody has given anything: the house's chain, its tip public."""
    assert state.match is not None
    game = GameDice(table=table, match_id=state.match.id, number=number)
    game.mode = dice_mode(state.terms)
    game.terms = _terms_text(state, game)
    secret = secrets.token_bytes(VALUE_BYTES)
    game.house_secret = secret_hide(game.id, secret)
    game.house_tip = house_element(game, 0)
    bots = [bool(person and person.get("plays_as")) for person in table.people]
    sides = [_side(game, seat, is_bot=bot) for seat, bot in enumerate(bots)]
    game.sides = msgspec.to_builtins(sides)
    game.save(force_insert=True)
    return game


def _side(game: GameDice, seat: int, *, is_bot: bool) -> DiceSide:
    """A side before its player has given anything; a house bot gives a seed, and no chain."""
    if not is_bot:
        return DiceSide()
    return bot_side(game, seat) if game.mode == "K" else DiceSide(silent=True)


def _terms_text(state: TableState, game: GameDice) -> str:
    """The terms and players of a game, as the opening binds them (RFC 8785)."""
    terms, variant = state.terms, variant_of(state.terms, game.number)
    agreed: dict[str, Any] = {
        "white": str(state.seats[0]),
        "black": str(state.seats[1]),
        "match": str(game.match_id),
        "number": game.number,
        "game": variant.key,
        "table": terms.mode,
        "mode": game.mode,
        "stake": terms.stake_cents,
        "rake_bps": terms.rake_bps,
        "rules": RULES_VERSION,
        "start_rule": state.start_rule.value,
    }
    if terms.for_prize:
        agreed["prize"] = True
    if variant.dice_count != 2:
        agreed["dice"] = variant.dice_count
    return canonical_json(agreed).decode()
