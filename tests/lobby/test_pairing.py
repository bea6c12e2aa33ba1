"""Quick pairing: people with the same wishes get one table, never two side by side."""

import pytest

from games.models import Match, Table
from games.services.lobby import quick_pair, tables_close_of, tables_close_unpayable
from games.services.people import SamePerson, StrengthOutside
from games.services.tables import OneOpenTable, table_join, table_open
from games.settlement import StakeNotPossible
from games.table.errors import BadTerms, TableFull
from harness.wallets import credits_spent
from ledger.selectors import wallet_balance

pytestmark = pytest.mark.django_db(transaction=True)

PRIZE5 = {"mode": "prize5", "stake_cents": 250}


def test_the_first_waits_and_the_second_finds_him(magriel, hilde):
    first = quick_pair(user=magriel, **PRIZE5)
    second = quick_pair(user=hilde, **PRIZE5)
    assert (first.found, second.found) == (False, True)
    assert first.table.pk == second.table.pk
    match = Match.objects.get()
    assert match.players == (magriel.pk, hilde.pk)
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (9_750, 9_750)


def test_a_table_opened_by_hand_is_found_too(magriel, hilde):
    waiting = table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == waiting.pk


@pytest.mark.parametrize(
    "other",
    [
        {"mode": "prize5", "stake_cents": 500},
        {"mode": "prize3", "stake_cents": 250},
        {"mode": "prize5", "stake_cents": 250, "clock": "fast"},
        {"mode": "prize5", "stake_cents": 250, "holland": True},
    ],
)
def test_other_terms_do_not_fit(magriel, hilde, other):
    table_open(user=magriel, **other)
    assert not quick_pair(user=hilde, **PRIZE5).found


def test_who_asks_twice_waits_at_one_table(magriel):
    tables = {quick_pair(user=magriel, **PRIZE5).table.pk for _ in range(3)}
    assert len(tables) == 1
    with pytest.raises(OneOpenTable):
        quick_pair(user=magriel, mode="prize5", stake_cents=500)


def test_who_waits_himself_and_finds_somebody_leaves_no_table_behind(magriel, hilde):
    own = table_open(user=hilde, mode="prize5", stake_cents=500)
    table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).found
    own.refresh_from_db()
    assert own.phase == "closed"


def test_the_oldest_table_comes_first(magriel, tilo, hilde):
    oldest = table_open(user=tilo, **PRIZE5)
    table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == oldest.pk


def test_a_private_table_is_never_found(magriel, hilde):
    private = table_open(user=magriel, private=True, **PRIZE5)
    assert len(private.code) == 8
    assert not quick_pair(user=hilde, **PRIZE5).found


def test_both_ranges_of_strength_hold(magriel, ida, hilde):
    """ida is in group 1, the others in group 3."""
    choosy = quick_pair(user=magriel, strength_span=1, **PRIZE5)
    assert not quick_pair(user=ida, **PRIZE5).found
    with pytest.raises(StrengthOutside):
        table_join(user=ida, table_id=choosy.table.pk)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == choosy.table.pk


def test_the_guests_range_holds_as_well(ida, magriel):
    quick_pair(user=ida, **PRIZE5)
    assert not quick_pair(user=magriel, strength_span=1, **PRIZE5).found


def test_an_opener_who_cannot_pay_is_passed_over(magriel, tilo, hilde):
    table_open(user=magriel, **PRIZE5)
    credits_spent(magriel, 9_900)
    next_one = table_open(user=tilo, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == next_one.pk
    assert Match.objects.count() == 1


def test_who_cannot_pay_is_told_and_nothing_opens(magriel):
    credits_spent(magriel, 9_900)
    with pytest.raises(StakeNotPossible) as refused:
        quick_pair(user=magriel, **PRIZE5)
    assert refused.value.fields["who"] == "you"
    assert not Table.objects.exists()


def test_terms_that_the_house_does_not_offer(magriel):
    with pytest.raises(BadTerms):
        quick_pair(user=magriel, mode="prize5", stake_cents=300)


# --- one person, two accounts ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("h@example.org", "h@example.org"),
        ("h@example.org", "H@Example.org"),
        ("h@example.org", "h+second@example.org"),
    ],
)
def test_two_accounts_of_one_mailbox_never_meet(magriel, hilde, one, other):
    magriel.email, hilde.email = one, other
    magriel.save()
    hilde.save()
    table = table_open(user=magriel, **PRIZE5)
    with pytest.raises(SamePerson):
        table_join(user=hilde, table_id=table.pk)
    assert not quick_pair(user=hilde, **PRIZE5).found
    assert not Match.objects.exists()


def test_accounts_without_an_address_are_not_taken_for_one_person(magriel, hilde):
    table = table_open(user=magriel, **PRIZE5)
    assert table_join(user=hilde, table_id=table.pk).phase == "roll"


# --- tables that close by themselves --------------------------------------------------------------
def test_tables_of_people_who_have_gone_close(magriel, hilde):
    gone = table_open(user=magriel, **PRIZE5)
    stays = table_open(user=hilde, **PRIZE5)
    assert tables_close_of([magriel.pk]) == 1
    assert tables_close_of([magriel.pk]) == 0
    gone.refresh_from_db()
    stays.refresh_from_db()
    assert (gone.phase, stays.phase) == ("closed", "open")
    with pytest.raises(TableFull):
        table_join(user=hilde, table_id=gone.pk)


def test_a_running_match_is_no_open_table(sitting, magriel):
    assert tables_close_of([magriel.pk]) == 0
    assert sitting.table.phase == "roll"


def test_a_table_that_its_opener_cannot_pay_any_more_closes(magriel, hilde):
    poor = table_open(user=magriel, mode="prize5", stake_cents=500)
    table_open(user=hilde, mode="prize5", stake_cents=500)
    free = table_open(user=_broke(), mode="normal")
    credits_spent(magriel, 9_900)
    assert tables_close_unpayable() == 1
    assert Table.objects.get(pk=poor.pk).phase == "closed"
    assert Table.objects.get(pk=free.pk).phase == "open"


def _broke():
    from accounts.models import User

    user = User.objects.create_user("broke")
    credits_spent(user, 10_000)
    return user
