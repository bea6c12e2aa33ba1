"""Reading one's own wallet: the balance, its entries, a year's statement."""

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response
from rest_framework.views import APIView

from kit.api import checked, described, page_of, query_of
from kit.requests import SignedInApiRequest
from ledger import selectors
from ledger.api.serializers import (
    EntriesQuerySerializer,
    EntryPageSerializer,
    EntrySerializer,
    RedeemedSerializer,
    StatementSerializer,
    VoucherSerializer,
    WalletSerializer,
)
from ledger.selectors import wallet_balance, wallet_entries
from ledger.selectors_desk import pause_of
from ledger.selectors_player import (
    payable,
    payouts_open_cents,
    statement_years,
    year_statement,
)
from ledger.services.vouchers import voucher_redeem


class WalletApi(APIView):
    """The caller's wallet."""

    @described("wallet_get", answer=WalletSerializer)
    def get(self, request: SignedInApiRequest) -> Response:
        """Balance in cents, what of it can be paid out, and whether anything holds it back."""
        user_id = request.user.pk
        view = payable(user_id)
        wallet = {
            "balance_cents": view.balance_cents,
            "payable_cents": view.payable_cents,
            "locked_cents": view.locked_cents,
            "locked_to_play_cents": view.to_play_cents,
            "locked_people_missing": view.people_missing,
            "held_cents": view.held_cents,
            "unchecked_cents": view.unchecked_cents,
            "payouts_open_cents": payouts_open_cents(user_id),
            "frozen": selectors.wallet_is_frozen(user_id),
            "pause": pause_of(user_id),
        }
        return Response(WalletSerializer(wallet).data)


class EntriesApi(APIView):
    """The entries of the caller's wallet."""

    @described(
        "wallet_entries",
        answer=EntryPageSerializer,
        refusals=(400,),
        parameters=[EntriesQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """Entries with the running balance, the newest first; filter by kinds and time."""
        asked = query_of(request, EntriesQuerySerializer)
        entries = selectors.wallet_entries(
            request.user.pk,
            kinds=tuple(asked.get("kind", ())),
            since=asked.get("since"),
            until=asked.get("until"),
        )
        page = page_of(
            entries,
            "account_version",
            EntrySerializer,
            limit=asked["limit"],
            before=asked.get("before"),
        )
        return Response(page)


class StatementApi(APIView):
    """A year of my wallet."""

    @described(
        "wallet_statement",
        answer=StatementSerializer,
        refusals=(404,),
        parameters=[OpenApiParameter("year", int, OpenApiParameter.PATH)],
    )
    def get(self, request: SignedInApiRequest, year: int) -> Response:
        """Opening balance, what each kind of entry sums to, closing balance; years are UTC."""
        if year not in statement_years(request.user.pk):
            raise Http404
        statement = year_statement(request.user.pk, year)
        totals = [{"kind": k, "total_cents": cents} for k, cents in statement.by_kind.items()]
        answer = {
            "year": year,
            "since": statement.since,
            "until": statement.until,
            "opening_cents": statement.opening_cents,
            "totals": totals,
            "played_cents": statement.played_cents,
            "closing_cents": statement.closing_cents,
        }
        return Response(StatementSerializer(answer).data)


class VoucherRedeemApi(APIView):
    """Redeem a voucher."""

    @described(
        "vouchers_redeem", answer=RedeemedSerializer, request=VoucherSerializer, refusals=(400, 409)
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
