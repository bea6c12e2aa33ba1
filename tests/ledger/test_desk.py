"""Adjustments, freezes, stops and the journal: rights, limits, once only."""

from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.utils import timezone

from accounts.models import User
from ledger.errors import (
    InsufficientCredits,
    KeyConflict,
    MalformedPosting,
    NotAllowed,
    StakesStopped,
)
from ledger.models import Adjustment, JournalEntry, Proposal
from ledger.selectors import house_totals, wallet_balance, wallet_is_frozen
from ledger.services.adjustments import adjustment_make
from ledger.services.books import escrow_resolve, stakes_escrow
from ledger.services.limits import player_freeze, player_thaw, stakes_resume, stakes_stop
from ledger.services.proposals import proposal_confirm
from ledger.services.vouchers import voucher_make, voucher_redeem
from tests.ledger.proof import broken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _books_agree() -> Any:
    yield
    assert broken() == []


# --- adjustments ----------------------------------------------------------------------------------
def adjust(actor: User, user: User, cents: int, key: str = "first") -> Adjustment | Proposal:
    return adjustment_make(
        verified_at=timezone.now(),
        actor=actor,
        user=user,
        amount_cents=cents,
        reason="a lost prize",
        client_key=key,
    )


def confirm(waiting: Adjustment | Proposal, actor: User) -> Proposal:
    assert isinstance(waiting, Proposal)
    return proposal_confirm(verified_at=timezone.now(), proposal_id=waiting.pk, actor=actor)


def test_a_small_adjustment_is_booked_at_once(magriel: User, anna: User) -> None:
    booked = adjust(anna, magriel, 2_000)
    assert isinstance(booked, Adjustment)
    assert adjust(anna, magriel, 2_000) == booked  # sent twice
    assert wallet_balance(magriel.pk) == 12_000
    (entry,) = JournalEntry.objects.all()
    assert (entry.verb, entry.reason, entry.actor) == ("adjustment.give", "a lost prize", anna)
    assert house_totals().issued_cents == 12_000


def test_above_the_limit_a_second_administrator_books_it(
    magriel: User, anna: User, bert: User
) -> None:
    waiting = adjust(anna, magriel, 2_001)
    assert adjust(anna, magriel, 2_001) == waiting  # sent twice
    assert wallet_balance(magriel.pk) == 10_000
    with pytest.raises(NotAllowed):
        confirm(waiting, anna)
    for _ in range(2):
        confirm(waiting, bert)
    assert wallet_balance(magriel.pk) == 12_001
    booked = Adjustment.objects.get()
    assert (booked.proposal, booked.confirmed_by, booked.reason) == (waiting, bert, "a lost prize")
    assert adjust(anna, magriel, 2_001) == booked


def test_several_large_ones_wait_for_one_player(magriel: User, anna: User, bert: User) -> None:
    for waiting in [adjust(anna, magriel, 3_000, key) for key in ("first", "second")]:
        confirm(waiting, bert)
    assert wallet_balance(magriel.pk) == 16_000


def test_many_small_adjustments_are_a_large_one(magriel: User, hilde: User, anna: User) -> None:
    assert isinstance(adjust(anna, magriel, 1_200, "1"), Adjustment)
    assert isinstance(adjust(anna, hilde, -801, "2"), Proposal)
    assert isinstance(adjust(anna, hilde, -800, "3"), Adjustment)


def test_more_than_there_is_cannot_be_taken(magriel: User, anna: User, bert: User) -> None:
    waiting = adjust(anna, magriel, -10_001)
    with pytest.raises(InsufficientCredits), transaction.atomic():
        confirm(waiting, bert)
    waiting.refresh_from_db()
    assert waiting.state == "waiting"


def test_nobody_adjusts_his_own_wallet(magriel: User, anna: User, bert: User) -> None:
    with pytest.raises(NotAllowed):
        adjust(anna, anna, 100)
    with pytest.raises(NotAllowed):
        confirm(adjust(anna, bert, 9_999), bert)


def test_an_adjustment_moves_something_for_a_reason(magriel: User, anna: User) -> None:
    with pytest.raises(MalformedPosting):
        adjust(anna, magriel, 0)
    with pytest.raises(MalformedPosting):
        adjustment_make(
            verified_at=timezone.now(),
            actor=anna,
            user=magriel,
            amount_cents=5,
            reason=" ",
            client_key="first",
        )
    for cents, other in ((5, 6), (5_000, 5_001)):
        adjust(anna, magriel, cents, key=str(cents))
        with pytest.raises(KeyConflict):
            adjust(anna, magriel, other, key=str(cents))


# --- freezes and stops ----------------------------------------------------------------------------
def test_a_freeze_is_journaled_once(magriel: User, anna: User) -> None:
    for _ in range(2):
        player_freeze(user=magriel, actor=anna, reason="looked into")
    assert wallet_is_frozen(magriel.pk)
    for _ in range(2):
        player_thaw(verified_at=timezone.now(), user=magriel, actor=anna, reason="all well")
    assert not wallet_is_frozen(magriel.pk)
    verbs = JournalEntry.objects.order_by("id").values_list("verb", flat=True)
    assert list(verbs) == ["player.freeze", "player.thaw"]


@pytest.mark.parametrize("scope", ["house", "mode:prize5"])
def test_a_stop_takes_no_new_stakes_and_lets_running_matches_finish(
    magriel: User, hilde: User, anna: User, scope: str
) -> None:
    stakes = {magriel.pk: 250, hilde.pk: 250}
    stakes_escrow(reference="match:1", stakes=stakes, scopes=["mode:prize5"])
    stakes_stop(scope=scope, actor=anna, reason="maintenance tonight")
    with pytest.raises(StakesStopped) as refused:
        stakes_escrow(reference="match:2", stakes=stakes, scopes=["mode:prize5"])
    assert (refused.value.scope, refused.value.reason) == (scope, "maintenance tonight")
    if scope != "house":
        stakes_escrow(reference="match:3", stakes=stakes, scopes=["mode:single"])
    escrow_resolve(reference="match:1", payouts={magriel.pk: 450}, rake_cents=50, kind="result")
    assert stakes_resume(scope=scope, actor=anna, reason="done") is True
    assert stakes_resume(scope=scope, actor=anna, reason="done") is False
    stakes_escrow(reference="match:2", stakes=stakes, scopes=["mode:prize5"])
    assert JournalEntry.objects.count() == 2


# --- rights ---------------------------------------------------------------------------------------
ACTIONS = {
    # the decision, and the roles that may make it
    "voucher_make": (
        {"treasurer", "administrator"},
        lambda a, u: voucher_make(verified_at=timezone.now(), actor=a, amount_cents=5, note="x"),
    ),
    "adjust": ({"treasurer", "administrator"}, lambda a, u: adjust(a, u, 5)),
    "freeze": (
        {"moderator", "treasurer", "administrator"},
        lambda a, u: player_freeze(user=u, actor=a, reason="x"),
    ),
    "thaw": (
        {"moderator", "treasurer", "administrator"},
        lambda a, u: player_thaw(verified_at=timezone.now(), user=u, actor=a, reason="x"),
    ),
    "stop": ({"administrator"}, lambda a, u: stakes_stop(scope="house", actor=a, reason="x")),
    "resume": ({"administrator"}, lambda a, u: stakes_resume(scope="house", actor=a, reason="x")),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("role", [None, "moderator", "treasurer", "administrator"])
def test_every_action_asks_for_its_right(
    action: str, role: str | None, magriel: User, hilde: User, administrator: Any
) -> None:
    allowed, act = ACTIONS[action]
    actor = administrator("somebody", role=role) if role else hilde
    if role in allowed:
        act(actor, magriel)
    else:
        with pytest.raises(NotAllowed):
            act(actor, magriel)
        assert not JournalEntry.objects.exists()


def test_no_role_may_write_the_books_by_hand(administrator: Any) -> None:
    for role in ("moderator", "treasurer", "administrator"):
        rights = administrator(f"a-{role}", role=role).get_all_permissions()
        assert not {
            right
            for right in rights
            if right.split(".")[1].startswith(("add_", "change_", "delete_"))
        }


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_voucher SET amount_cents = 10000",
        "UPDATE ledger_voucher SET redeemed_by_id = NULL, redeemed_at = NULL",
        "DELETE FROM ledger_voucher",
        "UPDATE ledger_adjustment SET amount_cents = 1",
        "DELETE FROM ledger_adjustment",
        "UPDATE ledger_journalentry SET reason = 'other'",
    ],
)
def test_raw_sql_cannot_bend_what_the_desk_did(magriel: User, anna: User, statement: str) -> None:
    (new,) = voucher_make(
        verified_at=timezone.now(), actor=anna, amount_cents=500, note="the club's evening"
    )
    voucher_redeem(user=magriel, code=new.code)
    adjust(anna, magriel, 100)
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert refused.value.__cause__.sqlstate == "LG009"
