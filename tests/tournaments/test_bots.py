"""House bots take the seats that are left, and play by themselves until a person must act."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.kinds import kind_move_on
from games.models import BotTurn
from games.services.practice import bot_answer
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.tournaments import called
from ratings.models import RatingChange
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
