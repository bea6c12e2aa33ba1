"""Challenges for programs: ask a player to a table, and answer one's own."""

from uuid import UUID

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.requests import SignedInApiRequest
from accounts.selectors import person_named
from games.api.operations import checked, described
from games.api.serializers import (
    ChallengeSerializer,
    ChallengeWishesSerializer,
    TableSerializer,
)
from games.api.tables import NotOffered, table_shown
from games.models import Challenge
from games.selectors import challenge_get, challenges_waiting_for
from games.services.challenges import (
    NobodyThere,
    challenge_accept,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
)
from games.table.errors import BadTerms


class ChallengesApi(APIView):
    """Challenges that wait for one's answer."""

    @described(
        answer=ChallengeSerializer(many=True), operation_id="challenges_list", tags=["challenges"]
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """The challenges that wait for this player, the oldest first."""
        waiting = challenges_waiting_for(request.user.pk)
        return Response(ChallengeSerializer(waiting, many=True).data)


class ChallengeMakeApi(APIView):
    """Ask somebody."""

    @described(
        answer=ChallengeSerializer,
        status=201,
        refusals=(400, 409),
        request=ChallengeWishesSerializer,
        operation_id="challenges_make",
        tags=["challenges"],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Ask a player to a table. Nothing is reserved before he accepts."""
        wishes = checked(ChallengeWishesSerializer, request.data)
        opponent = person_named(wishes.pop("opponent"))
        if opponent is None:
            raise NobodyThere("nobody of that name can be challenged")
        try:
            made = challenge_make(user=request.user, opponent_id=opponent.pk, **wishes)
        except BadTerms as error:
            raise NotOffered(str(error)) from error
        return Response(ChallengeSerializer(made).data, status=201)


class ChallengeApi(APIView):
    """One challenge."""

    @described(
        answer=ChallengeSerializer,
        refusals=(404,),
        operation_id="challenges_get",
        tags=["challenges"],
    )
    def get(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """A challenge this player made or was sent, with what became of it."""
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


class ChallengeAcceptApi(APIView):
    """Accept."""

    @described(
        answer=TableSerializer,
        refusals=(404, 409),
        request=None,
        operation_id="challenges_accept",
        tags=["challenges"],
    )
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Sit both down: stakes go into escrow and the match begins, or nothing happens."""
        _own(request, challenge_id)
        return Response(
            table_shown(
                challenge_accept(user=request.user, challenge_id=challenge_id), request.user.pk
            )
        )


class ChallengeDeclineApi(APIView):
    """Decline."""

    @described(
        answer=ChallengeSerializer,
        refusals=(404, 409),
        request=None,
        operation_id="challenges_decline",
        tags=["challenges"],
    )
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Say no to a challenge."""
        _own(request, challenge_id)
        challenge_decline(user=request.user, challenge_id=challenge_id)
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


class ChallengeWithdrawApi(APIView):
    """Take back."""

    @described(
        answer=ChallengeSerializer,
        refusals=(404, 409),
        request=None,
        operation_id="challenges_withdraw",
        tags=["challenges"],
    )
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Take one's own challenge back."""
        _own(request, challenge_id)
        challenge_withdraw(user=request.user, challenge_id=challenge_id)
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


def _own(request: SignedInApiRequest, challenge_id: UUID) -> Challenge:
    """The challenge, for its two players; it does not exist for anybody else."""
    found = challenge_get(challenge_id)
    if found is None or request.user.pk not in (found.challenger_id, found.challenged_id):
        raise Http404
    return found
