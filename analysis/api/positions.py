"""The analysis board for programs: ask about a position, and get the answer."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response

from accounts.requests import SignedInApiRequest
from accounts.throttle import network_of
from analysis.counting.pasted import LONGEST, read_position
from analysis.models import Question
from analysis.pages.shown import NOTATIONS, question_shown
from analysis.passes import DEPTHS
from analysis.questions import Asker, position_ask
from games.api.fields import READABLE, StrictSerializer
from games.api.operations import PlayerApi, checked, described

STATES = ("waiting", "working", "done", "failed")
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
    depth = serializers.ChoiceField(choices=DEPTHS, default="full")


class PositionPlaySerializer(serializers.Serializer):
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
    depth = serializers.ChoiceField(choices=DEPTHS)
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
    error = QuestionErrorSerializer(allow_null=True)


class PositionsApi(PlayerApi):
    """Ask."""

    @described(
        answer=QuestionSerializer,
        status=202,
        refusals=(400, 409),
        request=PositionAskSerializer,
        operation_id="analysis_ask",
        tags=["analysis"],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Ask about a position. One that was answered before is answered at once."""
        asked = checked(PositionAskSerializer, request.data)
        found = read_position(asked["position"])
        network = network_of(request.META.get("REMOTE_ADDR", ""))
        question = position_ask(Asker(request.user.pk, True, network), found.xgid, asked["depth"])
        return Response(QuestionSerializer(question_shown(question)).data, status=202)


class PositionApi(PlayerApi):
    """One question."""

    @described(
        answer=QuestionSerializer,
        refusals=(404,),
        operation_id="analysis_answer",
        tags=["analysis"],
    )
    def get(self, request: SignedInApiRequest, question_id: UUID) -> Response:
        """How far a question is, and its answer. Questions are kept for a day."""
        asked = Question.objects.select_related("answer").filter(file__isnull=True).exclude(xgid="")
        question = get_object_or_404(asked, pk=question_id)
        return Response(QuestionSerializer(question_shown(question)).data)
