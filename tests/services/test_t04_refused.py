"""The same id again gives the same answer, whether the command was accepted or refused."""

from functools import partial

import pytest

from games.models import CommandRecord
from games.services.answers import REFUSALS_MAX
from games.table import commands as cmd
from games.table.errors import Busy, NotSeated, TableError
from harness.sitting import Sitting
from tests.racing import RACERS, racers, tries

pytestmark = pytest.mark.django_db(transaction=True)


def refusal(sitting: Sitting, seat: int, command: cmd.PlayerCommand, **options) -> tuple:
    """The answer to a command that is refused."""
    with pytest.raises(TableError) as refused:
        sitting.give(seat, command, **options)
    return refused.value.code, str(refused.value), refused.value.fields


def test_t04_a_refused_command_is_refused_again_when_it_would_be_accepted(sitting):
    first = refusal(sitting, 1, cmd.Roll(), command_id="a")
    assert first[0] == "not_your_turn"
    while sitting.state.phase != "roll" or sitting.state.game.on_roll != 1:
        sitting.turn()
    before = sitting.table.seq
    assert refusal(sitting, 1, cmd.Roll(), command_id="a") == first
    assert sitting.table.seq == before
    sitting.give(1, cmd.Roll(), command_id="b")


def test_t04_the_fields_of_a_refusal_are_repeated(sitting):
    first = refusal(sitting, 0, cmd.Claim(), command_id="a", seen_seq=1)
    assert "claim_ms" in first[2] or first[0] == "wrong_phase"
    double = refusal(sitting, 0, cmd.Double(), command_id="b")
    assert double[2]["reason"] == "first_turn"
    assert refusal(sitting, 0, cmd.Double(), command_id="b") == double
    assert CommandRecord.objects.get(command_id="b").seq == sitting.table.seq


def test_t04_an_id_is_one_players_at_one_table(sitting):
    refusal(sitting, 1, cmd.Roll(), command_id="a")
    sitting.give(0, cmd.Roll(), command_id="a")


def test_t04_what_never_reached_the_table_is_not_remembered(sitting, tilo):
    sitting.players = (sitting.players[0], tilo)
    with pytest.raises(NotSeated):
        sitting.give(1, cmd.Roll(), command_id="a")
    assert not CommandRecord.objects.filter(user=tilo).exists()


@pytest.mark.slow
def test_t04_a_player_who_floods_has_a_bounded_number_of_rows(sitting):
    sitting.give(0, cmd.Roll(), command_id="accepted")
    for number in range(2 * REFUSALS_MAX):
        refusal(sitting, 1, cmd.Roll(), command_id=f"{number}")
    rows = CommandRecord.objects.filter(refusal__isnull=False)
    newest = {f"{number}" for number in range(REFUSALS_MAX, 2 * REFUSALS_MAX)}
    assert set(rows.values_list("command_id", flat=True)) == newest
    assert CommandRecord.objects.filter(command_id="accepted").exists()


def test_t04_copies_of_a_command_that_race_have_one_answer(sitting):
    """Half of the copies were given on an old view: one of the two answers is everybody's."""
    outcomes = set()
    with racers() as race:
        for number in range(tries(4, long=100)):
            if not turn_comes(sitting):
                break  # the match is over
            seen = (sitting.table.seq, sitting.table.seq - 1)
            answers = race(
                [partial(give, sitting, f"{number}", seen[each % 2]) for each in range(RACERS)]
            )
            assert len(set(answers)) == 1, answers
            outcomes |= set(answers)
    assert CommandRecord.objects.filter(refusal__isnull=True).exists() or outcomes == {"stale"}


def turn_comes(sitting: Sitting) -> bool:
    """Play on until seat 0 may roll; False if the match ends before that."""
    while (state := sitting.state).phase != "roll" or state.game.on_roll != 0:
        if state.phase == "over":
            return False
        if state.phase == "between_games":
            sitting.give(0, cmd.Ready())
            sitting.give(1, cmd.Ready())
        else:
            sitting.turn()
    return True


def give(sitting: Sitting, command_id: str, seen_seq: int) -> object:
    """The answer to a roll of seat 0; a table that is busy answers nothing yet."""
    while True:
        try:
            return sitting.give(0, cmd.Roll(), command_id=command_id, seen_seq=seen_seq).seq
        except Busy:
            continue
        except TableError as error:
            return error.code
