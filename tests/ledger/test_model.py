"""Random books against a model: it predicts every answer, every refusal, every balance.

Buy, stake, settle, tie, void, correct, reverse, freeze and payouts happen in any order, with
repeats and failures; after each step the invariants of the house are checked.
"""

import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from backgammon.tests.amounts import amount
from harness.wallets import all_cleared, credits_bought, mailbox_proved
from ledger.audit import run
from ledger.errors import (
    AccountFrozen,
    CancelAsked,
    EscrowMismatch,
    InsufficientCredits,
    KeyConflict,
    ResultsUnchecked,
    WrongState,
)
from ledger.models import OPEN_STATES
from ledger.selectors import escrow_balance, house_totals, rake_balance, wallet_balance
from ledger.services.books import (
    escrow_correct,
    escrow_resolve,
    stakes_escrow,
    transfer_reverse,
    wallet_freeze,
    wallet_open,
    wallet_thaw,
)
from ledger.services.payouts import (
    payout_approve,
    payout_cancel,
    payout_claim,
    payout_fail,
    payout_request,
    payout_settle,
)
from tests.ledger.proof import broken

PLAYERS = 3
EXAMPLES = int(os.environ.get("MODEL_EXAMPLES", amount(2, long=30)))

seats = st.integers(0, PLAYERS - 1)
matches = st.integers(1, 4)
stakes = st.integers(1, 600)


@dataclass(slots=True)
class PayoutModel:
    """A payout as it must be."""

    pk: int
    cents: int
    state: str = "requested"
    cancel_asked: bool = False


class Books(RuleBasedStateMachine):
    """The real books beside a model of them in plain integers."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.users = list(User.objects.bulk_create(User(username=f"p{n}") for n in range(PLAYERS)))
        self.boss = User.objects.create_superuser(username="boss")
        self.second = User.objects.create_superuser(username="second")
        self.payouts: dict[tuple[int, int], PayoutModel] = {}
        self.paid_out = 0
        for user in self.users:
            wallet_open(user=user)
            mailbox_proved(user)
        self.wallets = dict.fromkeys(range(PLAYERS), 0)
        self.frozen: set[int] = set()
        self.decided: dict[str, Any] = {}  # key -> the arguments sent with it
        self.pots: dict[int, int] = {}  # match -> the balance of its escrow
        self.outcomes: dict[int, tuple[dict[int, int], int]] = {}
        self.gained: Counter[tuple[int, int]] = Counter()  # (seat, match) -> cents
        self.cleared: set[int] = set()
        self.rake = 0
        self.issued = wallet_balance(self.boss.pk) + wallet_balance(self.second.pk)

    def teardown(self) -> None:
        assert broken() == []
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    # --- what happens -------------------------------------------------------------------------
    @rule(seat=seats, cents=st.integers(1, 1000), number=st.integers(1, 6))
    def issue(self, seat: int, cents: int, number: int) -> None:
        key, said = f"purchase:{number}", (seat, cents)
        answer = self._say(
            key,
            said,
            None,
            lambda: credits_bought(self.users[seat], cents, key),
        )
        if answer == "booked":
            self.wallets[seat] += cents
            self.issued += cents

    @rule(first=seats, second=seats, match=matches, cents=stakes)
    def stake(self, first: int, second: int, match: int, cents: int) -> None:
        if first == second:
            return
        refusal: type[Exception] | None = None
        for seat in sorted((first, second), key=lambda seat: self.users[seat].pk):
            if seat in self.frozen:
                refusal = AccountFrozen
                break
            if self.wallets[seat] < cents:
                refusal = InsufficientCredits
                break
        answer = self._say(
            f"match:{match}:open",
            ({first, second}, cents),
            refusal,
            lambda: stakes_escrow(
                reference=f"match:{match}",
                stakes={self.users[first].pk: cents, self.users[second].pk: cents},
            ),
        )
        if answer == "booked":
            self.wallets[first] -= cents
            self.wallets[second] -= cents
            self.pots[match] = 2 * cents
            for seat in (first, second):
                self.gained[seat, match] -= cents

    @rule(match=matches, winner=seats, loser=seats, share=st.integers(0, 100), kind=st.data())
    def resolve(self, match: int, winner: int, loser: int, share: int, kind: Any) -> None:
        said_kind = kind.draw(st.sampled_from(["result", "tie", "adjudicate", "void"]))
        pot = self.pots.get(match, 0) or sum(self.outcomes.get(match, ({0: 7}, 0))[0].values())
        rake = 0 if said_kind == "void" else pot // 10
        payouts = self._split(winner, loser, pot - rake, share)
        refusal = None if self.pots.get(match) == pot else EscrowMismatch
        answer = self._say(
            f"match:{match}:resolve",
            (said_kind, payouts, rake),
            refusal,
            lambda: escrow_resolve(
                reference=f"match:{match}",
                payouts={self.users[seat].pk: cents for seat, cents in payouts.items()},
                rake_cents=rake,
                kind=said_kind,
            ),
        )
        if answer == "booked":
            self.pots[match] = 0
            self.outcomes[match] = (payouts, rake)
            self._pay(match, payouts, rake, 1)

    @rule(match=matches)
    def clear(self, match: int) -> None:
        """What was won by a match can be paid out from now on."""
        assert all_cleared(f"match:{match}") == (match not in self.cleared)
        self.cleared.add(match)

    @precondition(lambda self: self.outcomes)
    @rule(data=st.data(), winner=seats, loser=seats, share=st.integers(0, 100))
    def correct(self, data: Any, winner: int, loser: int, share: int) -> None:
        match = data.draw(st.sampled_from(sorted(self.outcomes)))
        old_payouts, old_rake = self.outcomes[match]
        payouts = self._split(winner, loser, sum(old_payouts.values()) + old_rake, share)
        after = dict(self.wallets)
        for seat, cents in old_payouts.items():
            after[seat] -= cents
        for seat, cents in payouts.items():
            after[seat] += cents
        short = any(after[seat] < 0 for seat in after)
        refusal = InsufficientCredits if short else None
        answer = self._call(
            refusal,
            lambda: escrow_correct(
                reference=f"match:{match}",
                payouts={self.users[seat].pk: cents for seat, cents in payouts.items()},
                rake_cents=0,
                actor=self.boss,
                memo="an appeal",
            ),
        )
        if answer == "booked" or (answer == "replayed" and not short):
            self._pay(match, old_payouts, old_rake, -1)
            self._pay(match, payouts, 0, 1)
            self.outcomes[match] = (payouts, 0)

    @precondition(lambda self: any(key.startswith("purchase:") for key in self.decided))
    @rule(data=st.data())
    def reverse(self, data: Any) -> None:
        bought = sorted(key for key in self.decided if key.startswith("purchase:"))
        key = data.draw(st.sampled_from(bought))
        (seat, cents), transfer_id = self.decided[key]
        known = f"reverse:{transfer_id}" in self.decided
        refusal = InsufficientCredits if self.wallets[seat] < cents and not known else None
        answer = self._say(
            f"reverse:{transfer_id}",
            key,
            refusal,
            lambda: transfer_reverse(transfer_id=transfer_id, actor=self.boss, memo="a slip"),
        )
        if answer == "booked":
            self.wallets[seat] -= cents
            self.issued -= cents

    @rule(seat=seats, cents=st.integers(100, 400), word=st.integers(1, 3))
    def ask_for_payout(self, seat: int, cents: int, word: int) -> None:
        known = self.payouts.get((seat, word))
        refusal: type[Exception] | None = None
        if known is not None:
            refusal = None if known.cents == cents else KeyConflict
        elif seat in self.frozen:
            refusal = AccountFrozen
        elif self.wallets[seat] < cents:
            refusal = InsufficientCredits
        elif self.wallets[seat] - self._unchecked(seat) < cents:
            refusal = ResultsUnchecked
        payout = self._try(
            refusal,
            lambda: payout_request(
                user=self.users[seat],
                amount_cents=cents,
                destination="x",
                client_key=str(word),
                verified_at=timezone.now(),
            ),
        )
        if refusal is None and known is None:
            self.payouts[seat, word] = PayoutModel(payout.pk, cents)
            self.wallets[seat] -= cents

    @precondition(lambda self: self.payouts)
    @rule(data=st.data(), step=st.sampled_from(["approve", "claim", "settle", "fail", "cancel"]))
    def decide_payout(self, data: Any, step: str) -> None:
        seat, word = data.draw(st.sampled_from(sorted(self.payouts)))
        known = self.payouts[seat, word]
        begins, ends, who = {
            "approve": (("requested",), "approved", self.boss),
            "claim": (("approved",), "paying", self.second),
            "settle": (("paying",), "paid", self.second),
            "fail": (("paying",), "failed", self.second),
            "cancel": (("requested",), "cancelled", self.users[seat]),
        }[step]
        refusal: type[Exception] | None = None
        if step == "cancel" and known.state in ("approved", "paying"):
            known.cancel_asked = True
            begins = ()
        elif known.state not in (*begins, ends):
            refusal = WrongState
        elif known.state in begins:
            if step == "claim" and known.cancel_asked:
                refusal = CancelAsked
            elif seat in self.frozen and ends in ("approved", "paying", "paid"):
                refusal = AccountFrozen
        if step == "claim" and known.cancel_asked and known.state != "paying":
            refusal = CancelAsked
        now = {"payout_id": known.pk, "actor": who, "verified_at": timezone.now()}
        call = {
            "approve": lambda: payout_approve(**now),
            "claim": lambda: payout_claim(**now),
            "settle": lambda: payout_settle(**now, receipt="x"),
            "fail": lambda: payout_fail(**now, reason="x"),
            "cancel": lambda: payout_cancel(payout_id=known.pk, user=who),
        }[step]
        self._try(refusal, call)
        if refusal is None and known.state in begins:
            known.state = ends
            self.wallets[seat] += known.cents if ends in ("failed", "cancelled") else 0
            self.paid_out += known.cents if ends == "paid" else 0

    @rule(seat=seats)
    def freeze_or_thaw(self, seat: int) -> None:
        if seat in self.frozen:
            assert wallet_thaw(user=self.users[seat])
            self.frozen.remove(seat)
        else:
            assert wallet_freeze(user=self.users[seat])
            self.frozen.add(seat)

    # --- what must hold -----------------------------------------------------------------------
    @invariant()
    def balances_are_those_of_the_model(self) -> None:
        for seat, cents in self.wallets.items():
            assert wallet_balance(self.users[seat].pk) == cents
        for match, cents in self.pots.items():
            assert escrow_balance(f"match:{match}") == cents
        assert rake_balance() == self.rake

    @invariant()
    def the_house_adds_up(self) -> None:
        totals = house_totals()
        assert totals.issued_cents == self.issued
        assert totals.paid_out_cents == self.paid_out
        held = [known.cents for known in self.payouts.values() if known.state in OPEN_STATES]
        assert totals.holds_cents == sum(held)
        assert totals.difference_cents == 0

    @invariant()
    def nothing_waits_to_be_refused_at_the_commit(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")

    @invariant()
    def the_books_prove_themselves(self) -> None:
        report = run(only=("A1", "A2", "A4", "A6", "A7", "A8", "A9", "A13"))
        assert [result for result in report.results if result.findings] == []

    # --- helpers of the model -----------------------------------------------------------------
    def _say(self, key: str, said: Any, refusal: type[Exception] | None, call: Any) -> str | None:
        """Call, and compare with the result for this key: booked, replayed or in conflict."""
        if key in self.decided:
            known = self.decided[key][0]
            refusal = None if known == said else KeyConflict
            expected = "replayed"
        else:
            expected = "booked"
        answer = self._call(refusal, call, expected)
        if answer == "booked":
            self.decided[key] = (said, self.last.transfer_id)
        return answer

    def _try(self, refusal: type[Exception] | None, call: Any) -> Any:
        """The result of the call; None after the expected refusal."""
        if refusal is None:
            with transaction.atomic():
                return call()
        with pytest.raises(refusal), transaction.atomic():
            call()
        return None

    def _call(
        self, refusal: type[Exception] | None, call: Any, expected: str | None = None
    ) -> str | None:
        try:
            with transaction.atomic():
                self.last = call()
        except Exception as error:
            if refusal is None or type(error) is not refusal:
                raise
            return None
        assert refusal is None, f"{refusal.__name__} was due"
        answer = "replayed" if self.last.replayed else "booked"
        assert expected in (None, answer)
        return answer

    def _split(self, winner: int, loser: int, cents: int, share: int) -> dict[int, int]:
        if winner == loser:
            return {winner: cents}
        lost = cents * share // 100
        shares = {winner: cents - lost, loser: lost}
        return {seat: part for seat, part in shares.items() if part}

    def _unchecked(self, seat: int) -> int:
        """The gains of matches that were not cleared, each by itself."""
        return sum(
            max(cents, 0)
            for (player, match), cents in self.gained.items()
            if player == seat and match not in self.cleared
        )

    def _pay(self, match: int, payouts: dict[int, int], rake: int, sign: int) -> None:
        for seat, cents in payouts.items():
            self.wallets[seat] += sign * cents
            self.gained[seat, match] += sign * cents
        self.rake += sign * rake


@pytest.mark.slow
@pytest.mark.django_db
def test_random_books_do_what_the_model_says() -> None:
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=25,
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
