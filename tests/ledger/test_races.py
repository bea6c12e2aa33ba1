"""Races and broken connections: one outcome, the right one, and no visible deadlock."""

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import Error, connection, connections, transaction
from django.utils import timezone

from accounts.models import User
from ledger.errors import (
    RETRYABLE_SQLSTATES,
    AccountFrozen,
    EscrowMismatch,
    InsufficientCredits,
    KeyConflict,
    LedgerError,
    LimitReached,
    VoucherRefused,
)
from ledger.models import Account, Transfer
from ledger.selectors import escrow_balance, house_totals, rake_balance, wallet_balance
from ledger.services.adjustments import adjustment_make
from ledger.services.books import (
    Posted,
    credits_issue,
    escrow_resolve,
    stakes_escrow,
    wallet_freeze,
    wallet_open,
    wallet_thaw,
)
from ledger.services.limits import limit_set
from ledger.services.proposals import proposal_confirm
from ledger.services.vouchers import voucher_make, voucher_redeem
from tests.ledger.proof import broken
from tests.racing import RACERS, Runner, racers, tries

pytestmark = pytest.mark.django_db(transaction=True)


TRIES = tries(4, long=25)

Maker = Callable[..., User]
match_numbers = count(1)


@pytest.fixture
def race() -> Iterator[Runner]:
    with racers(in_transactions=True) as runner:
        yield runner
    assert broken() == []


@pytest.fixture
def players(person: Maker) -> list[User]:
    return [person(f"racer{number}", 10_000_000) for number in range(RACERS)]


def kinds(outcomes: list[object]) -> list[str]:
    """The outcomes by the name of their type, sorted."""
    return sorted(type(outcome).__name__ for outcome in outcomes)


def new_match() -> str:
    return f"match:{next(match_numbers)}"


def stake(reference: str, *players: User) -> Posted:
    return stakes_escrow(reference=reference, stakes={player.pk: 250 for player in players})


def settle(reference: str, winner: User, kind: str = "result") -> Posted:
    return escrow_resolve(reference=reference, payouts={winner.pk: 450}, rake_cents=50, kind=kind)


def void(reference: str, *players: User) -> Posted:
    payouts = {player.pk: 250 for player in players}
    return escrow_resolve(reference=reference, payouts=payouts, rake_cents=0, kind="void")


def opened(first: User, second: User) -> str:
    """A new match whose stakes are in escrow."""
    reference = new_match()
    stake(reference, first, second)
    return reference


def booked_once(outcomes: list[object]) -> bool:
    """Exactly one of those that succeeded did it; the others repeated it."""
    return [o.replayed for o in outcomes if isinstance(o, Posted)].count(False) == 1


def test_credits_for_one_stake_buy_one_of_eight(race: Runner, person: Maker) -> None:
    tilo = person("tilo", 250)
    others = [person(f"other{number}", 10_000_000) for number in range(RACERS)]
    for _ in range(TRIES):
        tables = {new_match(): other for other in others}
        outcomes = race([partial(stake, name, tilo, other) for name, other in tables.items()])
        assert kinds(outcomes) == ["InsufficientCredits"] * 7 + ["Posted"]
        assert wallet_balance(tilo.pk) == 0
        (won,) = [reference for reference in tables if escrow_balance(reference)]
        void(won, tilo, tables[won])


def test_two_results_of_a_match_settle_it_once(race: Runner, players: list[User]) -> None:
    first, second = players[:2]
    for _ in range(TRIES):
        reference, before = opened(first, second), rake_balance()
        outcomes = race([partial(settle, reference, winner) for winner in [first, second] * 4])
        assert kinds(outcomes) == ["KeyConflict"] * 4 + ["Posted"] * 4
        assert booked_once(outcomes)
        assert rake_balance() == before + 50
        assert escrow_balance(reference) == 0


def test_a_void_and_a_result_decide_a_match_once(race: Runner, players: list[User]) -> None:
    first, second = players[:2]
    for _ in range(TRIES):
        reference = opened(first, second)
        held = wallet_balance(first.pk) + wallet_balance(second.pk)
        either = [partial(settle, reference, first), partial(void, reference, first, second)]
        outcomes = race(either * 4)
        assert kinds(outcomes) == ["KeyConflict"] * 4 + ["Posted"] * 4
        assert booked_once(outcomes)
        back = wallet_balance(first.pk) + wallet_balance(second.pk) - held
        assert back == (450 if isinstance(outcomes[0], Posted) else 500)


def test_results_between_the_same_players_in_any_order_never_deadlock(
    race: Runner, players: list[User]
) -> None:
    """Locks are taken by account, not by seat."""
    first, second, third = players[:3]
    pairs = [(first, second), (second, first), (second, third), (third, first)] * 2
    for _ in range(TRIES):
        running = [(opened(*pair), pair) for pair in pairs]
        outcomes = race([partial(void, reference, *pair) for reference, pair in running])
        assert kinds(outcomes) == ["Posted"] * RACERS


def test_stakes_in_all_directions_never_deadlock(race: Runner, players: list[User]) -> None:
    ring = list(zip(players, players[1:] + players[:1], strict=True))
    for _ in range(TRIES):
        outcomes = race([partial(stake, new_match(), *pair) for pair in ring])
        assert kinds(outcomes) == ["Posted"] * RACERS


def test_the_same_grant_said_eight_times_is_granted_once(race: Runner, players: list[User]) -> None:
    tilo = players[0]
    for number in range(TRIES):
        before = wallet_balance(tilo.pk)
        key = f"grant:{number}"
        grant = partial(credits_issue, user=tilo, amount_cents=100, key=key, memo="a prize")
        outcomes = race([grant] * RACERS)
        assert kinds(outcomes) == ["Posted"] * RACERS
        assert len({outcome.transfer_id for outcome in outcomes}) == 1
        assert booked_once(outcomes)
        assert wallet_balance(tilo.pk) == before + 100


def test_accounts_that_are_new_to_all_are_opened_once(race: Runner, players: list[User]) -> None:
    for number in range(TRIES):
        campaign = f"campaign-{number}"
        grant = partial(credits_issue, amount_cents=5, campaign=campaign, memo="a campaign")
        outcomes = race([partial(grant, user=p, key=f"grant:{campaign}:{p.pk}") for p in players])
        assert kinds(outcomes) == ["Posted"] * RACERS
    assert Account.objects.filter(key__startswith="promo_issue:campaign-").count() == TRIES


def test_a_wallet_is_opened_once(race: Runner, players: list[User]) -> None:
    for number in range(TRIES):
        (newcomer,) = User.objects.bulk_create([User(username=f"newcomer{number}")])
        outcomes = race([partial(wallet_open, user=newcomer)] * RACERS)
        assert kinds(outcomes) == ["Account"] * RACERS
        assert {outcome.pk for outcome in outcomes} == {Account.objects.get(owner=newcomer).pk}


def test_a_freeze_stops_the_stakes_that_come_after_it(race: Runner, players: list[User]) -> None:
    first, second = players[:2]
    for _ in range(TRIES):
        before = wallet_balance(first.pk)
        stakes = [partial(stake, new_match(), first, second) for _ in range(RACERS - 1)]
        outcomes = race([partial(wallet_freeze, user=first), *stakes])
        assert outcomes[0] is True
        assert {type(outcome) for outcome in outcomes[1:]} <= {Posted, AccountFrozen}
        assert wallet_balance(first.pk) == before - 250 * kinds(outcomes).count("Posted")
        wallet_thaw(user=first)


def test_the_books_add_up_in_a_storm_of_everything(race: Runner, players: list[User]) -> None:
    """Open, settle, void and repeat at once: only refusals of the books, and no credit lost."""
    issued = house_totals().issued_cents
    for turn in range(TRIES):
        a, b, c = (players[(turn + step) % RACERS] for step in range(3))
        new, running = new_match(), opened(a, b)
        outcomes = race(
            [
                partial(stake, new, a, b),
                partial(stake, new, b, a),
                partial(stake, new, a, c),
                partial(settle, new, a),
                partial(settle, running, a),
                partial(settle, running, b, "adjudicate"),
                partial(void, running, a, b),
                partial(wallet_open, user=a),
            ]
        )
        refusals = {type(outcome) for outcome in outcomes} - {Posted, Account}
        assert refusals <= {KeyConflict, EscrowMismatch, InsufficientCredits}
        totals = house_totals()
        assert totals.issued_cents == issued
        assert totals.difference_cents == 0


# --- the desk -------------------------------------------------------------------------------------
def test_a_voucher_is_redeemed_by_one_of_eight(
    race: Runner, players: list[User], anna: User, settings: Any
) -> None:
    settings.LEDGER_VOUCHER_DAY_CENTS = settings.LEDGER_ALONE_CENTS = 10**9
    for _ in range(TRIES):
        (new,) = voucher_make(
            verified_at=timezone.now(), actor=anna, amount_cents=500, note="a raffle"
        )
        before = sum(wallet_balance(player.pk) for player in players)
        redeem = [partial(voucher_redeem, user=p, code=new.code) for p in players[:4]]
        outcomes = race(redeem * 2)
        assert {type(o) for o in outcomes} == {Posted, VoucherRefused}
        assert kinds(outcomes).count("Posted") == 2  # the winner sent it twice
        assert booked_once(outcomes)
        assert sum(wallet_balance(player.pk) for player in players) == before + 500


@pytest.mark.slow
def test_an_adjustment_is_approved_once(
    race: Runner, players: list[User], anna: User, bert: User
) -> None:
    tilo = players[0]
    for number in range(TRIES):
        waiting = adjustment_make(
            verified_at=timezone.now(),
            actor=anna,
            user=tilo,
            amount_cents=9_999,
            reason="x",
            client_key=f"w{number}",
        )
        before = wallet_balance(tilo.pk)
        outcomes = race(
            [
                partial(
                    proposal_confirm,
                    verified_at=timezone.now(),
                    proposal_id=waiting.pk,
                    actor=bert,
                )
            ]
            * 8
        )
        assert kinds(outcomes) == ["Proposal"] * RACERS
        assert wallet_balance(tilo.pk) == before + 9_999


def test_two_tables_at_once_do_not_overshoot_a_limit(race: Runner, players: list[User]) -> None:
    tilo, others = players[0], players[1:]
    for _ in range(TRIES):
        limit_set(user=tilo, measure="loss", period="day", amount_cents=250)
        tables = {new_match(): other for other in others}
        outcomes = race([partial(stake, name, tilo, other) for name, other in tables.items()])
        assert kinds(outcomes) == ["LimitReached"] * 6 + ["Posted"]
        assert all(o.user_id == tilo.pk for o in outcomes if isinstance(o, LimitReached))
        (won,) = [reference for reference in tables if escrow_balance(reference)]
        void(won, tilo, tables[won])


# --- broken connections ---------------------------------------------------------------------------
MATCHES = int(os.environ.get("CRASH_MATCHES", "24"))
CLIENTS = 6


class Killer(threading.Thread):
    """Ends the connections of others, again and again."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.done = threading.Event()
        self.random = random.Random(seed)
        self.killed = 0

    def run(self) -> None:
        while not self.done.wait(self.random.uniform(0.01, 0.06)):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    " AND application_name = 'victim' ORDER BY random() LIMIT 1"
                )
                self.killed += len(cursor.fetchall())
        connections.close_all()


def retried(call: Callable[[], Posted]) -> Posted | LedgerError:
    """Call as a caller does: a refusal is a result; a broken or unlucky connection is retried."""
    for _ in range(200):
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET application_name = 'victim'")
                return call()
        except LedgerError as refusal:
            return refusal
        except Error as error:
            sqlstate = getattr(error.__cause__, "sqlstate", None)
            if sqlstate is not None and sqlstate not in RETRYABLE_SQLSTATES:
                raise
            with suppress(Error):
                connection.close()
    raise AssertionError("200 connections died in a row")


@pytest.fixture
def killer() -> Iterator[Killer]:
    thread = Killer(seed=7)
    thread.start()
    yield thread
    thread.done.set()
    thread.join()


def test_dying_connections_lose_nothing_and_repeat_nothing(
    magriel: User, hilde: User, killer: Killer
) -> None:
    """Racing clients open and decide every match, one of them with another outcome."""
    numbers = count()
    outcomes: list[Posted | LedgerError] = []

    def decide(reference: str, client: int) -> None:
        retried(lambda: stakes_escrow(reference=reference, stakes={magriel.pk: 10, hilde.pk: 10}))
        if client % 3 == 2:
            payouts, rake, kind = {magriel.pk: 10, hilde.pk: 10}, 0, "void"
        else:
            payouts, rake, kind = {magriel.pk: 18}, 2, "result"
        outcomes.append(
            retried(
                lambda: escrow_resolve(
                    reference=reference,
                    payouts=payouts,
                    rake_cents=rake,
                    kind=kind,
                )
            )
        )

    def client(number: int) -> None:
        while (turn := next(numbers)) < MATCHES * 2:
            decide(f"match:{turn // 2}", number + turn % 2)
        connections.close_all()

    threads = [threading.Thread(target=client, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    killer.done.set()
    killer.join()

    assert killer.killed > 0
    refusals = {type(outcome) for outcome in outcomes if not isinstance(outcome, Posted)}
    assert refusals <= {KeyConflict}
    decided = Transfer.objects.filter(key__endswith=":resolve")
    assert decided.count() == MATCHES
    assert rake_balance() == 2 * decided.filter(kind="result").count()
    assert house_totals().escrows_cents == 0
    assert house_totals().difference_cents == 0
    assert broken() == []
