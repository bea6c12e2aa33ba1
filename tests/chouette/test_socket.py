"""The socket of a chouette: welcome, resume, views for the reader, commands that count once."""

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
from harness.chouettes import Hands, at_random
from harness.voice import ViewVoice, socket_of

Json = dict[str, Any]


@pytest.fixture
def wire(live: str) -> Iterator[Callable[..., ViewVoice]]:
    """`wire(circle, person)` is a socket of theirs; of None, one without a login."""
    opened = ExitStack()

    def follow(circle: object, person: User | None, **headers: str) -> ViewVoice:
        socket = socket_of(person, live, circle, kind="chouette", **headers)
        return ViewVoice(opened.enter_context(socket))

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
