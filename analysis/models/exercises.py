"""Exercises and what people answered; neither is ever changed."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from analysis.models.reports import DecisionRow


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
