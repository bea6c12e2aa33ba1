"""The shapes of tables and matches for programs. Amounts are whole cents."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from accounts.names import MAX_LENGTH
from games.models import ChallengeState
from games.modes.registry import OPENED, PRACTICE_KEYS
from games.modes.terms import CLOCKS
from games.rules.variants import ALL

MODES = tuple(sorted(mode.key for mode in OPENED))
RESULTS = ("won", "lost", "drawn", "void")
AMOUNT_MAX_CENTS = 10**9
PAGE_MAX = 10**6
SPAN_MAX = 5
# Something to read, and no control characters. Python and ECMAScript read it alike.
READABLE = r"^[^\x00-\x1F\x7F-\x9F]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$"


class RefusalSerializer(serializers.Serializer):
    """Every refusal: `code` is stable, `message` is for people, `fields` names what is wrong."""

    code = serializers.CharField()
    message = serializers.CharField()
    fields = serializers.DictField(required=False)  # type: ignore[assignment] # DRF names it so


class CentsField(serializers.IntegerField):
    """An amount in cents that takes JSON at its word: a number is no text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=AMOUNT_MAX_CENTS, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number: texts, truth values, 2.0."""
        if type(data) is not int:
            self.fail("invalid")
        number: int = super().to_internal_value(data)
        return number


class YesOrNoField(serializers.BooleanField):
    """A truth value, written as one."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse what only looks like a truth value."""
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return bool(data)


@extend_schema_serializer(component_name="GameWishes")
class GameWishesSerializer(serializers.Serializer):
    """What somebody wants to play; what a mode does not offer is refused."""

    mode = serializers.ChoiceField(choices=MODES)
    variant = serializers.ChoiceField(choices=[v.key for v in ALL], required=False)
    stake_cents = CentsField(default=0)
    rate_cents = CentsField(default=0)
    limit_cents = CentsField(default=0)
    has_cube = YesOrNoField(required=False)
    clock = serializers.ChoiceField(choices=list(CLOCKS), default="normal")


@extend_schema_serializer(component_name="TableWishes")
class WishesSerializer(GameWishesSerializer):
    """What the opener of a table asks for."""

    private = YesOrNoField(default=False)
    watchers = YesOrNoField(
        required=False, help_text="Whether others may watch; without it: unless it is private."
    )


class NameField(serializers.RegexField):
    """Somebody's name: something to read in one line, with nobody of that name or somebody."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(READABLE, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers and truth values, which a text field would write out."""
        if not isinstance(data, str):
            self.fail("invalid")
        text: str = super().to_internal_value(data)
        return text


class SpanField(serializers.IntegerField):
    """How far apart two strength groups may be, written as a number."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=SPAN_MAX, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number."""
        if type(data) is not int:
            self.fail("invalid")
        number: int = super().to_internal_value(data)
        return number


@extend_schema_serializer(component_name="PairWishes")
class PairWishesSerializer(GameWishesSerializer):
    """What somebody wants to play at once, and against whom."""

    strength_span = SpanField(
        default=None,
        allow_null=True,
        help_text="How many strength groups the opponent may be away; null: anybody.",
    )


@extend_schema_serializer(component_name="ChallengeWishes")
class ChallengeWishesSerializer(GameWishesSerializer):
    """What a player is asked to play."""

    opponent = NameField(max_length=MAX_LENGTH, help_text="The name, in any case.")


class TablePersonSerializer(serializers.Serializer):
    """Who sits at a table."""

    name = serializers.CharField()
    elo = serializers.IntegerField()
    strength = serializers.IntegerField(min_value=1, max_value=6)
    bot = serializers.BooleanField()


class TableSerializer(serializers.Serializer):
    """A table; everything else is said by its WebSocket, `/ws/table/<id>/`."""

    id = serializers.UUIDField()
    mode = serializers.CharField()
    variant = serializers.CharField()
    stake_cents = serializers.IntegerField()
    phase = serializers.CharField()
    watchers = serializers.BooleanField()
    rated = serializers.BooleanField(
        help_text="Whether the running match is rated, or one that you would begin here now."
    )
    pair_matches = serializers.IntegerField(
        help_text="How many rated matches you have with the other player within 24 hours, running"
        " ones included, where the house has a pair limit; otherwise 0."
    )
    players = TablePersonSerializer(source="people", many=True)


class PairingSerializer(serializers.Serializer):
    """Where a player was seated; `found`: an opponent sits there and the match has begun."""

    table = TableSerializer()
    found = serializers.BooleanField()


class ChallengeSerializer(serializers.Serializer):
    """One player asks another to a table; unanswered it ends at `expires_at`."""

    id = serializers.UUIDField()
    challenger = serializers.CharField(source="challenger.username")
    challenged = serializers.CharField(source="challenged.username")
    mode = serializers.CharField(source="terms.mode")
    variant = serializers.CharField(source="terms.variant")
    stake_cents = serializers.IntegerField(source="terms.stake_cents")
    state = serializers.ChoiceField(choices=ChallengeState.values)
    table = serializers.UUIDField(source="table_id", allow_null=True)
    expires_at = serializers.DateTimeField()


class MatchesQuerySerializer(serializers.Serializer):
    """Which of one's matches: a page of the newest that fit."""

    mode = serializers.ChoiceField(choices=[*MODES, *PRACTICE_KEYS], required=False)
    result = serializers.ChoiceField(choices=RESULTS, required=False)
    page = serializers.IntegerField(min_value=1, max_value=PAGE_MAX, default=1)


class MatchSerializer(serializers.Serializer):
    """A match; lists are by seat. Its files lie at `/match/<id>/mat/`, `…/sgf/`, `…/json/`."""

    id = serializers.UUIDField()
    table = serializers.UUIDField(source="table_id")
    mode = serializers.CharField()
    variant = serializers.CharField()
    players = serializers.SerializerMethodField()
    stake_cents = serializers.IntegerField()
    winner_seat = serializers.IntegerField(allow_null=True)
    ending = serializers.CharField(allow_blank=True)
    score = serializers.ListField(child=serializers.IntegerField())
    paid_cents = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    rake_cents = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_players(self, match: Any) -> list[str]:
        """The names by seat."""
        return [match.player_0.get_username(), match.player_1.get_username()]


class MatchPageSerializer(serializers.Serializer):
    """Some matches, and the number of the page that follows; null on the last."""

    results = MatchSerializer(many=True)
    next_page = serializers.IntegerField(allow_null=True)
