"""The shapes of the interface: what comes in is checked here, what goes out is listed here.

Amounts are whole cents. Nothing is sent that is not named, so a new column stays inside.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from kit.api import CentsField, LineField, WholeField
from ledger.models import Measure, Payout, PayoutState, PayoutStep, Period, PlayPause
from ledger.postings import AMOUNT_MAX_CENTS, KIND_RULES
from ledger.selectors_player import payout_minimum_cents, reason_told
from ledger.services.limits import EXCLUSION_DAYS_MIN

PAGE_LENGTH_DEFAULT = 25
PAGE_LENGTH_MAX = 100
NUMBER_MAX = 2**63 - 1
EXCLUSION_DAYS_MAX = 3650


class PauseSerializer(serializers.Serializer):
    """A break or an exclusion; `ends_at` is null when it never ends."""

    kind = serializers.ChoiceField(choices=PlayPause.Kind.choices)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)


class PersonSerializer(serializers.Serializer):
    """An account, and whether it is a bot's."""

    username = serializers.CharField()
    is_bot = serializers.BooleanField()


class WalletSerializer(serializers.Serializer):
    """A player's balance, and the part that can be paid out.

    `payable_cents` can be paid out now; `locked_cents` came as a present and has to be played for:
    `locked_to_play_cents` more, against `locked_people_missing` more people.
    `held_cents` are held by a check and cannot be staked either; `unchecked_cents` were won lately
    and can be paid out once those matches are checked.
    """

    balance_cents = serializers.IntegerField(min_value=0)
    payable_cents = serializers.IntegerField(min_value=0)
    locked_cents = serializers.IntegerField(min_value=0)
    locked_to_play_cents = serializers.IntegerField(min_value=0)
    locked_people_missing = serializers.IntegerField(min_value=0)
    held_cents = serializers.IntegerField(min_value=0)
    unchecked_cents = serializers.IntegerField(min_value=0)
    payouts_open_cents = serializers.IntegerField(min_value=0)
    frozen = serializers.BooleanField()
    pause = PauseSerializer(allow_null=True)


class PageQuerySerializer(serializers.Serializer):
    """Which part of a list: `limit` rows with numbers below `before`, the newest first."""

    before = serializers.IntegerField(min_value=1, max_value=NUMBER_MAX, required=False)
    limit = serializers.IntegerField(
        min_value=1, max_value=PAGE_LENGTH_MAX, default=PAGE_LENGTH_DEFAULT
    )


class EntriesQuerySerializer(PageQuerySerializer):
    """Which entries; `since` is included, `until` is not."""

    kind = serializers.MultipleChoiceField(choices=list(KIND_RULES), required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class EntrySerializer(serializers.Serializer):
    """One movement of the wallet; `number` counts them without a gap from 1."""

    number = serializers.IntegerField(source="account_version", min_value=1)
    time = serializers.DateTimeField(source="transfer.created_at")
    kind = serializers.ChoiceField(choices=list(KIND_RULES), source="transfer.kind")
    reference = serializers.CharField(source="transfer.reference")
    amount_cents = serializers.IntegerField()
    balance_cents = serializers.IntegerField(source="balance_after_cents", min_value=0)


class EntryPageSerializer(serializers.Serializer):
    """A part of the entries; the next one is at `before` = `next_before`, unless that is null."""

    results = EntrySerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True)


class KindTotalSerializer(serializers.Serializer):
    """The sum of all entries of one kind."""

    kind = serializers.ChoiceField(choices=list(KIND_RULES))
    total_cents = serializers.IntegerField()


class StatementSerializer(serializers.Serializer):
    """A year: opening + all totals = closing; `played_cents` is what playing brought or cost."""

    year = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    opening_cents = serializers.IntegerField(min_value=0)
    totals = KindTotalSerializer(many=True)
    played_cents = serializers.IntegerField()
    closing_cents = serializers.IntegerField(min_value=0)


class PayoutStepSerializer(serializers.Serializer):
    """When a payout came to a state; why, where the reason is meant for the player."""

    state = serializers.ChoiceField(choices=PayoutState.choices)
    time = serializers.DateTimeField(source="created_at")
    reason = serializers.SerializerMethodField()

    def get_reason(self, step: PayoutStep) -> str:
        """The reason of a refusal."""
        return reason_told(step)


class PayoutSerializer(serializers.Serializer):
    """A payout as its player sees it, without the names of those who decided."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=PayoutState.choices)
    amount_cents = serializers.IntegerField(min_value=1)
    destination = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    receipt = serializers.CharField(allow_blank=True)
    requested_at = serializers.DateTimeField()
    not_before = serializers.DateTimeField()
    cancel_asked_at = serializers.DateTimeField(allow_null=True)
    steps = serializers.SerializerMethodField()

    @extend_schema_field(PayoutStepSerializer(many=True))
    def get_steps(self, payout: Payout) -> list[dict[str, Any]]:
        """The steps in the order in which they were taken."""
        steps = sorted(payout.steps.all(), key=lambda step: step.pk)
        return list(PayoutStepSerializer(steps, many=True).data)


class PayoutPageSerializer(serializers.Serializer):
    """A part of the payouts; the next one is at `before` = `next_before`, unless that is null."""

    results = PayoutSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True)


class PayoutRequestSerializer(serializers.Serializer):
    """A request for a payout: amount, destination, and a note for the administrators."""

    amount_cents = CentsField(min_value=1, max_value=AMOUNT_MAX_CENTS)
    destination = LineField(max_length=200)
    note = LineField(max_length=500, allow_blank=True, default="")

    def get_fields(self) -> dict[str, serializers.Field]:
        """The smallest payout is a setting."""
        fields: dict[str, serializers.Field] = super().get_fields()
        fields["amount_cents"] = CentsField(
            min_value=payout_minimum_cents(), max_value=AMOUNT_MAX_CENTS
        )
        return fields


class VoucherSerializer(serializers.Serializer):
    """The code as it was handed out; case, spaces and hyphens do not matter."""

    code = LineField(max_length=100)


class RedeemedSerializer(serializers.Serializer):
    """The credits of a redeemed voucher; `replayed` if the same player had redeemed it before."""

    amount_cents = serializers.IntegerField(min_value=1)
    balance_cents = serializers.IntegerField(min_value=0)
    replayed = serializers.BooleanField()


class LimitSerializer(serializers.Serializer):
    """One of the six limits; null is no limit. `next_*` is a wider one that waits until then."""

    measure = serializers.ChoiceField(choices=Measure.choices)
    period = serializers.ChoiceField(choices=Period.choices)
    limit_cents = serializers.IntegerField(allow_null=True)
    used_cents = serializers.IntegerField()
    next_cents = serializers.IntegerField(allow_null=True)
    next_from = serializers.DateTimeField(allow_null=True)


class LimitsSerializer(serializers.Serializer):
    """All limits, and the break or exclusion in force."""

    limits = LimitSerializer(many=True)
    pause = PauseSerializer(allow_null=True)


class LimitSetSerializer(serializers.Serializer):
    """The limit wanted; null to have none."""

    limit_cents = CentsField(max_value=AMOUNT_MAX_CENTS, allow_null=True)


class ExclusionSerializer(serializers.Serializer):
    """For how many days; null for ever."""

    days = WholeField(min_value=EXCLUSION_DAYS_MIN, max_value=EXCLUSION_DAYS_MAX, allow_null=True)
