"""One's own limits, a break, a self-exclusion. None of them can be lifted early by anybody."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import proof_is_fresh
from kit.api import checked, described
from kit.requests import SignedInApiRequest
from ledger.api.serializers import (
    ExclusionSerializer,
    LimitSerializer,
    LimitSetSerializer,
    LimitsSerializer,
    PauseSerializer,
)
from ledger.errors import ProofStale
from ledger.models import Measure, Period
from ledger.selectors_desk import limits_of, pause_of
from ledger.services.limits import break_start, exclusion_start, limit_set


class LimitsApi(APIView):
    """My limits."""

    @described("limits_list", answer=LimitsSerializer)
    def get(self, request: SignedInApiRequest) -> Response:
        """All six with what is used of them, and the break or exclusion in force."""
        user_id = request.user.pk
        answer = {"limits": limits_of(user_id), "pause": pause_of(user_id)}
        return Response(LimitsSerializer(answer).data)


class LimitSetApi(APIView):
    """Set a limit."""

    @described(
        "limits_set",
        answer=LimitSerializer,
        request=LimitSetSerializer,
        refusals=(400, 404),
        parameters=[
            OpenApiParameter("measure", str, OpenApiParameter.PATH, enum=Measure.values),
            OpenApiParameter("period", str, OpenApiParameter.PATH, enum=Period.values),
        ],
    )
    def put(self, request: SignedInApiRequest, measure: str, period: str) -> Response:
        """Narrower holds at once; wider, or none, after 24 hours: see `next_from`."""
        wish = checked(LimitSetSerializer, request.data)
        limit_set(
            user=request.user, measure=measure, period=period, amount_cents=wish["limit_cents"]
        )
        views = {(view.measure, view.period): view for view in limits_of(request.user.pk)}
        view = views[Measure(measure), Period(period)]
        return Response(LimitSerializer(view).data)


class BreakApi(APIView):
    """Take a break."""

    @described("break_start", answer=PauseSerializer, status=201, tag="limits")
    def post(self, request: SignedInApiRequest) -> Response:
        """No stakes for 24 hours from now. It cannot be taken back; running matches finish."""
        return Response(PauseSerializer(break_start(user=request.user)).data, status=201)


class ExclusionApi(APIView):
    """Exclude oneself."""

    @described(
        "exclusion_start",
        answer=PauseSerializer,
        status=201,
        request=ExclusionSerializer,
        refusals=(400, 409),
        tag="limits",
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """No stakes for half a year or longer. It cannot be taken back; payouts stay possible.

        In the session of a page, of a person who has given the password, a passkey or a second
        factor within the last minutes (`proof_stale`). A break needs none.
        """
        wish = checked(ExclusionSerializer, request.data)
        if not proof_is_fresh(request):
            raise ProofStale("an exclusion asks for your password or second factor again")
        pause = exclusion_start(user=request.user, days=wish["days"])
        return Response(PauseSerializer(pause).data, status=201)
