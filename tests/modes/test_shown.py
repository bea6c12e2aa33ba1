"""Every list of modes contains every mode: no page has its own list."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from accounts.models import User
from games.desk.stops import StopForm
from games.forms.filters import ArchiveForm, FilterForm
from games.forms.quick import CreditsQuickForm, FreeQuickForm
from games.forms.tables import TableForm
from games.modes.prices import Prices
from games.modes.registry import ALL, OPENED
from games.wire.schema import protocol_schema
from harness.logins import logged_in
from pasch.desk.money_words import examples
from tests.pages.test_pages import text_of

EVERY = [mode.key for mode in ALL]
BETWEEN_PEOPLE = [mode.key for mode in OPENED]


def keys_of(field) -> list[str]:
    return [key for key, _name in field.choices if key]


def test_filters_offer_every_mode_in_the_order_of_their_places():
    assert keys_of(FilterForm().fields["mode"]) == BETWEEN_PEOPLE
    assert keys_of(ArchiveForm().fields["mode"]) == EVERY


def test_the_interfaces_name_every_mode():
    parts = SchemaGenerator().get_schema(public=True)["components"]["schemas"]
    wishes = parts["TableWishes"]["properties"]["mode"]
    assert set(parts[wishes["$ref"].rpartition("/")[2]]["enum"]) == set(BETWEEN_PEOPLE)
    assert set(protocol_schema()["$defs"]["View"]["properties"]["mode"]["enum"]) == set(EVERY)


def test_stakes_of_every_mode_that_has_them_can_be_stopped():
    stopped = [key.removeprefix("mode:") for key in keys_of(StopForm().fields["what"])]
    assert stopped == ["house", *(mode.key for mode in OPENED if mode.is_staked), "user"]


def test_whoever_decides_prices_sees_what_each_mode_would_pay():
    told = {facts.label: facts for facts in examples(Prices(), Prices(rake_bps=500))}
    for mode in OPENED:
        if mode.is_staked:
            label = mode.preview_label.partition("%")[0]
            assert any(name.startswith(label) for name in told), mode.key
    assert all(facts.now != facts.then for facts in told.values())


def test_what_a_mode_offers_can_be_had_in_one_click():
    offered = {mode.key for mode in (*FreeQuickForm.modes(), *CreditsQuickForm.modes())}
    assert offered == {mode.key for mode in OPENED if mode.is_quick}


@pytest.mark.django_db
def test_the_form_offers_every_mode():
    assert keys_of(TableForm.of({}, shows=True).fields["mode"]) == BETWEEN_PEOPLE


@pytest.mark.django_db
def test_the_rules_page_and_the_form_show_every_mode():
    client = Client(headers={"accept-language": "en"})
    page = client.get(reverse("rules"))
    shown = re.findall(r'<h3 id="(\w+)">', page.content.decode())
    assert [key for key in shown if key in EVERY] == BETWEEN_PEOPLE
    logged_in(client, User.objects.create_user("magriel"))
    for mode in OPENED:
        assert mode.name in text_of(page)
        assert mode.summary in text_of(client.get(reverse("table_open"), {"mode": mode.key}))
