"""The pages about one's own credits, as the server renders them."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from harness.wallets import payout_paid
from ledger.models import Payout, PlayLimit, PlayPause
from ledger.selectors import wallet_balance
from ledger.services.limits import limit_set, player_freeze
from ledger.services.payouts import (
    payout_approve,
    payout_claim,
    payout_decline,
    payout_request,
    payout_settle,
)
from ledger.services.vouchers import voucher_make
from tests.wallet.conftest import MATCH, words

pytestmark = pytest.mark.django_db

WISH = {
    "amount_cents": "40.50",
    "destination": "DE02 1203 0000",
    "note": "",
    "client_key": "the-wish-of-today",
}


# --- entries --------------------------------------------------------------------------------------
def kinds(response):
    return [str(row.label.text) for row in response.context["rows"]]


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("", ["Match paid out", "Stake", "Purchase"]),
        ("play", ["Match paid out", "Stake"]),
        ("stake", ["Stake"]),
        ("credits", ["Purchase"]),
        ("payout", []),
    ],
)
def test_entries_are_chosen_by_kind_on_the_page_and_in_the_file(played, reader, kind, shown):
    assert kinds(reader.get(reverse("wallet"), {"kind": kind})) == shown
    file = reader.get(reverse("wallet_csv"), {"kind": kind}).getvalue().decode()
    assert len(list(csv.DictReader(io.StringIO(file)))) == len(shown)


def test_the_first_and_the_last_day_belong_to_the_choice(played, reader):
    today = datetime.now(UTC).date()
    day = timedelta(days=1)
    for since, until, count in (
        (today, today, 3),
        (today + day, "", 0),
        ("", today - day, 0),
        (today - day, today + day, 3),
    ):
        response = reader.get(reverse("wallet"), {"since": since, "until": until})
        assert len(kinds(response)) == count, (since, until)


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "gift"},
        {"since": "yesterday"},
        {"since": "0001-01-01"},
        {"until": "9999-12-31"},
        {"since": "2026-02-02", "until": "2026-02-01"},
    ],
)
def test_a_choice_that_makes_no_sense_is_told_and_shows_nothing(played, reader, query):
    response = reader.get(reverse("wallet"), query)
    assert 'class="errorlist"' in response.content.decode()
    assert kinds(response) == []
    assert reader.get(reverse("wallet_csv"), query).status_code == 400


def test_an_entry_leads_to_its_match_and_to_its_payout(played, reader):
    payout = payout_request(
        user=played,
        amount_cents=100,
        destination="IBAN",
        client_key="a-payout",
        verified_at=timezone.now(),
    )
    page = reader.get(reverse("wallet")).content.decode()
    assert f'href="{reverse("match", args=[MATCH.removeprefix("match:")])}"' in page
    assert f'href="{reverse("wallet_payouts")}#payout-{payout.pk}"' in page


def test_the_file_is_asked_for_with_the_same_choice(played, reader):
    page = reader.get(reverse("wallet"), {"kind": "stake", "page": "1"}).content.decode()
    assert f'href="{reverse("wallet_csv")}?kind=stake"' in page


# --- the year -------------------------------------------------------------------------------------
def test_a_statement_adds_up(played, reader):
    year = datetime.now(UTC).year
    shown = words(reader.get(reverse("wallet_statement", args=[year])))
    for line in (
        "Opening balance 0.00 ℂ",
        "Purchase +100.00 ℂ",
        "Stake −2.50 ℂ",
        "Match paid out +4.50 ℂ",
        "Closing balance 102.00 ℂ",
        "Result of playing +2.00 ℂ",
    ):
        assert line in shown


@pytest.mark.parametrize("year", [0, 1999, 9999, 10**30])
def test_there_is_no_statement_of_other_years(played, reader, year):
    assert reader.get(reverse("wallet_statement", args=[year])).status_code == 404


# --- payouts --------------------------------------------------------------------------------------
def test_a_form_sent_twice_asks_once(magriel, reader):
    for _ in range(2):
        response = reader.post(reverse("wallet_payouts"), WISH)
        payout = Payout.objects.get()
        assert response["location"] == f"{reverse('wallet_payouts')}#payout-{payout.pk}"
    assert payout.amount_cents == 4_050
    assert wallet_balance(magriel.pk) == 10_000 - 4_050


def test_every_form_has_a_key_of_its_own(magriel, reader):
    keys = {
        reader.get(reverse("wallet_payouts")).context["form"]["client_key"].value() for _ in "ab"
    }
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        ({"amount_cents": ""}, "amount_cents", "required"),
        ({"amount_cents": "0.99"}, "amount_cents", "The minimum is 1.00"),
        ({"amount_cents": "1.000,00"}, "amount_cents", "without thousands"),
        ({"amount_cents": "-5"}, "amount_cents", "Enter an amount"),
        ({"amount_cents": "1e3"}, "amount_cents", "Enter an amount"),
        ({"amount_cents": "٣"}, "amount_cents", "Enter an amount"),
        ({"amount_cents": "9999999999999.99"}, "amount_cents", "Your wallet holds 100.00"),
        ({"amount_cents": "100.01"}, "amount_cents", "Your wallet holds 100.00"),
        ({"destination": "   "}, "destination", "required"),
        ({"destination": "x" * 201}, "destination", "at most 200"),
        ({"note": "x" * 501}, "note", "at most 500"),
        ({"client_key": ""}, "client_key", "required"),
        ({"client_key": "ä b"}, "client_key", "valid"),
    ],
)
def test_a_wish_that_cannot_be_is_told_where_and_why(magriel, reader, change, field, says):
    response = reader.post(reverse("wallet_payouts"), WISH | change)
    assert says in response.context["form"].errors[field][0].replace("\u00a0", " ")
    assert not Payout.objects.exists()
    assert wallet_balance(magriel.pk) == 10_000


@pytest.mark.parametrize(
    ("written", "cents"), [("12", 1200), ("12,5", 1250), (" 12.50 ", 1250), ("12,50 ℂ", 1250)]
)
def test_amounts_are_read_as_people_write_them(magriel, reader, written, cents):
    reader.post(reverse("wallet_payouts"), WISH | {"amount_cents": written})
    assert Payout.objects.get().amount_cents == cents


def test_nothing_leaves_a_frozen_wallet(magriel, anna, reader):
    player_freeze(user=magriel, actor=anna, reason="a question")
    assert "This wallet is frozen" in words(reader.get(reverse("wallet_payouts")))
    response = reader.post(reverse("wallet_payouts"), WISH)
    assert "Your wallet is frozen" in response.context["form"].errors["amount_cents"][0]
    assert not Payout.objects.exists()


def test_the_player_sees_every_step_but_not_who_took_it(magriel, anna, bert, reader):
    now = timezone.now()
    reader.post(reverse("wallet_payouts"), WISH)
    number = Payout.objects.get().pk
    assert stages(reader) == way("done", "ahead", "ahead", "ahead")
    payout_approve(payout_id=number, actor=anna, verified_at=now, reason="a remark")
    assert stages(reader) == way("done", "done", "ahead", "ahead")
    payout_claim(payout_id=number, actor=bert, verified_at=now)
    assert stages(reader) == way("done", "done", "done", "ahead")
    payout_settle(payout_id=number, actor=bert, verified_at=now, receipt="transfer 4711")
    assert stages(reader) == way("done", "done", "done", "good")
    shown = words(reader.get(reverse("wallet_payouts")))
    assert "transfer 4711" in shown
    assert not re.search(r"a remark|anna|bert|Withdraw the request", shown)


def test_the_player_reads_why_a_payout_was_declined(magriel, anna, reader):
    reader.post(reverse("wallet_payouts"), WISH)
    number = Payout.objects.get().pk
    payout_decline(payout_id=number, actor=anna, verified_at=timezone.now(), reason="other name")
    assert stages(reader) == [("requested", "done"), ("declined", "bad")]
    assert "Reason: other name" in words(reader.get(reverse("wallet_payouts")))


def test_a_large_payout_says_until_when_it_waits(magriel, reader, settings):
    settings.LEDGER_PAYOUT_LARGE_CENTS = 4_000
    reader.post(reverse("wallet_payouts"), WISH)
    shown = words(reader.get(reverse("wallet_payouts")))
    assert "A payout of this size is not paid before" in shown


def way(*looks):
    return list(zip(("requested", "approved", "being paid", "paid"), looks, strict=True))


def stages(reader):
    (row,) = reader.get(reverse("wallet_payouts")).context["rows"]
    return [(str(stage.label), stage.look) for stage in row.stages]


def test_taking_back_what_is_paid_says_that_it_has_gone_on(magriel, anna, bert, reader):
    now = timezone.now()
    reader.post(reverse("wallet_payouts"), WISH)
    number = Payout.objects.get().pk
    payout_approve(payout_id=number, actor=anna, verified_at=now)
    payout_paid(Payout.objects.get(pk=number), bert)
    response = reader.post(reverse("wallet_payout_cancel", args=[number]), follow=True)
    assert "gone on in the meantime" in words(response)


# --- vouchers -------------------------------------------------------------------------------------
def test_a_voucher_is_redeemed_once(magriel, anna, reader):
    (new,) = voucher_make(verified_at=timezone.now(), actor=anna, amount_cents=500, note="a prize")
    for said in (
        "The voucher brought you 5.00 ℂ.",
        "You had redeemed this voucher before: 5.00 ℂ.",
    ):
        response = reader.post(reverse("wallet_voucher"), {"code": new.code.lower()}, follow=True)
        assert said in words(response)
    assert wallet_balance(magriel.pk) == 10_500


@pytest.mark.parametrize("code", ["ABCD-EFGH-JKMN-PQRS", "x", "ℂ" * 100])
def test_an_unknown_code_is_told(magriel, reader, code):
    response = reader.post(reverse("wallet_voucher"), {"code": code})
    assert "Invalid voucher code." in words(response)
    assert wallet_balance(magriel.pk) == 10_000


# --- limits ---------------------------------------------------------------------------------------
EMPTY = {f"{m}_{p}": "" for m in ("loss", "stake") for p in ("day", "week", "month")}


def test_saving_changes_what_was_written_otherwise_and_nothing_else(magriel, reader):
    limit_set(user=magriel, measure="loss", period="week", amount_cents=1_000)
    limit_set(user=magriel, measure="loss", period="week", amount_cents=5_000)  # waits
    reader.post(reverse("wallet_limits"), EMPTY | {"loss_week": "10.00", "stake_day": "20"})
    assert {
        (row.measure, row.period): (row.amount_cents, row.next_amount_cents)
        for row in PlayLimit.objects.all()
    } == {("loss", "week"): (1_000, 5_000), ("stake", "day"): (2_000, None)}


def test_one_wrong_limit_changes_none(magriel, reader):
    response = reader.post(reverse("wallet_limits"), EMPTY | {"loss_day": "1", "stake_day": "x"})
    assert list(response.context["form"].errors) == ["stake_day"]
    assert not PlayLimit.objects.exists()


def test_saying_what_is_so_changes_nothing(magriel, reader):
    assert "Nothing was changed" in words(reader.post(reverse("wallet_limits"), EMPTY, follow=True))


def test_keeping_forgets_what_was_to_widen(magriel, reader):
    limit_set(user=magriel, measure="loss", period="week", amount_cents=1_000)
    limit_set(user=magriel, measure="loss", period="week", amount_cents=None)
    assert "no limit instead of 10.00 ℂ" in words(reader.get(reverse("wallet_limits")))
    for limit in ("loss_week", "loss_week", "luck_week", ""):
        reader.post(reverse("wallet_limit_keep"), {"limit": limit})
    limit = PlayLimit.objects.get()
    assert (limit.amount_cents, limit.next_from) == (1_000, None)


# --- break and exclusion --------------------------------------------------------------------------
@pytest.mark.parametrize("length", ["", "1", "ever; 1", "181"])
def test_an_exclusion_has_one_of_the_lengths_offered(magriel, reader, length):
    address = reverse("wallet_exclusion")
    for response in (
        reader.get(address, {"length": length}),
        reader.post(address, {"length": length, "confirmed": "yes"}),
    ):
        assert response["location"] == reverse("wallet_limits")
    assert not PlayPause.objects.exists()


def test_an_exclusion_without_the_check_mark_does_not_begin(magriel, reader):
    response = reader.post(reverse("wallet_exclusion"), {"length": "ever"})
    assert "Please tick the box" in words(response)
    assert not PlayPause.objects.exists()


def test_looking_changes_nothing(magriel, reader):
    reader.get(reverse("wallet_exclusion"), {"length": "ever", "confirmed": "yes"})
    for name in ("wallet_break", "wallet_limit_keep"):
        assert reader.get(reverse(name)).status_code == 405
    assert not PlayPause.objects.exists()


def test_an_excluded_player_is_told_for_how_long_and_may_still_be_paid(magriel, reader):
    reader.post(reverse("wallet_exclusion"), {"length": "ever", "confirmed": "yes"})
    assert "It ends: never" in words(reader.get(reverse("wallet")))
    reader.post(reverse("wallet_payouts"), WISH)
    assert Payout.objects.get().state == "requested"


def test_a_player_on_a_break_is_told_until_when(magriel, reader):
    reader.post(reverse("wallet_break"))
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    page = reader.get(reverse("wallet_limits")).content.decode()
    assert "You are taking a break" in page
    assert f'<time datetime="{tomorrow}' in page
