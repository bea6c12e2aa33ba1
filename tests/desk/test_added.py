"""Credits of the house for the pool of a tournament, at the desk."""

import pytest
from django.urls import reverse

from harness.tournaments import knockout
from ledger.models import Proposal
from ledger.selectors import account_balance
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db


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
