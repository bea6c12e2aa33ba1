"""Stored analyses: the queue of matches, questions of people, and what was found.

Reports, their decisions and answers are never changed and never deleted (the database refuses
both): an engine of another version makes rows of its own.
"""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import Match


class Job(models.Model):
    """A match that is to be analysed at a depth, or has been.

    A worker holds the row's lock while it works, so what a killed worker had in hand is free again
    as soon as its connection is gone. `failure` is what went wrong the last time. `asked_by` is
    the player who asked for it; nobody asks for what every match gets.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    depth = models.CharField(max_length=8)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    queued_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "depth"], name="job_once_a_depth"),
        ]
        indexes = [
            models.Index(
                fields=["queued_at"], name="analysis_job_open", condition=Q(done_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.depth} analysis of match {self.match_id}"


class Report(models.Model):
    """One analysis of a match; `figures` are those of both seats, without names."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    depth = models.CharField(max_length=8)
    figures = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "engine", "version", "depth"], name="report_once_a_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.depth} report of match {self.match_id}"


class DecisionRow(models.Model):
    """One decision of a report; `line` (`backgammon.analysis.json_lines`) has no names."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="rows")
    game = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8)
    counted = models.BooleanField()
    loss = models.FloatField(null=True)
    luck = models.FloatField(null=True)
    ply = models.PositiveSmallIntegerField()
    line = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "game", "number"], name="decision_once_a_report"
            ),
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="decision_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"decision {self.game}.{self.number} of report {self.report_id}"


class Opinion(models.Model):
    """The judgement of a second engine on a decision that a report shows as an error.

    `loss` is the one that this engine sees, and `ply` counts as this engine does. Rows never
    change; another version makes rows of its own.
    """

    decision = models.ForeignKey(DecisionRow, on_delete=models.PROTECT, related_name="opinions")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    ply = models.PositiveSmallIntegerField()
    best = models.CharField(max_length=80)
    loss = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["decision", "engine", "version"], name="opinion_once_a_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.engine} on decision {self.decision_id}"


class ThemeSum(models.Model):
    """The decisions of a seat about one theme in a full report, summed up.

    `lost` has every loss; `counted_lost` and `squares` (of the losses) those of counted decisions.
    `gift` is the luck of the rolls in the unit of the result: parts of the match, or points if
    `in_points`.
    """

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="sums")
    seat = models.PositiveSmallIntegerField()
    theme = models.CharField(max_length=12)
    counted = models.PositiveIntegerField()
    lost = models.FloatField()
    counted_lost = models.FloatField()
    squares = models.FloatField()
    gift = models.FloatField()
    in_points = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "seat", "theme"], name="theme_sum_once_a_seat"
            ),
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="theme_sum_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.theme} of seat {self.seat} in report {self.report_id}"


class ErrorExercise(models.Model):
    """An error of a full report that can be asked as an exercise, with its theme."""

    decision = models.OneToOneField(
        DecisionRow, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    theme = models.CharField(max_length=12)
    loss = models.FloatField()

    class Meta:
        indexes = [models.Index(fields=["theme", "-decision"], name="error_exercise_by_theme")]
        constraints = [
            models.CheckConstraint(condition=Q(seat__in=(0, 1)), name="error_exercise_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.theme}: decision {self.decision_id}"


class PositionAnswer(models.Model):
    """An engine's answer about a position at one depth; `line` is all of it.

    `xgid` is the position as `backgammon.counting.positions.key_of` writes it, and names nobody.
    """

    xgid = models.CharField(max_length=80)
    depth = models.CharField(max_length=8)
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    ply = models.PositiveSmallIntegerField()
    line = models.JSONField()
    seconds = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["xgid", "depth", "engine", "version"], name="answer_once_a_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.depth} answer about {self.xgid}"


class Question(models.Model):
    """A position that somebody asks about, or a file whose positions they want; it names nobody.

    A worker counts its try in `tries` and then holds the row's lock until the answer is stored. In
    between `taken_at` keeps other workers away.
    A file's bytes go as soon as it has been read; `found` has its positions or what is wrong.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    xgid = models.CharField(max_length=80, blank=True)
    depth = models.CharField(max_length=8, blank=True)
    file = models.BinaryField(null=True)
    urgency = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    taken_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=200, blank=True)
    answer = models.ForeignKey(
        PositionAnswer, null=True, on_delete=models.PROTECT, related_name="+"
    )
    found = models.JSONField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["urgency", "asked_at"],
                name="analysis_question_open",
                condition=Q(done_at__isnull=True),
            ),
            models.Index(fields=["asked_at"], name="analysis_question_age"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["xgid", "depth"],
                name="question_open_once",
                condition=Q(done_at__isnull=True) & ~Q(xgid=""),
            )
        ]

    def __str__(self) -> str:
        return f"question about {self.xgid or 'a file'}"


class Rollout(models.Model):
    """How far a question at the depth of a rollout is, until it has its answer.

    `blocks` has the mean equity of every candidate for each block of trials that was played, so a
    worker goes on after the last one; `line` is what these come to. `wanted` is the number of
    people who still want the answer; at 0 the rollout ends. It is a row of its own, because a
    worker holds the lock of the question.
    """

    question = models.OneToOneField(
        Question, on_delete=models.CASCADE, primary_key=True, related_name="rollout"
    )
    wanted = models.PositiveSmallIntegerField(default=0)
    blocks = models.JSONField(default=list)
    line = models.JSONField(null=True)
    seconds = models.FloatField(default=0.0)

    def __str__(self) -> str:
        return f"{len(self.blocks)} blocks of {self.question_id}"


class Exercise(models.Model):
    """A position of the house with its judged options, which never change.

    `xgid` is the position before the decision, `line` has its options as a decision of a report
    has them. `number` is the place in the set that comes with the project. Own errors are no rows
    here: an exercise of that kind is the `DecisionRow` itself.
    """

    xgid = models.CharField(max_length=80)
    kind = models.CharField(max_length=8)
    theme = models.CharField(max_length=12)
    difficulty = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=12)
    number = models.PositiveSmallIntegerField(null=True)
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    ply = models.PositiveSmallIntegerField()
    line = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["xgid", "engine", "version"], name="exercise_once_a_version"
            ),
            models.CheckConstraint(
                condition=Q(difficulty__in=(1, 2, 3)), name="exercise_has_a_difficulty"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.theme}: {self.xgid}"


class ExerciseTry(models.Model):
    """An answer to an exercise, or to an error of a match, with its loss; it never changes.

    `person` is None for visitors, whose session knows their tries until they log in. `day` is set
    if it was the first answer of that person to the position of the day.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    exercise = models.ForeignKey(Exercise, on_delete=models.PROTECT, null=True, related_name="+")
    decision = models.ForeignKey(DecisionRow, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.DateField(null=True)
    answer = models.CharField(max_length=80)
    loss = models.FloatField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["person", "at"], name="exercise_try_of_person"),
            models.Index(
                fields=["day"], name="exercise_try_of_day", condition=Q(day__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(exercise__isnull=False, decision__isnull=True)
                | Q(exercise__isnull=True, decision__isnull=False),
                name="exercise_try_of_one_thing",
            ),
            models.UniqueConstraint(fields=["person", "day"], name="exercise_try_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.answer}"
