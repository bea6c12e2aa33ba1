"""A decision as a card: right for plays and cubes, at a score and without one, in every variant."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from analysis.pages.card import CardPlace, DecisionCard, card
from analysis.pages.chart import chart
from analysis.pages.report_decisions import ReportDecision, neighbours
from backgammon.analysis.depths import analysed
from backgammon.analysis.json_lines import decision_line
from backgammon.analysis.questions import analyse
from backgammon.counting.decisions import commented, decisions
from backgammon.counting.figures import Judged
from backgammon.counting.positions import situation_of, xgid_text
from backgammon.counting.situation import Situation
from backgammon.engines.sage import house_engine
from backgammon.formats.mat_reader import parse_mat
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import by_key as format_by_key
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from backgammon.tests.analysis.records import mat, row

ENGINE = house_engine()
GAME = (
    row("31: 24/20", "66: 24/18(2) 13/7(2)"),
    row("52: 13/8 24/22", " Doubles => 2"),
    row(" Takes", "64: 8/2 6/2"),
)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def read(record: MatchRecord) -> list[ReportDecision]:
    return [
        shown(each, record.players, record.length)
        for each in analysed(decisions(record), ENGINE, "quick")
    ]


def shown(each: Judged, players: tuple[str, str], length: int) -> ReportDecision:
    place = each.decision.place
    line = decision_line(each, players, ENGINE, "quick", length=length)
    return ReportDecision(
        place.game, place.number, each.seat, each.decision.kind,
        each.judgement.counted, each.judgement.loss, each.luck, line,
    )  # fmt: skip


def place(*, points: bool = False, near: int = 0, variant: str = "backgammon") -> CardPlace:
    return CardPlace(variant, True, ("anna", "ben"), near, points)


def cards(record: MatchRecord, **more: int) -> list[DecisionCard]:
    return [card(each, place(**more)) for each in read(record)]


def test_a_play_says_in_what_it_differs_from_the_best() -> None:
    first = cards(parse_mat(mat(*GAME)))[0]
    assert (first.title, first.best, first.played) == ("anna to play", "8/5 6/5", "24/20")
    assert first.mark == "??"
    assert "<b>8/5 6/5</b> makes the 5-point." in " ".join(first.reasons)
    assert "<b>24/20</b> gives up the 24-point." in " ".join(first.reasons)
    assert first.chances[0].name == "Wins"
    assert first.chances[-1].name == "Wins the match"
    assert first.shown is not None
    assert not first.shown.turned
    assert {arrow.kind for arrow in first.shown.arrows} >= {"best", "played", "try bg-try-1"}


@pytest.mark.parametrize(("language", "word"), [("en", "exact"), ("de", "exakt")])
def test_a_bear_off_from_the_table_is_called_exact(language: str, word: str) -> None:
    ending = "XGID=-AAAAA----------------bba-:0:0:1:{}:0:0:0:0:10"
    with translation.override(language):
        roll, cube = (
            card(shown(analyse(ending.format(dice), depth="quick"), ("anna", "ben"), 0), place())
            for dice in ("31", "00")
        )
    assert {each.depth for each in roll.choices} == {word}
    assert roll.exact
    assert cube.exact
    assert not any(each.exact for each in cards(parse_mat(mat(*GAME))))


def test_a_double_and_its_answer_rest_on_the_same_position() -> None:
    found = cards(parse_mat(mat(*GAME)))
    double = next(each for each in found if each.title == "ben doubled")
    answer = next(each for each in found if each.title == "anna was doubled")
    assert [bar.text for bar in double.bars] == ["No double", "Double, take", "Double, drop"]
    assert [bar.text for bar in answer.bars] == ["Take", "Drop"]
    assert sum(share.width for share in double.shares) == pytest.approx(100, abs=0.5)
    assert double.reasons[0].startswith("Played to the end ben wins")
    assert any("anna needs" in sentence for sentence in double.reasons)
    assert double.shown is not None
    assert double.shown.turned
    assert answer.shown is not None
    assert answer.shown.position == double.shown.position
    assert ":D:" in answer.xgid


def test_unlimited_play_counts_in_points() -> None:
    rows = read(parse_mat(mat(*GAME, length=0)))
    found = [card(each, place(points=True)) for each in rows]
    assert "%" not in found[0].cost
    assert found[0].chances[-1].name == "Points"
    assert rows[0].score == ""
    drawn = chart(rows, 0, ("anna", "ben"), points=True)
    assert drawn is not None
    assert "in points" in drawn.words


def test_the_result_after_a_decision_is_one_for_both_players() -> None:
    for each in read(parse_mat(mat(*GAME))):
        near, far = (each.result_after(seat, points=False) for seat in (0, 1))
        assert near is not None
        assert far is not None
        assert near + far == pytest.approx(1)
        assert 0 <= near <= 1


def test_the_score_is_that_of_the_match_from_seat_0() -> None:
    for each in read(parse_mat(mat(*GAME, score=(3, 1), length=5))):
        assert each.score == "3 : 1"


@pytest.mark.parametrize("variant", ["backgammon", "nackgammon", "hypergammon"])
def test_the_line_of_a_position_leads_back_to_it(variant: str) -> None:
    rules = by_key(variant)
    situation = Situation(rules.start, away=(3, 4), variant=variant)
    text = xgid_text(situation, (3, 1), length=5)
    read_back = Xgid.parse(text, rules.checkers)
    assert read_back.score == (2, 1)
    assert situation_of(read_back, variant) == situation


def test_steps_lead_to_decisions_and_errors_on_either_side() -> None:
    found = neighbours(["1.1", "1.2", "1.3", "2.1"], ["1.1", "1.3"], "1.2")
    assert found == {
        "previous": "1.1", "next": "1.3", "error_before": "1.1", "error_after": "1.3",
        "error_number": None, "errors": 2,
    }  # fmt: skip
    assert neighbours(["1.1"], ["1.1"], "1.1")["error_number"] == 1


def test_comments_stand_beside_their_actions_in_a_file() -> None:
    record = parse_mat(mat(*GAME))
    said = {(each.game, each.number): f"about {each.key}" for each in read(record)}
    file = format_by_key("sgf")
    again = file.parse(file.format(commented(record, said)))
    comments = [action.comment for action in again.games[0].actions]
    assert comments[0] == "about 1.1"
    assert sum(comment.count("about") for comment in comments) == len(said)
