"""Questions of people at the analysis board, and the answers of the engines."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone


class PositionAnswer(models.Model):
    """An engine's answer about a position at one depth; `line` is all of it.

    `xgid` is the position as `backgammon.counting.positions.key_of` writes it, and names nobody.
    `choices` is how a rollout goes, as `backgammon.analysis.rollouts.RolloutChoices` writes it.
    """

    xgid = models.CharField(max_length=80)
    depth = models.CharField(max_length=8)
    choices = models.CharField(max_length=160, blank=True, default="")
    engine = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    ply = models.PositiveSmallIntegerField()
    line = models.JSONField()
    seconds = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["xgid", "depth", "choices", "engine", "version"],
                name="answer_once_a_version",
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
    choices = models.CharField(max_length=160, blank=True, default="")
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
                fields=["xgid", "depth", "choices"],
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
