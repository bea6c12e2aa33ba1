"""Tables for programs: find one, open one, sit down, close one's own."""

from collections.abc import Iterable
from uuid import UUID

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.requests import SignedInApiRequest
from games.api.operations import checked, described
from games.api.serializers import (
    PairingSerializer,
    PairWishesSerializer,
    TableSerializer,
    WishesSerializer,
)
from games.models import Table
from games.modes.registry import mode_of
from games.selectors import prices, table_get, table_state, tables_open
from games.services.lobby import quick_pair
from games.services.pairs import PairStanding, pair_standings
from games.services.tables import table_close, table_join, table_open
from games.table.errors import BadTerms, TableError

TABLES_MAX = 100


class NotOffered(TableError):
    """The house has no table on these terms, though each of them is sound."""

    code = "not_offered"


class TablesApi(APIView):
    """Tables that wait for an opponent."""

    @described(answer=TableSerializer(many=True), operation_id="tables_list", tags=["tables"])
    def get(self, request: SignedInApiRequest) -> Response:
        """The open tables of the lobby, the oldest first."""
        listed = list(tables_open()[:TABLES_MAX])
        pairs = _pairs(request.user.pk, listed)
        return Response([table_shown(table, request.user.pk, pairs) for table in listed])


class TableOpenApi(APIView):
    """Open a table."""

    @described(
        answer=TableSerializer,
        status=201,
        refusals=(400, 409),
        request=WishesSerializer,
        operation_id="tables_open",
        tags=["tables"],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Open a table and take seat 0. No credits move before somebody sits down."""
        wishes = checked(WishesSerializer, request.data)
        try:
            table = table_open(user=request.user, **wishes)
        except BadTerms as error:
            raise NotOffered(str(error)) from error
        return Response(table_shown(table, request.user.pk), status=201)


class TablePairApi(APIView):
    """Play at once."""

    @described(
        answer=PairingSerializer,
        refusals=(400, 409),
        request=PairWishesSerializer,
        operation_id="tables_pair",
        tags=["tables"],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Sit down at the oldest table that fits, or open one that others find."""
        wishes = checked(PairWishesSerializer, request.data)
        try:
            pairing = quick_pair(user=request.user, **wishes)
        except BadTerms as error:
            raise NotOffered(str(error)) from error
        return Response(
            {"table": table_shown(pairing.table, request.user.pk), "found": pairing.found}
        )


class TableJoinApi(APIView):
    """Sit down."""

    @described(
        answer=TableSerializer,
        refusals=(404, 409),
        request=None,
        operation_id="tables_join",
        tags=["tables"],
    )
    def post(self, request: SignedInApiRequest, table_id: UUID) -> Response:
        """Take seat 1: both stakes go into escrow and the match begins, or nothing happens."""
        _found(table_id)
        return Response(
            table_shown(table_join(user=request.user, table_id=table_id), request.user.pk)
        )


class TableCloseApi(APIView):
    """Close one's own table."""

    @described(
        answer=TableSerializer,
        refusals=(404, 409),
        request=None,
        operation_id="tables_close",
        tags=["tables"],
    )
    def post(self, request: SignedInApiRequest, table_id: UUID) -> Response:
        """Close a table of one's own that nobody has joined."""
        _found(table_id)
        table_close(user=request.user, table_id=table_id)
        return Response(table_shown(_found(table_id), request.user.pk))


def _found(table_id: UUID) -> Table:
    table = table_get(table_id)
    if table is None:
        raise Http404
    return table


def _pairs(user_id: int, tables: Iterable[Table]) -> dict[int, PairStanding]:
    """Where the reader stands with everybody who sits at these tables, under the pair limit."""
    seated = {player for table in tables for player in (table.opener_id, table.guest_id) if player}
    return pair_standings(user_id, seated - {user_id}, prices().pair_limit)


def table_shown(
    table: Table, user_id: int, pairs: dict[int, PairStanding] | None = None
) -> dict[str, object]:
    """A table as this reader's program gets it, without its empty seats."""
    people = [person for person in table.people if person is not None]
    terms, match = table_state(table).terms, table_state(table).match
    pair = _other(table, user_id, _pairs(user_id, [table]) if pairs is None else pairs)
    rated = pair.rated if match is None else match.rated
    shown: dict[str, object] = TableSerializer(
        {
            "id": table.pk,
            "mode": table.mode,
            "variant": table.variant,
            "stake_cents": table.stake_cents,
            "phase": table.phase,
            "watchers": terms.watchers,
            "rated": rated and bool(mode_of(terms).rated(terms)),
            "pair_matches": pair.matches,
            "people": people,
        }
    ).data
    return shown


def _other(table: Table, user_id: int, pairs: dict[int, PairStanding]) -> PairStanding:
    """Where the reader stands with who else sits here, or would if they sat down."""
    other_id = table.guest_id if table.opener_id == user_id else table.opener_id
    alone = PairStanding(0, None)
    return alone if other_id is None else pairs.get(other_id, alone)
