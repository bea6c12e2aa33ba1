"""Redeeming a voucher."""

from rest_framework.response import Response
from rest_framework.views import APIView

from kit.api import checked
from kit.requests import SignedInApiRequest
from ledger.api.operations import described
from ledger.api.serializers import RedeemedSerializer, VoucherSerializer
from ledger.selectors import wallet_balance, wallet_entries
from ledger.services import voucher_redeem


class VoucherRedeemApi(APIView):
    """Redeem a voucher."""

    @described(
        answer=RedeemedSerializer,
        refusals=(400, 409),
        request=VoucherSerializer,
        operation_id="vouchers_redeem",
        tags=["vouchers"],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Move its credits into the wallet, once; the same player may send the code again."""
        posted = voucher_redeem(user=request.user, **checked(VoucherSerializer, request.data))
        entry = wallet_entries(request.user.pk).get(transfer=posted.transfer_id)
        answer = {
            "amount_cents": entry.amount_cents,
            "balance_cents": wallet_balance(request.user.pk),
            "replayed": posted.replayed,
        }
        return Response(RedeemedSerializer(answer).data)
