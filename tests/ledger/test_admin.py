"""Django's administration shows the books, and no user can change anything there."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from ledger.seals import books_seal
from ledger.services.adjustments import adjustment_make
from ledger.services.books import stakes_escrow
from ledger.services.limits import break_start, limit_set, stakes_stop
from ledger.services.payouts import payout_request
from ledger.services.vouchers import voucher_make
from ledger.tasks import audit

pytestmark = pytest.mark.django_db(transaction=True)

MODELS = [
    model for model in apps.get_app_config("ledger").get_models() if admin.site.is_registered(model)
]


@pytest.fixture
def books(magriel: User, hilde: User, anna: User) -> None:
    """A row in every table."""
    stakes_escrow(reference="match:1", stakes={magriel.pk: 250, hilde.pk: 250})
    payout_request(
        user=magriel, amount_cents=500, destination="x", client_key="1", verified_at=timezone.now()
    )
    voucher_make(verified_at=timezone.now(), actor=anna, amount_cents=5, note="x")
    adjustment_make(
        verified_at=timezone.now(),
        actor=anna,
        user=magriel,
        amount_cents=5,
        reason="x",
        client_key="1",
    )
    limit_set(user=magriel, measure="stake", period="day", amount_cents=5)
    break_start(user=magriel)
    stakes_stop(scope="house", actor=anna, reason="x")
    books_seal()
    audit()


def test_every_page_shows_and_none_changes(books: None, client: Client, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    boss = User.objects.create_superuser(username="boss")
    client.force_login(boss)
    assert len(MODELS) > 8
    for model in MODELS:
        name = f"admin:ledger_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row is not None, model
        assert client.get(reverse(f"{name}_changelist")).status_code == 200
        page = reverse(f"{name}_change", args=[row.pk])
        assert client.get(page).status_code == 200
        assert client.post(page, {}).status_code == 403
        assert client.get(reverse(f"{name}_add")).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
