"""The fingerprint of a match is the same for every file of it, and for no other match."""

import random
from dataclasses import replace

import pytest

from backgammon.formats.builder import RecordBuilder
from backgammon.formats.digest import PLAYS_LEAST, is_part_of, match_digest
from backgammon.formats.mat import format_mat
from backgammon.formats.record import (
    Action,
    GameRecord,
    Heading,
    MatchRecord,
    RecordedTurn,
)
from backgammon.formats.record_json import format_json
from backgammon.formats.registry import parse_match
from backgammon.formats.sgf import format_sgf
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.variants import by_key
from backgammon.tests.amounts import amount
from backgammon.tests.formats.matches import random_match

KINDS = list(FormatKind)
FORMATS = (format_mat, format_sgf, format_json)
SEEDS = range(amount(6, long=200))


def a_match(seed: int) -> MatchRecord:
    """A lively match of some kind."""
    return random_match(seed, kind=KINDS[seed % len(KINDS)], length=3, games_max=2)


def from_the_other_side(record: MatchRecord) -> MatchRecord:
    """The match as the other player's file has it."""
    games = tuple(_turned(game) for game in record.games)
    heading = replace(record.heading, elo=record.heading.elo[::-1])
    return replace(record, players=record.players[::-1], games=games, heading=heading)


def _turned(game: GameRecord) -> GameRecord:
    result = game.result
    if result is not None and result.winner is not None:
        result = replace(result, winner=1 - result.winner)
    return replace(
        game,
        score=game.score[::-1],
        actions=tuple(replace(action, seat=1 - action.seat) for action in game.actions),
        result=result,
    )


def in_other_words(action: Action) -> Action:
    """The same action, without its comment, its dice in another order."""
    if isinstance(action, RecordedTurn):
        return replace(action, dice=action.dice[::-1], comment="")
    return replace(action, comment="")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_file_of_a_match_has_its_digest(seed: int) -> None:
    record = a_match(seed)
    other_side = from_the_other_side(record)
    files = [write(each) for write in FORMATS for each in (record, other_side)]
    assert {match_digest(parse_match(text)) for text in files} == {match_digest(record)}


@pytest.mark.parametrize("seed", SEEDS)
def test_names_comments_and_the_order_of_dice_do_not_count(seed: int) -> None:
    record = a_match(seed)
    games = tuple(
        replace(game, comment="", actions=tuple(map(in_other_words, game.actions)))
        for game in record.games
    )
    renamed = replace(record, players=("", "anna"), games=games, heading=Heading(), stakes=None)
    assert match_digest(renamed) == match_digest(record)


def test_how_a_play_is_written_does_not_count() -> None:
    ways = ("13/7 8/7", "8/7 13/7", "8/7, 13/7")
    files = [f" 3 point match\n\n Game 1\n a : 0   b : 0\n 1) 61: {way}\n" for way in ways]
    assert len({match_digest(parse_match(text)) for text in files}) == 1


def test_a_last_roll_that_was_not_played_does_not_count() -> None:
    begun = " 3 point match\n\n Game 1\n a : 0   b : 0\n 1) 61: 13/7 8/7   "
    doubled = begun.rstrip() + " " * 22 + "Doubles => 2"
    files = [begun, begun + "64: ????", doubled]
    assert len({match_digest(parse_match(text)) for text in files}) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_another_play_dice_or_length_changes_it(seed: int) -> None:
    record = random_match(seed, length=3, games_max=1, lively=False)
    chance = random.Random(seed)
    number = chance.randrange(1, len(record.games[0].actions))
    before, turn = up_to(record, number), record.games[0].actions[number]
    assert isinstance(turn, RecordedTurn)
    builder = RecordBuilder(record)
    game = builder.begin_game(GameRecord(record.games[0].variant))
    for action in before.games[0].actions:
        builder.tell(action)
    plays = game.plays(turn.seat, turn.dice)
    ways: dict[object, tuple[Move, ...]] = {end: moves for moves, end in plays.graph.ends()}
    others = [replace(turn, moves=moves) for moves in ways.values() if moves]
    digests = {match_digest(with_last(before, each)) for each in others}
    assert len(digests) == len(others)
    assert match_digest(before) not in digests
    assert match_digest(replace(record, length=4)) != match_digest(record)


def up_to(record: MatchRecord, number: int) -> MatchRecord:
    """The match as it stood after so many actions of its first game."""
    game = replace(record.games[0], actions=record.games[0].actions[:number], result=None)
    return replace(record, games=(game,))


def with_last(record: MatchRecord, action: Action) -> MatchRecord:
    """The match with one more action."""
    game = record.games[0]
    return replace(record, games=(replace(game, actions=(*game.actions, action)),))


@pytest.mark.parametrize("variant", ["plakoto", "fevga", "tabula", "hypergammon"])
def test_every_variant_has_digests(variant: str) -> None:
    record = random_match(3, variant, length=1, games_max=1)
    assert by_key(variant).key == variant
    assert match_digest(from_the_other_side(record)) == match_digest(record)
    other = random_match(4, variant, length=1, games_max=1)
    assert match_digest(other) != match_digest(record)


# --- parts of a match -----------------------------------------------------------------------------
def plays(record: MatchRecord) -> int:
    turns = [each for game in record.games for each in game.actions]
    return sum(isinstance(each, RecordedTurn) and bool(each.moves) for each in turns)


def cut(record: MatchRecord, game: int, actions: int) -> MatchRecord:
    """The match with one of its games cut off."""
    found = record.games[game]
    shorter = replace(found, actions=found.actions[:actions], result=None)
    return replace(record, games=(*record.games[:game], shorter, *record.games[game + 1 :]))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_that_was_cut_off_is_a_part(seed: int) -> None:
    whole = a_match(seed)
    last = len(whole.games) - 1
    part = cut(whole, last, len(whole.games[last].actions) // 2)
    assert is_part_of(part, whole) is (plays(part) >= PLAYS_LEAST)
    assert is_part_of(from_the_other_side(part), whole) is (plays(part) >= PLAYS_LEAST)
    assert not is_part_of(whole, part)
    assert not is_part_of(part, a_match(seed + len(KINDS)))


def test_a_game_that_lacks_or_differs() -> None:
    matches = (random_match(seed, kind=FormatKind.UNLIMITED, length=0) for seed in range(50))
    whole = next(each for each in matches if len(each.games) > 2 and plays(each) > 40)
    assert is_part_of(replace(whole, games=whole.games[1:]), whole)
    assert not is_part_of(replace(whole, games=whole.games[::-1]), whole)
    assert not is_part_of(replace(whole, length=4), whole)
