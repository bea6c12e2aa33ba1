"""Tournaments for programs: a bot plays a free one from the entry to the end."""

from uuid import uuid4

import pytest

from accounts.models import User
from accounts.tokens import token_make
from games.kinds import kind_move_on
from harness.tournaments import called, knockout, played
from tests.api.conftest import Program


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
