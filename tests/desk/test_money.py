"""Figures and credits of the house at the desk: proposed by one person, confirmed by another."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role
from games.modes.prices import FIGURES, Prices, figures_of
from games.selectors import prices
from harness.prices import house_prices
from harness.tournaments import knockout
from house.models import HouseChange
from house.parts import HousePart
from ledger.errors import ProposalStale
from ledger.models import JournalEntry, Proposal
from ledger.selectors import account_balance
from ledger.services.proposals import proposal_confirm
from pasch.staff.house import check_house, house_propose
from tests.desk.conftest import at_desk
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

MONEY = "desk:money"
USUAL = {
    "number": "0",
    "prize_stakes_cents": "2.50 5.00",
    "match_stakes_cents": "2.50 5.00 10 20",
    "single_rates_cents": "1 2",
    "single_limits_cents": "10; 20",
    "base_stake_cents_min": "0.10",
    "base_stake_cents_max": "100",
    "factor_without_cube": "3",
    "factor_with_cube": "10",
    "rake_bps": "10",
    "pair_limit": "",
    "reason": "summer prices",
}


def send(client: Client, how: str = "propose", **changed: str) -> str:
    """Fill in the form and press one of its buttons; return the text of the next page."""
    return text_of(client.post(reverse(MONEY), {**USUAL, **changed, how: "1"}, follow=True))


def confirm(client: Client) -> str:
    (waiting,) = Proposal.objects.filter(state="waiting")
    address = reverse("desk:proposal_confirm", args=[waiting.pk])
    return text_of(client.post(address, follow=True))


def test_two_administrators_change_a_figure(anna: User, bert: User) -> None:
    words = send(at_desk(anna), rake_bps="7,5", prize_stakes_cents="3 9.00", pair_limit="20")
    assert "Proposed. Another administrator confirms or refuses it." in words
    assert prices() == Prices()
    assert "10% → 7.5%" in text_of(at_desk(bert).get(reverse("desk:proposals")))
    assert "Confirmed and carried out." in confirm(at_desk(bert))
    assert prices() == Prices(rake_bps=750, prize_stakes_cents=(300, 900), pair_limit=20)
    row = HouseChange.objects.get()
    assert (row.number, row.changed_by, row.confirmed_by) == (1, anna, bert)
    assert row.reason == "summer prices"
    entry = JournalEntry.objects.get(verb="house.change")
    assert (entry.actor, entry.before["rake_bps"], entry.after["rake_bps"]) == (bert, 1000, 750)
    page = text_of(at_desk(anna).get(reverse(MONEY)))
    assert "proposed by anna, confirmed by bert" in page
    assert "3.00 ℂ · 9.00 ℂ" in page
    assert list(check_house()) == []
    assert "changed a setting of the house" in text_of(at_desk(anna).get(reverse("desk:journal")))


def test_the_preview_says_what_would_be_paid_and_changes_nothing(anna: User) -> None:
    words = send(at_desk(anna), "preview", rake_bps="20", base_stake_cents_max="50")
    assert "Rake 10% 20%" in words
    assert "Prize match for 2.50 ℂ Now 4.50 ℂ, rake 0.50 ℂ, break-even 55.6%" in words
    assert "break-even 55.6% Then 4.00 ℂ, rake 1.00 ℂ" in words
    assert "Custom stake, 50.00 ℂ Now not offered" in words
    assert not Proposal.objects.exists()
    assert prices() == Prices()


def test_without_a_fresh_second_factor_nothing_is_proposed_or_confirmed(anna, bert) -> None:
    stale = at_desk(anna, proved_ago=901)
    session = stale.session
    session["desk_seen_at"] = 2**40  # they worked at the desk all the while
    session.save()
    assert "A change needs your second factor now" in text_of(stale.get(reverse(MONEY)))
    answer = stale.post(reverse(MONEY), {**USUAL, "rake_bps": "5", "propose": "1"})
    assert answer.url.startswith(reverse("mfa_reauthenticate"))
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("role", [Role.TREASURER, Role.MODERATOR])
def test_other_roles_do_not_see_the_page(staff, role) -> None:
    assert at_desk(staff("carl", role)).get(reverse(MONEY)).status_code == 403


@pytest.mark.parametrize(
    ("figure", "text", "sentence"),
    [
        ("rake_bps", "100", "Too high: 49% or less."),
        ("rake_bps", "ten", "Enter a percentage such as 10 or 7.5."),
        ("prize_stakes_cents", "", "Offer one amount or more."),
        ("prize_stakes_cents", "0", "Too low: 0.01 ℂ or more."),
        ("prize_stakes_cents", "1 1.00", "The list contains an amount twice."),
        ("prize_stakes_cents", "1 2 3 4 5 6 7", "Offer at most 6 amounts."),
        ("prize_stakes_cents", "1, 2", "Enter an amount such as 12 or 12.50"),
        ("single_limits_cents", "1.50", "A limit is below a rate"),
        ("base_stake_cents_min", "200", "This is above the highest base stake."),
        ("factor_with_cube", "1000", ""),
        ("factor_with_cube", "1001", "Too high: 1000 × or less."),
        ("base_stake_cents_max", "10001", "more than 100,000.00 ℂ"),
        ("pair_limit", "0", "Too low: 1 match or more."),
        ("reason", "", "This field is required."),
        ("number", "7", "Other figures have come into force meanwhile."),
        ("rake_bps", "10", "Nothing changes"),
    ],
)
def test_a_value_that_cannot_work_is_refused_at_its_field(anna, figure, text, sentence) -> None:
    words = send(at_desk(anna), **{figure: text})
    if sentence:
        assert sentence in words
        assert not Proposal.objects.exists()
    else:
        assert "Proposed." in words
    assert prices() == Prices()


def test_one_change_waits_at_a_time(anna: User, bert: User) -> None:
    send(at_desk(anna), rake_bps="5")
    words = send(at_desk(bert), rake_bps="6")
    assert "waits for a second person" in words
    assert Proposal.objects.count() == 1


def test_what_was_proposed_on_other_figures_is_not_carried_out(anna: User, bert: User) -> None:
    send(at_desk(anna), rake_bps="5")
    house_prices(rake_bps=800)
    assert "has changed since this was proposed" in confirm(at_desk(bert))
    assert prices().rake_bps == 800


def test_a_refused_change_changes_nothing(anna: User, bert: User) -> None:
    send(at_desk(anna), rake_bps="5")
    address = reverse("desk:proposal_refuse", args=[Proposal.objects.get().pk])
    at_desk(bert).post(address, {"reason": "too low"})
    assert Proposal.objects.get().state == "refused"
    assert not HouseChange.objects.exists()


def test_figures_that_are_no_longer_accepted_are_not_carried_out(anna, bert, monkeypatch) -> None:
    factor = prices_verified()
    new = Prices(rake_bps=4_900)
    proposal = house_propose(
        actor=anna,
        part=HousePart.PRICES,
        content=figures_of(new),
        number=0,
        reason="r",
        verified_at=factor,
    )
    lower = [f for f in FIGURES if f.name != "rake_bps"]
    narrow = type(FIGURES[0])("rake_bps", "bps", 0, 4_000)
    monkeypatch.setattr("games.modes.registry.FIGURES", (*lower, narrow))
    with pytest.raises(ProposalStale):
        proposal_confirm(proposal_id=proposal.pk, actor=bert, verified_at=factor)
    assert figures_of(prices()) == figures_of(Prices())


def prices_verified() -> datetime:
    """The time of a second factor that was given just now."""
    return timezone.now()


# --- credits of the house for a pool --------------------------------------------------------------
def add(user, tournament, amount, **more):
    fields = {"tournament": str(tournament.pk), "amount": amount, "reason": "a birthday", **more}
    return at_desk(user).post(reverse("desk:tournaments"), fields, follow=True).content.decode()


def test_a_small_sum_is_added_at_once(anna):
    tournament, _another = knockout(4, 250), knockout(4, 250)
    assert "Friday" in at_desk(anna).get(reverse("desk:tournaments")).content.decode()
    assert "Added to the pool." in add(anna, tournament, "12.50")
    tournament.refresh_from_db()
    assert tournament.added_cents == 1_250
    assert account_balance(f"escrow:{tournament.reference}") == 1_250
    journal = at_desk(anna).get(reverse("desk:journal")).content.decode()
    assert "added credits to a tournament" in journal
    assert "Select a valid choice" in add(anna, tournament, "1")  # once


def test_a_large_sum_waits_for_a_second_person(anna, bert):
    tournament = knockout(4, 250)
    assert "A second person confirms" in add(anna, tournament, "80")
    proposal = Proposal.objects.get()
    confirm = reverse("desk:proposal_confirm", args=[proposal.pk])
    for page in ("desk:tournaments", "desk:proposals"):
        assert confirm not in at_desk(anna).get(reverse(page)).content.decode()
        shown = at_desk(bert).get(reverse(page)).content.decode()
        assert confirm in shown
        assert "80.00" in shown
    assert "takes a second" in at_desk(anna).post(confirm, follow=True).content.decode()
    at_desk(bert).post(confirm)
    tournament.refresh_from_db()
    assert tournament.added_cents == 8_000


def test_an_old_second_factor_adds_nothing(anna):
    tournament = knockout(4, 250)
    fields = {"tournament": str(tournament.pk), "amount": "5", "reason": "a birthday"}
    answer = at_desk(anna, proved_ago=10_000).post(reverse("desk:tournaments"), fields)
    assert answer.status_code == 302
    tournament.refresh_from_db()
    assert tournament.added_cents == 0


def test_without_a_reason_or_an_amount_nothing_is_added(anna):
    tournament = knockout(4, 250)
    for wrong in ({"amount": "0"}, {"amount": "lots"}, {"amount": "5", "reason": " "}):
        add(anna, tournament, wrong.pop("amount"), **wrong)
    tournament.refresh_from_db()
    assert tournament.added_cents == 0
