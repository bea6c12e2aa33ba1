"""The analysis board for programs: ask about a position, and get the answer."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from analysis.models import Question
from analysis.pages.board_json import NOTATIONS, question_shown
from analysis.questions import ASKED_DEPTHS, ROLLOUT, Asker, position_ask, rollout_stop
from analysis.rollout_choices import (
    RolloutChoicesSerializer,
    choices_of,
    rollout_ask,
    rollout_estimate,
)
from backgammon.analysis.rollouts import RolloutChoices
from backgammon.counting.pasted import LONGEST, read_position
from backgammon.rules.xgid import Xgid
from games.api.operations import PlayerApi
from kit.api import READABLE, StrictSerializer, checked, described
from kit.requests import SignedInApiRequest
from kit.throttle import network_of

STATES = ("waiting", "working", "done", "stopped", "failed")
KINDS = ("play", "cube")
VERDICTS = (
    *("no_double", "too_good", "double_take", "double_drop"),
    *("double_beaver", "no_double_beaver", "no_cube"),
)
REFUSALS = ("crawford", "not_yours", "dead")
PLACES_MOST = 25


class PositionAskSerializer(StrictSerializer):
    """A position in any notation that the analysis board reads, and how deep to look."""

    position = serializers.RegexField(
        READABLE,
        max_length=LONGEST,
        help_text=f"One of: {', '.join(NOTATIONS.values())}. With dice a play is sought, without"
        " them the action with the cube.",
    )
    depth = serializers.ChoiceField(choices=ASKED_DEPTHS, default="full")
    rollout = RolloutChoicesSerializer(required=False, help_text="How a rollout goes.")


class RolloutEstimateAskSerializer(StrictSerializer):
    """A position in any notation, and how its rollout goes."""

    position = serializers.RegexField(READABLE, max_length=LONGEST)
    rollout = RolloutChoicesSerializer(required=False)


class RolloutEstimateSerializer(serializers.Serializer):
    """The work of a rollout before it begins."""

    seconds = serializers.IntegerField(help_text="Of a core, about.")
    seconds_left = serializers.IntegerField(help_text="What you have for a rollout now.")


class ExactnessSerializer(serializers.Serializer):
    """How exact an equity of a rollout is; null as long as there are too few trials."""

    error = serializers.FloatField(
        required=False, allow_null=True, help_text="The standard error, of a rollout alone."
    )
    band = serializers.FloatField(
        required=False, allow_null=True, help_text="Half of the 95 % band: equity ± band."
    )


class CubeExactnessSerializer(serializers.Serializer):
    """How exact both equities of the cube are."""

    no_double = ExactnessSerializer()
    double_take = ExactnessSerializer(allow_null=True)


class ComparedSerializer(ExactnessSerializer):
    """Two choices that were played with the same dice."""

    what = serializers.ChoiceField(choices=("play", "double", "take"))
    better = serializers.CharField(
        allow_blank=True, help_text="The better play; or double, no_double, take, drop."
    )
    worse = serializers.CharField(required=False, allow_blank=True)
    by = serializers.FloatField()
    is_clear = serializers.BooleanField(help_text="Whether `by` is larger than `band`.")


class PositionPlaySerializer(ExactnessSerializer):
    """A play. Moves are pairs of points in the numbers of the player on roll."""

    text = serializers.CharField(allow_blank=True)
    moves = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=0, max_value=PLACES_MOST),
            min_length=2,
            max_length=2,
        ),
        help_text="25 is the bar, 0 is off.",
    )
    equity = serializers.FloatField()
    own = serializers.BooleanField(required=False, help_text="In a rollout: your `play`.")
    loss = serializers.FloatField(help_text="How much worse it is than the best play.")
    ply = serializers.IntegerField()
    chances = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="To win, with a gammon, with a backgammon; to lose a gammon, a backgammon.",
    )


class PositionAnswerSerializer(serializers.Serializer):
    """An answer: the best plays of a roll, or the equities of the cube."""

    kind = serializers.ChoiceField(choices=KINDS)
    depth = serializers.ChoiceField(choices=ASKED_DEPTHS)
    ply = serializers.IntegerField()
    engine = serializers.CharField()
    version = serializers.CharField()
    seconds = serializers.FloatField()
    choices = serializers.IntegerField(required=False, help_text="How many plays there are.")
    options = PositionPlaySerializer(many=True, required=False, help_text="The best first.")
    no_double = serializers.FloatField(required=False)
    double_take = serializers.FloatField(required=False, allow_null=True)
    double_drop = serializers.FloatField(required=False, allow_null=True)
    double = serializers.FloatField(
        required=False, allow_null=True, help_text="A double after the best answer to it."
    )
    verdict = serializers.ChoiceField(choices=VERDICTS, required=False)
    refusal = serializers.ChoiceField(
        choices=REFUSALS, required=False, allow_null=True, help_text="Why nobody may double."
    )
    redouble = serializers.BooleanField(required=False)
    chances = serializers.ListField(child=serializers.FloatField(), required=False)
    take_point = serializers.FloatField(
        required=False, allow_null=True, help_text="The chance to win that a take needs."
    )
    double_point = serializers.FloatField(
        required=False, allow_null=True, help_text="Where the doubling window opens."
    )
    gammon_values = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        required=False,
        help_text="Of the player on roll, and of the opponent.",
    )
    unlimited = serializers.ChoiceField(choices=VERDICTS, required=False)
    scores = serializers.ListField(
        child=serializers.ListField(child=serializers.ChoiceField(choices=VERDICTS)),
        required=False,
        help_text="The verdict by what the player on roll needs (rows) and the opponent, from 1.",
    )
    trials = serializers.IntegerField(
        required=False, help_text="How often each candidate was played on, in a rollout."
    )
    trials_most = serializers.IntegerField(required=False)
    turns = serializers.IntegerField(required=False, help_text="The turns of a trial.")
    cube = serializers.BooleanField(
        required=False, help_text="Whether the cube was played in a rollout."
    )
    exactness = CubeExactnessSerializer(required=False)
    compared = ComparedSerializer(many=True, required=False)


class QuestionErrorSerializer(serializers.Serializer):
    """Why there is no answer."""

    message = serializers.CharField()


class QuestionSerializer(serializers.Serializer):
    """A question and, once it is done, its answer."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    depth = serializers.CharField()
    percent = serializers.IntegerField(allow_null=True, help_text="How far the work is.")
    before = serializers.IntegerField(
        allow_null=True, help_text="How many questions are answered sooner."
    )
    worker = serializers.BooleanField(
        allow_null=True, help_text="Whether a worker of the house is running; null once done."
    )
    answer = PositionAnswerSerializer(allow_null=True)
    so_far = PositionAnswerSerializer(
        allow_null=True, help_text="What has come of a rollout until now."
    )
    error = QuestionErrorSerializer(allow_null=True)


class PositionsApi(PlayerApi):
    """Ask."""

    @described(
        "analysis_ask",
        answer=QuestionSerializer,
        status=202,
        request=PositionAskSerializer,
        refusals=(400, 409),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Ask about a position. One that was answered before is answered at once."""
        asked = checked(PositionAskSerializer, request.data)
        found = read_position(asked["position"])
        asker = _asker(request)
        if asked["depth"] == ROLLOUT:
            question = rollout_ask(asker, found.xgid, _choices(found.xgid, asked))
        else:
            question = position_ask(asker, found.xgid, asked["depth"])
        return Response(QuestionSerializer(question_shown(question)).data, status=202)


class RolloutEstimateApi(PlayerApi):
    """The work of a rollout."""

    @described(
        "analysis_estimate",
        answer=RolloutEstimateSerializer,
        request=RolloutEstimateAskSerializer,
        refusals=(400,),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Estimate how long a rollout takes, before it is asked for."""
        asked = checked(RolloutEstimateAskSerializer, request.data)
        xgid = read_position(asked["position"]).xgid
        told = rollout_estimate(_asker(request), xgid, _choices(xgid, asked))
        return Response(RolloutEstimateSerializer(told).data)


class PositionApi(PlayerApi):
    """One question."""

    @described("analysis_answer", answer=QuestionSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, question_id: UUID) -> Response:
        """How far a question is, and its answer. Questions are kept for a day."""
        return Response(QuestionSerializer(question_shown(_asked(question_id))).data)

    @described("analysis_stop", answer=QuestionSerializer, refusals=(404,))
    def delete(self, request: SignedInApiRequest, question_id: UUID) -> Response:
        """Take back the wish for a rollout. It ends once nobody wants it any more."""
        question = _asked(question_id)
        if not rollout_stop(_asker(request), question):
            raise NotFound
        return Response(QuestionSerializer(question_shown(question)).data)


def _asker(request: SignedInApiRequest) -> Asker:
    return Asker(request.user.pk, True, network_of(request.META.get("REMOTE_ADDR", "")))


def _choices(xgid: Xgid, asked: dict[str, Any]) -> RolloutChoices:
    """The choices of a rollout. Raises the framework's `ValidationError`."""
    try:
        return choices_of(xgid, asked.get("rollout", {}))
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"rollout": error.detail}) from error


def _asked(question_id: UUID) -> Question:
    asked = Question.objects.select_related("answer").filter(file__isnull=True).exclude(xgid="")
    return get_object_or_404(asked, pk=question_id)
