"""Different ways of moving credits alone, at once on real connections: one limit for all."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings

from accounts.models import User
from accounts.roles import Role, role_give
from games.models import Match
from games.services.match_decisions import MatchCase
from harness.decisions import now, void_shown
from harness.sitting import Sitting
from ledger.audit import run
from ledger.models import Adjustment, Voucher
from ledger.services.adjustments import adjustment_make
from ledger.services.decisions import alone_cents_spent
from ledger.services.vouchers import voucher_make
from tests.racing import Runner, racers, tries
from tests.services.test_decision_races import SMALL, begin

__all__ = ["begin"]

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = tries(4, long=25)
EACH_CENTS = 1000  # as much as one seat of SMALL holds


@pytest.fixture
def race(transactional_db: None) -> Iterator[Runner]:
    with racers() as runner:
        yield runner
    assert [result for result in run().results if result.findings] == []


def one_who_may_all(name: str) -> User:
    user = User.objects.create_user(name)
    role_give(user, Role.ADMINISTRATOR)
    return User.objects.get(pk=user.pk)


def adjustment(actor: User, user: User) -> bool:
    made = adjustment_make(
        actor=actor,
        user=user,
        amount_cents=EACH_CENTS,
        reason="goodwill",
        client_key=str(uuid4()),
        verified_at=now(),
    )
    return isinstance(made, Adjustment)


def voucher(actor: User) -> bool:
    made = voucher_make(actor=actor, amount_cents=EACH_CENTS, note="summer", verified_at=now())
    return made[0].voucher.alone


def decision(actor: User, match: Match, shown: str) -> bool:
    return void_shown(match.pk, actor, shown=shown, verified_at=now()) is None


@pytest.mark.slow
def test_of_three_kinds_at_once_no_more_than_the_limit_is_moved_alone(
    begin: Callable[..., Sitting],
    race: Runner,
) -> None:
    for number in range(TRIES):
        ida = one_who_may_all(f"ida-{number}")
        users = [User.objects.create_user(f"u-{number}-{other}") for other in range(3)]
        sittings = [begin(f"{number}-{seat}", **SMALL) for seat in range(2)]
        matches = [Match.objects.get(table=sitting.pk) for sitting in sittings]
        shown = [MatchCase(match.pk).effect().shown for match in matches]
        calls: list[Callable[[], Any]] = [
            *[partial(adjustment, ida, user) for user in users],  # one waits for each player
            *[partial(voucher, ida)] * 3,
            *[partial(decision, ida, *each) for each in zip(matches, shown, strict=True)],
        ]
        outcomes = race(calls)
        assert {type(outcome) for outcome in outcomes} == {bool}, outcomes
        assert sum(outcomes) == django_settings.LEDGER_ALONE_CENTS // EACH_CENTS == 2
        assert alone_cents_spent(ida) == 2 * EACH_CENTS
        moved = Adjustment.objects.filter(proposed_by=ida, proposal=None).count()
        made = Voucher.objects.filter(made_by=ida, alone=True).count()
        ended = Match.objects.filter(pk__in=[match.pk for match in matches], ending="voided")
        assert moved + made + ended.count() == 2
