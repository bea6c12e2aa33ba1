"""A player's own part of the dice, as their client stores it."""

import secrets
from uuid import UUID

from accounts.models import User
from backgammon.dice.chain import chain_tip, roll_element
from backgammon.dice.opening import commitment, context_hash
from games.models import Table
from games.services.dice_parts import dice_part_give
from games.table import commands as cmd
from games.wire import DiceElement, DiceSeed, DiceTip

ROLES = (b"W", b"B")


class Client:
    """One player's client: makes a chain (or a seed) for each game and sends its parts."""

    def __init__(self, user: User, seat: int) -> None:
        self.user, self.role = user, ROLES[seat]
        self.secrets: dict[str, bytes] = {}

    def secret(self, fair: dict) -> bytes:
        """The far end of the chain, or the seed, of the current game."""
        return self.secrets.setdefault(fair["game"], secrets.token_bytes(32))

    def value(self, fair: dict) -> str:
        """The tip or the commitment for this game."""
        game, secret = UUID(fair["game"]).bytes, self.secret(fair)
        if fair["mode"] == "L":
            return chain_tip(game, self.role, secret).hex()
        ctx, house = context_hash(fair["terms"].encode()), bytes.fromhex(fair["house"])
        return commitment(game, ctx, self.role, house, secret).hex()

    def element(self, fair: dict, n: int) -> str:
        """The part in roll `n`."""
        return roll_element(UUID(fair["game"]).bytes, self.role, self.secret(fair), n).hex()

    def begin(self, table: Table) -> None:
        """Send the tip or the commitment."""
        self.give(table, self.tip_frame(table))

    def reveal(self, table: Table) -> None:
        """Send the seed (mode K)."""
        self.give(table, self.seed_frame(table))

    def tip_frame(self, table: Table) -> DiceTip:
        """The frame with the tip or the commitment."""
        return DiceTip(game=UUID(table.fair["game"]), value=self.value(table.fair))

    def seed_frame(self, table: Table) -> DiceSeed:
        """The frame with the seed (mode K)."""
        return DiceSeed(game=UUID(table.fair["game"]), seed=self.secret(table.fair).hex())

    def answer(self, table: Table) -> int | None:
        """Send the part of the roll that waits."""
        n = table.fair["next"]
        element = self.element(table.fair, n)
        return self.give(table, DiceElement(game=UUID(table.fair["game"]), n=n, element=element))

    def give(self, table: Table, frame: DiceTip | DiceSeed | DiceElement) -> int | None:
        """Send a frame about the dice."""
        return dice_part_give(table_id=table.pk, user_id=self.user.pk, frame=frame)

    def roll(self, table: Table) -> cmd.Roll:
        """Roll, with the player's own part in the command."""
        return cmd.Roll(element=self.element(table.fair, table.fair["next"]))
