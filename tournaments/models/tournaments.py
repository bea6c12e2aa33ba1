"""Stored tournaments: terms, the journal, entries, the matches that are called."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models import Match, Table
from tournaments.models.clubs import Club

_PERSON = settings.AUTH_USER_MODEL


class Phase(models.TextChoices):
    """The phases, as the engine names them."""

    REGISTERING = "registering"
    RUNNING = "running"
    OVER = "over"
    CALLED_OFF = "called_off"


OPEN = (Phase.REGISTERING, Phase.RUNNING)


class Tournament(models.Model):
    """A tournament. In the books it is `tournament:<id>`.

    `name` is empty where moderators took it away; a `WordsRemoval` keeps it.

    `terms` are the engine's, `table_terms` those of its tables. Without `starts_at` it begins as
    soon as all places are taken. `commitment` is published before anybody enters. `hidden_secret`
    is the secret of the draw, encrypted (`games.services.dice.keys`); it stands in `secret` once
    the draw is made. `wake_at` is when something may be due.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60, blank=True)
    founder = models.ForeignKey(
        _PERSON, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="tournaments"
    )
    members_only = models.BooleanField(default=False, db_default=False)
    """Whether only members of the club can enter."""
    offer = models.CharField(max_length=32, blank=True)
    """The key of the house's offer that it came from (`tournaments/offers.py`)."""
    terms = models.JSONField()
    table_terms = models.JSONField()
    fee_cents = models.BigIntegerField(default=0)
    rake_bps = models.PositiveIntegerField(default=0)
    shares_bps = ArrayField(models.PositiveIntegerField(), default=list)
    sides_bps = ArrayField(models.PositiveIntegerField(), default=list, db_default=[])
    """The parts of all prizes for the winners of the consolation and of the last chance."""
    added_cents = models.BigIntegerField(default=0, db_default=0)
    """The credits that the house added to the fees; once, before the draw."""
    satellite_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="satellites"
    )
    """The later tournament in which its first prizes are seats."""
    starts_at = models.DateTimeField(null=True, blank=True)
    commitment = models.CharField(max_length=64)
    hidden_secret = models.BinaryField()
    secret = models.CharField(max_length=64, blank=True, editable=False)
    phase = models.CharField(max_length=12, default=Phase.REGISTERING)
    seq = models.PositiveIntegerField(default=0)
    state = models.JSONField()
    """The engine's state after the event `seq`; a cache of the journal."""
    rake_cents = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    drawn_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    cleared_at = models.DateTimeField(null=True, blank=True)
    """When the prizes were let out after the winners' screening."""
    wake_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        permissions = [("hold_paid_tournament", "May hold tournaments with an entry fee")]
        constraints = [
            models.CheckConstraint(
                condition=Q(fee_cents__gte=0, rake_bps__lte=5_000), name="tournament_fee_sound"
            ),
            models.CheckConstraint(
                condition=Q(added_cents=0) | Q(added_cents__gt=0, fee_cents__gt=0),
                name="tournament_added_to_fees",
            ),
            models.CheckConstraint(
                condition=Q(sides_bps=[])
                | Q(
                    sides_bps__len=2,
                    terms__format="consolation",
                    fee_cents__gt=0,
                    satellite_of__isnull=True,
                ),
                name="tournament_sides_of_a_consolation",
            ),
            models.CheckConstraint(
                condition=Q(satellite_of__isnull=True) | Q(fee_cents__gt=0),
                name="tournament_satellite_has_a_fee",
            ),
            models.CheckConstraint(
                condition=Q(phase__in=[phase.value for phase in Phase]),
                name="tournament_phase_known",
            ),
            models.CheckConstraint(
                condition=Q(phase__in=["over", "called_off"], ended_at__isnull=False)
                | Q(phase__in=["registering", "running"], ended_at__isnull=True),
                name="tournament_over_has_end",
            ),
            models.CheckConstraint(
                condition=Q(drawn_at__isnull=True, secret="")
                | Q(drawn_at__isnull=False) & ~Q(secret=""),
                name="tournament_secret_open_once_drawn",
            ),
            models.CheckConstraint(
                condition=Q(members_only=False) | Q(club__isnull=False),
                name="tournament_members_have_a_club",
            ),
            models.UniqueConstraint(
                fields=["offer"],
                condition=Q(phase="registering") & ~Q(offer=""),
                name="tournament_offer_fills_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["wake_at"], condition=Q(wake_at__isnull=False), name="tournament_due"
            ),
            models.Index(fields=["phase", "starts_at"], name="tournament_calendar"),
            models.Index(fields=["-ended_at"], name="tournament_by_end"),
        ]

    def __str__(self) -> str:
        return self.name or self.reference

    @property
    def reference(self) -> str:
        """The name of this tournament in the books."""
        return f"tournament:{self.id}"

    @property
    def has_value(self) -> bool:
        """Return True if a fee, a prize or a seat can be won or lost."""
        return bool(self.fee_cents or self.added_cents or self.satellite_of_id)

    @property
    def is_open(self) -> bool:
        """Whether something can still happen."""
        return self.phase in OPEN


class TournamentEvent(models.Model):
    """One event of the journal; `seq` counts without a gap. Never changed, never deleted."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    payload = models.JSONField()
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "seq"], name="tournament_event_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} #{self.seq}"


class Entry(models.Model):
    """One entry of a player; who comes back after a withdrawal has another one.

    `part` (hex) is the player's part in the draw. A seat that was won in the satellite `won_in` has
    one that follows from theirs there, until they give another, once. `first_place` to `last_place`
    are the places that they share at the end.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="tournament_entries")
    number = models.PositiveIntegerField()
    part = models.CharField(max_length=64)
    won_in = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, null=True, blank=True, related_name="seats_won"
    )
    part_given_at = models.DateTimeField(null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    """When they withdrew before the draw; the fee went back."""
    gave_up_at = models.DateTimeField(null=True, blank=True)
    """When they withdrew after the draw."""
    first_place = models.PositiveIntegerField(null=True, blank=True)
    last_place = models.PositiveIntegerField(null=True, blank=True)
    prize_cents = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number"),
            models.UniqueConstraint(
                fields=["tournament", "user"],
                condition=Q(withdrawn_at__isnull=True),
                name="entry_once_a_player",
            ),
            models.CheckConstraint(
                condition=Q(prize_cents__isnull=True) | Q(prize_cents__gte=0),
                name="entry_prize_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament_id}"


class Meeting(models.Model):
    """A pairing of the journal, from the call of its players to its result.

    The table opens when both are ready, or when `due_at` has passed. `undone` is set where a
    correction took the pairing back.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="meetings")
    number = models.PositiveIntegerField()
    place = models.CharField(max_length=40)
    player_0 = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    player_1 = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    called_at = models.DateTimeField()
    due_at = models.DateTimeField()
    ready_0 = models.BooleanField(default=False)
    ready_1 = models.BooleanField(default=False)
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, null=True, blank=True, related_name="tournament_meeting"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    undone = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="meeting_number"),
            models.CheckConstraint(
                condition=~Q(player_0=F("player_1")), name="meeting_of_two_players"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(decided_at__isnull=True, undone=False),
                name="meeting_waits",
            ),
            models.Index(fields=["player_0", "-called_at"], name="meeting_of_first"),
            models.Index(fields=["player_1", "-called_at"], name="meeting_of_second"),
        ]

    def __str__(self) -> str:
        return f"meeting {self.number} of {self.tournament_id}"

    @property
    def players(self) -> tuple[int, int]:
        """The user ids by seat."""
        return (self.player_0_id, self.player_1_id)


_KEPT = Q(given_back_at__isnull=True)


class WordsRemoval(models.Model):
    """Words that moderators took away: a name, the description of a club, or both.

    `name_key` is the part of a name that counts; until it is given back, nothing else gets it.
    """

    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="removals")
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="removals")
    name = models.CharField(max_length=60, blank=True)
    name_key = models.CharField(max_length=160, blank=True)
    about = models.TextField(max_length=1000, blank=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    taken_at = models.DateTimeField(default=timezone.now)
    given_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(club=None, tournament__isnull=False)
                | Q(club__isnull=False, tournament=None),
                name="words_removal_of_one_subject",
            ),
            models.CheckConstraint(
                condition=Q(name__gt="") | Q(about__gt=""), name="words_removal_of_something"
            ),
            models.UniqueConstraint(
                fields=["tournament"], condition=_KEPT, name="tournament_name_taken_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["name_key"], condition=_KEPT & Q(name__gt=""), name="words_name_withdrawn"
            ),
        ]

    def __str__(self) -> str:
        return f"taken away: {self.name or 'a description'}"
