"""Tournaments and clubs: terms, journal, entries, meetings, memberships."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0010_arranged_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("about", models.TextField(blank=True, max_length=1000)),
                ("is_open", models.BooleanField(default=True)),
                ("founded_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "founder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "standing",
                    models.CharField(
                        choices=[
                            ("asked", "has asked"),
                            ("invited", "is invited"),
                            ("member", "member"),
                            ("director", "director"),
                        ],
                        max_length=8,
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="tournaments.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="club_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("members_only", models.BooleanField(db_default=False, default=False)),
                ("offer", models.CharField(blank=True, max_length=32)),
                ("terms", models.JSONField()),
                ("table_terms", models.JSONField()),
                ("fee_cents", models.BigIntegerField(default=0)),
                ("rake_bps", models.PositiveIntegerField(default=0)),
                (
                    "shares_bps",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveIntegerField(), default=list, size=None
                    ),
                ),
                ("added_cents", models.BigIntegerField(db_default=0, default=0)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("commitment", models.CharField(max_length=64)),
                ("secret", models.CharField(editable=False, max_length=64)),
                ("phase", models.CharField(default="registering", max_length=12)),
                ("seq", models.PositiveIntegerField(default=0)),
                ("rake_cents", models.BigIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("drawn_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("cleared_at", models.DateTimeField(blank=True, null=True)),
                ("wake_at", models.DateTimeField(blank=True, null=True)),
                (
                    "satellite_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="satellites",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments",
                        to="tournaments.club",
                    ),
                ),
                (
                    "founder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "permissions": [("hold_paid_tournament", "May hold tournaments with an entry fee")],
            },
        ),
        migrations.CreateModel(
            name="Meeting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("place", models.CharField(max_length=40)),
                ("called_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("ready_0", models.BooleanField(default=False)),
                ("ready_1", models.BooleanField(default=False)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("undone", models.BooleanField(default=False)),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournament_meeting",
                        to="games.match",
                    ),
                ),
                (
                    "player_0",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player_1",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.table",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="meetings",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("part", models.CharField(max_length=64)),
                (
                    "won_in",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats_won",
                        to="tournaments.tournament",
                    ),
                ),
                ("part_given_at", models.DateTimeField(blank=True, null=True)),
                ("entered_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("gave_up_at", models.DateTimeField(blank=True, null=True)),
                ("first_place", models.PositiveIntegerField(blank=True, null=True)),
                ("last_place", models.PositiveIntegerField(blank=True, null=True)),
                ("prize_cents", models.BigIntegerField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournament_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TournamentEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("payload", models.JSONField()),
                ("stored_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("name"), name="club_name_once"
            ),
        ),
        migrations.AddIndex(
            model_name="membership",
            index=models.Index(fields=["user", "standing"], name="membership_of_person"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("club", "user"), name="membership_once_a_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("standing__in", ["asked", "invited", "member", "director"])),
                name="membership_standing_known",
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=models.Q(("wake_at__isnull", False)),
                fields=["wake_at"],
                name="tournament_due",
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["phase", "starts_at"], name="tournament_calendar"),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["-ended_at"], name="tournament_by_end"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("fee_cents__gte", 0), ("rake_bps__lte", 5000)),
                name="tournament_fee_sound",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("added_cents", 0),
                    models.Q(("added_cents__gt", 0), ("fee_cents__gt", 0)),
                    _connector="OR",
                ),
                name="tournament_added_to_fees",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("satellite_of__isnull", True), ("fee_cents__gt", 0), _connector="OR"
                ),
                name="tournament_satellite_has_a_fee",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("phase__in", ["registering", "running", "over", "called_off"])),
                name="tournament_phase_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", False), ("phase__in", ["over", "called_off"])),
                    models.Q(("ended_at__isnull", True), ("phase__in", ["registering", "running"])),
                    _connector="OR",
                ),
                name="tournament_over_has_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("members_only", False), ("club__isnull", False), _connector="OR"
                ),
                name="tournament_members_have_a_club",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("phase", "registering"), models.Q(("offer", ""), _negated=True)
                ),
                fields=("offer",),
                name="tournament_offer_fills_once",
            ),
        ),
        migrations.AddIndex(
            model_name="meeting",
            index=models.Index(
                condition=models.Q(("decided_at__isnull", True), ("undone", False)),
                fields=["due_at"],
                name="meeting_waits",
            ),
        ),
        migrations.AddIndex(
            model_name="meeting",
            index=models.Index(fields=["player_0", "-called_at"], name="meeting_of_first"),
        ),
        migrations.AddIndex(
            model_name="meeting",
            index=models.Index(fields=["player_1", "-called_at"], name="meeting_of_second"),
        ),
        migrations.AddConstraint(
            model_name="meeting",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number"), name="meeting_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="meeting",
            constraint=models.CheckConstraint(
                condition=models.Q(("player_0", models.F("player_1")), _negated=True),
                name="meeting_of_two_players",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number"), name="entry_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at__isnull", True)),
                fields=("tournament", "user"),
                name="entry_once_a_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("prize_cents__isnull", True), ("prize_cents__gte", 0), _connector="OR"
                ),
                name="entry_prize_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamentevent",
            constraint=models.UniqueConstraint(
                fields=("tournament", "seq"), name="tournament_event_seq"
            ),
        ),
        *frozen(__file__, "0001_tournaments"),
    ]
