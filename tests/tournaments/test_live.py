"""The sockets of tournaments: who may open them, when their frames come, and how many."""

import asyncio
import json
import time
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client
from django.urls import reverse
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts.models import User
from accounts.scopes import Scope
from accounts.services import user_disable
from accounts.tokens import token_make
from games.live.delivery import CLOSE_LOGGED_OUT, CLOSE_NO_TABLE, CLOSE_TOO_MANY
from games.live.places import ENTRY_SECONDS, SOCKETS_MAX, places_key
from harness.logins import session_cookie
from harness.tournaments import called, knockout, played
from harness.voice import ViewVoice, mistakes, server_at, socket_of, spoiled
from harness.waiting import WAIT_SECONDS
from tests.api.conftest import Program
from tests.live.conftest import close_code
from tournaments.engine.terms import TournamentTerms
from tournaments.live import Calm
from tournaments.models import Entry, Tournament
from tournaments.services.clubs import club_found, club_join
from tournaments.services.entering import meeting_ready, tournament_enter, tournament_withdraw
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on

AT_TOURNAMENT = server_at("tournament")


def opened(live: str, where: str, user: User | None = None, **headers: str) -> ClientConnection:
    """A socket as a page opens it, or a program with a token among the headers."""
    if user is not None:
        headers["Cookie"] = "=".join(session_cookie(user))
    origin: Any = None if "Authorization" in headers else live
    address = f"{live.replace('http', 'ws')}/ws/{where}/"
    return connect(address, additional_headers=headers, origin=origin, open_timeout=WAIT_SECONDS)


def at(tournament: Tournament) -> str:
    return f"tournament/{tournament.pk}"


def received(socket: ClientConnection) -> dict[str, Any]:
    """The next frame after the welcome."""
    while (frame := dict(json.loads(socket.recv(timeout=WAIT_SECONDS))))["type"] == "welcome":
        pass
    return frame


def test_visitors_receive_an_entry_at_the_tournament_and_in_the_calendar(live, people):
    (one,) = people(1, 0)
    tournament = knockout(4)
    with opened(live, at(tournament)) as page, opened(live, "tournaments") as calendar:
        assert received(page) == {"type": "changed", "seq": 0}
        assert received(calendar) == {"type": "changed"}
        tournament_enter(user=one, tournament_id=tournament.pk)
        assert received(page) == {"type": "changed", "seq": 1}
        assert received(calendar) == {"type": "changed"}


def test_a_new_connection_begins_with_the_newest_number(live, people):
    one, two = people(2, 0)
    tournament = knockout(4)
    with opened(live, at(tournament), one) as page:
        assert received(page)["seq"] == 0
    tournament_enter(user=one, tournament_id=tournament.pk)
    with opened(live, at(tournament), one) as page:
        assert received(page)["seq"] == 1
        tournament_enter(user=two, tournament_id=tournament.pk)
        assert received(page)["seq"] == 2


def test_the_last_of_many_changes_arrives(live, people, monkeypatch):
    monkeypatch.setattr("tournaments.live.PAUSE_SECONDS", 0.2)
    players = people(8, 0)
    tournament = knockout(8)
    with opened(live, at(tournament)) as page:
        heard = [received(page)["seq"]]
        for player in players:
            tournament_enter(user=player, tournament_id=tournament.pk)
        while heard[-1] < len(players):
            heard.append(received(page)["seq"])
        assert heard == sorted(set(heard))


def test_many_changes_are_one_frame_but_a_player_has_their_call_at_once(live, people, monkeypatch):
    monkeypatch.setattr("tournaments.live.PAUSE_SECONDS", 3600)
    players = people(4, 0)
    tournament = knockout(4)
    with opened(live, at(tournament), players[0]) as page:
        assert received(page)["seq"] == 0
        for player in players:
            tournament_enter(user=player, tournament_id=tournament.pk)
        assert received(page)["seq"] == 1
        tournament_move_on(tournament.pk)  # the call ends the pause of an hour
        assert [received(page)["seq"] for _ in range(2)] == [4, 7]
        meeting = next(each for each in tournament.meetings.all() if players[0].pk in each.players)
        for player in (meeting.player_0, meeting.player_1):
            meeting_ready(user=player, tournament_id=tournament.pk)
        assert received(page)["seq"] == 7, "the table is open"
        call = Program(players[0]).get(f"tournaments/{tournament.pk}/").json()["call"]
        assert call["table"]


def test_who_may_see_the_page_may_follow_it_also_where_only_members_enter(live, people):
    director, member, stranger = people(3, 0)
    club = club_found(user=director, name="Open")
    club_join(user=member, club_id=club.pk)
    tournament = tournament_hold(
        founder=director,
        name="Among us",
        terms=TournamentTerms("knockout", length=1, least=4, most=4),
        club=club,
        members_only=True,
    )
    for user in (director, member, stranger, None):
        client = Client()
        if user is not None:
            client.force_login(user)
        page = client.get(reverse("tournament", args=[tournament.pk])).status_code
        with opened(live, at(tournament), user) as socket:
            assert (page, received(socket)) == (200, {"type": "changed", "seq": 0})
        if user is not None:
            assert Program(user).get(f"tournaments/{tournament.pk}/").status_code == page
    nowhere = Tournament()
    assert Client().get(reverse("tournament", args=[nowhere.pk])).status_code == 404
    with opened(live, at(nowhere), director) as socket:
        assert close_code(socket) == CLOSE_NO_TABLE


def test_a_token_follows_tournaments_if_it_may_read(live):
    robo = User.objects.create_user("robo", is_bot=True)
    tournament = knockout(4)
    for scope in Scope.values:
        header = {"Authorization": f"Bearer {token_make(robo, scopes=[scope])}"}
        for where in (at(tournament), "tournaments"):
            if scope == Scope.READ:
                with opened(live, where, **header) as socket:
                    assert received(socket)["type"] == "changed"
                continue
            with pytest.raises(InvalidStatus) as refused:
                opened(live, where, **header)
            assert refused.value.response.status_code == 403


def test_the_end_of_a_login_closes_both_sockets(live, people):
    (one,) = people(1, 0)
    tournament = knockout(4)
    with opened(live, at(tournament), one) as page, opened(live, "tournaments", one) as calendar:
        for socket in (page, calendar):
            received(socket)
        user_disable(one)
        assert [close_code(page), close_code(calendar)] == [CLOSE_LOGGED_OUT] * 2


def test_the_sockets_count_among_those_of_a_person(live, people):
    (one,) = people(1, 0)
    tournament = knockout(4)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        ends = time.time() + ENTRY_SECONDS
        client.zadd(places_key(one.pk), {f"elsewhere-{n}": ends for n in range(SOCKETS_MAX - 1)})
    with opened(live, at(tournament), one) as page:
        assert received(page)["seq"] == 0
        with opened(live, "tournaments", one) as refused:
            assert close_code(refused) == CLOSE_TOO_MANY


def test_a_client_that_resumes_speaks_the_protocol_of_the_tables(live, people):
    one, two = people(2, 0)
    tournament = knockout(4)

    def whole() -> Any:
        return Program(one).get(f"tournaments/{tournament.pk}/").json()

    with socket_of(one, live, tournament.pk, kind="tournament") as socket:
        client = ViewVoice(socket, "tournament")
        assert client.hear("changed")["seq"] == 0
        view = client.resume()
        assert view == {**whole(), "now_ms": view["now_ms"]}
        accepted = client.command("a", type="enter")
        assert (accepted["type"], accepted["seq"]) == ("accepted", 1)
        assert client.sees(lambda view: view["entered"])["seq"] == 1
        assert client.command("a", type="enter") == accepted, "repeated, it changes nothing"
        assert client.command("b", type="come")["code"] == "not_seated"
        tournament_enter(user=two, tournament_id=tournament.pk)
        view = client.sees(lambda view: view["seq"] == 2)
        assert view == {**whole(), "now_ms": view["now_ms"]}
        client.send(type="ping", sent_ms=1)
        assert client.hear("pong")["seq"] == 2
        assert client.command("c", type="withdraw")["seq"] == 3
        assert client.command("d", type="win")["code"] == "bad_frame"


def test_every_frame_of_a_tournament_is_in_the_schema(live, people, dice, monkeypatch):
    monkeypatch.setattr("tournaments.live.PAUSE_SECONDS", 0.0)
    players = people(4, 0)
    tournament = knockout(4)
    phases = ["registering", "running", "over"]
    views = []
    with socket_of(players[0], live, tournament.pk, kind="tournament") as socket:
        client = ViewVoice(socket, "tournament")
        views.append(client.resume())
        for player in players:
            tournament_enter(user=player, tournament_id=tournament.pk)
        tournament_move_on(tournament.pk)
        views.append(client.sees(lambda view: view["call"]))
        while meetings := called(tournament):
            for meeting in meetings:
                played(meeting, meeting.player_0)
        views.append(client.sees(lambda view: view["phase"] == "over"))
    assert [view["phase"] for view in views] == phases
    for view in views:
        frame = {"type": "snapshot", "seq": view["seq"], "now_ms": 1, "log": [], "view": view}
        assert mistakes(frame, AT_TOURNAMENT) == []
        assert mistakes({**frame, "view": {**view, "more": 1}}, AT_TOURNAMENT)
        for other in spoiled(view):
            assert mistakes({**frame, "view": other}, AT_TOURNAMENT), other


def test_a_copy_that_comes_late_has_the_same_answer_and_changes_nothing(live, people):
    one, *others = people(5, 0)
    tournament = knockout(4)

    def given(name: str, **command: Any) -> dict[str, Any]:
        """The answer on a new connection."""
        with socket_of(one, live, tournament.pk, kind="tournament") as socket:
            return ViewVoice(socket, "tournament").command(name, **command)

    entered = given("in", type="enter")
    gone = given("out", type="withdraw")
    assert (entered["seq"], gone["seq"]) == (1, 2)
    assert given("in", type="enter") == entered
    assert not Entry.objects.filter(user=one, withdrawn_at=None).exists()
    assert given("back", type="enter")["seq"] == 3
    assert given("out", type="withdraw") == gone
    assert Entry.objects.filter(user=one, withdrawn_at=None).exists()
    assert given("off", type="withdraw")["seq"] == 4
    for other in others:
        tournament_enter(user=other, tournament_id=tournament.pk)
    full = given("late", type="enter")
    assert full["code"] == "full"
    tournament_withdraw(user=others[0], tournament_id=tournament.pk)
    assert given("late", type="enter") == full, "a refusal is the answer, too"
    assert not Entry.objects.filter(user=one, withdrawn_at=None).exists()


def test_commands_to_a_tournament_take_a_login_and_the_scope(live):
    robo = User.objects.create_user("robo", is_bot=True)
    tournament = knockout(4)
    reading = {"Authorization": f"Bearer {token_make(robo, scopes=[Scope.READ])}"}
    for headers, code in (({}, "not_seated"), (reading, "scope_missing")):
        with socket_of(None, live, tournament.pk, kind="tournament", **headers) as socket:
            assert ViewVoice(socket, "tournament").command("a", type="enter")["code"] == code
    assert not Entry.objects.filter(tournament=tournament).exists()


# --- the pace of frames ---------------------------------------------------------------------------
def test_a_frame_that_a_call_hurries_comes_before_the_next_one() -> None:
    assert asyncio.run(_hurried(slow=False)) == ["1", "2", "3"]


def test_a_client_that_reads_slowly_receives_them_in_order() -> None:
    assert asyncio.run(_hurried(slow=True)) == ["1", "2", "3"]


async def _hurried(*, slow: bool) -> list[str]:
    """The frames that were sent: the second waits until it is hurried, the third comes at once."""
    sent: list[str] = []
    read = asyncio.Event()

    async def send(text: str) -> None:
        if slow and text == "2":
            await read.wait()
        sent.append(text)

    calm = Calm(send)
    await calm.take("1")
    await calm.take("2")
    calm.hurry()
    asyncio.get_running_loop().call_later(0.01, read.set)
    await calm.take("3")
    async with asyncio.timeout(5):
        while len(sent) < 3:
            await asyncio.sleep(0)
    calm.end()
    return sent
