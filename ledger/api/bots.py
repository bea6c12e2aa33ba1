"""Making a bot's account a person's again."""

from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import owner_is_present
from kit.api import described
from kit.requests import SignedInApiRequest
from ledger.api.serializers import PersonSerializer
from ledger.errors import ProofStale
from ledger.services.bots import bot_undo


class BotUndoApi(APIView):
    """Take it back that my account is a bot's."""

    @described("bot_undo", answer=PersonSerializer, refusals=(409,), tag="account")
    def post(self, request: SignedInApiRequest) -> Response:
        """Within 24 hours of one's own declaration, and once (`undo_over`); its tokens end.

        In the session of a page, with a password, a passkey or a second factor given within the
        last minutes; with the second factor where there is one (`proof_stale`).
        """
        if not owner_is_present(request):
            raise ProofStale("this asks for your second factor, or your password, again")
        bot_undo(request.user)
        return Response(PersonSerializer(request.user).data)
