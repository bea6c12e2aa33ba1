"""Matches of every variant survive being written and read, in every format."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from backgammon.formats.mat import format_mat
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import Ending, MatchRecord
from backgammon.formats.record_json import format_json, parse_json
from backgammon.formats.sgf import format_sgf
from backgammon.formats.sgf_reader import parse_sgf
from backgammon.rules.match import FormatKind
from backgammon.rules.variants import KEYS
from backgammon.tests.amounts import LONG, amount
from backgammon.tests.formats.gnubg import convert, needs_gnubg
from backgammon.tests.formats.matches import random_match
from backgammon.tests.formats.outline import outline

pytestmark = pytest.mark.slow

KINDS = list(FormatKind)


def matches_of(variant: str) -> list[MatchRecord]:
    """A match of two games, a session and a series, short enough for every variant.

    The daily run takes one of them; three neighbouring variants cover all kinds.
    """
    length = 40 if variant == "acey_deucey" else 3
    return [
        random_match(
            seed,
            variant,
            kind=kind,
            length=length,
            games_max=2 if kind is FormatKind.POINTS else amount(1, long=2),
        )
        for seed, kind in enumerate(KINDS, start=len(variant) * 10)
        if LONG or seed % len(KINDS) == 0
    ]


@pytest.mark.parametrize("variant", KEYS)
def test_every_variant_comes_back_the_same(variant: str) -> None:
    for record in matches_of(variant):
        assert parse_json(format_json(record)) == record
        assert outline(parse_sgf(format_sgf(record))) == outline(record)
        from_mat = parse_mat(format_mat(record))
        # .mat has no place for refused resignations and for comments inside a game.
        assert outline(from_mat, resignations=False) == outline(
            record, resignations=False, comments=False
        )


def test_a_match_to_one_point_comes_back_without_a_crawford_game() -> None:
    record = random_match(5, "backgammon", kind=FormatKind.POINTS, length=1)
    assert record.rules.crawford
    assert [game.crawford for game in parse_mat(format_mat(record)).games] == [False]


def test_the_lively_matches_hold_everything() -> None:
    """The matches contain what the test above is about."""
    records = [random_match(seed, kind=KINDS[seed % 3], games_max=4) for seed in range(20)]
    told = [action for record in records for game in record.games for action in game.actions]
    verbs = {getattr(action, "verb", None) for action in told}
    assert len(verbs - {None}) == 5
    endings = {game.result.ending for record in records for game in record.games if game.result}
    assert endings == set(Ending)
    assert any(action.comment for action in told)


@cache
def plain_matches() -> list[tuple[MatchRecord, str, str]]:
    """Games without cube in matches to 9, each match as .mat and as SGF."""
    matches = range(amount(3, long=45))
    records = [random_match(seed, games_max=5, length=9, lively=False) for seed in matches]
    assert sum(len(record.games) for record in records) >= amount(12, long=200)
    return [(record, format_mat(record), format_sgf(record)) for record in records]


def test_long_matches_come_back_the_same() -> None:
    for record, mat, sgf in plain_matches():
        assert format_mat(parse_mat(mat)) == mat
        assert _without_dice(parse_sgf(sgf)) == _without_dice(record)


def _without_dice(record: MatchRecord) -> list[Any]:
    """The record with moves as SGF has them, where the die of a move can only be guessed."""
    games = []
    for game in record.games:
        moves = [[(m.source, m.target) for m in getattr(a, "moves", ())] for a in game.actions]
        games.append((game.score, game.result, moves))
    return games


@needs_gnubg
def test_gnu_backgammon_reads_long_matches_and_agrees(tmp_path: Path) -> None:
    files = {}
    for n, (_, mat, sgf) in enumerate(plain_matches()):
        files |= {f"{n}.mat": mat, f"{n}.sgf": sgf}
    written = convert(files, tmp_path)
    for n, (record, _, _) in enumerate(plain_matches()):
        for name in (f"{n}.mat", f"{n}.sgf") if n % 5 == 0 else (f"{n}.mat",):
            assert outline(parse_sgf(written[name][1]))[1] == outline(record)[1], name


@needs_gnubg
def test_gnu_backgammon_reads_cubes_resignations_and_forfeits(tmp_path: Path) -> None:
    """GNU Backgammon has no time-outs: it reads every forfeit as a resignation."""
    seeds = range(100, 100 + amount(8, long=20))
    records = [random_match(seed, length=7, games_max=7) for seed in seeds]
    files = {f"{n}.mat": format_mat(record) for n, record in enumerate(records)}
    files |= {f"{n}.sgf": format_sgf(record) for n, record in enumerate(records)}
    for name, (_, sgf) in convert(files, tmp_path).items():
        record = records[int(name[:-4])]
        read = parse_sgf(sgf)
        assert [_told(game) for game in outline(read, resignations=False, comments=False)[1]] == [
            _told(game) for game in outline(record, resignations=False, comments=False)[1]
        ], name


@needs_gnubg
@pytest.mark.parametrize("variant", ["backgammon", "nackgammon", "hypergammon"])
def test_gnu_backgammon_reads_sessions_with_beavers(variant: str, tmp_path: Path) -> None:
    records = [
        random_match(seed, variant, kind=FormatKind.UNLIMITED, games_max=3) for seed in range(4)
    ]
    written = convert({f"{n}.sgf": format_sgf(r) for n, r in enumerate(records)}, tmp_path)
    for n, record in enumerate(records):
        read = parse_sgf(written[f"{n}.sgf"][1])
        assert read.games[0].variant == variant
        assert [_told(game) for game in outline(read, resignations=False, comments=False)[1]] == [
            _told(game) for game in outline(record, resignations=False, comments=False)[1]
        ]


def _told(game: Any) -> Any:
    """A game without what GNU Backgammon does not keep."""
    record, actions = game
    result = record.result and (record.result.winner, record.result.points)
    return record.score, record.crawford, actions, result
