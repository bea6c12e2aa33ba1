"""Every page a player sees, in both languages and themes, on desktop and phone.

Each fits its screen and loads without an error. `scripts/test tests/e2e/test_pictures.py
--screenshots docs/screenshots` keeps the pictures.
"""

import pytest

from accounts.models import User
from games.models import Table
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from ratings.models import Rating
from tests.e2e.conftest import PHONE
from tests.e2e.test_match import DICE
from tests.services.conftest import Sitting

pytestmark = pytest.mark.django_db(transaction=True)

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PEOPLE = {"magriel": 1874, "hilde": 1712, "tilo": 1655, "marlene": 1538, "jonas": 1466, "ida": 1290}
OPEN_TABLES = (("magriel", 500, "fast"), ("marlene", 250, "normal"), ("ida", 250, "slow"))
LOOKS = {
    "desktop-dark-en": {**DESKTOP, "locale": "en-GB"},
    "desktop-light-de": {**DESKTOP, "locale": "de-DE"},
    "phone-dark-de": {**PHONE, "locale": "de-DE"},
    "phone-light-en": {**PHONE, "locale": "en-GB"},
}


@pytest.fixture
def house(transactional_db, dice) -> Sitting:
    """A house with people of every strength, open tables, and a match between hilde and tilo."""
    dice(*DICE)
    users = {name: User.objects.create_user(name) for name in PEOPLE}
    for name, user in users.items():
        Rating.objects.create(user=user, pool="prize", elo=PEOPLE[name], experience=120, games=24)
    _finished_match(users["hilde"], users["jonas"])
    for name, stake, clock in OPEN_TABLES:
        table_open(user=users[name], mode="prize5", stake_cents=stake, clock=clock)
    table = table_open(user=users["hilde"], mode="prize5", stake_cents=500)
    table_join(user=users["tilo"], table_id=table.pk)
    sitting = Sitting(table, (users["hilde"], users["tilo"]))
    for _ in range(2):
        sitting.turn()
    sitting.give(0, cmd.Double())
    sitting.give(1, cmd.Take())
    return sitting


def _finished_match(winner: User, loser: User) -> None:
    table = table_open(user=winner, mode="prize5", stake_cents=250)
    table_join(user=loser, table_id=table.pk)
    sitting = Sitting(table, (winner, loser))
    sitting.turn()
    sitting.give(1, cmd.Leave())


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_fits_its_screen(player, house, shots, look):
    page = player("hilde", **LOOKS[look])
    if "light" in look:
        User.objects.filter(username="hilde").update(theme="ahorn")
    pages = {
        "home": "/",
        "lobby": "/play/",
        "join": f"/table/{Table.objects.get(opener__username='magriel').pk}/join/",
        "table": f"/table/{house.pk}/",
        "wallet": "/wallet/",
        "ranking": "/ranking/",
        "player": "/player/hilde/",
        "rules": "/rules/",
    }
    for name, path in pages.items():
        page.goto(path)
        if name == "table":
            page.wait_for_function("() => document.body.dataset.phase === 'play'")
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        assert _overflow(page) <= 0, f"{name} is wider than its screen"
        shots(page, f"{name}-{look}")
    assert page.problems == []


def _overflow(page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")
