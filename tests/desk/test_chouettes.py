"""Chouettes at the desk: the running games, voiding one, and what players read afterwards."""

from django.test import Client
from django.urls import reverse

from accounts.roles import Role
from games.chouette.models import Game
from harness.chouettes import Hands
from ledger.models import Proposal
from ledger.selectors import account_balance
from tests.chouette.test_voiding import running
from tests.desk.conftest import at_desk


def text(client: Client, page: str, *args: object) -> str:
    answer = client.get(reverse(f"desk:{page}", args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def decided(client: Client, game: Game, reason: str) -> str:
    """The page after the form of the decision, as it is shown, was sent with a reason."""
    page = reverse("desk:chouette_decision", args=[game.pk])
    fields = client.get(page, {"outcome": "void"}).context["form"].initial
    return client.post(page, {**fields, "reason": reason}, follow=True).content.decode()


def test_a_game_that_hangs_is_voided_on_its_page(people, anna):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    assert str(game.pk) in text(desk, "chouettes")
    page = text(desk, "chouette", game.pk)
    assert all(player.username in page for player in players)
    assert "required" in decided(desk, game, "")
    assert running(hands) == game
    assert "Voided: every stake is back" in decided(desk, game, "it hangs")
    assert account_balance(f"escrow:{game.reference}") == 0
    page = reverse("desk:chouette_decision", args=[game.pk])
    again = desk.get(page, {"outcome": "void"}, follow=True).content.decode()
    assert "The game has ended in the meantime" in again
    assert str(game.pk) in desk.get(reverse("desk:chouettes") + "?state=voided").content.decode()
    assert "voided a game of a chouette" in text(desk, "journal")
    assert hands.view(players[0].pk)["games"][-1]["voided"]


def test_above_the_limit_it_waits_among_the_proposals(people, anna, bert, staff, settings):
    settings.LEDGER_ALONE_CENTS = 100
    hands = Hands(people(3, 10_000), rate_cents=10, limit_points=8)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    page = reverse("desk:chouette_decision", args=[game.pk])
    looked_at = desk.get(page, {"outcome": "void"}).content.decode()
    assert "A second person confirms it" in looked_at
    assert game.box.get_username() in looked_at
    assert at_desk(staff("theo", Role.TREASURER)).post(page, {"reason": "x"}).status_code == 403
    assert "It waits for a second person" in decided(desk, game, "it hangs")
    proposal = Proposal.objects.get(subject=game.reference)
    second = at_desk(bert)
    for page in (text(second, "proposals"), text(second, "chouette", game.pk)):
        assert "Void a game of a chouette" in page
        assert "it hangs" in page
    second.post(reverse("desk:proposal_confirm", args=[proposal.pk]))
    game.refresh_from_db()
    assert game.voided
    assert account_balance(f"escrow:{game.reference}") == 0
