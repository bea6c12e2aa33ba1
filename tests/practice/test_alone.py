"""Practice alone and from a position: one person plays both sides, or the bot begins."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.rules.xgid import Xgid
from games.models import BotTurn, HouseBot, Match, Table, TableEvent
from games.selectors import resume_frame, table_state
from games.services.archive import match_record, match_steps
from games.services.attendance import seats_awaited
from games.services.house_bots import ALONE, HouseBotOnlyPractises, house_bot
from games.services.practice import bot_answer, bots_answer_due, hint, practice_from, practice_open
from games.services.tables import PracticeIsAlone, table_command, table_join, table_open
from games.table import commands as cmd
from games.table.errors import BadSetup, BadTerms, NotSeated, TableError
from games.table.evolve import replay
from games.tasks import bot_move
from games.wire import encode, event_from_payload
from harness.voice import mistakes
from ledger.audit import run
from ledger.selectors import wallet_balance
from ratings.models import RatingChange
from tests.practice.conftest import Practice, decided

pytestmark = pytest.mark.django_db(transaction=True)


ROLLS = ((3, 1), (6, 4), (5, 2), (6, 6), (2, 1), (5, 4), (4, 4), (6, 3))


@pytest.fixture
def alone(practise: Callable[..., Practice], dice: Callable[..., None]) -> Practice:
    """hilde sits on both sides; nothing has been rolled."""
    dice(*ROLLS)
    return practise(strength=ALONE)


def turn(table: Practice) -> None:
    """hilde plays for the decider as an expert would, without the cube."""
    state = table.state
    table.give(decided(state, state.decider))


def test_its_frames_are_those_of_the_protocol(alone: Practice) -> None:
    """The schema names what a seat plays as, `alone` included."""
    turn(alone)
    frame = resume_frame(Table.objects.get(pk=alone.pk), 0, 1)
    assert mistakes(json.loads(encode(frame))) == []


@pytest.mark.slow
def test_one_person_plays_both_sides_to_the_end(
    practise: Callable[..., Practice], dice: Callable[..., None]
) -> None:
    """Three checkers each, which is soon over."""
    dice(*ROLLS)
    alone = practise(strength=ALONE, variant="hypergammon")
    deciders = set()
    while alone.state.phase != "over":
        deciders.add(alone.state.decider)
        turn(alone)
        assert bot_move(str(alone.pk)) == 0
        assert not BotTurn.objects.exists()
    assert deciders == {0, 1}
    match = Match.objects.get(table=alone.pk)
    assert match.winner_seat is not None
    assert (match.rake_cents, match.paid_cents) == (0, [0, 0])
    assert not RatingChange.objects.exists()
    assert wallet_balance(alone.user.pk) == 10_000
    stored = TableEvent.objects.filter(table=alone.pk).order_by("seq")
    assert replay(event_from_payload(row.payload) for row in stored) == alone.state
    call_command("audit")


def test_the_other_seat_says_that_it_is_played_too(alone: Practice) -> None:
    assert [person["plays_as"] for person in alone.table.people] == [None, "alone"]
    other = HouseBot.objects.get(strength=ALONE).user
    assert other.is_bot
    assert not other.has_usable_password()
    absent = seats_awaited([alone.pk])  # the absence of the other seat is not counted
    assert absent in ([], [(alone.pk, 0)])


def test_both_sides_double_take_and_resign(alone: Practice) -> None:
    alone.give(cmd.Roll())
    turn(alone)
    assert alone.state.decider == 1
    alone.give(cmd.Double())
    alone.give(cmd.Take())
    cube = alone.state.game.cube
    assert (cube.value, cube.owner) == (2, 0)
    alone.give(cmd.OfferResignation(level=1))
    assert alone.state.phase == "resignation_offered"
    alone.give(cmd.AcceptResignation())
    match = Match.objects.get(table=alone.pk)
    assert (match.winner_seat, match.points) == (0, 2)


def test_hints_are_for_the_side_that_is_to_decide(alone: Practice) -> None:
    alone.give(cmd.Roll())
    assert hint(table_id=alone.pk, user_id=alone.user.pk)["command"] == "play"
    turn(alone)
    assert alone.state.decider == 1
    assert hint(table_id=alone.pk, user_id=alone.user.pk)["command"] == "roll"


def test_the_last_play_of_either_side_is_taken_back(alone: Practice) -> None:
    alone.give(cmd.Roll())
    first = alone.state.game
    turn(alone)
    alone.give(cmd.Roll())
    second = alone.state.game
    turn(alone)
    alone.give(cmd.TakeBack())
    assert alone.state.game.position == second.position
    assert (alone.state.decider, alone.state.game.dice) == (1, second.dice)
    with pytest.raises(TableError):
        alone.give(cmd.TakeBack())  # one play, not two in a row
    assert first.position != second.position


def test_leaving_and_standing_up_are_ones_own_and_a_rematch_needs_nobody(alone: Practice) -> None:
    alone.give(cmd.Roll())
    turn(alone)
    assert alone.state.decider == 1
    alone.give(cmd.Leave())
    assert Match.objects.get(table=alone.pk).winner_seat == 1
    alone.give(cmd.Rematch())
    assert bot_move(str(alone.pk)) == 1
    assert alone.state.match.number == 2
    alone.give(cmd.StandUp())
    assert alone.state.phase == "closed"


def test_a_lost_task_is_made_good_for_by_the_sweep(alone: Practice) -> None:
    alone.give(cmd.Roll())
    alone.give(cmd.Leave())
    alone.give(cmd.Rematch())
    BotTurn.objects.update(due_at="2020-01-01T00:00:00Z")
    assert bots_answer_due() == 1
    assert alone.state.match.number == 2


def test_who_watches_plays_neither_side(alone: Practice, tilo: User) -> None:
    told = {"table_id": alone.pk, "command_id": str(uuid4()), "seen_seq": alone.table.seq}
    with pytest.raises(NotSeated):
        table_command(user_id=tilo.pk, command=cmd.Roll(), **told)
    with pytest.raises(NotSeated):
        hint(table_id=alone.pk, user_id=tilo.pk)


def test_against_the_bot_nobody_plays_for_it(practise: Callable[..., Practice], dice) -> None:
    dice(*ROLLS)
    table = practise(strength="expert")
    table.give(cmd.Roll())
    turn(table)
    assert table.state.decider == 1
    with pytest.raises(TableError) as refused:
        table.give(cmd.Roll())
    assert refused.value.code == "not_your_turn"


def test_practice_is_never_with_another_person(alone: Practice, tilo: User) -> None:
    with pytest.raises(PracticeIsAlone):
        table_join(user=tilo, table_id=alone.pk)
    with pytest.raises(BadTerms, match="never with another player"):
        table_open(user=tilo, mode="practice")
    assert not Table.objects.exclude(pk=alone.pk).exists()


def test_the_one_who_fills_the_seat_sits_nowhere_else(hilde: User) -> None:
    table = table_open(user=hilde, mode="normal")
    with pytest.raises(HouseBotOnlyPractises):
        table_join(user=house_bot(ALONE), table_id=table.pk)


@pytest.mark.parametrize("strength", ["expert", ALONE])
def test_an_open_table_is_no_hindrance_and_stays_open(hilde: User, tilo: User, strength) -> None:
    waiting = table_open(user=hilde, mode="prize5", stake_cents=250)
    practising = practice_open(user=hilde, strength=strength)
    again = practice_open(user=hilde, strength=strength)
    assert {practising.phase, again.phase} == {"roll"}
    waiting.refresh_from_db()
    assert waiting.phase == "open"
    assert table_join(user=tilo, table_id=waiting.pk).phase == "roll"
    assert table_state(Table.objects.get(pk=practising.pk)).phase == "roll"


# --- from a position ------------------------------------------------------------------------------
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
