"""One's matches for programs, played here or brought from elsewhere, filtered as on the page."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from analysis.api.reports import FiguresSerializer
from analysis.imports.jacoby import JacobyIsSaid, jacoby_choose
from analysis.imports.listed import ListedMatch, MatchFilters, listed, lists_of
from analysis.imports.removing import matches_remove
from analysis.imports.sending import import_of
from analysis.models import ImportedMatch
from analysis.models.imports import HERE, UNKNOWN
from games.api.operations import PlayerApi
from games.api.serializers import RESULTS
from games.api.wishes import MODES
from games.modes.registry import PRACTICE_KEYS
from games.services.archive import ARCHIVE
from kit.api import (
    READABLE_OR_EMPTY,
    CountedPageField,
    PlaceField,
    StrictSerializer,
    checked,
    described,
)
from kit.requests import SignedInApiRequest

ROWS_A_PAGE = 25


class MyMatchesQuerySerializer(StrictSerializer):
    """Which of your matches; what is left out lets all pass."""

    mode = serializers.ChoiceField(choices=[*MODES, *PRACTICE_KEYS], required=False)
    opponent = serializers.RegexField(
        READABLE_OR_EMPTY,
        required=False,
        allow_blank=True,
        max_length=80,
        help_text="A part of it.",
    )
    result = serializers.ChoiceField(choices=RESULTS, required=False)
    origin = serializers.RegexField(
        READABLE_OR_EMPTY,
        required=False,
        allow_blank=True,
        max_length=12,
        help_text=f"`{HERE}` for matches played here, a source, or `{UNKNOWN}`.",
    )
    length = serializers.IntegerField(
        required=False, min_value=0, max_value=99, help_text="0 is unlimited play."
    )
    year = serializers.IntegerField(required=False, min_value=1900, max_value=9999)
    import_id = serializers.UUIDField(required=False, help_text="What came with an import.")
    in_part = serializers.BooleanField(
        required=False, default=False, help_text="What was kept in part alone."
    )
    before = PlaceField(ARCHIVE, help_text="`next_before` of the page before.")
    page = CountedPageField()


class ListedMatchSerializer(serializers.Serializer):
    """A match of yours; lists are by seat. One from elsewhere has a source other than `here`."""

    id = serializers.UUIDField(source="match.pk")
    origin = serializers.CharField(source="source")
    variant = serializers.CharField()
    length = serializers.IntegerField(help_text="0 is unlimited play.")
    names = serializers.ListField(child=serializers.CharField(allow_blank=True))
    seat = serializers.IntegerField(
        allow_null=True, help_text="Yours; null: the file has not said."
    )
    score = serializers.ListField(child=serializers.IntegerField())
    result = serializers.CharField(allow_blank=True, help_text="Empty without a seat.")
    ended_at = serializers.DateTimeField(source="match.ended_at")
    played_on = serializers.SerializerMethodField()
    event = serializers.SerializerMethodField()
    in_part = serializers.SerializerMethodField()
    report = serializers.IntegerField(
        source="report.pk", default=None, allow_null=True, help_text="The deepest; null: none yet."
    )
    figures = FiguresSerializer(source="report.figures", many=True, default=None, allow_null=True)
    waits = serializers.BooleanField(help_text="Whether the full analysis is to come.")
    jacoby = serializers.BooleanField(
        allow_null=True, help_text="The rule it is judged by; null with a length."
    )
    jacoby_assumed = serializers.BooleanField(
        help_text="The file does not say: choose with `matches_brought_change`."
    )

    @extend_schema_field(serializers.DateField(allow_null=True))
    def get_played_on(self, row: ListedMatch) -> Any:
        """The day that the file says."""
        return row.match.played_on if isinstance(row.match, ImportedMatch) else None

    def get_event(self, row: ListedMatch) -> str:
        """The event that the file says."""
        return row.match.event if isinstance(row.match, ImportedMatch) else ""

    def get_in_part(self, row: ListedMatch) -> bool:
        """Whether only a part of the file could be read."""
        return isinstance(row.match, ImportedMatch) and row.match.in_part


class MyMatchPageSerializer(serializers.Serializer):
    """Some of your matches, and the place at which the next ones begin; null on the last page."""

    results = ListedMatchSerializer(many=True)
    next_before = serializers.CharField(allow_null=True)
    next_page = serializers.IntegerField(allow_null=True)


class MyMatchesApi(PlayerApi):
    """Your matches."""

    @described(
        "matches_mine",
        answer=MyMatchPageSerializer,
        refusals=(400, 404),
        parameters=[MyMatchesQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """Your matches that have ended, played here or brought from elsewhere."""
        asked = checked(MyMatchesQuerySerializer, request.query_params.dict())
        number, before = asked.pop("page"), asked.pop("before")
        lists = lists_of(request.user, _filters(request, asked))
        if before:
            page = ARCHIVE.following(before, ROWS_A_PAGE, *lists)
        else:
            page = ARCHIVE.counted(number, ROWS_A_PAGE, *lists)
        shown = {
            "results": listed(page.rows, request.user),
            "next_before": page.below or None,
            "next_page": number + 1 if page.below and not before else None,
        }
        return Response(MyMatchPageSerializer(shown).data)


def _filters(request: SignedInApiRequest, asked: dict[str, Any]) -> MatchFilters:
    """The filters of a query. Raises `Http404` for an import of somebody else."""
    upload = None
    if (import_id := asked.pop("import_id", None)) is not None:
        upload = import_of(request.user, import_id)
        if upload is None:
            raise Http404
    return MatchFilters(source=asked.pop("origin", ""), upload=upload, **asked)


class JacobySerializer(StrictSerializer):
    """The rule by which a match is judged whose file does not say it."""

    jacoby = serializers.BooleanField()


class BroughtMatchApi(PlayerApi):
    """A match from elsewhere."""

    @described("matches_brought_get", answer=ListedMatchSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, match_id: UUID) -> Response:
        """A match that you brought."""
        return Response(_shown(request, match_id))

    @described(
        "matches_brought_change",
        answer=ListedMatchSerializer,
        request=JacobySerializer,
        refusals=(400, 404, 409),
    )
    def put(self, request: SignedInApiRequest, match_id: UUID) -> Response:
        """Analyse a match again with the Jacoby rule, or without it; its file must not say it."""
        matches = _brought(request, match_id)
        asked = checked(JacobySerializer, request.data)
        if not matches.filter(jacoby_assumed=True).exists():
            raise JacobyIsSaid
        jacoby_choose(matches, holds=asked["jacoby"])
        return Response(_shown(request, match_id))

    @described("matches_brought_delete", answer=None, status=204, refusals=(404,))
    def delete(self, request: SignedInApiRequest, match_id: UUID) -> Response:
        """Delete a match that you brought."""
        matches_remove(_brought(request, match_id))
        return Response(status=204)


def _shown(request: SignedInApiRequest, match_id: UUID) -> dict[str, Any]:
    match = _brought(request, match_id).select_related("transcript").get()
    (row,) = listed([match], request.user)
    return dict(ListedMatchSerializer(row).data)


def _brought(request: SignedInApiRequest, match_id: UUID) -> QuerySet[ImportedMatch]:
    found = ImportedMatch.objects.filter(person=request.user, pk=match_id)
    if not found.exists():
        raise Http404
    return found
