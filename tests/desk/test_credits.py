"""Adjustments, vouchers and the origin of credits at the desk."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.desk.origins import OriginMark, origins_of
from games.models import GameDice, Match, Table
from ledger.desk.forms import new_key
from ledger.errors import VoucherRefused
from ledger.models import JournalEntry, Proposal, Voucher
from ledger.selectors import wallet_balance
from ledger.services.vouchers import voucher_redeem
from tests.aging import guards_off
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db


def propose(user: User, player: str, amount: str, reason: str = "goodwill", key: str = ""):
    fields = {
        "player": player,
        "direction": "take" if amount.startswith("-") else "give",
        "amount": amount.removeprefix("-"),
        "reason": reason,
        "key": key or new_key(),
    }
    return at_desk(user).post(reverse("desk:adjustments"), fields, follow=True)


def test_a_small_adjustment_is_booked_at_once(anna, magriel):
    propose(anna, "MAGRIEL", "12,50")
    assert wallet_balance(magriel.pk) == 11_250
    propose(anna, "magriel", "-2.50")
    assert wallet_balance(magriel.pk) == 11_000


def test_a_large_one_waits_for_another_person(anna, bert, magriel):
    propose(anna, "magriel", "80")
    assert wallet_balance(magriel.pk) == 10_000
    waiting = Proposal.objects.get()
    approve = reverse("desk:proposal_confirm", args=[waiting.pk])
    assert approve not in at_desk(anna).get(reverse("desk:adjustments")).content.decode()
    assert "second person" in at_desk(anna).post(approve, follow=True).content.decode()
    assert wallet_balance(magriel.pk) == 10_000
    assert approve in at_desk(bert).get(reverse("desk:adjustments")).content.decode()
    at_desk(bert).post(approve)
    assert wallet_balance(magriel.pk) == 18_000


def test_sending_the_form_twice_books_once(anna, magriel):
    key = new_key()
    for _ in range(2):
        propose(anna, "magriel", "5", key=key)
    assert wallet_balance(magriel.pk) == 10_500


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"player": "nobody", "amount": "5"}, "There is no player of this name."),
        ({"player": "mag\x00riel", "amount": "5"}, "Null characters are not allowed."),
        ({"player": "magriel", "amount": "lots"}, "Enter an amount such as"),
        ({"player": "magriel", "amount": "0"}, "The minimum is"),
        ({"player": "magriel", "amount": "5", "reason": ""}, "This field is required."),
        ({"player": "magriel", "amount": "-200"}, "does not hold enough credits"),
        ({"player": "anna", "amount": "5"}, "it is about yourself"),
    ],
)
def test_a_bad_proposal_says_what_is_wrong_and_books_nothing(
    anna, bert, magriel, settings, fields, words
):
    settings.LEDGER_ALONE_CENTS = 100_000
    answer = propose(anna, **{"reason": "goodwill", **fields})
    assert words in answer.content.decode()
    assert wallet_balance(magriel.pk) == 10_000
    assert JournalEntry.objects.count() == 0


def make_vouchers(client, **fields: str):
    page = client.get(reverse("desk:vouchers")).content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key
    said = {"amount": "5", "count": "2", "note": "summer", "key": key[1], **fields}
    return client.post(reverse("desk:vouchers"), said, follow=True), said


def codes_in(answer) -> list[str]:
    return re.findall(r"<code>([^<]+)</code>", answer.content.decode())


def test_codes_are_shown_once_and_can_be_redeemed(anna, magriel):
    client = at_desk(anna)
    answer, said = make_vouchers(client)
    codes = codes_in(answer)
    assert len(codes) == 2
    assert "no-store" in answer["Cache-Control"]
    again = client.post(reverse("desk:vouchers"), said, follow=True)
    assert codes_in(again) == []
    assert Voucher.objects.count() == 2
    listed = client.get(reverse("desk:vouchers")).content.decode()
    assert codes[0] not in listed
    assert f"…{codes[0][-4:]}" in listed
    voucher_redeem(user=magriel, code=codes[0])
    assert wallet_balance(magriel.pk) == 10_500


def test_a_revoked_voucher_is_worth_nothing(anna, magriel):
    client = at_desk(anna)
    answer, _ = make_vouchers(client, count="1")
    address = reverse("desk:voucher_revoke", args=[Voucher.objects.get().pk])
    client.post(address, {"reason": ""})
    assert Voucher.objects.get().revoked_by is None
    client.post(address, {"reason": "sent to the wrong person"})
    with pytest.raises(VoucherRefused):
        voucher_redeem(user=magriel, code=codes_in(answer)[0])


@pytest.mark.parametrize(
    "fields", [{"count": "0"}, {"count": "101"}, {"note": " "}, {"days": "0"}, {"amount": "-1"}]
)
def test_a_bad_batch_makes_no_voucher(anna, fields):
    answer, _ = make_vouchers(at_desk(anna), **fields)
    assert "errorlist" in answer.content.decode()
    assert Voucher.objects.count() == 0


def test_the_daily_limit_of_one_person_is_told(anna, settings):
    settings.LEDGER_VOUCHER_DAY_CENTS = 900
    answer, _ = make_vouchers(at_desk(anna))
    assert "You may not do this" in answer.content.decode()
    assert Voucher.objects.count() == 0


def decide(client, step: str, **fields: str) -> str:
    waiting = Proposal.objects.get(kind="voucher.confirm")
    address = reverse(f"desk:proposal_{step}", args=[waiting.pk])
    return client.post(address, fields, follow=True).content.decode()


def test_a_large_batch_says_that_it_waits(anna, bert, magriel):
    answer, _ = make_vouchers(at_desk(anna), amount="20", count="3", days="10")
    assert "They are worth nothing yet" in answer.content.decode()
    assert len(codes_in(answer)) == 3
    listed = at_desk(bert).get(reverse("desk:vouchers")).content.decode()
    assert listed.count('data-testid="waits"') == 3
    rows = at_desk(bert).get(reverse("desk:proposals")).content.decode()
    for words in ("Let vouchers be redeemed", "<dd>3</dd>", "20.00", "60.00", "Valid until"):
        assert words in rows
    assert reverse("desk:proposal_confirm", args=[Proposal.objects.get().pk]) in rows
    assert "Confirmed and carried out" in decide(at_desk(bert), "confirm")
    listed = at_desk(anna).get(reverse("desk:vouchers")).content.decode()
    assert (listed.count('data-testid="waits"'), listed.count("confirmed by bert")) == (0, 3)
    voucher_redeem(user=magriel, code=codes_in(answer)[0])


def test_a_small_batch_does_not_wait(anna):
    answer, _ = make_vouchers(at_desk(anna))
    listed = at_desk(anna).get(reverse("desk:vouchers")).content.decode()
    for page in (answer.content.decode(), listed):
        assert 'data-testid="waits"' not in page
    assert "confirmed by" not in listed


def test_a_batch_that_nobody_confirmed_is_shown_as_such(anna):
    make_vouchers(at_desk(anna), amount="100", count="1")
    with guards_off() as cursor:
        cursor.execute("UPDATE ledger_voucher SET made_at = made_at - interval '7 days'")
    listed = at_desk(anna).get(reverse("desk:vouchers")).content.decode()
    assert ("never confirmed" in listed, 'data-testid="waits"' in listed) == (True, False)


def test_the_page_says_what_one_person_makes_alone(anna, settings):
    assert 'data-testid="alone"' in at_desk(anna).get(reverse("desk:vouchers")).content.decode()
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    page = at_desk(anna).get(reverse("desk:vouchers")).content.decode()
    assert 'data-testid="alone"' not in page


# --- where credits come from ----------------------------------------------------------------------
STAKE_CENTS = 1000


@pytest.fixture
def elders(db: None) -> list[User]:
    """Five players whose accounts are a month old."""
    people = [User.objects.create_user(name) for name in ("ada", "ben", "cleo", "dora", "emil")]
    User.objects.update(date_joined=timezone.now() - timedelta(days=30))
    return [User.objects.get(pk=each.pk) for each in people]


def won(winner: User, loser: User, *, rolls: int = 60, days_ago: int = 1) -> None:
    """A prize match that ended so long ago; its winner got 18.00."""
    at = timezone.now() - timedelta(days=days_ago)
    table = Table.objects.create(
        opener=winner, guest=loser, mode="prize5", variant="backgammon",
        stake_cents=STAKE_CENTS, phase="over", seq=1, state={},
    )  # fmt: skip
    match = Match.objects.create(
        table=table, number=1, mode="prize5", variant="backgammon", player_0=winner,
        player_1=loser, stake_cents=STAKE_CENTS, winner_seat=0, ending="left", points=5,
        paid_cents=[1800, 0], rake_cents=200, started_at=at, ended_at=at,
    )  # fmt: skip
    GameDice.objects.create(
        table=table, match=match, number=1, mode="K", terms="", house_tip=b"", house_secret=b"",
        sides=[], next_roll=rolls, open_hash=b"1", signature=b"1", opened_at=at,
    )  # fmt: skip


def test_credits_from_three_opponents_in_whole_matches_are_not_marked(elders: list[User]) -> None:
    ada, *others = elders
    for other in others[:3]:
        won(ada, other)
    found = origins_of(ada)
    assert [each.won_cents for each in found.opponents] == [800, 800, 800]
    assert [each.share_percent for each in found.opponents] == [33, 33, 33]
    assert found.marks == ()


def test_half_of_it_from_one_opponent_is_marked(elders: list[User]) -> None:
    ada, ben, cleo, dora, _ = elders
    for other in (ben, ben, cleo, dora):
        won(ada, other)
    assert origins_of(ada).marks == (OriginMark.ONE_OPPONENT,)


def test_matches_that_were_hardly_played_are_marked(elders: list[User]) -> None:
    ada, ben, cleo, dora, _ = elders
    won(ada, ben, rolls=4)
    won(ada, cleo)
    won(ada, dora)
    found = origins_of(ada)
    assert found.marks == (OriginMark.HARDLY_PLAYED,)
    assert sum(each.hardly_played for each in found.opponents) == 1


def test_losing_quickly_is_no_mark_for_the_loser(elders: list[User]) -> None:
    ada, ben, *_ = elders
    won(ada, ben, rolls=1)
    assert origins_of(ben).marks == ()
    assert origins_of(ben).opponents == []


def test_an_opponent_of_the_same_network_is_marked(elders: list[User]) -> None:
    ada, *others = elders
    for other in others[:3]:
        won(ada, other)
    for number, (user, address) in enumerate([(ada, "2001:db8::1"), (others[2], "2001:db8::2")]):
        UserSession.objects.create(user=user, ip=address, session_key=str(number), user_agent="")
    found = origins_of(ada)
    assert found.marks == (OriginMark.ONE_NETWORK,)
    assert [each.opponent for each in found.opponents if each.same_network] == [others[2]]


def test_what_is_a_month_old_is_not_looked_at(elders: list[User]) -> None:
    ada, ben, *_ = elders
    won(ada, ben, rolls=1, days_ago=31)
    assert origins_of(ada).opponents == []


def test_a_new_account_is_marked(magriel: User) -> None:
    assert origins_of(magriel).marks == (OriginMark.YOUNG_ACCOUNT,)
