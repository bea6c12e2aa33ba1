"""Hostile messages change nothing, raise nothing and are answered by type: thousands of them given
to the services, and some over real sockets."""

from random import Random
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed

from backgammon.tests.amounts import amount
from games.live.delivery import FRAMES_BURST
from games.wire import FRAME_BYTES_MAX
from harness.simulator.hostile import HOUSE_ONLY, Siege

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
