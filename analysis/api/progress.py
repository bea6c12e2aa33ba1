"""The progress of a player for programs: the figures of the page, month by month."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from accounts.selectors import person_named
from analysis.exercises.themes import THEMES
from analysis.progress import (
    MATCHES_MAX,
    Form,
    Progress,
    ProgressAsked,
    ProgressMonth,
    kinds_of,
    progress_of,
)
from analysis.sums import ErrorRate
from backgammon.engines.house import ANALYSED
from games.api.operations import PlayerApi
from kit.api import StrictSerializer, checked, described
from kit.requests import SignedInApiRequest


class ProgressQuerySerializer(StrictSerializer):
    """The variant; without one, the one in which most matches are analysed."""

    variant = serializers.ChoiceField(choices=sorted(ANALYSED), required=False, default="")


class RateSerializer(serializers.Serializer):
    """A PR with its band; both are null where they are not known."""

    counted = serializers.IntegerField()
    pr = serializers.FloatField(allow_null=True)
    band = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="With 95 %: low, high."
    )


class MonthSerializer(serializers.Serializer):
    """A month (UTC); luck is in matches, and in points for games by the point."""

    month = serializers.DateField(help_text="Its first day.")
    matches = serializers.IntegerField()
    all = RateSerializer()
    plays = RateSerializer()
    cube = RateSerializer()
    luck = serializers.FloatField(allow_null=True)
    luck_points = serializers.FloatField(allow_null=True)


class ThemeRateSerializer(serializers.Serializer):
    """A theme; `share` is its part of all losses."""

    theme = serializers.ChoiceField(choices=THEMES)
    rate = RateSerializer()
    share = serializers.FloatField()


class FormSerializer(serializers.Serializer):
    """The last five matches, and up to fifteen before; `trend` needs bands that do not overlap."""

    matches = serializers.IntegerField()
    lately = RateSerializer()
    before = RateSerializer()
    trend = serializers.ChoiceField(choices=("better", "worse"), allow_null=True)
    costly = serializers.ChoiceField(choices=THEMES, allow_null=True)


class VariantCountSerializer(serializers.Serializer):
    """A variant, and how many of the last matches in it are analysed."""

    variant = serializers.CharField()
    matches = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    """The rates of the last twelve months in one variant; `variant` is null without a match."""

    variants = VariantCountSerializer(many=True)
    variant = serializers.CharField(allow_null=True)
    months = MonthSerializer(many=True, help_text="The oldest first.")
    themes = ThemeRateSerializer(many=True)
    all = RateSerializer()
    plays = RateSerializer()
    cube = RateSerializer()
    form = FormSerializer(allow_null=True)
    engines = serializers.ListField(child=serializers.CharField())


class ProgressApi(PlayerApi):
    """Progress."""

    @described(
        "players_progress",
        answer=ProgressSerializer,
        refusals=(400, 404),
        parameters=[ProgressQuerySerializer],
        tag="analysis",
    )
    def get(self, request: SignedInApiRequest, username: str) -> Response:
        """How well a player plays, from the matches whose analysis you may see."""
        wanted = checked(ProgressQuerySerializer, request.query_params.dict())["variant"]
        person = person_named(username)
        if person is None:
            raise NotFound
        analysed = ProgressAsked(person, request.user).latest(MATCHES_MAX)
        kinds = kinds_of(analysed)
        variant = wanted or (kinds[0].variant if kinds else "")
        found, form = progress_of(analysed, variant, timezone.now())
        shown = {
            "variants": kinds,
            "variant": variant or None,
            "form": form and _form(form),
            **_progress(found),
        }
        return Response(ProgressSerializer(shown).data)


def _progress(found: Progress) -> dict[str, Any]:
    return {
        "months": [_month(month) for month in found.months],
        "themes": [
            {"theme": each.theme, "rate": _rate(each.rate), "share": round(each.share, 4)}
            for each in found.themes
        ],
        "all": _rate(found.rate),
        "plays": _rate(found.plays),
        "cube": _rate(found.cube),
        "engines": [" ".join(each) for each in found.engines],
    }


def _month(month: ProgressMonth) -> dict[str, Any]:
    return {
        "month": month.day,
        "matches": month.matches,
        "all": _rate(month.rate),
        "plays": _rate(month.plays),
        "cube": _rate(month.cube),
        "luck": _rounded(month.luck),
        "luck_points": _rounded(month.luck_points),
    }


def _form(form: Form) -> dict[str, Any]:
    return {
        "matches": form.matches,
        "lately": _rate(form.lately),
        "before": _rate(form.before),
        "trend": form.trend or None,
        "costly": form.costly.theme if form.costly else None,
    }


def _rate(rate: ErrorRate) -> dict[str, Any]:
    band = rate.band
    return {
        "counted": rate.counted,
        "pr": _rounded(rate.pr),
        "band": None if band is None else [round(band.low, 2), round(band.high, 2)],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
