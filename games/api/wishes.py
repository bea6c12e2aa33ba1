"""The wishes of programs that open a table, and refusals that name the field.

The fields are those of `games.modes.terms.Wishes`, but for one name: an amount a point is
`rate_cents` everywhere, and `stake_cents` is what each seat puts into escrow.
"""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from accounts.names import MAX_LENGTH
from backgammon.rules.variants import KEYS
from games.modes.registry import ALL, OPENED, by_key
from games.modes.terms import CLOCKS
from games.services.house_bots import OPPONENTS
from games.table.errors import BadTerms
from kit.api import CentsField, LineField, StrictSerializer, WholeField, YesOrNoField

MODES = tuple(sorted(mode.key for mode in OPENED))
CENTS: dict[str, Any] = {"max_value": 10**9, "required": False}
SPAN_MAX = 5
OPPONENT_USUAL = "intermediate"


class NotOffered(BadTerms):
    """The house has no table on these terms, though each of them is sound."""

    code = "not_offered"


def _values() -> dict[str, list[Any]]:
    """Every rule that may be wished for, with all its values in any mode and variant."""
    found: dict[str, dict[Any, None]] = {}
    for mode in ALL:
        for variant in mode.variants:
            for rule in mode.rules_offered(variant):
                found.setdefault(rule.field, {}).update(dict.fromkeys(rule.values))
    return {field: list(values) for field, values in found.items()}


VALUES: Final = _values()

#: the rules of a match of several points
MATCH_RULES: Final = frozenset({"target_points", "crawford", "holland"})


def _rule_field(values: list[Any]) -> serializers.Field:
    if isinstance(values[0], bool):
        return YesOrNoField(required=False)
    if isinstance(values[0], int):
        return WholeField(min_value=min(values), max_value=max(values), required=False)
    return serializers.ChoiceField(choices=values, required=False)


class FreeWishesSerializer(StrictSerializer):
    """The rules of a game that stands alone; without a field the mode and the variant decide."""

    rules: ClassVar[Set[str]] = VALUES.keys() - MATCH_RULES
    variant = serializers.ChoiceField(choices=KEYS, required=False)
    clock = serializers.ChoiceField(choices=list(CLOCKS), required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields that every game has, and one for each rule."""
        rules = {field: _rule_field(VALUES[field]) for field in VALUES if field in self.rules}
        return {**super().get_fields(), **rules}


@extend_schema_serializer(component_name="GameWishes")
class GameWishesSerializer(FreeWishesSerializer):
    """Wishes for a game; for a missing field the mode and the variant decide."""

    rules = VALUES.keys()
    mode = serializers.ChoiceField(choices=MODES)
    stake_cents = CentsField(**CENTS, help_text="What each seat puts into escrow.")
    rate_cents = CentsField(**CENTS, help_text="What a point costs.")
    limit_cents = CentsField(**CENTS, help_text="The most that a single game can cost.")
    bank_cents = CentsField(**CENTS, help_text="What each seat brings to a session.")


@extend_schema_serializer(component_name="PracticeWishes")
class PracticeWishesSerializer(FreeWishesSerializer):
    """Wishes for practice, and the opponent."""

    opponent = serializers.ChoiceField(
        choices=OPPONENTS,
        default=OPPONENT_USUAL,
        help_text="How well the house bot plays; `alone`: you play both sides.",
    )


@extend_schema_serializer(component_name="TableWishes")
class WishesSerializer(GameWishesSerializer):
    """The wishes of the opener of a table."""

    private = YesOrNoField(default=False)
    watchers = YesOrNoField(
        required=False, help_text="Whether others may watch; without it: unless it is private."
    )


@extend_schema_serializer(component_name="PairWishes")
class PairWishesSerializer(GameWishesSerializer):
    """Wishes for a game at once, and the opponent."""

    strength_span = WholeField(
        min_value=0,
        max_value=SPAN_MAX,
        default=None,
        allow_null=True,
        help_text="How many strength groups the opponent may be away; null: anybody.",
    )


@extend_schema_serializer(component_name="ChallengeWishes")
class ChallengeWishesSerializer(GameWishesSerializer):
    """Wishes for a game in a challenge."""

    opponent = LineField(max_length=MAX_LENGTH, help_text="The name, in any case.")


def has_base(mode: str) -> bool:
    """Whether the stake wished for in this mode is that of a point, and so `rate_cents` here."""
    return "base" in by_key(mode).asks


def as_wished(asked: dict[str, Any]) -> dict[str, Any]:
    """The wishes of the house for those of a program. Raises `NotOffered`."""
    if not has_base(asked["mode"]):
        return asked
    if "stake_cents" in asked:
        text = f"the stake of {asked['mode']} follows from rate_cents"
        raise NotOffered(text, field="stake_cents")
    return {("stake_cents" if name == "rate_cents" else name): asked[name] for name in asked}


@contextmanager
def fields_named(mode: str) -> Iterator[None]:
    """Let the refusal of a wish name the field of the request. Raises `NotOffered`."""
    try:
        yield
    except NotOffered:
        raise
    except BadTerms as error:
        field = str(error.fields.get("field", "mode"))
        if field == "stake_cents" and has_base(mode):
            field = "rate_cents"
        raise NotOffered(str(error), field=field) from error
