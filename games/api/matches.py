"""Matches for programs: one's own, those that everybody may watch, and one."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from accounts.requests import SignedInApiRequest
from games.api.operations import PlayerApi, checked, described
from games.api.serializers import MatchesQuerySerializer, MatchPageSerializer, MatchSerializer
from games.models import Match
from games.selectors import matches_running, may_see
from games.services.archive import matches_of

ROWS_A_PAGE = 25


class MatchesApi(PlayerApi):
    """Lists of matches."""

    @described(
        answer=MatchPageSerializer,
        refusals=(400,),
        parameters=[MatchesQuerySerializer],
        operation_id="matches_list",
        tags=["matches"],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """One's own ended matches, or those that run: one's own, or all that may be watched."""
        asked = checked(MatchesQuerySerializer, request.query_params.dict())
        number, state, whose = (asked.pop(name) for name in ("page", "state", "whose"))
        if state == "running":
            found = matches_running(request.user.pk if whose == "mine" else None)
            found = found.filter(**asked)
        else:
            found = matches_of(request.user.pk, **asked).select_related("table")
        pages = Paginator(found, ROWS_A_PAGE)
        rows = list(pages.page(number)) if number <= pages.num_pages else []
        following = number + 1 if number < pages.num_pages else None
        return Response(MatchPageSerializer({"results": rows, "next_page": following}).data)


class MatchApi(PlayerApi):
    """One match."""

    @described(
        answer=MatchSerializer, refusals=(404,), operation_id="matches_get", tags=["matches"]
    )
    def get(self, request: SignedInApiRequest, match_id: UUID) -> Response:
        """Any match. One of a table without watchers exists for its players alone."""
        matches = Match.objects.select_related("table", "player_0", "player_1")
        found = get_object_or_404(matches, pk=match_id)
        if not may_see(found, request.user):
            raise Http404
        return Response(MatchSerializer(found).data)
