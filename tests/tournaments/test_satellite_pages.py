"""Pages of satellites: setting one up, seats to win, seats that were won."""

from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from harness.tournaments import entered, knockout
from tests.tournaments.test_audit import without_guards
from tests.tournaments.test_pages import act, client_of, page
from tests.tournaments.test_satellites import by_place, target_of, won_by_the_first
from tournaments.models import Tournament
from tournaments.services.running import tournament_move_on


def test_an_administrator_sets_one_up_by_the_form(people):
    (one,) = people(1)
    target = target_of()
    wishes = {
        "name": "Way to Sunday", "format": "knockout", "variant": "backgammon", "length": 3,
        "clock": "fast", "most": 8, "begins": "30", "minutes": 45, "fee": "2.50",
        "satellite_of": str(target.pk),
    }  # fmt: skip
    client_of(one).post("/tournaments/new/", wishes | {"name": "Free"})
    assert Tournament.objects.get(name="Free").fee_cents == 0  # a player has no such field
    role_give(one, Role.ADMINISTRATOR)
    one = User.objects.get(pk=one.pk)
    for wrong, words in (
        ({"fee": ""}, "A satellite needs an entry fee"),
        ({"begins": "1440"}, "begins earlier than this one"),
        ({"fee": "-1"}, "greater than or equal to 0"),
    ):
        answer = client_of(one).post("/tournaments/new/", wishes | wrong)
        assert words in answer.content.decode()
    client_of(one).post("/tournaments/new/", wishes)
    satellite = Tournament.objects.get(name="Way to Sunday")
    assert (satellite.fee_cents, satellite.satellite_of_id) == (250, target.pk)
    assert (satellite.rake_bps, satellite.shares_bps) == (1_000, [])


def test_the_pages_say_what_is_won(people):
    one, *_others = players = people(4)
    target = target_of()
    satellite = knockout(4, 250, satellite_of=target)
    text = page(client_of(one), satellite)
    assert "The first 2 win a seat in" in text
    assert "fewer seats" not in text
    assert "Sunday" in text
    assert "2 seats in Sunday" in client_of(one).get("/tournaments/").content.decode()
    entered(satellite, players)
    won_by_the_first(satellite)
    assert "You have won a seat in" in page(client_of(one), satellite)
    assert "You have won a seat in" not in page(client_of(by_place(satellite)[3]), satellite)
    mine = page(client_of(one), target)
    assert "You have won this seat" in mine
    assert "Add your part" in mine
    assert "Add your part" not in act(client_of(one), target, "enter", part="ab" * 16)
    later = knockout(4, 250, satellite_of=target)
    with without_guards():
        Tournament.objects.filter(pk=target.pk).update(starts_at=timezone.now())
    tournament_move_on(target.pk)
    assert "what a seat is worth is paid in credits" in page(client_of(one), later)
