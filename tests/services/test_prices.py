"""The figures of the house: what no house could offer is refused before it is stored."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from games.models import HousePrices
from games.selectors import prices

REFUSED = [
    ({"prize_stakes_cents": []}, "Prize_stakes_cents is empty"),
    ({"single_rates_cents": []}, "Single_rates_cents is empty"),
    ({"single_limits_cents": []}, "Single_limits_cents is empty"),
    ({"prize_stakes_cents": [250, 0]}, "an amount below one cent"),
    ({"single_limits_cents": [1000, -5]}, "an amount below one cent"),
    ({"single_rates_cents": [100, 100]}, "an amount twice"),
    ({"base_stake_cents_min": 0}, "Base_stake_cents_min must be 1 or more"),
    ({"base_stake_cents_min": 500, "base_stake_cents_max": 400}, "above base_stake_cents_max"),
    ({"factor_with_cube": 0}, "Factor_with_cube must be 1 or more"),
    ({"rake_bps": 10_000}, "Rake_bps must be 0 or more and below 10000"),
    ({"rake_bps": -1}, "Rake_bps must be 0 or more"),
    ({"prize_stakes": [250]}, "There is no price 'prize_stakes'"),
    ({"prize_stakes_cents": [2.5]}, "Expected `int`"),
    ([250], "Expected `object`"),
]


@pytest.mark.parametrize(("figures", "sentence"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_figures_no_house_can_offer_are_refused_with_a_sentence(figures, sentence):
    with pytest.raises(ValidationError) as refused:
        HousePrices(pk=1, figures=figures).clean_fields()
    assert sentence in " ".join(refused.value.messages)


def test_every_fault_is_told_at_once():
    figures = {"prize_stakes_cents": [], "single_rates_cents": [], "colour": "red"}
    with pytest.raises(ValidationError) as refused:
        HousePrices(pk=1, figures=figures).clean_fields()
    assert len(refused.value.messages) == 3


@pytest.mark.django_db
def test_figures_in_order_are_what_the_house_offers():
    HousePrices.objects.create(pk=1, figures={"prize_stakes_cents": [300], "rake_bps": 0})
    assert prices().prize_stakes_cents == (300,)
    assert prices().rake_bps == 0


@pytest.mark.django_db
def test_nothing_stores_figures_unchecked():
    with pytest.raises(ValidationError):
        HousePrices.objects.create(pk=1, figures={"prize_stakes_cents": []})
    assert prices().prize_stakes_cents == (250, 500)


@pytest.mark.django_db
def test_an_operator_changes_them_in_the_administration(client, django_user_model, settings):
    settings.STAFF_SECOND_FACTOR = False
    client.force_login(django_user_model.objects.create_superuser("operator"))
    address = reverse("admin:games_houseprices_add")
    refused = client.post(address, {"figures": '{"prize_stakes_cents": []}'})
    assert "it must offer one amount or more" in refused.content.decode()
    assert client.post(address, {"figures": '{"prize_stakes_cents": [700]}'}).status_code == 302
    assert prices().prize_stakes_cents == (700,)
    assert client.get(address).status_code == 403  # there is one row at most
    change = reverse("admin:games_houseprices_change", args=[1])
    assert client.post(change, {"figures": '{"rake_bps": 500}'}).status_code == 302
    assert prices().prize_stakes_cents == (250, 500)
    assert prices().rake_bps == 500
