"""The socket of a chouette: welcome, resume, views for the reader, commands that count once."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from accounts.models import User
from accounts.scopes import Scope
from accounts.tokens import token_make
from backgammon.dice.chain import chain_tip
from games.chouette.models import Circle, Game
from games.chouette.pace import PAUSE_MS
from games.chouette.services.store import state_of
from games.wire import encode
from harness.chouettes import Hands, at_random
from harness.voice import ViewVoice, client_at, mistakes, server_at, socket_of, spoiled

Json = dict[str, Any]
AT_CHOUETTE = server_at("chouette")
MARKS = ("seq", "now_ms")


@pytest.fixture
def wire(live: str) -> Iterator[Callable[..., ViewVoice]]:
    """`wire(circle, person)` is a socket of theirs; of None, one without a login."""
    opened = ExitStack()

    def follow(circle: object, person: User | None, **headers: str) -> ViewVoice:
        socket = socket_of(person, live, circle, kind="chouette", **headers)
        return ViewVoice(opened.enter_context(socket), "chouette")

    with opened:
        yield follow


def at_the_first_double(hands: Hands) -> None:
    """Begin a game and go on until its members decide about doubles."""
    hands.begin()
    while state_of(hands.row()).phase != "team_decides":
        hands.step(at_random(random.Random(7), doubles=0))


def test_a_command_counts_once_and_everybody_sees_their_view(wire, people):
    hands = Hands(people(3))
    at_the_first_double(hands)
    one, two = state_of(hands.row()).game.active[:2]
    mine, other, stranger = (
        wire(hands.circle.pk, each) for each in (hands.players[one], hands.players[two], None)
    )
    view = mine.resume()
    assert (view["me"], view["actions"]["decide"]) == (one, {"value": 1})
    assert other.resume()["me"] == two
    assert stranger.resume()["actions"] == {}
    decide = {"type": "decide", "turn": view["turn"], "doubles": True}
    answer = mine.command("once", view["seq"], **decide)
    assert (answer["type"], answer["seq"]) == ("accepted", view["seq"] + 1)
    assert mine.command("once", view["seq"], **decide)["type"] == "accepted"
    assert mine.command("twice", view["seq"], **decide)["code"] == "not_your_turn"
    seen = {
        follower: follower.sees(lambda each: each["seq"] > view["seq"])
        for follower in (mine, other, stranger)
    }
    for follower, choice in ((mine, True), (other, None), (stranger, None)):
        (cube,) = (each for each in seen[follower]["cubes"] if each["player"] == one)
        assert (cube["state"], cube["my_choice"]) == ("decided", choice)


def test_refusals_have_a_code_and_change_nothing(wire, people):
    hands = Hands(people(3))
    player = next(iter(hands.players.values()))
    mine, stranger = wire(hands.circle.pk, player), wire(hands.circle.pk, None)
    seq = mine.welcome["seq"]
    assert stranger.command("a", seq, type="sit")["code"] == "not_seated"
    play = {"type": "play", "turn": 99, "moves": []}
    assert mine.command("b", seq, **play)["code"] == "stale"
    mine.send(type="command", id="c", seq=seq, command={"do": "start"})
    assert mine.hear("error")["code"] == "bad_frame"
    mine.send(type="ping", sent_ms=5)
    pong = mine.hear("pong")
    assert (pong["sent_ms"], pong["seq"]) == (5, seq)
    assert Circle.objects.get().seq == seq


def test_who_leaves_as_the_last_one_has_the_same_answer_again(wire, people):
    (alone,) = people(1)
    hands = Hands([alone])
    mine = wire(hands.circle.pk, alone)
    seq = mine.welcome["seq"]
    first = mine.command("go", seq, type="stand_up")
    assert first["type"] == "accepted"
    assert mine.command("go", seq, type="stand_up") == first
    assert mine.command("back", seq, type="sit")["code"] == "chouette_closed"


def test_a_copy_that_comes_late_has_the_same_answer_and_changes_nothing(wire, people):
    one, two = people(2)
    circle = Hands([one]).circle
    mine = wire(circle.pk, two)
    seq = mine.welcome["seq"]
    sat = mine.command("sit", seq, type="sit")
    gone = mine.command("go", seq, type="stand_up")
    assert (sat["type"], gone["type"]) == ("accepted", "accepted")
    assert mine.command("sit", seq, type="sit") == sat
    assert state_of(Circle.objects.get()).people == (one.pk,)
    refused = mine.command("early", seq, type="play", turn=1, moves=[])
    assert refused["code"] == "stale"
    mine.command("sit again", seq, type="sit")
    other = wire(circle.pk, two)
    assert other.command("go", seq, type="stand_up") == gone
    assert other.command("early", seq, type="play", turn=1, moves=[]) == refused
    assert state_of(Circle.objects.get()).people == (one.pk, two.pk)


@pytest.mark.slow
def test_a_table_goes_on_by_itself_while_somebody_follows_it(wire, people):
    hands = Hands(people(3))
    mine = wire(hands.circle.pk, next(iter(hands.players.values())))
    mine.resume()
    mine.command("now", mine.welcome["seq"], type="start")
    begun = mine.sees(lambda view: view["game"] == 1)
    assert begun["fair"]["mode"] == "L"
    assert Game.objects.count() == 1
    assert mine.sees(lambda view: view["dice"] or view["roll_off"])


def test_parts_in_the_dice_are_frames_of_their_own(wire, people):
    hands = Hands(people(3))
    hands.later(PAUSE_MS)
    hands.later(-600_000)  # the first roll waits for the parts
    game = Game.objects.get()
    mine = wire(hands.circle.pk, hands.players[game.box_id])
    fair = mine.resume()["fair"]
    tip = chain_tip(game.id.bytes, b"W", bytes(32)).hex()
    mine.send(type="dice_tip", game=fair["game"], value=tip)
    assert mine.sees(lambda view: view["fair"]["given"][0])["fair"]["given"] == [tip, None]
    mine.send(type="dice_element", game=fair["game"], n=7, element="ab" * 32)
    assert mine.hear("error")["code"] == "dice_refused"


def shown(hands: Hands, reader: int | None) -> Json:
    """The frame with the view of this reader, as it is sent."""
    view = json.loads(encode(hands.view(reader)))
    return {"type": "snapshot", **{name: view[name] for name in MARKS}, "log": [], "view": view}


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [{"lone_taker": "beavers", "consulting": "always"}, {"rate_cents": 10, "cubes": "one"}],
    ids=["a cube each", "one cube, for credits"],
)
def test_every_view_of_a_game_has_the_fields_of_the_schema(people, rules):
    hands, chance = Hands(people(4, 10_000), **rules), random.Random(3)
    hands.begin()
    for _ in range(40):
        seen = [shown(hands, None)]
        seen += [shown(hands, player) for player in seen[0]["view"]["waits_for"]]
        assert [mistakes(frame, AT_CHOUETTE) for frame in seen] == [[]] * len(seen)
        if seen[0]["view"]["phase"] == "between_games":
            break
        hands.step(at_random(chance, doubles=0.5))


def test_no_field_of_a_view_may_be_another_one(people):
    hands = Hands(people(3))
    at_the_first_double(hands)
    frame = shown(hands, state_of(hands.row()).game.active[0])
    assert mistakes(frame, AT_CHOUETTE) == []
    assert mistakes({**frame, "view": {**frame["view"], "more": 1}}, AT_CHOUETTE)
    for view in spoiled(frame["view"]):
        assert mistakes({**frame, "view": view}, AT_CHOUETTE), view
    for name in frame["view"]:
        less = {each: value for each, value in frame["view"].items() if each != name}
        assert mistakes({**frame, "view": less}, AT_CHOUETTE), name


@pytest.mark.parametrize(
    "command", [{"type": "decide", "turn": 1, "doubles": True}, {"type": "decide", "turn": 1}]
)
def test_the_schema_and_the_socket_take_the_same_commands(wire, people, command):
    (one,) = people(1)
    mine = wire(Hands([one]).circle.pk, one)
    frame = {"type": "command", "id": "a", "seq": 0, "command": command}
    answer = mine.command("a", **command)
    assert bool(mistakes(frame, client_at("chouette"))) == (answer["type"] == "error")


def test_a_token_follows_with_its_scopes(wire, people):
    (one,) = people(1)
    robo = User.objects.create_user("robo", is_bot=True)
    circle = Hands([one]).circle
    reader = wire(circle.pk, robo, Authorization=f"Bearer {token_make(robo, scopes=[Scope.READ])}")
    assert reader.resume()["me"] == robo.pk
    assert reader.command("sit", circle.seq, type="sit")["code"] == "scope_missing"
    both = [Scope.READ, Scope.PLAY]
    player = wire(circle.pk, robo, Authorization=f"Bearer {token_make(robo, scopes=both)}")
    player.resume()
    assert player.command("sit", circle.seq, type="sit")["type"] == "accepted"
    assert reader.sees(lambda view: len(view["people"]) == 2)
    wallet = {"Authorization": f"Bearer {token_make(robo, scopes=[Scope.WALLET])}"}
    with pytest.raises(InvalidStatus):
        wire(circle.pk, robo, **wallet)
