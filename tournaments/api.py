"""Tournaments for programs: list, look, enter, withdraw, be there."""

from typing import Any, get_args
from uuid import UUID

from django.http import Http404
from django.urls import path
from rest_framework import serializers
from rest_framework.response import Response

from games.api.operations import PlayerApi
from kit.api import StrictSerializer, checked, described, serializer_of
from kit.requests import SignedInApiRequest
from tournaments.errors import NoSuchTournament
from tournaments.files import results_json
from tournaments.frames import TournamentPhase, TournamentRow, TournamentWhole
from tournaments.models import Tournament
from tournaments.selectors import (
    announced,
    calls_of,
    entered_by,
    entries_of,
    filling,
    running,
    tournament_get,
)
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.running import pool_of
from tournaments.services.store import state_of, table_terms_of, terms_of
from tournaments.services.words import title_of

PHASES = get_args(TournamentPhase)


class EntryWishSerializer(StrictSerializer):
    """The wishes of an entrant."""

    part = serializers.RegexField(
        "^[0-9a-fA-F]{32}$",
        required=False,
        help_text="Your part in the draw, 32 hexadecimal digits; drawn here without one.",
    )


TournamentSerializer = serializer_of(TournamentRow)
TournamentWholeSerializer = serializer_of(TournamentWhole)


Json = dict[str, Any]


class TournamentsApi(PlayerApi):
    """The open tournaments."""

    @described("tournaments_list", answer=TournamentSerializer(many=True))
    def get(self, request: SignedInApiRequest) -> Response:
        """The tournaments that fill, are announced or run."""
        reader = request.user.pk
        entered = {each.pk for each in entered_by(reader)}
        found = [*filling(reader), *announced(reader), *running(reader)]
        rows = [_row(each, entered=each.pk in entered) for each in found]
        return Response(TournamentSerializer(rows, many=True).data)


class TournamentApi(PlayerApi):
    """One tournament."""

    @described("tournaments_get", answer=TournamentWholeSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, tournament_id: UUID) -> Response:
        """A tournament with standing, pairings, and your match that is called."""
        return _shown(tournament_id, request)


class TournamentEnterApi(PlayerApi):
    """Enter."""

    @described(
        "tournaments_enter",
        answer=TournamentWholeSerializer,
        request=EntryWishSerializer,
        refusals=(400, 404, 409),
    )
    def post(self, request: SignedInApiRequest, tournament_id: UUID) -> Response:
        """Enter; a fee goes into the tournament's escrow. Repeated, it changes nothing."""
        wish = checked(EntryWishSerializer, request.data)
        with_found(tournament_enter, request, tournament_id, part=wish.get("part", ""))
        return _shown(tournament_id, request)


class TournamentWithdrawApi(PlayerApi):
    """Withdraw."""

    @described("tournaments_withdraw", answer=TournamentWholeSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, tournament_id: UUID) -> Response:
        """Withdraw before the draw, the fee comes back; after it give up."""
        with_found(tournament_withdraw, request, tournament_id)
        return _shown(tournament_id, request)


class TournamentReadyApi(PlayerApi):
    """Be there."""

    @described("tournaments_ready", answer=TournamentWholeSerializer, refusals=(404, 409))
    def post(self, request: SignedInApiRequest, tournament_id: UUID) -> Response:
        """Be there for your match; `call.table` is set as soon as the table is open."""
        with_found(meeting_ready, request, tournament_id)
        return _shown(tournament_id, request)


def with_found(service: Any, request: SignedInApiRequest, tournament_id: UUID, **more: Any) -> None:
    """Call a service; a tournament that the asker does not see is 404."""
    if tournament_get(tournament_id, request.user.pk) is None:
        raise Http404
    try:
        service(user=request.user, tournament_id=tournament_id, **more)
    except NoSuchTournament as error:
        raise Http404 from error


def _row(tournament: Tournament, *, entered: bool) -> Json:
    terms, table_terms = terms_of(tournament), table_terms_of(tournament)
    return {
        "id": tournament.pk,
        "name": title_of(tournament),
        "format": terms.format,
        "variant": table_terms.variant,
        "length": terms.length,
        "least": terms.least,
        "most": terms.most,
        "phase": tournament.phase,
        "starts_at": tournament.starts_at,
        "fee_cents": tournament.fee_cents,
        "rake_bps": tournament.rake_bps,
        "added_cents": tournament.added_cents,
        "satellite_of": tournament.satellite_of_id,
        "seats": pool_of(tournament, terms.most).seats,
        "shares_bps": tournament.shares_bps,
        "sides_bps": tournament.sides_bps,
        "taken": getattr(tournament, "taken", 0),
        "entered": entered,
        "commitment": tournament.commitment,
        "table_terms": table_terms,
    }


def _shown(tournament_id: UUID, request: SignedInApiRequest) -> Response:
    whole = tournament_whole(tournament_id, request.user.pk)
    if whole is None:
        raise Http404
    return Response(whole)


def tournament_whole(tournament_id: UUID, user_id: int | None) -> Json | None:
    """A tournament as this reader sees it; None if they do not."""
    tournament = tournament_get(tournament_id, user_id)
    if tournament is None:
        return None
    entries = entries_of(tournament)
    results = results_json(tournament, entries, state_of(tournament))
    entered = any(entry.user_id == user_id for entry in entries if user_id is not None)
    row = {
        **_row(tournament, entered=entered),
        "seq": tournament.seq,
        "standing": results["standing"],
        "pairings": results["pairings"],
        "call": None if user_id is None else _call(tournament, user_id),
    }
    return dict(TournamentWholeSerializer(row).data)


def _call(tournament: Tournament, user_id: int) -> Json | None:
    for call in calls_of(user_id):
        if call.tournament_id == tournament.pk:
            other = call.player_1 if call.player_0_id == user_id else call.player_0
            return {
                "number": call.number,
                "opponent": other.get_username(),
                "due_at": call.due_at,
                "table": call.table_id,
            }
    return None


urlpatterns = [
    path("tournaments/", TournamentsApi.as_view(), name="api_tournaments"),
    path("tournaments/<uuid:tournament_id>/", TournamentApi.as_view(), name="api_tournament"),
    path(
        "tournaments/<uuid:tournament_id>/enter/",
        TournamentEnterApi.as_view(),
        name="api_tournament_enter",
    ),
    path(
        "tournaments/<uuid:tournament_id>/withdraw/",
        TournamentWithdrawApi.as_view(),
        name="api_tournament_withdraw",
    ),
    path(
        "tournaments/<uuid:tournament_id>/ready/",
        TournamentReadyApi.as_view(),
        name="api_tournament_ready",
    ),
]
