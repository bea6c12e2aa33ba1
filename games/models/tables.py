"""Tables, their matches, their events and what must happen at them in time."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.utils import timezone
from django.utils.functional import cached_property


class Table(models.Model):
    """A table. `state` is the folded state after `seq` events, `people` the players by seat."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="tables_opened",
        db_index=False,  # table_by_opener begins with it
    )
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="tables_joined",
        null=True,
        blank=True,
        db_index=False,  # table_by_guest begins with it
    )
    mode = models.CharField(max_length=16)
    variant = models.CharField(max_length=24)
    stake_cents = models.BigIntegerField()
    phase = models.CharField(max_length=24)
    seq = models.BigIntegerField()
    state = models.JSONField()
    people = models.JSONField(default=list)
    fair = models.JSONField(null=True, blank=True, default=None)
    """The public part of the running game's dice, as the view shows it; None without a game."""
    code = models.CharField(max_length=8, null=True, blank=True, unique=True, editable=False)
    """The letters of a private table; None for one that the lobby lists."""
    strength_span = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many strength groups a guest may be away from the opener; None: any."""
    arranged = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether both players were seated here; such a table never opens again in the lobby."""
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)
    version = models.BigIntegerField(default=0, db_default=0, editable=False)
    """How often the row was changed; the database counts. What a fast lane relies on."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["opener"], condition=Q(phase="open"), name="one_open_table_a_player"
            ),
            models.CheckConstraint(
                condition=Q(guest__isnull=True) | ~Q(guest=models.F("opener")),
                name="table_has_two_different_players",
            ),
            models.CheckConstraint(
                condition=Q(stake_cents__gte=0), name="table_stake_not_negative"
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(phase="open"), name="table_open_by_age"
            ),
            models.Index(fields=["guest", "-changed_at"], name="table_by_guest"),
            models.Index(fields=["opener", "-changed_at"], name="table_by_opener"),
        ]

    @cached_property
    def key(self) -> str:
        """Its id as text."""
        return str(self.id)

    def __str__(self) -> str:
        return f"{self.mode} table {self.id}"


class Match(models.Model):
    """A match with its terms as they were, and its result. In the books it is `match:<id>`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(
        Table,
        on_delete=models.PROTECT,
        related_name="matches",
        db_index=False,  # match_number_a_table begins with it
    )
    number = models.PositiveIntegerField()
    mode = models.CharField(max_length=16)
    variant = models.CharField(max_length=24)
    player_0 = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    player_1 = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    stake_cents = models.BigIntegerField()
    terms = models.JSONField(default=dict)
    rated = models.BooleanField(default=True, db_default=True)
    """Whether its result moves ratings: fixed when it begins, by the pair limit of the house."""
    rated_games = models.PositiveIntegerField(null=True, blank=True)
    """How many games of a session move ratings, by the same limit; None: all of them."""
    winner_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=24, blank=True)
    points = models.PositiveIntegerField(default=0)
    score = models.JSONField(default=list)
    games = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    """The winner's seat (None: a draw) and the points of every game of an ended session."""
    rake_cents = models.BigIntegerField(null=True, blank=True)
    paid_cents = models.JSONField(null=True, blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        permissions = [("decide_match", "May void and adjudicate matches")]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="match_number_a_table"),
            models.CheckConstraint(
                condition=~Q(player_0=models.F("player_1")), name="match_has_two_different_players"
            ),
            models.CheckConstraint(
                condition=Q(winner_seat__isnull=True) | Q(winner_seat__in=(0, 1)),
                name="match_winner_is_a_seat",
            ),
        ]
        indexes = [
            models.Index(fields=["ended_at"], name="match_by_end"),
            models.Index(fields=["player_0", "-ended_at", "-id"], name="match_by_first"),
            models.Index(fields=["player_1", "-ended_at", "-id"], name="match_by_second"),
            models.Index(
                fields=["-started_at", "-id"],
                condition=Q(ended_at__isnull=True),
                name="match_running",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.id}"

    @property
    def score_shown(self) -> tuple[int, int]:
        """The points by seat; in a match to a number of points none beyond that number."""
        one, two = self.score or (0, 0)
        if self.terms.get("contest") != "points":
            return one, two
        length = int(self.terms["target_points"])
        return min(one, length), min(two, length)

    @property
    def reference(self) -> str:
        """The name of this match in the books and in the rating log."""
        return f"match:{self.id}"

    def game_reference(self, number: int) -> str:
        """The name of a game of a session in the rating log; games count from 1."""
        return f"{self.reference}:{number}"

    @property
    def players(self) -> tuple[int, int]:
        """The user ids by seat."""
        return (self.player_0_id, self.player_1_id)


class TableEvent(models.Model):
    """One event of a table in a row of its own. Never changed; `seq` counts without a gap.

    The rows of a table that has been closed for a while become one `EventPack`. To read events,
    use `StoredEvent`.
    """

    table = models.ForeignKey(
        Table,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,  # event_seq_a_table begins with it
    )
    seq = models.BigIntegerField()
    type = models.CharField(max_length=32)
    payload = models.JSONField()
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="event_seq_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} #{self.seq} {self.type}"


class EventPack(models.Model):
    """All events of a closed table in one row (docs/growth.md). Never changed, never deleted.

    `events` is JSON: for each event its id, the time of storing in microseconds since 1970, and
    its payload. `first_id` and `last_id` are the smallest and the largest of the ids. Only the
    database makes packs (`games_table_pack`).
    """

    table = models.OneToOneField(
        Table, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    first_id = models.BigIntegerField()
    last_id = models.BigIntegerField()
    events = models.TextField()

    def __str__(self) -> str:
        return f"events of {self.table_id}"


class StoredEvent(models.Model):
    """One event of a table, in a row or in a pack: a view for reading.

    A query names its tables by their ids; without that it would unpack the whole house.
    """

    table = models.ForeignKey(
        Table, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    seq = models.BigIntegerField()
    type = models.CharField(max_length=32)
    payload = models.JSONField()
    stored_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "games_storedevent"

    def __str__(self) -> str:
        return f"{self.table_id} #{self.seq} {self.type}"


class CommandRecord(models.Model):
    """The answer to a command, so that the same id again gets the same answer.

    `table_id` is that of a table of any kind: of a chouette or a tournament as well. `seq` is the
    last event that it caused. For a refused one it is the seq that the client had seen, and
    `refusal` the code, the message and the other fields of the answer. Old ones are deleted
    (`games.services.answers.KEPT`).
    """

    table_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    command_id = models.CharField(max_length=64)
    seq = models.BigIntegerField()
    refusal = models.JSONField(null=True, blank=True, default=None)
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table_id", "user", "command_id"], name="command_id_a_player_and_table"
            ),
        ]
        indexes = [
            models.Index(
                fields=["table_id", "user", "id"],
                condition=Q(refusal__isnull=False),
                name="command_refused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.command_id}"


class Deadline(models.Model):
    """When a table must be woken up. The sweep looks here; nothing is kept in any process."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True)
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.table_id} due {self.due_at}"
