"""The ranking and the public figures of players, for programs; everybody may read them."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.names import MAX_LENGTH
from accounts.selectors import person_named
from kit.api import READABLE, CountedPageField, PlaceField, StrictSerializer, checked, described
from pasch.api.access import TokenScope
from ratings import selectors
from ratings.pools import MAIN_POOLS


class RankingQuerySerializer(StrictSerializer):
    """Which pool, and which page of it."""

    pool = serializers.CharField(max_length=64, default=MAIN_POOLS[0])
    search = serializers.RegexField(
        READABLE, max_length=MAX_LENGTH, required=False, help_text="A part of the name."
    )
    after = PlaceField(selectors.RANKING, help_text="`next_after` of the page before.")
    page = CountedPageField()


class RankingRowSerializer(serializers.Serializer):
    """One line of the ranking; equal ratings share a `rank`."""

    rank = serializers.IntegerField()
    name = serializers.CharField(source="username")
    bot = serializers.BooleanField(source="is_bot")
    elo = serializers.IntegerField(source="view.whole")
    strength = serializers.IntegerField(source="view.strength", min_value=1, max_value=6)
    experience = serializers.IntegerField(source="view.experience")
    matches = serializers.IntegerField(source="view.games")
    change = serializers.CharField(help_text="Of the exact rating within seven days.")


class RankingSerializer(serializers.Serializer):
    """A page of the ranking of a pool, and the place after which the next one begins."""

    pool = serializers.CharField()
    pools = serializers.ListField(child=serializers.CharField())
    results = RankingRowSerializer(many=True)
    next_after = serializers.CharField(allow_null=True)
    next_page = serializers.IntegerField(allow_null=True)


class StandingSerializer(serializers.Serializer):
    """A player's standing in one pool; `rank` is null for a closed account."""

    pool = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    elo = serializers.IntegerField()
    strength = serializers.IntegerField(min_value=1, max_value=6)
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()
    won = serializers.IntegerField()
    lost = serializers.IntegerField()


class PlayerSerializer(serializers.Serializer):
    """A player's public figures: one standing for each pool in which they were rated."""

    name = serializers.CharField()
    bot = serializers.BooleanField()
    standings = StandingSerializer(many=True)


class RankingApi(APIView):
    """The ranking."""

    permission_classes = (AllowAny, TokenScope)

    @described(
        "ranking_list",
        answer=RankingSerializer,
        refusals=(400, 404),
        parameters=[RankingQuerySerializer],
        tag="ratings",
    )
    def get(self, request: Request) -> Response:
        """The players of a pool, the highest rating first; `pools` lists every pool there is."""
        asked = checked(RankingQuerySerializer, request.query_params.dict())
        pools = selectors.pools(MAIN_POOLS)
        if asked["pool"] not in pools:
            raise Http404
        search, after, number = asked.get("search", ""), asked["after"], asked["page"]
        rows, order = selectors.listed(asked["pool"], search), selectors.RANKING
        if after:
            found = order.following(after, selectors.PAGE_ROWS, rows)
        else:
            found = order.counted(number, selectors.PAGE_ROWS, rows)
        shown = {
            "pool": asked["pool"],
            "pools": pools,
            "results": selectors.ranked(asked["pool"], found, without_gaps=not search).rows,
            "next_after": found.below or None,
            "next_page": number + 1 if found.below and not after else None,
        }
        return Response(RankingSerializer(shown).data)


class PlayerFiguresApi(APIView):
    """One player."""

    permission_classes = (AllowAny, TokenScope)

    @described("players_get", answer=PlayerSerializer, refusals=(404,), tag="ratings")
    def get(self, request: Request, username: str) -> Response:
        """A player's standing in every pool, as on their page."""
        person = person_named(username) if username.isprintable() else None
        if person is None:
            raise Http404
        rated = selectors.pools_of(person.pk)
        standings = [_standing(person.pk, pool, view) for pool, view in rated.items()]
        shown = {"name": person.get_username(), "bot": person.is_bot, "standings": standings}
        return Response(PlayerSerializer(shown).data)


def _standing(user_id: int, pool: str, view: selectors.RatingView) -> dict[str, Any]:
    row, record = selectors.ranking_of(user_id, pool), selectors.record(user_id, pool)
    return {
        "pool": pool,
        "rank": row.rank if row else None,
        "elo": view.whole,
        "strength": view.strength,
        "experience": view.experience,
        "matches": view.games,
        "won": record.won,
        "lost": record.lost,
    }
