"""A table's WebSocket keeps the promises of docs/protocol.md."""

import time
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from accounts.services import sessions_end
from harness.waiting import WAIT_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


def test_welcome_names_the_seat_and_watchers_have_none(voice, magriel, hilde, tilo):
    seats = [voice(user).hear("welcome")["seat"] for user in (magriel, hilde, tilo, None)]
    assert seats == [0, 1, None, None]


def test_players_and_watchers_hear_every_commit(voice, magriel, hilde, sitting, dice):
    dice((3, 1))
    voices = [voice(magriel), voice(hilde), voice(None)]
    for one in voices:
        one.resume()
    assert voices[0].command({"type": "roll"})["type"] == "accepted"
    updates = []
    for one in voices:
        known = [frame for frame in one.heard if frame["type"] == "update"]
        updates.append(known[0] if known else one.hear("update"))
    assert updates[0] == updates[1] == updates[2]
    assert [event["type"] for event in updates[0]["events"]] == ["dice_rolled"]
    view = updates[0]["view"]
    assert view["dice"] == [3, 1]
    assert view["actions"][0][0] == "play"
    assert view["graph"][0]
    assert [player["name"] for player in view["players"]] == ["magriel", "hilde"]


def test_who_comes_back_gets_the_gap_or_everything(voice, sitting):
    first = voice(None)
    seen = first.resume()["seq"]
    first.socket.close()
    sitting.turn()
    back = voice(None)
    gap = back.resume(since=seen)
    assert gap["type"] == "update"
    assert [event["seq"] for event in gap["events"]] == list(range(seen + 1, gap["seq"] + 1))
    fresh = voice(None).resume(since=0)
    assert fresh["type"] == "snapshot"
    assert fresh["view"] == gap["view"]
    assert voice(None).resume(since=10_000)["type"] == "snapshot"


def test_coming_and_going_is_written_down_and_makes_no_view_old(voice, magriel, hilde, sitting):
    one, other = voice(magriel), voice(hilde)
    one.resume()
    other.resume()
    other.socket.close()
    while one.seq < 5:
        update = one.hear("update")
    assert [event["type"] for event in update["events"]] == ["player_absent"]
    assert update["view"]["absent"] == [False, True]
    # a command on the view before that is not stale
    assert one.command({"type": "roll"}, seq=4)["type"] == "accepted"
    voice(hilde)
    while one.hear("update")["view"]["absent"] != [False, False]:
        pass


@pytest.mark.slow
def test_an_update_equals_a_fresh_fetch(voice, magriel, hilde, sitting):
    listener = voice(hilde)
    listener.resume()
    for _ in range(6):
        sitting.turn()
        while listener.seq < sitting.table.seq:
            update = listener.hear("update")
        fresh = voice(hilde).resume()
        assert update["view"] == fresh["view"]
        assert update["seq"] == fresh["seq"]


def test_a_repeated_command_gets_the_same_answer(voice, magriel, sitting):
    one = voice(magriel)
    one.resume()
    command_id = str(uuid4())
    answers = [one.command({"type": "roll"}, id=command_id, seq=4) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["type"] == "accepted"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "take"}, "wrong_phase"),
        ({"type": "double"}, "may_not_double"),
        ({"type": "ready"}, "wrong_phase"),
        ({"type": "offer_resignation", "level": 1}, "may_not_resign"),
    ],
)
def test_refusals_carry_a_code(voice, magriel, sitting, command, code):
    one = voice(magriel)
    one.resume()
    answer = one.command(command)
    assert (answer["type"], answer["code"]) == ("rejected", code)
    assert sitting.table.seq == 4


def test_watchers_command_nothing(voice, tilo, sitting):
    for user in (tilo, None):
        one = voice(user)
        one.resume()
        assert one.command({"type": "leave"})["code"] == "not_seated"


@pytest.mark.slow
@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type":"dance"}',
        '{"type":"command"}',
        '{"type":"command","id":"","seq":4,"command":{"type":"roll"}}',
        '{"type":"command","id":"' + "x" * 65 + '","seq":4,"command":{"type":"roll"}}',
        '{"type":"command","id":"a","seq":"four","command":{"type":"roll"}}',
        '{"type":"command","id":"a","seq":4,"command":{"type":"give_dice","dice":[6,6],"auto":false}}',
        '{"type":"command","id":"a","seq":4,"command":{"type":"settle"}}',
        '{"type":"command","id":"a","seq":4,"command":{"type":"roll","seat":1}}',
        '{"type":"command","id":"a","seq":4,"command":{"type":"play","moves":[[24,18]]}}',
        '{"type":"resume","since":1e400}',
        '{"type":"resume","since":99999999999999999999999999}',
        "[" * 5000,
    ],
)
def test_what_is_no_frame_is_answered_with_an_error(voice, magriel, sitting, frame):
    one = voice(magriel)
    one.resume()
    one.say(frame)
    assert one.hear("error")["code"] == "bad_frame"
    assert one.command({"type": "roll"})["type"] == "accepted"


def test_a_frame_over_16_kib_closes_the_socket(voice, magriel):
    one = voice(magriel)
    one.resume()
    one.say('{"type":"ping","sent_ms":1' + " " * 17_000 + "}")
    with pytest.raises(ConnectionClosed) as closed:
        one.hear("pong")
    assert closed.value.rcvd.code == 1009


def test_too_many_frames_are_slowed_down(voice, magriel):
    one = voice(magriel)
    for number in range(80):
        one.say({"type": "ping", "sent_ms": number})
    assert one.hear("error")["code"] == "too_fast"


@pytest.mark.parametrize("frame", [{"type": "resume", "since": 0}, {"type": "chat"}])
def test_what_reads_the_whole_table_is_slowed_down_sooner(voice, sitting, frame):
    """A watcher cannot let the house read a table 20 times a second for nothing."""
    watcher, asked = voice(None), 30
    begun = time.monotonic()
    for _ in range(asked):
        watcher.say(frame)
    answers = [watcher.hear("snapshot", "chat", "error") for _ in range(asked)]
    read = sum(answer["type"] != "error" for answer in answers)
    assert 5 <= read <= 9 + 4 * (time.monotonic() - begun)


def test_presence_tells_who_is_there(voice, magriel, hilde):
    one = voice(magriel)
    assert one.hear("presence")["online"] == [True, False]
    other = voice(hilde)
    while one.hear("presence")["online"] != [True, True]:
        pass
    voice(None)
    while one.hear("presence")["watchers"] != 1:
        pass
    other.socket.close()
    while one.hear("presence")["online"] != [True, False]:
        pass


def test_a_table_that_does_not_exist_closes_the_socket(live, voice):
    url = f"{live.replace('http', 'ws')}/ws/table/{uuid4()}/"
    with connect(url, origin=live) as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=WAIT_SECONDS)
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_other_origins_do_not_get_in(voice, magriel, origin):
    with pytest.raises(InvalidStatus):
        voice(magriel, origin=origin)


@pytest.mark.slow
def test_who_logs_out_hears_and_says_nothing_more(voice, magriel, hilde, sitting):
    one, other = voice(magriel), voice(hilde)
    one.resume()
    other.resume()
    sessions_end(magriel)
    with pytest.raises(ConnectionClosed) as closed:
        one.hear("nothing of the kind")
    assert closed.value.rcvd.code == 4401
    assert other.command({"type": "leave"})["type"] == "accepted"
