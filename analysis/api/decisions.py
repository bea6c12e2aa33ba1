"""The reader's decisions for programs, filtered as on the page."""

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from analysis.api.reports import NumberedPageQuerySerializer
from analysis.decisions.curve import curve_variants
from analysis.decisions.filters import FACETS, OF_DECISION, SORTS, filter_of
from analysis.decisions.search import DecisionSearch
from analysis.decisions.statistics import BYS, OVERS, DecisionRate, of_one_variant, statistics_of
from analysis.exercises.themes import PHASES, THEMES
from analysis.models import MyDecision
from games.api.operations import PlayerApi
from kit.api import StrictSerializer, checked, described
from kit.requests import SignedInApiRequest

A_PAGE: Final = 50
_TEXT_MAX: Final = 400


def _values(facet: str) -> serializers.CharField:
    """A facet: its values, parted by commas."""
    told = ", ".join(OF_DECISION[facet]) if facet in OF_DECISION else facet
    return serializers.CharField(
        required=False, default="", max_length=_TEXT_MAX, help_text=f"Some of: {told}."
    )


class FacetQuerySerializer(StrictSerializer):
    """Which decisions; a facet has its values parted by commas, and without any all pass."""

    kind = _values("kind")
    theme = _values("theme")
    phase = _values("phase")
    score = _values("score")
    pace = _values("pace")
    engines = _values("engines")
    exercise = _values("exercise")
    origin = _values("source")
    when = _values("when")
    variant = _values("variant")
    opponent = serializers.CharField(required=False, default="", max_length=80)
    roll = serializers.RegexField("^[1-6]{2}$", required=False, default="")
    away = serializers.RegexField(r"^[0-9]{0,2}-[0-9]{0,2}$", required=False, default="")
    noted = serializers.BooleanField(required=False, default=False)
    list = serializers.UUIDField(required=False, default=None, allow_null=True)


class DecisionFilterSerializer(FacetQuerySerializer, NumberedPageQuerySerializer):
    """Which decisions, in which order, and which page of them."""

    size = _values("size")
    sort = serializers.ChoiceField(choices=SORTS, required=False, default=SORTS[0])


class ListedDecisionSerializer(serializers.Serializer):
    """A decision of yours; `report` and its place lead to all of it where the match was here."""

    id = serializers.IntegerField(source="pk")
    match = serializers.UUIDField(source="match.match_id", allow_null=True)
    imported = serializers.UUIDField(source="match.imported_id", allow_null=True)
    report = serializers.IntegerField(source="decision.report_id")
    game = serializers.IntegerField(source="decision.game")
    number = serializers.IntegerField(source="decision.number")
    theme = serializers.ChoiceField(choices=THEMES)
    phase = serializers.ChoiceField(choices=PHASES)
    kind = serializers.CharField()
    xgid = serializers.CharField(source="decision.line.xgid", allow_null=True)
    played = serializers.CharField(source="decision.line.played", allow_blank=True, allow_null=True)
    best = serializers.CharField(source="decision.line.best", allow_blank=True)
    loss = serializers.FloatField()
    mark = serializers.CharField(source="decision.line.mark", allow_blank=True)
    counted = serializers.BooleanField()
    engines_agree = serializers.BooleanField(source="agrees")
    own_away = serializers.IntegerField(help_text="0 in unlimited play.")
    opponent_away = serializers.IntegerField()
    crawford = serializers.BooleanField()
    seconds = serializers.IntegerField(allow_null=True)
    opponent = serializers.SerializerMethodField()
    origin = serializers.CharField(source="match.source")
    played_at = serializers.DateTimeField(source="match.played_at")

    def get_opponent(self, row: MyDecision) -> str:
        """The opponent's name, here or in the file."""
        found: DecisionSearch = self.context["search"]
        return found.matches[row.match_id].opponent


class DecisionListPageSerializer(serializers.Serializer):
    """A page of your decisions, with the sums of all that pass and the counts of each facet."""

    decisions = serializers.IntegerField()
    lost = serializers.FloatField(help_text="In points.")
    pr = serializers.FloatField(allow_null=True, help_text="Of all your decisions.")
    pr_part = serializers.FloatField(allow_null=True, help_text="What these cost of it.")
    counts = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="By facet and value, within the other filters.",
    )
    results = ListedDecisionSerializer(many=True)
    next_page = serializers.IntegerField(allow_null=True)


class MyDecisionsApi(PlayerApi):
    """Your decisions."""

    @described(
        "decisions_list",
        answer=DecisionListPageSerializer,
        refusals=(400,),
        parameters=[DecisionFilterSerializer],
        tag="analysis",
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """Your decisions in all of your analysed matches, played here or brought."""
        asked = checked(DecisionFilterSerializer, request.query_params.dict())
        search = DecisionSearch(request.user, filter_of(_fields(asked)), timezone.now())
        first = (asked["page"] - 1) * A_PAGE
        more = first + A_PAGE < search.decisions
        shown = {
            "decisions": search.decisions,
            "lost": round(search.lost, 3),
            "pr": _rounded(search.pr),
            "pr_part": _rounded(search.pr_part),
            "counts": {facet: dict(search.counts(facet)) for facet in FACETS},
            "results": search.rows(first, A_PAGE) if first < search.decisions else [],
            "next_page": asked["page"] + 1 if more else None,
        }
        return Response(DecisionListPageSerializer(shown, context={"search": search}).data)


class DecisionStatisticsQuerySerializer(FacetQuerySerializer):
    """The choice of rows and columns; rows by what both need to win have no time."""

    by = serializers.ChoiceField(choices=BYS, required=False, default=BYS[0])
    over = serializers.ChoiceField(choices=OVERS, required=False, default="", allow_blank=True)


class DecisionRateSerializer(serializers.Serializer):
    """How well some decisions were made; few have no band."""

    decisions = serializers.IntegerField()
    counted = serializers.IntegerField(source="rate.counted")
    error_count = serializers.IntegerField(source="errors")
    blunder_count = serializers.IntegerField(source="blunders")
    lost = serializers.FloatField(source="rate.lost", help_text="In points.")
    pr = serializers.FloatField(source="rate.pr", allow_null=True)
    band = serializers.SerializerMethodField()

    @extend_schema_field(
        serializers.ListField(
            child=serializers.FloatField(), allow_null=True, help_text="With 95 %: low, high."
        )
    )
    def get_band(self, rate: DecisionRate) -> list[float] | None:
        """The band of the PR."""
        band = rate.rate.band
        return None if band is None else [round(band.low, 2), round(band.high, 2)]


class StatisticsPartSerializer(serializers.Serializer):
    """The part of a row in a column: a year, a quarter as 2026q1, or what the opponent needs."""

    column = serializers.CharField()
    rate = DecisionRateSerializer()


class StatisticsRowSerializer(serializers.Serializer):
    """A value with its decisions, and their parts."""

    value = serializers.CharField()
    total = DecisionRateSerializer()
    parts = StatisticsPartSerializer(many=True)


class DecisionStatisticsSerializer(serializers.Serializer):
    """Statistics in one variant, which is null without a match."""

    variant = serializers.CharField(allow_null=True)
    total = DecisionRateSerializer()
    rows = StatisticsRowSerializer(many=True)


class DecisionStatisticsApi(PlayerApi):
    """Statistics of your decisions."""

    @described(
        "decisions_statistics",
        answer=DecisionStatisticsSerializer,
        refusals=(400,),
        parameters=[DecisionStatisticsQuerySerializer],
        tag="analysis",
    )
    def get(self, request: SignedInApiRequest) -> Response:
        """How well you decide by theme, phase, kind or score, and over years or quarters.

        Without a variant it is the one that you play most, because variants are never mixed.
        """
        asked = checked(DecisionStatisticsQuerySerializer, request.query_params.dict())
        variants = [variant for variant, _matches in curve_variants(request.user)]
        wanted = of_one_variant(variants, filter_of(_fields(asked)))
        search = DecisionSearch(request.user, wanted, timezone.now())
        found = statistics_of(search.queryset(), asked["by"], asked["over"])
        shown = {
            "variant": next(iter(wanted.chosen("variant")), next(iter(variants), None)),
            "total": found.total,
            "rows": [
                {
                    "value": row.value,
                    "total": row.total,
                    "parts": [{"column": key, "rate": rate} for key, rate in row.parts.items()],
                }
                for row in found.rows
            ],
        }
        return Response(DecisionStatisticsSerializer(shown).data)


def _fields(asked: dict[str, Any]) -> dict[str, list[str]]:
    """The query as the fields of the page's address."""
    found = {facet: asked[facet].split(",") for facet in FACETS if facet in asked}
    found |= {"source": asked["origin"].split(","), "opponent": [asked["opponent"]]}
    found |= {name: [asked[name]] for name in ("roll", "away", "sort") if name in asked}
    found["noted"] = ["1" if asked["noted"] else ""]
    found["list"] = [str(asked["list"] or "")]
    return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
