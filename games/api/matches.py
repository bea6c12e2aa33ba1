"""Matches for programs: one's own, those that everybody may watch, and one."""

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from games.api.operations import PlayerApi
from games.api.serializers import MatchesQuerySerializer, MatchPageSerializer, MatchSerializer
from games.models import Match
from games.selectors import matches_running, may_see
from games.services.archive import ARCHIVE, RUNNING, halves_of
from kit.api import checked, described
from kit.requests import SignedInApiRequest

ROWS_A_PAGE = 25


class MatchesApi(PlayerApi):
    """Lists of matches."""

    @described(
        "matches_list",
        answer=MatchPageSerializer,
        refusals=(400,),
        parameters=[MatchesQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """One's own ended matches, or those that run: one's own, or all that may be watched."""
        asked = checked(MatchesQuerySerializer, request.query_params.dict())
        number, before, state, whose = (
            asked.pop(name) for name in ("page", "before", "state", "whose")
        )
        if state == "running":
            found = matches_running(request.user.pk if whose == "mine" else None)
            order, lists = RUNNING, [found.filter(**asked)]
        else:
            halves = halves_of(request.user.pk, **asked)
            order, lists = ARCHIVE, [half.select_related("table") for half in halves]
        if before:
            page = order.following(before, ROWS_A_PAGE, *lists)
        else:
            page = order.counted(number, ROWS_A_PAGE, *lists)
        shown = {
            "results": page.rows,
            "next_before": page.below or None,
            "next_page": number + 1 if page.below and not before else None,
        }
        return Response(MatchPageSerializer(shown).data)


class MatchApi(PlayerApi):
    """One match."""

    @described("matches_get", answer=MatchSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, match_id: UUID) -> Response:
        """Any match. One of a table without watchers exists for its players alone."""
        matches = Match.objects.select_related("table", "player_0", "player_1")
        found = get_object_or_404(matches, pk=match_id)
        if not may_see(found, request.user):
            raise Http404
        return Response(MatchSerializer(found).data)
