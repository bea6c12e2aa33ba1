"""Which decisions a match has."""

from backgammon.counting.decisions import Answer, DecidedPlay, Doubling, decisions
from backgammon.counting.situation import MINE, THEIRS
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import CubeVerb
from backgammon.tests.analysis.records import decided, mat, only, row

OPENING = row("31: 8/5 6/5", "62: 24/18 13/11")


def test_the_first_roll_has_no_cube_and_every_later_one_has() -> None:
    found = decided(OPENING, row("41: 24/23 13/9", "43: 13/10 13/9"))
    kinds = [(decision.kind, decision.place.seat) for decision in found]
    assert kinds == [
        *(("play", 0), ("double", 1), ("play", 1), ("double", 0)),
        *(("play", 0), ("double", 1), ("play", 1)),
    ]
    assert [decision.place.number for decision in found] == list(range(1, 8))
    assert not any(doubling.doubled for doubling in only(found, Doubling))


def test_a_double_and_its_answer_are_one_decision_each_and_the_roll_after_has_none() -> None:
    found = decided(OPENING, row("Doubles => 2", "Takes"), row("31: 6/5 24/21", "21: 24/22 6/5"))
    kinds = [decision.kind for decision in found]
    assert kinds == [*("play", "double", "play", "double", "take", "play", "double", "play")]
    doubled = only(found, Doubling)[1]
    assert doubled.doubled
    assert (doubled.situation.cube.value, doubled.situation.cube.owner) == (1, None)
    (answer,) = only(found, Answer)
    assert (answer.place.seat, answer.verb, answer.turns) == (1, CubeVerb.TAKE, 1)
    assert answer.situation == doubled.situation
    mine, theirs = only(found, DecidedPlay)[-2:]
    assert (mine.situation.cube.value, mine.situation.cube.owner) == (2, THEIRS)
    assert theirs.situation.cube.owner == MINE


def test_the_owner_of_the_cube_may_double_and_nobody_else() -> None:
    found = decided(
        OPENING,
        row("Doubles => 2", "Takes"),
        row("31: 6/5 24/21", "21: 24/22 6/5"),
        row("41: 24/23 13/9", "51: 13/8 6/5"),
    )
    after = [decision for decision in found if decision.place.number > 8]
    assert [(d.kind, d.place.seat) for d in after] == [("play", 0), ("double", 1), ("play", 1)]


def test_crawfords_game_and_a_dead_cube_have_no_cube_decision() -> None:
    crawford = decided(OPENING, row("41: 24/23 13/9", "43: 13/10 13/9"), score=(4, 2))
    assert {decision.kind for decision in crawford} == {"play"}
    assert all(decision.situation.crawford for decision in crawford)
    one_point = decided(OPENING, row("41: 24/23 13/9"), length=1)
    assert {decision.kind for decision in one_point} == {"play"}


def test_both_players_see_their_own_score() -> None:
    first, *_, last = only(decided(OPENING, score=(3, 1)), DecidedPlay)
    assert first.situation.away == (2, 4)
    assert last.situation.away == (4, 2)


def test_a_play_names_every_result_once_and_the_one_played() -> None:
    (first, *_) = only(decided(OPENING), DecidedPlay)
    results = [choice.result for choice in first.choices]
    assert len(results) == len(set(results)) == 16
    assert first.played in first.choices
    assert first.opening


def test_a_first_roll_that_may_be_a_double_is_no_opening_roll() -> None:
    game = mat(row("", "33: 8/5(2) 6/3(2)"), row("31: 8/5 6/5"))
    first, second = only(list(decisions(parse_mat(game))), DecidedPlay)
    assert not first.opening
    assert not second.opening
    assert not only(list(decisions(parse_mat(mat(OPENING)), opening_doubles=True)), DecidedPlay)[
        0
    ].opening


def test_a_roll_without_a_play_is_kept_for_its_luck() -> None:
    (*_, last) = only(decided(OPENING, row("64:", ""), " Wins 1 point"), DecidedPlay)
    assert last.dice == (6, 4)
    assert last.played is None


def test_a_beaver_is_answered_by_the_player_who_doubled() -> None:
    found = decided(
        OPENING,
        row("Doubles => 2", "Beavers => 4"),
        row("Takes"),
        row("31: 6/5 24/21"),
        length=0,
    )
    beaver, taken = only(found, Answer)
    assert (beaver.place.seat, beaver.verb, beaver.turns) == (1, CubeVerb.BEAVER, 1)
    assert (taken.place.seat, taken.verb, taken.turns) == (0, CubeVerb.TAKE, 2)
    assert beaver.situation == taken.situation
