"""A house in which everything happened that decides about credits: matches of every ending, payouts
in every state, vouchers, adjustments, limits, breaks, freezes, roles, dice, audits and seals."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from bench.tamper.cases import cases_judged
from bench.tamper.chouettes import chouettes_played
from bench.tamper.people import people_known
from bench.tamper.tournaments import tournaments_held
from ledger.models import Payout

STAKED = {"mode": "prize5", "stake_cents": 250}


def furnish() -> None:
    """Fill an empty, migrated database; the last thing that happens is an audit and a seal."""
    from harness.prices import house_prices
    from ledger.seals import books_seal
    from ledger.tasks import audit

    settings.LEDGER_WELCOME_CENTS = 10_000
    house_prices(rake_bps=1000)
    anna, bert = (_administrator(name) for name in ("anna", "bert"))
    scripted, settings.DICE_SOURCE = settings.DICE_SOURCE, "harness.dice.ScriptedDice"
    try:
        _matches()
    finally:
        settings.DICE_SOURCE = scripted
    tournaments_held()
    chouettes_played()
    for names in (("white", "black"), ("weiss", "schwarz")):
        _fair_match(*names)
    for names in (("wit", "zwart"), ("blanc", "noir")):
        _fair_match(*names, closed=True)
    _credits(anna, bert)
    _payouts(anna, bert)
    _people(anna)
    cases_judged(anna, bert)
    people_known()
    books_seal()
    _packed()
    found = audit()
    assert found == 0, "the furnished house is in order"
    books_seal()


def _administrator(name: str) -> User:
    from accounts.roles import Role, role_give

    user = User.objects.create_user(name)
    role_give(user, Role.ADMINISTRATOR)
    return User.objects.get(pk=user.pk)


def _matches() -> None:
    """One match of every ending, and one that runs."""
    from games.table import commands as cmd
    from harness.decisions import adjudicate_shown, administrator, void_shown
    from harness.sitters import Sitters

    ida = administrator("ida")

    def resign(table: Any, seat: int, level: int) -> None:
        table.until_resignation(seat)
        table.give(seat, cmd.OfferResignation(level=level))
        if table.state.phase == "resignation_offered":
            table.give(1 - seat, cmd.AcceptResignation())

    for wishes in (STAKED, {"mode": "normal"}):
        table = Sitters(**wishes)
        if "stake_cents" in wishes:
            table.game_won(0, 3)
        resign(table, 1, 2)
    tied = Sitters(mode="prize3", stake_cents=250)
    tied.game_won(0, 1)
    tied.game_won(1, 2)
    resign(tied, 1, 1)
    borne = Sitters(mode="single", rate_cents=100, limit_cents=1000)
    borne.until_last_play(2)
    borne.give(borne.state.decider, borne.last_play)
    left = Sitters(**STAKED)
    left.begin()
    left.give(1, cmd.Leave())
    closed = Sitters(**STAKED)
    closed.begin()
    closed.give(1, cmd.Leave())
    closed.give(0, cmd.StandUp())
    stood = Sitters(**STAKED)
    stood.give(0, cmd.StandUp())
    for settled in (True, False):
        voided = Sitters(**STAKED)
        voided.begin()
        if settled:
            voided.give(1, cmd.Leave())
        void_shown(voided.match.pk, ida)
    decided = Sitters(**STAKED)
    decided.begin()
    adjudicate_shown(decided.match.pk, ida, 0)
    Sitters(**STAKED).begin()


def _packed() -> None:
    """Pack the matches that were left and whose tables are closed, and the rolls of one of them."""
    from games.models import Match, RollPack
    from games.services.packing import game_pack, table_pack

    for left in Match.objects.filter(table__phase="closed", ending="left"):
        assert table_pack(left.table_id, timezone.now()), "a closed table is packed"
    wit = Match.objects.get(table__phase="closed", player_0__username="wit")
    assert game_pack(wit.dice.get(next_roll__gt=0).pk), "its rolls are packed"
    assert RollPack.objects.count() == 1


def _fair_match(*names: str, closed: bool = False) -> None:
    """A match with the house's real dice, six turns and a leaver."""
    from games.table import commands as cmd
    from harness.chains import Client
    from harness.sitting import play_on, seated

    white, black = (User.objects.create_user(name) for name in names)
    sitting = seated(white, black)
    clients = Client(white, 0), Client(black, 1)
    for client in clients:
        client.begin(sitting.table)
    play_on(sitting, clients, 6)
    sitting.give(0, cmd.Leave())
    if closed:
        sitting.give(1, cmd.StandUp())


def _credits(anna: User, bert: User) -> None:
    """Vouchers alone, by two, redeemed, revoked, waiting; adjustments alone, by two, refused and
    waiting."""
    from ledger.models import Proposal
    from ledger.services.adjustments import adjustment_make
    from ledger.services.proposals import proposal_confirm, proposal_refuse
    from ledger.services.vouchers import voucher_make, voucher_redeem, voucher_revoke

    player = User.objects.create_user("redeemer")
    fresh = {"verified_at": timezone.now()}
    made = voucher_make(actor=anna, amount_cents=500, count=3, note="a welcome back", **fresh)
    voucher_redeem(user=player, code=made[0].code)
    voucher_revoke(voucher_id=made[1].voucher.pk, actor=anna, reason="not needed")
    (large,) = voucher_make(actor=anna, amount_cents=3_000, note="a raffle", **fresh)
    proposal = Proposal.objects.get(kind="voucher.confirm", state="waiting")
    proposal_confirm(proposal_id=proposal.pk, actor=bert, **fresh)
    voucher_redeem(user=player, code=large.code)
    voucher_make(actor=anna, amount_cents=4_000, note="another raffle", **fresh)
    wish = {"actor": anna, "user": player, "reason": "a broken table", **fresh}
    adjustment_make(**wish, amount_cents=100, client_key="small")
    for number in range(3):
        asked = adjustment_make(**wish, amount_cents=90_000, client_key=f"large-{number}")
        if number == 0:
            proposal_confirm(proposal_id=asked.pk, actor=bert, **fresh)
        elif number == 1:
            proposal_refuse(proposal_id=asked.pk, actor=bert, reason="too much", **fresh)


def _payouts(anna: User, bert: User) -> None:
    """One payout in every state, and one with a request to cancel after the approval."""
    from harness.wallets import credits_bought, mailbox_proved, payout_asked, payout_paid
    from ledger.services.payouts import (
        payout_approve,
        payout_cancel,
        payout_claim,
        payout_decline,
        payout_fail,
    )

    def asked(name: str) -> tuple[User, Payout]:
        user = User.objects.create_user(f"wants-{name}")
        mailbox_proved(user)
        credits_bought(user, 5_000)
        return user, payout_asked(user, 900, key=f"my-{name}", destination="DE02")

    fresh = {"verified_at": timezone.now()}
    ends: dict[str, tuple[Any, ...]] = {
        "requested": (),
        "approved": ("approve",),
        "paying": ("approve", "claim"),
        "paid": ("approve", "pay"),
        "failed": ("approve", "claim", "fail"),
        "declined": ("decline",),
        "cancelled": ("cancel",),
        "asked-to-cancel": ("approve", "cancel"),
    }
    for name, steps in ends.items():
        user, payout = asked(name)
        for step in steps:
            if step == "approve":
                payout_approve(payout_id=payout.pk, actor=anna, **fresh)
            elif step == "claim":
                payout_claim(payout_id=payout.pk, actor=bert, **fresh)
            elif step == "pay":
                payout_paid(payout, bert, receipt="SEPA 4711")
            elif step == "fail":
                payout_fail(payout_id=payout.pk, actor=bert, reason="came back", **fresh)
            elif step == "decline":
                payout_decline(payout_id=payout.pk, actor=anna, reason="no such bank", **fresh)
            else:
                payout_cancel(payout_id=payout.pk, user=user)


def _people(anna: User) -> None:
    """Limits, a break, an exclusion, a frozen wallet, a thawed one, a stop, and an account that its
    owner wants to be deleted."""
    from ledger.selectors import wallet_balance
    from ledger.services.limits import (
        break_start,
        exclusion_start,
        limit_set,
        player_freeze,
        player_thaw,
        stakes_stop,
    )
    from pasch.deletion import deletion_ask

    careful, frozen, free = (User.objects.create_user(n) for n in ("careful", "frozen", "free"))
    limit_set(user=careful, measure="loss", period="week", amount_cents=1_000)
    break_start(user=careful, length=timedelta(days=1))
    exclusion_start(user=careful, days=None)
    for user in (frozen, free):
        player_freeze(user=user, actor=anna, reason="something is looked into")
    player_thaw(user=free, actor=anna, reason="nothing was found", verified_at=timezone.now())
    stakes_stop(scope="mode:tavli", actor=anna, reason="not tonight")
    leaver = User.objects.create_user("leaver")
    deletion_ask(
        user_id=leaver.pk, given_up_cents=wallet_balance(leaver.pk), keep_url=lambda token: token
    )
