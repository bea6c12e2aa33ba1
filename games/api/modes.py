"""The choices of the house, for programs: modes, their variants, rules, amounts and clocks."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from backgammon.bots.strength import LEVELS
from games.api.wishes import OPPONENT_USUAL, has_base
from games.forms.names import VARIANT_NAMES
from games.forms.practice import opponent_name
from games.modes.choices import RuleChoice
from games.modes.mode import Mode
from games.modes.prices import Prices
from games.modes.registry import OPENED, PRACTICE_KEYS, by_key
from games.modes.terms import CLOCKS
from games.offered import (
    choices_offered,
    modes_playable,
    rules_offered,
    stake_offered_most,
    variants_offered,
)
from games.selectors import prices
from games.services.house_bots import ALONE
from kit.api import described


class ValueSerializer(serializers.Serializer):
    """A value that a rule can have; `name` is empty where the value needs none."""

    value = serializers.JSONField()
    name = serializers.CharField(allow_blank=True)


class RuleSerializer(serializers.Serializer):
    """A rule that can be chosen: `field` of the request, its name and an explanation."""

    field = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    values = ValueSerializer(many=True)


class RuleOfferedSerializer(serializers.Serializer):
    """The values of a rule in one mode and variant; `default` holds without the field."""

    field = serializers.CharField()
    values = serializers.ListField(child=serializers.JSONField())
    default = serializers.JSONField()


class VariantOfferedSerializer(serializers.Serializer):
    """A variant in which a mode is played, with the rules that can be chosen there."""

    key = serializers.CharField()
    rules = RuleOfferedSerializer(many=True)


class AmountSerializer(serializers.Serializer):
    """An amount in cents that a mode takes: one of `values`, or from `least` to `most`.

    Where `times_of` names another amount, it is also bounded by multiples of that one.
    """

    field = serializers.CharField()
    values = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    times_of = serializers.CharField(allow_null=True)
    least_times = serializers.IntegerField(allow_null=True)
    most_times = serializers.IntegerField(allow_null=True)


class ModeSerializer(serializers.Serializer):
    """A mode. `reserve_points` is null where the clock's reserve grows with the match."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField(allow_blank=True)
    contest = serializers.CharField()
    amounts = AmountSerializer(many=True)
    clock = serializers.CharField(help_text="The clock without the field `clock`.")
    reserve_points = serializers.IntegerField(allow_null=True)
    variants = VariantOfferedSerializer(many=True)


class NamedSerializer(serializers.Serializer):
    """A variant and its name."""

    key = serializers.CharField()
    name = serializers.CharField()


class MeasuredSerializer(serializers.Serializer):
    """The PR of a level in backgammon with its 95 % band, and the decisions that were counted."""

    pr = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    decisions = serializers.IntegerField()


class OpponentSerializer(serializers.Serializer):
    """An opponent in practice; `measured` is null for `alone`: the player plays both sides."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField(allow_blank=True)
    measured = MeasuredSerializer(allow_null=True)


class ClockSerializer(serializers.Serializer):
    """A clock: free time in every turn, and time for the match for each point of its reserve."""

    key = serializers.CharField()
    delay_ms = serializers.IntegerField()
    reserve_ms_a_point = serializers.IntegerField()


class PracticeOfferedSerializer(serializers.Serializer):
    """The choices of the operation `tables_practise`."""

    name = serializers.CharField()
    clock = serializers.CharField(help_text="The clock without the field `clock`.")
    opponents = OpponentSerializer(many=True)
    opponent = serializers.CharField(help_text="The opponent without the field `opponent`.")
    variants = VariantOfferedSerializer(many=True)


class OfferSerializer(serializers.Serializer):
    """All that this house offers, in the language of `Accept-Language`."""

    modes = ModeSerializer(many=True)
    practice = PracticeOfferedSerializer()
    variants = NamedSerializer(many=True)
    rules = RuleSerializer(many=True)
    clocks = ClockSerializer(many=True)
    rake_bps = serializers.IntegerField()
    stake_cents_most = serializers.IntegerField(
        allow_null=True, help_text="No table reserves more of a player; null without such a bound."
    )


class ModesApi(APIView):
    """The modes of the house."""

    # no login, but a token needs its scope as everywhere
    permission_classes = (AllowAny, *cast("Any", api_settings.DEFAULT_PERMISSION_CLASSES)[1:])

    @described("modes_list", answer=OfferSerializer, tag="tables")
    def get(self, request: Request) -> Response:
        """Modes, variants, rules, amounts and clocks as this house offers them now."""
        figures = prices()
        offered = {
            "modes": [_mode(mode, figures) for mode in modes_playable(OPENED, lambda: figures)],
            "practice": _practice(by_key(PRACTICE_KEYS[0])),
            "variants": [{"key": key, "name": str(name)} for key, name in VARIANT_NAMES.items()],
            "rules": [_rule(field, choices) for field, choices in _rules().items()],
            "clocks": [
                {"key": key, "delay_ms": delay_ms, "reserve_ms_a_point": reserve_ms}
                for key, (delay_ms, reserve_ms) in CLOCKS.items()
            ],
            "rake_bps": figures.rake_bps,
            "stake_cents_most": stake_offered_most(),
        }
        return Response(OfferSerializer(offered).data)


def _mode(mode: Mode, figures: Prices) -> dict[str, Any]:
    return {
        "key": mode.key,
        "name": _(mode.name),
        "summary": _(mode.summary) if mode.summary else "",
        "contest": mode.contest,
        "amounts": list(_amounts(mode, figures)),
        "clock": mode.clock_usual,
        "reserve_points": None if mode.lengths else mode.reserve_points,
        "variants": _variants(mode),
    }


def _practice(mode: Mode) -> dict[str, Any]:
    return {
        "name": _(mode.name),
        "clock": mode.clock_usual,
        "opponents": list(_opponents()),
        "opponent": OPPONENT_USUAL,
        "variants": _variants(mode),
    }


def _opponents() -> Iterator[dict[str, Any]]:
    """The levels of the house bot from the weakest on, and nobody."""
    for level in LEVELS:
        yield {
            "key": level.key,
            "name": opponent_name(level.key),
            "summary": _(level.sentence),
            "measured": asdict(level.measured),
        }
    yield {"key": ALONE, "name": opponent_name(ALONE), "summary": "", "measured": None}


def _variants(mode: Mode) -> list[dict[str, Any]]:
    keys = variants_offered(mode)
    return [{"key": variant, "rules": rules_offered(mode, variant)} for variant in keys]


def _amounts(mode: Mode, figures: Prices) -> Iterator[Mapping[str, Any]]:
    """The amounts of a mode under the names of requests (`games.api.wishes`)."""
    for field in mode.amounts:
        amount: dict[str, Any] = dict.fromkeys(AmountSerializer().fields)
        bounds = mode.bounds(field, figures)
        if bounds is not None:
            amount |= asdict(bounds)
            amount["times_of"] = bounds.times_of and _asked_as(bounds.times_of, mode)
        else:
            wished = (wishes.get(field) for wishes in choices_offered(mode, figures).values())
            amount["values"] = sorted({cents for cents in wished if cents is not None}) or None
        yield amount | {"field": _asked_as(field, mode)}


def _asked_as(amount: str, mode: Mode) -> str:
    return "rate_cents" if amount == "stake_cents" and has_base(mode.key) else amount


def _rules() -> dict[str, list[RuleChoice]]:
    """Every rule that some mode offers in some variant, with all of its choices."""
    found: dict[str, list[RuleChoice]] = {}
    for mode in OPENED:
        for variant in mode.variants:
            for choice in mode.rules_offered(variant):
                found.setdefault(choice.field, []).append(choice)
    return found


def _rule(field: str, choices: list[RuleChoice]) -> dict[str, Any]:
    values = {value: "" for choice in choices for value in choice.values}
    for choice in choices:
        values.update(zip(choice.values, map(_, choice.names), strict=False))
    return {
        "field": field,
        "name": _(choices[0].name),
        "sentence": _(choices[0].sentence),
        "values": [{"value": value, "name": name} for value, name in values.items()],
    }
