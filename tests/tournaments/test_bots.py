"""Bots and programs in tournaments: they take seats, enter, and play by themselves."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.tokens import token_make
from games.kinds import kind_move_on
from games.models import BotTurn
from games.services.practice import bot_answer
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.tournaments import called, knockout, played
from ratings.models import RatingChange
from tests.api.conftest import Program
from tests.tournaments.test_pages import client_of
from tournaments.models import Entry, Phase, Tournament
from tournaments.services import offering
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.offering import bots_fill, offers_keep


def bots_play() -> None:
    """Let every bot answer that is awaited."""
    for table in list(BotTurn.objects.values_list("table_id", flat=True)):
        for _ in range(40):
            if not bot_answer(table_id=table):
                break


def test_bots_fill_the_seats_once_a_person_has_waited(people, monkeypatch):
    offers_keep()
    tournament = Tournament.objects.get(offer="bots-1")
    assert bots_fill() == 0
    (one,) = people(1, 0)
    tournament_enter(user=one, tournament_id=tournament.pk)
    assert bots_fill() == 0
    monkeypatch.setattr(offering, "BOTS_WAIT", timedelta())
    assert timezone.now() > Entry.objects.get().entered_at
    assert bots_fill() == 3
    kind_move_on("tournament")
    tournament.refresh_from_db()
    assert tournament.phase == Phase.RUNNING
    assert offers_keep() == 1  # the next one opens
    text = client_of(one).get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert text.count('<span class="player-elo">1500</span>') == 1  # bots have no rating
    assert "1 point · without the cube" in text


@pytest.mark.slow
def test_a_person_plays_a_tournament_among_bots_to_its_end(people, monkeypatch):
    monkeypatch.setattr(offering, "BOTS_WAIT", timedelta())
    offers_keep()
    tournament = Tournament.objects.get(offer="bots-1")
    (one,) = people(1, 0)
    tournament_enter(user=one, tournament_id=tournament.pk)
    bots_fill()
    kind_move_on("tournament")
    bots_play()
    kind_move_on("tournament")
    (mine,) = [meeting for meeting in called(tournament) if one.pk in meeting.players]
    assert mine.table is None  # a bot is always there, the person is not yet
    meeting_ready(user=one, tournament_id=tournament.pk)
    mine.refresh_from_db()
    assert mine.table is not None
    seats = tuple(type(one).objects.get(pk=player) for player in mine.players)
    sitting = Sitting(mine.table, seats)
    me = mine.players.index(one.pk)
    for _ in range(30):  # until there are dice on the board
        bots_play()
        if sitting.state.match.rolls:
            break
        if sitting.state.decider == me:
            sitting.give(me, cmd.Roll())
    sitting.give(me, cmd.Leave())
    for _ in range(4):
        kind_move_on("tournament")
        bots_play()
    tournament.refresh_from_db()
    assert tournament.phase == Phase.OVER
    assert Entry.objects.get(user=one).first_place == 3
    assert not RatingChange.objects.exists()


# --- the interface for programs -------------------------------------------------------------------
def test_four_programs_play_a_free_tournament(people, dice):
    players = people(4, 0)
    tournament = knockout(4)
    programs = {player.username: Program(player) for player in players}
    one = programs["player0"]
    (row,) = one.get("tournaments/").json()
    assert (row["id"], row["taken"], row["entered"]) == (str(tournament.pk), 0, False)
    assert row["variant"] == "backgammon", "a program knows what it will play"
    for program in programs.values():
        answer = program.post(f"tournaments/{row['id']}/enter/", {"part": "ab" * 16})
        assert answer.status_code == 200
        assert answer.json()["entered"] is True
    kind_move_on("tournament")
    found = one.get(f"tournaments/{row['id']}/").json()
    assert found["phase"] == "running"
    assert (found["variant"], found["table_terms"]["variant"]) == ("backgammon", "backgammon")
    assert found["call"]["table"] is None
    one.post(f"tournaments/{row['id']}/ready/")
    opponent = programs[found["call"]["opponent"]]
    opened = opponent.post(f"tournaments/{row['id']}/ready/").json()["call"]
    assert opened["table"] == one.get(f"tournaments/{row['id']}/").json()["call"]["table"]
    while meetings := called(tournament):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    found = one.get(f"tournaments/{row['id']}/").json()
    assert found["phase"] == "over"
    assert [each["first_place"] for each in found["standing"]] == [1, 2, 3, 3]
    assert found["call"] is None
    assert one.get("tournaments/").json() == []


def test_refusals_have_codes(people):
    (poor,) = people(1, 100)
    program, tournament = Program(poor), knockout(4, 250)
    address = f"tournaments/{tournament.pk}"
    refused = program.post(f"{address}/enter/", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "insufficient_credits")
    refused = program.post(f"{address}/enter/", {"part": "xy"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    refused = program.post(f"{address}/withdraw/")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_entered")
    assert program.post(f"{address}/ready/").json()["code"] == "not_seated"
    for verb in ("enter/", "withdraw/", "ready/"):
        assert program.post(f"tournaments/{uuid4()}/{verb}", {}).status_code == 404
    assert program.get(f"tournaments/{uuid4()}/").status_code == 404


@pytest.mark.django_db
def test_a_bot_enters_with_the_scope_of_tables(client):
    bot = User.objects.create_user("bot", is_bot=True)
    free = knockout(4)
    token = token_make(bot, scopes=["read"])
    headers = {"Authorization": f"Bearer {token}"}
    address = f"/api/v1/tournaments/{free.pk}/enter/"
    asked = client.post(address, {}, content_type="application/json", headers=headers)
    assert (asked.status_code, asked.json()["code"]) == (403, "scope_missing")
    token = token_make(bot)
    headers = {"Authorization": f"Bearer {token}"}
    asked = client.post(address, {}, content_type="application/json", headers=headers)
    assert asked.json()["entered"] is True
