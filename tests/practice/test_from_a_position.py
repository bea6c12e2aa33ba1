"""Practice that begins from a position: by accounts and guests, again from there, and in books."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.rules.xgid import Xgid
from games.models import HouseBot, Match, Table
from games.selectors import table_state
from games.services.archive import match_record, match_steps
from games.services.practice import bot_answer, practice_from
from games.table import commands as cmd
from games.table.errors import BadSetup
from ledger.audit import run
from tests.practice.conftest import Practice

pytestmark = pytest.mark.django_db(transaction=True)

#: X has two checkers left on its points 2 and 5, O one on its ace point.
LAST = "XGID=--A--A------------------a-"
UNLIMITED = f"{LAST}:0:0:1:00:0:0:0:0:10"
AT_A_SCORE = f"{LAST}:1:-1:-1:00:2:1:0:5:10"


def begun(user: User, xgid: str, side: int, strength: str = "expert") -> Practice:
    table = practice_from(user=user, xgid=Xgid.parse(xgid), side=side, strength=strength)
    return Practice(user, table)


def test_a_game_is_played_from_a_position_and_again_from_there(
    hilde: User, dice: Callable[..., None]
) -> None:
    dice((6, 5), (6, 4))
    at = begun(hilde, UNLIMITED, 0)
    assert at.types() == [
        *("table_opened", "player_sat", "match_started", "position_set", "game_started")
    ]
    at.give(cmd.Roll())
    at.give(cmd.Play(moves=((5, 0, 6), (2, 0, 5))))
    assert at.state.phase == "over"
    match = Match.objects.get()
    assert match_record(match).games[0].start == Xgid.parse(UNLIMITED).position
    assert match_steps(match)[0]["view"]["xgid"].startswith(LAST)
    at.give(cmd.Rematch())
    bot_answer(table_id=at.pk)
    assert Match.objects.count() == 2
    assert at.state.phase == "roll"
    assert at.state.game is not None
    assert at.state.game.position.off == (13, 14)
    at.give(cmd.Roll())
    assert [r.code for r in run().results if r.findings] == []


def test_the_bot_begins_if_its_side_is_on_roll_and_the_score_is_turned(
    hilde: User, dice: Callable[..., None]
) -> None:
    dice((2, 1))
    at = begun(hilde, AT_A_SCORE, 0)
    state = at.state
    assert state.match is not None
    assert (state.match.score, state.decider) == ((2, 1), 1)
    other = begun(hilde, AT_A_SCORE, 1).state
    assert other.match is not None
    assert other.game is not None
    assert (other.match.score, other.decider, other.game.cube.owner) == ((1, 2), 0, 0)
    assert bot_answer(table_id=at.pk) > 0
    if at.state.phase == "double_offered":  # they win in any case and may as well redouble
        at.give(cmd.Drop())
    assert at.state.phase == "between_games"
    assert at.state.match is not None
    assert at.state.match.score == (2, 3)  # the cube stands at 2
    at.give(cmd.Ready())
    bot_answer(table_id=at.pk)
    assert at.state.game is not None
    assert at.state.game.position.off == (0, 0)


def test_a_bad_position_makes_no_table(hilde: User) -> None:
    over = "XGID=--A--A--------------------:0:0:1:00:0:0:0:0:10"
    with pytest.raises(BadSetup):
        begun(hilde, over, 0)
    with pytest.raises(BadSetup):
        begun(hilde, UNLIMITED, 2)
    assert not Table.objects.exists()
    assert not HouseBot.objects.exists()


def posted(client: Client, **fields: Any) -> Any:
    fields = {"xgid": UNLIMITED, "strength": "beginner", "side": "on_roll", **fields}
    return client.post(reverse("analysis_play"), fields, headers={"accept-language": "en"})


def test_a_guest_plays_on_from_the_board(transactional_db: None) -> None:
    client = Client()
    response = posted(client, side="dark")
    table = Table.objects.get()
    assert response.headers["Location"] == reverse("table", args=[table.pk])
    guest = User.objects.get(is_guest=True)
    state = table_state(table)
    assert state.seat_of(guest.pk) == 0
    assert state.decider == 1
    again = posted(client)
    assert again.headers["Location"] == reverse("table", args=[table.pk])
    assert Table.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"xgid": UNLIMITED.replace("A--A", "A-!A")}, "character"),
        ({"xgid": UNLIMITED.replace("--A--A", "------")}, "over"),
        ({"strength": "best"}, "Choose an opponent"),
        ({"side": "both"}, "Choose an opponent"),
        ({"xgid": f"{LAST}:0:0:1:00:5:1:0:5:10"}, "nobody plays on at 5"),
    ],
)
def test_what_is_wrong_stands_on_the_page(
    transactional_db: None, fields: dict[str, str], said: str
) -> None:
    response = posted(Client(), **fields)
    assert response.status_code == 400
    text = response.content.decode()
    place = text[text.index('id="play-on-refused"') :][:300]
    assert said.lower() in place.lower()
    assert not Table.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_the_cube_may_be_turned_before_the_first_roll(hilde: User) -> None:
    home = "XGID=-BB------------------adec-:0:0:1:00:0:0:0:0:10"
    at = begun(hilde, home, 0)
    at.give(cmd.Double())
    assert bot_answer(table_id=at.pk) > 0
    assert at.types()[-4:] == ["double_dropped", "game_ended", "match_ended", "match_settled"]
    assert match_record(Match.objects.get()).games[0].result is not None
    assert [r.code for r in run().results if r.findings] == []
