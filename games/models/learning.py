"""Progress in the lessons: the steps of the lessons that they solved or were shown."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class LearntStep(models.Model):
    """A step of a lesson that a person solved; or was shown only, if not `solved`.

    `lesson` and `step` are keys of `games.lessons`; those that are no longer in the course count
    for nothing.
    """

    KEY_LENGTH_MAX = 32

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    lesson = models.CharField(max_length=KEY_LENGTH_MAX)
    step = models.CharField(max_length=KEY_LENGTH_MAX)
    solved = models.BooleanField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "lesson", "step"], name="learnt_step_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.lesson}/{self.step}"
