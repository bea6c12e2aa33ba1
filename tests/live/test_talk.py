"""Talk at a table over real sockets: its audience, and that hostile text does no harm."""

import time
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed

from games.models import ChatMessage, WordsReport
from games.services.chat import MESSAGES_MAX
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.waiting import WAIT_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

LAST_WORD = "one_moment"


class Talker:
    """A client at the table that has requested the talk."""

    def __init__(self, voice) -> None:
        self.voice = voice
        self.chat = self.ask({"type": "chat"}, "chat")

    def ask(self, frame: dict, *answers: str) -> dict:
        self.voice.say(frame)
        return self.voice.hear(*answers)

    def say(self, text: str, client_id: str | None = None) -> dict:
        return self.speak({"id": client_id or str(uuid4()), "text": text})

    def phrase(self, phrase: str) -> dict:
        return self.speak({"id": str(uuid4()), "phrase": phrase})

    def speak(self, fields: dict) -> dict:
        """Say something and return the answer to it, while others may talk as well."""
        self.voice.say({"type": "say", **fields})
        while True:
            answer = self.voice.hear("said", "unsaid", "error")
            if answer.get("id", fields["id"]) == fields["id"]:
                return answer

    def heard(self) -> list[str]:
        """All messages received so far, up to a last one that this client itself sends.

        Published messages come in order; the answer to the last one may come before it.
        """
        last, deadline = self.phrase(LAST_WORD), time.monotonic() + WAIT_SECONDS
        assert last["type"] == "said", last
        while [f.get("number") for f in self.voice.heard].count(last["number"]) < 2:
            self.voice.hear("said", "presence")
            assert time.monotonic() < deadline, "the last word never came"
        frames = [frame for frame in self.voice.heard if frame["type"] == "said"]
        words = {frame["number"]: frame["text"] or frame["phrase"] for frame in frames}
        return [words[number] for number in sorted(words) if words[number] != LAST_WORD]


@pytest.fixture
def talker(voice):
    return lambda user: Talker(voice(user))


def begin(sitting) -> None:
    """Play past the first roll, so that no player can stand up any more."""
    sitting.turn()


@pytest.mark.slow
def test_players_are_heard_by_all_and_watchers_by_watchers(
    talker, magriel, hilde, tilo, django_user_model, sitting
):
    begin(sitting)
    otto = django_user_model.objects.create_user("otto")
    players, watchers = [talker(magriel), talker(hilde)], [talker(tilo), talker(otto)]
    stranger = talker(None)
    assert watchers[0].say("he must hit")["audience"] == "watchers"
    said = players[0].phrase("good_luck")
    assert (said["audience"], said["seat"], said["author"]["name"]) == ("everybody", 0, "magriel")
    assert players[1].heard() == ["good_luck"]
    assert watchers[1].heard() == ["he must hit", "good_luck"]
    stranger.voice.hear("said")
    assert [f["phrase"] for f in stranger.voice.heard if f["type"] == "said"] == ["good_luck"]
    # later clients read the same, and a player reads nothing of the watchers
    assert [m["text"] for m in talker(hilde).chat["messages"] if m["text"]] == []
    assert "he must hit" in [m["text"] for m in talker(otto).chat["messages"]]
    assert "he must hit" not in [m["text"] for m in talker(None).chat["messages"]]


@pytest.mark.slow
def test_after_the_match_all_talk_together_and_what_was_said_before_stays_where_it_was(
    talker, magriel, tilo, sitting
):
    begin(sitting)
    watcher, player = talker(tilo), talker(magriel)
    watcher.say("during the match")
    sitting.give(1, cmd.Leave())
    assert sitting.state.phase == "over"
    assert watcher.say("after the match")["audience"] == "everybody"
    player.voice.hear("said")
    assert player.heard() == ["after the match"]
    texts = [message["text"] for message in talker(magriel).chat["messages"]]
    assert "after the match" in texts
    assert "during the match" not in texts
    for seat in (0, 1):
        sitting.give(seat, cmd.Rematch())
    assert watcher.say("in the rematch")["audience"] == "watchers"
    assert "in the rematch" not in player.heard()


@pytest.mark.slow
def test_who_watched_and_sits_down_hears_the_watchers_no_more(
    live, voice, talker, magriel, hilde, tilo, sitting
):
    """The old connection is a watcher's: the rule is about the person, not the connection."""
    table = table_open(user=tilo, mode="normal")
    watching, other = voice(hilde, table_id=table.pk), voice(magriel, table_id=table.pk)
    one, two = Talker(watching), Talker(other)
    assert two.say("sit down, hilde")["audience"] == "everybody"
    table_join(user=hilde, table_id=table.pk)
    assert two.say("she plays badly")["audience"] == "watchers"
    assert one.heard() == ["sit down, hilde"]


def test_the_same_id_says_it_once(talker, magriel, hilde, sitting):
    one, other = talker(magriel), talker(hilde)
    first = one.say("hello there", "same")
    again = one.say("something else", "same")
    assert again["number"] == first["number"]
    assert again["text"] == "hello there"
    assert ChatMessage.objects.count() == 1
    assert other.heard() == ["hello there"]


def test_much_in_a_short_time_is_too_much_and_is_said_so(talker, magriel, sitting):
    one = talker(magriel)
    answers = [one.say(f"line {number}") for number in range(MESSAGES_MAX + 1)]
    assert [a["type"] for a in answers] == ["said"] * MESSAGES_MAX + ["unsaid"]
    assert answers[-1]["code"] == "talks_too_fast"
    assert ChatMessage.objects.count() == MESSAGES_MAX


@pytest.mark.parametrize(
    ("fields", "kind", "code"),
    [
        ({"text": "a\u202eb"}, "unsaid", "bad_text"),
        ({"text": " \n "}, "unsaid", "bad_text"),
        ({"text": "x" * 201}, "unsaid", "bad_text"),
        ({"text": "x" * 401}, "error", "bad_frame"),
        ({"phrase": "insult"}, "error", "bad_frame"),
        ({"phrase": "hello", "text": "both"}, "error", "bad_frame"),
        ({}, "error", "bad_frame"),
        ({"text": "x", "audience": "everybody"}, "error", "bad_frame"),
        ({"text": "x", "id": "\x00"}, "error", "bad_frame"),
        ({"text": 7}, "error", "bad_frame"),
    ],
    ids=ascii,
)
def test_hostile_talk_is_answered_by_type_and_stored_nowhere(
    talker, magriel, sitting, fields, kind, code
):
    one = talker(magriel)
    answer = one.ask({"type": "say", "id": "a", **fields}, "said", "unsaid", "error")
    assert (answer["type"], answer["code"]) == (kind, code)
    assert not ChatMessage.objects.exists()


def test_markup_comes_through_as_the_text_it_is(talker, magriel, hilde, sitting):
    one, other = talker(magriel), talker(hilde)
    text = "<img src=x onerror=alert(1)> \"&amp;' </script>"
    one.say(text)
    assert other.heard() == [text]


def test_muting_is_lasting_heard_on_every_page_and_not_told(talker, magriel, hilde, sitting):
    one, page, other = talker(magriel), talker(magriel), talker(hilde)
    other.say("before")
    answer = one.ask({"type": "mute", "person": hilde.pk, "on": True}, "chat")
    assert answer["muted"] == [{"id": hilde.pk, "name": "hilde"}]
    assert answer["messages"] == []
    assert page.voice.hear("chat")["muted"] == answer["muted"]
    assert other.say("loud")["type"] == "said"
    assert page.heard() == ["before"]
    assert {frame["type"] for frame in other.voice.heard} <= {
        "welcome", "presence", "update", "chat", "said",
    }  # fmt: skip
    again = page.ask({"type": "mute", "person": hilde.pk, "on": False}, "chat")
    assert [m["text"] for m in again["messages"] if m["text"]] == ["before", "loud"]


def test_who_reads_set_phrases_only_hears_no_text(talker, magriel, hilde, sitting):
    one, other = talker(magriel), talker(hilde)
    assert one.ask({"type": "free_text", "on": False}, "chat")["free_text"] is False
    other.say("free")
    other.phrase("thanks")
    assert one.heard() == ["thanks"]


def test_a_complaint_keeps_what_it_is_about(talker, magriel, hilde, tilo, sitting):
    one, other = talker(magriel), talker(hilde)
    other.phrase("hello")
    said = other.say("something bad")
    report = {"type": "report", "message": said["number"], "reason": "insult", "words": "see"}
    for _ in range(2):
        assert one.ask(report, "reported", "error") == {
            "type": "reported",
            "message": said["number"],
        }
    kept = WordsReport.objects.get()
    assert (kept.said, kept.author, kept.reporter, kept.words) == (
        "something bad", hilde, magriel, "see",
    )  # fmt: skip
    assert [(row["author"], row["said"]) for row in kept.context] == [("hilde", "[hello]")]
    assert other.ask(report, "reported", "error")["code"] == "no_such_message"  # their own
    wrong = {**report, "message": said["number"] + 1}
    assert one.ask(wrong, "reported", "error")["code"] == "no_such_message"


def test_nobody_complains_about_what_he_could_not_hear(talker, magriel, tilo, sitting):
    begin(sitting)
    said = talker(tilo).say("among us watchers")
    answer = talker(magriel).ask(
        {"type": "report", "message": said["number"], "reason": "spam"}, "reported", "error"
    )
    assert answer["code"] == "no_such_message"


def test_strangers_read_and_say_nothing(talker, sitting):
    stranger = talker(None)
    answer = stranger.say("hello")
    assert (answer["code"], answer["reason"]) == ("may_not_talk", "login")
    for frame in (
        {"type": "mute", "person": 1, "on": True},
        {"type": "free_text", "on": False},
        {"type": "report", "message": 1, "reason": "spam"},
    ):
        assert stranger.ask(frame, "error", "chat", "reported")["code"] == "may_not_talk"


def test_talk_makes_no_view_old(talker, magriel, sitting):
    one = talker(magriel)
    seq = one.voice.resume()["seq"]
    one.say("I roll now")
    assert one.voice.command({"type": "roll"}, seq=seq)["type"] == "accepted"


def test_a_table_without_watchers_is_closed_to_them(live, voice, magriel, hilde, tilo, sitting):
    table = table_open(user=tilo, mode="normal", watchers=False)
    table_join(user=hilde, table_id=table.pk)
    for reader in (magriel, None):
        shut = voice(reader, table_id=table.pk)
        with pytest.raises(ConnectionClosed) as closed:
            shut.resume()
        assert closed.value.rcvd.code == 4403
    player = voice(hilde, table_id=table.pk)
    assert player.resume()["view"]["terms"]["watchers"] is False
    assert Talker(player).phrase("hello")["type"] == "said"
