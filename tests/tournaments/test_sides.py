"""Prizes for the winners of the consolation and of the last chance."""

import random

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from games.table.errors import BadTerms
from harness.tournaments import entered, knockout
from ledger.audit import run
from ledger.selectors import account_balance, wallet_balance
from tests.tournaments.test_audit import found, without_guards
from tests.tournaments.test_money import decided
from tests.tournaments.test_pages import client_of
from tournaments.models import Entry, Phase, Tournament
from tournaments.services.entering import tournament_withdraw
from tournaments.services.running import side_winners
from tournaments.services.store import JOURNAL

FEE_CENTS = 500
SIDES = {"sides_bps": (2_000, 500)}


def held(players: int = 8, format_key: str = "consolation", **more) -> Tournament:
    return knockout(players, format_key=format_key, **{"fee_cents": FEE_CENTS, **SIDES, **more})


def played_out(tournament: Tournament, chance: random.Random, *, gives_up: int | None = None):
    """Every pairing has a result by chance; one player may give up in the middle."""
    rounds = 0
    while tournament.phase == Phase.RUNNING:
        decided(tournament, lambda meeting: chance.choice(meeting.players))
        rounds += 1
        if rounds == 2 and gives_up is not None:
            entry = Entry.objects.select_related("user").get(tournament=tournament, user=gives_up)
            tournament_withdraw(user=entry.user, tournament_id=tournament.pk)
        tournament.refresh_from_db()


@pytest.mark.parametrize("seed", range(2))
def test_the_winners_are_paid_with_the_places_in_one_transfer(people, seed):
    players = people(8)
    tournament = held()
    entered(tournament, players)
    before = {user.pk: wallet_balance(user.pk) for user in players}
    gives_up = players[seed].pk if seed else None
    played_out(tournament, random.Random(seed), gives_up=gives_up)
    assert tournament.phase == "over"
    winners = side_winners(JOURNAL.replayed(tournament))
    prizes_cents = 8 * FEE_CENTS * 9 // 10
    side_cents = {winners[0]: prizes_cents // 5}
    side_cents[winners[1]] = side_cents.get(winners[1], 0) + prizes_cents // 20
    for entry in Entry.objects.filter(tournament=tournament):
        assert entry.prize_cents >= side_cents.get(entry.user_id, 0)
        assert wallet_balance(entry.user_id) - before[entry.user_id] == entry.prize_cents
    paid = Entry.objects.filter(tournament=tournament).values_list("prize_cents", flat=True)
    assert sum(paid) + tournament.rake_cents == 8 * FEE_CENTS
    assert account_balance(f"escrow:{tournament.reference}") == 0
    assert not [each for each in run().results if each.findings]


def test_another_part_than_the_one_that_was_shown_is_found(people):
    tournament = held()
    entered(tournament, people(8))
    played_out(tournament, random.Random(1))
    assert found() == set()
    with without_guards():
        Tournament.objects.filter(pk=tournament.pk).update(sides_bps=[500, 2_000])
    assert found() == {"T2"}


def test_the_parts_are_fixed_before_anybody_enters(people):
    tournament = held()
    with pytest.raises(IntegrityError, match="what was agreed stays"), transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(sides_bps=[])
    refused = (
        {"format_key": "knockout"},
        {"fee_cents": 0},
        {"sides_bps": (1_000,)},
        {"sides_bps": (5_000, 1)},
    )
    for more in refused:
        with pytest.raises(BadTerms) as error:
            held(**more)
        assert error.value.fields["field"] == "sides"


def test_the_prizes_are_shown_with_the_fee_and_at_the_end(people):
    players = people(8)
    tournament = held()
    address = reverse("tournament", args=[tournament.pk])
    client = client_of(players[0])
    page = client.get(address).content.decode()
    assert "Winner of the consolation" in page
    assert "7.20" in page  # a fifth of 36.00
    assert "Winner of the last chance" in page
    entered(tournament, players)
    assert "Winner of the consolation" in client.get(address).content.decode()
    played_out(tournament, random.Random(2))
    winner = side_winners(JOURNAL.replayed(tournament))[0]
    name = next(user.username for user in players if user.pk == winner)
    assert f"Winner of the consolation: {name}" in client.get(address).content.decode()
