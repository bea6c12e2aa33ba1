"""S11: a bot plays a match with stakes, by any order of events."""

from threading import Barrier
from typing import Any

import pytest
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tokens import StillAtStakes, bot_become
from games.models import Match
from games.services.challenges import challenge_accept, challenge_make
from games.services.lobby import quick_pair
from games.services.tables import table_command, table_join, table_open
from games.settlement import StakeNotPossible
from games.table import commands as cmd
from games.table.errors import TableError
from harness.logins import logged_in
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.errors import LedgerError
from ledger.selectors import wallet_balance
from ledger.services.books import stakes_escrow
from tests.conftest import magriel
from tests.racing import racers, tries

__all__ = ["magriel"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WELCOME_CENTS = 10_000
STAKE = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}
PRIZE = {"mode": "prize5", "stake_cents": 250}


def made_a_bot(user: User) -> None:
    """Make the account a bot's, whatever its state."""
    User.objects.filter(pk=user.pk).update(is_bot=True)


def nothing_staked(*users: User) -> bool:
    untouched = all(wallet_balance(user.pk) == WELCOME_CENTS for user in users)
    return untouched and not Match.objects.filter(stake_cents__gt=0).exists()


def over(sitting: Sitting) -> None:
    """Decide the match at this table, so that its players may play again."""
    sitting.turn()
    sitting.give(0, cmd.Leave())
    assert sitting.state.phase == "over"


def rematch(sitting: Sitting, seat: int) -> None:
    sitting.give(seat, cmd.Rematch())


def rematch_of_both(sitting: Sitting, first: int) -> None:
    rematch(sitting, first)
    rematch(sitting, 1 - first)


# --- the orders of events -------------------------------------------------------------------------


@pytest.mark.parametrize("wishes", [PRIZE, STAKE])
def test_s11_open_a_staked_table_become_a_bot_and_let_somebody_join(
    magriel: User, hilde: User, wishes: dict[str, Any]
) -> None:
    table = table_open(user=magriel, **wishes)
    made_a_bot(magriel)
    with pytest.raises(TableError) as refused:
        table_join(user=hilde, table_id=table.pk)
    assert refused.value.fields["who"] == "opponent"
    assert nothing_staked(magriel, hilde)


def test_s11_a_bot_is_not_paired_with_a_table_it_left_waiting(magriel: User, hilde: User) -> None:
    quick_pair(user=magriel, **PRIZE)
    made_a_bot(magriel)
    assert not quick_pair(user=hilde, **PRIZE).found
    assert nothing_staked(magriel, hilde)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("bot", [0, 1])
def test_s11_become_a_bot_before_a_staked_rematch(sitting: Sitting, bot: int, first: int) -> None:
    over(sitting)
    before = sitting.balances()
    made_a_bot(sitting.players[bot])
    with pytest.raises(TableError):
        rematch_of_both(sitting, first)
    assert sitting.balances() == before
    assert Match.objects.count() == 1


def test_s11_become_a_bot_between_the_wish_for_a_rematch_and_the_answer(sitting: Sitting) -> None:
    over(sitting)
    before = sitting.balances()
    rematch(sitting, 0)
    made_a_bot(sitting.players[0])
    with pytest.raises(StakeNotPossible) as refused:
        rematch(sitting, 1)
    assert refused.value.fields["who"] == "opponent"
    assert sitting.balances() == before


@pytest.mark.parametrize("bot", [0, 1])
def test_s11_become_a_bot_between_a_challenge_and_its_answer(
    magriel: User, hilde: User, bot: int
) -> None:
    made = challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE)
    made_a_bot((magriel, hilde)[bot])
    with pytest.raises(TableError):
        challenge_accept(user=hilde, challenge_id=made.pk)
    assert nothing_staked(magriel, hilde)


# --- the books themselves -------------------------------------------------------------------------


@pytest.mark.parametrize("state", [{"is_bot": True}, {"is_guest": True}, {"is_active": False}])
def test_s11_the_books_take_no_stake_of_a_bot_a_guest_or_a_closed_account(
    magriel: User, hilde: User, state: dict[str, bool]
) -> None:
    User.objects.filter(pk=hilde.pk).update(**state)
    with pytest.raises(LedgerError) as refused, transaction.atomic():
        stakes_escrow(reference="match:1", stakes={magriel.pk: 100, hilde.pk: 100})
    assert refused.value.code == "no_stakes"
    assert nothing_staked(magriel, hilde)


def test_s11_nobody_becomes_a_bot_while_a_stake_lies_in_escrow(sitting: Sitting) -> None:
    with pytest.raises(Error, match="stake"):
        made_a_bot(sitting.players[1])
    over(sitting)
    made_a_bot(sitting.players[1])


def test_s11_a_bot_has_no_payout(magriel: User) -> None:
    made_a_bot(magriel)
    magriel.refresh_from_db()
    with pytest.raises(LedgerError):
        payout_asked(magriel, 500)
    assert wallet_balance(magriel.pk) == WELCOME_CENTS


def test_s11_nobody_becomes_a_bot_with_a_payout_open(magriel: User) -> None:
    mailbox_proved(magriel)
    credits_bought(magriel, 500)
    payout_asked(magriel, 500)
    with pytest.raises(Error, match="payout"):
        made_a_bot(magriel)


# --- early, and in words --------------------------------------------------------------------------


def ask_to_become_a_bot(user: User) -> str:
    """Request it on the account page and return the page's text."""
    client = logged_in(Client(headers={"accept-language": "en"}), user)
    page = client.post(reverse("account_bot"), {"confirm": "yes"}, follow=True)
    return page.content.decode()


def test_s11_the_account_page_says_what_has_to_end_first(
    magriel: User, hilde: User, tilo: User
) -> None:
    table = table_open(user=magriel, **PRIZE)
    assert "Close it first" in ask_to_become_a_bot(magriel)
    table_join(user=hilde, table_id=table.pk)
    assert "running match" in ask_to_become_a_bot(hilde)
    challenge_make(user=tilo, opponent_id=magriel.pk, **PRIZE)
    assert "challenge" in ask_to_become_a_bot(tilo)
    assert not User.objects.filter(is_bot=True).exists()


def test_s11_a_wish_for_a_staked_rematch_keeps_an_account_a_persons(sitting: Sitting) -> None:
    over(sitting)
    rematch(sitting, 0)
    assert "rematch" in ask_to_become_a_bot(sitting.players[0])
    assert not User.objects.filter(is_bot=True).exists()


def test_s11_with_nothing_staked_an_account_becomes_a_bots(magriel: User) -> None:
    table_open(user=magriel, mode="normal")
    ask_to_become_a_bot(magriel)
    assert User.objects.get(pk=magriel.pk).is_bot


def test_s11_a_bot_neither_opens_nor_challenges(magriel: User, hilde: User) -> None:
    made_a_bot(magriel)
    for ask in (
        lambda: table_open(user=magriel, **PRIZE),
        lambda: quick_pair(user=magriel, **PRIZE),
        lambda: challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE),
    ):
        with pytest.raises(TableError) as refused:
            ask()
        assert refused.value.code == "bots_play_normal"


# --- at the same moment ---------------------------------------------------------------------------


def test_s11_become_a_bot_while_somebody_joins(magriel: User, hilde: User) -> None:
    """Either the match begins and the account stays a person's, or it becomes a bot's alone."""
    outcomes = set()
    with racers(2) as race:
        for number in range(tries(6, long=60)):
            opener = User.objects.create_user(f"opener{number}")
            table = table_open(user=opener, **PRIZE)
            race(
                [
                    lambda u=opener: made_a_bot(u),
                    lambda t=table: table_join(user=hilde, table_id=t.pk),
                ]
            )
            is_bot = User.objects.get(pk=opener.pk).is_bot
            match = Match.objects.filter(player_0=opener).first()
            assert is_bot == (match is None)
            assert wallet_balance(opener.pk) == WELCOME_CENTS - (0 if is_bot else 250)
            outcomes.add(is_bot)
            if match is not None:
                _end(table.pk, hilde)
    assert outcomes


def _end(table_id: object, user: User) -> None:
    """Stand up before the first roll, so that the stakes go back."""
    table_command(
        table_id=table_id, user_id=user.pk, command_id="end", seen_seq=0, command=cmd.Leave()
    )


def test_s11_the_join_that_holds_the_wallet_is_waited_for(magriel: User, hilde: User) -> None:
    """On two connections: the account is changed while the stakes are not yet committed."""
    taken, may_commit = Barrier(2), Barrier(2)

    def stake() -> None:
        with transaction.atomic():
            stakes_escrow(reference="match:1", stakes={magriel.pk: 100, hilde.pk: 100})
            taken.wait(timeout=WAIT_SECONDS)
            may_commit.wait(timeout=WAIT_SECONDS)

    def become() -> str:
        taken.wait(timeout=WAIT_SECONDS)
        with transaction.atomic():
            from django.db import connection

            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '300ms'")
            try:
                User.objects.filter(pk=magriel.pk).update(is_bot=True)
            except Error as error:
                return str(error)
            finally:
                may_commit.wait(timeout=WAIT_SECONDS)
        return "became a bot"

    with racers(2) as race:
        _, answer = race([stake, become])
    assert "lock timeout" in answer
    assert not User.objects.get(pk=magriel.pk).is_bot


def test_s11_bot_become_refuses_in_the_books_as_well(sitting: Sitting) -> None:
    with pytest.raises(StillAtStakes):
        bot_become(sitting.players[0])
    assert not User.objects.get(pk=sitting.players[0].pk).is_bot
