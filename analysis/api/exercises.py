"""The exercises for programs: what is due, one of them, its answer, the position of the day."""

from dataclasses import asdict
from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.response import Response

from analysis.api.reports import DecisionOptionSerializer
from analysis.exercises.boxes import BOX_DAYS
from analysis.exercises.grading import Graded
from analysis.exercises.themes import THEMES
from analysis.models import ExerciseTry
from analysis.training.house_set import of_day, today
from analysis.training.plan import A_DAY, SUBJECTS, PlanEntry, TrainingPlan, plan_of, task_by_key
from analysis.training.tasks import CHOICES, NoAnswer, Task, answer_of, task_of_exercise
from analysis.training.tries import tries_of, try_store
from backgammon.counting.judging import SHOWN
from games.api.operations import PlayerApi
from kit.api import READABLE, StrictSerializer, checked, described
from kit.requests import SignedInApiRequest

KINDS: Final = ("play", "double", "take")
GRADES: Final = ("found", "close", "error", "blunder")
ORIGINS: Final = ("own", "others", "house", "set")
LIMIT_MAX: Final = 100
LIMIT: Final = 25
ANSWER_LENGTH_MAX: Final = 80
KEY_LENGTH_MAX: Final = 40
LISTED: Final = 6


class ExerciseQuerySerializer(StrictSerializer):
    """Which exercises; `theme` is a theme, or own or others for an origin."""

    theme = serializers.ChoiceField(choices=SUBJECTS, required=False, default="")
    limit = serializers.IntegerField(min_value=1, max_value=LIMIT_MAX, default=LIMIT)


class ExerciseNextQuerySerializer(StrictSerializer):
    """Which exercise; `besides` names one that is left out."""

    theme = serializers.ChoiceField(choices=SUBJECTS, required=False, default="")
    besides = serializers.RegexField(
        r"^[a-z0-9-]*$", max_length=KEY_LENGTH_MAX, required=False, default=""
    )


class ExerciseAnswerAskSerializer(StrictSerializer):
    """An answer: a play as it is written, or a choice."""

    answer = serializers.RegexField(READABLE, max_length=ANSWER_LENGTH_MAX)


class ExerciseStandingSerializer(serializers.Serializer):
    """Where an exercise stands for the reader."""

    box = serializers.IntegerField(help_text="From 1; the rests are in `progress`.")
    due_at = serializers.DateTimeField()
    last = serializers.ChoiceField(choices=GRADES)
    tries = serializers.IntegerField()


class ExerciseEntrySerializer(serializers.Serializer):
    """An exercise in the list."""

    key = serializers.CharField()
    origin = serializers.ChoiceField(choices=ORIGINS)
    theme = serializers.ChoiceField(choices=THEMES)
    is_due = serializers.BooleanField()
    standing = ExerciseStandingSerializer(allow_null=True, help_text="null: not tried yet.")


class ExerciseListSerializer(serializers.Serializer):
    """The exercises to try, in this order, and how many are due in all."""

    due = serializers.IntegerField()
    results = ExerciseEntrySerializer(many=True)


class ExerciseSerializer(serializers.Serializer):
    """A question; it says nothing of what an answer is worth."""

    key = serializers.CharField()
    origin = serializers.ChoiceField(choices=ORIGINS)
    theme = serializers.ChoiceField(choices=THEMES)
    kind = serializers.ChoiceField(choices=KINDS)
    variant = serializers.CharField()
    xgid = serializers.CharField(help_text="In the numbers of its player on roll.")
    has_cube = serializers.BooleanField()
    choices = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="The answers about the cube; null where a play is asked for.",
    )
    standing = ExerciseStandingSerializer(allow_null=True)


class ExerciseAnswerSerializer(serializers.Serializer):
    """The grade of an answer, and what the engine says."""

    answer = serializers.CharField()
    grade = serializers.ChoiceField(choices=GRADES)
    loss = serializers.FloatField()
    at_least = serializers.BooleanField(help_text="The loss may be larger.")
    stored = serializers.BooleanField(
        help_text="false after too many answers within an hour: it changes nothing."
    )
    options = DecisionOptionSerializer(many=True, help_text="The best first.")
    engine = serializers.CharField()
    standing = ExerciseStandingSerializer(allow_null=True)


class VotesSerializer(serializers.Serializer):
    """The answers of everybody."""

    answers = serializers.IntegerField()
    found = serializers.IntegerField()


class ExerciseDaySerializer(serializers.Serializer):
    """The position of the day; `given` and `votes` are null before the first answer."""

    day = serializers.DateField()
    exercise = ExerciseSerializer()
    given = ExerciseAnswerSerializer(allow_null=True)
    votes = VotesSerializer(allow_null=True)


class ExerciseThemeSerializer(serializers.Serializer):
    """How many exercises of a theme or origin there are, were tried, found last, and are due."""

    theme = serializers.ChoiceField(choices=SUBJECTS)
    total = serializers.IntegerField()
    tried = serializers.IntegerField()
    found = serializers.IntegerField()
    due = serializers.IntegerField()


class BoxSerializer(serializers.Serializer):
    """A box: how long exercises rest in it, and how many are there."""

    box = serializers.IntegerField()
    days = serializers.IntegerField()
    exercises = serializers.IntegerField()


class ExerciseProgressSerializer(serializers.Serializer):
    """How far the reader has come."""

    today = serializers.IntegerField(help_text="Exercises that were tried today (UTC).")
    today_found = serializers.IntegerField()
    a_day = serializers.IntegerField(help_text="As many are a day's work.")
    due = serializers.IntegerField()
    boxes = BoxSerializer(many=True)
    themes = ExerciseThemeSerializer(many=True)


class ExercisesApi(PlayerApi):
    """The list."""

    @described(
        "exercises_list",
        answer=ExerciseListSerializer,
        refusals=(400,),
        parameters=[ExerciseQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """Your exercises: what is due, then new ones, then the others, what is due first."""
        asked = checked(ExerciseQuerySerializer, request.query_params.dict())
        plan = plan_of(request, asked["theme"])
        entries = plan.queue(asked["theme"])[: asked["limit"]]
        shown = {"due": len(plan.due), "results": [_entry(each, plan) for each in entries]}
        return Response(ExerciseListSerializer(shown).data)


class ExerciseNextApi(PlayerApi):
    """The exercise to try next."""

    @described(
        "exercises_next",
        answer=ExerciseSerializer,
        refusals=(400, 404),
        parameters=[ExerciseNextQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """The exercise to try next; 404 if there is none."""
        asked = checked(ExerciseNextQuerySerializer, request.query_params.dict())
        found = plan_of(request, asked["theme"]).next(asked["theme"], asked["besides"])
        task = None if found is None else task_by_key(request, found.key)
        if found is None or task is None:
            raise NotFound
        return Response(ExerciseSerializer(_question(task, found)).data)


class ExerciseProgressApi(PlayerApi):
    """How far you have come."""

    @described("exercises_progress", answer=ExerciseProgressSerializer)
    def get(self, request: SignedInApiRequest) -> Response:
        """Today's work, the boxes and the themes."""
        return Response(ExerciseProgressSerializer(_progress(plan_of(request))).data)


class ExerciseApi(PlayerApi):
    """One exercise."""

    @described("exercises_get", answer=ExerciseSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, key: str) -> Response:
        """One exercise, by its key. Errors of others are gone once their match is private."""
        task = _task(request, key)
        return Response(ExerciseSerializer(_question(task, _entry_of(request, task))).data)


class ExerciseAnswerApi(PlayerApi):
    """Answering."""

    @described(
        "exercises_answer",
        answer=ExerciseAnswerSerializer,
        request=ExerciseAnswerAskSerializer,
        refusals=(400, 404),
    )
    def post(self, request: SignedInApiRequest, key: str) -> Response:
        """Answer an exercise: a play of its roll, or a choice. Every answer is one more try."""
        task = _task(request, key)
        given = _given(task, request.data)
        stored = try_store(request, task, given) is not None
        return Response(ExerciseAnswerSerializer(_answer(request, task, given, stored)).data)


class ExerciseDayApi(PlayerApi):
    """The position of the day."""

    @described("exercises_day", answer=ExerciseDaySerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest) -> Response:
        """The position of the day (UTC), the same for everybody, and your answer."""
        return Response(ExerciseDaySerializer(_day(request)).data)

    @described(
        "exercises_day_answer",
        answer=ExerciseDaySerializer,
        request=ExerciseAnswerAskSerializer,
        refusals=(400, 404),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Answer the position of the day. Your first answer counts, and others change nothing."""
        day, task = today(), _task_of_day()
        given = _given(task, request.data)
        if not tries_of(request).filter(day=day).exists():
            try_store(request, task, given, day)
        return Response(ExerciseDaySerializer(_day(request)).data)


def _task(request: SignedInApiRequest, key: str) -> Task:
    task = task_by_key(request, key)
    if task is None:
        raise NotFound
    return task


def _task_of_day() -> Task:
    row = of_day(today())
    if row is None:
        raise NotFound
    return task_of_exercise(row)


def _given(task: Task, data: Any) -> Graded:
    answer = checked(ExerciseAnswerAskSerializer, data)["answer"]
    try:
        return answer_of(task, answer.strip())
    except NoAnswer as error:
        raise ValidationError({"answer": [str(error)]}) from error


def _entry_of(request: SignedInApiRequest, task: Task) -> PlanEntry | None:
    return next((each for each in plan_of(request).entries if each.key == task.key), None)


def _entry(entry: PlanEntry, plan: TrainingPlan) -> dict[str, Any]:
    return {
        "key": entry.key,
        "origin": entry.source,
        "theme": entry.theme,
        "is_due": entry.is_due(plan.now),
        "standing": _standing(entry),
    }


def _standing(entry: PlanEntry | None) -> dict[str, Any] | None:
    return None if entry is None or entry.standing is None else asdict(entry.standing)


def _question(task: Task, entry: PlanEntry | None) -> dict[str, Any]:
    return {
        "key": task.key,
        "origin": task.source,
        "theme": task.theme,
        "kind": task.kind,
        "variant": task.situation.variant,
        "xgid": task.xgid.text(),
        "has_cube": task.situation.has_cube,
        "choices": None if task.dice else CHOICES[task.kind],
        "standing": _standing(entry),
    }


def _answer(request: SignedInApiRequest, task: Task, given: Graded, stored: bool) -> dict[str, Any]:
    return {
        "answer": given.text,
        "grade": given.grade,
        "loss": round(given.loss, 4),
        "at_least": given.at_least,
        "stored": stored,
        "options": task.line["options"][:LISTED],
        "engine": task.engine,
        "standing": _standing(_entry_of(request, task)),
    }


def _day(request: SignedInApiRequest) -> dict[str, Any]:
    day, task = today(), _task_of_day()
    tried = tries_of(request).filter(day=day).first()
    told: dict[str, Any] = {
        "day": day,
        "exercise": _question(task, _entry_of(request, task)),
        "given": None,
        "votes": None,
    }
    if tried is not None:
        listed = any(option["text"] == tried.answer for option in task.line["options"])
        given = Graded(tried.answer, tried.loss, at_least=not listed)
        votes = ExerciseTry.objects.filter(day=day)
        told["given"] = _answer(request, task, given, stored=True)
        told["votes"] = {
            "answers": votes.count(),
            "found": votes.filter(loss__lt=SHOWN).count(),
        }
    return told


def _progress(plan: TrainingPlan) -> dict[str, Any]:
    boxes = [each.standing.box for each in plan.entries if each.standing is not None]
    themes = []
    for subject in SUBJECTS:
        entries = plan.about(subject)
        tried = [each.standing for each in entries if each.standing is not None]
        themes.append(
            {
                "theme": subject,
                "total": len(entries),
                "tried": len(tried),
                "found": sum(standing.last == "found" for standing in tried),
                "due": sum(each.is_due(plan.now) for each in entries),
            }
        )
    return {
        "today": len(plan.today),
        "today_found": plan.today.count("found"),
        "a_day": A_DAY,
        "due": len(plan.due),
        "boxes": [
            {"box": number, "days": days, "exercises": boxes.count(number)}
            for number, days in enumerate(BOX_DAYS, start=1)
        ],
        "themes": themes,
    }
