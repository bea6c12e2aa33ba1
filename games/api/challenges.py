"""Challenges for programs: challenge a player, and answer."""

from uuid import UUID

from django.http import Http404
from rest_framework.response import Response

from accounts.selectors import person_named
from games.api.operations import PlayerApi
from games.api.serializers import ChallengeSerializer, TableSerializer
from games.api.tables import table_shown
from games.api.wishes import ChallengeWishesSerializer, as_wished, fields_named
from games.models import Challenge
from games.selectors import challenge_get, challenges_waiting_for
from games.services.challenges import (
    NobodyThere,
    challenge_accept,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
)
from kit.api import checked, described
from kit.requests import SignedInApiRequest


class ChallengesApi(PlayerApi):
    """Challenges that wait for one's answer."""

    @described("challenges_list", answer=ChallengeSerializer(many=True))
    def get(self, request: SignedInApiRequest) -> Response:
        """The challenges that wait for this player, the oldest first."""
        waiting = challenges_waiting_for(request.user.pk)
        return Response(ChallengeSerializer(waiting, many=True).data)


class ChallengeMakeApi(PlayerApi):
    """Make a challenge."""

    @described(
        "challenges_make",
        answer=ChallengeSerializer,
        status=201,
        request=ChallengeWishesSerializer,
        refusals=(400, 409),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Challenge a player. Nothing is reserved before they accept."""
        wishes = checked(ChallengeWishesSerializer, request.data)
        opponent = person_named(wishes.pop("opponent"))
        if opponent is None:
            raise NobodyThere("nobody of that name can be challenged")
        with fields_named(wishes["mode"]):
            made = challenge_make(user=request.user, opponent_id=opponent.pk, **as_wished(wishes))
        return Response(ChallengeSerializer(made).data, status=201)


class ChallengeApi(PlayerApi):
    """One challenge."""

    @described("challenges_get", answer=ChallengeSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """A challenge that this player made or received, with its state."""
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


class ChallengeAcceptApi(PlayerApi):
    """Accept."""

    @described("challenges_accept", answer=TableSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Sit both down: stakes go into escrow and the match begins, or nothing happens."""
        _own(request, challenge_id)
        return Response(
            table_shown(
                challenge_accept(user=request.user, challenge_id=challenge_id), request.user.pk
            )
        )


class ChallengeDeclineApi(PlayerApi):
    """Decline."""

    @described("challenges_decline", answer=ChallengeSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Decline a challenge."""
        _own(request, challenge_id)
        challenge_decline(user=request.user, challenge_id=challenge_id)
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


class ChallengeWithdrawApi(PlayerApi):
    """Withdraw."""

    @described("challenges_withdraw", answer=ChallengeSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, challenge_id: UUID) -> Response:
        """Withdraw one's own challenge."""
        _own(request, challenge_id)
        challenge_withdraw(user=request.user, challenge_id=challenge_id)
        return Response(ChallengeSerializer(_own(request, challenge_id)).data)


def _own(request: SignedInApiRequest, challenge_id: UUID) -> Challenge:
    """The challenge, for its two players; for all others it does not exist."""
    found = challenge_get(challenge_id)
    if found is None or request.user.pk not in (found.challenger_id, found.challenged_id):
        raise Http404
    return found
