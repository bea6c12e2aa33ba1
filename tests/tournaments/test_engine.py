"""The engine of tournaments: every entrant gets one rank, and the journal says everything."""

import random
import time
from collections import Counter
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.tests.amounts import amount
from tournaments.engine import events as ev
from tournaments.engine.draws import shuffled
from tournaments.engine.errors import (
    BadTournamentTerms,
    Full,
    NoSuchPairing,
    NotEntered,
    WouldUnravel,
    WrongTournamentPhase,
)
from tournaments.engine.formats import FORMATS
from tournaments.engine.state import TournamentState, evolve
from tournaments.engine.terms import TournamentTerms
from tournaments.engine.tournament import TournamentJournal

MINUTE_MS = 60_000
decoded = msgspec.json.Decoder(ev.AnyEvent).decode
FORMAT_TERMS = (
    TournamentTerms("knockout"),
    TournamentTerms("consolation"),
    TournamentTerms("double"),
    TournamentTerms("lives"),
    TournamentTerms("lives", at_once=False),
    TournamentTerms("lives", lives=3),
    TournamentTerms("lives", bracket=4),
    TournamentTerms("lives", bracket=16),
    TournamentTerms("swiss"),
    TournamentTerms("swiss", rounds=3),
    TournamentTerms("robin", most=12),
    TournamentTerms("arena", minutes=60),
)


def begun(terms: TournamentTerms, players: int, seed: str = "00") -> TournamentJournal:
    tournament = TournamentJournal(terms)
    for player in range(1, players + 1):
        tournament.enter(player, 0)
    tournament.draw(seed, 0)
    return tournament


def play_on(tournament: TournamentJournal, chance: random.Random, *, trouble: bool) -> None:
    """Play to the end by chance; in trouble players withdraw and results are corrected."""
    now_ms = 0
    for _ in range(3_000):
        now_ms += MINUTE_MS
        tournament.autopilot(now_ms)
        state = tournament.state
        if state.phase != "running":
            return
        if trouble and chance.random() < 0.05:
            tournament.withdraw(chance.choice(state.entrants), now_ms)
        if trouble and chance.random() < 0.1 and state.pairings:
            number = chance.choice(list(state.pairings))
            with suppress(NoSuchPairing, WouldUnravel):
                winner = chance.choice(state.pairings[number].players)
                tournament.correct(number, winner, "a slip", now_ms)
        for number in {*tournament.state.running.values()}:
            if chance.random() < 0.5:
                players = tournament.state.pairings[number].players
                tournament.decide(number, chance.choice(players), now_ms)
    raise AssertionError("it does not end")


@given(
    terms=st.sampled_from(FORMAT_TERMS),
    players=st.integers(2, 12),
    seed=st.integers(0, 2**32),
    trouble=st.booleans(),
)
@settings(max_examples=amount(150, long=2_000), deadline=None)
def test_every_tournament_ends_with_one_rank_for_everybody(terms, players, seed, trouble):
    chance = random.Random(seed)
    tournament = begun(terms, players, f"{seed:x}")
    play_on(tournament, chance, trouble=trouble)
    state = tournament.state
    assert state.phase == "over"
    ranked = Counter(player for group in state.ranks for player in group)
    assert ranked == Counter(range(1, players + 1))
    assert all(pairing.winner is not None for pairing in state.pairings.values())
    again = TournamentState(terms=terms)
    for event in tournament.journal:
        again = evolve(again, decoded(msgspec.json.encode(event)))
    assert again == state
    stored = msgspec.to_builtins(state, str_keys=True)
    assert msgspec.convert(stored, TournamentState, strict=False) == state


@given(players=st.integers(2, 16), seed=st.integers(0, 2**32), trouble=st.booleans())
@settings(max_examples=amount(60, long=1_000), deadline=None)
def test_consolation_and_last_chance_are_won_by_who_lost_before_and_won_the_last_match_there(
    players, seed, trouble
):
    tournament = begun(TournamentTerms("consolation"), players, f"{seed:x}")
    play_on(tournament, random.Random(seed), trouble=trouble)
    state = tournament.state
    winners = FORMATS["consolation"].side_winners(state)
    (champion,) = state.ranks[0]
    for stage, winner in zip(("consolation/", "last_chance/"), winners, strict=True):
        played = [each for each in state.pairings.values() if each.place.startswith(stage)]
        if winner is None:
            assert not played or players < 4 or trouble
            continue
        mine = [each for each in played if winner in each.players]
        assert mine
        assert all(each.winner == winner for each in mine)
        assert winner != champion
        assert state.losses[winner] >= 1
        others = {each.winner for each in played} - {winner}
        assert others <= {each.loser for each in played} or trouble
    if not trouble and players >= 4:
        assert winners[0] is not None
        assert winners[1] is not None or players not in (8, 16)


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13, 16])
def test_in_a_knockout_everybody_but_one_loses_once(players):
    tournament = begun(TournamentTerms("knockout"), players)
    play_on(tournament, random.Random(1), trouble=False)
    assert len(tournament.state.pairings) == players - 1
    assert sorted(tournament.state.losses.values()) == [1] * (players - 1)
    assert len(tournament.state.ranks[0]) == 1


@pytest.mark.parametrize("players", [2, 3, 6, 8, 11, 16])
def test_in_double_elimination_nobody_is_out_before_the_second_loss(players):
    for seed in range(8):
        tournament = begun(TournamentTerms("double"), players)
        play_on(tournament, random.Random(seed), trouble=False)
        (champion,) = tournament.state.ranks[0]
        losses = tournament.state.losses
        assert losses[champion] <= 1
        assert all(losses[each] == 2 for each in range(1, players + 1) if each != champion)


def test_the_final_is_played_again_if_both_have_lost_once():
    tournament = begun(TournamentTerms("double"), 2)
    one, two = tournament.autopilot(1)[0].players
    tournament.decide(1, one, 2)
    final = tournament.autopilot(3)[0]
    assert (final.place, final.players) == ("final/1/0", (one, two))
    tournament.decide(2, two, 4)
    again = tournament.autopilot(5)[0]
    tournament.decide(again.number, one, 6)
    tournament.autopilot(7)
    assert tournament.state.ranks == ((one,), (two,))


def test_byes_in_a_bracket_are_as_few_as_possible():
    for players in range(2, 33):
        tournament = begun(TournamentTerms("knockout"), players)
        first = [each for each in tournament.autopilot(1) if each.place.startswith("main/1/")]
        size = 1 << (players - 1).bit_length()
        assert len(first) == players - size // 2


@pytest.mark.parametrize("players", [5, 8, 11])
def test_swiss_pairs_nobody_twice_and_spreads_byes(players):
    tournament = begun(TournamentTerms("swiss", rounds=4), players)
    play_on(tournament, random.Random(2), trouble=False)
    met = [frozenset(each.players) for each in tournament.state.pairings.values()]
    assert len(met) == len(set(met))
    byes = Counter(tournament.state.byes.values())
    assert max(byes.values(), default=0) <= 1
    assert len(tournament.state.byes) == (4 if players % 2 else 0)


def test_in_a_round_robin_everybody_meets_everybody_once():
    tournament = begun(TournamentTerms("robin", most=9), 7)
    play_on(tournament, random.Random(3), trouble=False)
    met = Counter(frozenset(each.players) for each in tournament.state.pairings.values())
    assert len(met) == 21
    assert set(met.values()) == {1}


def test_lives_are_played_until_the_bracket_is_full_and_no_further():
    tournament = begun(TournamentTerms("lives", bracket=8), 16)
    play_on(tournament, random.Random(4), trouble=False)
    before = [each for each in tournament.state.pairings.values() if each.place.startswith("live")]
    assert 32 - len(before) == 8
    finals = len(tournament.state.pairings) - len(before)
    assert 3 <= finals <= 7


def test_in_lives_the_last_player_put_out_is_second_alone():
    """B, C and D win as many matches as each other; B is put out last, and shares with nobody."""
    tournament = begun(TournamentTerms("lives"), 4)
    while tournament.state.phase == "running":
        for pairing in tournament.autopilot(1):
            tournament.decide(pairing.number, min(pairing.players), 2)
    state = tournament.state
    last = max(state.pairings.values(), key=lambda each: each.number)
    assert state.ranks[:2] == ((last.winner,), (last.loser,))
    later = [state.wins[group[0]] for group in state.ranks[2:]]
    assert later == sorted(later, reverse=True)
    for group in state.ranks[2:]:
        assert {state.wins[player] for player in group} == {state.wins[group[0]]}


def test_who_has_two_lives_passes_the_first_round_of_the_bracket():
    """Of three players two have lost once: with four places the third one waits in the final."""
    tournament = begun(TournamentTerms("lives", bracket=4), 3)
    (first,) = tournament.autopilot(1)
    tournament.decide(first.number, first.players[0], 2)
    (second,) = tournament.autopilot(3)
    tournament.decide(second.number, second.players[1], 4)
    while tournament.state.phase == "running":
        for pairing in tournament.autopilot(5):
            tournament.decide(pairing.number, pairing.players[0], 6)
    assert tournament.state.phase == "over"


def test_an_arena_ends_with_its_time_and_pairs_nobody_twice_in_a_row():
    tournament = begun(TournamentTerms("arena", minutes=30), 6)
    play_on(tournament, random.Random(5), trouble=False)
    last: dict[int, int] = {}
    for pairing in tournament.state.pairings.values():
        one, two = pairing.players
        assert last.get(one) != two
        last[one], last[two] = two, one
    assert max(each.at_ms for each in tournament.state.pairings.values()) < 30 * MINUTE_MS


def test_who_withdraws_loses_what_comes_and_is_ranked_where_they_left():
    tournament = begun(TournamentTerms("knockout"), 8)
    first = tournament.autopilot(1)
    gone = first[0].players[0]
    tournament.withdraw(gone, 2)
    assert tournament.state.pairings[1].winner == first[0].players[1]
    assert tournament.state.pairings[1].how == "withdrawn"
    for pairing in first[1:]:
        tournament.decide(pairing.number, pairing.players[0], 3)
    away = first[1].players[0]
    tournament.withdraw(away, 4)
    tournament.autopilot(5)
    assert tournament.state.losses[away] == 1
    with pytest.raises(NotEntered):
        tournament.withdraw(99, 6)


def test_a_correction_undoes_what_nobody_has_decided_and_refuses_the_rest():
    tournament = begun(TournamentTerms("knockout"), 4)
    one, two = tournament.autopilot(1)
    tournament.decide(one.number, one.players[0], 2)
    tournament.decide(two.number, two.players[0], 2)
    (final,) = tournament.autopilot(3)
    assert tournament.correct(one.number, one.players[1], "a slip", 4) == (final.number,)
    (final,) = tournament.autopilot(5)
    assert one.players[1] in final.players
    tournament.decide(final.number, final.players[0], 6)
    with pytest.raises(WouldUnravel) as refused:
        tournament.correct(one.number, one.players[0], "no, it was right", 7)
    assert refused.value.numbers == (final.number,)


def test_the_draw_is_repeatable_and_every_order_is_equally_likely():
    assert shuffled([3, 1, 2], "ab", "order") == shuffled([1, 2, 3], "ab", "order")
    assert shuffled(range(9), "ab", "order") != shuffled(range(9), "ac", "order")
    orders = Counter(shuffled(range(3), f"{seed}", "order") for seed in range(6_000))
    assert len(orders) == 6
    assert all(850 < many < 1_150 for many in orders.values())


def test_too_few_call_it_off_and_the_phase_is_kept():
    tournament = TournamentJournal(TournamentTerms("knockout", least=4, most=4))
    for player in range(3):
        tournament.enter(player, 0)
        tournament.enter(player, 0)
    assert len(tournament.state.entrants) == 3
    tournament.draw("00", 1)
    assert tournament.state.phase == "called_off"
    with pytest.raises(WrongTournamentPhase):
        tournament.enter(5, 2)
    full = TournamentJournal(TournamentTerms("knockout", most=2))
    full.enter(1, 0)
    full.enter(2, 0)
    with pytest.raises(Full):
        full.enter(3, 0)


def test_results_that_cannot_be_are_refused_and_change_nothing():
    tournament = begun(TournamentTerms("knockout"), 4)
    one, _two = tournament.autopilot(1)
    journal = list(tournament.journal)
    for number, winner in ((99, 1), (one.number, 77)):
        with pytest.raises(NoSuchPairing):
            tournament.decide(number, winner, 2)
    with pytest.raises(NoSuchPairing):
        tournament.correct(one.number, one.players[0], "none yet", 2)
    assert tournament.journal == journal
    tournament.decide(one.number, one.players[0], 3)
    tournament.decide(one.number, one.players[0], 4)  # said twice
    with pytest.raises(NoSuchPairing):
        tournament.decide(one.number, one.players[1], 5)


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"format": "lots"}, "format"),
        ({"format": "lives", "lives": 1}, "lives"),
        ({"format": "arena"}, "minutes"),
        ({"format": "robin", "most": 200}, "most"),
        ({"format": "lives", "bracket": 5}, "bracket"),
        ({"format": "swiss", "rounds": 99}, "rounds"),
        ({"format": "knockout", "least": 1}, "entrants"),
    ],
)
def test_terms_that_no_tournament_can_have_name_what_is_wrong(wish, field):
    with pytest.raises(BadTournamentTerms) as refused:
        TournamentJournal(TournamentTerms(**wish))
    assert refused.value.fields["field"] == field


def test_a_line_that_is_no_event_is_refused():
    with pytest.raises(msgspec.ValidationError):
        decoded(b'{"type": "paired", "at_ms": 1}')


@pytest.mark.parametrize("key", ["knockout", "double", "lives", "swiss", "arena"])
def test_pairing_256_people_takes_less_than_a_second(key):
    minutes = 60 if key == "arena" else 0
    tournament = begun(TournamentTerms(key, minutes=minutes), 256)
    began = time.thread_time()
    assert len(tournament.autopilot(1)) == 128
    assert time.thread_time() - began < 5  # a second on a quiet machine: bench.tournaments


def test_all_formats_are_tested():
    assert {terms.format for terms in FORMAT_TERMS} == set(FORMATS)
