"""Pages of tournaments, from the empty calendar to the podium."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from accounts.roles import Role, role_give
from fairplay.leavers import FAULTS
from games.models import Match
from games.services.dice.keys import draw_show
from harness.tournaments import called, entered, knockout, played
from tests.tournaments.test_audit import guards_off
from tests.tournaments.test_satellites import by_place, target_of, won_by_the_first
from tournaments.engine.draws import commitment_of, seed_of, shuffled
from tournaments.engine.formats import FORMATS
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Entry, Phase, Tournament
from tournaments.services.entering import tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.offering import offers_keep
from tournaments.services.running import tournament_move_on


def draw_faults(draw: dict[str, Any]) -> list[str]:
    """List the faults of a draw in this form; none if it follows from secret and parts."""
    faults = []
    secret, entrants = draw["secret"] or "", draw["entrants"]
    if commitment_of(secret) != draw["commitment"]:
        faults.append("the secret is not the one that was sealed")
    if seed_of(secret, [(each["number"], each["part"]) for each in entrants]) != draw["seed"]:
        faults.append("the seed does not follow from the secret and the parts")
    players = [each["player"] for each in entrants]
    if list(shuffled(players, draw["seed"] or "", "order")) != draw["order"]:
        faults.append("the order does not follow from the seed")
    return faults


def client_of(user=None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(client, tournament, **headers):
    answer = client.get(reverse("tournament", args=[tournament.pk]), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def act(client, tournament, wish, **more):
    address = reverse("tournament_act", args=[tournament.pk])
    return client.post(address, {"wish": wish, **more}, follow=True).content.decode()


def test_the_calendar_shows_the_sit_and_gos_of_the_house(people):
    (one,) = people(1)
    assert "Nothing is announced" in client_of().get("/tournaments/").content.decode()
    assert offers_keep() == 6
    assert offers_keep() == 0
    text = client_of(one).get("/tournaments/").content.decode()
    assert "8 players, 3 points, for credits" in text
    assert "Take a seat · 2.50" in text
    for tab in ("running", "finished", "mine", "nonsense"):
        assert client_of(one).get(f"/tournaments/?tab={tab}").status_code == 200


@pytest.mark.parametrize("tab", ["coming", "running", "mine"])
def test_more_tournaments_are_no_more_queries_and_no_people_are_read_for_them(people, tab):
    (one,) = people(1)
    client, counts = client_of(one), []
    for _number in range(2):
        for phase in (Phase.REGISTERING, Phase.RUNNING):
            tournament = knockout(4, 0)
            tournament_enter(user=one, tournament_id=tournament.pk)
            Tournament.objects.filter(pk=tournament.pk).update(phase=phase)
        client.get("/tournaments/", {"tab": tab})
        with CaptureQueriesContext(connection) as asked:
            text = client.get("/tournaments/", {"tab": tab}).content.decode()
        lists = [query["sql"] for query in asked if "satellite_of" in query["sql"]]
        assert lists
        assert not [sql for sql in lists if "accounts_user" in sql]
        counts.append((text.count("data-tournament"), len(asked)))
    (few, asked_few), (more, asked_more) = counts
    assert more > few
    assert asked_more == asked_few


def test_the_seats_of_a_card_are_those_of_the_moment(people):
    one, two = people(2)
    tournament = knockout(4, 0)
    for person, taken in ((one, 1), (two, 2)):
        tournament_enter(user=person, tournament_id=tournament.pk)
        text = client_of(one).get("/tournaments/").content.decode()
        assert f"{taken} of 4" in text
        assert text.count('<i class="taken"></i>') == taken


def test_entering_and_withdrawing_by_the_page(people):
    one, *_others = people(4)
    tournament, client = knockout(4, 250), client_of(one)
    assert "Enter for 2.50" in page(client, tournament)
    part = "ab" * 16
    assert "You have entered" in act(client, tournament, "enter", part=part)
    assert Entry.objects.get(user=one).part == part
    assert "Withdraw (2.50" in page(client, tournament)
    assert "Enter for 2.50" in act(client, tournament, "withdraw")


def test_the_wallet_names_fees_and_prizes(people):
    (one,) = people(1)
    client, tournament = client_of(one), knockout(4, 250)
    act(client, tournament, "enter")
    act(client, tournament, "withdraw")
    text = client.get("/wallet/").content.decode()
    assert "Entry fee into escrow" in text
    assert "Entry fee returned" in text
    assert reverse("tournament", args=[tournament.pk]) in text


def test_refusals_are_said_in_words(people):
    (poor,) = people(1, 100)
    tournament = knockout(4, 250)
    client = client_of(poor)
    assert "You do not have enough credits for this entry fee." in page(client, tournament)
    assert "You do not have enough credits" in act(client, tournament, "enter")
    assert "No match of yours is called" in act(client, tournament, "ready")
    assert "You have not entered." in act(client, tournament, "withdraw")
    assert "a part in the draw" not in act(client, tournament, "enter", part="xyz")
    assert not Entry.objects.exists()


def test_a_tournament_on_its_page_from_the_call_to_the_podium(people, dice):
    players = people(4)
    tournament = knockout(4, 250)
    entered(tournament, players)
    clients = {player.pk: client_of(player) for player in players}
    one, two = called(tournament)
    for meeting in (one, two):
        text = page(clients[meeting.player_0_id], tournament)
        assert f"Your match against {meeting.player_1.username}" in text
        assert "To the match" in text
        assert meeting.player_1.username in page(clients[meeting.player_0_id], tournament)
    everywhere = clients[one.player_0_id].get("/rules/").content.decode()
    assert "your match against" in everywhere
    act(clients[one.player_0_id], tournament, "ready")
    waiting = page(clients[one.player_0_id], tournament)
    assert "The table opens when they come" in waiting
    act(clients[one.player_1_id], tournament, "ready")
    one.refresh_from_db()
    forwarded = clients[one.player_0_id].get(
        reverse("tournament", args=[tournament.pk]), {"waits": 1}, headers={"HX-Request": "true"}
    )
    assert forwarded.headers["HX-Redirect"] == reverse("table", args=[one.table_id])
    played(one, one.player_0)
    assert "You’re out of the tournament." in page(clients[one.player_1_id], tournament)
    played(two, two.player_0)
    (final,) = called(tournament)
    played(final, final.player_0)
    text = page(clients[final.player_0_id], tournament)
    assert "Place 1 of 4" in text
    assert "Final standing" in text
    assert "+3.80" in text
    assert "Place 3–4 of 4" in page(clients[one.player_1_id], tournament)
    assert "Final standing" in page(client_of(), tournament)


def test_points_beyond_the_length_are_not_shown(people, dice):
    tournament = knockout(4)
    entered(tournament, people(4))
    one, _two = called(tournament)
    played(one, one.player_0)
    Match.objects.filter(pk=one.match_id).update(score=[3, 0], ending="borne_off")  # a backgammon
    text = page(client_of(), tournament)
    assert re.findall(r'side-score num">(\d)<', text) == ["1", "0"]


@pytest.mark.parametrize("ending", FAULTS)
def test_a_match_that_was_given_up_says_so_instead_of_a_score(people, dice, ending):
    tournament = knockout(4)
    entered(tournament, people(4))
    one, _two = called(tournament)
    played(one, one.player_0)
    Match.objects.filter(pk=one.match_id).update(ending=ending)
    text = page(client_of(), tournament)
    assert re.findall(r'side-score num">([^<]*)<', text)[:2] == ["", "forfeit"]


def test_what_cannot_happen_is_not_explained(people):
    full = page(client_of(), knockout(8, 250))
    announced = page(client_of(), with_a_time(250))
    for sentence in ("byes in round 1", "With fewer players", "With too few players"):
        assert sentence not in full
        assert sentence in announced


def with_a_time(fee_cents):
    terms = TournamentTerms("knockout", length=3, least=4, most=8)
    starts_at = timezone.now() + timedelta(hours=1)
    return tournament_hold(
        founder=None, name="Sunday", terms=terms, fee_cents=fee_cents, starts_at=starts_at
    )


def test_nothing_is_sent_again_while_nothing_changes(people):
    tournament = knockout(4)
    client = client_of()
    text = page(client, tournament)
    seen = text.split("?seen=")[1].split('"')[0].split("&")[0]
    address = reverse("tournament", args=[tournament.pk])
    headers = {"HX-Request": "true"}
    assert client.get(address, {"seen": seen}, headers=headers).status_code == 204
    tournament_enter(user=people(1)[0], tournament_id=tournament.pk)
    assert client.get(address, {"seen": seen}, headers=headers).status_code == 200


def test_the_secret_is_published_after_the_draw_only(people):
    players = people(4, 0)
    tournament = knockout(4)
    file = reverse("tournament_file", args=[tournament.pk, "json"])
    draw = reverse("tournament_draw", args=[tournament.pk])
    client = client_of()
    assert client.get(draw).status_code == 404
    assert client.get(file).json()["secret"] is None
    secret = draw_show(tournament.pk, bytes(tournament.hidden_secret))
    assert secret not in page(client_of(players[0]), tournament)
    entered(tournament, players)
    found = client.get(file).json()
    assert found["secret"] == tournament.secret == secret
    assert draw_faults(found) == []
    assert tournament.secret in client.get(draw).content.decode()


def test_results_as_files(people, dice):
    tournament = knockout(4, 250)
    entered(tournament, people(4))
    while meetings := called(tournament):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    client = client_of()
    rows = client.get(f"/tournaments/{tournament.pk}/results.csv").content.decode().splitlines()
    assert rows[0] == "first_place,last_place,name,wins,losses,prize_cents"
    assert [row.split(",")[0] for row in rows[1:]] == ["1", "2", "3", "3"]
    trf = client.get(f"/tournaments/{tournament.pk}/results.trf").content.decode().splitlines()
    assert trf[0] == "012 Friday"
    assert sum(line.startswith("001") for line in trf) == 4
    assert client.get(f"/tournaments/{tournament.pk}/results.exe").status_code == 404
    standing = client.get(f"/tournaments/{tournament.pk}/results.json").json()["standing"]
    assert [each["prize_cents"] for each in standing] == [630, 270, 0, 0]


@given(players=st.integers(2, 12), change=st.sampled_from(["secret", "part", "order", "seed"]))
def test_a_changed_draw_is_found(players, change):
    secret = "ab" * 32
    entrants = [
        {"number": n, "part": f"{n:032x}", "player": 100 - n} for n in range(1, players + 1)
    ]
    seed = seed_of(secret, [(each["number"], each["part"]) for each in entrants])
    order = list(shuffled([each["player"] for each in entrants], seed, "order"))
    draw = {
        "commitment": commitment_of(secret), "secret": secret, "seed": seed, "order": order,
        "entrants": entrants,
    }  # fmt: skip
    assert draw_faults(draw) == []
    wrong = json.loads(json.dumps(draw))
    if change == "part":
        wrong["entrants"][0]["part"] = "00" * 16
    elif change == "order":
        wrong["order"].reverse()
    else:
        wrong[change] = "cd" * 32
    assert draw_faults(wrong) != []


@pytest.mark.parametrize("format_key", sorted(FORMATS))
def test_everybody_sets_up_free_tournaments(people, format_key):
    (one,) = people(1)
    client = client_of(one)
    assert client.get("/tournaments/new/").status_code == 200
    wishes = {
        "name": "Our evening", "format": format_key, "variant": "hypergammon", "length": 3,
        "clock": "fast", "most": 8, "begins": "30", "minutes": 45,
    }  # fmt: skip
    answer = client.post("/tournaments/new/", wishes)
    tournament = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("tournament", args=[tournament.pk])
    assert (tournament.founder, tournament.fee_cents) == (one, 0)
    assert "Organised by player0." in page(client, tournament)


def test_a_form_with_mistakes_says_so(people):
    client = client_of(people(1)[0])
    wishes = {
        "name": "x", "format": "knockout", "variant": "backgammon", "length": 3, "clock": "fast",
        "most": 8, "begins": "30", "minutes": 45,
    }  # fmt: skip
    assert "errorlist" in client.post("/tournaments/new/", wishes).content.decode()
    assert not Tournament.objects.exists()
    for _ in range(4):
        client.post("/tournaments/new/", {**wishes, "name": "Again"})
    assert Tournament.objects.count() == 3


# --- satellites -----------------------------------------------------------------------------------
def test_an_administrator_sets_one_up_by_the_form(people):
    (one,) = people(1)
    target = target_of()
    wishes = {
        "name": "Way to Sunday", "format": "knockout", "variant": "backgammon", "length": 3,
        "clock": "fast", "most": 8, "begins": "30", "minutes": 45, "fee": "2.50",
        "satellite_of": str(target.pk),
    }  # fmt: skip
    client_of(one).post("/tournaments/new/", wishes | {"name": "Free"})
    assert Tournament.objects.get(name="Free").fee_cents == 0  # a player has no such field
    role_give(one, Role.ADMINISTRATOR)
    one = User.objects.get(pk=one.pk)
    for wrong, words in (
        ({"fee": ""}, "A satellite needs an entry fee"),
        ({"begins": "1440"}, "begins earlier than this one"),
        ({"fee": "-1"}, "greater than or equal to 0"),
    ):
        answer = client_of(one).post("/tournaments/new/", wishes | wrong)
        assert words in answer.content.decode()
    client_of(one).post("/tournaments/new/", wishes)
    satellite = Tournament.objects.get(name="Way to Sunday")
    assert (satellite.fee_cents, satellite.satellite_of_id) == (250, target.pk)
    assert (satellite.rake_bps, satellite.shares_bps) == (1_000, [])


def test_the_pages_say_what_is_won(people):
    one, *_others = players = people(4)
    target = target_of()
    satellite = knockout(4, 250, satellite_of=target)
    text = page(client_of(one), satellite)
    assert "The first 2 win a seat in" in text
    assert "fewer seats" not in text
    assert "Sunday" in text
    assert "2 seats in Sunday" in client_of(one).get("/tournaments/").content.decode()
    entered(satellite, players)
    won_by_the_first(satellite)
    assert "You have won a seat in" in page(client_of(one), satellite)
    assert "You have won a seat in" not in page(client_of(by_place(satellite)[3]), satellite)
    mine = page(client_of(one), target)
    assert "You have won this seat" in mine
    assert "Add your part" in mine
    assert "Add your part" not in act(client_of(one), target, "enter", part="ab" * 16)
    later = knockout(4, 250, satellite_of=target)
    with guards_off():
        Tournament.objects.filter(pk=target.pk).update(starts_at=timezone.now())
    tournament_move_on(target.pk)
    assert "what a seat is worth is paid in credits" in page(client_of(one), later)
