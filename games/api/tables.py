"""Tables for programs: find one, open one, sit down, find one's own again, close it."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from games.api.operations import PlayerApi
from games.api.serializers import PairingSerializer, TableSerializer, TablesQuerySerializer
from games.api.wishes import (
    PairWishesSerializer,
    PracticeWishesSerializer,
    WishesSerializer,
    as_wished,
    fields_named,
)
from games.models import Table
from games.modes.registry import PRACTICE_KEYS, mode_of
from games.selectors import prices, table_state, tables_running_of
from games.selectors_lobby import OPEN, Sought, tables_sought
from games.services.lobby import quick_pair
from games.services.people import PairStanding, pair_standings
from games.services.practice import practice_open
from games.services.tables import table_close, table_join, table_open
from kit.api import checked, described
from kit.requests import SignedInApiRequest

TABLES_MAX = 100


class TablesApi(PlayerApi):
    """Tables that wait for an opponent."""

    @described(
        "tables_list",
        answer=TableSerializer(many=True),
        refusals=(400, 404),
        parameters=[TablesQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """A hundred open tables of the lobby, the oldest first."""
        asked = checked(TablesQuerySerializer, request.query_params.dict())
        last = asked.pop("after", None)
        after = "" if last is None else OPEN.mark(get_object_or_404(Table, pk=last))
        page = OPEN.following(after, TABLES_MAX, tables_sought(Sought(**asked)))
        return Response(_listed(page.rows, request.user.pk))


class TablesMineApi(PlayerApi):
    """One's own tables."""

    @described("tables_mine", answer=TableSerializer(many=True))
    def get(self, request: SignedInApiRequest) -> Response:
        """Tables at which one waits or plays, practice included, the last used first.

        A program that starts again finds here the table that it left.
        """
        mine = tables_running_of(request.user.pk)[:TABLES_MAX]
        return Response(_listed(mine, request.user.pk))


class TableApi(PlayerApi):
    """One table."""

    @described("tables_get", answer=TableSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, table_id: UUID) -> Response:
        """A table. One without watchers exists for its players alone."""
        table = get_object_or_404(Table, pk=table_id)
        state = table_state(table)
        if state.seat_of(request.user.pk) is None and not state.terms.watchers:
            raise Http404
        return Response(table_shown(table, request.user.pk))


class TableOpenApi(PlayerApi):
    """Open a table."""

    @described(
        "tables_open",
        answer=TableSerializer,
        status=201,
        request=WishesSerializer,
        refusals=(400, 409),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Open a table and take seat 0. No credits move before somebody sits down."""
        wishes = checked(WishesSerializer, request.data)
        with fields_named(wishes["mode"]):
            table = table_open(user=request.user, **as_wished(wishes))
        return Response(table_shown(table, request.user.pk), status=201)


class TablePractiseApi(PlayerApi):
    """Practise."""

    @described(
        "tables_practise",
        answer=TableSerializer,
        status=201,
        request=PracticeWishesSerializer,
        refusals=(400,),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Open a practice table at which the house bot sits already; nothing is at stake."""
        wishes = checked(PracticeWishesSerializer, request.data)
        with fields_named(PRACTICE_KEYS[0]):
            table = practice_open(user=request.user, strength=wishes.pop("opponent"), **wishes)
        return Response(table_shown(table, request.user.pk), status=201)


class TablePairApi(PlayerApi):
    """Play at once."""

    @described(
        "tables_pair", answer=PairingSerializer, request=PairWishesSerializer, refusals=(400, 409)
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Sit down at the oldest table that fits, or open one that others find."""
        wishes = checked(PairWishesSerializer, request.data)
        with fields_named(wishes["mode"]):
            pairing = quick_pair(user=request.user, **as_wished(wishes))
        return Response(
            {"table": table_shown(pairing.table, request.user.pk), "found": pairing.found}
        )


class TableJoinApi(PlayerApi):
    """Sit down."""

    @described("tables_join", answer=TableSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, table_id: UUID) -> Response:
        """Take seat 1: both stakes go into escrow and the match begins, or nothing happens."""
        get_object_or_404(Table, pk=table_id)
        return Response(
            table_shown(table_join(user=request.user, table_id=table_id), request.user.pk)
        )


class TableCloseApi(PlayerApi):
    """Close one's own table."""

    @described("tables_close", answer=TableSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, table_id: UUID) -> Response:
        """Close a table of one's own that nobody has joined."""
        get_object_or_404(Table, pk=table_id)
        table_close(user=request.user, table_id=table_id)
        return Response(table_shown(get_object_or_404(Table, pk=table_id), request.user.pk))


def _listed(tables: Iterable[Table], user_id: int) -> Any:
    """These tables as this reader's program receives them; the serializer is made once for all."""
    listed = list(tables)
    pairs = _pairs(user_id, listed)
    return TableSerializer([_row(table, user_id, pairs) for table in listed], many=True).data


def _pairs(user_id: int, tables: Iterable[Table]) -> dict[int, PairStanding]:
    """The reader's standing under the pair limit with everybody who sits at these tables."""
    seated = {player for table in tables for player in (table.opener_id, table.guest_id) if player}
    return pair_standings(user_id, seated - {user_id}, prices().pair_limit)


def table_shown(table: Table, user_id: int) -> Any:
    """A table as this reader's program receives it."""
    return TableSerializer(_row(table, user_id, _pairs(user_id, [table]))).data


def _row(table: Table, user_id: int, pairs: dict[int, PairStanding]) -> dict[str, object]:
    """The values of a table for its serializer, without its empty seats."""
    state = table_state(table)
    terms, match = state.terms, state.match
    pair = _other(table, user_id, pairs)
    rated = pair.rated if match is None else match.rated
    return {
        "id": table.pk,
        "mode": table.mode,
        "variant": table.variant,
        "stake_cents": terms.stake_cents,
        "phase": table.phase,
        "watchers": terms.watchers,
        "rated": rated and bool(mode_of(terms).rated(terms)),
        "pair_matches": pair.matches,
        "seat": state.seat_of(user_id),
        "match": match.id if match else None,
        "successor": state.successor,
        "people": [person for person in table.people if person is not None],
        "terms": terms,
    }


def _other(table: Table, user_id: int, pairs: dict[int, PairStanding]) -> PairStanding:
    """The reader's standing with the other player here, or with the opener of an open table."""
    other_id = table.guest_id if table.opener_id == user_id else table.opener_id
    alone = PairStanding(0, None)
    return alone if other_id is None else pairs.get(other_id, alone)
