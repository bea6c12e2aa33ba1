"""Races about payouts on eight real connections: requested, cancelled, taken, frozen, paid."""

from functools import partial
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from harness.wallets import payout_asked
from ledger.errors import AccountFrozen, CancelAsked, NotAllowed, WrongState
from ledger.models import JournalEntry, Payout
from ledger.selectors import house_totals, wallet_balance
from ledger.services.books import wallet_freeze, wallet_thaw
from ledger.services.payouts import payout_approve, payout_cancel, payout_claim, payout_settle
from tests.ledger.test_races import TRIES, kinds, new_match, players, race, stake, void
from tests.racing import RACERS, Runner

__all__ = ["players", "race"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def ask(player: User, cents: int, word: str) -> Payout:
    return payout_asked(player, cents, word)


def approve(payout: Payout, actor: User) -> Payout:
    return payout_approve(payout_id=payout.pk, actor=actor, verified_at=timezone.now())


def take(payout: Payout, actor: User) -> Payout:
    return payout_claim(payout_id=payout.pk, actor=actor, verified_at=timezone.now())


def pay(payout: Payout, actor: User) -> Payout:
    return payout_settle(
        payout_id=payout.pk, actor=actor, verified_at=timezone.now(), receipt="4711"
    )


def take_back(payout: Payout) -> Payout:
    return payout_cancel(payout_id=payout.pk, user=payout.user)


def test_credits_are_paid_out_or_staked_not_both(race: Runner, players: list[User]) -> None:
    tilo, other = players[:2]
    for number in range(TRIES):
        reference, balance = new_match(), wallet_balance(tilo.pk)
        word = f"all-{number}"
        outcomes = race(
            [partial(ask, tilo, balance, word), partial(stake, reference, tilo, other)] * 4
        )
        paid, staked = outcomes[0::2], outcomes[1::2]
        if isinstance(paid[0], Payout):
            assert kinds(paid) == ["Payout"] * 4
            assert kinds(staked) == ["InsufficientCredits"] * 4
            take_back(paid[0])
        else:
            assert kinds(paid) == ["InsufficientCredits"] * 4
            assert kinds(staked) == ["Posted"] * 4
            void(reference, tilo, other)
        assert wallet_balance(tilo.pk) == balance


def test_a_request_said_eight_times_is_one(race: Runner, players: list[User]) -> None:
    tilo = players[0]
    for number in range(TRIES):
        balance = wallet_balance(tilo.pk)
        outcomes = race([partial(ask, tilo, 100, f"word-{number}")] * RACERS)
        assert kinds(outcomes) == ["Payout"] * RACERS
        assert len({outcome.pk for outcome in outcomes}) == 1
        assert wallet_balance(tilo.pk) == balance - 100


def test_approve_and_cancel_at_once_end_one_way(
    race: Runner, players: list[User], anna: User, bert: User
) -> None:
    """A cancelled payout is never taken; an approved one stores the player's wish to cancel."""
    tilo = players[0]
    for number in range(TRIES):
        payout = ask(tilo, 100, f"word-{number}")
        both = [partial(approve, payout, anna), partial(take_back, payout)]
        outcomes = race([*both * 3, partial(take, payout, bert), partial(take, payout, bert)])
        assert {type(o) for o in outcomes} <= {Payout, WrongState, CancelAsked}
        payout.refresh_from_db()
        assert payout.state in ("cancelled", "approved", "paying")
        assert (payout.state == "cancelled") == (payout.cancel_asked_at is None)
        assert payout.steps.filter(state__in=["cancelled", "paying"]).count() <= 1


def test_asking_to_cancel_and_taking_at_once_end_one_way(
    race: Runner, players: list[User], anna: User, bert: User
) -> None:
    """The administrator either takes it and sees the wish before paying, or cannot take it."""
    tilo = players[0]
    for number in range(TRIES):
        payout = approve(ask(tilo, 100, f"word-{number}"), anna)
        race([partial(take, payout, bert), partial(take_back, payout)] * 4)
        payout.refresh_from_db()
        assert payout.cancel_asked_at is not None
        taken = payout.state == "paying"
        assert taken or payout.state == "approved"
        assert not taken or payout.claimed_at < payout.cancel_asked_at
        assert pay(payout, bert).state == "paid" if taken else True


def test_two_administrators_settle_once_and_never_alone(
    race: Runner, players: list[User], anna: User, bert: User
) -> None:
    tilo, paid_before = players[0], house_totals().paid_out_cents
    for number in range(TRIES):
        payout = ask(tilo, 100, f"word-{number}")
        steps = [partial(do, payout, a) for do in (approve, take, pay) for a in (anna, bert)]
        race([*steps, steps[2], steps[3]])
        payout.refresh_from_db()
        assert payout.state in ("approved", "paying", "paid")
        payer = bert if payout.approved_by == anna else anna
        for do in (take, pay):
            outcomes = race([partial(do, payout, actor) for actor in (anna, bert)] * 4)
            assert {type(o) for o in outcomes} <= {Payout, NotAllowed, WrongState}
        payout.refresh_from_db()
        assert (payout.state, payout.claimed_by, payout.closed_by) == ("paid", payer, payer)
        assert payout.approved_by != payer
        assert house_totals().paid_out_cents == paid_before + 100 * (number + 1)
    assert JournalEntry.objects.filter(verb="payout.paid").count() == TRIES


def freeze(player: User) -> bool:
    return wallet_freeze(user=player)


def test_freezing_and_settling_at_once_pays_before_the_freeze_or_never(
    race: Runner, players: list[User], anna: User, bert: User
) -> None:
    tilo, paid = players[0], house_totals().paid_out_cents
    for number in range(TRIES):
        payout = take(approve(ask(tilo, 100, f"word-{number}"), anna), bert)
        outcomes = race([partial(pay, payout, bert), partial(freeze, tilo)] * 4)
        assert {type(o) for o in outcomes} <= {Payout, AccountFrozen, bool}
        payout.refresh_from_db()
        settled = any(isinstance(o, Payout) for o in outcomes)
        assert payout.state == ("paid" if settled else "paying")
        paid += 100 if settled else 0
        assert house_totals().paid_out_cents == paid
        wallet_thaw(user=tilo)


def test_large_payouts_asked_for_at_once_are_judged_together(
    race: Runner, players: list[User], settings: Any
) -> None:
    """Of eight halves of a large payout one goes ahead at once; the other seven wait."""
    settings.LEDGER_PAYOUT_LARGE_CENTS = 1000
    for number, tilo in enumerate(players[:TRIES]):  # earlier requests would count
        race([partial(ask, tilo, 600, f"word-{number}-{racer}") for racer in range(RACERS)])
        asked = Payout.objects.filter(user=tilo)
        assert asked.filter(not_before__gt=F("requested_at")).count() == RACERS - 1
