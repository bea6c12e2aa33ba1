"""The statistics of players agree with the matches that they played."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Match, PlayerMatch
from games.services import figures
from games.services.figures import (
    MatchSums,
    Opponent,
    Streaks,
    figures_make,
    figures_make_missed,
    opponents_of,
    sides_of,
    statistics_of,
    streaks_of,
)
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table import events as ev
from games.table.tally import tallies
from harness.decisions import administrator, void_shown
from harness.rig import opener_begins, terms_for
from harness.sitting import Sitting
from tests.aging import guards_off
from tests.archive.matches import of_the_match, random_match
from tests.services.endings import NORMAL, STAKE_CUBE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def scripted(dice: Callable[..., None]) -> None:
    dice((3, 1), (4, 2))


def sat(opener: User, guest: User, **wishes: object) -> Sitting:
    """Two people after the opener's first turn; the guest is on roll."""
    table = table_open(user=opener, **opener_begins(wishes))
    table_join(user=guest, table_id=table.pk)
    sitting = Sitting(table, (opener, guest))
    sitting.turn()
    return sitting


def resigned(winner: User, loser: User, level: int = 1, **wishes: object) -> Match:
    """A match of one game that `loser`, the guest, gives up at a level."""
    sitting = sat(winner, loser, **(wishes or NORMAL))
    sitting.give(1, cmd.OfferResignation(level=level))
    if sitting.state.phase != "over":
        sitting.give(0, cmd.AcceptResignation())
    return Match.objects.get(table=sitting.pk)


def test_a_tie_is_no_win() -> None:
    assert MatchSums(matches=2, won=1).won_percent == 50
    assert MatchSums(matches=3, won=1, lost=2).won_percent == 33
    assert MatchSums().won_percent == 0


@pytest.mark.parametrize(
    ("score", "terms", "shown"),
    [
        ([8, 0], {"contest": "points", "target_points": 5}, (5, 0)),
        ([4, 3], {"contest": "points", "target_points": 5}, (4, 3)),
        ([8, 6], {"contest": "games", "target_points": 0}, (8, 6)),
        ([], {"contest": "points", "target_points": 5}, (0, 0)),
    ],
)
def test_a_match_shows_no_points_beyond_its_length(
    score: list[int], terms: dict[str, Any], shown: tuple[int, int]
) -> None:
    assert Match(score=score, terms=terms).score_shown == shown


def test_figures_are_those_of_the_matches_played(magriel: User, hilde: User, tilo: User) -> None:
    resigned(magriel, hilde)
    resigned(magriel, hilde, level=2)
    resigned(hilde, magriel, level=3)
    dropped = sat(magriel, hilde, **STAKE_CUBE)
    dropped.give(1, cmd.Double())
    dropped.give(0, cmd.Drop())
    taken = sat(magriel, tilo, **STAKE_CUBE)
    taken.give(1, cmd.Double())
    taken.give(0, cmd.Take())
    taken.give(1, cmd.Leave())
    assert figures_make() == 5
    assert figures_make() == 0, "each match is counted once"

    told = statistics_of(magriel.pk)
    assert (told.total.matches, told.total.won, told.total.lost) == (5, 3, 2)
    assert told.total.won_percent == 60
    assert told.total.games_won[1] == 1
    assert told.total.games_lost == (1, 0, 1)
    assert (told.total.doubled, told.total.taken, told.total.dropped) == (0, 1, 1)
    assert {mode: each.matches for mode, each in told.modes.items()} == {"normal": 3, "stake": 2}
    assert {key: each.matches for key, each in told.variants.items()} == {"backgammon": 5}

    theirs = statistics_of(hilde.pk, opponent_id=magriel.pk)
    assert (theirs.total.won, theirs.total.lost) == (2, 2)
    assert theirs.total.games_won == (1, 0, 1)
    assert (theirs.total.doubled, theirs.total.taken, theirs.total.dropped) == (1, 0, 0)
    assert [(each.username, each.matches, each.won) for each in opponents_of(
        magriel.pk, reader_id=None, limit=6
    )] == [("hilde", 4, 2), ("tilo", 1, 1)]  # fmt: skip


def test_runs_of_matches_won(magriel: User, hilde: User) -> None:
    assert streaks_of(magriel.pk, reader_id=None) == Streaks()
    for winner, loser in [(magriel, hilde)] * 3 + [(hilde, magriel)] + [(magriel, hilde)] * 2:
        last = resigned(winner, loser)
    figures_make()
    told = streaks_of(magriel.pk, reader_id=None)
    assert (told.best, told.now) == (3, 2)
    assert told.best_ended_at is not None
    assert told.best_ended_at < last.ended_at
    theirs = streaks_of(hilde.pk, reader_id=None)
    assert (theirs.best, theirs.now) == (1, 0)


def test_a_voided_match_counts_for_nothing_even_if_it_was_counted(
    magriel: User, hilde: User
) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    void_shown(match_id=match.pk, actor=administrator(), reason="a broken board")
    figures_make()
    assert statistics_of(magriel.pk).total == figures.MatchSums()
    assert streaks_of(magriel.pk, reader_id=None) == Streaks()
    assert opponents_of(magriel.pk, reader_id=None, limit=6) == []
    assert [side.match.pk for side in sides_of(magriel.pk, reader_id=None)] == [match.pk]


def test_private_matches_are_listed_for_their_players_only(
    magriel: User, hilde: User, tilo: User
) -> None:
    match = resigned(magriel, hilde, **NORMAL, private=True)
    figures_make()
    for reader_id, listed in ((magriel.pk, 1), (hilde.pk, 1), (tilo.pk, 0), (None, 0)):
        found = [side.match.pk for side in sides_of(magriel.pk, reader_id=reader_id)]
        assert found == [match.pk] * listed
        assert len(opponents_of(magriel.pk, reader_id=reader_id, limit=6)) == listed
    assert statistics_of(magriel.pk).total.won == 1
    assert statistics_of(magriel.pk, everything=False).total.won == 0
    assert opponents_of(magriel.pk, reader_id=hilde.pk, limit=6) == [
        Opponent(user_id=hilde.pk, username="hilde", is_open=True, matches=1, won=1, lost=0)
    ]


def test_the_reader_comes_first_among_the_opponents(magriel: User, hilde: User, tilo: User) -> None:
    for opponent in (hilde, hilde, tilo):
        resigned(magriel, opponent)
    figures_make()
    for reader, first in ((None, "hilde"), (magriel, "hilde"), (tilo, "tilo")):
        (found,) = opponents_of(magriel.pk, reader_id=reader and reader.pk, limit=1)
        assert found.username == first


def test_the_end_of_a_run_is_hidden_with_its_last_match(
    magriel: User, hilde: User, tilo: User
) -> None:
    resigned(magriel, hilde)
    match = resigned(magriel, hilde, **NORMAL, private=True)
    figures_make()
    for reader, seen in ((magriel, True), (hilde, True), (tilo, False), (None, False)):
        told = streaks_of(magriel.pk, reader_id=reader and reader.pk)
        assert (told.best, told.now) == (2, 2)
        assert told.best_ended_at == (match.ended_at if seen else None)


def test_practice_is_in_no_statistics(magriel: User) -> None:
    table = practice_open(user=magriel, strength="beginner")
    Match.objects.filter(table=table).update(ended_at=table.created_at, ending="left")
    assert figures_make() == 0
    assert not PlayerMatch.objects.exists()


def test_matches_are_counted_in_batches(
    magriel: User, hilde: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        resigned(magriel, hilde)
    monkeypatch.setattr(figures, "BATCH", 2)
    assert [figures_make() for _ in range(4)] == [2, 2, 1, 0]
    assert statistics_of(magriel.pk).total.won == 5


def test_figures_take_the_same_few_queries_however_many_matches(magriel: User, hilde: User) -> None:
    counts = set()
    for _ in range(3):
        resigned(magriel, hilde)
        figures_make()
        with CaptureQueriesContext(connection) as asked:
            statistics_of(magriel.pk)
            streaks_of(magriel.pk, reader_id=None)
            list(sides_of(magriel.pk, reader_id=None)[:10])
            opponents_of(magriel.pk, reader_id=None, limit=6)
        counts.add(len(asked))
    assert counts == {4}


def test_a_match_that_cannot_be_read_stops_no_other(
    magriel: User, hilde: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = resigned(magriel, hilde)
    with guards_off() as cursor:
        cursor.execute(
            "UPDATE games_tableevent SET payload = payload - 'at_ms' WHERE table_id = %s",
            [broken.table_id],
        )
    resigned(magriel, hilde)
    assert [figures_make(), figures_make()] == [2, 0], "it is not tried again and again"
    assert str(broken.pk) in caplog.text
    total = statistics_of(magriel.pk).total
    assert (total.won, total.games_won) == (2, (1, 0, 0)), "who won is in the match's own row"
    assert not PlayerMatch.objects.filter(match=broken, is_open=True).exists()


def test_a_match_that_ended_long_before_others_is_counted_at_night(
    magriel: User, hilde: User
) -> None:
    """The clock of the database was wrong for a while, or a row was lost."""
    early, late = resigned(magriel, hilde), resigned(magriel, hilde)
    assert late.ended_at is not None
    Match.objects.filter(pk=late.pk).update(ended_at=late.ended_at + 2 * figures.OVERLAP)
    assert figures_make() == 2
    PlayerMatch.objects.filter(match=early).delete()
    assert figures_make() == 0
    assert [figures_make_missed(), figures_make_missed()] == [1, 0]
    assert statistics_of(magriel.pk).total.won == 2


def test_a_long_count_takes_one_worker_only(magriel: User, hilde: User) -> None:
    resigned(magriel, hilde)
    other = connection.copy()
    name = [figures.COUNT_LOCK]
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", name)
        made = figures_make()
        cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", name)
    assert made == 0
    other.close()
    assert figures_make() == 1


def test_two_workers_count_each_match_once(
    magriel: User, hilde: User, race: Callable[..., list[object]]
) -> None:
    for _ in range(3):
        resigned(magriel, hilde)
    race(figures_make, figures_make)
    assert PlayerMatch.objects.count() == 6
    assert statistics_of(magriel.pk).total.won == 3


@pytest.mark.parametrize("seed", range(12))
def test_tallies_agree_with_the_events(seed: int) -> None:
    terms = terms_for(mode="prize5", stake_cents=250)
    told = of_the_match(random_match(terms, seed))
    first, second = tallies(told)
    kinds = Counter(type(event) for event in told)
    assert sum(first.won + second.won) == kinds[ev.GameEnded]
    assert (first.won, first.lost) == (second.lost, second.won)
    assert first.doubled + second.doubled == kinds[ev.DoubleOffered]
    assert first.taken + second.taken == kinds[ev.DoubleTaken]
    assert first.dropped + second.dropped == kinds[ev.DoubleDropped]
    points = sum(event.points for event in told if isinstance(event, ev.GameEnded))
    levels = sum(event.level * event.cube for event in told if isinstance(event, ev.GameEnded))
    assert points == levels
