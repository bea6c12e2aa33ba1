"""The analyses of one's own matches for programs."""

from typing import Any, cast
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from analysis.models import DecisionRow, ImportedMatch, Report
from backgammon.analysis.json_lines import Line
from games.api.operations import PlayerApi
from kit.api import StrictSerializer, checked, described
from kit.requests import SignedInApiRequest

ROWS_A_PAGE = 25
DECISIONS_A_PAGE = 100
PAGE_MAX = 10**6


class NumberedPageQuerySerializer(StrictSerializer):
    """Which page of a list."""

    page = serializers.IntegerField(min_value=1, max_value=PAGE_MAX, default=1)


class FiguresSerializer(serializers.Serializer):
    """The figures of a player in one match; what is not known is null."""

    decisions = serializers.IntegerField()
    counted = serializers.IntegerField()
    errors = serializers.IntegerField()  # type: ignore[assignment] # DRF names its own so
    lost = serializers.FloatField(allow_null=True)
    pr = serializers.FloatField(allow_null=True)
    band = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Where the PR lies with 95 %: low, high.",
    )
    snowie = serializers.FloatField(allow_null=True)
    luck = serializers.FloatField(allow_null=True)
    cost = serializers.FloatField(allow_null=True)
    gift = serializers.FloatField(allow_null=True)


class ReportSerializer(serializers.Serializer):
    """An analysis of one of your matches; `figures` are those of both seats."""

    id = serializers.IntegerField()
    match = serializers.UUIDField(source="match_id", allow_null=True, help_text="Played here.")
    brought = serializers.SerializerMethodField()
    seat = serializers.SerializerMethodField()
    engine = serializers.CharField()
    version = serializers.CharField()
    depth = serializers.CharField()
    made_at = serializers.DateTimeField()
    figures = FiguresSerializer(many=True)

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_brought(self, report: Report) -> UUID | None:
        """The match from elsewhere."""
        brought = self._brought(report)
        return None if brought is None else brought.pk

    def get_seat(self, report: Report) -> int | None:
        """Yours; null if the file has not said."""
        brought = self._brought(report)
        if brought is not None:
            return brought.seat
        assert report.match is not None, "a match of the reader"
        return report.match.players.index(self.context["reader"])

    def _brought(self, report: Report) -> ImportedMatch | None:
        return cast("ImportedMatch | None", self.context["brought"].get(report.transcript_id))


class ReportPageSerializer(serializers.Serializer):
    """A page of analyses, and the number of the page that follows."""

    results = ReportSerializer(many=True)
    next_page = serializers.IntegerField(allow_null=True)


class DecisionOptionSerializer(serializers.Serializer):
    """Something that could have been done."""

    text = serializers.CharField(allow_blank=True)
    equity = serializers.FloatField()
    ply = serializers.IntegerField()
    chances = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class DecisionRolloutSerializer(serializers.Serializer):
    """A rollout that decided about differing judges: its trials, the standard error of the loss."""

    trials = serializers.IntegerField()
    error = serializers.FloatField(allow_null=True)


class DecisionSerializer(serializers.Serializer):
    """A decision; docs/analysis.md says what the fields mean."""

    game = serializers.IntegerField()
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    kind = serializers.CharField()
    dice = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, source="line.dice"
    )
    played = serializers.CharField(allow_blank=True, allow_null=True, source="line.played")
    best = serializers.CharField(allow_blank=True, source="line.best")
    loss = serializers.FloatField(allow_null=True)
    counted = serializers.BooleanField()
    luck = serializers.FloatField(allow_null=True)
    mark = serializers.CharField(allow_blank=True, source="line.mark")
    ply = serializers.IntegerField()
    rollout = serializers.SerializerMethodField()
    options = DecisionOptionSerializer(many=True, source="line.options")

    @extend_schema_field(DecisionRolloutSerializer(allow_null=True))
    def get_rollout(self, row: DecisionRow) -> Line | None:
        """How exact the loss is where a rollout decided about differing judges."""
        found: Line | None = row.line.get("rollout")
        return found


class DecisionPageSerializer(serializers.Serializer):
    """A page of the decisions of an analysis, and the number of the page that follows."""

    results = DecisionSerializer(many=True)
    next_page = serializers.IntegerField(allow_null=True)


class ReportsApi(PlayerApi):
    """Analyses."""

    @described(
        "analysis_reports",
        answer=ReportPageSerializer,
        refusals=(400,),
        parameters=[NumberedPageQuerySerializer],
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """The analyses of your matches, played here or brought, the newest first."""
        number = checked(NumberedPageQuerySerializer, request.query_params.dict())["page"]
        reports = _own(request).select_related("match").order_by("-made_at", "-pk")
        pages = Paginator(reports, ROWS_A_PAGE)
        shown: dict[str, Any] = {
            "results": list(pages.page(number)) if number <= pages.num_pages else [],
            "next_page": number + 1 if number < pages.num_pages else None,
        }
        brought = ImportedMatch.objects.filter(
            person=request.user, transcript__in=[row.transcript_id for row in shown["results"]]
        )
        reader = {
            "reader": request.user.pk,
            "brought": {match.transcript_id: match for match in brought},
        }
        return Response(ReportPageSerializer(shown, context=reader).data)


class DecisionsApi(PlayerApi):
    """Decisions."""

    @described(
        "analysis_decisions",
        answer=DecisionPageSerializer,
        refusals=(400, 404),
        parameters=[NumberedPageQuerySerializer],
    )
    def get(self, request: SignedInApiRequest, report_id: int) -> Response:
        """The decisions of both players in the analysis of one of your own matches."""
        number = checked(NumberedPageQuerySerializer, request.query_params.dict())["page"]
        report = get_object_or_404(_own(request), pk=report_id)
        rows = DecisionRow.objects.filter(report=report).order_by("game", "number")
        pages = Paginator(rows, DECISIONS_A_PAGE)
        shown = {
            "results": list(pages.page(number)) if number <= pages.num_pages else [],
            "next_page": number + 1 if number < pages.num_pages else None,
        }
        return Response(DecisionPageSerializer(shown).data)


def _own(request: SignedInApiRequest) -> QuerySet[Report]:
    """The analyses of the reader's own matches; no others exist for them."""
    reader = request.user.pk
    brought = ImportedMatch.objects.filter(person=reader).values("transcript")
    played = Q(match__player_0=reader) | Q(match__player_1=reader)
    return Report.objects.filter(played | Q(transcript__in=brought))
