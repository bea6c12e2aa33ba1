"""The players' parts in the dice of one game: what they give, who is awaited, and the opening.

Nothing is written here, and no table is known: `FairDice` and the dice of a chouette build on it.
"""

import re
import secrets
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

import msgspec
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from backgammon.dice.chain import (
    HOUSE,
    LENGTH,
    NO_TIP,
    ROLES,
    VALUE_BYTES,
    absent_element,
    chains_back,
    steps,
)
from backgammon.dice.opening import Mode, commitment, context_hash, open_hash
from backgammon.dice.rolls import Flag, roll_dice
from games.services.dice.keys import opening_sign, secret_show, seed_hide, seed_show
from games.table.errors import TableError

HEXADECIMAL: Final = re.compile("[0-9a-f]{64}")


class DiceGame(Protocol):
    """A row with the dice of a game, `GameDice` or one like it."""

    id: Any
    terms: Any
    house_tip: Any
    house_secret: Any
    next_roll: Any
    open_hash: Any
    signature: Any
    opened_at: Any
    sides: Any

    @property
    def key(self) -> str:
        """Its id as text."""

    @property
    def mode(self) -> Any:
        """The mode of its dice."""


class DiceRefused(TableError):
    """A player's part in the dice does not fit: another game, too late, or not of their chain."""

    code = "dice_refused"
    sentence = _("The game has moved on. Please roll again.")


class DiceSide(msgspec.Struct, kw_only=True):
    """One player's part in the dice, in hexadecimal. `value` is the tip (L) or commitment (K).

    `hidden` is the seed of a house bot until the opening, encrypted. `seen` is the last real
    element, the `depth`-th of the chain. A `silent` side has not answered last time and is not
    waited for until its client is there again.
    """

    value: str | None = None
    seed: str | None = None
    hidden: str | None = None
    seen: str | None = None
    depth: int = 0
    element: str | None = None
    silent: bool = False


def part_bytes(value: str) -> bytes:
    """32 bytes from 64 small hexadecimal digits. Raises `DiceRefused`."""
    if not HEXADECIMAL.fullmatch(value):
        raise DiceRefused("a part in the dice is 32 bytes in small hexadecimal digits")
    return bytes.fromhex(value)


#: of a chain so many elements are kept in memory that each is at most so many steps away.
KEPT_EVERY: Final = 8


def house_element(game: DiceGame, index: int) -> bytes:
    """Element `index` (0 to 1024) of the house's chain of this game."""
    kept = _kept_of(game.id, bytes(game.house_secret))
    above = -(-index // KEPT_EVERY)
    return steps(game.id.bytes, HOUSE, kept[above], above * KEPT_EVERY - index)


@lru_cache(maxsize=4096)
def _kept_of(game_id: UUID, hidden: bytes) -> tuple[bytes, ...]:
    """Every eighth element from the tip, cached for recent games: 8 kB each instead of 65."""
    kept = [secret_show(game_id, hidden)]
    for _turn in range(LENGTH // KEPT_EVERY):
        kept.append(steps(game_id.bytes, HOUSE, kept[-1], KEPT_EVERY))
    return tuple(reversed(kept))


def bot_side(game: DiceGame, seat: int) -> DiceSide:
    """The side of a house bot in a game of mode K: committed to a fresh seed, which stays hidden.

    Needs the game's terms and the house's tip; the commitment contains both.
    """
    seed = secrets.token_bytes(VALUE_BYTES)
    ctx = context_hash(game.terms.encode())
    bound = commitment(game.id.bytes, ctx, ROLES[seat], bytes(game.house_tip), seed)
    return DiceSide(value=bound.hex(), hidden=seed_hide(game.id, ROLES[seat], seed).hex())


def bot_reveal(game: DiceGame, seat: int, side: DiceSide) -> None:
    """Show the seed of a house bot, as the opening has fixed all commitments."""
    if side.hidden is not None:
        seed = seed_show(game.id, ROLES[seat], bytes.fromhex(side.hidden))
        side.seed, side.hidden = seed.hex(), None


#: how long a roll waits for the parts of players whose clients take part.
ROLL_WAIT_MS: Final = 1500

#: flags of a roll as plain numbers: `|` of an IntFlag costs more than the hash of a roll.
ABSENT: Final = (int(Flag.WHITE_ABSENT), int(Flag.BLACK_ABSENT))
MODE_FLAG: Final = {"K": int(Flag.MODE_K), "L": int(Flag.NONE)}


Row = TypeVar("Row", bound=DiceGame)


class MadeRoll(NamedTuple):
    """A roll with the three parts that made it: the fields of `DiceRoll`."""

    n: int
    kind: int
    flags: int
    house: bytes
    white: bytes
    black: bytes
    dice: tuple[int, ...]


class Parts(Generic[Row]):
    """The parts of both players in the dice of one game."""

    game: Row
    sides: list[DiceSide]
    _changed: bool
    _opened: list[Row]

    def give_value(self, seat: int, value: str) -> None:
        """A player's tip or commitment; a repeated one shows that their client is there.

        Raises `DiceRefused` once the game's dice are open, or if they have given another one.
        """
        game, side = self.game, self.sides[seat]
        part_bytes(value)
        if side.value == value:
            side.silent = False
        elif side.value is not None:
            raise DiceRefused("another of your clients gives its part in this game's dice")
        elif game.open_hash is not None:
            raise DiceRefused("the dice of this game are open already")
        else:
            side.value = value
            if all(each.value for each in self.sides):
                self._open(game)
        self._changed = True

    def give_seed(self, seat: int, seed: str) -> None:
        """A player's seed (mode K), shown once both commitments are fixed. Raises `DiceRefused`."""
        game, side = self.game, self.sides[seat]
        if game.mode != "K" or game.open_hash is None or side.value is None:
            raise DiceRefused("no seed is wanted now")
        bound = commitment(
            game.id.bytes,
            context_hash(game.terms.encode()),
            ROLES[seat],
            bytes(game.house_tip),
            part_bytes(seed),
        )
        if bound.hex() != side.value:
            raise DiceRefused("this is not the seed you are bound to")
        side.seed, side.silent = seed, False
        self._changed = True

    def give_element(self, seat: int, n: int, element: str) -> None:
        """A player's part in roll `n` (mode L). Raises `DiceRefused`."""
        game, side = self.game, self.sides[seat]
        if game.mode != "L" or n != game.next_roll:
            raise DiceRefused(f"roll {n} takes no parts now")
        if side.value is None:
            raise DiceRefused("you take no part in this game's dice")
        seen = part_bytes(side.seen or side.value)
        given = part_bytes(element)
        if not chains_back(game.id.bytes, ROLES[seat], given, seen, n + 1 - side.depth):
            raise DiceRefused(f"this is not element {n + 1} of your chain")
        side.element = element
        side.silent = False
        self._changed = True

    def awaited(self) -> list[int]:
        """The seats whose parts in the next roll are still to come.

        Before the opening it is the seat that has given nothing yet, if another person has: a
        house bot's part is always there and says nothing about who is still coming.
        """
        game = self.game
        given = any(side.value and not side.hidden for side in self.sides)
        opening = game.open_hash is None and given
        part = "seed" if game.mode == "K" else "element"
        return [
            seat
            for seat, side in enumerate(self.sides)
            if not side.silent
            and not side.hidden
            and (opening if not side.value else not getattr(side, part))
        ]

    # --- rolls and what is seen of them ----------------------------------------------------------

    def make_roll(self, kind: int, count: int) -> MadeRoll:
        """The next roll from the parts that are there; its number is used up."""
        game = self.game
        if game.open_hash is None:
            self._open(game)
        n = game.next_roll
        (white, one), (black, two) = (self._part(game, seat, n) for seat in (0, 1))
        flags, house = one | two | MODE_FLAG[game.mode], house_element(game, n + 1)
        dice = roll_dice(
            house,
            game_id=game.id.bytes,
            ctx=context_hash(game.terms.encode()),
            n=n,
            kind=kind,
            flags=flags,
            white=white,
            black=black,
            count=count,
        )
        game.next_roll = n + 1
        self._changed = True
        return MadeRoll(n, kind, flags, house, white, black, tuple(dice))

    def shown(self, rolls: list[Any]) -> dict[str, Any]:
        """The public view of these dice, with these rolls (`games.table.view_types.FairView`)."""
        game = self.game
        awaited = self.awaited() if game.next_roll < LENGTH else []
        return {
            "protocol": "BGD1",
            "game": game.key,
            "mode": game.mode,
            "terms": game.terms,
            "house": bytes(game.house_tip).hex(),
            "given": [side.value for side in self.sides],
            "revealed": [side.seed is not None for side in self.sides],
            "open": bytes(game.open_hash).hex() if game.open_hash else None,
            "next": game.next_roll,
            "wanted": [seat in awaited for seat in (0, 1)],
            "rolls": rolls,
        }

    # --- inside --------------------------------------------------------------------------------

    def _part(self, game: Row, seat: int, n: int) -> tuple[bytes, int]:
        """A player's part in roll `n`; flagged if it only stands for their absence."""
        side = self.sides[seat]
        given = side.seed if game.mode == "K" else side.element
        if given is None:
            side.silent = True
            last = part_bytes(side.seen or side.value) if side.value else NO_TIP
            return absent_element(game.id.bytes, ROLES[seat], n, last), ABSENT[seat]
        if game.mode == "L":
            side.seen, side.depth, side.element = given, n + 1, None
        return part_bytes(given), 0

    def _open(self, game: Row) -> None:
        """From here on everything about this game's dice is fixed, and the game must be played."""
        white, black = (part_bytes(side.value) if side.value else NO_TIP for side in self.sides)
        ctx = context_hash(game.terms.encode())
        mode: Mode = "K" if game.mode == "K" else "L"
        hashed = open_hash(game.id.bytes, ctx, mode, bytes(game.house_tip), white, black)
        game.open_hash, game.signature = hashed, opening_sign(hashed)
        game.opened_at = timezone.now()
        for seat, side in enumerate(self.sides):
            bot_reveal(game, seat, side)
        self._opened.append(game)
        self._changed = True
