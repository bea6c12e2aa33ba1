"""Each answer names what it answers, each close its reason, and the view what is so."""

import json
from uuid import uuid4

import pytest
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed

from games.broadcast import publish, table_channel
from games.live.delivery import FRAMES_BURST
from games.selectors import view_frame
from games.services.tables import table_command
from games.table import commands as cmd
from games.wire import encode, in_parts
from games.wire.frames import Update
from tests.racing import wait_for_a_waiter

pytestmark = pytest.mark.django_db(transaction=True)

FLOOD = 2 * int(FRAMES_BURST)


def closed(one) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as ended:
        one.hear("nothing of the kind")
    return ended.value.rcvd.code, ended.value.rcvd.reason


@pytest.mark.slow
def test_t05_too_fast_names_the_command_that_was_ignored(voice, magriel, sitting):
    one = voice(magriel)
    one.resume()
    ids = [str(uuid4()) for _ in range(FLOOD)]
    for each in ids:
        one.say({"type": "command", "id": each, "seq": one.seq, "command": {"type": "take"}})
    answers = [one.hear("rejected", "error") for _ in ids]
    assert [answer["id"] for answer in answers] == ids, "in order, and none without its id"
    ignored = [answer for answer in answers if answer["type"] == "error"]
    assert {(answer["code"], answer["frame"]) for answer in ignored} == {("too_fast", "command")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ('{"type":"command","id":"a","seq":1,"command":{"type":"sit"}}', ("command", "a")),
        ('{"type":"say","id":"b","phrase":"curse"}', ("say", "b")),
        ('{"type":"command","id":"\\u0000","seq":1,"command":{"type":"roll"}}', ("command", None)),
        ('{"type":"shout","id":"c"}', (None, "c")),
        ('{"type":"hint"}', ("hint", None)),
        ('{"type":"mute","person":1000000,"on":true}', ("mute", None)),
        ('{"type":"report","message":1000000,"reason":"spam"}', ("report", None)),
        ('{"type":3,"id":4}', (None, None)),
        ("[]", (None, None)),
        ("{", (None, None)),
    ],
)
def test_t05_an_error_names_the_frame_that_it_answers(voice, magriel, sent, named):
    one = voice(magriel)
    one.resume()
    one.say(sent)
    error = one.hear("error")
    assert (error.get("frame"), error.get("id")) == named


def test_t05_a_binary_frame_closes_with_a_reason(voice, magriel):
    one = voice(magriel)
    one.resume()
    one.socket.send(b"{}")
    assert closed(one) == (1003, "frames are JSON text, not binary")


@pytest.mark.parametrize("name", ["5f0c1d9e-2f43-4f0e-9d7c-0a3c7f6f2b11", "no-uuid", "1", "%00"])
def test_t05_an_id_without_a_table_closes_with_4404(voice, magriel, name):
    assert closed(voice(magriel, table_id=name)) == (4404, "there is no such table")


def test_t05_no_update_comes_before_the_answer_to_the_first_resume(voice, magriel, sitting):
    """A client that has seen nothing receives the snapshot first, then what follows it."""
    one = voice(None)
    one.hear("welcome")
    first = sitting.table.seq
    sitting.turn()
    one.say({"type": "ping", "sent_ms": 1})  # its answer comes after what was published before
    one.hear("pong")
    assert {frame["type"] for frame in one.heard} <= {"welcome", "presence", "pong"}
    snapshot = one.resume()
    assert snapshot["seq"] > first
    sitting.turn()
    assert one.hear("update")["events"][0]["seq"] == snapshot["seq"] + 1


def test_t05_what_is_published_during_the_first_look_follows_it(voice, hilde, sitting):
    one, other = voice(None), voice(hilde)
    one.hear("welcome")
    other.resume()
    view = in_parts(view_frame(sitting.table, sitting.state))
    update = encode(Update(seq=sitting.table.seq, now_ms=1, events=[], view=view))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        one.say({"type": "resume", "since": 0})
        wait_for_a_waiter()
        publish(table_channel(sitting.pk), update)
        other.hear("update")
    one.hear("update")
    told = [frame["type"] for frame in one.heard if frame["type"] in ("snapshot", "update")]
    assert told == ["snapshot", "update"]


def test_t05_the_next_game_is_announced_between_games_alone(sitting):
    sitting.turn()
    sitting.give(0, cmd.Leave())
    assert sitting.state.phase == "over"
    assert sitting.state.next_game_ms is not None, "a table at rest closes by this deadline"
    assert view_frame(sitting.table, sitting.state).next_game_ms is None


@pytest.mark.slow
def test_t07_the_match_is_named_in_every_view(voice, magriel, hilde, sitting):
    match_id = sitting.state.match.id
    assert voice(hilde).resume()["view"]["match_id"] == match_id
    sitting.turn()
    assert json.loads(encode(view_frame(sitting.table, sitting.state)))["match_id"] == match_id
    sitting.give(0, cmd.Leave())
    for seat, user in enumerate((magriel, hilde)):
        table_command(
            table_id=sitting.pk,
            user_id=user.pk,
            command_id=f"again{seat}",
            seen_seq=sitting.table.seq,
            command=cmd.Rematch(),
        )
    rematch = view_frame(sitting.table, sitting.state).match_id
    assert rematch == sitting.state.match.id != match_id
