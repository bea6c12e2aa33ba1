"""Chouettes at the desk: the running games, voiding one, and what players read afterwards."""

from django.test import Client
from django.urls import reverse

from accounts.roles import Role
from harness.chouettes import Hands
from ledger.models import Proposal
from ledger.selectors import account_balance
from tests.chouette.test_voiding import running
from tests.desk.conftest import at_desk


def text(client: Client, page: str, *args: object) -> str:
    answer = client.get(reverse(f"desk:{page}", args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_game_that_hangs_is_voided_on_its_page(people, anna):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    assert str(game.pk) in text(desk, "chouettes")
    page = text(desk, "chouette", game.pk)
    assert all(player.username in page for player in players)
    void = reverse("desk:chouette_void", args=[game.pk])
    assert "required" in desk.post(void, {"reason": ""}, follow=True).content.decode()
    assert running(hands) == game
    done = desk.post(void, {"reason": "it hangs"}, follow=True).content.decode()
    assert "Voided: every stake is back" in done
    assert account_balance(f"escrow:{game.reference}") == 0
    again = desk.post(void, {"reason": "it hangs"}, follow=True).content.decode()
    assert "The game has ended in the meantime" in again
    assert str(game.pk) in desk.get(reverse("desk:chouettes") + "?state=voided").content.decode()
    assert "voided a game of a chouette" in text(desk, "journal")
    assert hands.view(players[0].pk)["games"][-1]["voided"]


def test_above_the_limit_it_waits_among_the_proposals(people, anna, bert, staff, settings):
    settings.LEDGER_ALONE_CENTS = 100
    hands = Hands(people(3, 10_000), rate_cents=10, limit_points=8)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    assert "A second person confirms it" in text(desk, "chouette", game.pk)
    void = reverse("desk:chouette_void", args=[game.pk])
    assert at_desk(staff("theo", Role.TREASURER)).post(void, {"reason": "x"}).status_code == 403
    assert (
        "It waits for a second person"
        in desk.post(void, {"reason": "it hangs"}, follow=True).content.decode()
    )
    proposal = Proposal.objects.get(subject=game.reference)
    second = at_desk(bert)
    for page in (text(second, "proposals"), text(second, "chouette", game.pk)):
        assert "Void a game of a chouette" in page
        assert "it hangs" in page
    second.post(reverse("desk:proposal_confirm", args=[proposal.pk]))
    game.refresh_from_db()
    assert game.voided
    assert account_balance(f"escrow:{game.reference}") == 0
