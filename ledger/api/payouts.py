"""Asking for a payout, following it, taking it back."""

import re

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import proved_at
from kit.api import checked, described, page_of, query_of
from kit.requests import SignedInApiRequest
from ledger.api.serializers import (
    PageQuerySerializer,
    PayoutPageSerializer,
    PayoutRequestSerializer,
    PayoutSerializer,
)
from ledger.models import Payout
from ledger.selectors_desk import payouts_of
from ledger.services.payouts import payout_cancel, payout_request

KEY_HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[A-Za-z0-9._-]{8,100}$"
KEY_PARAMETER = OpenApiParameter(
    KEY_HEADER,
    {"type": "string", "pattern": KEY_PATTERN},
    OpenApiParameter.HEADER,
    required=True,
    description="The client's own word for this wish. Saying it again asks for nothing again.",
)


class PayoutsApi(APIView):
    """My payouts."""

    @described(
        "payouts_list",
        answer=PayoutPageSerializer,
        refusals=(400,),
        parameters=[PageQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """All payouts of mine with their steps, the newest first; `before` is an id."""
        asked = query_of(request, PageQuerySerializer)
        page = page_of(payouts_of(request.user.pk), "id", PayoutSerializer, **asked)
        return Response(page)


class PayoutRequestApi(APIView):
    """Ask for a payout."""

    @described(
        "payouts_request",
        answer=PayoutSerializer,
        status=201,
        request=PayoutRequestSerializer,
        refusals=(400, 409),
        parameters=[KEY_PARAMETER],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Put the credits aside at once. The same key again answers with the same payout.

        Only in the session of a page, of a person with a confirmed mail address who has given the
        password, a passkey or a second factor within the last minutes (`proof_stale`).
        """
        wish = checked(PayoutRequestSerializer, request.data)
        payout = payout_request(
            user=request.user,
            client_key=_client_key(request),
            verified_at=proved_at(request),
            **wish,
        )
        return Response(PayoutSerializer(payout).data, status=201)


class PayoutApi(APIView):
    """One payout of mine."""

    @described("payouts_get", answer=PayoutSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, payout_id: int) -> Response:
        """Where it stands, with every step so far."""
        return Response(PayoutSerializer(_own(request, payout_id)).data)


class PayoutCancelApi(APIView):
    """Take a payout back."""

    @described("payouts_cancel", answer=PayoutSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, payout_id: int) -> Response:
        """Before the approval the credits return at once; afterwards this requests the return."""
        payout = payout_cancel(payout_id=_own(request, payout_id).pk, user=request.user)
        return Response(PayoutSerializer(payout).data)


def _own(request: SignedInApiRequest, payout_id: int) -> Payout:
    """The reader's payout; somebody else's does not exist for them. Raises `Http404`."""
    return get_object_or_404(payouts_of(request.user.pk), pk=payout_id)


def _client_key(request: SignedInApiRequest) -> str:
    """The client's word for the request, from its header. Raises `ValidationError`."""
    key = str(request.headers.get(KEY_HEADER, ""))
    if not re.fullmatch(KEY_PATTERN, key):
        reason = "Name the request with 8 to 100 letters, digits and . _ - in this header."
        raise ValidationError({KEY_HEADER: [reason]})
    return key
