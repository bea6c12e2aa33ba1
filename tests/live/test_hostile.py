"""Answers to frames: hostile ones change nothing, and each says what it answers.
to the services, and some over real sockets."""

import json
from random import Random
from uuid import uuid4

import pytest
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed

from backgammon.tests.amounts import amount
from games.broadcast import publish, table_channel
from games.live.delivery import FRAMES_BURST
from games.selectors import view_frame
from games.services.tables import table_command
from games.table import commands as cmd
from games.wire import FRAME_BYTES_MAX, encode, in_parts
from games.wire.frames import Update
from harness.simulator.hostile import HOUSE_ONLY, Siege
from tests.racing import wait_for_a_waiter

pytestmark = pytest.mark.django_db(transaction=True)


MESSAGES = amount(2_000, long=200_000)

#: every answer that a hostile message may get.
ANSWERS = {
    "bad_frame", "resume", "ping", "not_seated", "match_over", "no_such_table", "stale",
    "wrong_phase", "may_not_double", "not_your_turn", "only_in_practice", "closed: too big",
    "table_full",
}  # fmt: skip


@pytest.mark.slow
def test_hostile_messages_change_nothing(transactional_db):
    answers = Siege(Random(7)).send(MESSAGES)
    assert set(answers) <= ANSWERS
    assert {"bad_frame", "not_seated", "match_over", "no_such_table", "stale"} <= set(answers)


@pytest.mark.slow
def test_hostile_frames_over_a_socket_are_answered_one_by_one(voice, tilo, sitting):
    """Each frame gets one typed answer, and the socket still serves."""
    siege, before = Siege(Random(8)), sitting.table.seq
    asked = 0
    while asked < 60:
        one = voice(tilo)
        one.resume()
        for _ in range(int(FRAMES_BURST) // 2):
            text = siege._message()
            if len(text) > FRAME_BYTES_MAX or b'"resume"' in text or b'"ping"' in text:
                continue
            one.socket.send(text.decode("latin-1"))
            answer = one.hear("error", "rejected")
            assert answer["code"] in {*ANSWERS, "bad_frame"}
            asked += 1
    assert sitting.table.seq == before


@pytest.mark.parametrize("kind", HOUSE_ONLY)
def test_what_only_the_house_may_say_is_no_frame(voice, magriel, sitting, kind):
    one = voice(magriel)
    one.resume()
    one.say({"type": "command", "id": "a", "seq": one.seq, "command": {"type": kind}})
    assert one.hear("error")["code"] == "bad_frame"
    assert sitting.table.seq == one.seq


@pytest.mark.parametrize("command_id", ["\x00", "a\x00b", "\n", "\u2028", "", "x" * 65])
def test_an_id_that_cannot_be_stored_is_no_id(voice, magriel, sitting, command_id):
    one = voice(magriel)
    one.resume()
    one.say({"type": "command", "id": command_id, "seq": 4, "command": {"type": "roll"}})
    assert one.hear("error")["code"] == "bad_frame"
    assert sitting.table.seq == 4


@pytest.mark.slow
def test_out_of_turn_repeated_old_and_after_the_end(voice, magriel, hilde, sitting, dice):
    dice((3, 1))
    one, other = voice(magriel), voice(hilde)
    one.resume()
    other.resume()
    assert other.command({"type": "roll"})["code"] == "not_your_turn"
    command_id = str(uuid4())
    first = one.command({"type": "roll"}, id=command_id)
    assert first["type"] == "accepted"
    assert one.command({"type": "roll"}, id=command_id) == first
    assert one.command({"type": "roll"}, seq=4)["code"] == "stale"
    assert one.command({"type": "roll"}, seq=10**9)["code"] == "stale"
    assert one.command({"type": "play", "moves": []}, seq=first["seq"])["code"] == "illegal_play"
    assert one.command({"type": "leave"})["type"] == "accepted"
    over = sitting.table.seq
    for command in ({"type": "leave"}, {"type": "claim"}, {"type": "take"}):
        assert one.command(command, seq=over)["code"] == "match_over"
    assert sitting.table.seq == over


def test_an_oversized_frame_closes_one_socket_and_no_other(voice, magriel, hilde, sitting):
    one, other = voice(magriel), voice(hilde)
    one.resume()
    other.resume()
    one.say("x" * (FRAME_BYTES_MAX + 1))
    with pytest.raises(ConnectionClosed) as closed:
        one.hear("error")
    assert closed.value.rcvd.code == 1009
    other.say({"type": "ping", "sent_ms": 1})
    assert other.hear("pong")["sent_ms"] == 1


# --- answers --------------------------------------------------------------------------------------
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
