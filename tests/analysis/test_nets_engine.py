"""The nets as an engine of the analysis: a game of Fevga from the table to the report."""

import pytest
from django.test import Client

from accounts.models import User
from analysis.models import DecisionRow
from analysis.queue import analysable, enqueue_ended, work_once
from backgammon.bots.strength import STRONGEST
from backgammon.counting.decisions import DecidedPlay, decisions
from backgammon.counting.judging import judge_play
from backgammon.engines.engine import EngineError
from backgammon.engines.house import engine_for
from backgammon.engines.nets import Nets
from games.bots.player import answer
from games.models import Match
from games.records import record_of
from games.services.tables import table_join, table_open
from harness.bot_games import played_out
from harness.sitting import Sitting

KEY = "fevga"


@pytest.fixture(scope="module")
def plays() -> list[DecidedPlay]:
    """The rolls of a game between a strong bot and a weak one."""
    rig = played_out(KEY, 4, (STRONGEST, "beginner"))
    record = record_of(rig.events, terms=rig.state.terms, players=("anna", "ben"))
    return [each for each in decisions(record) if isinstance(each, DecidedPlay)]


def test_the_engine_follows_from_the_variants() -> None:
    assert isinstance(engine_for({KEY}), Nets)
    assert engine_for({KEY, "long_nardi"}).name == "house nets"
    assert engine_for({KEY, "backgammon"}).name == "bgsage"
    assert engine_for({KEY}).version != engine_for({"long_nardi"}).version


def test_the_weak_player_loses_more(plays: list[DecidedPlay]) -> None:
    """Every choice has a value, the best comes first, and errors have their sizes."""
    engine, lost = engine_for({KEY}), [0.0, 0.0]
    for play in plays:
        values = engine.plays(play, 2)
        assert {value.result for value in values} == {each.result for each in play.choices}
        loss = judge_play(play, values).loss
        assert loss is not None
        assert loss >= 0
        lost[play.place.seat] += loss
    assert lost[1] > 0.5
    assert lost[0] < 0.01


def test_the_mean_luck_of_all_rolls_is_nothing(plays: list[DecidedPlay]) -> None:
    """Weighted by their chances; the first roll of a game has no doubles."""
    from dataclasses import replace

    engine = engine_for({KEY})
    play = next(each for each in plays if not each.opening)
    rolls = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    luck = [engine.luck(replace(play, dice=roll)) for roll in rolls]
    assert sum(luck) / 36 == pytest.approx(0, abs=1e-4)
    assert max(luck) > 0.02


def test_the_cube_is_refused(plays: list[DecidedPlay]) -> None:
    engine = engine_for({KEY})
    assert engine.supports(plays[0].situation)
    with pytest.raises(EngineError):
        engine.cube(plays[0].situation, 1)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_match_is_analysed_and_its_page_says_by_what(magriel: User, hilde: User) -> None:
    """From the table over the queue to the report, which says that the nets are young."""
    table = table_open(user=magriel, mode="match", variant=KEY, target_points=1)
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    while (seat := sitting.state.decider) is not None and sitting.state.phase != "over":
        command = answer(sitting.state, seat, strength="advanced", seed=str(sitting.table.seq))
        assert command is not None
        sitting.give(seat, command)
    match = Match.objects.get(table=table)
    assert list(analysable()) == [match]
    assert enqueue_ended() == 1
    for _ in range(2):
        assert work_once(engine_for({"backgammon"}))
    assert set(DecisionRow.objects.values_list("report__engine", flat=True)) == {"house nets"}
    shown = Client().get(f"/match/{match.pk}/analysis/", headers={"accept-language": "en"})
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "house nets" in text
    assert "younger than bgsage" in text
    file = Client().get(f"/match/{match.pk}/analysis.sgf")
    assert file.status_code in (200, 404)
