"""Pools: every cent becomes a prize or the rake, and what has a value has dice of mode L."""

import random
from datetime import timedelta

import msgspec
import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games.chouette.models import Game
from games.models import GameDice
from games.modes.registry import ALL, OPENED
from games.services.dice.fair import dice_mode
from games.services.tables import table_join, table_open
from games.table.errors import BadTerms
from harness.chouettes import Hands
from harness.tournaments import called, entered, knockout
from ledger.audit import run
from ledger.audit import run as audit
from ledger.selectors import account_balance, wallet_balance
from tests.modes.test_registry import every_rule, every_terms
from tests.tournaments.conftest import late
from tests.tournaments.test_audit import found, guards_off
from tests.tournaments.test_money import decided
from tests.tournaments.test_pages import client_of
from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.formats import FORMATS
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pools import USUAL_SHARES, Pool, sides_check, usual_shares
from tournaments.services.entering import tournament_withdraw
from tournaments.services.holding import tournament_hold
from tournaments.services.running import side_winners
from tournaments.services.store import JOURNAL


def test_sixteen_entries_of_five_credits():
    pool = Pool(500, 1_000, (5_000, 2_500, 1_250, 1_250), 16)
    assert (pool.total_cents, pool.rake_cents, pool.prizes_cents) == (8_000, 800, 7_200)
    assert pool.of_places() == (3_600, 1_800, 900, 900)
    assert pool.of_players([[7], [3], [1, 2], [4, 5, 6, 8]]) == {7: 3_600, 3: 1_800, 1: 900, 2: 900}


def test_equal_players_share_their_places_and_left_over_cents_go_to_the_first():
    pool = Pool(333, 1_000, (5_000, 3_000, 1_000, 1_000), 7)
    assert pool.prizes_cents == 2_331 - 233
    assert pool.of_places() == (1_051, 629, 209, 209)
    assert pool.of_players([[1, 2], [3], [4], [5]]) == {1: 840, 2: 840, 3: 209, 4: 209}


def test_places_that_nobody_takes_add_to_the_first():
    pool = Pool(100, 1_000, (5_000, 3_000, 1_000, 1_000), 2)
    assert pool.of_places() == (126, 54)


def test_winners_of_other_brackets_have_parts_of_all_prizes():
    pool = Pool(500, 1_000, (5_000, 3_000, 1_000, 1_000), 16, sides_bps=(2_000, 500))
    assert (pool.prizes_cents, pool.sides_cents, pool.places_cents) == (7_200, (1_440, 360), 5_400)
    assert pool.of_places() == (2_700, 1_620, 540, 540)
    ranks = [[7], [3], [1, 2], [4, 5, 6, 8]]
    won = {7: 2_700, 3: 1_620, 1: 540, 2: 540 + 1_440, 6: 360}
    assert pool.of_players(ranks, (2, 6)) == won
    assert pool.of_players(ranks, (None, 6)) == {**won, 7: 2_700 + 1_440, 2: 540}
    assert pool.of_players(ranks) == {7: 4_500, 3: 1_620, 1: 540, 2: 540}


@pytest.mark.parametrize("sides", [(), (1_000,), (0, 0), (4_000, 1_001), (-1, 100), (1, 1, 1)])
def test_other_parts_of_brackets_are_refused(sides):
    with pytest.raises(BadTournamentTerms) as refused:
        sides_check(sides)
    assert refused.value.fields["field"] == "sides"


@given(
    fee_cents=st.integers(0, 100_000),
    rake_bps=st.integers(0, 5_000),
    shares=st.sampled_from([shares for _, shares in USUAL_SHARES]),
    groups=st.lists(st.integers(1, 5), min_size=1, max_size=12),
    sides=st.sampled_from([(), (2_000, 500), (4_999, 1), (0, 3)]),
    winners=st.sampled_from([(None, None), (1, None), (2, 1), (None, 3), (4, 4)]),
)
def test_prizes_and_rake_are_all_fees(fee_cents, rake_bps, shares, groups, sides, winners):
    players = iter(range(1, 100))
    ranks = [[next(players) for _ in range(size)] for size in groups]
    pool = Pool(fee_cents, rake_bps, shares, sum(groups), sides_bps=sides)
    winners = [each if each is None or each <= sum(groups) else None for each in winners]
    prizes = pool.of_players(ranks, winners)
    assert sum(prizes.values()) + pool.rake_cents == pool.total_cents == fee_cents * sum(groups)
    assert all(cents > 0 for cents in prizes.values())
    of_places = pool.of_places()
    assert sum(of_places) == pool.places_cents
    assert sum(of_places) + sum(pool.sides_cents) == pool.prizes_cents
    assert list(of_places) == sorted(of_places, reverse=True)


@pytest.mark.parametrize("most", [2, 4, 5, 16, 17, 256])
def test_the_usual_shares_are_shares(most):
    shares = usual_shares(most)
    assert sum(shares) == 10_000
    assert list(shares) == sorted(shares, reverse=True)


def satellite(seat_cents: int, players: int = 4) -> Pool:
    return Pool(250, 1_000, (), players, seat_cents=seat_cents)


def test_the_pool_buys_seats_and_the_rest_is_the_next_prize():
    assert satellite(400).seats == 2
    assert satellite(400).of_places() == (400, 400, 100)
    assert satellite(400).of_players([[1], [2], [3, 4]]) == {1: 400, 2: 400, 3: 50, 4: 50}
    assert satellite(400).winners_of_seats([[1], [2], [3, 4]]) == (1, 2)


def test_equal_players_share_what_their_seats_are_worth():
    assert satellite(300).of_players([[1], [2], [3, 4]]) == {1: 300, 2: 300, 3: 150, 4: 150}
    assert satellite(300).winners_of_seats([[1], [2], [3, 4]]) == (1, 2)


def test_a_pool_that_buys_no_seat_is_the_first_prize():
    assert satellite(1_000).of_players([[1], [2], [3, 4]]) == {1: 900}
    assert satellite(1_000).winners_of_seats([[1], [2], [3, 4]]) == ()


def test_nobody_wins_two_seats():
    assert satellite(100, 2).of_players([[1], [2]]) == {1: 350, 2: 100}
    assert satellite(100, 2).winners_of_seats([[1], [2]]) == (1, 2)


@given(
    fee_cents=st.integers(1, 100_000),
    rake_bps=st.integers(0, 5_000),
    added_cents=st.integers(0, 50_000),
    seat_cents=st.integers(1, 300_000),
    groups=st.lists(st.integers(1, 5), min_size=1, max_size=12),
)
def test_seats_prizes_and_rake_are_the_whole_pool(
    fee_cents, rake_bps, added_cents, seat_cents, groups
):
    players = iter(range(1, 100))
    ranks = [[next(players) for _ in range(size)] for size in groups]
    whole = Pool(fee_cents, rake_bps, (), sum(groups), added_cents, seat_cents)
    prizes = whole.of_players(ranks)
    assert sum(prizes.values()) + whole.rake_cents == whole.total_cents
    assert sum(whole.of_places()) == whole.prizes_cents
    assert all(prizes[player] >= seat_cents for player in whole.winners_of_seats(ranks))
    assert len(whole.winners_of_seats(ranks)) <= whole.seats <= sum(groups)


# --- prizes of other brackets ---------------------------------------------------------------------
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_another_part_than_the_one_that_was_shown_is_found(people):
    tournament = held()
    entered(tournament, people(8))
    played_out(tournament, random.Random(1))
    assert found() == set()
    with guards_off():
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


@pytest.mark.slow
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


# --- what has a value -----------------------------------------------------------------------------
VALUED_FEE_CENTS = 250
NEEDS = {"lives": {"lives": 2}, "arena": {"minutes": 10}}


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_value_alone_decides_about_the_mode_of_the_dice(mode):
    usual = every_terms(mode)
    for terms in [*usual, *every_rule(mode, usual[0])]:
        assert dice_mode(terms) == ("L" if terms.stake_cents else "K")
        assert dice_mode(msgspec.structs.replace(terms, for_prize=True)) == "L"
        free = msgspec.structs.replace(terms, stake_cents=0)
        assert dice_mode(free) == "K"


@pytest.mark.parametrize("mode", OPENED, ids=lambda mode: mode.key)
def test_every_mode_at_a_table(people, mode):
    players = people(4, 500_000)
    with_and_without = {bool(terms.stake_cents): terms for terms in every_terms(mode)}
    for staked, terms in with_and_without.items():
        table = table_open(user=players.pop(), **mode.wishes_of(terms))
        table_join(user=players.pop(), table_id=table.pk)
        assert GameDice.objects.get(table=table).mode == ("L" if staked else "K")


def event(format_key: str, kind: str) -> Tournament:
    """A tournament for four that begins with them: for nothing, or for something of value."""
    terms = TournamentTerms(format_key, length=1, least=4, most=4, **NEEDS.get(format_key, {}))
    more = {} if kind == "free" else {"fee_cents": VALUED_FEE_CENTS}
    if kind == "sides":
        more["sides_bps"] = (2_000, 500)
    if kind == "satellite":
        later = TournamentTerms("knockout", length=1, least=2, most=8)
        more["satellite_of"] = tournament_hold(
            founder=None, name="Later", terms=later, fee_cents=400,
            starts_at=timezone.now() + timedelta(hours=2),
        )  # fmt: skip
    return tournament_hold(founder=None, name="Event", terms=terms, offer="value", **more)


def first_table(people, tournament: Tournament) -> GameDice:
    """The dice of the first table of this tournament; nobody comes, so it opens by time."""
    entered(tournament, people(4))
    meeting: Meeting = called(tournament)[0]
    late(meeting)
    return GameDice.objects.get(match=meeting.match_id)


@pytest.mark.parametrize("format_key", FORMATS)
@pytest.mark.parametrize("kind", ["free", "fee"])
def test_every_format_of_a_tournament(people, format_key, kind):
    made = first_table(people, event(format_key, kind))
    assert made.mode == ("K" if kind == "free" else "L")
    assert ('"prize":true' in made.terms) == (kind == "fee")
    assert modes_found() == []


@pytest.mark.parametrize(
    ("format_key", "kind"), [("knockout", "satellite"), ("consolation", "sides")]
)
def test_seats_and_prizes_of_other_brackets(people, format_key, kind):
    assert first_table(people, event(format_key, kind)).mode == "L"


@pytest.mark.parametrize("rate_cents", [0, 100])
def test_every_chouette(people, rate_cents):
    Hands(people(3, 50_000), rate_cents=rate_cents).later(60_000)
    assert '"mode":"L"' in Game.objects.get().terms
    assert modes_found() == []


def modes_found() -> list[str]:
    """The findings of D3."""
    (result,) = audit(only=["D3"]).results
    return [each.message for each in result.findings]


def in_mode_k() -> None:
    """Exchange the dice of the only game as the owner of the database could."""
    made = GameDice.objects.get()
    terms = made.terms.replace('"mode":"L"', '"mode":"K"')
    with guards_off():
        GameDice.objects.filter(pk=made.pk).update(mode="K", terms=terms)


@pytest.mark.parametrize("kind", ["fee", "satellite"])
def test_the_audit_derives_the_mode_from_the_event(people, kind):
    tournament = event("knockout", kind)
    first_table(people, tournament)
    in_mode_k()
    assert modes_found() == ["are of mode K, and something of value is won or lost"]
    without = Meeting.objects.get(match__isnull=False)
    with guards_off():
        Meeting.objects.filter(pk=without.pk).update(match=None)
    assert modes_found() == ["are of mode K, and something of value is won or lost"]
