"""Tables without watchers: chosen at opening, shown in the lobby, enforced on the page."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Table
from games.selectors import table_state
from games.services.lobby import quick_pair
from games.services.tables import table_join, table_open

pytestmark = pytest.mark.django_db(transaction=True)


def logged_in(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("form", "welcome"),
    [
        ({}, True),
        ({"private": "on"}, False),
        ({"watchers": "no"}, False),
        ({"private": "on", "watchers": "yes"}, True),
    ],
)
def test_watchers_are_welcome_unless_the_table_is_private_or_the_opener_says_no(
    magriel, form, welcome
):
    data = {"mode": "prize5", "stake_cents": 250, "clock": "normal", **form}
    answer = logged_in(magriel).post(reverse("table_open"), data)
    assert answer.status_code == 302, answer.content.decode()
    assert table_state(Table.objects.get()).terms.watchers is welcome


def test_a_table_without_watchers_is_for_its_players_alone(magriel, hilde, tilo):
    table = table_open(user=magriel, mode="normal", watchers=False)
    page = reverse("table", args=[table.pk])
    assert "no watchers" in logged_in(hilde).get(reverse("lobby")).content.decode()
    join = reverse("table_join", args=[table.pk])
    assert "no watchers" in logged_in(hilde).get(join).content.decode()
    assert logged_in(hilde).get(page)["location"] == join
    table_join(user=hilde, table_id=table.pk)
    for player in (magriel, hilde):
        assert logged_in(player).get(page).status_code == 200
    for reader in (logged_in(tilo), Client(headers={"accept-language": "en"})):
        refused = reader.get(page)
        assert refused.status_code == 403
        assert "without watchers" in refused.content.decode()


def test_quick_pairing_keeps_apart_who_wants_watchers_and_who_does_not(magriel, hilde):
    table_open(user=magriel, mode="normal", watchers=False)
    assert not quick_pair(user=hilde, mode="normal").found
