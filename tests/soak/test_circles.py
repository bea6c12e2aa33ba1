"""The queries about chouettes find changes in them, and nothing in sound ones."""

import random

import msgspec
import pytest

from bench.soak import circles
from bench.soak.circling import decision
from games.chouette.commands import command_from
from games.chouette.models import Game
from harness.chouettes import Hands
from harness.hands import Json
from tests.soak.test_books import changed, found

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def table(people) -> Hands:
    """A chouette with one game that has ended and one that runs."""
    hands, rng = Hands(people(4, 20_000), rate_cents=10), random.Random(5)
    hands.begin()

    def choose(view: Json, _player: int) -> object:
        return command_from(decision(msgspec.to_builtins(view, str_keys=True), rng))

    hands.play_out(choose)
    hands.begin()
    return hands


def codes() -> set[str]:
    """What is found besides the game that runs."""
    return {each.code for each in found(circles) if "comes to its end" not in each.text}


def test_sound_chouettes_raise_no_question(table):
    assert Game.objects.filter(ended_at=None).count() == 1
    assert [each.text[:30] for each in found(circles)] == ["every game of a chouette that "]
    assert found() == []


def test_what_is_wrong_with_a_chouette_is_found(table):
    ended, running = Game.objects.order_by("number")
    for what, expected in {
        f"UPDATE chouette_game SET ended_at = now(), rake_cents = 0 WHERE id = '{running.pk}'": {
            "I17",
            "I18",
        },
        f"""UPDATE chouette_share SET paid_cents = paid_cents + 1 WHERE game_id = '{ended.pk}'
            AND user_id = {ended.box_id}""": {"I17"},
        f"UPDATE chouette_share SET paid_cents = NULL WHERE game_id = '{ended.pk}'": {"I17"},
        f"""UPDATE chouette_share SET box_points = box_points + 1 WHERE game_id = '{ended.pk}'
            AND user_id = {ended.captain_id}""": {"I18"},
        f"DELETE FROM chouette_share WHERE game_id = '{ended.pk}'": {"I17", "I18"},
        """UPDATE ledger_account SET balance_cents = balance_cents - 1
           WHERE key LIKE 'escrow:chouette:%' AND balance_cents > 0""": {"I17"},
        f"""DELETE FROM ledger_transfer
            WHERE reference = 'chouette:{ended.pk}' AND kind = 'result'""": {"I17"},
        f"""INSERT INTO ledger_transfer SELECT (jsonb_populate_record(t, jsonb_build_object(
            'id', -1, 'key', 'twice'))).* FROM ledger_transfer t
            WHERE reference = 'chouette:{ended.pk}' AND kind = 'result'""": {"I18"},
        "DELETE FROM chouette_circleevent WHERE payload ->> 'type' = 'settled'": {"I18"},
        "DELETE FROM chouette_circleevent WHERE seq = 3": {"I18"},
        "UPDATE chouette_circle SET seq = seq + 1": {"I18"},
        "DELETE FROM chouette_roll WHERE n = 1": {"I18"},
        "UPDATE chouette_game SET next_roll = next_roll + 1": {"I18"},
    }.items():
        with changed(what):
            assert codes() == expected, what
    with changed(
        f"UPDATE chouette_game SET ended_at = NULL, rake_cents = NULL WHERE id = '{ended.pk}'"
    ):
        assert {each.code for each in found()} == {"I4"}
