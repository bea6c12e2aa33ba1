"""The worked examples of docs/tournaments.md, and simulated tournaments."""

import json
import random
import re
from hashlib import sha256
from io import StringIO
from itertools import pairwise

import msgspec
import pytest
from django.core.management import CommandError, call_command

from tests.architecture.sources import ROOT
from tournaments.engine import events as ev
from tournaments.engine.draws import commitment_of, seed_of, shuffled
from tournaments.engine.formats import format_of
from tournaments.engine.graph import size_for, slots_of
from tournaments.engine.state import TournamentState, evolve
from tournaments.engine.terms import TournamentTerms
from tournaments.pools import Pool
from tournaments.simulation import simulated, wins

TEXT = (ROOT / "docs/tournaments.md").read_text()
FORMATS = {
    "swiss": {"rounds": 3}, "lives": {"lives": 2}, "arena": {"minutes": 60},
}  # fmt: skip


def examples(kind: str) -> list[dict]:
    """The examples of this kind in the document, in the order of the text."""
    found = []
    for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL):
        decoder, at = json.JSONDecoder(), 0
        while at < len(block.rstrip()):
            example, at = decoder.raw_decode(block, at)
            found.append(example)
            at = len(block) - len(block[at:].lstrip())
    return [each for each in found if each["example"] == kind]


def shuffle(players: list[int], seed: str, label: str) -> list[int]:
    """The shuffle as the document describes it, without code of the house."""
    order, counter = sorted(players), 0
    for last in range(len(order) - 1, 0, -1):
        many = last + 1
        while True:
            text = f"pasch.tournament/{seed}/{label}/{counter}".encode()
            number = int.from_bytes(sha256(text).digest()[:8], "big")
            counter += 1
            if number < 2**64 - 2**64 % many:
                break
        order[last], order[number % many] = order[number % many], order[last]
    return order


def test_the_draw():
    (told,) = examples("draw")
    lines = [f"{each['number']} {each['part']}" for each in told["entrants"]]
    text = "\n".join([f"pasch.tournament.seed/{told['secret']}", *lines])
    assert sha256(text.encode()).hexdigest() == told["seed"]
    secret = f"pasch.tournament.secret/{told['secret']}"
    assert sha256(secret.encode()).hexdigest() == told["commitment"]
    players = [each["player"] for each in told["entrants"]]
    assert shuffle(players, told["seed"], "order") == told["order"]
    places, matches = 8, 4
    free = places - len(players)
    alone = {index * matches // free for index in range(free)}
    left = iter(told["order"])
    bracket = [[next(left), None if at in alone else next(left)] for at in range(matches)]
    assert bracket == told["bracket"]
    # and the engine
    parts = [(each["number"], each["part"]) for each in told["entrants"]]
    assert commitment_of(told["secret"]) == told["commitment"]
    assert seed_of(told["secret"], parts) == told["seed"]
    assert list(shuffled(players, told["seed"], "order")) == told["order"]
    slots = [slot.player for slot in slots_of(tuple(told["order"]), size_for(len(players)))]
    assert [[one, two] for one, two in list(pairwise(slots))[::2]] == told["bracket"]


def played(terms: TournamentTerms, order: list[int], told: dict) -> TournamentState:
    """The state in which these players have these results, seats out and withdrawals."""
    state = TournamentState(terms=terms)
    for player in order:
        state = evolve(state, ev.Entered(at_ms=0, player=player))
    state = evolve(state, ev.Drawn(at_ms=0, seed=told.get("seed", ""), order=tuple(order)))
    for number, (winner, loser) in enumerate(told["results"], start=1):
        place = f"{terms.format}/1/{number}"
        players = (winner, loser)
        state = evolve(state, ev.Paired(at_ms=0, number=number, place=place, players=players))
        state = evolve(state, ev.Decided(at_ms=0, number=number, winner=winner))
    for number, player in enumerate(told.get("byes", ())):
        state = evolve(state, ev.Sat(at_ms=0, place=f"{terms.format}/1/bye{number}", player=player))
    for player in told.get("withdrawn", ()):
        state = evolve(state, ev.Withdrew(at_ms=0, player=player))
    return state


def terms_of(format_key: str, many: int) -> TournamentTerms:
    return TournamentTerms(format_key, length=5, least=many, most=many, **FORMATS[format_key])


@pytest.mark.parametrize("format_key", FORMATS)
def test_who_meets_whom(format_key):
    (told,) = examples(format_key)
    order = told["order"]
    assert shuffle(order, told["seed"], told["label"]) == told["drawn"]
    terms = terms_of(format_key, len(order))
    proposals = format_of(terms).proposals(played(terms, order, told), 0)
    pairs = [list(each.players) for each in proposals if each.players[1] is not None]
    alone = [each.players[0] for each in proposals if each.players[1] is None]
    assert (pairs, alone) == (told["pairs"], [told["sits_out"]] if told["sits_out"] else [])
    assert cost(told, pairs) == min(cost(told, ways) for ways in every_way(told, alone))


def cost(told: dict, pairs: list[list[int]]) -> int:
    """What speaks against these pairs, by the table of the document."""
    results = told["results"]
    wins = {each: sum(winner == each for winner, _ in results) for each in told["order"]}
    losses = {each: sum(loser == each for _, loser in results) for each in told["order"]}
    for each in told["byes"]:
        wins[each] += 1
    found = 0
    for one, two in pairs:
        met = [one, two] in results or [two, one] in results
        if told["example"] == "lives":
            found += 10 * (losses[one] - losses[two]) ** 2 + 15 * met
        elif met:
            found += 10**6
        else:
            apart = abs(wins[one] - wins[two])
            found += apart**2 if told["example"] == "swiss" else apart
    return found


def every_way(told: dict, alone: list[int]) -> list[list[list[int]]]:
    """Every way to pair those who do not sit out."""

    def ways(players: list[int]) -> list[list[list[int]]]:
        if not players:
            return [[]]
        one, *others = players
        return [
            [[one, two], *rest]
            for two in others
            for rest in ways([each for each in others if each != two])
        ]

    return ways([each for each in told["order"] if each not in alone])


@pytest.mark.parametrize("told", examples("places"), ids=lambda told: told["format"])
def test_places_and_prizes(told):
    terms = terms_of(told["format"], len(told["players"]))
    state = played(terms, told["players"], told)
    later_ms = (terms.minutes + 1) * 60_000
    if told["format"] == "swiss":  # nobody whom they have not met is left
        terms = TournamentTerms("swiss", length=5, least=4, most=4, rounds=1)
        state = msgspec.structs.replace(state, terms=terms)
    ranks = format_of(terms).ranks(state, later_ms)
    assert ranks is not None
    assert [sorted(group) for group in ranks] == told["ranks"]
    prizes = Pool(500, 1_000, (7_000, 3_000), len(told["players"])).of_players(ranks)
    assert {str(player): cents for player, cents in prizes.items()} == told["prizes_cents"]
    # by hand: 20.00 less 10 %, 70 and 30 % of it, shared by those who share the places
    shares, at, by_hand = [1_260, 540, 0, 0], 0, {}
    for group in told["ranks"]:
        each = sum(shares[at : at + len(group)]) // len(group)
        by_hand |= {str(player): each for player in group if each}
        at += len(group)
    assert by_hand == told["prizes_cents"]


def test_every_format_that_draws_later_has_an_example():
    named = {told["format"] for told in examples("places")}
    assert named == set(FORMATS)


# --- simulated tournaments ------------------------------------------------------------------------
def simulate(*arguments: str) -> str:
    out = StringIO()
    call_command("tournament", "simulate", *arguments, stdout=out)
    return out.getvalue()


def test_the_chance_to_win_grows_with_strength_and_length():
    assert wins(6, 6, 7) == 0.5
    assert 0.5 < wins(5, 6, 7) < wins(5, 6, 25) < wins(2, 6, 25) < 1
    assert wins(5, 6, 7) + wins(6, 5, 7) == pytest.approx(1)


def test_a_much_better_player_wins_most_tournaments():
    won = 0
    for seed in range(60):
        played = simulated(
            TournamentTerms("double", length=25), [0.5, *[20.0] * 7], random.Random(seed)
        )
        won += played.ranks[0] == (0,)
    assert won > 40


def test_the_same_seed_is_the_same_tournament():
    arguments = ("--format", "swiss", "--players", "9", "--json")
    first = simulate(*arguments, "--seed", "7")
    assert first == simulate(*arguments, "--seed", "7")
    assert first != simulate(*arguments, "--seed", "8")
    found = json.loads(first)
    assert (found["format"], found["players"], found["matches"]) == ("swiss", 9, 16)
    assert sum(len(group) for group in found["ranks"]) == 9


def test_given_strengths_are_printed_with_the_ranks():
    out = simulate("--format", "knockout", "--strengths", "3.5,4,8")
    assert out.startswith("2 matches in ")
    for pr in ("PR 3.5", "PR 4.0", "PR 8.0"):
        assert pr in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "knockout", "--players", "1"), "too few"),
        (("--format", "knockout", "--players", "300"), "entrants"),
        (("--format", "lives", "--lives", "1"), "two lives"),
        (("--format", "robin", "--players", "40"), "at most 32"),
        (("--format", "knockout", "--strengths", "3,x"), "could not convert"),
        (("--format", "lots"), "invalid choice"),
    ],
)
def test_what_cannot_be_played_is_named(arguments, said):
    with pytest.raises(CommandError, match=said):
        simulate(*arguments)
