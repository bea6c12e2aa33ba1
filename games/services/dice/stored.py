"""The dice of games in the database: found or made, opened, and entered in the public log.

Everything here happens in a transaction that holds the lock of the table.
"""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import OperationalError, connection

from backgammon.dice.chain import VALUE_BYTES
from backgammon.dice.opening import Mode, canonical_json
from games.models import GameDice, Table
from games.modes.terms import Terms
from games.services.dice.keys import secret_hide
from games.services.dice.parts import DiceGame, DiceSide, bot_side, house_element
from games.table.errors import Busy
from games.table.state import TableState, variant_of

#: rules of the game as the opening names them; raised whenever a rule changes its meaning.
RULES_VERSION: Final = "2026-12"


def dice_mode(terms: Terms, *, team: bool = False) -> Mode:
    """The mode of the dice of a game: L wherever anything of value can be won or lost.

    Whoever seats people for an event says so in the terms (`Terms.for_prize`). A `team` plays in
    L, too: a captain who takes over has no seed. Nothing else decides about the mode, and the audit
    (D3) derives from stakes and events what it had to be.
    """
    return "L" if team or terms.has_value else "K"


def dice_begin(
    game: DiceGame,
    terms: Terms,
    agreed: Mapping[str, Any],
    bots: Iterable[bool],
    *,
    team: bool = False,
) -> Mode:
    """Fix what the dice of a game begin with, the house's chain, its tip public; answer their mode.

    Nobody has given anything yet. `agreed` are the terms and players as the opening binds them
    (RFC 8785); mode and rules are added here. `bots` says of each side whether a house bot plays.
    No game of any kind has dice without this: nothing else makes a chain of the house.
    """
    mode = dice_mode(terms, team=team)
    bound = {**agreed, "mode": mode, "rules": RULES_VERSION}
    game.terms = canonical_json(bound).decode()
    game.house_secret = secret_hide(game.id, secrets.token_bytes(VALUE_BYTES))
    game.house_tip = house_element(game, 0)
    sides = [_bot(game, seat, mode) if bot else DiceSide() for seat, bot in enumerate(bots)]
    game.sides = msgspec.to_builtins(sides)
    return mode


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
    assert state.match is not None
    game = GameDice(table=table, match_id=state.match.id, number=number)
    bots = [bool(person and person.get("plays_as")) for person in table.people]
    game.mode = dice_begin(game, state.terms, _agreed(state, game), bots)
    game.save(force_insert=True)
    return game


def _bot(game: DiceGame, seat: int, mode: Mode) -> DiceSide:
    """The side of a house bot: it gives a seed, and no chain."""
    return bot_side(game, seat) if mode == "K" else DiceSide(silent=True)


def _agreed(state: TableState, game: GameDice) -> dict[str, Any]:
    terms, variant = state.terms, variant_of(state.terms, game.number)
    agreed: dict[str, Any] = {
        "white": str(state.seats[0]),
        "black": str(state.seats[1]),
        "match": str(game.match_id),
        "number": game.number,
        "game": variant.key,
        "table": terms.mode,
        "stake": terms.stake_cents,
        "rake_bps": terms.rake_bps,
        "start_rule": state.start_rule.value,
    }
    if terms.for_prize:
        agreed["prize"] = True
    if variant.dice_count != 2:
        agreed["dice"] = variant.dice_count
    return agreed
