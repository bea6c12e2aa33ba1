"""The shapes of tournaments for programs. Amounts are whole cents."""

from rest_framework import serializers

from games.api.serializers import TermsSerializer
from kit.api import StrictSerializer

PHASES = ("registering", "running", "over", "called_off")


class EntryWishSerializer(StrictSerializer):
    """The wishes of an entrant."""

    part = serializers.RegexField(
        "^[0-9a-fA-F]{32}$",
        required=False,
        help_text="Your part in the draw, 32 hexadecimal digits; drawn here without one.",
    )


class TournamentSerializer(serializers.Serializer):
    """A tournament in a list."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    format = serializers.CharField(source="terms.format")
    variant = serializers.CharField(source="table_terms.variant", help_text="The game.")
    length = serializers.IntegerField(source="terms.length", help_text="Points of a match.")
    least = serializers.IntegerField(source="terms.least", help_text="With fewer it is called off.")
    most = serializers.IntegerField(source="terms.most")
    phase = serializers.ChoiceField(choices=PHASES)
    starts_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: it begins as soon as all places are taken."
    )
    fee_cents = serializers.IntegerField()
    rake_bps = serializers.IntegerField(help_text="Of the fees; nothing of what was added.")
    added_cents = serializers.IntegerField(help_text="What the house added to the fees.")
    shares_bps = serializers.ListField(child=serializers.IntegerField())
    sides_bps = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Of all prizes, for the winners of the consolation and of the last chance.",
    )
    satellite_of = serializers.UUIDField(
        source="satellite_of_id",
        allow_null=True,
        help_text="The tournament in which its first prizes are seats.",
    )
    seats = serializers.IntegerField(help_text="How many win a seat there if it is full.")
    taken = serializers.IntegerField(help_text="How many have entered.")
    entered = serializers.BooleanField(help_text="Whether you have.")
    commitment = serializers.CharField()
    table_terms = TermsSerializer()


class TournamentPlaceSerializer(serializers.Serializer):
    """A player of a tournament; places and prize are null before the end."""

    name = serializers.CharField()
    first_place = serializers.IntegerField(allow_null=True)
    last_place = serializers.IntegerField(allow_null=True)
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    prize_cents = serializers.IntegerField(allow_null=True)


class TournamentPairingSerializer(serializers.Serializer):
    """A pairing; `place` is stage, round and number in the format."""

    number = serializers.IntegerField()
    place = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    winner = serializers.CharField(allow_null=True)
    how = serializers.CharField(allow_null=True)


class CallSerializer(serializers.Serializer):
    """Your match that is called or played. Without `table` it waits for `ready`."""

    number = serializers.IntegerField()
    opponent = serializers.CharField()
    due_at = serializers.DateTimeField()
    table = serializers.UUIDField(allow_null=True)


class TournamentWholeSerializer(TournamentSerializer):
    """A tournament with everything that happened in it."""

    seq = serializers.IntegerField(
        help_text="The number of its newest event, as in the frames of its WebSocket."
    )
    standing = TournamentPlaceSerializer(many=True)
    pairings = TournamentPairingSerializer(many=True)
    call = CallSerializer(allow_null=True)
