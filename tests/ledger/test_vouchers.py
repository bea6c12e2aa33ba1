"""Vouchers: redeemed once, confirmed by a second person if they are large, and races."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from ledger.audit import run
from ledger.errors import (
    MalformedPosting,
    NotAllowed,
    ProposalStale,
    VoucherRefused,
    WrongState,
)
from ledger.models import JournalEntry, Proposal, Voucher
from ledger.selectors import wallet_balance
from ledger.services.books import Posted
from ledger.services.proposals import proposal_confirm, proposal_refuse, proposal_withdraw
from ledger.services.vouchers import NewVoucher, voucher_make, voucher_redeem, voucher_revoke
from tests.aging import guards_off
from tests.ledger.proof import broken
from tests.racing import RACERS, Runner, racers, tries

pytestmark = pytest.mark.django_db

TRIES = tries(4, long=25)


def now() -> datetime:
    return timezone.now()


def make(actor: User, cents: int, count: int = 1, **said: Any) -> tuple[NewVoucher, ...]:
    said = {"note": "a raffle", "verified_at": now(), **said}
    return voucher_make(actor=actor, amount_cents=cents, count=count, **said)


def waiting() -> Proposal:
    return Proposal.objects.get(state="waiting")


def refusal(user: User, code: str) -> str:
    with pytest.raises(VoucherRefused) as refused:
        voucher_redeem(user=user, code=code)
    return refused.value.reason


def findings(*codes: str) -> list[str]:
    return [f.message for result in run(only=codes).results for f in result.findings]


@pytest.fixture(autouse=True)
def _reasons_agree() -> Iterator[None]:
    yield
    assert findings("A9", "A16", "A17") == []
    assert broken() == []


def test_a_voucher_is_redeemed_once(magriel: User, hilde: User, anna: User) -> None:
    (new,) = make(anna, 500)
    first = voucher_redeem(user=magriel, code=new.code)
    again = voucher_redeem(user=magriel, code=f" {new.code.lower().replace('-', ' ')} ")
    assert (first.replayed, again.replayed) == (False, True)
    assert wallet_balance(magriel.pk) == 10_500
    assert refusal(hilde, new.code) == "used"
    with pytest.raises(WrongState):
        voucher_revoke(voucher_id=new.voucher.pk, actor=anna, reason="too late")


def test_the_code_is_kept_nowhere(anna: User) -> None:
    made = make(anna, 500, 3)
    assert len({new.code for new in made}) == 3
    for new in made:
        row = Voucher.objects.values().get(pk=new.voucher.pk)
        assert new.code.replace("-", "") not in str(row)
        assert len(new.code.replace("-", "")) == 16
        assert new.code not in str(list(JournalEntry.objects.values()))


def test_a_voucher_that_is_revoked_expired_unknown_or_own_buys_nothing(
    magriel: User, anna: User
) -> None:
    (revoked,), (own,) = make(anna, 500), make(anna, 500)
    (expired,) = make(anna, 500, expires_at=now() - timedelta(seconds=1))
    for _ in range(2):
        voucher_revoke(voucher_id=revoked.voucher.pk, actor=anna, reason="lost")
    assert refusal(magriel, revoked.code) == "revoked"
    assert refusal(magriel, expired.code) == "expired"
    assert refusal(magriel, "AAAA-BBBB-CCCC-DDDD") == refusal(magriel, "") == "unknown"
    assert refusal(anna, own.code) == "own"
    assert wallet_balance(magriel.pk) == 10_000


def test_one_administrator_makes_so_many_vouchers_a_day(
    anna: User, bert: User, settings: Any
) -> None:
    settings.LEDGER_VOUCHER_DAY_CENTS = 1_000
    make(anna, 300, 3)
    with pytest.raises(NotAllowed):
        make(anna, 101)
    make(anna, 100)
    make(bert, 1_000)


@pytest.mark.parametrize(
    ("cents", "count", "note"), [(0, 1, "x"), (-5, 1, "x"), (5, 0, "x"), (5, 101, "x"), (5, 1, "")]
)
def test_a_voucher_is_worth_something_for_a_reason(
    anna: User, cents: int, count: int, note: str
) -> None:
    with pytest.raises(MalformedPosting):
        make(anna, cents, count, note=note)


# --- batches that a second person confirms --------------------------------------------------------
def test_up_to_the_limit_one_person_is_enough(magriel: User, anna: User) -> None:
    (new,) = make(anna, 2_000)
    assert (new.voucher.alone, new.voucher.waits) == (True, False)
    assert not Proposal.objects.exists()
    voucher_redeem(user=magriel, code=new.code)
    (more,) = make(anna, 1)
    assert (more.voucher.alone, more.voucher.waits) == (False, True)


def test_the_limit_is_of_one_person_and_a_day(anna: User, bert: User) -> None:
    make(anna, 2_000)
    (of_bert,) = make(bert, 2_000)
    assert of_bert.voucher.alone
    with guards_off() as cursor:
        cursor.execute("UPDATE ledger_voucher SET made_at = made_at - interval '25 hours'")
    (next_day,) = make(anna, 2_000)
    assert next_day.voucher.alone


def test_what_waits_leaves_the_rest_of_the_limit_alone(anna: User) -> None:
    make(anna, 50_000)
    (small,) = make(anna, 2_000)
    assert small.voucher.alone


def test_a_large_batch_says_what_it_is_and_waits(magriel: User, anna: User) -> None:
    made = make(anna, 1_500, 2)
    proposal = waiting()
    assert proposal.kind == "voucher.confirm"
    assert proposal.subject == made[0].voucher.reference
    assert proposal.content == {
        "ids": [new.voucher.pk for new in made],
        "amount_cents": 1_500,
        "count": 2,
        "expires_at": None,
    }
    assert {refusal(magriel, new.code) for new in made} == {"unconfirmed"}
    assert wallet_balance(magriel.pk) == 10_000


def test_a_second_person_confirms_the_whole_batch(magriel: User, anna: User, bert: User) -> None:
    made = make(anna, 1_500, 2)
    for _ in range(2):  # sent twice, it happens once
        proposal_confirm(proposal_id=Proposal.objects.get().pk, actor=bert, verified_at=now())
    assert {v.confirmed_by for v in Voucher.objects.all()} == {bert}
    for new in made:
        voucher_redeem(user=magriel, code=new.code)
    assert wallet_balance(magriel.pk) == 13_000
    verbs = JournalEntry.objects.order_by("id").values_list("verb", "actor__username")
    assert list(verbs) == [
        ("voucher.make", "anna"),
        ("proposal.make", "anna"),
        ("proposal.confirm", "bert"),
    ]


def test_a_refused_batch_is_revoked(magriel: User, anna: User, bert: User) -> None:
    made = make(anna, 1_500, 2)
    proposal_refuse(proposal_id=waiting().pk, actor=bert, verified_at=now(), reason="no raffle")
    assert {refusal(magriel, new.code) for new in made} == {"revoked"}
    assert {v.revoked_by for v in Voucher.objects.all()} == {bert}
    revoked = JournalEntry.objects.filter(verb="voucher.revoke")
    assert [entry.reason for entry in revoked] == ["no raffle"] * 2


def test_a_withdrawn_batch_is_revoked(magriel: User, anna: User, bert: User) -> None:
    (new,) = make(anna, 3_000)
    with pytest.raises(NotAllowed):
        proposal_withdraw(proposal_id=waiting().pk, actor=bert)
    proposal_withdraw(proposal_id=waiting().pk, actor=anna)
    assert refusal(magriel, new.code) == "revoked"


def test_what_was_revoked_meanwhile_stays_revoked(magriel: User, anna: User, bert: User) -> None:
    lost, kept = make(anna, 1_500, 2)
    voucher_revoke(voucher_id=lost.voucher.pk, actor=anna, reason="lost")
    proposal_confirm(proposal_id=waiting().pk, actor=bert, verified_at=now())
    assert refusal(magriel, lost.code) == "revoked"
    voucher_redeem(user=magriel, code=kept.code)


def test_nothing_is_left_to_confirm(anna: User, bert: User) -> None:
    (new,) = make(anna, 3_000)
    voucher_revoke(voucher_id=new.voucher.pk, actor=anna, reason="lost")
    with pytest.raises(ProposalStale):
        proposal_confirm(proposal_id=waiting().pk, actor=bert, verified_at=now())
    proposal_refuse(proposal_id=waiting().pk, actor=bert, verified_at=now(), reason="lost")


def test_in_a_house_with_one_administrator_the_day_is_the_limit(
    magriel: User, anna: User, settings: Any
) -> None:
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    (new,) = make(anna, settings.LEDGER_VOUCHER_DAY_CENTS)
    voucher_redeem(user=magriel, code=new.code)
    with pytest.raises(NotAllowed):
        make(anna, 1)


def test_the_audit_asks_the_journal_who_confirmed(magriel: User, anna: User, bert: User) -> None:
    (new,) = make(anna, 3_000)
    Voucher.objects.update(confirmed_by=bert, confirmed_at=now())
    voucher_redeem(user=magriel, code=new.code)
    (finding,) = findings("A16", "A17")
    assert f"user {bert.pk} did not confirm it in the journal" in finding
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET session_replication_role = replica")
        cursor.execute("ALTER TABLE ledger_voucher DROP CONSTRAINT voucher_redeemed_if_confirmed")
        cursor.execute("UPDATE ledger_voucher SET confirmed_by_id = NULL, confirmed_at = NULL")
        cursor.execute("SET session_replication_role = origin")
    row_missing, no_person = findings("A16", "A17")
    assert "has no row behind it" in row_missing
    assert "user nobody did not confirm it" in no_person
    with guards_off() as cursor:  # as it would have been with the journal
        cursor.execute("UPDATE ledger_voucher SET alone = true")


# --- races ---


@pytest.fixture
def race(transactional_db: None) -> Iterator[Runner]:
    with racers() as runner:
        yield runner


@pytest.fixture
def players(transactional_db: None, person: Callable[..., User]) -> list[User]:
    return [person(f"racer{number}") for number in range(RACERS)]


def decisions(proposal: Proposal, anna: User, bert: User) -> tuple[Any, Any, Any]:
    said = {"proposal_id": proposal.pk, "verified_at": now()}
    return (
        partial(proposal_confirm, actor=bert, **said),
        partial(proposal_refuse, actor=bert, reason="no", **said),
        partial(proposal_withdraw, actor=anna, proposal_id=proposal.pk),
    )


def test_confirmed_and_revoked_at_once(
    race: Runner, players: list[User], anna: User, bert: User, settings: Any
) -> None:
    settings.LEDGER_VOUCHER_DAY_CENTS = 10**9
    for _ in range(TRIES):
        made = make(anna, 1_500, 4)
        confirm, _refuse, _withdraw = decisions(waiting(), anna, bert)
        revoke = [
            partial(voucher_revoke, voucher_id=new.voucher.pk, actor=anna, reason="lost")
            for new in made
        ]
        outcomes = race([confirm, *revoke, confirm])
        assert {type(o) for o in outcomes} <= {Proposal, Voucher, ProposalStale}
        for new in made:
            assert refusal(players[0], new.code) == "revoked"
        Proposal.objects.filter(state="waiting").update(state="withdrawn", decided_by=anna)


@pytest.mark.slow
def test_redeemed_and_refused_at_once(
    race: Runner, players: list[User], anna: User, bert: User, settings: Any
) -> None:
    settings.LEDGER_VOUCHER_DAY_CENTS = 10**9
    for _ in range(TRIES):
        made = make(anna, 1_500, 3)
        before_cents = sum(wallet_balance(player.pk) for player in players)
        confirm, refuse, withdraw = decisions(waiting(), anna, bert)
        redeem = [
            partial(voucher_redeem, user=player, code=new.code)
            for player, new in zip(players, made, strict=False)
        ]
        outcomes = race([confirm, refuse, withdraw, *redeem, confirm, refuse])
        assert {type(o) for o in outcomes} <= {Proposal, Posted, VoucherRefused, WrongState}
        again = race(redeem)
        state = Proposal.objects.latest("id").state
        won = 4_500 if state == "done" else 0
        assert sum(wallet_balance(player.pk) for player in players) == before_cents + won
        assert {type(o) for o in again} == {Posted if won else VoucherRefused}


def test_batches_made_at_once_share_one_limit(race: Runner, anna: User) -> None:
    outcomes = race([partial(make, anna, 900)] * RACERS)
    assert [o for o in outcomes if isinstance(o, Exception)] == []
    assert Voucher.objects.filter(alone=True).count() == 2
    assert Proposal.objects.filter(state="waiting").count() == RACERS - 2
