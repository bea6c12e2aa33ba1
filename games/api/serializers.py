"""The shapes of tables, matches and challenges for programs. Amounts are whole cents."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backgammon.rules.match import SERIES
from backgammon.rules.variants import KEYS
from games.api.wishes import MODES
from games.models import ChallengeState, Match
from games.modes.registry import PRACTICE_KEYS
from games.selectors import challenge_terms, match_terms
from games.services.archive import ARCHIVE
from games.table.view_types import AllTerms
from kit.api import CountedPageField, PlaceField, StrictSerializer, serializer_of

GAMES = (*KEYS, *SERIES)
RESULTS = ("won", "lost", "drawn", "void")

TermsSerializer = serializer_of(AllTerms)


class TablePersonSerializer(serializers.Serializer):
    """A player at a table; a guest has neither a rating nor a strength."""

    name = serializers.CharField()
    elo = serializers.IntegerField(allow_null=True)
    strength = serializers.IntegerField(min_value=1, max_value=6, allow_null=True)
    bot = serializers.BooleanField()


class TableSerializer(serializers.Serializer):
    """A table; its WebSocket, `/ws/table/<id>/`, sends everything else."""

    id = serializers.UUIDField()
    mode = serializers.CharField()
    variant = serializers.CharField()
    stake_cents = serializers.IntegerField(help_text="What each seat puts into escrow.")
    phase = serializers.CharField()
    watchers = serializers.BooleanField()
    rated = serializers.BooleanField(
        help_text="Whether the running match is rated, or one that you would begin here now."
    )
    pair_matches = serializers.IntegerField(
        help_text="How many rated matches you have with the other player within 24 hours, running"
        " ones included, where the house has a pair limit; otherwise 0."
    )
    seat = serializers.IntegerField(allow_null=True, help_text="Your seat; null: you have none.")
    match = serializers.UUIDField(allow_null=True, help_text="The running or last match here.")
    successor = serializers.UUIDField(
        allow_null=True, help_text="The table that was opened in place of this one."
    )
    players = TablePersonSerializer(source="people", many=True)
    terms = TermsSerializer()


class PairingSerializer(serializers.Serializer):
    """Where a player was seated; `found`: an opponent sits there and the match has begun."""

    table = TableSerializer()
    found = serializers.BooleanField()


class ChallengeSerializer(serializers.Serializer):
    """The invitation of one player to another; unanswered it ends at `expires_at`."""

    id = serializers.UUIDField()
    challenger = serializers.CharField(source="challenger.username")
    challenged = serializers.CharField(source="challenged.username")
    mode = serializers.CharField(source="terms.mode")
    variant = serializers.CharField(source="terms.variant")
    stake_cents = serializers.IntegerField(source="terms.stake_cents")
    terms = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=ChallengeState.values)
    table = serializers.UUIDField(source="table_id", allow_null=True)
    expires_at = serializers.DateTimeField()

    @extend_schema_field(TermsSerializer)
    def get_terms(self, challenge: Any) -> Any:
        """All terms of the table that would be opened."""
        return TermsSerializer(challenge_terms(challenge)).data


class TablesQuerySerializer(StrictSerializer):
    """Filters of the open tables, and a place in their list."""

    mode = serializers.ChoiceField(choices=MODES, required=False)
    variant = serializers.ChoiceField(choices=GAMES, required=False)
    stake_cents_most = serializers.IntegerField(min_value=0, required=False)
    after = serializers.UUIDField(
        required=False, help_text="The last table of the answer before, for those that follow it."
    )


class MatchesQuerySerializer(StrictSerializer):
    """Which matches: a page of the newest that fit."""

    state = serializers.ChoiceField(choices=["ended", "running"], default="ended")
    whose = serializers.ChoiceField(
        choices=["mine", "all"],
        default="mine",
        help_text="`all` lists running matches that everybody may watch.",
    )
    mode = serializers.ChoiceField(choices=[*MODES, *PRACTICE_KEYS], required=False)
    result = serializers.ChoiceField(
        choices=RESULTS, required=False, help_text="Of one's own ended matches."
    )
    before = PlaceField(ARCHIVE, help_text="`next_before` of the page before.")
    page = CountedPageField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse filters that contradict each other."""
        running = attrs["state"] == "running"
        if attrs["whose"] == "all" and not running:
            raise serializers.ValidationError(
                {"whose": ["Only running matches of all are listed."]}
            )
        if "result" in attrs and running:
            raise serializers.ValidationError({"result": ["A running match has no result."]})
        return attrs


class MatchSerializer(serializers.Serializer):
    """A match; lists are by seat. Files: `/match/<id>/mat/`, `…/sgf/`, `…/json/`, `…/ogxm/`."""

    id = serializers.UUIDField()
    table = serializers.UUIDField(source="table_id")
    number = serializers.IntegerField(help_text="The matches of a table are counted from 1.")
    mode = serializers.CharField()
    variant = serializers.CharField()
    players = serializers.SerializerMethodField()
    stake_cents = serializers.IntegerField(help_text="What each seat put into escrow.")
    terms = serializers.SerializerMethodField()
    rated = serializers.BooleanField()
    state = serializers.SerializerMethodField()
    winner_seat = serializers.IntegerField(allow_null=True)
    winner = serializers.SerializerMethodField()
    ending = serializers.CharField(allow_blank=True)
    score = serializers.ListField(child=serializers.IntegerField())
    paid_cents = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    rake_cents = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_players(self, match: Any) -> list[str]:
        """The names by seat."""
        return _names(match)

    @extend_schema_field(TermsSerializer)
    def get_terms(self, match: Any) -> Any:
        """All terms, as they were when the match began."""
        return TermsSerializer(match_terms(match)).data

    @extend_schema_field(serializers.ChoiceField(choices=["ended", "running"]))
    def get_state(self, match: Any) -> str:
        """Whether it is still being played."""
        return "running" if match.ended_at is None else "ended"

    def get_winner(self, match: Any) -> str | None:
        """The winner's name; null while it runs, after a tie and after a void."""
        return None if match.winner_seat is None else _names(match)[match.winner_seat]


def _names(match: Match) -> list[str]:
    return [match.player_0.get_username(), match.player_1.get_username()]


class MatchPageSerializer(serializers.Serializer):
    """Some matches, and the place at which the next ones begin; null on the last page."""

    results = MatchSerializer(many=True)
    next_before = serializers.CharField(allow_null=True)
    next_page = serializers.IntegerField(allow_null=True)
