"""The dice of a game as anyone can check them (docs/dice.md), and the public log of openings."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property

from games.models.tables import Match, Table


class GameDice(models.Model):
    """The inputs to the dice of one game: the house's chain and the two players' contributions.

    `house_tip` (32 bytes) was public before any player gave anything; `house_secret` is the far
    end of that chain, encrypted (`games.services.dice.keys`). `sides` has one
    `games.services.dice.parts.DiceSide` for each seat. The database refuses to change fixed values.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(
        Match,
        on_delete=models.PROTECT,
        related_name="dice",
        db_index=False,  # dice_once_a_game begins with it
    )
    number = models.PositiveIntegerField()
    """The game's number in its match."""
    mode = models.CharField(max_length=1, choices=[("L", "chains"), ("K", "seeds")])
    terms = models.TextField()
    house_tip = models.BinaryField()
    house_secret = models.BinaryField()
    sides = models.JSONField()
    next_roll = models.PositiveIntegerField(default=0)
    open_hash = models.BinaryField(null=True)
    signature = models.BinaryField(null=True)
    opened_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "game dice"
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="dice_once_a_game"),
            models.CheckConstraint(
                condition=Q(open_hash__isnull=True, next_roll=0)
                | Q(open_hash__isnull=False, signature__isnull=False, opened_at__isnull=False),
                name="dice_open_before_they_roll",
            ),
        ]

    @cached_property
    def key(self) -> str:
        """Its id as text."""
        return str(self.id)

    @cached_property
    def is_of(self) -> tuple[str, int]:
        """The id of its match as text, and its number in the match."""
        return str(self.match_id), self.number

    def __str__(self) -> str:
        return f"dice of game {self.number} of match {self.match_id}"


class DiceRoll(models.Model):
    """One roll with everything that made it, in a row. Never changed; its number is used once.

    The rows of a game become one `RollPack` a while after its table was closed. To read rolls, use
    `StoredDiceRoll`.
    """

    game = models.ForeignKey(
        GameDice,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,  # roll_number_once begins with it
    )
    n = models.PositiveIntegerField()
    kind = models.PositiveSmallIntegerField()
    flags = models.PositiveSmallIntegerField()
    house = models.BinaryField()
    white = models.BinaryField()
    black = models.BinaryField()
    dice = models.JSONField()
    seq = models.BigIntegerField()
    """The table's event that brought these dice on the board."""
    rolled_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "n"], name="roll_number_once")]

    def __str__(self) -> str:
        return f"roll {self.n} of {self.game_id}"


class RollPack(models.Model):
    """All rolls of a game in one row (docs/growth.md). Never changed, never deleted.

    `rolls` is JSON with everything but the parts of the three sides. `house`, `white` and `black`
    are each side's last own part (32 bytes), from which the others follow; `white` and `black` have
    the commitment behind it if the player was absent before a seed. `first_id` and `last_id` are
    the smallest and the largest id of the rolls, `last_at` the time of the last one. Only the
    database makes packs (`games_rolls_pack`).
    """

    game = models.OneToOneField(
        GameDice, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    first_id = models.BigIntegerField()
    last_id = models.BigIntegerField()
    last_at = models.DateTimeField()
    rolls = models.TextField()
    house = models.BinaryField()
    white = models.BinaryField()
    black = models.BinaryField()

    class Meta:
        indexes = [models.Index(fields=["last_at"], name="roll_pack_by_time")]

    def __str__(self) -> str:
        return f"rolls of {self.game_id}"


class StoredDiceRoll(models.Model):
    """One roll, in a row or in a pack: a view for reading.

    A query names its games by their ids; without that it would unpack the whole house.
    """

    game = models.ForeignKey(
        GameDice, on_delete=models.DO_NOTHING, related_name="rolls", db_constraint=False
    )
    n = models.PositiveIntegerField()
    kind = models.PositiveSmallIntegerField()
    flags = models.PositiveSmallIntegerField()
    house = models.BinaryField()
    white = models.BinaryField()
    black = models.BinaryField()
    dice = models.JSONField()
    seq = models.BigIntegerField()
    rolled_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "games_storedroll"

    def __str__(self) -> str:
        return f"roll {self.n} of {self.game_id}"


class DiceLogEntry(models.Model):
    """One opening in the public log: each entry holds the hash of the one before it.

    `game` is None for the openings of other kinds of tables; their rows refer to the entry. Only
    the database appends entries (`games_opening_append`).
    """

    number = models.BigIntegerField(primary_key=True)
    game = models.OneToOneField(
        GameDice, null=True, on_delete=models.PROTECT, related_name="log_entry"
    )
    open_hash = models.BinaryField()
    previous = models.BinaryField()
    hash = models.BinaryField()
    logged_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "dice log"
        indexes = [models.Index(fields=["logged_at"], name="dice_log_by_day")]

    def __str__(self) -> str:
        return f"opening {self.number}"
